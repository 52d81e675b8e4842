package compile_test

// This file tests that the layout search chooses in loops what it chooses in the unrolled program.

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding"
	"github.com/gospmd/gospmd/trace"
)

type node = *graph.Node

// scanModel is a model with a scan, for tests: its parameters with their layouts, the input first,
// and the function that computes its loss.
type scanModel struct {
	name   string
	params []scanParam
	loss   func(x []node, o trace.ScanOptions) node
}

type scanParam struct {
	name string
	dims []int
	axes []string
}

const scanLayers, scanBatch, scanLength, scanWidth, scanSteps = 4, 32, 64, 128, 12

// stack is an MLP whose layers have residuals and norms. Its weights are sharded as in Megatron-LM.
var stack = scanModel{"layers", []scanParam{
	{"x", []int{scanBatch, scanLength, scanWidth}, []string{"data", "", ""}},
	{"up", []int{scanLayers, scanWidth, 4 * scanWidth}, []string{"", "", "model"}},
	{"down", []int{scanLayers, 4 * scanWidth, scanWidth}, []string{"", "model", ""}},
}, func(x []node, o trace.ScanOptions) node {
	carry, _ := trace.Scan(func(c, w []node) (next, ys []node) {
		norm := graph.Div(c[0], graph.Sqrt(graph.AddScalar(graph.ReduceAndKeep(graph.Square(c[0]), graph.ReduceMean, -1), 1e-6)))
		h := graph.Tanh(graph.Einsum("bsd,df->bsf", norm, w[0]))
		return []node{graph.Add(c[0], graph.Einsum("bsf,fd->bsd", h, w[1]))}, nil
	}, x[:1], x[1:], o)
	return graph.ReduceAllMean(graph.Square(carry[0]))
}}

// lstm is an LSTM whose kernels are sharded by columns.
var lstm = scanModel{"lstm", []scanParam{
	{"x", []int{scanSteps, scanBatch, scanWidth}, []string{"", "data", ""}},
	{"state", []int{scanBatch, scanWidth}, []string{"data", ""}},
	{"kernel", []int{scanWidth, 4 * scanWidth}, []string{"", "model"}},
	{"recurrent", []int{scanWidth, 4 * scanWidth}, []string{"", "model"}},
}, func(x []node, o trace.ScanOptions) node {
	carry, _ := trace.Scan(func(c, s []node) (next, ys []node) {
		z := graph.Add(graph.Dot(s[0], x[2]).Product(), graph.Dot(c[0], x[3]).Product())
		gate := func(i int) node {
			return graph.Slice(z, graph.AxisRange(), graph.AxisRange(i*scanWidth, (i+1)*scanWidth))
		}
		state := graph.Add(graph.Mul(graph.Sigmoid(gate(1)), c[1]), graph.Mul(graph.Sigmoid(gate(0)), graph.Tanh(gate(2))))
		return []node{graph.Mul(graph.Sigmoid(gate(3)), graph.Tanh(state)), state}, nil
	}, []node{x[1], x[1]}, x[:1], o)
	return graph.ReduceAllMean(graph.Square(carry[0]))
}}

// record records a training step of the model s on the mesh dm, by a scan with the options o, with
// its layouts. Its outputs are the loss and the new parameters.
func (s *scanModel) record(t *testing.T, o trace.ScanOptions, dm *mesh.DeviceMesh) *ir.Module {
	m, err := trace.Record(s.name, dm, func(r *trace.Recorder) ([]trace.Output, error) {
		var in []node
		for _, p := range s.params {
			in = append(in, r.Param(p.name, ir.Tensor(dtypes.Float32, p.dims...), nil))
		}
		loss := s.loss(in, o)
		out := []trace.Output{{Name: "loss", Node: loss}}
		for i, g := range r.Gradient(loss, in[1:]...) {
			out = append(out, trace.Output{Name: "new " + s.params[i+1].name, Node: graph.Sub(in[i+1], graph.MulScalar(g, 0.1))})
		}
		return out, nil
	})
	require.NoError(t, err)
	layouts := layout.NewLayoutMap(dm)
	for _, p := range s.params {
		require.NoError(t, layouts.Set(p.name, p.axes...))
	}
	require.NoError(t, sharding.Annotate(m, layouts))
	return m
}

// opsOf compiles a training step of s for the mesh dm, with the scan unrolled or as a loop, and
// with binding layouts if keep is set. It returns the step's cost on the default machine, in FLOPs
// that take the same time.
func (s *scanModel) opsOf(t *testing.T, dm *mesh.DeviceMesh, unroll, keep bool) float64 {
	p, err := compile.Compile(t.Context(), s.record(t, trace.ScanOptions{Unroll: unroll}, dm), compile.Options{KeepLayouts: keep})
	require.NoError(t, err)
	return float64(cost.Default().Ops(dm, p.Module.Main()))
}

// TestScansAsUnrolled requires that a scan costs at most 1.1 times as much as the unrolled program.
// The unrolled program costs a little less, because some results of its first and last step are not
// needed. The search saves at least the part saves of the cost without it. The short form takes
// every other row.
func TestScansAsUnrolled(t *testing.T) {
	for i, tc := range []struct {
		model scanModel
		mesh  string
		saves float64 // fraction of the cost without the search
	}{
		{stack, "data=2,model=4", .25},
		{stack, "data=1,model=8", .5},
		{stack, "data=8,model=1", 0},
		{lstm, "data=2,model=4", .25},
		{lstm, "data=1,model=8", .5},
		{lstm, "data=8,model=1", 0},
	} {
		if i%2 == 1 && !longtest.Enabled() {
			continue
		}
		t.Run(tc.model.name+" "+tc.mesh, func(t *testing.T) {
			dm := mesh.MustParse(tc.mesh)
			loop, unrolled, kept := tc.model.opsOf(t, dm, false, false), tc.model.opsOf(t, dm, true, false), tc.model.opsOf(t, dm, false, true)
			t.Logf("loop %.4g, unrolled %.4g, without the search %.4g", loop, unrolled, kept)
			require.LessOrEqual(t, loop, 1.1*unrolled)
			require.LessOrEqual(t, loop, (1-tc.saves)*kept)
		})
	}
}
