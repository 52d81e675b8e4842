package trace_test

// This file compares the gradients that package trace adds with numerical differentiation, and
// checks the errors for operations without a gradient.

import (
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors/images"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/trace"
)

// gradientCases are functions of the inputs in. The loss is the sum of the squares of their
// results, so that the gradient of a result is not constant.
var gradientCases = []struct {
	name string
	in   []tensor
	fn   func(g *graph.Graph, x []node) node
	zero bool // the gradient is zero
}{
	{name: "Identity", in: []tensor{smoothValues(3)}, fn: func(_ *graph.Graph, x []node) node { return graph.Identity(x[0]) }},
	{name: "Rsqrt", in: []tensor{smoothValues(5)}, fn: func(_ *graph.Graph, x []node) node { return graph.Rsqrt(x[0]) }},
	{name: "Expm1", in: []tensor{smoothValues(5)}, fn: func(_ *graph.Graph, x []node) node { return graph.Expm1(x[0]) }},
	{name: "Rem", in: []tensor{vec(7.3, -7.3, 7.3, -7.3), vec(2.1, 2.1, -2.1, -2.1)}, fn: func(_ *graph.Graph, x []node) node { return graph.Rem(x[0], x[1]) }},
	{name: "Rem broadcast", in: []tensor{smoothValues(2, 3), scalar(0.7)}, fn: func(_ *graph.Graph, x []node) node { return graph.Rem(x[0], x[1]) }},
	{name: "Atan2", in: []tensor{vec(1.5, -2.0, 0.3), vec(-1.0, 0.5, 2.0)}, fn: func(_ *graph.Graph, x []node) node { return graph.Atan2(x[0], x[1]) }},
	{name: "Atan2 broadcast", in: []tensor{smoothValues(2, 1), smoothValues(1, 3)}, fn: func(_ *graph.Graph, x []node) node { return graph.Atan2(x[0], x[1]) }},
	{name: "Clamp scalar bounds", in: []tensor{scalar(-0.5), vec(-1.0, 0.2, 3.0, 0.9), scalar(1.0)},
		fn: func(_ *graph.Graph, x []node) node { return graph.Clamp(x[0], x[1], x[2]) }},
	{name: "Clamp", in: []tensor{vec(-0.5, 0.5), vec(-1.0, 2.0), vec(1.0, 1.5)},
		fn: func(_ *graph.Graph, x []node) node { return graph.Clamp(x[0], x[1], x[2]) }},
	{name: "Pad", in: []tensor{smoothValues(2, 3), scalar(0.4)}, fn: func(_ *graph.Graph, x []node) node {
		return weigh(graph.Pad(x[0], x[1], graph.PadAxis{Start: 1, End: 2}, graph.PadAxis{End: 1, Interior: 2}))
	}},
	{name: "Pad cropping", in: []tensor{smoothValues(4, 3), scalar(0.4)}, fn: func(_ *graph.Graph, x []node) node {
		return weigh(graph.Pad(x[0], x[1], graph.PadAxis{Start: -1, End: 2}, graph.PadAxis{Start: -2, End: -1, Interior: 1}))
	}},
	{name: "Pad one axis of two", in: []tensor{smoothValues(2, 3), scalar(0.4)}, fn: func(_ *graph.Graph, x []node) node {
		return weigh(graph.Pad(x[0], x[1], graph.PadAxis{Start: 1}))
	}},
	{name: "Reverse", in: []tensor{smoothValues(2, 3)}, fn: func(_ *graph.Graph, x []node) node { return weigh(graph.Reverse(x[0], 1)) }},
	{name: "ReduceProduct one axis", in: []tensor{smoothValues(2, 5, 3)}, fn: func(_ *graph.Graph, x []node) node { return graph.ReduceMultiply(x[0], 1) }},
	{name: "ReduceProduct two axes", in: []tensor{smoothValues(2, 3, 2)}, fn: func(_ *graph.Graph, x []node) node { return graph.ReduceMultiply(x[0], 0, 2) }},
	{name: "ReduceProduct all", in: []tensor{smoothValues(7)}, fn: func(_ *graph.Graph, x []node) node { return graph.ReduceMultiply(x[0]) }},
	{name: "ReduceProduct with zeros", in: []tensor{mat([]int{3, 3}, 0.0, 2, 3, 0, 0, 4, 5, 1.5, 2)},
		fn: func(_ *graph.Graph, x []node) node { return graph.AddScalar(graph.ReduceMultiply(x[0], 1), 1) }},
	{name: "gradient of the gradient of ReduceProduct", in: []tensor{vec(0.0, 2.0, 3.0)}, fn: func(_ *graph.Graph, x []node) node {
		return weigh(graph.Gradient(graph.ReduceMultiply(x[0]), x[0])[0])
	}},
	{name: "gradient of the gradient of Rsqrt", in: []tensor{smoothValues(3)}, fn: func(_ *graph.Graph, x []node) node {
		return graph.Gradient(graph.ReduceAllSum(graph.Rsqrt(x[0])), x[0])[0]
	}},
	{name: "BatchNormForInference", in: []tensor{smoothValues(2, 3, 2), vec(1.5, -0.5, 2.0), vec(0.1, 0.2, 0.3), vec(0.4, 0.5, 0.6), vec(1.0, 2.0, 0.5)},
		fn: func(_ *graph.Graph, x []node) node {
			return graph.InternalBatchNormForInference(x[0], x[1], x[2], x[3], x[4], 0.01, 1)
		}},
	{name: "Conv", in: []tensor{smoothValues(2, 5, 6, 2), smoothValues(3, 2, 2, 3)}, fn: func(_ *graph.Graph, x []node) node {
		return weigh(graph.Convolve(x[0], x[1]).PaddingPerDim([][2]int{{1, 1}, {0, 1}}).Done())
	}},
	{name: "Conv with strides", in: []tensor{smoothValues(1, 7, 8, 1), smoothValues(3, 2, 1, 2)}, fn: func(_ *graph.Graph, x []node) node {
		return weigh(graph.Convolve(x[0], x[1]).StridePerAxis(2, 3).Done())
	}},
	{name: "Conv with dilation", in: []tensor{smoothValues(1, 7, 6, 1), smoothValues(3, 2, 1, 2)}, fn: func(_ *graph.Graph, x []node) node {
		return weigh(graph.Convolve(x[0], x[1]).DilationPerAxis(2, 3).PaddingPerDim([][2]int{{2, 1}, {0, 3}}).Done())
	}},
	{name: "Conv in groups", in: []tensor{smoothValues(2, 4, 4, 4), smoothValues(2, 2, 2, 6)}, fn: func(_ *graph.Graph, x []node) node {
		return weigh(graph.Convolve(x[0], x[1]).ChannelGroupCount(2).Strides(2).Done())
	}},
	{name: "Conv in groups, channels first", in: []tensor{smoothValues(1, 4, 4, 3), smoothValues(6, 2, 2, 2)}, fn: func(_ *graph.Graph, x []node) node {
		return weigh(graph.Convolve(x[0], x[1]).ChannelsAxis(images.ChannelsFirst).ChannelGroupCount(2).Done())
	}},
	{name: "Conv with holes in the input", in: []tensor{smoothValues(1, 4, 1), smoothValues(2, 1, 1)}, fn: func(_ *graph.Graph, x []node) node {
		return weigh(graph.Convolve(x[0], x[1]).InputDilationPerAxis(2).Done())
	}},
	{name: "gradient of the gradient of Conv", in: []tensor{smoothValues(1, 4, 4, 1), smoothValues(2, 2, 1, 2)}, fn: func(_ *graph.Graph, x []node) node {
		y := weigh(graph.Convolve(x[0], x[1]).Strides(2).Done())
		return graph.Gradient(graph.ReduceAllSum(graph.Square(y)), x[0])[0]
	}},
	{name: "Floor", zero: true, in: []tensor{smoothValues(3)}, fn: func(_ *graph.Graph, x []node) node { return graph.Floor(x[0]) }},
	{name: "Ceil", zero: true, in: []tensor{smoothValues(3)}, fn: func(_ *graph.Graph, x []node) node { return graph.Ceil(x[0]) }},
	{name: "Round", zero: true, in: []tensor{smoothValues(3)}, fn: func(_ *graph.Graph, x []node) node { return graph.Round(x[0]) }},
	{name: "Sign", zero: true, in: []tensor{smoothValues(3)}, fn: func(_ *graph.Graph, x []node) node { return graph.Sign(x[0]) }},
	{name: "comparison", zero: true, in: []tensor{smoothValues(3)}, fn: func(_ *graph.Graph, x []node) node {
		return graph.ConvertDType(graph.GreaterThan(x[0], graph.Scalar(x[0].Graph(), dtypes.Float64, 1)), dtypes.Float64)
	}},
	{name: "ArgMax", zero: true, in: []tensor{smoothValues(2, 3)}, fn: func(_ *graph.Graph, x []node) node {
		return graph.ConvertDType(graph.ArgMax(x[0], 1), dtypes.Float64)
	}},
}

// smoothValues returns a tensor of f64 with values between 0.5 and 2 that are not close to
// integers, where functions such as floor jump.
func smoothValues(dims ...int) tensor {
	x := count(1.0, 0, dims...)
	n := float64(len(x.flat.([]float64)))
	return mapElements(x, func(v float64) float64 { return 0.53 + 1.4*v/n })
}

// weigh returns x with each element multiplied by a different number, so that a gradient of its sum
// differs between elements.
func weigh(x node) node {
	return graph.Mul(x, graph.AddScalar(graph.IotaFull(x.Graph(), x.Shape()), 1))
}

func TestSuppliedGradients(t *testing.T) {
	for i, c := range gradientCases {
		t.Run(c.name, func(t *testing.T) {
			client := runtimetest.OpenSample(t, 1, i%8 == 0)
			record := func(gradients bool) *ir.Module {
				m, err := trace.Record("gradient", nil, func(r *trace.Recorder) ([]trace.Output, error) {
					in := make([]node, len(c.in))
					for i, x := range c.in {
						in[i] = r.Param(string(rune('a'+i)), x.irType(), nil)
					}
					loss := graph.ReduceAllSum(graph.Square(c.fn(r.Graph(), in)))
					out := []trace.Output{{Name: "loss", Node: loss}}
					if gradients {
						for i, d := range r.Gradient(loss, in...) {
							out = append(out, trace.Output{Name: "d" + string(rune('a'+i)), Node: d})
						}
					}
					return out, nil
				})
				require.NoError(t, err)
				require.NoError(t, ir.Verify(m), "%s", m)
				return m
			}
			gradients, loss := record(true), record(false)
			got, run := loadOn(t, client, gradients)(c.in...)[1:], loadOn(t, client, loss)
			for i, x := range c.in {
				want := tensor{x.dims, make([]float64, len(x.flat.([]float64)))}
				for k := range want.flat.([]float64) {
					at := func(h float64) float64 {
						moved := slices.Clone(c.in)
						flat := slices.Clone(x.flat.([]float64))
						flat[k] += h
						moved[i] = tensor{x.dims, flat}
						return run(moved...)[0].flat.([]float64)[0]
					}
					const h = 1e-5
					want.flat.([]float64)[k] = (at(h) - at(-h)) / (2 * h)
				}
				requireClose(t, c.name, got[i], want, 1e-6)
				if c.zero {
					require.Equal(t, make([]float64, len(want.flat.([]float64))), got[i].flat)
				}
			}
		})
	}
}

// TestMaxAtTies: if both arguments are equal, GoMLX's gradient of Max is 1, and that of Where with
// GreaterThan 0; the package's documentation warns of it.
func TestMaxAtTies(t *testing.T) {
	m, err := trace.Record("ties", nil, func(r *trace.Recorder) ([]trace.Output, error) {
		x := r.Param("x", ir.Tensor(dtypes.Float32, 3), nil)
		zero := graph.ZerosLike(x)
		byMax := r.Gradient(graph.ReduceAllSum(graph.Max(x, zero)), x)[0]
		byWhere := r.Gradient(graph.ReduceAllSum(graph.Where(graph.GreaterThan(x, zero), x, zero)), x)[0]
		return []trace.Output{{Name: "max", Node: byMax}, {Name: "where", Node: byWhere}}, nil
	})
	require.NoError(t, err)
	got := load(t, m)(vec[float32](-1, 0, 1))
	require.Equal(t, []float32{0, 1, 1}, got[0].flat)
	require.Equal(t, []float32{0, 0, 1}, got[1].flat)
}

// TestPinSurvivesDifferentiation: the constraint of a value must also be on its gradients of each
// order: one constraint without a gradient, two with one, and four with two.
func TestPinSurvivesDifferentiation(t *testing.T) {
	dm, err := mesh.New([]int{2}, []string{"data"}, nil)
	require.NoError(t, err)
	split := layout.Replicated(dm, 1)
	split.Dims[0].Axes = []mesh.AxisRef{{Name: "data"}}
	for order, want := range []int{1, 2, 4} {
		m, err := trace.Record("constraints", dm, func(r *trace.Recorder) ([]trace.Output, error) {
			x := r.Param("x", ir.Tensor(dtypes.Float32, 4), nil)
			y := graph.ReduceAllSum(graph.Exp(r.Constrain(graph.Square(x), split)))
			for range order {
				y = graph.ReduceAllSum(r.Gradient(y, x)[0])
			}
			return []trace.Output{{Name: "y", Node: y}}, nil
		})
		require.NoError(t, err)
		constraints := 0
		m.Main().Walk(func(op *ir.Op) {
			if op.Kind == ir.OpShardingConstraint {
				require.Same(t, split, op.Attrs.Get("sharding").(ir.ShardingAttr).Sharding)
				constraints++
			}
		})
		require.Equal(t, want, constraints, "constraints after %d gradients", order)
	}
}

// TestGradientPaths: while a gradient is recorded in the scope optimizer, the path must be
// grad(optimizer). Gradient and Scope must restore the path.
func TestGradientPaths(t *testing.T) {
	_, err := trace.Record("paths", nil, func(r *trace.Recorder) ([]trace.Output, error) {
		x := r.Param("x", ir.Tensor(dtypes.Float32, 3), nil)
		var marked node
		r.Scope("outer", func() {
			r.Scope("inner", func() {
				require.Equal(t, "outer/inner", r.Path())
				marked = r.Mark(graph.Square(x))
			})
			require.Equal(t, "outer", r.Path())
		})
		var seen []string
		spied := graph.IdentityWithCustomGradient(marked, func(_, v node) node {
			seen = append(seen, r.Path())
			return v
		})
		r.Scope("optimizer", func() {
			r.Gradient(graph.ReduceAllSum(spied), x)
			require.Equal(t, "optimizer", r.Path())
		})
		require.Equal(t, []string{"grad(optimizer)"}, seen)
		return []trace.Output{{Name: "y", Node: spied}}, nil
	})
	require.NoError(t, err)
}

// TestStopGradientOfIf: an operation without a gradient, here If, must be no error if its gradient
// is not needed.
func TestStopGradientOfIf(t *testing.T) {
	_, err := trace.Record("test", nil, func(r *trace.Recorder) ([]trace.Output, error) {
		x := r.Param("x", ir.Tensor(dtypes.Float32), nil)
		branch := func() *graph.Function {
			return graph.NewClosure(r.Graph(), func(*graph.Graph) []node { return []node{graph.Neg(x)} })
		}
		y := graph.StopGradient(graph.If(graph.Const(r.Graph(), true), branch(), branch())[0])
		return []trace.Output{{Name: "d", Node: r.Gradient(graph.Mul(x, y), x)[0]}}, nil
	})
	require.NoError(t, err)
}

// TestNoGradient asks for gradients of operations without one. The error must name the operation,
// the layer and the source line.
func TestNoGradient(t *testing.T) {
	x := ir.Tensor(dtypes.Float32, 3)
	for _, c := range []struct {
		name string
		fn   func(g *graph.Graph, x node) node
	}{
		{"While", func(g *graph.Graph, x node) node {
			cond := graph.NewClosure(g, func(g *graph.Graph) []node {
				return []node{graph.LessThan(graph.ReduceAllSum(graph.Parameter(g, "v", x.Shape())), graph.Const(g, float32(9)))}
			})
			body := graph.NewClosure(g, func(g *graph.Graph) []node {
				return []node{graph.MulScalar(graph.Parameter(g, "v", x.Shape()), 2)}
			})
			return graph.While(cond, body, x)[0]
		}},
		{"If", func(g *graph.Graph, x node) node {
			y := graph.Exp(x)
			branch := func() *graph.Function {
				return graph.NewClosure(g, func(*graph.Graph) []node { return []node{graph.Neg(y)} })
			}
			return graph.If(graph.Const(g, true), branch(), branch())[0]
		}},
		{"While", func(g *graph.Graph, x node) node {
			y := graph.Exp(x)
			v := shapes.Make(dtypes.Float32, 3)
			cond := graph.NewClosure(g, func(g *graph.Graph) []node {
				return []node{graph.LessThan(graph.ReduceAllSum(graph.Parameter(g, "v", v)), graph.Const(g, float32(9)))}
			})
			body := graph.NewClosure(g, func(g *graph.Graph) []node { return []node{graph.Mul(graph.Parameter(g, "v", v), y)} })
			return graph.While(cond, body, graph.Ones(g, v))[0]
		}},
		{"Call", func(g *graph.Graph, x node) node {
			return graph.NewFunction(g, "f", func(g *graph.Graph) []node {
				return []node{graph.Neg(graph.Parameter(g, "v", shapes.Make(dtypes.Float32, 3)))}
			}).Call(x)[0]
		}},
		{"Sort", func(_ *graph.Graph, x node) node { return graph.Sort(x, 0, true) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := trace.Record("test", nil, func(r *trace.Recorder) ([]trace.Output, error) {
				x := r.Param("x", x, nil)
				var y node
				r.Scope("layer", func() { y = r.Mark(c.fn(r.Graph(), x)) })
				loss := graph.ReduceAllSum(y)
				return []trace.Output{{Name: "d", Node: r.Gradient(loss, x)[0]}}, nil
			})
			require.ErrorContains(t, err, "trace: in layer layer (gradients_test.go:")
			require.ErrorContains(t, err, c.name+": the operation has no gradient: ")
		})
	}
}
