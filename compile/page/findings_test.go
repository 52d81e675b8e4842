package page_test

// This file tests the findings of a page.

import (
	"bytes"
	"math"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/explain"
	"github.com/gospmd/gospmd/compile/page"
	"github.com/gospmd/gospmd/compile/suggest"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
)

// explainLine matches commands that explain a value; its groups are the flag and the value.
var explainLine = regexp.MustCompile(`^explain -(value|path) '(.+)'$`)

// The findings are sorted by their gains in time or memory, and the commands that they show name
// existing values.
func TestFindings(t *testing.T) {
	m := ir.MustParse(`sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%x: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %w: tensor<256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>} loc("d1/kernel"), %v: tensor<1024x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>} loc("d2/kernel"), %big: tensor<256x256xf32> loc("d3/kernel")) -> tensor<64x256xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x1024xf32>) -> tensor<64x1024xf32>
  %1 = stablehlo.tanh %0 : tensor<64x1024xf32>
  %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0] : (tensor<64x1024xf32>, tensor<1024x256xf32>) -> tensor<64x256xf32>
  %3 = stablehlo.dot_general %2, %big, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  return %3 : tensor<64x256xf32>
}`)
	s, err := suggest.Find(m.Clone(), suggest.Options{})
	require.NoError(t, err)
	e, err := compile.Explain(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	p, err := page.New(e, nil)
	require.NoError(t, err)
	p.Suggest(s)
	kinds := map[string]bool{}
	last, small := math.Inf(1), false
	for _, f := range p.Findings {
		kinds[string(f.Kind)] = true
		if f.Small && !small {
			last, small = math.Inf(1), true
		}
		require.Equal(t, small, f.Small, "small ones come last")
		require.LessOrEqual(t, max(f.Time, f.Part), last, f.Text)
		last = max(f.Time, f.Part)
		require.InDelta(t, float64(f.Memory)/float64(p.Totals.Peak), f.Part, 1e-9, "of the peak: the default machine has no memory")
		require.NotEmpty(t, f.Line, f.Text)
		if line := explainLine.FindStringSubmatch(f.Line); line != nil {
			find := map[string]func(string) error{
				"value": func(name string) error { _, err := e.Value(name); return err },
				"path":  func(name string) error { _, err := e.Input(name); return err },
			}[line[1]]
			require.NoError(t, find(line[2]), f.Line)
		}
	}
	require.Subset(t, []string{"suggestion", "override", "collective", "replicated", "conflict"}, keys(kinds))
	require.True(t, kinds["suggestion"] && kinds["collective"] && kinds["replicated"], "%v", kinds)
}

// TestProgramFile requires that the page of a program file has the figures of the page of its module,
// and the annotations that do not hold, by the names of their values.
func TestProgramFile(t *testing.T) {
	m := ir.MustParse(`sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {}]> : tensor<512x512xf32>
  %2 = stablehlo.tanh %1 : tensor<512x512xf32>
  return %2 : tensor<512x512xf32>
}`)
	e, err := compile.Explain(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	var file bytes.Buffer
	require.NoError(t, e.Program().Write(&file))
	program, err := program.Read(bytes.NewReader(file.Bytes()), int64(file.Len()))
	require.NoError(t, err)
	ofModule, err := page.New(e, nil)
	require.NoError(t, err)
	ofFile, err := page.New(explain.OfProgram(program), nil)
	require.NoError(t, err)
	require.Equal(t, ofModule.Totals, ofFile.Totals)
	require.Equal(t, ofModule.Ops, ofFile.Ops)
	overrides := func(p *page.Page) (out []string) {
		for _, f := range p.Findings {
			if f.Kind == "override" {
				out = append(out, f.Text)
			}
		}
		return out
	}
	require.Equal(t, []string{
		"stablehlo.dot_general: the annotation [{}, {}] does not hold, of sdy.sharding_constraint",
		"sdy.sharding_constraint: the annotation [{}, {}] does not hold",
	}, overrides(ofModule))
	require.Len(t, program.Overrides, 2)
	require.Equal(t, []string{
		program.Overrides[0].Name + ": the annotation [{}, {}] does not hold, of sdy.sharding_constraint",
		program.Overrides[1].Name + ": the annotation [{}, {}] does not hold",
	}, overrides(ofFile))

	var html bytes.Buffer
	require.NoError(t, ofFile.Write(&html))
	open(t, html.Bytes(), "#op=0").requireQuiet()
}

func keys(m map[string]bool) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	return out
}

// suggestions are three suggestions and a sharded update. The first one takes more operations, but
// less time; the last one gains next to nothing.
func suggestions() *suggest.Suggestions {
	rule := layout.Rule{Key: "layers_(0_mlp_w1|0_mlp_w3|1_mlp_w1|1_mlp_w3|2_mlp_w1|2_mlp_w3)/kernel", Axes: []string{"model", layout.None}}
	of := func(after suggest.Cost) *suggest.Suggestion {
		return &suggest.Suggestion{Rules: []layout.Rule{rule, rule}, Instead: []string{"-,-", "-,-"}, Flags: []string{rule.Flag(), rule.Flag()}, After: after}
	}
	return &suggest.Suggestions{
		Before: suggest.Cost{Ops: 1000, Seconds: 4e-3, Memory: 2e9},
		Best: []*suggest.Suggestion{
			of(suggest.Cost{Ops: 1700, Seconds: 3e-3, Memory: 2e9}), of(suggest.Cost{Ops: 900, Seconds: 3.8e-3, Memory: 4e9}), of(suggest.Cost{Ops: 500, Seconds: 4e-3, Memory: 2e9 - 1e3}),
		},
		ShardedUpdate: &suggest.Cost{Ops: 1000, Seconds: 4.4e-3, Memory: 1e9},
	}
}

// oneCollective returns the page of a program for TPUs. The program spends much of its time on a
// collective, and has small inputs that are replicated.
func oneCollective(t *testing.T) *page.Page {
	t.Helper()
	target, err := hardware.ParseTarget("v5e:2x4")
	require.NoError(t, err)
	machine, err := cost.MachineFor(target, mesh.MustParse("data=2,model=4"))
	require.NoError(t, err)
	m := ir.MustParse(`sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%x: tensor<512x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %w: tensor<2048x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>} loc("d1/kernel"), %b: tensor<2048xf32> loc("d1/bias")) -> (tensor<512x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<512x2048xf32>, tensor<2048x2048xf32>) -> tensor<512x2048xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<2048xf32>) -> tensor<512x2048xf32>
  %2 = stablehlo.add %0, %1 : tensor<512x2048xf32>
  return %2 : tensor<512x2048xf32>
}`)
	e, err := compile.Explain(t.Context(), m, compile.Options{Machine: machine})
	require.NoError(t, err)
	p, err := page.New(e, machine)
	require.NoError(t, err)
	return p
}

// A suggestion gains what package suggest predicts: time on a machine whose speed is known, and not
// operations. Gains of time, gains of memory and the costs of collectives are one ranking.
func TestGains(t *testing.T) {
	p := oneCollective(t)
	p.Suggest(suggestions())
	times := map[string]float64{}
	var kinds []string
	for _, f := range p.Findings {
		kind := string(f.Kind)
		if f.Small {
			kind = "small " + kind
		}
		kinds = append(kinds, kind)
		if f.Kind == "suggestion" && f.Memory == 0 {
			require.InDelta(t, 0.25, f.Time, 1e-9)
		}
		if f.Kind == "shardedUpdate" {
			require.InDelta(t, -0.1, f.Time, 1e-9)
			require.Equal(t, 1_000_000_000, f.Memory)
			require.Equal(t, "-sharded-update", f.Line)
		}
		times[kind] = f.Time
	}
	require.Greater(t, times["collective"], 0.25, "%v", times)
	require.Equal(t, []string{"collective", "suggestion", "shardedUpdate", "suggestion", "small replicated", "small replicated", "small suggestion"}, kinds)
}
