package lapack

// This file implements Run: it splits a call into its matrices, converts them to f64 or c128 and to
// row-major order, and writes the results back.

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
)

// Buffer is an operand or a result in memory, little endian.
type Buffer struct {
	DType   dtypes.DType
	Dims    []int
	Columns bool // the last two dimensions are in column-major order
	Data    []byte
}

// SetByColumns sets Columns of the buffers of a call whose layouts are those that Layouts states:
// matrices, which are the values of the greatest rank among the operands, lie by columns.
func SetByColumns(in, out []Buffer) {
	rank := 0
	for _, b := range in {
		rank = max(rank, len(b.Dims))
	}
	for _, bs := range [][]Buffer{in, out} {
		for i, b := range bs {
			bs[i].Columns = len(b.Dims) == rank
		}
	}
}

// Run computes the routine. Results may share memory with operands. It returns an error if the
// buffers do not fit. Check finds that beforehand.
func (r *Routine) Run(attrs map[string]int64, in, out []Buffer) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("BUG: %s: %v", r.Target, p)
		}
	}()
	operands, results := r.signature()
	if len(in) != len(operands) || len(out) != len(results) {
		return fmt.Errorf("%s got %d operands and %d results, want %d and %d", r.Target, len(in), len(out), len(operands), len(results))
	}
	run := r.def.runReal
	if r.DType.IsComplex() {
		run = r.def.runComplex
	}
	batch := 1
	for _, d := range in[0].Dims[:len(in[0].Dims)-(len(operands[0])-1)] {
		batch *= d
	}
	// All operands are read before any result is written.
	items := make([]*item, batch)
	for i := range items {
		c := &item{attrs: attrs, in: make([]matrix, len(in)), out: make([]matrix, len(out))}
		for k, b := range in {
			c.in[k] = newMatrix(b, len(operands[k])-1)
			c.in[k].load(b, i)
		}
		for k, b := range out {
			c.out[k] = newMatrix(b, len(results[k])-1)
		}
		items[i] = c
	}
	for i, c := range items {
		if r.def.iterates && !c.in[0].isFinite() {
			c.spoil()
		} else {
			run(c)
		}
		for k, b := range out {
			c.out[k].store(b, i)
		}
	}
	return nil
}

// item is a call of a LAPACK routine for one matrix of a batch: the attributes, the operands and
// the results.
type item struct {
	attrs   map[string]int64
	in, out []matrix
}

// matrix is an operand or a result: a matrix in row-major order, a vector or a
// number. One of the lists holds its elements.
type matrix struct {
	rows, cols int
	f          []float64
	z          []complex128
	i          []int32
}

// newMatrix returns a matrix of zeros for one element of the batch of b. Such an element has the
// given rank: a vector is one column, a scalar one element. int32 are in i, complex numbers in z,
// and others in f.
func newMatrix(b Buffer, rank int) matrix {
	dims := b.Dims[len(b.Dims)-rank:]
	m := matrix{rows: 1, cols: 1}
	switch rank {
	case 1:
		m.rows = dims[0]
	case 2:
		m.rows, m.cols = dims[0], dims[1]
	}
	switch n := m.rows * m.cols; b.DType {
	case dtypes.Int32:
		m.i = make([]int32, n)
	case dtypes.Complex64, dtypes.Complex128:
		m.z = make([]complex128, n)
	default:
		m.f = make([]float64, n)
	}
	return m
}

// each calls f for every element of m, with its index in m and the offset of its bytes in b. m is
// element i of the batch b.
func (m matrix) each(b Buffer, i int, f func(at int, data []byte)) {
	size := b.DType.Size()
	data := b.Data[i*m.rows*m.cols*size:]
	for r := range m.rows {
		for c := range m.cols {
			from := r*m.cols + c
			if b.Columns {
				from = c*m.rows + r
			}
			f(r*m.cols+c, data[from*size:][:size])
		}
	}
}

var little = binary.LittleEndian

func (m matrix) load(b Buffer, i int) {
	m.each(b, i, func(at int, d []byte) {
		switch b.DType {
		case dtypes.Int32:
			m.i[at] = int32(little.Uint32(d))
		case dtypes.Float32:
			m.f[at] = float32At(d)
		case dtypes.Float64:
			m.f[at] = float64At(d)
		case dtypes.Complex64:
			m.z[at] = complex(float32At(d), float32At(d[4:]))
		case dtypes.Complex128:
			m.z[at] = complex(float64At(d), float64At(d[8:]))
		}
	})
}

func (m matrix) store(b Buffer, i int) {
	m.each(b, i, func(at int, d []byte) {
		switch b.DType {
		case dtypes.Int32:
			little.PutUint32(d, uint32(m.i[at]))
		case dtypes.Float32:
			putFloat32(d, m.f[at])
		case dtypes.Float64:
			little.PutUint64(d, math.Float64bits(m.f[at]))
		case dtypes.Complex64:
			putFloat32(d, real(m.z[at]))
			putFloat32(d[4:], imag(m.z[at]))
		case dtypes.Complex128:
			little.PutUint64(d, math.Float64bits(real(m.z[at])))
			little.PutUint64(d[8:], math.Float64bits(imag(m.z[at])))
		}
	})
}

func float32At(d []byte) float64 { return float64(math.Float32frombits(little.Uint32(d))) }
func float64At(d []byte) float64 { return math.Float64frombits(little.Uint64(d)) }

func putFloat32(d []byte, v float64) { little.PutUint32(d, math.Float32bits(float32(v))) }

// take copies operand number from to result number to, which the routine then changes in place, and
// returns that result.
func (c *item) take(from, to int) matrix {
	in, out := c.in[from], c.out[to]
	copy(out.f, in.f)
	copy(out.z, in.z)
	copy(out.i, in.i)
	return out
}

// fail sets the last result, LAPACK's info: 0, or a number that says that the routine failed.
func (c *item) fail(info int) { c.out[len(c.out)-1].i[0] = int32(info) }

// is reports whether an attribute is that letter.
func (c *item) is(attr string, letter byte) bool { return c.attrs[attr] == int64(letter) }

// isFinite says whether all numbers of m are finite.
func (m matrix) isFinite() bool {
	for _, v := range m.f {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	for _, v := range m.z {
		if s := real(v) + imag(v); math.IsNaN(s) || math.IsInf(s, 0) {
			return false
		}
	}
	return true
}

// spoil sets all results to NaN, and info to a number other than 0.
func (c *item) spoil() {
	for _, m := range c.out {
		for i := range m.f {
			m.f[i] = math.NaN()
		}
		for i := range m.z {
			m.z[i] = complex(math.NaN(), math.NaN())
		}
	}
	c.fail(1)
}
