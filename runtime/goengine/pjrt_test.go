//go:build cgo

package goengine_test

// This file compares the Go engine with PJRT: element-wise ops and conversions on corner values,
// and random programs of most other ops. The long form has all element types; the short form has
// four types, and leaves out the ops that XLA takes long to compile.

import (
	"context"
	"flag"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/dtypes/float16"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/randprog"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
)

var verbose = flag.Bool("mismatches", false, "show all mismatches with PJRT")

// engines opens one client of each engine, which are closed when the test ends.
func engines(t testing.TB) (goes, pjrt *runtime.Client) {
	open := func(engine string) *runtime.Client {
		c, err := runtime.Open(context.Background(), runtime.Options{Engine: engine})
		require.NoError(t, err)
		t.Cleanup(func() { c.Close() })
		return c
	}
	return open(runtime.EngineGo), open(runtime.EnginePJRT)
}

// execute compiles a module for one device, runs it on c with the inputs, and returns the elements
// of its results, as slices.
func execute(c *runtime.Client, m *ir.Module, inputs []any) ([]any, error) {
	ctx := context.Background()
	p, err := compile.Compile(ctx, m, compile.Options{})
	if err != nil {
		return nil, err
	}
	e, err := c.Load(ctx, p)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	args := make([]*runtime.Array, len(inputs))
	for i, in := range inputs {
		if args[i], err = c.Put(p.Inputs[i].Type, nil, in); err != nil {
			return nil, err
		}
		defer args[i].Release()
	}
	results, err := e.Run(args...)
	if err != nil {
		return nil, err
	}
	out := make([]any, len(results))
	for i, r := range results {
		if out[i], err = r.Get(ctx); err != nil {
			return nil, err
		}
		r.Release()
	}
	return out, nil
}

// intTypes, floatTypes and complexTypes are the types that, beside Bool, have corner values.
var (
	intTypes     = []dtypes.DType{dtypes.Int8, dtypes.Int16, dtypes.Int32, dtypes.Int64, dtypes.Uint8, dtypes.Uint16, dtypes.Uint32, dtypes.Uint64}
	floatTypes   = []dtypes.DType{dtypes.Float16, dtypes.BFloat16, dtypes.Float32, dtypes.Float64}
	complexTypes = []dtypes.DType{dtypes.Complex64, dtypes.Complex128}
)

func allTypes() []dtypes.DType {
	out := append([]dtypes.DType{dtypes.Bool}, intTypes...)
	return append(append(out, floatTypes...), complexTypes...)
}

var floatCorners = []float64{
	0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.1, -0.7, 3, -3, 10, -20, 100.25, 300, -300, 70000, -1e6, 3e9, -3e9, 1e19, 1e30, -1e30, 1e-3, -1e-5,
	math.Inf(1), math.Inf(-1), math.NaN(),
}

// corners returns, as a slice, the corner values of elements of type d, such as 0, the largest
// number and NaN.
func corners(d dtypes.DType) reflect.Value {
	t := d.GoType()
	out := reflect.MakeSlice(reflect.SliceOf(t), 0, 32)
	switch {
	case d == dtypes.Bool:
		return reflect.ValueOf([]bool{false, true})
	case d.IsInt():
		bits := d.Size() * 8
		for _, v := range []int64{0, 1, -1, 2, 3, 5, -2, -3, 7, 31, 32, 63, 64, 100, 1<<(bits-1) - 1, -1 << (bits - 1), -1<<(bits-1) + 1} {
			e := reflect.New(t).Elem()
			if e.CanInt() {
				e.SetInt(v << (64 - bits) >> (64 - bits))
			} else {
				e.SetUint(uint64(v) << (64 - bits) >> (64 - bits))
			}
			out = reflect.Append(out, e)
		}
	case d.IsComplex():
		parts := []float64{0, 1, -1, 0.5, -2.5, 3}
		for _, re := range parts {
			for _, im := range parts {
				out = reflect.Append(out, reflect.ValueOf(complex(re, im)).Convert(t))
			}
		}
	default:
		for _, v := range floatCorners {
			out = reflect.Append(out, makeFloat(d, v))
		}
	}
	return out
}

func makeFloat(d dtypes.DType, v float64) reflect.Value {
	switch d {
	case dtypes.Float16:
		return reflect.ValueOf(float16.FromFloat32(float32(v)))
	case dtypes.BFloat16:
		return reflect.ValueOf(bfloat16.FromFloat32(float32(v)))
	case dtypes.Float32:
		return reflect.ValueOf(float32(v))
	}
	return reflect.ValueOf(v)
}

// pairs returns two slices, such that the elements at the same index are, one after the other, all
// pairs of corner values of type d.
func pairs(d dtypes.DType) (x, y reflect.Value) {
	c := corners(d)
	x, y = reflect.MakeSlice(c.Type(), 0, c.Len()*c.Len()), reflect.MakeSlice(c.Type(), 0, c.Len()*c.Len())
	for i := range c.Len() {
		for k := range c.Len() {
			x, y = reflect.Append(x, c.Index(i)), reflect.Append(y, c.Index(k))
		}
	}
	return x, y
}

// scalars returns a value of any element type as numbers: the two parts of a complex one, 0 or 1
// for a bool, else the value.
func scalars(v reflect.Value) []float64 {
	switch x := v.Interface().(type) {
	case bool:
		if x {
			return []float64{1}
		}
		return []float64{0}
	case float16.Float16:
		return []float64{float64(x.Float32())}
	case bfloat16.BFloat16:
		return []float64{float64(x.Float32())}
	case complex64:
		return []float64{float64(real(x)), float64(imag(x))}
	case complex128:
		return []float64{real(x), imag(x)}
	}
	if v.CanInt() {
		return []float64{float64(v.Int())}
	}
	if v.CanUint() {
		return []float64{float64(v.Uint())}
	}
	return []float64{v.Float()}
}

// tolerances are relative to the larger of the two values, and absolute below the smallest normal
// number, because XLA flushes subnormal numbers to zero.
var tolerances = map[dtypes.DType]struct{ relative, absolute float64 }{
	dtypes.Float16: {2e-3, 6.2e-5}, dtypes.BFloat16: {1.6e-2, 1.2e-38}, dtypes.Float32: {2e-5, 1.2e-38}, dtypes.Float64: {1e-10, 3e-308},
	dtypes.Complex64: {2e-5, 2e-6}, dtypes.Complex128: {1e-10, 1e-12},
}

// agree reports whether elements a and b of type d, of the two engines, are equal within the
// tolerance of the type.
func agree(d dtypes.DType, a, b reflect.Value) bool {
	if d.IsInt() || d == dtypes.Bool {
		return a.Equal(b)
	}
	tol := tolerances[d]
	x, y := scalars(a), scalars(b)
	size := 0.0
	for i := range x {
		size = max(size, math.Abs(x[i]), math.Abs(y[i]))
	}
	for i := range x {
		if x[i] != y[i] && math.IsNaN(x[i]) != math.IsNaN(y[i]) {
			return false
		}
		if diff := math.Abs(x[i] - y[i]); x[i] != y[i] && !math.IsNaN(x[i]) && !(diff <= tol.relative*size || diff <= tol.absolute) || math.IsInf(x[i], 0) != math.IsInf(y[i], 0) {
			return false
		}
	}
	return true
}

// opCase is an op to compare between the engines, without its operands: its kind, attributes and
// result type.
type opCase struct {
	name  string
	kind  ir.OpKind
	attrs ir.Attrs
	out   dtypes.DType // the result type of convert and similar ops; InvalidDType: inferred
}

// elementwiseCases returns a case for every element-wise op of one or two operands, except map and
// convert. It has one for a comparison in every direction, in the usual and in the total order, and
// for reduce_precision with five numbers of bits.
func elementwiseCases() []opCase {
	var out []opCase
	ir.EachOpInfo(func(row *ir.OpInfo) {
		if !row.Is(ir.Elementwise) || row.Kind == ir.OpMap || row.Kind == ir.OpConvert || row.Operands.Min > 2 {
			return
		}
		switch row.Kind {
		case ir.OpCompare:
			for _, direction := range ir.EnumCases("comparison_direction") {
				out = append(out, opCase{name: direction, kind: row.Kind, attrs: ir.Attrs{{Name: "comparison_direction", Value: ir.Enum(direction)}}},
					opCase{name: direction + " total", kind: row.Kind, attrs: ir.Attrs{{Name: "comparison_direction", Value: ir.Enum(direction)}, {Name: "compare_type", Value: ir.Enum("TOTALORDER")}}})
			}
		case ir.OpReducePrecision:
			for _, bits := range [][2]int32{{5, 10}, {8, 7}, {4, 3}, {8, 23}, {2, 0}} {
				out = append(out, opCase{name: fmt.Sprint(bits), kind: row.Kind, attrs: ir.Attrs{{Name: "exponent_bits", Value: ir.Int32(bits[0])}, {Name: "mantissa_bits", Value: ir.Int32(bits[1])}}})
			}
		default:
			out = append(out, opCase{kind: row.Kind})
		}
	})
	return out
}

// module returns a module whose main takes n operands of size elements of type d. It has a result
// for each of cases that the op table allows for that type; made are these cases.
func module(d dtypes.DType, size, n int, cases []opCase) (*ir.Module, []opCase) {
	f := ir.NewFunc("main")
	t := ir.Tensor(d, size)
	var params []*ir.Value
	for i := range n {
		params = append(params, f.AddParam(fmt.Sprintf("x%d", i), t, nil))
	}
	b := ir.NewBuilder(f.Body)
	var results []*ir.Value
	var made []opCase
	for _, c := range cases {
		if c.out != dtypes.InvalidDType {
			results = append(results, b.OpWithTypes(c.kind, c.attrs, []ir.Type{t.WithDType(c.out)}, params...).Result())
			made = append(made, c)
			continue
		}
		op, err := b.Op(c.kind, c.attrs, params...)
		if err == nil && ir.DTypeText(op.Result().Type.DType) != "" {
			results, made = append(results, op.Result()), append(made, c)
		}
	}
	f.Return(results...)
	return &ir.Module{Name: "ops", Funcs: []*ir.Func{f}}, made
}

// differences runs cases, as one program of the given inputs, slices of size elements of type d, on
// the engines goes and pjrt, and reports each result that differs as an error of the test. It
// returns the number of cases that were compared. If PJRT refuses the program, it runs each case
// alone.
func differences(t *testing.T, goes, pjrt *runtime.Client, d dtypes.DType, inputs []any, size int, cases []opCase) (compared int) {
	m, made := module(d, size, len(inputs), cases)
	if len(made) == 0 {
		return 0
	}
	want, err := execute(pjrt, m, inputs)
	if err != nil {
		if len(made) > 1 {
			for _, c := range made {
				compared += differences(t, goes, pjrt, d, inputs, size, []opCase{c})
			}
			return compared
		}
		t.Errorf("%s %s on %s: PJRT does not run it: %v", made[0].kind, made[0].name, ir.DTypeText(d), err)
		return 0
	}
	got, err := execute(goes, m, inputs)
	require.NoError(t, err, "%s", ir.DTypeText(d))
	for i, c := range made {
		w, g := reflect.ValueOf(want[i]), reflect.ValueOf(got[i])
		out, faults := dtypes.FromGoType(w.Type().Elem()), 0
		for k := range w.Len() {
			if agree(out, w.Index(k), g.Index(k)) || isExcused(c, d, inputs, k) {
				continue
			}
			if faults++; faults <= 3 || *verbose {
				var operands []any
				for _, in := range inputs {
					operands = append(operands, reflect.ValueOf(in).Index(k).Interface())
				}
				t.Errorf("%s %s of %s %v: got %v, PJRT %v", c.kind, c.name, ir.DTypeText(d), operands, g.Index(k), w.Index(k))
			}
		}
		compared++
	}
	return compared
}

// isExcused reports whether the engines may differ on element k of the result of c, on inputs of
// type d, because XLA is known to compute something else there.
func isExcused(c opCase, d dtypes.DType, inputs []any, k int) bool {
	operand := func(i int) []float64 { return scalars(reflect.ValueOf(inputs[i]).Index(k)) }
	switch c.kind {
	case ir.OpPower:
		if d.IsComplex() { // XLA returns NaN for powers of zero
			return operand(0)[0] == 0 && operand(0)[1] == 0
		}
		// XLA reads only 6 bits of the exponent, and takes the highest bit of an unsigned one for
		// its sign.
		return d.IsInt() && (operand(1)[0] >= 64 || d.IsUnsigned() && operand(1)[0] >= math.Ldexp(1, 8*d.Size()-1))
	case ir.OpAtan, ir.OpAtan2:
		return d.IsComplex() // the side of a branch cut depends on the last bit
	case ir.OpRemainder:
		return d.IsComplex() // the remainder depends on the last bit of a quotient that is nearly whole
	case ir.OpLgamma:
		return operand(0)[0] == 1 // XLA's result is off by an epsilon
	case ir.OpZeta, ir.OpPolygamma:
		// XLA computes in f32, which overflows.
		return d != dtypes.Float64 || operand(0)[0] >= 300
	case ir.OpConvert:
		// XLA only reads the real part.
		return c.out == dtypes.Bool && d.IsComplex() && operand(0)[0] == 0
	}
	return false
}

// slowOnXLA are the ops that XLA takes seconds to compile, which short tests skip.
var slowOnXLA = []ir.OpKind{ir.OpZeta, ir.OpPolygamma, ir.OpDigamma, ir.OpLgamma, ir.OpErfInv, ir.OpBesselI1e,
	ir.OpAcos, ir.OpAcosh, ir.OpAsin, ir.OpAsinh, ir.OpAtan, ir.OpAtanh}

// comparedTypes returns the types of operands to compare: all types in the long form of the test,
// else Bool, Int32, Uint8 and Float32.
func comparedTypes() []dtypes.DType {
	return longtest.Pick([]dtypes.DType{dtypes.Bool, dtypes.Int32, dtypes.Uint8, dtypes.Float32}, allTypes())
}

func TestElementwiseAgainstPJRT(t *testing.T) {
	goes, pjrt := engines(t)
	compared := 0
	for _, d := range comparedTypes() {
		var unary, binary []opCase
		for _, c := range elementwiseCases() {
			switch {
			case slices.Contains(slowOnXLA, c.kind) && (!longtest.Enabled() || d != dtypes.Float32 && d != dtypes.Float64 && d != dtypes.Complex64):
			case c.kind.Info().Operands.Min == 1:
				unary = append(unary, c)
			default:
				binary = append(binary, c)
			}
		}
		x := corners(d)
		compared += differences(t, goes, pjrt, d, []any{x.Interface()}, x.Len(), unary)
		a, b := pairs(d)
		compared += differences(t, goes, pjrt, d, []any{a.Interface(), b.Interface()}, a.Len(), binary)
	}
	t.Logf("%d ops compared", compared)
	require.Greater(t, compared, 100)
}

func TestConvertAgainstPJRT(t *testing.T) {
	goes, pjrt := engines(t)
	for _, d := range comparedTypes() {
		var cases []opCase
		for _, to := range allTypes() {
			cases = append(cases, opCase{name: "to " + ir.DTypeText(to), kind: ir.OpConvert, out: to})
		}
		x := corners(d)
		differences(t, goes, pjrt, d, []any{x.Interface()}, x.Len(), cases)
	}
}

var (
	programs = flag.Int("programs", 0, "number of random programs; 0: those of a normal test")
	first    = flag.Uint64("first", 1, "seed of the first program")
)

// unlike lists ops whose results may differ between the engines.
var unlike = []ir.OpKind{
	ir.OpRng,                  // the specification leaves the numbers open
	ir.OpZeta, ir.OpPolygamma, // slow to compile on XLA, and not exact
	// The specification leaves open which of several equal elements is selected: XLA's choice
	// depends on its memory layout.
	ir.OpSelectAndScatter,
}

// complexUnlike lists ops whose complex results may differ between the engines. XLA reads only the
// real part, or treats infinite parts differently, or the sign of a zero, which selects the side of
// a branch cut.
var complexUnlike = []ir.OpKind{
	ir.OpCompare, ir.OpClamp, ir.OpSign, ir.OpPower, ir.OpAbs, ir.OpLog, ir.OpLog1p, ir.OpAtan2, ir.OpCbrt, ir.OpSqrt, ir.OpRsqrt, ir.OpSine, ir.OpCosine, ir.OpFFT,
}

// isWrongOnXLA reports whether m holds what the plugin ends the process over,
// computes wrong, or rounds where package randprog takes it to be exact.
func isWrongOnXLA(m *ir.Module) (yes bool) {
	m.Main().Walk(func(op *ir.Op) {
		if op.Kind == ir.OpConvolution {
			for _, row := range op.Matrix("padding") {
				yes = yes || row[0] < 0 || row[1] < 0 // XLA reads beyond the operand
			}
		}
		for _, v := range op.Operands {
			yes = yes || v.Type.DType.IsComplex() && slices.Contains(complexUnlike, op.Kind) ||
				v.Type.DType.IsInt() && op.Kind == ir.OpPower || // XLA reads 6 bits of the exponent
				v.Type.DType.IsFloat() && op.Kind == ir.OpSort // the specification leaves the place of NaN open
		}
	})
	return yes
}

// TestRandomProgramsAgainstPJRT requires that random programs without shardings, 16 or in the long
// form 150, compute the same on the Go engine as on PJRT, within the tolerances. It leaves out ops
// and programs in which XLA is known to differ. PJRT may refuse less than a quarter of the
// programs.
func TestRandomProgramsAgainstPJRT(t *testing.T) {
	goes, pjrt := engines(t)
	kinds := slices.DeleteFunc(randprog.Kinds(), func(k ir.OpKind) bool { return slices.Contains(unlike, k) || slices.Contains(slowOnXLA, k) })
	count := *programs
	if count == 0 {
		count = longtest.Pick(16, 150)
	}
	done, refused, failed := 0, 0, 0
	for seed := *first; done < count && failed < 10; seed++ {
		p := randprog.New(seed, randprog.Options{Kinds: kinds})
		m := p.Single()
		inputs := p.Inputs()
		if isWrongOnXLA(m) {
			continue
		}
		done++
		want, err := execute(pjrt, m, inputs)
		if err != nil {
			refused++
			continue
		}
		got, err := execute(goes, m, inputs)
		if err == nil {
			err = p.Compare(want, got)
		}
		if err != nil {
			failed++
			t.Errorf("seed %d: %v\n%s", seed, err, m)
		}
	}
	t.Logf("%d programs, %d of them not for XLA", done, refused)
	require.Less(t, refused, done/4)
}
