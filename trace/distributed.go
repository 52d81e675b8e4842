package trace

// This file records graphs that GoMLX itself distributes. They are written for one of several
// devices (SPMD), or for all devices together, with shardings (auto-sharding).

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// distribution says how GoMLX distributes the graph of a Builder.
type distribution struct {
	perDevice bool                // main is written for one device
	name      string              // name of the mesh in GoMLX's sharding specs
	shape     []int               // sizes of the mesh's axes; nil: one device
	axes      []string            // names of the mesh's axes
	devices   []compute.DeviceNum // devices of the mesh; nil: 0, 1, …

	params, results []*compute.ShardingSpec // specs of main's parameters and results; results may be shorter than main has results
}

// deviceAxis is the name of the only mesh axis of a graph that is written for one device.
const deviceAxis = "device"

// DistributedSPMD says that main is written for one device, and that each of n devices runs it.
// Module wraps main in a manual computation, whose parameters and results have a new first
// dimension of size n, sharded over the devices. It implements compute.Builder. It is an error
// after parameters or ops, after another distribution, and for n below 1.
func (b Builder) DistributedSPMD(n int) error {
	if err := b.checkUndistributed("DistributedSPMD"); err != nil {
		return err
	}
	if n < 1 {
		return b.r.errorf("DistributedSPMD", "got %d devices, want at least one", n)
	}
	b.dist.perDevice, b.dist.shape, b.dist.axes = true, []int{n}, []string{deviceAxis}
	return nil
}

// DistributedAutoSharding sets the mesh of the module. Parameters and results get the shardings of
// their specs; those without a spec are replicated. It implements compute.Builder. Errors are: no
// mesh or several, an invalid one, logical devices in another order than 0, 1, …, parameters or ops
// that are there already, and another distribution.
func (b Builder) DistributedAutoSharding(meshes ...compute.Mesh) error {
	if err := b.checkUndistributed("DistributedAutoSharding"); err != nil {
		return err
	}
	if len(meshes) != 1 {
		return b.r.errorf("DistributedAutoSharding", "got %d meshes, want one: a program has one mesh, so give it all axes", len(meshes))
	}
	m := meshes[0]
	for i, d := range m.LogicalDeviceAssignment {
		if i != d {
			return b.r.errorf("DistributedAutoSharding", "mesh %q has the logical devices %v, and GoMLX passes inputs in the order 0, 1, …: order the devices by SetDeviceAssignment instead",
				m.Name, m.LogicalDeviceAssignment)
		}
	}
	if _, err := mesh.New(m.AxesSizes, m.AxesNames, nil); err != nil {
		return b.r.errorf("DistributedAutoSharding", "%w", err)
	}
	b.dist.name, b.dist.shape, b.dist.axes = m.Name, m.AxesSizes, m.AxesNames
	return nil
}

// checkUndistributed returns an error if the graph is distributed already, or if its recording has
// begun. op is the name of the caller.
func (b Builder) checkUndistributed(op string) error {
	switch {
	case b.dist.shape != nil:
		return b.r.errorf(op, "the graph is distributed already: choose one distribution")
	case len(b.r.main.Params()) > 0 || b.r.main.Body.Len() > 0:
		return b.r.errorf(op, "the graph has parameters or ops: distribute it before they are recorded")
	}
	return nil
}

// DeviceAssignment sets the devices of the mesh, row by row, or, if the graph is not distributed,
// its one device. Another number of devices is an error. It implements compute.Builder.
func (b Builder) DeviceAssignment(devices ...compute.DeviceNum) error {
	want := 1
	for _, n := range b.dist.shape {
		want *= n
	}
	if len(devices) != want {
		return b.r.errorf("DeviceAssignment", "got %d devices, want %d", len(devices), want)
	}
	b.dist.devices = slices.Clone(devices)
	return nil
}

// IsDistributed reports whether GoMLX distributes the graph.
func (b Builder) IsDistributed() bool { return b.dist.shape != nil }

// IsPerDevice reports whether main is written for one device (DistributedSPMD).
func (b Builder) IsPerDevice() bool { return b.dist.perDevice }

// Devices returns the devices that the graph is assigned to, or nil if it may run on any device.
func (b Builder) Devices() []compute.DeviceNum { return slices.Clone(b.dist.devices) }

// distribute makes main a program for the whole mesh: it sets the module's mesh, and either gives
// main's parameters and results their shardings or wraps main. A sharding spec that does not suit
// its parameter or result is an error.
func (b Builder) distribute() error {
	d := b.dist
	ids := make([]int, len(d.devices))
	for i, id := range d.devices {
		ids[i] = int(id)
	}
	if len(ids) == 0 {
		ids = nil
	}
	dm, err := mesh.New(d.shape, d.axes, ids)
	if err != nil {
		return err
	}
	dm = b.r.module.AddMesh("mesh", dm)
	if d.perDevice {
		b.wrap(dm)
		return nil
	}
	main := b.r.main
	for i, p := range main.Params() {
		if p.Sharding, err = d.shardingOf(dm, p.Type, d.params[i]); err != nil {
			return fmt.Errorf("parameter %q: %w", p.Name, err)
		}
	}
	for i, v := range main.Returned() {
		var spec *compute.ShardingSpec
		if i < len(d.results) {
			spec = d.results[i]
		}
		if main.Results[i].Sharding, err = d.shardingOf(dm, v.Type, spec); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
	}
	return nil
}

// shardingOf converts a sharding spec of GoMLX, for a tensor of type t, to a closed sharding on dm.
// A nil spec is replicated, and so are dimensions beyond its end. A spec on another mesh, one with
// more dimensions than t, and axes that dm lacks or that it uses twice are errors.
func (d *distribution) shardingOf(dm *mesh.DeviceMesh, t ir.Type, spec *compute.ShardingSpec) (*layout.Sharding, error) {
	s := layout.Replicated(dm, t.Rank())
	if spec == nil {
		return s, nil
	}
	if spec.Mesh != d.name || len(spec.Axes) > t.Rank() {
		return nil, fmt.Errorf("it is %s, and its spec has %d axes on mesh %q: want at most %d on mesh %q",
			t, len(spec.Axes), spec.Mesh, t.Rank(), d.name)
	}
	for i, axes := range spec.Axes {
		s.Dims[i].Axes = mesh.FullAxes(axes...)
	}
	return s, s.Validate(t.Rank())
}

// wrap replaces main by a function that runs the old main on each device of dm, in a manual
// computation. Parameters and results get a new first dimension, one element for each device.
func (b Builder) wrap(dm *mesh.DeviceMesh) {
	inner, outer := b.r.main, ir.NewFunc("main")
	first := []mesh.AxisRef{mesh.FullAxis(deviceAxis)}
	stack := func(t ir.Type, n int) (ir.Type, *layout.Sharding) {
		s := layout.Replicated(dm, t.Rank()+1)
		s.Dims[0].Axes = first
		return t.WithDims(slices.Concat([]int{n}, t.Dims)), s
	}
	body, copies := &ir.Block{}, ir.Cloner{}
	at := ir.NewBuilder(body)
	var operands, returned []*ir.Value
	var in, out []*layout.Sharding
	for _, p := range inner.Params() {
		t, s := stack(p.Type, dm.Size())
		operands, in = append(operands, outer.AddParam(p.Name, t, s)), append(in, s)
		one, _ := stack(p.Type, 1)
		copies[p] = at.Reshape(body.AddArg(one), p.Type)
	}
	end := inner.Body.Terminator()
	for op := range inner.Body.Ops() {
		if op != end {
			body.Append(copies.Op(op))
		}
	}
	var types []ir.Type
	for _, v := range end.Operands {
		t, s := stack(v.Type, dm.Size())
		one, _ := stack(v.Type, 1)
		types, out = append(types, t), append(out, s)
		returned = append(returned, at.Reshape(copies.Value(v), one))
	}
	at.SdyReturn(returned)
	op := ir.NewBuilder(outer.Body).ManualComputation(operands, in, out, first, body, types)
	outer.Return(op.Results...)
	for i := range outer.Results {
		outer.Results[i].Name, outer.Results[i].Sharding = inner.Results[i].Name, out[i]
	}
	b.r.module.Funcs[slices.Index(b.r.module.Funcs, inner)] = outer
	b.r.main = outer
}

// reducers has, by kind of reduction, how AllReduce computes it.
var reducers = map[compute.ReduceOpType]reducer{
	compute.ReduceOpSum: reduceSum, compute.ReduceOpProduct: reduceProduct, compute.ReduceOpMax: reduceMax, compute.ReduceOpMin: reduceMin,
}

// AllReduce reduces each operand over the devices of each of groups, lists of device numbers,
// element by element, and returns the results in the order of operands. reduction is a sum, a
// product, a maximum or a minimum. It fails unless the graph is written for one device: in other
// graphs the compiler inserts the collectives. Groups must have one size, and a device may be in
// one group only, and only once.
func (f *function) AllReduce(operands []compute.Value, reduction compute.ReduceOpType, groups [][]int) ([]compute.Value, error) {
	e := f.begin("AllReduce")
	by, ok := reducers[reduction]
	width := 0
	if len(groups) > 0 {
		width = len(groups[0])
	}
	switch dist := f.b.dist; {
	case dist == nil || !dist.perDevice:
		e.failf("write the program for one device: gospmd finds out where collectives are needed and puts them in")
	case !ok:
		e.failf("got reduction %s, want a sum, a product, a maximum or a minimum", reduction)
	case slices.ContainsFunc(groups, func(g []int) bool { return len(g) != width }):
		e.failf("got the groups %v, want groups of one size", groups)
	case slices.ContainsFunc(slices.Concat(groups...), func(id int) bool { return id < 0 || id >= dist.shape[0] }):
		e.failf("got the groups %v, want device numbers from 0 to %d", groups, dist.shape[0]-1)
	}
	results := e.values(operands)
	for i, v := range results {
		e.demand(by.want, v)
		if e.err == nil {
			attrs := ir.Attrs{{Name: ir.GroupsAttr, Value: ir.IntMatrix(groups, width)}}
			results[i] = first(e.ops(ir.OpAllReduce, attrs, []*ir.Block{e.reduceBody(by, v.Type.DType)}, v))
		}
	}
	return e.results(results)
}
