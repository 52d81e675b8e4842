package distribute

// This file defines Strategy, the strategies that replicate the model on every device, and
// MultiGPUModel. Devices are given by their TensorFlow names.

import (
	"context"
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
)

// Strategy is a distribution of models over devices: tf.distribute.Strategy.
type Strategy struct {
	name         string
	distribution distribution.Distribution
}

// NewStrategy returns the strategy of a distribution, such as a ModelParallel. TensorFlow has no
// strategy for that one. nil is an error.
func NewStrategy(d distribution.Distribution) (*Strategy, error) {
	if d == nil {
		return nil, fmt.Errorf("distribute: NewStrategy got no distribution, want one, such as distribution.NewModelParallel returns")
	}
	return &Strategy{"Strategy", d}, nil
}

// Scope calls f with the strategy's distribution as the current one, and returns f's error. Models
// that f makes or compiles use this distribution, also after Scope.
func (s *Strategy) Scope(f func() error) error { return distribution.Scope(s.distribution, f) }

// NumReplicasInSync returns the number of shards of a global batch. Multiply the
// batch size of one device by it to get the global one.
func (s *Strategy) NumReplicasInSync() int { return s.distribution.NumModelReplicas() }

// Distribution returns the distribution of the strategy, which Scope makes current.
func (s *Strategy) Distribution() distribution.Distribution { return s.distribution }

// String returns the name of the strategy and its mesh.
func (s *Strategy) String() string {
	return fmt.Sprintf("%s on %s", s.name, s.distribution.DeviceMesh())
}

// MirroredStrategy replicates the model on each of the devices and shards batches over them:
// tf.distribute.MirroredStrategy. devices have TensorFlow's names, such as /gpu:0, or those of
// ListPhysicalDevices; an unknown one is an error. Without arguments it uses all devices; in a job
// of several processes, the devices of all processes.
func MirroredStrategy(devices ...string) (*Strategy, error) {
	return mirrored("MirroredStrategy", devices)
}

// TPUStrategy is MirroredStrategy on all TPU cores of the process: tf.distribute.TPUStrategy. A
// process uses one platform, which must be set to TPU before anything runs, instead of TensorFlow's
// resolver and initialize_tpu_system. On another platform it is an error.
//
//	err := distribution.Initialize(ctx, distribution.Options{Platform: "tpu"})
//	strategy, err := distribute.TPUStrategy()
func TPUStrategy() (*Strategy, error) {
	devices, err := distribution.ListDevices("tpu")
	if err != nil {
		return nil, fmt.Errorf("distribute: TPUStrategy: %w", err)
	}
	return mirrored("TPUStrategy", devices)
}

func mirrored(name string, devices []string) (*Strategy, error) {
	var opts []distribution.Option
	if len(devices) > 0 {
		opts = append(opts, distribution.Devices(names(devices)...))
	}
	d, err := distribution.NewDataParallel(opts...)
	if err != nil {
		return nil, fmt.Errorf("distribute: %s: %w", name, err)
	}
	return &Strategy{name, d}, nil
}

// MultiWorkerMirroredStrategy is MirroredStrategy on the devices of all processes of a job:
// tf.distribute.MultiWorkerMirroredStrategy. It calls distribution.Initialize unless the program
// has called it. Initialize finds the job in TF_CONFIG, or in the environment of a scheduler. In
// TF_CONFIG the chief is process 0, or worker 0 if there is no chief. Without a job the strategy
// uses the devices of this process.
//
// It opens the client. This waits until all processes have connected, or ctx is done. All processes
// must run the same program, and end with distribution.Close.
func MultiWorkerMirroredStrategy(ctx context.Context) (*Strategy, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("distribute: %w", err)
	}
	if !distribution.IsInitialized() {
		if err := distribution.Initialize(ctx, distribution.Options{}); err != nil {
			return nil, fmt.Errorf("distribute: MultiWorkerMirroredStrategy: %w", err)
		}
	}
	return mirrored("MultiWorkerMirroredStrategy", nil)
}

// ListPhysicalDevices returns the names of all devices of this process, or of those of one type, in
// upper or lower case: tf.config.list_physical_devices. The list is empty if the process does not
// use that type. Several types are an error.
func ListPhysicalDevices(deviceType ...string) ([]string, error) {
	all, err := distribution.ListPhysicalDevices()
	if err != nil {
		return nil, err
	}
	switch len(deviceType) {
	case 0:
		return all, nil
	case 1:
		var out []string
		for _, name := range all {
			if typ, _, _ := strings.Cut(name, ":"); strings.EqualFold(typ, deviceType[0]) {
				out = append(out, name)
			}
		}
		return out, nil
	}
	return nil, fmt.Errorf("distribute: ListPhysicalDevices got %d device types, want at most one", len(deviceType))
}

// SetVisibleDevices makes the process use only these of its physical devices, by TensorFlow's
// names: tf.config.set_visible_devices. They become its devices 0, 1, … Call it before anything
// runs. The errors are those of distribution.SetVisibleDevices, which does it.
func SetVisibleDevices(devices ...string) error {
	return distribution.SetVisibleDevices(names(devices)...)
}

// names converts TensorFlow's device names (/gpu:0, GPU:0,
// /job:localhost/replica:0/task:0/device:GPU:0) to those of package
// distribution.
func names(devices []string) []string {
	out := make([]string, len(devices))
	for i, d := range devices {
		d = d[strings.LastIndexByte(d, '/')+1:]
		d = strings.ToLower(d)
		d = strings.TrimPrefix(d, "device:")
		out[i] = strings.TrimPrefix(d, "physical_device:")
	}
	return out
}

// MultiGPUModel replicates a model that was made for one device on several devices, and returns it:
// the same model, which is then bound to them. The devices share each batch. It is the
// multi_gpu_model that Keras had before strategies. gpus is the number of devices, at least 2, or a
// []int of their ids; anything else, and ids that no device has, are errors. They are devices of
// this process, and may be virtual CPU devices. Compile the model afterwards.
func MultiGPUModel(model *keras.Model, gpus any) (*keras.Model, error) {
	fail := func(err error) (*keras.Model, error) { return nil, fmt.Errorf("distribute: MultiGPUModel: %w", err) }
	var ids []int
	switch g := gpus.(type) {
	case int:
		for id := range max(g, 0) {
			ids = append(ids, id)
		}
	case []int:
		ids = g
	default:
		return fail(fmt.Errorf("got gpus as %T, want their number, such as 2, or their ids, such as []int{0, 1}", gpus))
	}
	if len(ids) < 2 {
		return fail(fmt.Errorf("got gpus %v, want at least 2: one device needs no distribution", gpus))
	}
	all, err := distribution.ListDevices()
	if err != nil {
		return fail(err)
	}
	devices := make([]string, len(ids))
	for i, id := range ids {
		if id < 0 || id >= len(all) {
			return fail(fmt.Errorf("got gpus %v, the process has %d devices, %s to %s: ask for fewer, or call distribution.Initialize with more virtual devices before anything runs",
				gpus, len(all), all[0], all[len(all)-1]))
		}
		devices[i] = all[id]
	}
	d, err := distribution.NewDataParallel(distribution.Devices(devices...))
	if err != nil {
		return fail(err)
	}
	if err := model.Distribute(d); err != nil {
		return fail(err)
	}
	return model, nil
}
