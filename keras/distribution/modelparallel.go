package distribution

// This file defines ModelParallel.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// ModelParallel splits variables and layer outputs as a LayoutMap says, and
// batches over one axis: keras.distribution.ModelParallel.
type ModelParallel struct {
	layouts  *LayoutMap
	batchDim string
	strict   bool
	sharded  bool
}

// NewModelParallel returns a ModelParallel on the layout map's mesh. Batches
// are split over the axis batchDimName; "" means the mesh's first. It returns
// all errors of the layout map's Set too. It takes Strict and
// ShardedUpdate.
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

// BatchDimName returns the name of the axis that splits batches.
func (d *ModelParallel) BatchDimName() string { return d.batchDim }

// NumModelReplicas returns the size of the batch axis: the devices along the
// other axes share one model.
func (d *ModelParallel) NumModelReplicas() int { return d.DeviceMesh().AxisSize(d.batchDim) }

// DataLayout splits the first dimension; a scalar has none to split.
func (d *ModelParallel) DataLayout(rank int) (*TensorLayout, error) {
	return batchLayout(d.DeviceMesh(), d.batchDim, rank)
}

// VariableLayout returns the layout map's layout, or the replicated one where
// no key matches. A layout for another rank is an error that names the rule.
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

// TensorLayout returns the layout map's layout, nil where no key matches.
func (d *ModelParallel) TensorLayout(path string) (*TensorLayout, error) {
	return d.layouts.Get(path)
}

// LayoutMap returns the map.
func (d *ModelParallel) LayoutMap() *LayoutMap { return d.layouts }

// Strict reports whether rules that do nothing are errors.
func (d *ModelParallel) Strict() bool { return d.strict }

// ShardedUpdate reports whether the optimizer's work is split.
func (d *ModelParallel) ShardedUpdate() bool { return d.sharded }

// Unmatched returns the rules that give none of the variables and layer
// outputs a layout.
func (d *ModelParallel) Unmatched(variables, outputs []string) ([]layout.DeadRule, error) {
	return d.layouts.Unmatched(slices.Concat(variables, outputs))
}
