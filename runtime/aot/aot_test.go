package aot_test

// This file compiles with the real compilers, if they are installed (gospmd doctor -install
// tpu,cuda).

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/aot"
	"github.com/gospmd/gospmd/runtime/plugin"
	"github.com/gospmd/gospmd/sharding"
)

// TestMain makes the test binary usable as the compiler's child process.
func TestMain(m *testing.M) {
	aot.Serve()
	os.Exit(m.Run())
}

const transformer = "../../benchmarks/memory/testdata/transformer_4.mlir"

// compileFile returns the program of the module in a file, partitioned for the mesh on, such as
// data=2,model=4. "" stands for the file's own mesh.
func compileFile(t *testing.T, file, on string) *program.Program {
	t.Helper()
	m, err := ir.ParseFile(file)
	require.NoError(t, err)
	if on != "" {
		require.NoError(t, sharding.Remesh(m, mesh.MustParse(on)))
	}
	p, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	return p
}

func target(t *testing.T, name string) hardware.Target {
	t.Helper()
	to, err := hardware.ParseTarget(name)
	require.NoError(t, err)
	return to
}

// compileFor compiles p for a target, or skips the test if its compiler is not there.
func compileFor(t *testing.T, p *program.Program, name string) (*aot.Executable, error) {
	t.Helper()
	e, err := aot.Compile(t.Context(), p, target(t, name), aot.Options{})
	if errors.Is(err, aot.ErrNoPlugin) {
		needs.Plugin(t, target(t, name).Chip.Platform, err)
	}
	return e, err
}

// inputBytes returns the sum of the sizes of p's inputs on a device, by the function size.
func inputBytes(p *program.Program, size func(ir.Type) int) (n int) {
	for _, in := range p.Inputs {
		n += size(in.Local)
	}
	return n
}

// bytesOnTPU is what a tensor takes there: the dimension that varies fastest is padded to 128,
// the next one to 8 (fewer where it has fewer), and all to 512 bytes; which dimensions
// those are, libtpu chooses such that the least is padded.
func bytesOnTPU(t ir.Type) int {
	up := func(n, to int) int { return (n + to - 1) / to * to }
	least := math.MaxInt
	dims := append(slices.Repeat([]int{1}, max(0, 2-len(t.Dims))), t.Dims...)
	for i, fastest := range dims {
		for j, next := range dims {
			if i == j {
				continue
			}
			n := up(fastest, 128) * up(next, min(8, 1<<int(math.Ceil(math.Log2(float64(next))))))
			for k, other := range dims {
				if k != i && k != j {
					n *= other
				}
			}
			least = min(least, n)
		}
	}
	return up(least*t.DType.Size(), 512)
}

// TestTrainingSteps compiles training steps for absent TPUs and GPUs. Our bytes of parameters,
// optimizer and data must be exactly the compilers' argument bytes, and the memory must be below
// the limit. There must be collectives, and on TPUs figures of operations and time. Save and Open
// must give the same Executable.
func TestTrainingSteps(t *testing.T) {
	type step struct{ file, mesh, target string }
	quick, mlp := filepath.Join("testdata", "quickstart.mlir"), filepath.Join("testdata", "mlp.mlir")
	steps := []step{{quick, "", "v5e:2x4"}, {mlp, "", "h100:8"}}
	if longtest.Enabled() {
		steps = nil
		for _, file := range []string{quick, mlp, transformer} {
			steps = append(steps, step{file, "", "v5e:2x4"}, step{file, "data=16,model=16", "v5e:16x16"})
		}
		steps = append(steps, step{quick, "", "h100:8"}, step{mlp, "", "h100:8"}) // the transformer takes half a minute
	}
	for _, s := range steps {
		t.Run(filepath.Base(s.file)+" for "+s.target, func(t *testing.T) {
			p := compileFile(t, s.file, s.mesh)
			e, err := compileFor(t, p, s.target)
			require.NoError(t, err)
			size := ir.Type.MemoryBytes
			if e.Target.Chip.Platform == "tpu" {
				size = bytesOnTPU
				require.Positive(t, e.Flops)
				require.Positive(t, e.BytesAccessed)
				require.Positive(t, e.EstimatedSeconds)
			}
			require.Equal(t, inputBytes(p, size), e.Memory.Arguments)
			require.Less(t, e.Memory.Required(), e.MemoryLimit)
			require.NotEmpty(t, e.Collectives)
			t.Log("\n" + e.String())

			file := filepath.Join(t.TempDir(), "step.aot")
			require.NoError(t, e.Save(file))
			again, err := aot.Open(file)
			require.NoError(t, err)
			require.Equal(t, e, again)
			require.NotEmpty(t, again.Serialized)
		})
	}
}

// large returns a program for one device with 16 GiB of inputs and a result of 4 GiB.
const large = `module @large {
  func.func @main(%a: tensor<32768x32768xf32> loc("a"), %b: tensor<32768x32768xf32> loc("b"), %c: tensor<32768x32768xf32> loc("c"), %d: tensor<32768x32768xf32> loc("d")) -> tensor<32768x32768xf32> {
    %0 = stablehlo.add %a, %b : tensor<32768x32768xf32> loc("block0/add")
    %1 = stablehlo.add %0, %c : tensor<32768x32768xf32> loc("block1/add")
    %2 = stablehlo.add %1, %d : tensor<32768x32768xf32> loc("block2/add")
    return %2 : tensor<32768x32768xf32>
  }
}`

func TestModelTooLarge(t *testing.T) {
	m, err := ir.Parse(large)
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	_, err = compileFor(t, p, "v5e:1x1")
	var oom *aot.OutOfMemoryError
	require.ErrorAs(t, err, &oom)
	require.Greater(t, oom.Required, oom.Limit)
	require.InDelta(t, 15.75*(1<<30), oom.Limit, 1<<24)
	require.Equal(t, aot.Tensor{Bytes: 4 << 30, Shape: "32768x32768xf32", Layer: "input a"}, oom.Largest[0])
	t.Log(err)
}

// Several compilations for TPUs, two or in the long form four, can run at the same time without
// errors.
func TestConcurrent(t *testing.T) {
	if _, err := plugin.Find(t.Context(), plugin.Options{Platform: "tpu"}); err != nil {
		needs.Plugin(t, "tpu", err)
	}
	needs.Cgo(t, runtime.HasPJRT)
	p := compileFile(t, filepath.Join("testdata", "quickstart.mlir"), "")
	var wg sync.WaitGroup
	for range longtest.Pick(2, 4) {
		wg.Go(func() {
			_, err := aot.Compile(context.Background(), p, target(t, "v5e:2x4"), aot.Options{})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// TestTargets compiles the quickstart's step for a TPU, in the long form for targets of most chips.
// The compiler's limit of memory must be the one that package hardware has, within 2%.
func TestTargets(t *testing.T) {
	targets := []string{"v6e:2x4"}
	if longtest.Enabled() {
		targets = []string{"v4:2x2x2", "v5p:2x2x2", "v6e:2x4", "tpu7x:2x2x1", "a100:8", "a100-40g:8", "h100:2x4", "h200:8", "b200:8", "gb200:8", "l4:8"}
	}
	p := compileFile(t, filepath.Join("testdata", "quickstart.mlir"), "")
	for _, name := range targets {
		t.Run(name, func(t *testing.T) {
			e, err := compileFor(t, p, name)
			require.NoError(t, err)
			require.InEpsilon(t, e.Target.Chip.UsableMemory(), e.MemoryLimit, 0.02, "what programs may use")
		})
	}
}
