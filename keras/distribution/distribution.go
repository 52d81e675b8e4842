package distribution

// This file defines Distribution, which one is current, the two that Keras
// has, DataParallel and ModelParallel, with their options, and the shardings
// that the compiler takes from one.

import (
	"cmp"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Distribution defines how models are sharded over a mesh: keras.distribution.Distribution.
// DataParallel and ModelParallel are Keras' distributions. Other types may implement it too.
//
// A Distribution may also implement ShardedUpdater, FullySharder, OptimizerOffloader and
// DatasetSharder.
type Distribution interface {
	// DeviceMesh returns the mesh on which the distribution places tensors.
	DeviceMesh() *DeviceMesh
	// BatchDimName returns the name of the axis that shards batches.
	BatchDimName() string
	// NumModelReplicas returns the number of devices, or groups of devices, that hold the full
	// model.
	NumModelReplicas() int
	// DataLayout returns the layout of data of the given rank.
	DataLayout(rank int) (*TensorLayout, error)
	// VariableLayout returns the layout of the variable with the given path and rank.
	VariableLayout(path string, rank int) (*TensorLayout, error)
	// TensorLayout returns the layout of a value inside of a model, such as d1/output, the output
	// of a layer. With nil the compiler chooses it.
	TensorLayout(path string) (*TensorLayout, error)
}

// ShardedUpdater is a Distribution that can shard the optimizer's slots and its
// work, as the option ShardedUpdate describes.
type ShardedUpdater interface {
	Distribution
	// ShardedUpdate reports whether the optimizer's work is sharded.
	ShardedUpdate() bool
}

// FullySharder is a Distribution that can shard the weights over the axis of the batch, as the option
// FullySharded describes.
type FullySharder interface {
	Distribution
	// FullySharded reports whether the weights are sharded over the axis of the batch.
	FullySharded() bool
}

// OptimizerOffloader is a Distribution that can keep the optimizer's slots in the memory of the
// host, as the option OffloadOptimizer describes.
type OptimizerOffloader interface {
	Distribution
	// OffloadOptimizer reports whether the optimizer's slots are kept in the memory of the host.
	OffloadOptimizer() bool
}

// DatasetSharder is a Distribution that says whether each process of a job yields the global
// batches, as the option AutoShardDataset describes.
type DatasetSharder interface {
	Distribution
	// AutoShardDataset reports whether each process yields the global batches.
	AutoShardDataset() bool
}

var current struct {
	sync.Mutex
	distribution Distribution
}

// SetDistribution sets the distribution of the models that this process makes from now on. nil
// means one device.
func SetDistribution(d Distribution) {
	current.Lock()
	defer current.Unlock()
	current.distribution = d
}

// Current returns the current distribution, nil when there is none:
// keras.distribution.distribution.
func Current() Distribution {
	current.Lock()
	defer current.Unlock()
	return current.distribution
}

// Scope calls f with d as the current distribution, and then restores the one before, also if f
// panics: Distribution.scope. It returns f's error. A d that is nil means one device. For a nil
// pointer or a zero value (Check) it returns an error without calling f.
func Scope(d Distribution, f func() error) error {
	if err := Check(d); err != nil {
		return err
	}
	before := Current()
	SetDistribution(d)
	defer SetDistribution(before)
	return f()
}

// Check returns an error for a distribution that is a nil pointer, or a zero value of a type of
// this package. It returns nil if d is nil: no distribution is allowed.
func Check(d Distribution) error {
	switch d.(type) {
	case *DataParallel:
		return made.Check("the distribution", d, "make one by NewDataParallel")
	case *ModelParallel:
		return made.Check("the distribution", d, "make one by NewModelParallel")
	}
	return nil
}

// batchLayout returns the layout on m whose first dimension, of rank dimensions, is sharded over
// the axis batchDim. A scalar has no dimension, and is replicated.
func batchLayout(m *DeviceMesh, batchDim string, rank int) (*TensorLayout, error) {
	axes := make([]string, rank)
	if rank > 0 {
		axes[0] = batchDim
	}
	return NewTensorLayout(axes, m)
}

type config struct {
	mesh    *DeviceMesh
	devices []string
	strict  bool
	sharded bool
	fully   bool
	offload bool
	keep    bool
	byHand  bool // whether AutoShardDataset(false) was given
	logger  *slog.Logger
}

// Option configures NewDataParallel or NewModelParallel. Each takes the options that its comment
// names; any other is an error.
type Option struct{ setting }

// setting holds the name of an option and the function that sets it in a config.
type setting = option.Option[config]

// Mesh sets the mesh of DataParallel, which should have one axis, that of the batch. A mesh without
// axes is an error.
func Mesh(m *DeviceMesh) Option {
	return Option{setting{Name: "Mesh", Set: func(c *config) error {
		if len(m.Axes()) == 0 {
			return fmt.Errorf("got a mesh without axes, want one with an axis for the batch, such as NewDeviceMesh([]int{8}, []string{\"batch\"}, nil)")
		}
		c.mesh = m
		return nil
	}}}
}

// Devices makes DataParallel use these devices, named as ListDevices does, in a mesh of one axis.
// No names, and unknown ones, are errors of NewDataParallel.
func Devices(names ...string) Option {
	return Option{setting{Name: "Devices", Set: func(c *config) error {
		if len(names) == 0 {
			return fmt.Errorf("got no devices: leave the option out for all of the process")
		}
		c.devices = names
		return nil
	}}}
}

// Strict makes a rule of ModelParallel's layout map that matches no variable and no layer output,
// and a layout that wastes memory, an error of Compile. Without it they are warnings.
func Strict() Option { return Option{option.New("Strict", func(c *config) { c.strict = true })} }

// ShardedUpdate shards the optimizer's slots and its work over the axis of the
// batch: each device updates its shard of the weights, which are then gathered
// (ZeRO stage 1). The losses stay the same up to rounding.
func ShardedUpdate() Option {
	return Option{option.New("ShardedUpdate", func(c *config) { c.sharded = true })}
}

// FullySharded shards the weights as well, those of at least two dimensions, over the axis of the
// batch, in every step that reads them: FSDP, fully sharded data parallel, as PyTorch has it (ZeRO
// stage 3). Layers gather a weight where they need it. It includes ShardedUpdate. The losses stay the
// same up to rounding.
func FullySharded() Option {
	return Option{option.New("FullySharded", func(c *config) { c.fully = true })}
}

// OffloadOptimizer keeps the optimizer's slots in the memory of the host. A training step copies
// each to its device to update it, and back: it takes less memory of devices and more time. Slots
// of less than 64 KiB on a device stay there. On CPUs, whose devices compute in the memory of the
// host, it has no effect, and a warning says so.
func OffloadOptimizer() Option {
	return Option{option.New("OffloadOptimizer", func(c *config) { c.offload = true })}
}

// KeepLayouts makes the layouts of ModelParallel's layout map binding: every value has the layout
// that the map gives it, or that follows from the map, at any cost. Without it the compiler may
// change layouts between the inputs and the outputs of a step if that costs less.
// keras.Model.LayoutCost returns the cost of the option.
func KeepLayouts() Option {
	return Option{option.New("KeepLayouts", func(c *config) { c.keep = true })}
}

// AutoShardDataset says what the datasets of the processes of a job yield. By default (true) all
// processes give the same global batches, and each device takes its samples. With false each
// process gives only its own part of a global batch: the samples of its devices. Processes with
// equally many devices give equally many samples.
func AutoShardDataset(auto bool) Option {
	return Option{option.New("AutoShardDataset", func(c *config) { c.byHand = !auto })}
}

// Logger sets the logger that gets DataParallel's warnings: slog.Default by default, and for nil.
func Logger(l *slog.Logger) Option {
	return Option{option.New("Logger", func(c *config) { c.logger = cmp.Or(l, slog.Default()) })}
}

func newConfig(kind string, opts []Option, accepts ...string) (config, error) {
	c := config{logger: slog.Default()}
	if err := option.Apply(kind, &c, opts, accepts...); err != nil {
		return c, fmt.Errorf("distribution: %w", err)
	}
	return c, nil
}

// VariableSharding returns the sharding of the variable with the given path and number of
// dimensions under the current distribution; nil without a distribution. A layout of another rank
// is an error, and so is a distribution that is not valid.
func VariableSharding(path string, rank int) (*layout.Sharding, error) {
	d := Current()
	if d == nil {
		return nil, nil
	}
	if err := Check(d); err != nil {
		return nil, err
	}
	l, err := d.VariableLayout(path, rank)
	return toSharding(fmt.Sprintf("variable %q", path), l, rank, err)
}

// OutputSharding returns the sharding of a value inside of a model under d, at a path such as
// d1/output; nil if the compiler chooses it. A layout for another number of dimensions than rank is
// an error.
func OutputSharding(d Distribution, path string, rank int) (*layout.Sharding, error) {
	l, err := d.TensorLayout(path)
	return toSharding(fmt.Sprintf("layer output %q", path), l, rank, err)
}

// DataSharding returns the sharding under d of a batch whose tensor has rank dimensions. Errors are
// those of d, and a layout of another rank.
func DataSharding(d Distribution, rank int) (*layout.Sharding, error) {
	l, err := d.DataLayout(rank)
	return toSharding("data", l, rank, err)
}

// toSharding converts l and err, what a Distribution has returned for a value of the given rank, to
// a sharding or an error. It returns nil for a nil layout. A layout for another rank is an error.
// what names the value in errors.
func toSharding(what string, l *TensorLayout, rank int, err error) (*layout.Sharding, error) {
	if err == nil && l == nil {
		return nil, nil
	}
	var s *layout.Sharding
	if err == nil {
		s, err = l.Sharding(rank)
	}
	if err != nil {
		return nil, fmt.Errorf("distribution: %s: %w", what, err)
	}
	return s, nil
}

// DataParallel replicates the model on every device and shards batches:
// keras.distribution.DataParallel. It is a ShardedUpdater, a FullySharder, an OptimizerOffloader
// and a DatasetSharder.
type DataParallel struct {
	mesh    *DeviceMesh
	sharded bool
	fully   bool
	offload bool
	byHand  bool
}

// defaultBatchDim is the name that Keras gives the axis of a mesh that
// DataParallel makes.
const defaultBatchDim = "batch"

// NewDataParallel returns a DataParallel on the given Mesh. Without one, the mesh has one axis,
// "batch", over the given Devices or all that ListDevices returns, in a job those of all processes.
// Mesh and Devices together are an error. If Mesh has several axes, the first shards the batch, and
// a warning goes to the logger. Options: Mesh, Devices, ShardedUpdate, FullySharded,
// OffloadOptimizer, AutoShardDataset, Logger.
func NewDataParallel(opts ...Option) (*DataParallel, error) {
	c, err := newConfig("DataParallel", opts, "Mesh", "Devices", "ShardedUpdate", "FullySharded", "OffloadOptimizer", "AutoShardDataset", "Logger")
	if err != nil {
		return nil, err
	}
	if c.mesh != nil && c.devices != nil {
		return nil, fmt.Errorf("distribution: DataParallel got both a mesh, %s, and devices, %q: give one of them", c.mesh, c.devices)
	}
	if m := c.mesh; m != nil {
		if n := len(m.Axes()); n > 1 {
			c.logger.Warn(fmt.Sprintf("distribution: DataParallel got the mesh %s of %d axes, want 1: only the first, %q, shards the batch", m, n, m.Axes()[0].Name))
		}
		return &DataParallel{m, c.sharded, c.fully, c.offload, c.byHand}, nil
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
	return &DataParallel{m, c.sharded, c.fully, c.offload, c.byHand}, nil
}

// DeviceMesh returns the mesh on which the model is replicated.
func (d *DataParallel) DeviceMesh() *DeviceMesh { return d.mesh }

// BatchDimName returns the name of the mesh's first axis, which shards batches.
func (d *DataParallel) BatchDimName() string { return d.mesh.Axes()[0].Name }

// NumModelReplicas returns the number of devices: each holds the full model.
func (d *DataParallel) NumModelReplicas() int { return d.mesh.Size() }

// DataLayout returns a layout in which the axis of batches shards the first dimension.
func (d *DataParallel) DataLayout(rank int) (*TensorLayout, error) {
	return batchLayout(d.mesh, d.BatchDimName(), rank)
}

// VariableLayout returns the layout without axes for every variable, whatever its path: all are
// replicated. rank is the number of dimensions.
func (d *DataParallel) VariableLayout(path string, rank int) (*TensorLayout, error) {
	return NewTensorLayout(make([]string, rank), d.mesh)
}

// TensorLayout returns nil: the compiler chooses the layouts of values inside of the model.
func (d *DataParallel) TensorLayout(path string) (*TensorLayout, error) { return nil, nil }

// ShardedUpdate reports whether the optimizer's work is sharded (the option ShardedUpdate).
func (d *DataParallel) ShardedUpdate() bool { return d.sharded }

// FullySharded reports whether the weights are sharded over the axis of the batch (the option
// FullySharded).
func (d *DataParallel) FullySharded() bool { return d.fully }

// OffloadOptimizer reports whether the optimizer's slots are kept in the memory of the host (the
// option OffloadOptimizer).
func (d *DataParallel) OffloadOptimizer() bool { return d.offload }

// AutoShardDataset reports whether each process yields the global batches: the option
// AutoShardDataset, true by default.
func (d *DataParallel) AutoShardDataset() bool { return !d.byHand }

// ModelParallel shards variables and layer outputs by a LayoutMap, and batches over one axis:
// keras.distribution.ModelParallel. It is a ShardedUpdater, a FullySharder, an OptimizerOffloader
// and a DatasetSharder.
type ModelParallel struct {
	layouts  *LayoutMap
	batchDim string
	strict   bool
	sharded  bool
	fully    bool
	offload  bool
	keep     bool
	byHand   bool
	lint     *linted
}

// linted is what a ModelParallel remembers for all models on it: several models may share its
// layout map.
type linted struct {
	sync.Mutex
	paths  []string        // paths that Unmatched was given
	warned map[string]bool // subjects that FirstWarning was given
}

// NewModelParallel returns a ModelParallel on the layout map's mesh. Batches are sharded over the
// axis batchDimName; "" is the mesh's first. Errors of the layout map's Set are returned here too.
// A nil map, a mesh without axes, and an unknown axis are errors. Options: Strict, ShardedUpdate,
// FullySharded, OffloadOptimizer, KeepLayouts, AutoShardDataset.
func NewModelParallel(layouts *LayoutMap, batchDimName string, opts ...Option) (*ModelParallel, error) {
	c, err := newConfig("ModelParallel", opts, "Strict", "ShardedUpdate", "FullySharded", "OffloadOptimizer", "KeepLayouts", "AutoShardDataset")
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
	return &ModelParallel{
		layouts: layouts, batchDim: batchDimName, strict: c.strict, sharded: c.sharded, fully: c.fully, offload: c.offload, keep: c.keep, byHand: c.byHand,
		lint: &linted{warned: make(map[string]bool)},
	}, nil
}

// DeviceMesh returns the mesh of the layout map.
func (d *ModelParallel) DeviceMesh() *DeviceMesh { return d.layouts.DeviceMesh() }

// BatchDimName returns the name of the axis that shards batches.
func (d *ModelParallel) BatchDimName() string { return d.batchDim }

// NumModelReplicas returns the size of the batch axis: the devices along the
// other axes share one model.
func (d *ModelParallel) NumModelReplicas() int { return d.DeviceMesh().AxisSize(d.batchDim) }

// DataLayout returns a layout in which the axis of batches shards the first dimension.
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

// TensorLayout returns the layout map's layout for a path, nil if no key matches: the compiler then
// chooses the layout.
func (d *ModelParallel) TensorLayout(path string) (*TensorLayout, error) {
	return d.layouts.Get(path)
}

// LayoutMap returns the layout map that NewModelParallel got.
func (d *ModelParallel) LayoutMap() *LayoutMap { return d.layouts }

// Strict reports whether rules that match nothing, and layouts that waste memory, are errors (the
// option Strict).
func (d *ModelParallel) Strict() bool { return d.strict }

// ShardedUpdate reports whether the optimizer's work is sharded (the option ShardedUpdate).
func (d *ModelParallel) ShardedUpdate() bool { return d.sharded }

// FullySharded reports whether the weights are sharded over the axis of the batch (the option
// FullySharded).
func (d *ModelParallel) FullySharded() bool { return d.fully }

// OffloadOptimizer reports whether the optimizer's slots are kept in the memory of the host (the
// option OffloadOptimizer).
func (d *ModelParallel) OffloadOptimizer() bool { return d.offload }

// AutoShardDataset reports whether each process yields the global batches: the option
// AutoShardDataset, true by default.
func (d *ModelParallel) AutoShardDataset() bool { return !d.byHand }

// KeepLayouts reports whether the layouts of the layout map are binding (the option KeepLayouts).
func (d *ModelParallel) KeepLayouts() bool { return d.keep }

// Unmatched returns the rules of the layout map that match none of the given paths of variables and
// layer outputs, nor those of earlier calls on d: several models may share d. It remembers the
// paths.
func (d *ModelParallel) Unmatched(variables, outputs []string) ([]layout.DeadRule, error) {
	d.lint.Lock()
	defer d.lint.Unlock()
	known := make(map[string]bool)
	for _, p := range d.lint.paths {
		known[p] = true
	}
	paths := slices.Clone(d.lint.paths)
	for _, p := range slices.Concat(variables, outputs) {
		if !known[p] {
			known[p], paths = true, append(paths, p)
		}
	}
	dead, err := d.layouts.DeadRules(paths)
	if err == nil {
		d.lint.paths = paths
	}
	return dead, err
}

// FirstWarning reports whether this is its first call on d for the subject about, any text that
// identifies a warning. So models that share d log each warning once.
func (d *ModelParallel) FirstWarning(about string) bool {
	d.lint.Lock()
	defer d.lint.Unlock()
	first := !d.lint.warned[about]
	d.lint.warned[about] = true
	return first
}
