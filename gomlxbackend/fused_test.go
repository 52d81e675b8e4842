package gomlxbackend_test

// This file compares the fused operations with the functions of GoMLX's graphs that stand for the
// same, on GoMLX's Go backend, which has its own code for most of them.

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/gotype"
	"github.com/gomlx/compute/gobackend"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/layers/attention"
	"github.com/gomlx/gomlx/ml/nn"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/gomlxbackend"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/program"
)

// fusedCase is a use of a fused operation, and the same by a function that GoMLX's users call.
type fusedCase struct {
	name         string
	inputs       []*tensors.Tensor // float32, or integers and booleans
	fused, parts func(x []*Node) []*Node
	only         dtypes.DType // the type of floats, unless any will do
	wide         bool         // floats of 16 bits are refused
	// parts without fused operations, if $GOMLX_FUSION does not do that
	decomposed func(x []*Node) []*Node
	// parts as GoMLX's Go backend can compute them, if not the same
	reference func(x []*Node) []*Node
	other     bool // parts are not a function of GoMLX that may use the fused operation
}

// samples makes random inputs.
type samples struct{ *rand.Rand }

// size returns a size from 1 to 5.
func (s samples) size() int { return 1 + s.IntN(5) }

func (s samples) floats(dims ...int) *tensors.Tensor {
	return fill(func() float32 { return float32(s.NormFloat64()) }, dims...)
}

func (s samples) integers(below int32, dims ...int) *tensors.Tensor {
	return fill(func() int32 { return s.Int32N(below) }, dims...)
}

func fill[T gotype.Supported](next func() T, dims ...int) *tensors.Tensor {
	n := 1
	for _, d := range dims {
		n *= d
	}
	flat := make([]T, n)
	for i := range flat {
		flat[i] = next()
	}
	return tensors.FromFlatDataAndDimensions(flat, dims...)
}

// nth returns the node i, or nil if there are not so many.
func nth(x []*Node, i int) *Node {
	if i < len(x) {
		return x[i]
	}
	return nil
}

func one(n *Node) []*Node { return []*Node{n} }

func three(a, b, c *Node) []*Node { return []*Node{a, b, c} }

// fusedCases returns cases of all fused operations, each with inputs, the fused operation, and a
// function of several operations that computes the same. Sizes and numbers are random.
func fusedCases(s samples) []fusedCase {
	var cases []fusedCase
	for axis := range 3 {
		cases = append(cases, fusedCase{name: "Softmax", inputs: []*tensors.Tensor{s.floats(s.size(), s.size(), s.size())},
			fused: func(x []*Node) []*Node { return one(BackendFusedSoftmax(x[0], axis)) },
			parts: func(x []*Node) []*Node { return one(Softmax(x[0], axis)) }})
	}
	cases = append(cases,
		fusedCase{name: "Gelu", inputs: []*tensors.Tensor{s.floats(s.size(), 7)},
			fused: func(x []*Node) []*Node { return one(BackendFusedGelu(x[0], true)) },
			parts: func(x []*Node) []*Node { return one(activation.Gelu(x[0])) }},
		fusedCase{name: "Gelu, approximate", inputs: []*tensors.Tensor{s.floats(s.size(), 7)},
			fused: func(x []*Node) []*Node { return one(BackendFusedGelu(x[0], false)) },
			parts: func(x []*Node) []*Node { return one(activation.GeluApproximate(x[0])) }})
	cases = append(cases, s.norms()...)
	cases = append(cases, s.denses()...)
	cases = append(cases, s.attentions()...)
	return append(cases, s.quantized()...)
}

func (s samples) norms() []fusedCase {
	var cases []fusedCase
	b, m, n := s.size(), 1+s.size(), 1+s.size()
	for _, c := range []struct {
		name  string
		axes  []int
		gamma []int
	}{{"last", []int{-1}, []int{n}}, {"two", []int{1, 2}, []int{m, n}}, {"middle", []int{1}, []int{1, m, 1}}} {
		for params := range 3 {
			inputs := []*tensors.Tensor{s.floats(b, m, n), s.floats(c.gamma...), s.floats(c.gamma...)}[:1+params]
			cases = append(cases, fusedCase{name: "LayerNorm, " + c.name, inputs: inputs,
				fused: func(x []*Node) []*Node { return one(BackendFusedLayerNorm(x[0], c.axes, 1e-3, nth(x, 1), nth(x, 2))) },
				parts: func(x []*Node) []*Node { return one(nn.LayerNorm(x[0], c.axes, 1e-3, nth(x, 1), nth(x, 2), nil)) }})
		}
	}
	return cases
}

func (s samples) denses() []fusedCase {
	var cases []fusedCase
	in := s.size()
	for i, act := range []activation.Type{activation.TypeNone, activation.TypeGelu, activation.TypeRelu, activation.TypeSilu, activation.TypeHardSwish, activation.TypeTanh} {
		x, w := slices.Repeat([]int{3}, i%3), slices.Repeat([]int{2}, 1+i/2%2)
		config := compute.DenseConfig{Activation: act.ToBackend(), WeightLayout: compute.DenseLayout(i % 2)}
		weights := append([]int{in}, w...)
		if config.WeightLayout == compute.DenseLayoutOutputsInput {
			weights = append(slices.Clone(w), in)
		}
		inputs := []*tensors.Tensor{s.floats(append(x, 3, in)...), s.floats(weights...), s.floats(w...)}
		cases = append(cases, fusedCase{name: "Dense, " + act.String(), inputs: inputs[:3-i%4/3],
			fused: func(x []*Node) []*Node { return one(BackendFusedDense(x[0], x[1], nth(x, 2), config)) },
			parts: func(x []*Node) []*Node { return one(nn.Dense(x[0], x[1], nth(x, 2), config.WeightLayout, act)) }})
	}
	q, kv := s.size(), s.size()
	for rank := range 3 {
		inputs := []*tensors.Tensor{s.floats(append(slices.Repeat([]int{2}, rank), 3, in)...), s.floats(in, q+2*kv), s.floats(q), s.floats(kv), s.floats(kv)}
		cases = append(cases, fusedCase{name: "AttentionQKVProjection", inputs: inputs[:5-rank],
			fused: func(x []*Node) []*Node {
				return three(BackendFusedAttentionQKVProjection(x[0], x[1], nth(x, 2), nth(x, 3), nth(x, 4), q, kv))
			},
			parts: func(x []*Node) []*Node {
				return three(attention.QKVProjection(x[0], x[1], nth(x, 2), nth(x, 3), nth(x, 4), q, kv))
			},
			decomposed: func(x []*Node) []*Node {
				return attention.QKVProjectionDecomposed(x[0], x[1], nth(x, 2), nth(x, 3), nth(x, 4), q, kv)
			}})
	}
	return cases
}

func (s samples) attentions() []fusedCase {
	var cases []fusedCase
	for _, layout := range []attention.AxesLayout{attention.LayoutBSHD, attention.LayoutBHSD} {
		for _, groups := range []int{1, 3} {
			b, heads, d := s.size(), 1+s.size(), s.size()
			seq, kv := 2+s.size(), 2+s.size()
			place := func(seq, heads, last int) []int {
				if layout == attention.LayoutBSHD {
					return []int{b, seq, heads, last}
				}
				return []int{b, heads, seq, last}
			}
			qkv := []*tensors.Tensor{s.floats(place(seq, heads*groups, d)...), s.floats(place(kv, heads, d)...), s.floats(place(kv, heads, d)...)}
			add := func(name string, inputs []*tensors.Tensor, options func(x []*Node) attention.CoreOptions) {
				cases = append(cases, fusedCase{name: "ScaledDotProductAttention, " + layout.String() + ", " + name, inputs: inputs, wide: true,
					fused: func(x []*Node) []*Node {
						o := options(x)
						config := &compute.ScaledDotProductAttentionConfig{Scale: o.Scale, Causal: o.UseCausalMask, Mask: valueOf(o.AttentionMask),
							QuerySeqLen: valueOf(o.QuerySeqLen), KeyValueSeqLen: valueOf(o.KVSeqLen), Bias: valueOf(o.AttentionBias)}
						out, states := BackendFusedScaledDotProductAttention(x[0], x[1], x[2], layout, config)
						if len(states) > 0 {
							panic("an attention without a gradient of its own has states")
						}
						return one(out)
					},
					parts: func(x []*Node) []*Node {
						out, _ := attention.Core(x[0], x[1], x[2], layout, options(x))
						return one(out)
					}})
			}
			with := func(more ...*tensors.Tensor) []*tensors.Tensor { return append(slices.Clone(qkv), more...) }
			booleans := fill(func() bool { return s.IntN(3) > 0 }, place(seq, heads*groups, kv)...)
			narrow := fill(func() bool { return s.IntN(3) > 0 }, place(seq, 1, kv)...)
			add("plain", qkv, func([]*Node) attention.CoreOptions { return attention.CoreOptions{} })
			add("scale", qkv, func([]*Node) attention.CoreOptions { return attention.CoreOptions{Scale: 0.3} })
			for _, mask := range []*tensors.Tensor{booleans, narrow, s.floats(place(seq, heads*groups, kv)...), s.floats(place(seq, 1, kv)...)} {
				add("mask "+mask.Shape().String(), with(mask), func(x []*Node) attention.CoreOptions { return attention.CoreOptions{AttentionMask: x[3]} })
			}
			add("bias and mask", with(booleans, s.floats(b, heads*groups, seq, kv)), func(x []*Node) attention.CoreOptions {
				return attention.CoreOptions{AttentionMask: x[3], AttentionBias: x[4]}
			})
			self := []*tensors.Tensor{qkv[0], s.floats(place(seq, heads, d)...), s.floats(place(seq, heads, d)...)}
			add("causal", self, func([]*Node) attention.CoreOptions { return attention.CoreOptions{UseCausalMask: true} })
			if layout == attention.LayoutBSHD {
				lengths := s.integers(int32(seq+1), b)
				add("causal and lengths", append(self, lengths, lengths), func(x []*Node) attention.CoreOptions {
					return attention.CoreOptions{UseCausalMask: true, QuerySeqLen: x[3], KVSeqLen: x[4]}
				})
				add("lengths of keys", with(s.integers(int32(kv), b)), func(x []*Node) attention.CoreOptions { return attention.CoreOptions{KVSeqLen: x[3]} })
			}
		}
	}
	return cases
}

func valueOf(n *Node) compute.Value {
	if n == nil {
		return nil
	}
	return InternalBackendOutputs(n)[0]
}

// TestFused runs each case, with all types of floats in the long form and one of them in the short
// form. The results must be those of its parts in float32 on GoMLX's own engine, within the type's
// tolerance relative to the largest of them, or to 1.
func TestFused(t *testing.T) {
	reference, err := gobackend.New("")
	require.NoError(t, err)
	var backends []compute.Backend
	for _, engine := range engines {
		for _, mesh := range []string{"mesh=single", "mesh=3x2"} {
			backends = append(backends, openBackend(t, engine, mesh))
		}
	}
	all := []dtypes.DType{dtypes.Float32, dtypes.Float64, dtypes.BFloat16, dtypes.Float16}
	tolerance := map[dtypes.DType]float64{dtypes.Float32: 2e-5, dtypes.Float64: 1e-5, dtypes.BFloat16: 0.1, dtypes.Float16: 0.02}
	for i, c := range fusedCases(samples{rand.New(rand.NewPCG(31, 2))}) {
		floats := all
		if c.wide {
			floats = all[:2]
		}
		types := longtest.Pick(floats[i/4%len(floats):][:1], floats)
		if c.only != dtypes.InvalidDType {
			types = []dtypes.DType{c.only}
		}
		parts := c.parts
		if c.reference != nil {
			parts = c.reference
		}
		for _, d := range types {
			backend := backends[i%len(backends)]
			t.Run(c.name+", "+d.String()+", "+backend.String(), func(t *testing.T) {
				got := run(t, backend, c, func(x []*Node) []*Node { return c.fused(converted(x, d)) })
				want := run(t, reference, c, func(x []*Node) []*Node { return parts(converted(converted(x, d), dtypes.Float32)) })
				require.Len(t, got, len(want))
				for j := range want {
					require.Equal(t, want[j].Shape().Dimensions, got[j].Shape().Dimensions)
					w, g := tensors.MustCopyFlatData[float32](want[j]), tensors.MustCopyFlatData[float32](got[j])
					require.InDeltaSlice(t, w, g, tolerance[d]*max(1, float64(slices.Max(w)), -float64(slices.Min(w))))
				}
			})
		}
	}
}

// TestFusedAttentionOfHalves: the fused attention refuses bfloat16 with compute.ErrNotImplemented,
// so that GoMLX's function uses the parts.
func TestFusedAttentionOfHalves(t *testing.T) {
	backend := openBackend(t, "go", "mesh=single")
	refused := func(x []*Node) []*Node {
		out, _ := BackendFusedScaledDotProductAttention(x[0], x[1], x[2], attention.LayoutBSHD, nil)
		return one(out)
	}
	q := tensors.FromScalarAndDimensions(float32(1), 1, 2, 1, 4)
	exec, err := NewExec(backend, func(x []*Node) []*Node { return refused(converted(x, dtypes.BFloat16)) })
	require.NoError(t, err)
	defer exec.Finalize()
	_, err = exec.Call(q, q, q)
	require.ErrorIs(t, err, compute.ErrNotImplemented)
}

// converted returns the nodes, with floats converted to d.
func converted(x []*Node, d dtypes.DType) []*Node {
	out := slices.Clone(x)
	for i, n := range out {
		if n.DType().IsFloat() {
			out[i] = ConvertDType(n, d)
		}
	}
	return out
}

// run returns the results of f for the inputs of a case, as float32.
func run(t *testing.T, backend compute.Backend, c fusedCase, f func(x []*Node) []*Node) []*tensors.Tensor {
	t.Helper()
	exec, err := NewExec(backend, func(x []*Node) []*Node { return converted(f(x), dtypes.Float32) })
	require.NoError(t, err)
	defer exec.Finalize()
	args := make([]any, len(c.inputs))
	for i, x := range c.inputs {
		args[i], err = x.Clone() // a tensor belongs to one backend
		require.NoError(t, err)
	}
	results, err := exec.Call(args...)
	require.NoError(t, err)
	return results
}

// TestFusedPrograms compiles functions of GoMLX's graphs and their gradients, with fused operations
// and without: the programs must be the same.
func TestFusedPrograms(t *testing.T) {
	backend := openBackend(t, "go", "mesh=2x4")
	var compiled struct {
		sync.Mutex
		last string
	}
	gomlxbackend.OnCompile(func(p *program.Program) {
		compiled.Lock()
		defer compiled.Unlock()
		compiled.last = p.Module.String()
	})
	for _, c := range fusedCases(samples{rand.New(rand.NewPCG(31, 3))}) {
		if c.other {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			program := func(fusion string, f func(x []*Node) []*Node) string {
				t.Setenv(FusionEnv, fusion)
				run(t, backend, c, func(x []*Node) []*Node {
					out := f(x)
					var sum *Node
					for _, y := range out {
						if square := ReduceAllSum(Mul(y, y)); sum == nil {
							sum = square
						} else {
							sum = Add(sum, square)
						}
					}
					inputs := slices.DeleteFunc(slices.Clone(x), func(n *Node) bool { return !n.DType().IsFloat() })
					return append(out, Gradient(sum, inputs...)...)
				})
				compiled.Lock()
				defer compiled.Unlock()
				return renumbered(compiled.last)
			}
			without := c.parts
			if c.decomposed != nil {
				without = c.decomposed
			}
			require.Equal(t, program("0", without), program("1", c.parts))
		})
	}
}

var valueName = regexp.MustCompile(`%[0-9]+`)

// renumbered returns the text of a module, with values numbered in their order.
func renumbered(text string) string {
	names := map[string]string{}
	return valueName.ReplaceAllStringFunc(text, func(name string) string {
		if names[name] == "" {
			names[name] = fmt.Sprintf("%%v%d", len(names))
		}
		return names[name]
	})
}
