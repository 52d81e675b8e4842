package saving

// This file adds the low-rank adaptations of kernels to the kernels that are written. As in Keras,
// files hold the kernels that layers compute with. After loading, the adaptations have their
// initial values.

import (
	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/hdf5"
	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
)

// product is the product of two matrices, times a number: [rows, rank] and [rank, columns]. Rows
// are the elements of all dimensions of the shape but the last, which has the columns.
type product struct {
	a, b  []float32
	rank  int
	shape []int
	scale float64
}

// adaptation returns the product of the two matrices of a LoRA adaptation, which it reads from the
// devices. They must be the next two variables of the gathering.
func (g *gathering) adaptation(of *layers.Adaptation) (*product, error) {
	p := &product{rank: of.B.Shape()[0], shape: of.Kernel.Shape(), scale: of.Scale}
	var err error
	if p.a, err = g.numbers(of.A); err != nil {
		return nil, err
	}
	p.b, err = g.numbers(of.B)
	return p, err
}

// numbers returns all elements of v, row by row, which it reads from the devices. v must be of type
// float32, and the next variable of the gathering.
func (g *gathering) numbers(v *variable.Variable) ([]float32, error) {
	out := make([]float32, v.Type().Size())
	err := g.visit(v, func(ranges []layout.Range, data []byte) error {
		start, count := starts(ranges)
		rowmajor.CopyBox(dtypes.UnsafeByteSliceFromAny(out), v.Shape(), start, data, count, nil, count, 4)
		return nil
	})
	return out, err
}

// addTo returns data, the part of a kernel that ranges select, with the product p added. Its
// elements have the type t. data itself does not change.
func (p *product) addTo(t hdf5.Type, ranges []layout.Range, data []byte) []byte {
	sum := make([]byte, len(data))
	columns := p.shape[len(p.shape)-1]
	strides := rowmajor.Strides(p.shape, 1)
	start, count := starts(ranges)
	first, at := rowmajor.Offset(start, strides), 0
	rowmajor.Each(count, func(index []int) {
		offset := first + rowmajor.Offset(index, strides)
		row, column, x := offset/columns, offset%columns, 0.0
		for k := range p.rank {
			x += float64(p.a[row*p.rank+k]) * float64(p.b[k*columns+column])
		}
		putFloat(sum[at:at+t.Size], t, getFloat(data[at:at+t.Size], t)+p.scale*x)
		at += t.Size
	})
	return sum
}

// starts returns the first index of a part of a tensor and its size, each by dimension, from the
// part's ranges.
func starts(ranges []layout.Range) (start, count []int) {
	start, count = make([]int, len(ranges)), make([]int, len(ranges))
	for i, r := range ranges {
		start[i], count[i] = r.Start, r.Len()
	}
	return start, count
}
