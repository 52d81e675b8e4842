package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/aot"
	targets "github.com/gospmd/gospmd/target"
)

// TestMain runs the tests. A process that package aot has started as its compiler serves
// compilations instead, and never reaches the tests (aot.Serve).
func TestMain(m *testing.M) {
	aot.Serve()
	os.Exit(m.Run())
}

// compiledStep is a key of programs: the name of a step, the text of a target such as v5e:4x4, and
// the partitioner.
type compiledStep struct {
	name, target string
	by           compile.Partitioner
}

// programs keeps the programs that compiled has compiled, by step, target and partitioner.
var programs = map[compiledStep]*program.Program{}

// compiled returns the program that compileStep makes for the named step, the target and the
// partitioner. It compiles each only once.
func compiled(t *testing.T, name string, on hardware.Target, by compile.Partitioner) *program.Program {
	key := compiledStep{name, on.String(), by}
	if programs[key] == nil {
		p, err := compileStep(name, on, compile.Options{Partitioner: by})
		require.NoError(t, err, "%s for %s", name, on)
		programs[key] = p
	}
	return programs[key]
}

// targetsOf returns the targets that the step with this number is compiled for: both in the long
// form, and one of them in the short form.
func targetsOf(step int) []string {
	all := []string{"v5e:4x4", "h100:8"}
	return longtest.Pick(all[step%2:][:1], all)
}

// Every step compiles for its targets, by both partitioners, and donates all of its state. Our sums
// and gathers have one operand each there. The short form has half of the steps.
func TestSteps(t *testing.T) {
	for i, name := range stepNames {
		if i%4 >= 2 && !longtest.Enabled() {
			continue
		}
		for _, target := range targetsOf(i) {
			on, err := hardware.ParseTarget(target)
			require.NoError(t, err)
			for _, by := range []compile.Partitioner{compile.SPMD, compile.XLA} {
				p := compiled(t, name, on, by)
				require.Equal(t, on.Devices(), p.Mesh.Size())
				require.Empty(t, p.Diagnostics)
				donated := 0
				for _, in := range p.Inputs {
					if in.Alias >= 0 {
						donated++
					}
				}
				require.Equal(t, len(p.Outputs)-1, donated, "all results but the loss take over an input's memory")
				if by == compile.XLA {
					continue
				}
				m, err := ir.Parse(string(targets.Of(on.Chip.Platform).Text(p)))
				require.NoError(t, err)
				m.Main().Walk(func(op *ir.Op) {
					if op.Kind == ir.OpAllReduce || op.Kind == ir.OpAllGather {
						require.Len(t, op.Operands, 1)
					}
				})
			}
		}
	}
	_, err := readStep("gru", false)
	require.ErrorContains(t, err, `step "gru": want one of ["mlp"`)
	on, err := hardware.ParseTarget("v5e:1x1")
	require.NoError(t, err)
	_, err = compileStep("mlp", on, compile.Options{})
	require.ErrorContains(t, err, "want a multiple of 4")
}

// TestNarrow requires that a transformer in bf16 sends less than a fiftieth as many bytes in f32 as
// in bf16: the gradients of normalizations and the sums of losses.
func TestNarrow(t *testing.T) {
	on, err := hardware.ParseTarget("v5e:4x4")
	require.NoError(t, err)
	p := compiled(t, "transformer", on, compile.SPMD)
	sent := map[dtypes.DType]int{}
	for _, c := range cost.Collectives(p.Mesh, p.Module.Main()) {
		sent[c.Op.Operands[0].Type.DType] += c.Total()
	}
	require.Less(t, float64(sent[dtypes.Float32]), 0.02*float64(sent[dtypes.BFloat16]), "%v", sent)
}

// A figure of our program that is worse than that of XLA's program is an error of check, unless
// known has a reason for it.
func TestWorse(t *testing.T) {
	r := result{Step: "mlp", Target: "t", Ours: figures{Sent: 1004, Flops: 102, Peak: 502, Seconds: 1.004}, XLA: figures{Sent: 1000, Flops: 100, Peak: 500, Seconds: 1}}
	require.Empty(t, r.worseFigures())
	require.NoError(t, check([]result{r}))
	for what, change := range map[string]func(*figures){
		"sent": func(f *figures) { f.Sent = 1006 }, "flops": func(f *figures) { f.Flops = 103 }, "peak": func(f *figures) { f.Peak = 503 }, "time": func(f *figures) { f.Seconds = 1.006 },
	} {
		worse := r
		change(&worse.Ours)
		require.Equal(t, []string{what}, worse.worseFigures())
		require.ErrorContains(t, check([]result{worse}), "mlp t "+what)
		var out bytes.Buffer
		require.NoError(t, write(&out, []result{worse}))
		require.Contains(t, out.String(), "worse: mlp t "+what)
	}
	for key, why := range known {
		parts := strings.Fields(strings.Replace(key, " sharded update:", "", 1))
		require.Len(t, parts, 3, key)
		require.Contains(t, stepNames, parts[0])
		require.Contains(t, []string{"sent", "flops", "peak", "time"}, parts[2])
		require.NotEmpty(t, why)
	}
}

// This tests the bytes that collectives in groups of four send, by the formulas of package cost.
func TestSent(t *testing.T) {
	for kind, want := range map[string]int{"all-reduce": 96, "all-gather": 48, "reduce-scatter": 192, "all-to-all": 48, "collective-permute": 64} {
		require.Equal(t, want, sentBytes(aot.Collective{Kind: kind, Bytes: 64, GroupSize: 4}), kind)
	}
}

// TestMeasure compiles a step for TPUs by both partitioners. The arguments of both programs must
// take the same bytes, ours predicted exactly; our program must compute less than XLA's, send
// something, and have a peak within 15 % of the predicted one.
func TestMeasure(t *testing.T) {
	var out bytes.Buffer
	err := run(context.Background(), []string{"-target", "v5e:4x4", "-steps", "mlp", "-json"}, &out)
	if errors.Is(err, aot.ErrNoPlugin) {
		needs.Plugin(t, "tpu", err)
	}
	require.NoError(t, err)
	var got []result
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	require.Len(t, got, 1)
	require.Equal(t, got[0].XLA.Arguments, got[0].Ours.Arguments)
	require.Positive(t, got[0].Ours.Sent)
	require.Less(t, got[0].Ours.Flops, got[0].XLA.Flops)
	require.Equal(t, got[0].Ours.Arguments, got[0].Ours.PredictedArguments)
	require.InEpsilon(t, got[0].Ours.Peak, got[0].Ours.Predicted, 0.15)
}
