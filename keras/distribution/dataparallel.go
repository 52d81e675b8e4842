package distribution

// This file defines DataParallel.

import "fmt"

// DataParallel gives every device the whole model and its part of each batch:
// keras.distribution.DataParallel.
type DataParallel struct {
	mesh    *DeviceMesh
	sharded bool
}

// defaultBatchDim is the name that Keras gives the axis of a mesh that
// DataParallel makes.
const defaultBatchDim = "batch"

// NewDataParallel returns a DataParallel on the given Mesh, or on a mesh of
// the given Devices, or of all devices of the process, with the one axis
// "batch". Of a mesh of several axes the first splits the batch, and a warning
// says so. It takes Mesh, Devices, ShardedUpdate and Warnings.
func NewDataParallel(opts ...Option) (*DataParallel, error) {
	c, err := newConfig("DataParallel", opts, "Mesh", "Devices", "ShardedUpdate", "Warnings")
	if err != nil {
		return nil, err
	}
	if c.mesh != nil && c.devices != nil {
		return nil, fmt.Errorf("distribution: DataParallel got both a mesh, %s, and devices, %q: give one of them", c.mesh, c.devices)
	}
	if m := c.mesh; m != nil {
		if n := len(m.Axes()); n > 1 {
			fmt.Fprintf(c.warnings, "WARNING: distribution: DataParallel got the mesh %s of %d axes, want 1: only the first, %q, splits the batch\n", m, n, m.Axes()[0].Name)
		}
		return &DataParallel{m, c.sharded}, nil
	}
	if c.devices == nil {
		if c.devices, err = ListDevices(); err != nil {
			return nil, err
		}
	}
	m, err := NewDeviceMesh([]int{len(c.devices)}, []string{defaultBatchDim}, c.devices)
	if err != nil {
		return nil, err
	}
	return &DataParallel{m, c.sharded}, nil
}

// DeviceMesh returns the mesh.
func (d *DataParallel) DeviceMesh() *DeviceMesh { return d.mesh }

// BatchDimName returns the name of the mesh's first axis.
func (d *DataParallel) BatchDimName() string { return d.mesh.Axes()[0].Name }

// NumModelReplicas returns the number of devices: each holds the whole model.
func (d *DataParallel) NumModelReplicas() int { return d.mesh.Size() }

// DataLayout splits the first dimension; a scalar has none to split.
func (d *DataParallel) DataLayout(rank int) (*TensorLayout, error) {
	return batchLayout(d.mesh, d.BatchDimName(), rank)
}

// VariableLayout replicates every variable.
func (d *DataParallel) VariableLayout(path string, rank int) (*TensorLayout, error) {
	return NewTensorLayout(make([]string, rank), d.mesh)
}

// TensorLayout leaves every value inside of the model to the compiler.
func (d *DataParallel) TensorLayout(path string) (*TensorLayout, error) { return nil, nil }

// ShardedUpdate reports whether the optimizer's work is split.
func (d *DataParallel) ShardedUpdate() bool { return d.sharded }
