package distribution

// This file makes meshes of the process' devices, by name or from a command line, and defines
// Keras' names for types of packages mesh and layout.

import (
	"context"
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// DeviceMesh is a named grid of devices: keras.distribution.DeviceMesh.
type DeviceMesh = mesh.DeviceMesh

// TensorLayout names the mesh axis that shards each dimension:
// keras.distribution.TensorLayout.
type TensorLayout = layout.TensorLayout

// LayoutMap maps regular expressions of paths to layouts: keras.distribution.LayoutMap.
type LayoutMap = layout.LayoutMap

// None stands for a dimension that no axis shards.
const None = layout.None

// NewTensorLayout returns a layout in which axes[i], an axis of m or None, shards dimension i. Axes
// that do not fit m are errors; see layout.NewTensorLayout.
func NewTensorLayout(axes []string, m *DeviceMesh) (*TensorLayout, error) {
	return layout.NewTensorLayout(axes, m)
}

// NewLayoutMap returns an empty map whose layouts are on the mesh m.
func NewLayoutMap(m *DeviceMesh) *LayoutMap { return layout.NewLayoutMap(m) }

// NewDeviceMesh returns a mesh of this shape, with a name for each axis. deviceNames are its
// devices, named as in ListDevices, in row-major order. nil means all devices that ListDevices
// returns; it is an error if the shape needs another number. No axes, and a name that no device
// has, are errors. mesh.New has the rules for shapes and names.
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
			return nil, &meshSizeError{fmt.Sprintf("distribution: a mesh of shape %v needs %d devices (the product of its sizes), %s has %d (%s): %s",
				shape, grid.Size(), owner(), n, deviceRange(typ, n), countAdvice(typ, grid.Size(), n)),
				runtime.DevicesError{Platform: typ, Have: n, Want: grid.Size()}}
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

// meshSizeError is the error of a mesh that has another number of devices than the process, with
// advice in its text. It unwraps to a *runtime.DevicesError.
type meshSizeError struct {
	text string
	runtime.DevicesError
}

func (e *meshSizeError) Error() string { return e.text }
func (e *meshSizeError) Unwrap() error { return &e.DevicesError }

// Single is the value of a command-line flag for one device and no mesh.
const Single = "single"

// ParseMesh returns the mesh that a command-line flag describes by the sizes of the named axes,
// such as 2x4, on the first devices of the process. For Single it returns nil, one device without a
// mesh. If the process runs on the CPU and has run nothing yet, it gets as many virtual devices as
// the mesh needs. In a job of several processes, each process gets the same share of the mesh's
// devices. Another text, and more devices than there are, are errors.
func ParseMesh(text string, axisNames ...string) (*DeviceMesh, error) {
	if text == Single {
		return nil, nil
	}
	shape, err := mesh.ParseShape(text, len(axisNames))
	if err != nil {
		return nil, fmt.Errorf("distribution: mesh %q: want the number of devices along %s, joined by x, such as %s, or %s",
			text, strings.Join(axisNames, " and "), strings.TrimSuffix(strings.Repeat("2x", len(axisNames)), "x"), Single)
	}
	grid, err := mesh.New(shape, axisNames, nil)
	if err != nil {
		return nil, err
	}
	if err := ensureDevices(grid.Size()); err != nil {
		return nil, err
	}
	names, err := ListDevices()
	if err != nil {
		return nil, err
	}
	if grid.Size() > len(names) {
		return NewDeviceMesh(shape, axisNames, nil) // returns the error with advice
	}
	if names, err = evenly(names, grid.Size()); err != nil {
		return nil, err
	}
	return NewDeviceMesh(shape, axisNames, names)
}

// evenly returns n of the devices: equally many of each process, its first ones. If n cannot be
// divided so, it returns the first n devices.
func evenly(names []string, n int) ([]string, error) {
	processes := NumProcesses()
	if processes == 1 || n%processes != 0 || n == len(names) {
		return names[:n], nil
	}
	c, err := Client(context.Background())
	if err != nil {
		return nil, err
	}
	chosen, taken := make([]string, 0, n), make([]int, processes)
	for i, d := range c.Devices() {
		if taken[d.Process] < n/processes {
			taken[d.Process]++
			chosen = append(chosen, names[i])
		}
	}
	if len(chosen) < n { // a process has too few devices
		return names[:n], nil
	}
	return chosen, nil
}

// ensureDevices raises the number of virtual CPU devices, so that the processes have n together. It
// does nothing on other platforms, if the client is open, or if SetVisibleDevices was called.
func ensureDevices(n int) error {
	each := share(n)
	process.Lock()
	defer process.Unlock()
	o, err := options()
	settled := process.client != nil || process.visible != nil
	if err != nil || settled || o.Platform != hardware.CPU || o.Devices >= each {
		return err
	}
	o.Devices = each
	return set(o)
}
