package pixels

// This file implements transforms that move pixels: affine_transform and
// perspective_transform of keras.ops.image.

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
)

// Grid returns the row and the column of each pixel of images, both float32 [1, height, width].
func Grid(images *graph.Node) (y, x *graph.Node) {
	shape := shapes.Make(dtypes.Float32, 1, images.Shape().Dim(1), images.Shape().Dim(2))
	return graph.Iota(images.Graph(), shape, 1), graph.Iota(images.Graph(), shape, 2)
}

// column returns number i of each row of t [batch, n], as [batch, 1, 1], so that it can be
// broadcast to images.
func column(t *graph.Node, i int) *graph.Node {
	return graph.InsertAxes(graph.Slice(t, graph.AxisRange(), graph.AxisRange(i, i+1)), -1)
}

// Affine takes the pixel at (x, y) of each image from (a0·x + a1·y + a2, b0·x + b1·y + b2)
// of the input; transform is [batch, 8], a0, a1, a2, b0, b1, b2, and two numbers that are not
// used.
func Affine(images, transform *graph.Node, s Sampling) *graph.Node {
	t := graph.ConvertDType(transform, dtypes.Float32)
	y, x := Grid(images)
	at := func(i int) *graph.Node {
		sum := graph.Add(graph.Mul(y, column(t, i+1)), graph.Mul(x, column(t, i)))
		return graph.Add(sum, column(t, i+2))
	}
	return Sample(images, at(3), at(0), s)
}

// Perspective moves the corners from of each image to the corners to, and what is between along
// with them. Both are [batch, 4, 2]: each corner is (x, y), in pixels, in the order upper left,
// upper right, lower left, lower right. The result has the shape of images. It ignores s.FillMode:
// what is beyond the edge is s.FillValue.
func Perspective(images, from, to *graph.Node, s Sampling) *graph.Node {
	h := productOf(squareTo(from), adjugate(squareTo(to)))
	y, x := Grid(images)
	at := func(row int) *graph.Node {
		sum := graph.Add(graph.Mul(h[row][0], x), graph.Mul(h[row][1], y))
		return graph.Add(sum, h[row][2])
	}
	depth := at(2)
	s.FillMode = "constant"
	return Sample(images, graph.Div(at(1), depth), graph.Div(at(0), depth), s)
}

// homography is a 3x3 matrix for each image, which maps points of a plane; its elements are [batch,
// 1, 1].
type homography [3][3]*graph.Node

// squareTo returns the map of the unit square to corners, which are as in Perspective (Heckbert,
// Fundamentals of Texture Mapping and Image Warping, 1989, 2.2.3).
func squareTo(corners *graph.Node) (h homography) {
	corners = graph.ConvertDType(corners, dtypes.Float32)
	at := func(i, axis int) *graph.Node {
		return graph.Slice(corners, graph.AxisRange(), graph.AxisRange(i, i+1), graph.AxisRange(axis, axis+1))
	}
	const upperLeft, upperRight, lowerLeft, lowerRight = 0, 1, 2, 3
	var right, down, skew [2]*graph.Node
	for axis := range 2 {
		right[axis] = graph.Sub(at(upperRight, axis), at(lowerRight, axis))
		down[axis] = graph.Sub(at(lowerLeft, axis), at(lowerRight, axis))
		skew[axis] = graph.Add(graph.Sub(graph.Sub(at(upperLeft, axis), at(upperRight, axis)), at(lowerLeft, axis)), at(lowerRight, axis))
	}
	area := cross(right[0], down[1], down[0], right[1])
	h[2][0] = graph.Div(cross(skew[0], down[1], down[0], skew[1]), area)
	h[2][1] = graph.Div(cross(right[0], skew[1], skew[0], right[1]), area)
	h[2][2] = graph.OnesLike(area)
	for axis := range 2 {
		h[axis][0] = graph.Add(graph.Sub(at(upperRight, axis), at(upperLeft, axis)), graph.Mul(h[2][0], at(upperRight, axis)))
		h[axis][1] = graph.Add(graph.Sub(at(lowerLeft, axis), at(upperLeft, axis)), graph.Mul(h[2][1], at(lowerLeft, axis)))
		h[axis][2] = at(upperLeft, axis)
	}
	return h
}

// cross returns a·b - c·d, element by element.
func cross(a, b, c, d *graph.Node) *graph.Node { return graph.Sub(graph.Mul(a, b), graph.Mul(c, d)) }

// adjugate returns the inverse of h, up to a factor.
func adjugate(h homography) (out homography) {
	for i := range 3 {
		for j := range 3 {
			a, b, c, d := (j+1)%3, (j+2)%3, (i+1)%3, (i+2)%3
			out[i][j] = cross(h[a][c], h[b][d], h[a][d], h[b][c])
		}
	}
	return out
}

func productOf(p, q homography) (out homography) {
	for i := range 3 {
		for j := range 3 {
			out[i][j] = graph.Add(graph.Add(graph.Mul(p[i][0], q[0][j]), graph.Mul(p[i][1], q[1][j])), graph.Mul(p[i][2], q[2][j]))
		}
	}
	return out
}
