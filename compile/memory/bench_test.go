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
	"github.com/gospmd/gospmd/program"
)

// transformer returns the compiled training step of a transformer with that many blocks, on a mesh
// of 8x1.
func transformer(b *testing.B, blocks int) *program.Program {
	require.NoError(b, distribution.Initialize(b.Context(), distribution.Options{Platform: hardware.CPU, Devices: steps.Devices}))
	sizes := steps.Transformer{Blocks: blocks, Features: 32, Heads: 4, Sequence: 64, Words: 64, Batch: 64}
	m, err := sizes.Model("transformer").Record([]int{8, 1})
	require.NoError(b, err)
	p, err := compile.Compile(b.Context(), m, compile.Options{})
	require.NoError(b, err)
	return p
}

// cpuSeconds returns the time that this process has computed, on all cores.
func cpuSeconds(b *testing.B) float64 {
	var used syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}

// BenchmarkTransformer shows how the time of the search, and of all of Fit, grows with the layers.
// Each must fit into 0.7 of the predicted peak. The metric cpu-s/op is the time of all cores, which
// other processes do not change.
func BenchmarkTransformer(b *testing.B) {
	for _, blocks := range []int{32, 64, 126} {
		p := transformer(b, blocks)
		f := p.Module.Main()
		machine := cost.Host()
		problem := memory.ProblemOf(f, machine, p.Mesh, 0.7)
		b.Run(fmt.Sprintf("search/%d blocks, %d values", blocks, problem.Size()), func(b *testing.B) {
			for b.Loop() {
				_, fits := problem.Solve()
				require.True(b, fits)
			}
		})
		b.Run(fmt.Sprintf("fit/%d blocks", blocks), func(b *testing.B) {
			alone := func(int) int { return -1 }
			limit := machine.MemoryOf(f, alone).Peak() * 7 / 10
			start := cpuSeconds(b)
			for b.Loop() {
				_, fitting, err := memory.Fit(f, memory.Options{Limit: limit, Machine: machine, Mesh: p.Mesh, Donated: alone})
				require.NoError(b, err)
				require.LessOrEqual(b, fitting.After, limit)
			}
			b.ReportMetric((cpuSeconds(b)-start)/float64(b.N), "cpu-s/op")
		})
	}
}
