package memory_test

// This file measures the search and all of Fit on transformers.

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
)

// transformer returns the compiled training step of a transformer with that many blocks, on a mesh
// of 8x1 of devices like machine's.
func transformer(b *testing.B, blocks int, machine *cost.Machine) *program.Program {
	require.NoError(b, distribution.Initialize(b.Context(), distribution.Options{Platform: hardware.CPU, Devices: steps.Devices}))
	sizes := steps.Transformer{Blocks: blocks, Features: 32, Heads: 4, Sequence: 64, Words: 64, Batch: 64}
	m, err := sizes.Model("transformer").Record([]int{8, 1})
	require.NoError(b, err)
	p, err := compile.Compile(b.Context(), m, compile.Options{Platform: machine.Platform, Machine: machine})
	require.NoError(b, err)
	return p
}

// cpuSeconds returns the time that this process has computed, on all cores.
func cpuSeconds(b *testing.B) float64 {
	var used syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}

// BenchmarkTransformer shows how the time and the memory of the search, and of all of Fit, grow with
// the layers: on CPUs, and on TPUs, which can move values to the host. Each must fit into 0.7 of the
// predicted peak. The metric cpu-s/op is the time of all cores, which other processes do not change.
func BenchmarkTransformer(b *testing.B) {
	tpus, err := hardware.ParseTarget("v5e:2x4")
	require.NoError(b, err)
	v5e, err := cost.MachineFor(tpus, mesh.MustParse("data=8,model=1"))
	require.NoError(b, err)
	for _, on := range []struct {
		name    string
		machine *cost.Machine
		host    bool
	}{{"cpu", cost.Host(), false}, {"v5e", v5e, true}} {
		for _, blocks := range []int{32, 64, 126} {
			p := transformer(b, blocks, on.machine)
			f := p.Module.Main()
			o := memory.Options{Machine: on.machine, Mesh: p.Mesh, Donated: func(int) int { return -1 }, HostMemory: on.host, KeepsBarriers: on.host}
			b.Run(fmt.Sprintf("%s/peak/%d blocks", on.name, blocks), func(b *testing.B) {
				for b.Loop() {
					o.Machine.MemoryOf(f, o.Donated)
				}
			})
			problem := memory.ProblemOf(f, o, 0.7)
			values, moves := problem.Size()
			b.Run(fmt.Sprintf("%s/search/%d blocks, %d values, %d of them may move", on.name, blocks, values, moves), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					_, fits := problem.Solve()
					require.True(b, fits)
				}
			})
			b.Run(fmt.Sprintf("%s/fit/%d blocks", on.name, blocks), func(b *testing.B) {
				b.ReportAllocs()
				o.Limit = o.Machine.MemoryOf(f, o.Donated).Peak() * 7 / 10
				start := cpuSeconds(b)
				for b.Loop() {
					_, fitting, err := memory.Fit(f, o)
					require.NoError(b, err)
					require.LessOrEqual(b, fitting.After, o.Limit)
				}
				b.ReportMetric((cpuSeconds(b)-start)/float64(b.N), "cpu-s/op")
			})
		}
	}
}
