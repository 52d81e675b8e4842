package distribution

// This file defines DataParallel and ModelParallel.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// DataParallel replicates the model on every device and shards batches:
// keras.distribution.DataParallel. It is a ShardedUpdater.
type DataParallel struct {
	mesh    *DeviceMesh
	sharded bool
}

// defaultBatchDim is the name that Keras gives the axis of a mesh that
// DataParallel makes.
const defaultBatchDim = "batch"

// NewDataParallel returns a DataParallel on the given Mesh. Without one, the
// mesh has one axis, "batch", over the given Devices or all devices of the
// process. If Mesh has several axes, the first shards the batch, and a warning
// is written. Options: Mesh, Devices, ShardedUpdate, Warnings.
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
			fmt.Fprintf(c.warnings, "WARNING: distribution: DataParallel got the mesh %s of %d axes, want 1: only the first, %q, shards the batch\n", m, n, m.Axes()[0].Name)
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

// NumModelReplicas returns the number of devices: each holds the full model.
func (d *DataParallel) NumModelReplicas() int { return d.mesh.Size() }

// DataLayout shards the first dimension.
func (d *DataParallel) DataLayout(rank int) (*TensorLayout, error) {
	return batchLayout(d.mesh, d.BatchDimName(), rank)
}

// VariableLayout replicates every variable.
func (d *DataParallel) VariableLayout(path string, rank int) (*TensorLayout, error) {
	return NewTensorLayout(make([]string, rank), d.mesh)
}

// TensorLayout leaves every value inside of the model to the compiler.
func (d *DataParallel) TensorLayout(path string) (*TensorLayout, error) { return nil, nil }

// ShardedUpdate reports whether the optimizer's work is sharded.
func (d *DataParallel) ShardedUpdate() bool { return d.sharded }

// ModelParallel shards variables and layer outputs by a LayoutMap, and batches
// over one axis: keras.distribution.ModelParallel. It is a ShardedUpdater.
type ModelParallel struct {
	layouts  *LayoutMap
	batchDim string
	strict   bool
	sharded  bool
}

// NewModelParallel returns a ModelParallel on the layout map's mesh. Batches are
// sharded over the axis batchDimName; "" is the mesh's first. Errors of the
// layout map's Set are returned here too. Options: Strict, ShardedUpdate.
func NewModelParallel(layouts *LayoutMap, batchDimName string, opts ...Option) (*ModelParallel, error) {
	c, err := newConfig("ModelParallel", opts, "Strict", "ShardedUpdate")
	if err != nil {
		return nil, err
	}
	if layouts == nil {
		return nil, fmt.Errorf("distribution: ModelParallel got no layout map: make one with NewLayoutMap(mesh)")
	}
	if err := layouts.Err(); err != nil {
		return nil, fmt.Errorf("distribution: ModelParallel: %w", err)
	}
	m := layouts.DeviceMesh()
	if len(m.Axes()) == 0 {
		return nil, fmt.Errorf("distribution: ModelParallel got a layout map without a mesh of at least one axis: make it with NewLayoutMap(mesh)")
	}
	if batchDimName == "" {
		batchDimName = m.Axes()[0].Name
	}
	if err := m.CheckRef(mesh.FullAxis(batchDimName)); err != nil {
		return nil, fmt.Errorf("distribution: ModelParallel: batch dim name: %w: use one of these", err)
	}
	return &ModelParallel{layouts, batchDimName, c.strict, c.sharded}, nil
}

// DeviceMesh returns the mesh.
func (d *ModelParallel) DeviceMesh() *DeviceMesh { return d.layouts.DeviceMesh() }

// BatchDimName returns the name of the axis that shards batches.
func (d *ModelParallel) BatchDimName() string { return d.batchDim }

// NumModelReplicas returns the size of the batch axis: the devices along the
// other axes share one model.
func (d *ModelParallel) NumModelReplicas() int { return d.DeviceMesh().AxisSize(d.batchDim) }

// DataLayout shards the first dimension.
func (d *ModelParallel) DataLayout(rank int) (*TensorLayout, error) {
	return batchLayout(d.DeviceMesh(), d.batchDim, rank)
}

// VariableLayout returns the layout map's layout, or the replicated one if no
// key matches. A layout for another rank is an error that names the rule.
func (d *ModelParallel) VariableLayout(path string, rank int) (*TensorLayout, error) {
	key, l, err := d.layouts.Match(path)
	switch {
	case err != nil:
		return nil, err
	case l == nil:
		return NewTensorLayout(make([]string, rank), d.DeviceMesh())
	}
	if _, err := l.Sharding(rank); err != nil {
		return nil, fmt.Errorf("rule %q: %w", key, err)
	}
	return l, nil
}

// TensorLayout returns the layout map's layout, nil if no key matches.
func (d *ModelParallel) TensorLayout(path string) (*TensorLayout, error) {
	return d.layouts.Get(path)
}

// LayoutMap returns the map.
func (d *ModelParallel) LayoutMap() *LayoutMap { return d.layouts }

// Strict reports whether rules that match nothing are errors.
func (d *ModelParallel) Strict() bool { return d.strict }

// ShardedUpdate reports whether the optimizer's work is sharded.
func (d *ModelParallel) ShardedUpdate() bool { return d.sharded }

// Unmatched returns the rules that match none of the variables and layer
// outputs.
func (d *ModelParallel) Unmatched(variables, outputs []string) ([]layout.DeadRule, error) {
	return d.layouts.Unmatched(slices.Concat(variables, outputs))
}
