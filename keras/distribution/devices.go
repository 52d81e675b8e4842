package distribution

// This file names devices as Keras does, cpu:0, and makes meshes of the names.

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/mesh"
)

// deviceTypes gives the platforms of package runtime the names that Keras has
// for their devices; others go by their platform's name.
var deviceTypes = map[string]string{"cuda": "gpu", "rocm": "gpu"}

// ListDevices returns the names of the process' devices: cpu:0, cpu:1, … It
// takes at most one type of device, "cpu", "gpu" or "tpu"; a process uses one
// type, and asking for another is an error.
//
// Virtual CPU devices are listed without opening them.
func ListDevices(deviceType ...string) ([]string, error) {
	typ, n, err := devices()
	if err != nil {
		return nil, err
	}
	return deviceNames(typ, n, deviceType)
}

// deviceNames names the n devices of a type, if they are wanted.
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

// DeviceCount returns the number of devices that ListDevices lists:
// keras.distribution.get_device_count.
func DeviceCount(deviceType ...string) (int, error) {
	names, err := ListDevices(deviceType...)
	return len(names), err
}

// devices returns type and number of the process' devices, of which
// SetVisibleDevices may have left out some.
func devices() (typ string, n int, err error) {
	process.Lock()
	visible := len(process.visible)
	process.Unlock()
	if typ, n, err = physicalDevices(); err == nil && visible > 0 {
		n = visible
	}
	return typ, n, err
}

func deviceName(typ string, id int) string { return typ + ":" + strconv.Itoa(id) }

// NewDeviceMesh returns a mesh of devices, which are named as ListDevices does
// and fill the shape in row-major order; nil means all of the process. See
// mesh.New for the rules.
func NewDeviceMesh(shape []int, axisNames []string, deviceNames []string) (*DeviceMesh, error) {
	if len(shape) == 0 || len(axisNames) == 0 {
		return nil, fmt.Errorf("distribution: got shape %v and axis names %q, want at least one axis, such as []int{8} and []string{\"batch\"}", shape, axisNames)
	}
	grid, err := mesh.New(shape, axisNames, nil)
	if err != nil {
		return nil, err
	}
	typ, n, err := devices()
	if err != nil {
		return nil, err
	}
	if deviceNames == nil {
		if grid.Size() != n {
			return nil, fmt.Errorf("distribution: a mesh of shape %v needs %d devices (the product of its sizes), the process has %d (%s): %s",
				shape, grid.Size(), n, deviceRange(typ, n), countAdvice(typ, grid.Size(), n))
		}
		return grid, nil
	}
	ids := make([]int, len(deviceNames))
	for i, name := range deviceNames {
		if ids[i], err = deviceID(name, typ, n); err != nil {
			return nil, err
		}
	}
	return mesh.New(shape, axisNames, ids)
}

// deviceID returns the id of a device of the process.
func deviceID(name, typ string, n int) (int, error) {
	kind, number, ok := strings.Cut(name, ":")
	id, err := strconv.Atoi(number)
	if !ok || err != nil || id < 0 {
		return 0, fmt.Errorf("distribution: %q is no name of a device, want a type and an id, such as %q", name, deviceName(typ, 0))
	}
	if kind := strings.ToLower(kind); kind != typ {
		return 0, fmt.Errorf("distribution: there is no device %q%s: the process uses devices of type %q", name, suggest.DidYouMean(kind, []string{typ}), typ)
	}
	if id >= n {
		return 0, fmt.Errorf("distribution: there is no device %q: the process has %d (%s): %s", name, n, deviceRange(typ, n), countAdvice(typ, id+1, n))
	}
	return id, nil
}

func deviceRange(typ string, n int) string {
	if n == 1 {
		return deviceName(typ, 0)
	}
	return deviceName(typ, 0) + " to " + deviceName(typ, n-1)
}

// countAdvice says what to do for want devices where there are n.
func countAdvice(typ string, want, n int) string {
	switch {
	case want < n:
		return "list those to use, or change the shape"
	case typ == "cpu":
		return fmt.Sprintf("call distribution.Initialize(distribution.Options{Devices: %d}) before anything runs, or set %s=%d, for that many virtual CPU devices",
			want, DevicesEnv, want)
	}
	return "change the shape or the list of devices"
}
