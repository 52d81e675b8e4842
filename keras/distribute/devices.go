package distribute

// This file takes devices by the names that TensorFlow has for them, and defines
// MultiGPUModel.

import (
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
)

// ListPhysicalDevices returns the names of all devices, or of those of one type:
// tf.config.list_physical_devices. For a type that the process does not use the
// list is empty.
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

// SetVisibleDevices makes the process use only these of its physical devices:
// tf.config.set_visible_devices. They become its devices 0, 1, … Call it before
// anything runs.
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

// MultiGPUModel replicates a model that was made for one device on several
// devices, which share each batch, and returns it: the multi_gpu_model that
// Keras had before strategies. gpus is the number of devices, at least 2, or a
// []int of their ids. They are devices of the process, also virtual CPU devices.
// Compile the model after it.
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
