package page_test

// This file tests that the curve, the peak, the buffers and the totals come from one memory model,
// and that the times of ops add up to the prediction.

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/page"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// programs returns modules by file name: of all golden files except those of errors, of JAX, and of
// training steps in benchmarks/aot, more of these in the long form.
func programs(t *testing.T) map[string]*ir.Module {
	t.Helper()
	out := map[string]*ir.Module{}
	golden, err := filepath.Glob("../testdata/*/*.txtar")
	require.NoError(t, err)
	more, err := filepath.Glob("../testdata/*.txtar")
	require.NoError(t, err)
	for _, name := range append(golden, more...) {
		a, err := txtar.ParseFile(name)
		require.NoError(t, err)
		if a.Files[0].Name != "in.mlir" || strings.Contains(name, "error_") {
			continue
		}
		m, err := ir.Parse(string(a.Files[0].Data))
		require.NoError(t, err, name)
		out[name] = m
	}
	for _, pattern := range []string{"../../cmd/gospmd/testdata/jax/*.mlir", "../../runtime/aot/testdata/*.mlir"} {
		names, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, names)
		for _, name := range names {
			out[name] = module(t, name)
		}
	}
	for _, name := range longtest.Pick([]string{"transformer"}, []string{"transformer", "conv_net", "mlp", "recommender", "resnet50_blocks", "transformer_moe"}) {
		out[name] = module(t, "../../benchmarks/aot/testdata/"+name+".mlir.gz")
	}
	return out
}

// machines returns nil, which stands for the default machine, and then the machines of TPUs and
// GPUs that have as many devices as the mesh of m; without a mesh only nil.
func machines(t *testing.T, m *ir.Module) []*cost.Machine {
	t.Helper()
	out := []*cost.Machine{nil}
	if len(m.Meshes) == 0 {
		return out
	}
	for _, name := range map[int][]string{1: {"h100:1"}, 2: {"v5p:2x1x1", "h100:2"}, 4: {"v5e:2x2", "h100:4"}, 8: {"v5e:2x4", "h100:8"}, 16: {"v5e:4x4", "h100:2x8"}}[m.Meshes[0].Mesh.Size()] {
		machine, err := cost.MachineNamed(name, m.Meshes[0].Mesh)
		if err != nil && m.Meshes[0].Mesh.Size() < 8 {
			continue // there is no such torus
		}
		require.NoError(t, err)
		out = append(out, machine)
	}
	return out
}

// The highest point of a page's memory curve is the peak, and the values in memory there add up to
// it, for all programs and machines. The short form has every other program.
func TestOnePeak(t *testing.T) {
	all := programs(t)
	require.Greater(t, len(all), 50)
	pages, scaled := 0, 0
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if i%2 == 1 && !longtest.Enabled() {
			continue
		}
		m := all[name]
		for _, machine := range machines(t, m) {
			e, err := compile.Explain(t.Context(), m.Clone(), compile.Options{Machine: machine})
			if err != nil || e.Err != nil {
				continue // the program is invalid
			}
			p, err := page.New(e, machine)
			require.NoError(t, err, name)
			pages++
			if p.Machine.Scale {
				scaled++
			}
			fixed, highest := 0, 0
			for _, bytes := range p.Memory.Fixed {
				fixed += bytes
			}
			for _, bytes := range p.Memory.Live {
				highest = max(highest, fixed+bytes)
			}
			require.Equal(t, p.Totals.Peak, highest, "%s on %s: the curve", name, p.Machine.Name)
			b, sum := p.Memory.Buffers, 0
			for i, bytes := range b.Bytes {
				require.LessOrEqual(t, b.First[i], b.Last[i])
				if b.Peak[i] == 1 {
					sum += bytes
					require.LessOrEqual(t, b.First[i], p.Memory.PeakOp, "%s on %s", name, p.Machine.Name)
					require.GreaterOrEqual(t, b.Last[i], p.Memory.PeakOp, "%s on %s", name, p.Machine.Name)
				}
			}
			require.Equal(t, p.Totals.Peak, sum, "%s on %s: the buffers", name, p.Machine.Name)
		}
	}
	t.Logf("%d pages, %d on machines with a scale", pages, scaled)
	require.Greater(t, pages, longtest.Pick(35, 70))
	require.Greater(t, scaled, longtest.Pick(10, 20))
}

// Only for a machine with a scale are there a roofline and times. The times sum up to the
// prediction if nothing overlaps.
func TestTimes(t *testing.T) {
	m := transformer(t, mesh.MustParse("data=2,model=4"), 2)
	require.Empty(t, makePage(t, m.Clone()).Kernels.Op)
	machine, err := cost.MachineNamed("v5e:2x4", m.Meshes[0].Mesh)
	require.NoError(t, err)
	machine.Overlap = false
	e, err := compile.Explain(t.Context(), m, compile.Options{Machine: machine})
	require.NoError(t, err)
	p, err := page.New(e, machine)
	require.NoError(t, err)
	require.NotEmpty(t, p.Kernels.Op)
	total := 0.0
	for at, time := range p.Ops.Time {
		total += float64(time) * float64(p.Ops.Runs[at]) * 1e-12
	}
	require.InEpsilon(t, p.Totals.Seconds, total, 1e-4)
}
