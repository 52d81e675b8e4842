package keras_test

import (
	"fmt"
	"io"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/optimizers"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// wide is the outcome of training a model of wide layers.
type wide struct {
	losses  []float64
	program *program.Program
	memory  runtime.MemoryStats
	step    time.Duration // the time of a step, compilation left out
}

// trainWide trains a model of eight layers of 2048 units, whose activations take most of the memory
// of a step, for 20 steps. The rate is low: with Adam's own rate the losses rise to 20, and rounding
// changes them by percents.
func trainWide(t *testing.T, opts ...keras.CompileOption) wide {
	t.Helper()
	const samples, features = 8192, 2048
	layers.ClearSession()
	x := keras.Input([]int{features})
	y := x
	for i := range 8 {
		y = y.Apply(layers.Dense(features, layers.Activation("gelu"), layers.Name(fmt.Sprint("wide_", i)),
			layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(i)))))
	}
	m := model(t, x, y.Apply(layers.Dense(1, layers.Name("out"), layers.KernelInitializer(initializers.GlorotUniform(initializers.Seed(9))))))
	client := runtimetest.Open(t, 1)
	require.NoError(t, m.Compile(append(opts, keras.Loss("mse"), keras.Optimizer(optimizers.Adam(optimizers.LearningRate(1e-4))), keras.Client(client), keras.StepsPerExecution(1), quiet)...))
	in, out := make([][]float32, samples), make([][]float32, samples)
	for i := range in {
		in[i], out[i] = make([]float32, features), []float32{float32(math.Sin(float64(i)))}
		for k := range in[i] {
			in[i][k] = float32((i*7+k*k)%13-6) / 8
		}
	}
	fit := func(epochs int) ([]float64, time.Duration) {
		began := time.Now()
		h, err := m.Fit(t.Context(), in, out, keras.BatchSize(samples), keras.Epochs(epochs), keras.Shuffle(false), keras.Output(io.Discard))
		require.NoError(t, err)
		return h.Logs["loss"], time.Since(began)
	}
	losses, _ := fit(3)
	more, took := fit(17)
	exe, err := client.Load(t.Context(), m.Programs()[0])
	require.NoError(t, err)
	defer exe.Close()
	stats, err := exe.Memory()
	require.NoError(t, err)
	return wide{append(losses, more...), m.Programs()[0], stats, took / 17}
}

// On GPUs and TPUs, a step that computes values again, or moves values or the optimizer's slots to
// the memory of the host, trains as one that keeps them on the device, in less of its memory, as
// the device's own compiler says.
func TestLessMemoryOfAccelerators(t *testing.T) {
	if !runtimetest.Accelerated() {
		needs.Skip(t, "a GPU or a TPU", "run with GOSPMD_PLATFORM=cuda on a machine that has one", nil)
	}
	policy := func(action program.Action) keras.CompileOption {
		p := memory.NewPolicies()
		require.NoError(t, p.Set("wide_.*", action))
		return keras.MemoryPolicies(p)
	}
	whole := trainWide(t)
	peak := report.New(whole.program).Memory.Peak
	t.Logf("whole: predicted %d, %+v, %v a step, last loss %g", peak, whole.memory, whole.step, whole.losses[19])
	d, err := distribution.NewDataParallel(distribution.Mesh(mesh.MustParse("batch=1")), distribution.OffloadOptimizer())
	require.NoError(t, err)
	for _, tc := range []struct {
		name  string
		scope func(f func() error) error
		opts  []keras.CompileOption
		part  float64
	}{
		{"recomputed", unscoped, []keras.CompileOption{policy(memory.Recompute)}, 0.75},
		{"moved", unscoped, []keras.CompileOption{policy(memory.Offload)}, 0.7},
		{"slots moved", func(f func() error) error { return distribution.Scope(d, f) }, nil, 0.9},
		{"limit .8", unscoped, []keras.CompileOption{keras.Memory(fmt.Sprint(peak * 8 / 10))}, 0.85},
		{"limit .6", unscoped, []keras.CompileOption{keras.Memory(fmt.Sprint(peak * 6 / 10))}, 0.65},
		{"limit .6 in one batch", unscoped, []keras.CompileOption{keras.Memory(fmt.Sprint(peak * 6 / 10)), keras.MicroBatches(1)}, 0.65},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.NoError(t, tc.scope(func() error {
				got := trainWide(t, tc.opts...)
				t.Logf("predicted %d of %d, %+v, %v of %v a step, last loss %g", report.New(got.program).Memory.Peak, peak, got.memory, got.step, whole.step, got.losses[19])
				t.Logf("%s", report.New(got.program))
				require.InEpsilonSlice(t, whole.losses, got.losses, 1e-3)
				require.LessOrEqual(t, float64(got.memory.Required()), tc.part*float64(whole.memory.Required()))
				return nil
			}))
		})
	}
}
