package distribute_test

// This file runs strategies on devices of other types, played by virtual
// devices of the CPU.

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribute"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// played is an engine of CPU devices that says that it is of another platform, such as tpu.
type played struct {
	runtime.Engine
	platform string
}

func (p played) Platform() string { return p.platform }

// Load loads a program of the other platform on CPUs.
func (p played) Load(ctx context.Context, program *program.Program) (runtime.Loaded, error) {
	return p.Engine.Load(ctx, runtimetest.AnyTarget(program))
}

// play makes the process use n CPU devices that claim to be of another platform, until the test
// ends, and returns the client.
func play(t *testing.T, platform string, n int) *runtime.Client {
	t.Helper()
	cpu, err := runtime.Open(t.Context(), runtime.Options{Devices: n})
	require.NoError(t, err)
	c := runtime.NewClient(played{cpu.Engine(), platform})
	require.NoError(t, distribution.UseClient(c))
	t.Cleanup(func() { require.NoError(t, distribution.Close()) })
	return c
}

// TestTPUStrategy trains on all cores of an invented TPU: the strategy has one replica on each
// core, and the losses must be those of one device.
func TestTPUStrategy(t *testing.T) {
	c := play(t, "tpu", 4)
	single := model(t)
	compile(t, single)
	want := train(t, single)

	cores := []string{"tpu:0", "tpu:1", "tpu:2", "tpu:3"}
	got, err := distribute.ListPhysicalDevices("TPU")
	require.NoError(t, err)
	require.Equal(t, cores, got)
	got, err = distribute.ListPhysicalDevices("CPU")
	require.NoError(t, err)
	require.Empty(t, got)

	s, err := distribute.TPUStrategy()
	require.NoError(t, err)
	require.Equal(t, "TPUStrategy on batch=4", s.String())
	require.Equal(t, 4, s.NumReplicasInSync())
	require.Equal(t, []int{0, 1, 2, 3}, s.Distribution().DeviceMesh().Devices())
	var m *keras.Model
	require.NoError(t, s.Scope(func() error {
		m = model(t)
		compile(t, m)
		return nil
	}))
	require.InDeltaSlice(t, want, train(t, m), 1e-5)
	requireOn(t, m, 4)
	used, err := m.Client(t.Context())
	require.NoError(t, err)
	require.Same(t, c, used)

	some, err := distribute.MirroredStrategy("/job:worker/replica:0/task:0/device:TPU:3", "TPU:1")
	require.NoError(t, err)
	require.Equal(t, []int{3, 1}, some.Distribution().DeviceMesh().Devices())
	_, err = distribute.MirroredStrategy("tpu:4")
	require.ErrorContains(t, err, `there is no device "tpu:4": the process has 4 (tpu:0 to tpu:3): change the shape or the list of devices`)
	require.ErrorContains(t, distribute.SetVisibleDevices("tpu:0"), "set CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES or TPU_VISIBLE_CHIPS before the program starts")
}

// TestGPUs makes strategies of some GPUs of a process by TensorFlow's names. They must get these
// devices, and the losses of one device.
func TestGPUs(t *testing.T) {
	play(t, "cuda", 3)
	single := model(t)
	compile(t, single)
	want := train(t, single)
	got, err := distribute.ListPhysicalDevices("GPU")
	require.NoError(t, err)
	require.Equal(t, []string{"gpu:0", "gpu:1", "gpu:2"}, got)
	s, err := distribute.MirroredStrategy("/gpu:0", "/gpu:2")
	require.NoError(t, err)
	require.Equal(t, []int{0, 2}, s.Distribution().DeviceMesh().Devices())
	_, err = distribute.TPUStrategy()
	require.ErrorContains(t, err, `there are no devices of type "tpu": the process uses "gpu"`)
	m, err := distribute.MultiGPUModel(model(t), 2)
	require.NoError(t, err)
	compile(t, m)
	require.InDeltaSlice(t, want, train(t, m), 1e-5)
	requireOn(t, m, 2)
}
