package distribution

// This file chooses which of the machine's devices the process uses.

import (
	"context"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/runtime"
)

// ListPhysicalDevices returns the names of all devices, also of those that
// SetVisibleDevices leaves out: tf.config.list_physical_devices. It takes at
// most one type, as ListDevices does.
func ListPhysicalDevices(deviceType ...string) ([]string, error) {
	typ, n, err := physicalDevices()
	if err != nil {
		return nil, err
	}
	return deviceNames(typ, n, deviceType)
}

// SetVisibleDevices lets the process use only these of its physical devices:
// tf.config.set_visible_devices. From then on they are its devices 0, 1, … in
// the order given, and ListDevices, meshes and strategies know no others. It
// must come before the first model runs.
//
// It chooses among the virtual devices of the CPU. The drivers of others read
// an environment variable when they are loaded, which the error names.
func SetVisibleDevices(names ...string) error {
	typ, n, err := physicalDevices()
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return fmt.Errorf("distribution: SetVisibleDevices got no devices, want some of %s", deviceRange(typ, n))
	}
	for i, name := range names {
		if _, err := deviceID(name, typ, n); err != nil {
			return err
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("distribution: SetVisibleDevices got %q twice, want each device once", name)
		}
	}
	if typ != "cpu" {
		return fmt.Errorf("distribution: SetVisibleDevices cannot choose among devices of type %q: set CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES or TPU_VISIBLE_CHIPS before the program starts", typ)
	}
	process.Lock()
	defer process.Unlock()
	if process.client != nil && !slices.Equal(names, process.visible) {
		return fmt.Errorf("distribution: SetVisibleDevices comes too late, the process runs on its devices already: call it before anything runs")
	}
	process.visible = slices.Clone(names)
	return nil
}

// physicalDevices returns type and number of all devices. It opens the client
// only where that is the only way to know.
func physicalDevices() (typ string, n int, err error) {
	process.Lock()
	o, err := options()
	process.Unlock()
	if err != nil {
		return "", 0, err
	}
	typ = o.Platform
	if t, ok := deviceTypes[typ]; ok {
		typ = t
	}
	if o.Platform == "cpu" {
		return typ, o.Devices, nil
	}
	var c *runtime.Client
	if c, err = Client(context.Background()); err != nil {
		return "", 0, err
	}
	return typ, len(c.Devices()), nil
}
