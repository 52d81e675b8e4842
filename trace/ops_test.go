package trace_test

// This file records every operation of compute.StandardOps, runs it by XLA, and compares the
// results with those of GoMLX's Go backend. If that backend does not have the operation, the
// expected values are computed here.

import (
	"math"
	"math/bits"
	"math/cmplx"
	"reflect"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/trace"
)

type values = []compute.Value

// opCase is one use of an operation: its inputs, a function that records it, and the results that
// it must have within a tolerance.
type opCase struct {
	op    string // the method of compute.Function
	name  string // what is special about this case
	in    []tensor
	build func(f compute.Function, in values) (values, error)
	want  []tensor // nil: the results of GoMLX's Go backend
	tol   float64  // 0: 1e-6
}

func (c opCase) String() string { return c.op + "/" + c.name }

// record returns the module in which the case is recorded, with its inputs as parameters. It ends
// the test if recording fails.
func (c opCase) record(t *testing.T) *ir.Module {
	t.Helper()
	m, err := trace.RecordBackend(func(f compute.Function) (values, error) { return c.call(f) })
	require.NoError(t, err)
	return m
}

func (c opCase) call(f compute.Function) (values, error) {
	in := make(values, len(c.in))
	for i, x := range c.in {
		p, err := f.Parameter(string(rune('a'+i)), x.shape(), nil)
		if err != nil {
			return nil, err
		}
		in[i] = p
	}
	return c.build(f, in)
}

// runGo runs the case on GoMLX's Go backend and returns the results, to compare with. The test
// fails if that backend cannot run it.
func (c opCase) runGo(t *testing.T) []tensor {
	t.Helper()
	backend, err := gobackend.New("")
	require.NoError(t, err)
	b := backend.Builder("test")
	results, err := c.call(b.Main())
	require.NoError(t, err, "the Go backend cannot do this: give the case a want")
	require.NoError(t, b.Main().Return(results, nil))
	exe, err := b.Compile()
	require.NoError(t, err)
	defer exe.Finalize()
	in := make([]compute.Buffer, len(c.in))
	for i, x := range c.in {
		in[i], err = backend.BufferFromFlatData(0, x.flat, x.shape())
		require.NoError(t, err)
	}
	buffers, err := exe.Execute(in, nil, 0)
	require.NoError(t, err)
	out := make([]tensor, len(buffers))
	for i, b := range buffers {
		s, err := b.Shape()
		require.NoError(t, err)
		flat := reflect.MakeSlice(reflect.SliceOf(s.DType.GoType()), s.Size(), s.Size()).Interface()
		require.NoError(t, b.ToFlatData(flat))
		out[i] = tensor{s.Dimensions, flat}
	}
	return out
}

// TestEveryOperationHasCases requires that every operation of package compute has a case in
// opCases, or is refused and has an error case.
func TestEveryOperationHasCases(t *testing.T) {
	tested := make(map[string]bool)
	for _, c := range opCases() {
		tested[c.op] = true
	}
	for _, refused := range []string{"DynamicReshape", "DynamicShape", "DynamicDimensionSize", "AllReduce"} {
		require.False(t, tested[refused], "operation %s is both refused and tested", refused)
		tested[refused] = slices.ContainsFunc(errorCases, func(c errorCase) bool { return c.op == refused })
	}
	methods := []string{"Call", "Sort", "While", "If", "Constant", "AllReduce"}
	ops := reflect.TypeFor[compute.StandardOps]()
	for i := range ops.NumMethod() {
		methods = append(methods, ops.Method(i).Name)
	}
	for _, m := range methods {
		require.True(t, tested[m], "operation %s has no case", m)
	}
}

// TestOperations runs each case. The results must be the wanted ones, or those of GoMLX's Go
// backend if the case has none, within the case's tolerance or 1e-6.
func TestOperations(t *testing.T) {
	for _, c := range opCases() {
		t.Run(c.String(), func(t *testing.T) {
			m := c.record(t)
			run := load(t, m)
			want := c.want
			if want == nil {
				want = c.runGo(t)
			}
			got := run(c.in...)
			require.Len(t, got, len(want))
			tol := c.tol
			if tol == 0 {
				tol = 1e-6
			}
			for i := range want {
				requireClose(t, c.String(), got[i], want[i], tol)
			}
		})
	}
}

// TestOperationsAreValid verifies the recorded module of each case, that recording is
// deterministic, and that the results have the types that the case wants. It runs nothing.
func TestOperationsAreValid(t *testing.T) {
	for _, c := range opCases() {
		t.Run(c.String(), func(t *testing.T) {
			m := c.record(t)
			require.NoError(t, ir.Verify(m), "%s", m)
			require.Equal(t, m.String(), c.record(t).String())
			for i, v := range m.Main().Returned() {
				if c.want != nil {
					require.Equal(t, c.want[i].irType().String(), v.Type.String())
				}
			}
		})
	}
}

// Functions that build the most common kinds of cases.

func unaryOp(op func(compute.Function, compute.Value) (compute.Value, error)) func(compute.Function, values) (values, error) {
	return func(f compute.Function, in values) (values, error) { return one(op(f, in[0])) }
}

func binaryOp(op func(compute.Function, compute.Value, compute.Value) (compute.Value, error)) func(compute.Function, values) (values, error) {
	return func(f compute.Function, in values) (values, error) { return one(op(f, in[0], in[1])) }
}

func reduce(op func(compute.Function, compute.Value, ...int) (compute.Value, error), axes ...int) func(compute.Function, values) (values, error) {
	return func(f compute.Function, in values) (values, error) { return one(op(f, in[0], axes...)) }
}

func one(v compute.Value, err error) (values, error) { return values{v}, err }

// closure returns a closure of f with parameters of the given shapes, named p, q, …, whose results
// are what body returns for these.
func closure(f compute.Function, params []shapes.Shape, body func(c compute.Function, args values) (values, error)) (compute.Function, error) {
	c, err := f.Closure()
	if err != nil {
		return nil, err
	}
	return c, define(c, params, body)
}

// define gives the function c parameters of the given shapes, named p, q, …, and returns from it
// what body returns for these parameters.
func define(c compute.Function, params []shapes.Shape, body func(c compute.Function, args values) (values, error)) error {
	var args values
	for i, s := range params {
		p, err := c.Parameter(string(rune('p'+i)), s, nil)
		if err != nil {
			return err
		}
		args = append(args, p)
	}
	results, err := body(c, args)
	if err != nil {
		return err
	}
	return c.Return(results, nil)
}

func concat(lists ...[]opCase) []opCase { return slices.Concat(lists...) }

func opCases() []opCase {
	return concat(unaryCases(), binaryCases(), compareCases(), selectCases(),
		shapeCases(), indexCases(), reduceCases(), linearCases(), controlCases())
}

var (
	nan = float32(math.NaN())
	inf = float32(math.Inf(1))

	someFloats  = vec[float32](-2.5, -1, -0.5, -0.1, 0, 0.5, 1.5, 2.5, 3.25)
	halves      = vec[float32](-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.49, -3.7)
	positives   = vec[float32](0.01, 0.5, 1, 2, 10, 123.5)
	specials    = vec(0, -0, inf, -inf, nan, 1)
	someInts    = vec[int32](-7, -2, -1, 0, 1, 3, 8, 100)
	someUints   = vec[uint32](0, 1, 2, 255, 1<<31, math.MaxUint32)
	someBools   = vec(true, false, true)
	someComplex = vec[complex64](1+2i, -3+0.5i, -1i, 4)
)

func unaryCases() []opCase {
	type f = compute.Function
	floats := func(op string, m func(f, compute.Value) (compute.Value, error), in tensor) opCase {
		return opCase{op: op, name: "f32", in: []tensor{in}, build: unaryOp(m)}
	}
	complexes := func(op string, m func(f, compute.Value) (compute.Value, error), want tensor) opCase {
		return opCase{op: op, name: "complex", in: []tensor{someComplex}, build: unaryOp(m), want: []tensor{want}}
	}
	return []opCase{
		floats("Abs", f.Abs, someFloats),
		{op: "Abs", name: "i32", in: []tensor{someInts}, build: unaryOp(f.Abs)},
		{op: "Abs", name: "u32", in: []tensor{someUints}, build: unaryOp(f.Abs), want: []tensor{someUints}},
		complexes("Abs", f.Abs, mapElements(someComplex, func(c complex64) float32 { return float32(cmplx.Abs(complex128(c))) })),
		{op: "BitCount", name: "u32", in: []tensor{someUints}, build: unaryOp(f.BitCount),
			want: []tensor{mapElements(someUints, func(u uint32) uint32 { return uint32(bits.OnesCount32(u)) })}},
		{op: "BitwiseNot", name: "i32", in: []tensor{someInts}, build: unaryOp(f.BitwiseNot)},
		floats("Ceil", f.Ceil, halves),
		{op: "Clz", name: "u32", in: []tensor{someUints}, build: unaryOp(f.Clz)},
		complexes("Conj", f.Conj, vec[complex64](1-2i, -3-0.5i, 1i, 4)),
		floats("Cos", f.Cos, someFloats),
		floats("Erf", f.Erf, someFloats),
		floats("Exp", f.Exp, someFloats),
		floats("Expm1", f.Expm1, someFloats),
		floats("Floor", f.Floor, halves),
		floats("Identity", f.Identity, specials),
		complexes("Imag", f.Imag, vec[float32](2, 0.5, -1, 0)),
		{op: "Imag", name: "f32", in: []tensor{vec[float32](3)}, build: unaryOp(f.Imag), want: []tensor{vec[float32](0)}},
		floats("IsFinite", f.IsFinite, specials),
		floats("IsNaN", f.IsNaN, specials),
		floats("Log", f.Log, positives),
		floats("Log1p", f.Log1p, positives),
		{op: "LogicalNot", name: "bool", in: []tensor{someBools}, build: unaryOp(f.LogicalNot)},
		floats("Logistic", f.Logistic, someFloats),
		floats("Neg", f.Neg, someFloats),
		{op: "Neg", name: "i32", in: []tensor{someInts}, build: unaryOp(f.Neg)},
		complexes("Real", f.Real, vec[float32](1, -3, 0, 4)),
		{op: "Real", name: "f32", in: []tensor{someFloats}, build: unaryOp(f.Real), want: []tensor{someFloats}},
		floats("Round", f.Round, halves),
		floats("Rsqrt", f.Rsqrt, positives),
		floats("Sign", f.Sign, vec(-2, 0, 3.5, inf, -inf)),
		{op: "Sign", name: "i32", in: []tensor{someInts}, build: unaryOp(f.Sign)},
		{op: "Sign", name: "u32", in: []tensor{someUints}, build: unaryOp(f.Sign), want: []tensor{vec[uint32](0, 1, 1, 1, 1, 1)}},
		floats("Sin", f.Sin, someFloats),
		floats("Sqrt", f.Sqrt, positives),
		floats("Tanh", f.Tanh, someFloats),
	}
}

func binaryCases() []opCase {
	type f = compute.Function
	type method = func(f, compute.Value, compute.Value) (compute.Value, error)
	x, y := vec[float32](7, -7, 2.5, 0.5, 3), vec[float32](2, 2, -1.5, 0.25, 3)
	ix, iy := vec[int32](7, -7, 6, 12, 1), vec[int32](2, 2, -4, 5, 1)
	var out []opCase
	// Every operation with two vectors, and a few with broadcasts.
	for _, c := range []struct {
		op     string
		m      method
		lhs    tensor
		rhs    tensor
		expect []tensor
	}{
		{"Add", f.Add, x, y, nil}, {"Add", f.Add, ix, iy, nil},
		{"Add", f.Add, someComplex, someComplex, []tensor{vec[complex64](2+4i, -6+1i, -2i, 8)}},
		{"Atan2", f.Atan2, x, y, []tensor{vec(atan2(7, 2), atan2(-7, 2), atan2(2.5, -1.5), atan2(0.5, 0.25), atan2(3, 3))}},
		{"BitwiseAnd", f.BitwiseAnd, ix, iy, nil},
		{"BitwiseOr", f.BitwiseOr, ix, iy, nil},
		{"BitwiseXor", f.BitwiseXor, ix, iy, nil},
		{"Complex", f.Complex, vec[float32](1, 2), vec[float32](3, -4), []tensor{vec[complex64](1+3i, 2-4i)}},
		{"Complex", f.Complex, scalar[float64](1), vec[float64](3, -4), []tensor{vec[complex128](1+3i, 1-4i)}},
		{"Div", f.Div, x, y, nil}, {"Div", f.Div, ix, iy, nil},
		{"LogicalAnd", f.LogicalAnd, vec(true, true, false, false), vec(true, false, true, false), nil},
		{"LogicalOr", f.LogicalOr, vec(true, true, false, false), vec(true, false, true, false), nil},
		{"LogicalXor", f.LogicalXor, vec(true, true, false, false), vec(true, false, true, false), nil},
		{"Max", f.Max, x, y, nil}, {"Max", f.Max, ix, iy, nil},
		{"Min", f.Min, x, y, nil}, {"Min", f.Min, ix, iy, nil},
		{"Mul", f.Mul, x, y, nil}, {"Mul", f.Mul, ix, iy, nil},
		{"Pow", f.Pow, vec[float32](7, 0.5, 2), vec[float32](2, -1.5, 0), nil},
		{"Rem", f.Rem, x, y, nil}, {"Rem", f.Rem, ix, iy, nil},
		{"ShiftLeft", f.ShiftLeft, someInts, vec[int32](1, 2, 3, 4, 5, 6, 7, 8), nil},
		{"ShiftRightArithmetic", f.ShiftRightArithmetic, someInts, vec[int32](1, 2, 3, 4, 1, 1, 2, 3), nil},
		{"ShiftRightLogical", f.ShiftRightLogical, someInts, vec[int32](1, 2, 3, 4, 1, 1, 2, 3), nil},
		{"Sub", f.Sub, x, y, nil},
		{"Sub", f.Sub, x, scalar[float32](1.5), nil},
		{"Sub", f.Sub, scalar[float32](1.5), x, nil},
		{"Sub", f.Sub, scalar[float32](1.5), scalar[float32](4), nil},
		{"Sub", f.Sub, count[float32](1, 0, 3, 1), count[float32](0.5, 1, 1, 4), nil},
		{"Sub", f.Sub, count[float32](1, 0, 3, 4), count[float32](0.5, 1, 1, 4), nil},
	} {
		out = append(out, opCase{op: c.op, name: c.lhs.shape().String() + c.rhs.shape().String(),
			in: []tensor{c.lhs, c.rhs}, build: binaryOp(c.m), want: c.expect})
	}
	return out
}

func atan2(y, x float64) float32 { return float32(math.Atan2(y, x)) }

func compareCases() []opCase {
	type f = compute.Function
	x := vec(1, 2, nan, inf, -inf, 3, nan, float32(math.Copysign(0, -1)))
	y := vec(2, 2, 1, inf, 0, nan, nan, 0)
	ix, iy := vec[int32](-1, 2, 3), vec[int32](1, 2, -3)
	ux, uy := vec[uint32](math.MaxUint32, 2, 3), vec[uint32](1, 2, 4)
	// The total order: -0 < +0; NaN is the greatest number and equal to itself.
	order := mapElements(vec[int32](-1, 0, 1, 0, -1, -1, 0, -1), func(i int32) int32 { return i })
	total := func(holds func(int32) bool) []tensor { return []tensor{mapElements(order, holds)} }
	var out []opCase
	for _, c := range []struct {
		op       string
		m, total func(f, compute.Value, compute.Value) (compute.Value, error)
		holds    func(int32) bool
	}{
		{"Equal", f.Equal, f.EqualTotalOrder, func(i int32) bool { return i == 0 }},
		{"NotEqual", f.NotEqual, f.NotEqualTotalOrder, func(i int32) bool { return i != 0 }},
		{"LessThan", f.LessThan, f.LessThanTotalOrder, func(i int32) bool { return i < 0 }},
		{"LessOrEqual", f.LessOrEqual, f.LessOrEqualTotalOrder, func(i int32) bool { return i <= 0 }},
		{"GreaterThan", f.GreaterThan, f.GreaterThanTotalOrder, func(i int32) bool { return i > 0 }},
		{"GreaterOrEqual", f.GreaterOrEqual, f.GreaterOrEqualTotalOrder, func(i int32) bool { return i >= 0 }},
	} {
		out = append(out,
			opCase{op: c.op, name: "f32", in: []tensor{x, y}, build: binaryOp(c.m)},
			opCase{op: c.op, name: "i32", in: []tensor{ix, iy}, build: binaryOp(c.m)},
			opCase{op: c.op, name: "u32", in: []tensor{ux, uy}, build: binaryOp(c.m)},
			opCase{op: c.op, name: "broadcast", in: []tensor{x, scalar[float32](2)}, build: binaryOp(c.m)},
			opCase{op: c.op + "TotalOrder", name: "f32", in: []tensor{x, y}, build: binaryOp(c.total), want: total(c.holds)},
			opCase{op: c.op + "TotalOrder", name: "i32", in: []tensor{vec[int32](-1, 2, 3), vec[int32](1, 2, -3)}, build: binaryOp(c.total),
				want: []tensor{vec(c.holds(-1), c.holds(0), c.holds(1))}},
		)
	}
	return append(out, opCase{op: "Equal", name: "complex", in: []tensor{someComplex, vec[complex64](1+2i, -3, -1i, 5)}, build: binaryOp(f.Equal),
		want: []tensor{vec(true, false, true, false)}})
}

func selectCases() []opCase {
	where := func(f compute.Function, in values) (values, error) { return one(f.Where(in[0], in[1], in[2])) }
	clamp := func(f compute.Function, in values) (values, error) { return one(f.Clamp(in[0], in[1], in[2])) }
	convert := func(d dtypes.DType) func(compute.Function, values) (values, error) {
		return func(f compute.Function, in values) (values, error) { return one(f.ConvertDType(in[0], d)) }
	}
	x, y := vec[float32](1, 2, 3), vec[float32](-1, -2, -3)
	return []opCase{
		{op: "Where", name: "all of one shape", in: []tensor{someBools, x, y}, build: where},
		{op: "Where", name: "scalar values", in: []tensor{someBools, scalar[float32](1), scalar[float32](2)}, build: where},
		{op: "Where", name: "one scalar value", in: []tensor{someBools, x, scalar[float32](2)}, build: where},
		{op: "Where", name: "scalar condition", in: []tensor{scalar(false), x, y}, build: where},
		{op: "Where", name: "all scalars", in: []tensor{scalar(true), scalar[int32](1), scalar[int32](2)}, build: where},
		{op: "Clamp", name: "scalar bounds", in: []tensor{scalar[float32](-1), someFloats, scalar[float32](2)}, build: clamp,
			want: []tensor{mapElements(someFloats, func(v float32) float32 { return max(-1, min(v, 2)) })}},
		{op: "Clamp", name: "bounds of the shape", in: []tensor{vec[int32](0, 0, 0), vec[int32](-1, 5, 9), vec[int32](3, 6, 6)}, build: clamp,
			want: []tensor{vec[int32](0, 5, 6)}},
		{op: "ConvertDType", name: "f32 to i32", in: []tensor{someFloats}, build: convert(dtypes.Int32)},
		{op: "ConvertDType", name: "i32 to f64", in: []tensor{someInts}, build: convert(dtypes.Float64)},
		{op: "ConvertDType", name: "f32 to bool", in: []tensor{someFloats}, build: convert(dtypes.Bool)},
		{op: "ConvertDType", name: "bool to f32", in: []tensor{someBools}, build: convert(dtypes.Float32)},
		{op: "ConvertDType", name: "f32 to bf16", in: []tensor{someFloats}, build: convert(dtypes.BFloat16)},
		{op: "ConvertDType", name: "f32 to complex", in: []tensor{x}, build: convert(dtypes.Complex64), want: []tensor{vec[complex64](1, 2, 3)}},
		{op: "ConvertDType", name: "to the same", in: []tensor{x}, build: convert(dtypes.Float32)},
	}
}
