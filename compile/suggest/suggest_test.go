package suggest_test

// This file tests suggestions and warnings: by golden files in testdata, and by compiling programs
// with the suggestions.

import (
	"encoding/json"
	"fmt"
	"log"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/compile/suggest"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/cache"
	"github.com/gospmd/gospmd/internal/testing/golden"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/sharding"
)

func TestSuggestGolden(t *testing.T) {
	golden.Run(t, "testdata/*.txtar", 1, func(t *testing.T, a *txtar.Archive) map[string]string {
		m, err := ir.Parse(string(a.Files[0].Data))
		require.NoError(t, err)
		before := m.String()
		s, err := suggest.Find(m, suggest.Options{})
		require.NoError(t, err)
		w, err := suggest.Lint(m, suggest.Options{})
		require.NoError(t, err)
		require.Equal(t, before, m.String(), "the module changed")
		for _, x := range s.Best {
			require.Equal(t, costText(t, x.After), costText(t, costOfPasted(t, m, x)), "%v", x.Rules)
		}
		if s.ShardedUpdate != nil {
			sharded, err := suggest.Find(m, suggest.Options{Options: compile.Options{ShardedUpdate: true}})
			require.NoError(t, err)
			require.Equal(t, costText(t, sharded.Before), costText(t, *s.ShardedUpdate))
			require.Nil(t, sharded.ShardedUpdate)
		}
		return map[string]string{"suggestions": s.String(), "warnings": w.String()}
	})
}

// Lint with a Cache returns the same warnings as without it, in the first call and when they come
// from the cache. Other options have other entries.
func TestLintKept(t *testing.T) {
	t.Setenv(compile.DebugVar, "")
	before := cache.WorthKeeping
	cache.WorthKeeping = 0
	defer func() { cache.WorthKeeping = before }()
	kept := cache.NewMemory(1 << 30)
	var texts []string
	for range 2 {
		for _, weightsOnly := range []bool{false, true} {
			w, err := suggest.Lint(ir.MustParse(columnsTwice), suggest.Options{Options: compile.Options{Cache: kept}, WeightsOnly: weightsOnly})
			require.NoError(t, err)
			want, err := suggest.Lint(ir.MustParse(columnsTwice), suggest.Options{WeightsOnly: weightsOnly})
			require.NoError(t, err)
			text, err := json.Marshal(w)
			require.NoError(t, err)
			wantText, err := json.Marshal(want)
			require.NoError(t, err)
			require.JSONEq(t, string(wantText), string(text))
			require.Equal(t, want.String(), w.String())
			texts = append(texts, w.String())
		}
	}
	require.NotEmpty(t, texts[0])
	require.Equal(t, texts[:2], texts[2:])
}

// The memory of a program and of suggestions is that of a named machine, and without one that of
// the program's target.
func TestMemoryOfMachine(t *testing.T) {
	m := ir.MustParse(columnsTwice)
	target, err := hardware.ParseTarget("v5e:2x4")
	require.NoError(t, err)
	v5e, err := cost.MachineFor(target, m.Meshes[0].Mesh)
	require.NoError(t, err)
	for _, o := range []compile.Options{{}, {Platform: "tpu"}, {Machine: v5e}, {Machine: v5e, Platform: "cpu"}} {
		p, err := compile.Compile(t.Context(), m, o)
		require.NoError(t, err)
		want := report.New(p)
		if o.Machine != nil {
			want = report.NewFor(p, o.Machine)
		}
		s, err := suggest.Find(m, suggest.Options{Options: o})
		require.NoError(t, err)
		require.Equal(t, want.Memory.Peak, s.Before.Memory)
	}
}

// costText returns a cost as JSON.
func costText(t *testing.T, c suggest.Cost) string {
	text, err := json.Marshal(c)
	require.NoError(t, err)
	return string(text)
}

// costOfPasted returns the cost of m with the flags of a suggestion, which it reads as a shell and
// the command gospmd do. It does not compute Ops: that is the suggestion's. The test fails unless
// the suggestion's lines of Go say the same as its flags.
func costOfPasted(t *testing.T, m *ir.Module, x *suggest.Suggestion) suggest.Cost {
	m = m.Clone()
	layouts := layout.NewLayoutMap(m.Meshes[0].Mesh)
	for i, flag := range x.Flags {
		text, ok := strings.CutPrefix(flag, "-layout '")
		require.True(t, ok, flag)
		r, err := layout.ParseRule(strings.ReplaceAll(strings.TrimSuffix(text, "'"), `'\''`, "'"))
		require.NoError(t, err)
		require.NoError(t, layouts.Override(r.Key, r.Axes...))
		require.Equal(t, r.Line(), x.Lines[i])
	}
	require.NoError(t, sharding.Annotate(m, layouts))
	p, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	r := report.New(p)
	return suggest.Cost{Ops: x.After.Ops, Flops: r.Flops, Bytes: r.Bytes, Collectives: len(r.Collectives), Memory: r.Memory.Peak}
}

// Find refuses XLA's partitioner, because the collectives that it makes are not known. It searches
// (Tried is not 0) for a program that exceeds its budget, which Compile refuses. With WeightsOnly
// no suggestion has a rule for anything but kernels.
func TestOptions(t *testing.T) {
	m := ir.MustParse(columnsTwice)
	_, err := suggest.Find(m, suggest.Options{Options: compile.Options{Partitioner: compile.XLA}})
	require.ErrorContains(t, err, "use compile.SPMD")
	_, err = compile.Compile(t.Context(), m, compile.Options{Budget: report.Budget{Bytes: 1}})
	require.ErrorContains(t, err, "over budget")
	s, err := suggest.Find(m, suggest.Options{Options: compile.Options{Budget: report.Budget{Bytes: 1}}})
	require.NoError(t, err)
	require.NotZero(t, s.Tried)
	s, err = suggest.Find(m, suggest.Options{WeightsOnly: true})
	require.NoError(t, err)
	require.NotEmpty(t, s.Best)
	for _, x := range s.Best {
		require.NotEmpty(t, x.Rules)
		for _, r := range x.Rules {
			require.Contains(t, r.Key, "kernel")
		}
	}
	s, err = suggest.Find(m, suggest.Options{})
	require.NoError(t, err)
	require.True(t, slices.ContainsFunc(s.Best, func(x *suggest.Suggestion) bool {
		return slices.ContainsFunc(x.Rules, func(r layout.Rule) bool { return !strings.Contains(r.Key, "kernel") })
	}), "without WeightsOnly some suggestion has")
}

const columnsTwice = `
sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(
    %x: tensor<64x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("x"),
    %w1: tensor<4096x256xf32> {gospmd.role = "parameter", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>} loc("d1/kernel"),
    %w2: tensor<256x64xf32> {gospmd.role = "parameter", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>} loc("d2/kernel"))
    -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
  %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<64x4096xf32>, tensor<4096x256xf32>) -> tensor<64x256xf32> loc("d1")
  %r = stablehlo.tanh %h : tensor<64x256xf32> loc("d1")
  %y = stablehlo.dot_general %r, %w2, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x64xf32>) -> tensor<64x64xf32> loc("d2")
  return %y : tensor<64x64xf32>
}`

// The kernels of two layers are sharded by columns, which does not fit together: the second one
// should be sharded by rows.
func ExampleFind() {
	s, err := suggest.Find(ir.MustParse(columnsTwice), suggest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	best := s.Best[0]
	fmt.Println(best.Flags[0])
	fmt.Println(best.Lines[0])
	fmt.Printf("%d -> %d bytes sent\n", s.Before.Bytes, best.After.Bytes)
	// Output:
	// -layout 'd2/kernel=model,-'
	// layouts.Override("d2/kernel", "model", "")
	// 24576 -> 12288 bytes sent
}

// The warning names the conflict of a layout, and the rule that mends it.
func ExampleLint() {
	w, err := suggest.Lint(ir.MustParse(columnsTwice), suggest.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(w.Mends), "warning")
	what, why, _ := strings.Cut(w.Mends[0].Because[0], ": ")
	fmt.Println(what)
	fmt.Println(why)
	fmt.Println(w.Mends[0].Lines[0])
	// Output:
	// 1 warning
	// dimension 0 is not sharded by "model" as %1 stablehlo.tanh at d1 tensor<64x256xf32> is, beyond stablehlo.dot_general at d2
	// axis model shards dim 1 already, annotated on parameter d2/kernel: annotations are kept
	// layouts.Override("d2/kernel", "model", "")
}
