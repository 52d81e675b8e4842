package microbatch

// This file implements Split, which shards the batch over one more mesh axis.

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding"
)

// axisName is the name of the axis of micro-batches, if the mesh has no axis of that name.
const axisName = "microbatch"

// Batch is a module whose batch is sharded over one more axis.
type Batch struct {
	Module *ir.Module       // global shapes; all values have shardings on Mesh
	Mesh   *mesh.DeviceMesh // the program's mesh, with the axis of micro-batches as its last axis

	axis    string
	major   []mesh.AxisRef // the axes that shard the batch of all values, and to which axis is minor
	n       int            // number of micro-batches
	devices *mesh.DeviceMesh
	dims    []int // for each parameter, the dimension that the axis shards, or -1
}

// Error says why a step cannot be divided into micro-batches.
type Error struct {
	Why string
	// Samples is the number of samples of a device, where it is not divisible by the number of
	// micro-batches; 0 for other reasons.
	Samples int
}

// Error returns the reason.
func (e *Error) Error() string { return "the step cannot be divided into micro-batches: " + e.Why }

func failed(format string, args ...any) error { return &Error{Why: fmt.Sprintf(format, args...)} }

// Split returns a copy of m, which has a sharding on each value, with its batch sharded n ways over
// a new axis. It is minor to the axes that shard the batch of the input and of all values, so that
// each device gets the samples that it has now. data says which parameters of main hold data. The
// batch is the first dimension of the largest of them that is sharded; if none is, its first
// dimension. propagated holds the shardings that propagation gave the values of main, in program
// order: some values get them back, so that all shard the batch alike.
//
// Split returns an *Error if no parameter that holds data has a dimension, if the batch is not
// divisible into n equal parts on each device, or if an op states what each device computes.
func Split(m *ir.Module, dm *mesh.DeviceMesh, propagated []*layout.Sharding, data []bool, n int) (*Batch, error) {
	batch, ok := batchOf(m.Main(), dm, data)
	if !ok {
		return nil, failed("no input holds data with a batch dimension")
	}
	if batch.size%(batch.shards*n) != 0 {
		samples := max(1, batch.size/batch.shards)
		return nil, &Error{fmt.Sprintf("the batch of input %q has %d samples in dimension %d, not %d equal parts on each of %d shards: take a number of micro-batches that divides %d",
			cmp.Or(m.Main().Params()[batch.param].Name, fmt.Sprintf("arg%d", batch.param)), batch.size, batch.dim, n, batch.shards, samples), samples}
	}
	b := &Batch{axis: axisName, n: n, devices: dm}
	for dm.AxisIndex(b.axis) >= 0 {
		b.axis += "_"
	}
	parts, err := b.propagate(m, data, batch)
	if err != nil {
		return nil, err
	}
	b.major = axesOf(m.Main().Params()[batch.param].Sharding, batch.dim)
	for len(b.major) > 0 && !b.allHaveMajor(m.Main(), parts, propagated) {
		b.major = b.major[:len(b.major)-1]
	}
	if b.Mesh, err = mesh.New(append(slices.Clone(dm.Shape()), n), append(slices.Clone(dm.AxisNames()), b.axis), nil); err != nil {
		return nil, fmt.Errorf("a mesh of %s with %d micro-batches: %w", dm, n, err)
	}
	b.annotate(m, parts, propagated)
	return b, nil
}

// Counts returns numbers of micro-batches to try for the main function of m, which has a sharding
// on each value: divisors of the number of samples of a device, each at least twice the one before.
// There are none without data, or if devices have different numbers of samples.
func Counts(m *ir.Module, dm *mesh.DeviceMesh, data []bool) (list []int) {
	b, ok := batchOf(m.Main(), dm, data)
	if !ok || b.size%b.shards != 0 {
		return nil
	}
	least := 2
	for n := 2; n <= b.size/b.shards; n++ {
		if n >= least && b.size/b.shards%n == 0 {
			list = append(list, n)
			least = 2 * n
		}
	}
	return list
}

// batchDim is the dimension of a parameter that counts the samples.
type batchDim struct {
	param, dim   int
	size, shards int // of the dimension
}

// batchOf returns the batch of f: the first dimension that is sharded, or else the first one, of
// the largest parameter that holds data. ok is false if no parameter holds data.
func batchOf(f *ir.Func, dm *mesh.DeviceMesh, data []bool) (b batchDim, ok bool) {
	for i, p := range f.Params() {
		if data[i] && p.Type.Rank() > 0 && (!ok || p.Type.Bytes() > f.Params()[b.param].Type.Bytes()) {
			b.param, ok = i, true
		}
	}
	if !ok {
		return b, false
	}
	p := f.Params()[b.param]
	b.shards = 1
	if s := p.Sharding; s != nil {
		b.dim = max(0, slices.IndexFunc(s.Dims, func(d layout.DimSharding) bool { return dm.RefsSize(d.Axes) > 1 }))
		b.shards = dm.RefsSize(s.Dims[b.dim].Axes)
	}
	b.size = p.Type.Dims[b.dim]
	return b, true
}

// propagate finds the dimensions that the axis of micro-batches shards if it shards the batch, with
// propagation in a copy of m: one for each value of main, in program order, or -1. Weights and the
// optimizer's state are not sharded. data tells which parameters are data. It returns an error if
// an op states what each device computes (clear), and the errors of propagation.
func (b *Batch) propagate(m *ir.Module, data []bool, batch batchDim) (dims []int, err error) {
	alone, err := mesh.New([]int{b.n}, []string{b.axis}, nil)
	if err != nil {
		return nil, fmt.Errorf("%d micro-batches: %w", b.n, err)
	}
	m = m.Clone()
	m.Meshes = []ir.NamedMesh{{Name: "microbatches", Mesh: alone}}
	for _, f := range m.Funcs {
		if err := clear(f, alone); err != nil {
			return nil, err
		}
	}
	for i, p := range m.Main().Params() {
		switch {
		case i == batch.param:
			p.Sharding = layout.OpenSharding(alone, p.Type.Rank())
			p.Sharding.Dims[batch.dim] = layout.DimSharding{Axes: mesh.FullAxes(b.axis)}
		case !data[i]:
			p.Sharding = layout.Replicated(alone, p.Type.Rank())
		}
	}
	var values []*ir.Value // before Propagate adds copies of constants
	m.Main().EachValue(func(v *ir.Value) { values = append(values, v) })
	if _, err := sharding.Propagate(m, sharding.Options{}); err != nil {
		return nil, err
	}
	if err := sharding.Complete(m); err != nil {
		return nil, err
	}
	for _, v := range values {
		dims = append(dims, dimOf(v.Sharding, b.axis))
	}
	return dims, nil
}

// clear removes the shardings in f, and opens those that ops state, on mesh dm. An op with a list
// of shardings, such as a manual computation, is an error.
func clear(f *ir.Func, dm *mesh.DeviceMesh) (err error) {
	f.EachValue(func(v *ir.Value) { v.Sharding = nil })
	for i := range f.Results {
		f.Results[i].Sharding = nil
	}
	f.Walk(func(op *ir.Op) {
		for _, a := range op.Attrs {
			switch a.Value.(type) {
			case ir.ShardingAttr:
				op.Attrs = op.Attrs.With(a.Name, ir.ShardingAttr{Sharding: layout.OpenSharding(dm, op.Results[0].Type.Rank())})
			case ir.ShardingsAttr:
				err = failed("%s states what each device computes", op.Place())
			}
		}
	})
	return err
}

// allHaveMajor reports whether withMajor finds a sharding over b.major for all values of f that
// have a micro-batch, except parameters. parts has the batch dimension of each value, -1 for none,
// and propagated its sharding by propagation.
func (b *Batch) allHaveMajor(f *ir.Func, parts []int, propagated []*layout.Sharding) bool {
	all, i := true, 0
	f.EachValue(func(v *ir.Value) {
		if d := parts[i]; d >= 0 && i >= len(f.Params()) && all {
			all = b.hasMajor(v.Type, b.withMajor(v, d, propagated[i]), d)
		}
		i++
	})
	return all
}

// annotate sets b.Module and b.dims. b.Module is a copy of m whose values are sharded as before
// and, in the batch dimensions parts, over the axis of micro-batches too. Results of main are not.
//
// Other than that, the axes b.major shard the batch of all values first, so that the samples of a
// micro-batch stay on their devices. A parameter that others shard too keeps them, and is moved
// before its micro-batches are taken.
func (b *Batch) annotate(m *ir.Module, parts []int, propagated []*layout.Sharding) {
	b.Module = m.Clone()
	b.Module.Meshes = []ir.NamedMesh{{Name: "mesh", Mesh: b.Mesh}}
	f := b.Module.Main()
	i := 0
	f.EachValue(func(v *ir.Value) {
		d := parts[i]
		if isParam := i < len(f.Params()); isParam && d >= 0 && !slices.Equal(axesOf(v.Sharding, d), b.major) {
			d = -1
		}
		if d >= 0 {
			v.Sharding = b.withMajor(v, d, propagated[i])
		}
		v.Sharding = b.combined(v.Type, v.Sharding, d)
		i++
	})
	f.Walk(func(op *ir.Op) {
		for _, a := range op.Attrs {
			if s, ok := a.Value.(ir.ShardingAttr); ok {
				r := op.Results[0]
				op.Attrs = op.Attrs.With(a.Name, ir.ShardingAttr{Sharding: b.combined(r.Type, s.Sharding, dimOf(r.Sharding, b.axis))})
			}
		}
	})
	for i := range f.Results {
		r := &f.Results[i]
		r.Sharding = b.combined(r.Type, r.Sharding, -1)
	}
	for _, p := range f.Params() {
		b.dims = append(b.dims, dimOf(p.Sharding, b.axis))
	}
}

// axesOf returns the axes that shard dimension d in s; none if s is nil.
func axesOf(s *layout.Sharding, d int) []mesh.AxisRef {
	if s == nil {
		return nil
	}
	return s.Dims[d].Axes
}

// withMajor returns a sharding of v whose dimension d is sharded over b.major first: its own, the
// propagated one, or its own with that dimension changed, and without b.major in others. If none is
// possible, it returns v's own; nil if v has none.
func (b *Batch) withMajor(v *ir.Value, d int, propagated *layout.Sharding) *layout.Sharding {
	own := v.Sharding
	switch {
	case own == nil || b.hasMajor(v.Type, own, d):
		return own
	case b.hasMajor(v.Type, propagated, d):
		return propagated
	}
	changed := own.Clone()
	for i := range changed.Dims {
		changed.Dims[i].Axes = slices.DeleteFunc(changed.Dims[i].Axes, b.isMajor)
	}
	changed.Dims[d].Axes = b.major
	if changed.Validate(v.Type.Rank()) != nil {
		return own
	}
	return changed
}

// isMajor reports whether a, or a part of it, is one of b.major.
func (b *Batch) isMajor(a mesh.AxisRef) bool { return slices.ContainsFunc(b.major, a.Overlaps) }

// hasMajor reports whether dimension d of a value of type t is sharded over b.major first in s, and
// whether each device has a number of samples that is divisible into micro-batches.
func (b *Batch) hasMajor(t ir.Type, s *layout.Sharding, d int) bool {
	axes := axesOf(s, d)
	return len(axes) >= len(b.major) && slices.Equal(axes[:len(b.major)], b.major) && t.Dims[d]%(b.devices.RefsSize(axes)*b.n) == 0
}

// combined returns s, the sharding of a value of type t on the program's mesh, on b.Mesh. Dimension
// d is sharded over the axis of micro-batches too, if that leaves each device equal parts; -1
// stands for none. A nil s stays nil if d is -1, and else stands for a replicated value.
func (b *Batch) combined(t ir.Type, s *layout.Sharding, d int) *layout.Sharding {
	if s == nil && d < 0 {
		return nil
	}
	out := layout.Replicated(b.Mesh, t.Rank())
	if s != nil {
		out = s.Clone()
		out.Mesh = b.Mesh
	}
	if d >= 0 && t.Dims[d]%(out.DimShards(d)*b.n) == 0 {
		at := min(len(b.major), len(out.Dims[d].Axes))
		out.Dims[d].Axes = slices.Insert(slices.Clone(out.Dims[d].Axes), at, mesh.FullAxis(b.axis))
	}
	return out
}

// dimOf returns the dimension that the axis shards in s, or -1. The axis counts only as a whole.
func dimOf(s *layout.Sharding, axis string) int {
	if s == nil {
		return -1
	}
	return slices.IndexFunc(s.Dims, func(d layout.DimSharding) bool { return slices.Contains(d.Axes, mesh.FullAxis(axis)) })
}

// Machine returns a copy of m for b.Mesh: a device computes the positions on the axis of
// micro-batches one after the other.
func (b *Batch) Machine(m *cost.Machine) *cost.Machine { return m.WithSteps(b.axis) }
