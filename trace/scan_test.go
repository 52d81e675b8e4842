package trace_test

// This file compares scans and their gradients with the unrolled steps, and checks what is recorded
// for them.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/trace"
)

// scanCases are functions of tensors that run a scan.
var scanCases = []struct {
	name string
	in   []tensor
	fn   func(x []node, o trace.ScanOptions) []node
}{
	{"carry and ys", []tensor{smoothValues(3), smoothValues(5, 3)}, func(x []node, o trace.ScanOptions) []node {
		carry, ys := trace.Scan(func(c, x []node) (next, ys []node) {
			h := graph.Tanh(graph.Add(graph.Mul(c[0], x[0]), x[0]))
			return []node{h}, []node{graph.Square(h)}
		}, x[:1], x[1:], o)
		return append(carry, ys...)
	}},
	{"weights from outside", []tensor{smoothValues(2, 3), smoothValues(5, 2, 4), smoothValues(4, 3), smoothValues(3, 3), smoothValues(3)}, rnn},
	{"an lstm", []tensor{smoothValues(2, 3), smoothValues(2, 3), smoothValues(4, 2, 5), smoothValues(5, 12), smoothValues(3, 12), smoothValues(12)}, lstm},
	{"no ys, counting", []tensor{smoothValues(3)}, func(x []node, o trace.ScanOptions) []node {
		o.Length = 6
		zero := graph.Const(x[0].Graph(), int32(0))
		carry, _ := trace.Scan(func(c, _ []node) (next, ys []node) {
			half := graph.ConvertDType(c[1], c[0].DType())
			return []node{graph.Add(graph.Sin(c[0]), graph.MulScalar(half, 0.1)), graph.AddScalar(c[1], 1)}, nil
		}, []node{x[0], zero}, nil, o)
		return carry[:1]
	}},
	{"no carry", []tensor{smoothValues(4, 3), smoothValues(3)}, func(x []node, o trace.ScanOptions) []node {
		_, ys := trace.Scan(func(_, s []node) (next, ys []node) {
			return nil, []node{graph.Mul(graph.Exp(s[0]), x[1]), x[1]}
		}, nil, x[:1], o)
		return ys
	}},
	{"a scan in a scan", []tensor{smoothValues(3), smoothValues(4, 2, 3), smoothValues(3)}, func(x []node, o trace.ScanOptions) []node {
		carry, ys := trace.Scan(func(c, s []node) (next, ys []node) {
			return trace.Scan(func(c, s []node) (next, ys []node) {
				h := graph.Tanh(graph.Add(graph.Mul(c[0], x[2]), s[0]))
				return []node{h}, []node{graph.Mul(h, x[2])}
			}, c, s, o)
		}, x[:1], x[1:2], o)
		return append(carry, ys...)
	}},
	{"what does not change", []tensor{smoothValues(2, 3), smoothValues(3, 3)}, func(x []node, o trace.ScanOptions) []node {
		o.Length = 4
		carry, _ := trace.Scan(func(c, _ []node) (next, ys []node) {
			w := graph.Transpose(graph.Sin(x[1]), 0, 1)
			return []node{graph.Add(graph.Dot(c[0], w).Product(), graph.StopGradient(c[0]))}, nil
		}, x[:1], nil, o)
		return carry
	}},
}

func rnn(x []node, o trace.ScanOptions) []node {
	carry, ys := trace.Scan(func(c, s []node) (next, ys []node) {
		z := graph.Add(graph.Dot(s[0], x[2]).Product(), graph.Dot(c[0], x[3]).Product())
		h := graph.Tanh(graph.Add(z, graph.ExpandLeftToRank(x[4], 2)))
		return []node{h}, []node{h}
	}, x[:1], x[1:2], o)
	return append(carry, ys...)
}

func lstm(x []node, o trace.ScanOptions) []node {
	carry, _ := trace.Scan(func(c, s []node) (next, ys []node) {
		z := graph.Add(graph.Dot(s[0], x[3]).Product(), graph.Dot(c[0], x[4]).Product())
		z = graph.Add(z, graph.ExpandLeftToRank(x[5], 2))
		gate := func(i int) node { return graph.Slice(z, graph.AxisRange(), graph.AxisRange(3*i, 3*i+3)) }
		state := graph.Add(graph.Mul(graph.Sigmoid(gate(1)), c[1]), graph.Mul(graph.Sigmoid(gate(0)), graph.Tanh(gate(2))))
		return []node{graph.Mul(graph.Sigmoid(gate(3)), graph.Tanh(state)), state}, nil
	}, x[:2], x[2:3], o)
	return carry
}

// TestScan runs each case as a loop and unrolled, and those with a name that begins with the letter
// "a" also with Reverse and Remat. The results and the gradients of the loop must be equal to those
// of the unrolled steps within 1e-12.
func TestScan(t *testing.T) {
	for i, tc := range scanCases {
		options := []trace.ScanOptions{{}}
		if strings.HasPrefix(tc.name, "a") {
			options = append(options, trace.ScanOptions{Reverse: true, Remat: true})
		}
		for _, o := range options {
			t.Run(fmt.Sprintf("%s %+v", tc.name, o), func(t *testing.T) {
				run := func(unroll bool) []tensor {
					o := o
					o.Unroll = unroll
					m, err := trace.Record("scan", nil, func(r *trace.Recorder) ([]trace.Output, error) {
						var in []node
						for i, x := range tc.in {
							in = append(in, r.Param(fmt.Sprint("x", i), x.irType(), nil))
						}
						out := tc.fn(in, o)
						loss := graph.Const(r.Graph(), 0.0)
						for _, y := range out {
							loss = graph.Add(loss, graph.ReduceAllSum(graph.Square(weigh(y))))
						}
						return nameOutputs(append(out, r.Gradient(loss, in...)...)), nil
					})
					require.NoError(t, err)
					require.NoError(t, ir.Verify(m), "%s", m)
					return loadOn(t, runtimetest.OpenSample(t, 1, i%3 == 0), m)(tc.in...)
				}
				want, got := run(true), run(false)
				require.Len(t, got, len(want))
				for i := range want {
					requireClose(t, fmt.Sprint("result ", i), got[i], want[i], 1e-12)
				}
			})
		}
	}
}

// TestScanSecondDerivative takes the gradient of a function of gradients, of each case as a loop
// and unrolled. Both must be equal within 1e-10. Each case runs with one of three options, in the
// long form with all: none, reversed with Remat, and NoGradient.
func TestScanSecondDerivative(t *testing.T) {
	for i, tc := range scanCases {
		options := []trace.ScanOptions{{}, {Reverse: true, Remat: true}, {NoGradient: true}}
		if !longtest.Enabled() {
			options = options[i%3:][:1]
		}
		for _, o := range options {
			t.Run(fmt.Sprintf("%s %+v", tc.name, o), func(t *testing.T) {
				run := func(unroll bool) []tensor {
					o := o
					o.Unroll = unroll
					m, err := trace.Record("scan", nil, func(r *trace.Recorder) ([]trace.Output, error) {
						var in []node
						for i, x := range tc.in {
							in = append(in, r.Param(fmt.Sprint("x", i), x.irType(), nil))
						}
						squares := func(list []node) node {
							sum := graph.Const(r.Graph(), 0.0)
							for _, y := range list {
								sum = graph.Add(sum, graph.ReduceAllSum(graph.Square(weigh(y))))
							}
							return sum
						}
						first := r.Gradient(squares(tc.fn(in, o)), in...)
						return nameOutputs(r.Gradient(squares(first), in...)), nil
					})
					require.NoError(t, err)
					require.NoError(t, ir.Verify(m), "%s", m)
					return loadOn(t, runtimetest.OpenSample(t, 1, i%3 == 0), m)(tc.in...)
				}
				want, got := run(true), run(false)
				require.Len(t, got, len(want))
				for i := range want {
					requireClose(t, fmt.Sprint("result ", i), got[i], want[i], 1e-10)
				}
			})
		}
	}
}

func nameOutputs(nodes []node) (out []trace.Output) {
	for i, n := range nodes {
		out = append(out, trace.Output{Name: fmt.Sprint("output", i), Node: n})
	}
	return out
}

// TestScanIsOneLoop counts the ops in the recording of a scan and its gradient. There must be two
// loops, and as many ops for 400 steps as for 2.
func TestScanIsOneLoop(t *testing.T) {
	count := func(length int) (ops, loops int) {
		m, err := trace.RecordFunc("f", nil, func(_ *graph.Graph, in []node) []node {
			loss := graph.ReduceAllSum(lstm(in, trace.ScanOptions{})[0])
			return graph.Gradient(loss, in...)
		}, scanInputs(length)...)
		require.NoError(t, err)
		require.NoError(t, ir.Verify(m))
		m.Main().Walk(func(op *ir.Op) {
			ops++
			if op.Kind == ir.OpWhile {
				loops++
			}
		})
		return ops, loops
	}
	ops, loops := count(2)
	require.Equal(t, 2, loops)
	long, _ := count(400)
	require.Equal(t, ops, long)
}

// TestScanJoinsSlices checks the loop of the gradient of an LSTM, whose gates are slices of one
// value. The loop must join the gradients of the slices by one concatenation, without a pad. It
// must carry only the counter, the gradients of two states and one stack, so that the gradients of
// all weights are computed after it.
func TestScanJoinsSlices(t *testing.T) {
	m, err := trace.RecordFunc("f", nil, func(_ *graph.Graph, in []node) []node {
		return graph.Gradient(graph.ReduceAllSum(lstm(in, trace.ScanOptions{})[0]), in[3:]...)
	}, scanInputs(5)...)
	require.NoError(t, err)
	var loop *ir.Op
	m.Main().Walk(func(op *ir.Op) {
		if op.Kind == ir.OpWhile {
			loop = op
		}
	})
	require.Len(t, loop.Results, 4, "the counter, two states and one stack")
	joined := 0
	loop.Walk(func(op *ir.Op) {
		require.NotEqual(t, ir.OpPad, op.Kind)
		if op.Kind == ir.OpConcatenate {
			joined++
		}
	})
	require.Equal(t, 1, joined)
}

func scanInputs(length int) (in []trace.Input) {
	for i, dims := range [][]int{{2, 3}, {2, 3}, {length, 2, 5}, {5, 12}, {3, 12}, {12}} {
		in = append(in, trace.Input{Name: fmt.Sprint("x", i), Type: ir.Tensor(dtypes.Float32, dims...)})
	}
	return in
}

// TestScanKeepsConstraints records a scan with a constraint in its body, for a loop that may need a
// gradient and for one that does not. The module must be valid.
func TestScanKeepsConstraints(t *testing.T) {
	dm := mesh.MustParse("x=2")
	for _, o := range []trace.ScanOptions{{}, {NoGradient: true}} {
		m, err := trace.Record("f", dm, func(r *trace.Recorder) ([]trace.Output, error) {
			h := r.Param("h", ir.Tensor(dtypes.Float32, 4), nil)
			xs := r.Param("xs", ir.Tensor(dtypes.Float32, 3, 4), nil)
			s := layout.Replicated(dm, 1)
			carry, _ := trace.Scan(func(carry, x []node) (next, ys []node) {
				return []node{r.Constrain(graph.Tanh(graph.Add(carry[0], x[0])), s)}, nil
			}, []node{h}, []node{xs}, o)
			return []trace.Output{{Name: "h", Node: carry[0]}}, nil
		})
		require.NoError(t, err)
		require.NoError(t, ir.Verify(m))
	}
}
