package trace_test

// This file compares every operation of compute.StandardOps, recorded and run
// by XLA, with GoMLX's Go backend, or with values computed here where that
// backend lacks the operation.

import (
	"reflect"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/trace"
)

type values = []compute.Value

// opCase is one use of an operation.
type opCase struct {
	op    string // the method of compute.Function
	name  string // what is special about this case
	in    []tensor
	build func(f compute.Function, in values) (values, error)
	want  []tensor // nil: what GoMLX's Go backend computes
	tol   float64  // 0: 1e-6
}

func (c opCase) String() string { return c.op + "/" + c.name }

// record records the case with its inputs as parameters.
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

// runGo runs the case on GoMLX's Go backend.
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

// TestEveryOperationHasCases fails when compute gains an operation that is not
// tested here.
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

// TestOperations runs each case and compares.
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

// TestOperationsAreValid verifies the recorded module of each case, and that
// recording is deterministic. It runs nothing.
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

// The builders of the commonest kinds of cases.

func unary(op func(compute.Function, compute.Value) (compute.Value, error)) func(compute.Function, values) (values, error) {
	return func(f compute.Function, in values) (values, error) { return one(op(f, in[0])) }
}

func binary(op func(compute.Function, compute.Value, compute.Value) (compute.Value, error)) func(compute.Function, values) (values, error) {
	return func(f compute.Function, in values) (values, error) { return one(op(f, in[0], in[1])) }
}

func reduce(op func(compute.Function, compute.Value, ...int) (compute.Value, error), axes ...int) func(compute.Function, values) (values, error) {
	return func(f compute.Function, in values) (values, error) { return one(op(f, in[0], axes...)) }
}

func one(v compute.Value, err error) (values, error) { return values{v}, err }

// closure builds a closure whose parameters have the given shapes.
func closure(f compute.Function, params []shapes.Shape, body func(c compute.Function, args values) (values, error)) (compute.Function, error) {
	c, err := f.Closure()
	if err != nil {
		return nil, err
	}
	return c, define(c, params, body)
}

// define gives a function its parameters and body.
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
