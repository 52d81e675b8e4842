package distribute

// This file takes devices by the names that TensorFlow has for them.

import (
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/keras/distribution"
)

// ListPhysicalDevices returns the names of all devices, of one type or of any:
// tf.config.list_physical_devices. A type that the process does not use has
// none.
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

// SetVisibleDevices lets the process use only these of its physical devices:
// tf.config.set_visible_devices. They become its devices 0, 1, … It must come
// before anything runs.
func SetVisibleDevices(devices ...string) error {
	return distribution.SetVisibleDevices(names(devices)...)
}

// names brings TensorFlow's ways to write a device (/gpu:0, GPU:0,
// /job:localhost/replica:0/task:0/device:GPU:0) to the one way of package
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
