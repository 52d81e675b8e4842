package reshard

// This file cuts the axes of a large mesh into few sub-axes, where the sizes of dimensions and axes
// require it. With the prime sub-axes of thousands of devices a search would have too many choices.

import (
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// fewSubAxes cuts the axes that occur in the two shardings of a tensor with the given sizes. It
// cuts an axis
//
//   - where the parts minor to the cut already hold every element of the dimension, so that the
//     major parts only mask devices;
//   - where the parts major to the cut divide the dimension, but all parts together do not;
//   - at the greatest common divisor with another axis, so that a permutation can exchange a part
//     of one axis for the other.
//
// If all is true, the result also has the axes that do not occur in the shardings. ok is false if
// these cuts have no common parts.
func fewSubAxes(from, to *layout.Sharding, dims []int, serial string, all bool) (_ *subAxes, ok bool) {
	m := from.Mesh
	cuts := make([][]int, len(m.Axes()))
	cut := func(a mesh.SubAxis, major int) {
		if major > 1 && major < a.Size {
			cuts[a.Axis] = append(cuts[a.Axis], a.Pre*major)
		}
	}
	for _, s := range []*layout.Sharding{from, to} {
		for d, dim := range s.Dims {
			cutForSize(m.AxisList(dim.Axes), dims[d], cut)
		}
	}
	used := usedAxes(from, to)
	for _, a := range used {
		for _, b := range used {
			cut(a, gcd(a.Size, b.Size))
		}
	}
	return cutSubAxes(m, used, serial, all, func(axis int) []int { return slices.Clone(cuts[axis]) })
}

// cutForSize calls cut for the places where axes that shard a dimension of the given size must be
// cut, because the size is not divisible by their product. cut gets the axis and the size of the
// major part. If it divides, cut is not called.
func cutForSize(axes mesh.AxisList, size int, cut func(a mesh.SubAxis, major int)) {
	if size == 0 || size%axes.Size() == 0 {
		return
	}
	minor := 1
	for _, a := range slices.Backward(axes) {
		if all := minor * a.Size; all >= size {
			for _, p := range slices.Backward(a.Primes()) {
				if minor *= p.Size; minor >= size {
					cut(a, all/minor)
					return
				}
			}
		}
		minor *= a.Size
	}
	major := 1
	for _, a := range axes {
		for _, p := range a.Primes() {
			if size%(major*p.Size) != 0 {
				cut(a, p.Pre/a.Pre)
				return
			}
			major *= p.Size
		}
	}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
