package distribution

// This file names devices as Keras does, cpu:0, and chooses which of the machine's
// devices the process uses.

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/suggest"
)

// deviceTypes maps platforms of package runtime to Keras' names of their
// devices. Devices of other platforms are named after the platform.
var deviceTypes = map[string]string{hardware.CUDA: "gpu", "rocm": "gpu"}

// ListDevices returns the names of the devices: cpu:0, cpu:1, … It takes at most one type of
// device, "cpu", "gpu" or "tpu". All devices of a process have one type; any other type is an
// error.
//
// In a job of several processes these are the devices of all of them, those of process 0 first. A
// process does not know the devices of the others, so ListDevices opens the client and waits for
// them. In one process, virtual CPU devices are listed without opening a client.
func ListDevices(deviceType ...string) ([]string, error) {
	typ, n, err := devices()
	if err != nil {
		return nil, err
	}
	return deviceNames(typ, n, deviceType)
}

// GetDeviceCount returns the number of devices that ListDevices lists, and has its errors:
// keras.distribution.get_device_count.
func GetDeviceCount(deviceType ...string) (int, error) {
	names, err := ListDevices(deviceType...)
	return len(names), err
}

// deviceNames returns the names of the n devices of type typ, or an error if
// deviceType asks for another type.
func deviceNames(typ string, n int, deviceType []string) ([]string, error) {
	if len(deviceType) > 1 {
		return nil, fmt.Errorf("distribution: got %d device types, want at most one", len(deviceType))
	}
	for _, want := range deviceType {
		if strings.ToLower(want) != typ {
			return nil, fmt.Errorf("distribution: there are no devices of type %q: the process uses %q; another platform is chosen by Initialize, before anything runs",
				want, typ)
		}
	}
	names := make([]string, n)
	for id := range names {
		names[id] = deviceName(typ, id)
	}
	return names, nil
}

// DeviceCount returns the number of devices that ListDevices lists, and has its errors:
// keras.distribution.get_device_count.
func DeviceCount(deviceType ...string) (int, error) {
	names, err := ListDevices(deviceType...)
	return len(names), err
}

// devices returns the type, such as "cpu", and the number of the devices that the program may use,
// in all processes of the job. In a job it opens the client.
func devices() (typ string, n int, err error) {
	process.Lock()
	visible := len(process.visible)
	o, err := options()
	process.Unlock()
	if err != nil {
		return "", 0, err
	}
	if o.NumProcesses > 1 {
		c, err := Client(context.Background())
		if err != nil {
			return "", 0, err
		}
		return deviceType(o.Platform), len(c.Devices()), nil
	}
	if typ, n, err = physicalDevices(); err == nil && visible > 0 {
		n = visible
	}
	return typ, n, err
}

// deviceType returns Keras' name for the devices of a platform: the entry of deviceTypes, or the
// platform itself.
func deviceType(platform string) string {
	if t, ok := deviceTypes[platform]; ok {
		return t
	}
	return platform
}

func deviceName(typ string, id int) string { return typ + ":" + strconv.Itoa(id) }

// deviceID returns the id of the device with the given name, such as "cpu:1", of n devices of type
// typ. A text of another form, another type, and an id of n or more are errors.
func deviceID(name, typ string, n int) (int, error) {
	kind, number, ok := strings.Cut(name, ":")
	id, err := strconv.Atoi(number)
	if !ok || err != nil || id < 0 {
		return 0, fmt.Errorf("distribution: %q is no name of a device, want a type and an id, such as %q", name, deviceName(typ, 0))
	}
	if kind := strings.ToLower(kind); kind != typ {
		return 0, fmt.Errorf("distribution: there is no device %q: %s has %d (%s): %s", name, owner(), n, deviceRange(typ, n), platformAdvice(kind, typ))
	}
	if id >= n {
		return 0, fmt.Errorf("distribution: there is no device %q: %s has %d (%s): %s", name, owner(), n, deviceRange(typ, n), countAdvice(typ, id+1, n))
	}
	return id, nil
}

// platformAdvice returns advice, for an error, to a user who names a device of type kind, if the
// devices have type typ.
func platformAdvice(kind, typ string) string {
	platform := kind
	for p, t := range deviceTypes {
		if t == kind && p < platform {
			platform = p // for gpu it is cuda, the first by name
		}
	}
	if kind != "gpu" && kind != "tpu" && kind != "cpu" && deviceTypes[kind] == "" {
		return fmt.Sprintf("want one of these%s", suggest.DidYouMean(kind, []string{typ}))
	}
	return fmt.Sprintf("name one of these, or call distribution.Initialize(ctx, distribution.Options{Platform: %q}) before anything runs, where the machine has one", platform)
}

func deviceRange(typ string, n int) string {
	if n == 1 {
		return deviceName(typ, 0)
	}
	return deviceName(typ, 0) + " to " + deviceName(typ, n-1)
}

// countAdvice returns advice, for an error, to a user who needs want devices of type typ, if there
// are n.
func countAdvice(typ string, want, n int) string {
	switch {
	case want < n:
		return "list those to use, or change the shape"
	case typ == "cpu":
		return fmt.Sprintf("call distribution.Initialize(ctx, distribution.Options{Devices: %[1]d}) before anything runs, or set %[2]s=%[1]d, for that many virtual CPU devices%[3]s",
			share(want), DevicesEnv, inEach())
	}
	return "change the shape or the list of devices"
}

// ListPhysicalDevices returns the names of all devices of this process, including those that
// SetVisibleDevices hides: tf.config.list_physical_devices. As in ListDevices, one type of device
// may be given; any other than that of the process is an error.
func ListPhysicalDevices(deviceType ...string) ([]string, error) {
	typ, n, err := physicalDevices()
	if err != nil {
		return nil, err
	}
	return deviceNames(typ, n, deviceType)
}

// SetVisibleDevices makes the process use only these of its physical devices:
// tf.config.set_visible_devices. In the order given they become devices 0, 1, … of ListDevices,
// meshes and strategies. Call it before the first model runs: later, other devices are an error. So
// are no names, unknown names, and a name given twice.
//
// It works for virtual CPU devices only. For other devices set the environment variable that their
// driver reads when it is loaded; the error names it.
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

// physicalDevices returns the type and the number of this process' devices. On CPUs the options say
// the number. On other platforms it opens the client to count the devices.
func physicalDevices() (typ string, n int, err error) {
	process.Lock()
	o, err := options()
	process.Unlock()
	if err != nil {
		return "", 0, err
	}
	typ = deviceType(o.Platform)
	if o.Platform == hardware.CPU {
		return typ, o.Devices, nil
	}
	c, err := Client(context.Background())
	if err != nil {
		return "", 0, err
	}
	return typ, len(c.LocalDevices()), nil
}
