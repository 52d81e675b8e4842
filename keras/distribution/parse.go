package distribution

// This file reads a mesh from a command line.

import (
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/mesh"
)

// Single is what a command line says for one device and no mesh.
const Single = "single"

// ParseMesh returns the mesh that a flag asks for by the sizes of the named
// axes, such as 2x4, on the first devices of the process; nil, which is one
// device without a mesh, for Single. A process on virtual CPU devices that has
// fewer, and runs nothing yet, gets as many as the mesh needs.
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
		return NewDeviceMesh(shape, axisNames, nil) // says what can be done
	}
	return NewDeviceMesh(shape, axisNames, names[:grid.Size()])
}

// ensureDevices raises the number of virtual CPU devices to n.
func ensureDevices(n int) error {
	process.Lock()
	o, err := options()
	settled := process.client != nil || process.visible != nil
	process.Unlock()
	if err != nil || settled || o.Platform != "cpu" || o.Devices >= n {
		return err
	}
	o.Devices = n
	return Initialize(o)
}
