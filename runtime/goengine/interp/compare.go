package interp

// This file compares, clamps, selects and sorts. Sorts are stable.

import (
	"math"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/ir"
)

// comparison has a function for each comparison direction. It takes the result of an order
// function: -1, 0, 1 or unordered.
var comparison = map[string]func(order int) bool{
	"EQ": func(o int) bool { return o == 0 },
	"NE": func(o int) bool { return o != 0 },
	"LT": func(o int) bool { return o == -1 },
	"LE": func(o int) bool { return o == -1 || o == 0 },
	"GT": func(o int) bool { return o == 1 },
	"GE": func(o int) bool { return o == 1 || o == 0 },
}

// unordered is the result of comparing a NaN with anything.
const unordered = 2

func order[T integer | float](x, y T) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	case x == y:
		return 0
	}
	return unordered
}

// totalOrder32 compares two floats, and returns -1, 0 or 1, in the total order: -NaN < -∞ < … < -0
// < 0 < … < ∞ < NaN. totalOrder64 is the same for float64.
func totalOrder32(x, y float32) int { return order(totalKey32(x), totalKey32(y)) }

func totalKey32(v float32) int32 {
	b := int32(math.Float32bits(v))
	return b ^ int32(uint32(b>>31)>>1)
}

func totalOrder64(x, y float64) int {
	key := func(v float64) int64 {
		b := int64(math.Float64bits(v))
		return b ^ int64(uint64(b>>63)>>1)
	}
	return order(key(x), key(y))
}

// orders has, for each element type, a function that compares element i of one tensor with element
// j of another, and returns -1, 0, 1 or unordered.
var orders = map[dtypes.DType]func(x, y *Tensor) func(i, j int) int{
	dtypes.Bool:    orderBy(order[uint8]),
	dtypes.Int8:    orderBy(order[int8]),
	dtypes.Int16:   orderBy(order[int16]),
	dtypes.Int32:   orderBy(order[int32]),
	dtypes.Int64:   orderBy(order[int64]),
	dtypes.Uint8:   orderBy(order[uint8]),
	dtypes.Uint16:  orderBy(order[uint16]),
	dtypes.Uint32:  orderBy(order[uint32]),
	dtypes.Uint64:  orderBy(order[uint64]),
	dtypes.Float32: orderBy(order[float32]),
	dtypes.Float64: orderBy(order[float64]),
	dtypes.Complex64: orderBy(func(x, y complex64) int {
		return orderComplex(complex128(x), complex128(y))
	}),
	dtypes.Complex128: orderBy(orderComplex),
}

var totalOrders = map[dtypes.DType]func(x, y *Tensor) func(i, j int) int{
	dtypes.Float32: orderBy(totalOrder32),
	dtypes.Float64: orderBy(totalOrder64),
}

func orderBy[T any](f func(x, y T) int) func(x, y *Tensor) func(i, j int) int {
	return func(x, y *Tensor) func(i, j int) int {
		a, b := view[T](x), view[T](y)
		return func(i, j int) int { return f(a[i], b[j]) }
	}
}

// orderComplex returns -1, 0 or 1 for x less than, equal to or greater than y, by lessComplex;
// unordered if a NaN decides.
func orderComplex(x, y complex128) int {
	switch {
	case x == y:
		return 0
	case lessComplex(x, y):
		return -1
	case lessComplex(y, x):
		return 1
	}
	return unordered
}

// runCompare computes compare: element i of the result says whether the direction holds for the
// elements i of the operands. Small types are converted to the wide types before, which keep the
// order, NaN and signed zeros.
func runCompare(c *call) error {
	f := comparisonTable(c.op)[c.in[0].Type.DType]
	if f == nil {
		return c.unsupportedError(c.in[0].Type.DType)
	}
	z := view[bool](c.newResult(0))
	op := c.op.Compare()
	if fast := fastCompares[op.ComparisonDirection()]; fast != nil && op.CompareType() != "TOTALORDER" && fast(c.in, z) {
		return nil
	}
	holds, compare := comparison[op.ComparisonDirection()], f(c.in[0], c.in[1])
	for i := range z {
		z[i] = holds(compare(i, i))
	}
	return nil
}

// fastCompares has, by direction, a loop for the most common types. It writes the results to z, or
// returns false for any other type.
var fastCompares = map[string]func(in []*Tensor, z []bool) bool{
	"EQ": fastCompare(equal[float32], equal[int32], equal[uint32]),
	"LT": fastCompare(less[float32], less[int32], less[uint32]),
	"GT": fastCompare(greater[float32], greater[int32], greater[uint32]),
	"GE": fastCompare(greaterEqual[float32], greaterEqual[int32], greaterEqual[uint32]),
}

func fastCompare(f func(x, y []float32, z []bool), i func(x, y []int32, z []bool), u func(x, y []uint32, z []bool)) func(in []*Tensor, z []bool) bool {
	return func(in []*Tensor, z []bool) bool {
		switch x, y := in[0], in[1]; x.Type.DType {
		case dtypes.Float32:
			f(view[float32](x), view[float32](y), z)
		case dtypes.Int32:
			i(view[int32](x), view[int32](y), z)
		case dtypes.Uint32:
			u(view[uint32](x), view[uint32](y), z)
		default:
			return false
		}
		return true
	}
}

func equal[T integer | float](x, y []T, z []bool) {
	for i := range z {
		z[i] = x[i] == y[i]
	}
}

func less[T integer | float](x, y []T, z []bool) {
	for i := range z {
		z[i] = x[i] < y[i]
	}
}

func greater[T integer | float](x, y []T, z []bool) {
	for i := range z {
		z[i] = x[i] > y[i]
	}
}

func greaterEqual[T integer | float](x, y []T, z []bool) {
	for i := range z {
		z[i] = x[i] >= y[i]
	}
}

// runClamp computes min(max(operand, low), high). low and high may be scalars. Element types
// without an order are errors.
func runClamp(c *call) error {
	low, x, high := c.in[0], c.in[1], c.in[2]
	table := elementwise[x.Type.DType]
	if table[ir.OpMaximum] == nil {
		return c.unsupportedError(x.Type.DType)
	}
	raised, out := New(x.Type), c.newResult(0)
	table[ir.OpMaximum]([]*Tensor{x, spread(low, x.Type)}, raised)
	table[ir.OpMinimum]([]*Tensor{raised, spread(high, x.Type)}, out)
	return nil
}

// spread returns scalar broadcast to the dimensions of t. If it has the rank of t already, spread
// returns it as it is.
func spread(scalar *Tensor, t ir.Type) *Tensor {
	if scalar.Type.Rank() == t.Rank() {
		return scalar
	}
	out := New(scalar.Type.WithDims(t.Dims))
	fill(out.Data, scalar.Data)
	return out
}

func runSelect(c *call) error {
	pred, x, y := c.in[0], c.in[1], c.in[2]
	if pred.Type.Rank() == 0 && x.Type.Rank() > 0 {
		if Truth(pred) {
			c.set(0, x)
		} else {
			c.set(0, y)
		}
		return nil
	}
	out := c.newRaw(0)
	switch elem := x.elem(); elem {
	case 1:
		choose[uint8](pred, x, y, out)
	case 2:
		choose[uint16](pred, x, y, out)
	case 4:
		choose[uint32](pred, x, y, out)
	case 8:
		choose[uint64](pred, x, y, out)
	default:
		choose[complex128](pred, x, y, out)
	}
	return nil
}

func choose[T any](pred, x, y, out *Tensor) {
	p, a, b, z := view[bool](pred), view[T](x), view[T](y), view[T](out)
	for i := range z {
		if p[i] {
			z[i] = a[i]
		} else {
			z[i] = b[i]
		}
	}
}

// runMap computes map: element i of the result is what the body returns for the elements i of the
// operands.
func runMap(c *call) error {
	out, body := c.newRaw(0), c.body(0)
	args := make([]*Tensor, len(c.in))
	for i := range out.Type.Size() {
		for k, t := range c.in {
			args[k] = element(t, i)
		}
		result, err := body(args...)
		if err != nil {
			return err
		}
		setElement(out, i, result[0])
	}
	return nil
}

// element returns element i as a scalar; it shares memory with t.
func element(t *Tensor, i int) *Tensor {
	n := t.elem()
	return &Tensor{ir.Tensor(t.Type.DType), t.Data[i*n : (i+1)*n : (i+1)*n]}
}

// setElement sets element i of t to a scalar. t must still be in the making.
func setElement(t *Tensor, i int, scalar *Tensor) {
	n := t.elem()
	copy(t.Data[i*n:(i+1)*n], scalar.Data)
}

// lines calls visit for every line, along dimension dim, of a tensor with the given dimensions:
// with the offset of the line's first element, and the distance between adjacent elements.
func lines(dims []int, dim int, visit func(start, step int)) {
	own := rowmajor.Strides(dims, 1)
	outer := append([]int(nil), dims...)
	outer[dim] = 1
	rowmajor.Each(outer, func(index []int) { visit(rowmajor.Offset(index, own), own[dim]) })
}

// mergeSort sorts s by before, and keeps the order of equal elements. scratch is as long as s. It
// ends for any function before, but sorts only if before is a strict weak order. It returns the
// first error of before, and then has not sorted s.
func mergeSort(s, scratch []int, before func(i, j int) (bool, error)) error {
	if len(s) < 2 {
		return nil
	}
	half := len(s) / 2
	if err := mergeSort(s[:half], scratch, before); err != nil {
		return err
	}
	if err := mergeSort(s[half:], scratch, before); err != nil {
		return err
	}
	left := scratch[:copy(scratch, s[:half])]
	right, at := s[half:], 0
	for len(left) > 0 && len(right) > 0 {
		// An element of the right half goes first only if it is before the left one.
		first, err := before(right[0], left[0])
		if err != nil {
			return err
		}
		if first {
			s[at], right = right[0], right[1:]
		} else {
			s[at], left = left[0], left[1:]
		}
		at++
	}
	copy(s[at:], left)
	return nil
}

func runSort(c *call) error {
	dims := c.in[0].Type.Dims
	for i := range c.out {
		c.newRaw(i)
	}
	if len(dims) == 0 {
		copy(c.out, c.in)
		return nil
	}
	dim := c.op.Sort().Dimension()
	if dim < 0 {
		dim += len(dims)
	}
	before := c.comparator()
	order, scratch := make([]int, dims[dim]), make([]int, dims[dim])
	var failed error
	lines(dims, dim, func(start, step int) {
		for i := range order {
			order[i] = start + i*step
		}
		if err := mergeSort(order, scratch, before); err != nil {
			failed = err
		}
		for r, t := range c.in {
			for i, from := range order {
				setElement(c.out[r], start+i*step, element(t, from))
			}
		}
	})
	return failed
}

// comparator returns a function that reports whether element i must stand before element j. It
// returns the error of the body that compares them.
func (c *call) comparator() func(i, j int) (bool, error) {
	if compare, holds := c.simpleComparator(); compare != nil {
		return func(i, j int) (bool, error) { return holds(compare(i, j)), nil }
	}
	body, args := c.body(0), make([]*Tensor, 2*len(c.in))
	return func(i, j int) (bool, error) {
		for r, t := range c.in {
			args[2*r], args[2*r+1] = element(t, i), element(t, j)
		}
		out, err := body(args...)
		return err == nil && Truth(out[0]), err
	}
}

// simpleComparator returns a fast comparator if the body compares two elements of one operand:
// element i stands before element j if holds is true of compare(i, j). Otherwise it returns nil.
func (c *call) simpleComparator() (compare func(i, j int) int, holds func(order int) bool) {
	b := c.op.Regions[0]
	if b.Len() != 2 || b.First().Kind != ir.OpCompare || b.Terminator().Operands[0] != b.First().Results[0] {
		return nil, nil
	}
	op := b.First()
	for r, t := range c.in {
		if op.Operands[0] == b.Args[2*r] && op.Operands[1] == b.Args[2*r+1] {
			wide := widen(t)
			if f := comparisonTable(op)[wide.Type.DType]; f != nil {
				return f(wide, wide), comparison[op.Compare().ComparisonDirection()]
			}
		}
	}
	return nil, nil
}

// runTopK returns the k greatest elements of each row along the last dimension, the greatest first,
// and their indices in the row, as int32. Floats are in their total order. Of equal elements it
// takes the first ones.
func runTopK(c *call) error {
	x, k := widen(c.in[0]), c.op.TopK().K()
	values, indices := c.newRaw(0), view[int32](c.newRaw(1))
	table := orders
	if isFloat(x.Type.DType) {
		table = totalOrders
	}
	f := table[x.Type.DType]
	if f == nil {
		return c.unsupportedError(x.Type.DType)
	}
	compare := f(x, x)
	n := x.Type.Dims[x.Type.Rank()-1]
	order, scratch, row := make([]int, n), make([]int, n), 0
	lines(x.Type.Dims, x.Type.Rank()-1, func(start, _ int) {
		for i := range order {
			order[i] = start + i
		}
		_ = mergeSort(order, scratch, func(i, j int) (bool, error) { return compare(i, j) == 1, nil })
		for i, from := range order[:k] {
			setElement(values, row*k+i, element(c.in[0], from))
			indices[row*k+i] = int32(from - start)
		}
		row++
	})
	return nil
}

// comparisonTable returns the functions that compare elements for the op compare, by type: those of
// the total order, if it asks for that, or orders.
func comparisonTable(op *ir.Op) map[dtypes.DType]func(x, y *Tensor) func(i, j int) int {
	if op.Compare().CompareType() == "TOTALORDER" && isFloat(op.Operands[0].Type.DType) {
		return totalOrders
	}
	return orders
}
