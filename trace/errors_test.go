package trace_test

// This file checks that every error names its subject (the operation or another thing), the layer
// path and the source line, and says what was got and what is wanted.

import (
	"errors"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/trace"
)

// errorCase is a wrong use of one of compute's operations. Its inputs are a: f32[2,3], b: f32[3,2],
// i: i32[2] and s: an f32 scalar.
type errorCase struct {
	op   string
	call func(f compute.Function, a, b, i, s compute.Value) error
	want []string // texts that the error must contain
}

var errorCases = []errorCase{
	{"DynamicReshape", func(f compute.Function, a, _, _, _ compute.Value) error { return second(f.DynamicReshape(a)) },
		[]string{"dynamic shapes are not supported"}},
	{"DynamicShape", func(f compute.Function, a, _, _, _ compute.Value) error { return second(f.DynamicShape(a)) },
		[]string{"dynamic shapes are not supported"}},
	{"DynamicDimensionSize", func(f compute.Function, a, _, _, _ compute.Value) error { return second(f.DynamicDimensionSize(a, 0)) },
		[]string{"dynamic shapes are not supported"}},
	{"AllReduce", func(f compute.Function, a, _, _, _ compute.Value) error {
		_, err := f.AllReduce([]compute.Value{a}, compute.ReduceOpSum, nil)
		return err
	}, []string{"write the program for one device"}},
	{"Add", func(f compute.Function, a, b, _, _ compute.Value) error { return second(f.Add(a, b)) },
		[]string{"cannot broadcast", "2x3xf32", "3x2xf32", "dimension 0 is both 2 and 3"}},
	{"Add", func(f compute.Function, a, _, i, _ compute.Value) error { return second(f.Add(a, i)) },
		[]string{"element types differ", "convert one"}},
	{"Mul", func(f compute.Function, a, _, _, _ compute.Value) error {
		x, err := f.Reshape(a, 6)
		if err != nil {
			return err
		}
		return second(f.Mul(a, x))
	}, []string{"ranks must be equal"}},
	{"Add", func(f compute.Function, a, _, _, _ compute.Value) error { return second(f.Add(a, 3.5)) },
		[]string{"got a float64, want a value of this recording"}},
	{"BitwiseAnd", func(f compute.Function, a, b, _, _ compute.Value) error { return second(f.BitwiseAnd(a, b)) },
		[]string{"2x3xf32", "want integers"}},
	{"LogicalNot", func(f compute.Function, a, _, _, _ compute.Value) error { return second(f.LogicalNot(a)) }, []string{"want booleans"}},
	{"Exp", func(f compute.Function, _, _, i, _ compute.Value) error { return second(f.Exp(i)) }, []string{"2xi32", "want floats or complex numbers"}},
	{"Where", func(f compute.Function, a, b, _, _ compute.Value) error { return second(f.Where(a, a, b)) }, []string{"want booleans"}},
	{"Reshape", func(f compute.Function, a, _, _, _ compute.Value) error { return second(f.Reshape(a, 4)) },
		[]string{"cannot reshape", "6 elements do not make 4"}},
	{"BroadcastInDim", func(f compute.Function, a, _, _, _ compute.Value) error {
		return second(f.BroadcastInDim(a, shapes.Make(dtypes.Float32, 4, 3), []int{0, 1}))
	}, []string{"cannot broadcast", "axis 0 of size 2 goes to axis 0 of size 4"}},
	{"Transpose", func(f compute.Function, a, _, _, _ compute.Value) error { return second(f.Transpose(a, 0, 0)) }, []string{"permutation"}},
	{"Slice", func(f compute.Function, a, _, _, _ compute.Value) error {
		return second(f.Slice(a, []int{0}, []int{1}, nil))
	},
		[]string{"got 1 starts", "want 2 of each"}},
	{"Pad", func(f compute.Function, a, _, _, s compute.Value) error {
		return second(f.Pad(a, s, make([]compute.PadAxis, 3)...))
	},
		[]string{"paddings for 3 axes"}},
	{"Bitcast", func(f compute.Function, a, _, _, _ compute.Value) error { return second(f.Bitcast(a, dtypes.Float64)) },
		[]string{"last axis must have size 2"}},
	{"ReduceSum", func(f compute.Function, a, _, _, _ compute.Value) error { return second(f.ReduceSum(a, 2)) },
		[]string{"axis 2 is out of range for rank 2"}},
	{"ArgMinMax", func(f compute.Function, a, _, _, _ compute.Value) error {
		return second(f.ArgMinMax(a, 0, dtypes.Float32, true))
	},
		[]string{"want an integer type"}},
	{"DotGeneral", func(f compute.Function, a, _, _, _ compute.Value) error {
		return second(f.DotGeneral(a, []int{1}, nil, a, []int{0}, nil, compute.DotGeneralConfig{}))
	}, []string{"lhs contracting dim 1 has size 3, rhs contracting dim 0 has size 2", "(operands [tensor<2x3xf32> tensor<2x3xf32>])"}},
	{"DynamicSlice", func(f compute.Function, a, _, i, s compute.Value) error {
		return second(f.DynamicSlice(a, []compute.Value{s}, []int{1, 1}))
	},
		[]string{"got 1 start indices", "want 2"}},
	{"Constant", func(f compute.Function, _, _, _, _ compute.Value) error {
		return second(f.Constant([]float32{1, 2}, 3))
	},
		[]string{"got 2 elements for type tensor<3xf32>, want 3"}},
	{"Constant", func(f compute.Function, _, _, _, _ compute.Value) error { return second(f.Constant(1)) }, []string{"want a flat slice"}},
	{"Parameter", func(f compute.Function, _, _, _, _ compute.Value) error {
		return second(f.Parameter("d", shapes.MakeDynamic(dtypes.Float32, []int{-1}, []string{"batch"}), nil))
	}, []string{"dynamic axis", "record once for each size"}},
	{"If", func(f compute.Function, _, _, _, s compute.Value) error {
		branch, err := closure(f, nil, func(c compute.Function, _ values) (values, error) { return values{s}, nil })
		if err != nil {
			return err
		}
		_, err = f.If(s, branch, branch)
		return err
	}, []string{"stablehlo.if", "tensor<i1>"}},
	{"While", func(f compute.Function, a, _, _, s compute.Value) error {
		body, err := closure(f, []shapes.Shape{shapes.Make(dtypes.Float32)}, func(c compute.Function, args values) (values, error) { return args, nil })
		if err != nil {
			return err
		}
		_, err = f.While(body, body, a)
		return err
	}, []string{"the condition takes [tensor<f32>], but is given [tensor<2x3xf32>]"}},
	{"Call", func(f compute.Function, a, _, _, _ compute.Value) error {
		c, err := f.Closure()
		if err != nil {
			return err
		}
		_, err = f.Call(c, a)
		return err
	}, []string{"a closure cannot be called"}},
	{"Return", func(f compute.Function, a, _, _, _ compute.Value) error {
		named, err := f.Builder().NewFunction("helper")
		if err != nil {
			return err
		}
		return define(named, nil, func(c compute.Function, _ values) (values, error) { return one(c.Neg(a)) })
	}, []string{`function "helper" uses a value from outside`, "pass it as a parameter"}},
	{"BufferFromFlatData", func(f compute.Function, _, _, _, _ compute.Value) error {
		_, err := f.Builder().Compile()
		return err
	}, []string{"executes nothing"}},
}

func second(_ compute.Value, err error) error { return err }

func TestOperationErrors(t *testing.T) {
	for _, c := range errorCases {
		t.Run(c.op, func(t *testing.T) {
			_, err := trace.RecordBackend(func(f compute.Function) (values, error) {
				var in values
				for i, s := range []shapes.Shape{
					shapes.Make(dtypes.Float32, 2, 3), shapes.Make(dtypes.Float32, 3, 2),
					shapes.Make(dtypes.Int32, 2), shapes.Make(dtypes.Float32),
				} {
					p, err := f.Parameter(string(rune('a'+i)), s, nil)
					if err != nil {
						return nil, err
					}
					in = append(in, p)
				}
				return nil, c.call(f, in[0], in[1], in[2], in[3])
			})
			var located *trace.Error
			require.ErrorAs(t, err, &located)
			require.Regexp(t, `^trace: at (errors|ops)_test.go:\d+: `, err.Error())
			if c.op != "BufferFromFlatData" {
				require.Equal(t, c.op, located.Op)
			}
			for _, w := range c.want {
				require.ErrorContains(t, err, w)
			}
		})
	}
}

func TestRecordErrors(t *testing.T) {
	dm, err := mesh.New([]int{2}, []string{"data"}, nil)
	require.NoError(t, err)
	other, err := mesh.New([]int{3}, []string{"data"}, nil)
	require.NoError(t, err)
	f32 := ir.Tensor(dtypes.Float32, 4)
	type outputs = []trace.Output
	one := func(n node) (outputs, error) { return outputs{{Name: "y", Node: n}}, nil }
	for _, c := range []struct {
		name  string
		mesh  *mesh.DeviceMesh
		build func(r *trace.Recorder) (outputs, error)
		want  []string
	}{
		{"no outputs", dm, func(*trace.Recorder) (outputs, error) { return nil, nil }, []string{"build returned no outputs"}},
		{"error of build", dm, func(*trace.Recorder) (outputs, error) { return nil, errors.New("mine") }, []string{"mine"}},
		{"nil node", dm, func(*trace.Recorder) (outputs, error) { return one(nil) }, []string{`output "y": the node is nil`}},
		{"no name", dm, func(r *trace.Recorder) (outputs, error) {
			return outputs{{Node: r.Param("x", f32, nil)}}, nil
		}, []string{"output 0 has no name"}},
		{"name twice", dm, func(r *trace.Recorder) (outputs, error) {
			x := r.Param("x", f32, nil)
			return outputs{{Name: "y", Node: x}, {Name: "y", Node: x}}, nil
		}, []string{`output "y": the name is used twice`}},
		{"unknown donor", dm, func(r *trace.Recorder) (outputs, error) {
			return outputs{{Name: "y", Node: r.Param("x", f32, nil), Donor: "z"}}, nil
		}, []string{`donor "z" is no parameter`, `["x"]`}},
		{"donor of another type", dm, func(r *trace.Recorder) (outputs, error) {
			return outputs{{Name: "y", Node: graph.ReduceAllSum(r.Param("x", f32, nil)), Donor: "x"}}, nil
		}, []string{"has type tensor<f32>", `donor "x" has tensor<4xf32>`}},
		{"donor twice", dm, func(r *trace.Recorder) (outputs, error) {
			x := r.Param("x", f32, nil)
			return outputs{{Name: "y", Node: x, Donor: "x"}, {Name: "z", Node: graph.Neg(x), Donor: "x"}}, nil
		}, []string{`output "z": donor "x" gives its buffer to output "y" already`}},
		{"node of another graph", dm, func(r *trace.Recorder) (outputs, error) {
			var foreign node
			_, err := trace.Record("elsewhere", nil, func(r *trace.Recorder) (outputs, error) {
				foreign = r.Param("x", f32, nil)
				return one(foreign)
			})
			require.NoError(t, err)
			return one(foreign)
		}, []string{"belongs to another graph", "elsewhere"}},
		{"parameter twice", dm, func(r *trace.Recorder) (outputs, error) {
			r.Param("x", f32, nil)
			return one(r.Param("x", f32, nil))
		}, []string{`parameter "x": the name is used twice`, "errors_test.go:"}},
		{"parameter without name", dm, func(r *trace.Recorder) (outputs, error) { return one(r.Param("", f32, nil)) },
			[]string{"needs a name"}},
		{"parameter of open size", dm, func(r *trace.Recorder) (outputs, error) { return one(r.Param("x", ir.Tensor(dtypes.Float32, -1), nil)) },
			[]string{`parameter "x"`, "size -1"}},
		{"parameter in a closure", dm, func(r *trace.Recorder) (outputs, error) {
			graph.NewClosure(r.Graph(), func(*graph.Graph) []node { return []node{r.Param("x", f32, nil)} })
			return nil, nil
		}, []string{`parameter "x": a Param inside a closure`}},
		{"token parameter", dm, func(r *trace.Recorder) (outputs, error) { return one(r.Param("x", ir.Token, nil)) }, []string{"want a tensor"}},
		{"rank of a constraint", dm, func(r *trace.Recorder) (outputs, error) {
			return one(r.Constrain(r.Param("x", f32, nil), layout.Replicated(dm, 2)))
		}, []string{"Constrain: is annotated with", "has 2 dimensions, but its type tensor<4xf32> has 1"}},
		{"mesh of a constraint", dm, func(r *trace.Recorder) (outputs, error) {
			return one(r.Constrain(r.Param("x", f32, nil), layout.Replicated(other, 1)))
		}, []string{"use one mesh for all"}},
		{"sharding without a mesh", nil, func(r *trace.Recorder) (outputs, error) {
			return one(r.Param("x", f32, layout.Replicated(dm, 1)))
		}, []string{`parameter "x": is annotated with`, "the recording has no mesh"}},
		{"output's sharding", dm, func(r *trace.Recorder) (outputs, error) {
			return outputs{{Name: "y", Node: r.Param("x", f32, nil), Sharding: layout.Replicated(dm, 0)}}, nil
		}, []string{`output "y": is annotated with`}},
		{"GoMLX's own error", dm, func(r *trace.Recorder) (out outputs, err error) {
			r.Scope("model", func() {
				r.Scope("d1", func() { graph.ReduceSum(r.Param("x", f32, nil), 5) })
			})
			return nil, nil
		}, []string{"trace: in layer model/d1 (errors_test.go:", "graph.ReduceSum: "}},
		{"an operation's error", dm, func(r *trace.Recorder) (out outputs, err error) {
			r.Scope("d1", func() { graph.Add(r.Param("x", f32, nil), r.Param("y", ir.Tensor(dtypes.Float32, 3), nil)) })
			return nil, nil
		}, []string{"trace: in layer d1 (errors_test.go:", "Add: cannot broadcast"}},
		{"an unknown gradient", dm, func(r *trace.Recorder) (out outputs, err error) {
			x := r.Param("x", ir.Tensor(dtypes.Float32, 1, 4, 1), nil)
			pool := func(x node) node { return graph.MaxPool(x).Window(2).Done() }
			first := r.Gradient(graph.ReduceAllSum(pool(x)), x)[0]
			r.Gradient(graph.ReduceAllSum(graph.Square(first)), x)
			return nil, nil
		}, []string{"trace: ", "errors_test.go:", "SelectAndScatterMax: the operation has no gradient"}},
		{"a gradient of what is no scalar", dm, func(r *trace.Recorder) (out outputs, err error) {
			r.Scope("loss", func() {
				x := r.Param("x", f32, nil)
				r.Gradient(graph.Exp(x), x)
			})
			return nil, nil
		}, []string{"trace: in layer grad(loss) (errors_test.go:", "Gradient: only gradients of a non-complex scalar"}},
		{"a fault of the layer", dm, func(r *trace.Recorder) (out outputs, err error) {
			r.Scope("d1", func() {
				var missing *trace.Recorder
				missing.Graph()
			})
			return nil, nil
		}, []string{"in layer d1", "nil pointer", "goroutine"}},
		{"a bug", dm, func(*trace.Recorder) (outputs, error) { panic("BUG: impossible") }, []string{"BUG: impossible", "goroutine"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := trace.Record("test", c.mesh, c.build)
			require.Nil(t, m)
			require.Error(t, err)
			for _, w := range c.want {
				require.ErrorContains(t, err, w)
			}
			if !strings.Contains(err.Error(), "BUG") && !strings.Contains(err.Error(), "nil pointer") {
				require.NotContains(t, err.Error(), "goroutine", "no stack in user errors")
			}
		})
	}
}

// TestNoExecution checks that there is an error if data would need a device, and none for
// constants.
func TestNoExecution(t *testing.T) {
	_, err := trace.Record("test", nil, func(r *trace.Recorder) ([]trace.Output, error) {
		b := r.Graph().Backend()
		_, err := b.BufferFromFlatData(0, []float32{1}, shapes.Make(dtypes.Float32, 1))
		require.ErrorContains(t, err, "executes nothing")
		_, _, err = b.NewSharedBuffer(0, shapes.Make(dtypes.Float32, 1))
		require.ErrorContains(t, err, "executes nothing")
		require.False(t, b.HasSharedBuffers())
		big := make([]float32, 1<<16)
		big[1] = 1
		c := graph.ConstTensor(r.Graph(), tensors.FromFlatDataAndDimensions(big, 256, 256))
		return []trace.Output{{Name: "y", Node: graph.Add(c, graph.Const(r.Graph(), float32(2)))}}, nil
	})
	require.NoError(t, err)
}

// Sizes that are too large to compute with are errors; they must not overflow.
func TestSizesTooLarge(t *testing.T) {
	for name, build := range map[string]func(r *trace.Recorder) *graph.Node{
		"parameter": func(r *trace.Recorder) *graph.Node {
			return r.Param("x", ir.Tensor(dtypes.Float32, 1<<32, 1<<32), nil)
		},
		"broadcast": func(r *trace.Recorder) *graph.Node {
			return graph.BroadcastToDims(r.Param("x", ir.Tensor(dtypes.Float32), nil), 1<<31, 1<<31)
		},
		"product": func(r *trace.Recorder) *graph.Node {
			x := r.Param("x", ir.Tensor(dtypes.Float32, 1<<40, 1), nil)
			return graph.DotGeneral(x, []int{1}, nil, x, []int{1}, nil)
		},
		"concatenation": func(r *trace.Recorder) *graph.Node {
			x := r.Param("x", ir.Tensor(dtypes.Float32, 1<<55), nil)
			return graph.Concatenate([]*graph.Node{x, x, x}, 0)
		},
	} {
		_, err := trace.Record("large", nil, func(r *trace.Recorder) ([]trace.Output, error) {
			return []trace.Output{{Name: "y", Node: build(r)}}, nil
		})
		require.ErrorContains(t, err, "is too large", name)
		require.NotContains(t, err.Error(), "BUG", name)
	}
}
