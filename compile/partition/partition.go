package partition

// This file walks the program: Module, the partitioner and its blocks.

import (
	"fmt"
	"iter"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/reshard"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding"
)

// MeshName is the symbol of the mesh in the per-device module.
const MeshName = "mesh"

// Module returns the per-device program of m, and leaves m as it is: a program that every device of
// dm runs on its shards. It partitions each op in the way that costs least on machine. Every value
// of main must have a sharding, as sharding.Complete sets it; on one device none are needed.
//
// Parameters and results of the new main are shards. The mesh of the result has dm's axes, and its
// devices in order, because collectives name positions. For one device it has no mesh. An op that
// has no meaning in a program of global shapes is an error.
func Module(m *ir.Module, dm *mesh.DeviceMesh, machine *cost.Machine) (*ir.Module, error) {
	return newPartitioner(dm, machine).module(m)
}

func (p *partitioner) module(m *ir.Module) (*ir.Module, error) {
	out := &ir.Module{Name: m.Name, Attrs: m.Attrs}
	if p.mesh.Size() > 1 {
		out.Meshes = []ir.NamedMesh{{Name: MeshName, Mesh: p.mesh}}
	}
	for _, f := range m.Funcs {
		if f != m.Main() {
			out.Funcs = append(out.Funcs, withoutShardings(f))
			continue
		}
		p.findAccesses(f)
		local, err := p.function(f)
		if err != nil {
			return nil, err
		}
		local.Walk(dropRule)
		out.Funcs = append(out.Funcs, local)
	}
	return out, nil
}

// dropRule removes the sharding rule that the program states for op. It is a rule for global shapes
// and no longer needed.
func dropRule(op *ir.Op) {
	if op.Has(sharding.RuleAttr) {
		op.Attrs = op.Attrs.Without(sharding.RuleAttr)
	}
}

// withoutShardings returns a copy of f without shardings. It is for functions that are only
// referred to by attributes, such as comparators: they work on scalars.
func withoutShardings(f *ir.Func) *ir.Func {
	f = f.Clone()
	for _, v := range f.Params() {
		v.Sharding = nil
	}
	for i := range f.Results {
		f.Results[i].Sharding = nil
	}
	f.Walk(func(op *ir.Op) {
		for _, r := range op.Results {
			r.Sharding = nil
		}
	})
	return f
}

func newPartitioner(dm *mesh.DeviceMesh, machine *cost.Machine) *partitioner {
	return &partitioner{
		builder:  newBuilder(nil, ir.Location{}),
		interner: newInterner(orderDevices(dm)),
		machine:  machine,
		tensors:  map[*ir.Value]*tensor{},
		plans:    map[planKey]plan{},
		planner:  &reshard.Planner{Serial: machine.Steps},
	}
}

// orderDevices returns a mesh with the axes of dm, and with the devices 0, 1, … in order.
func orderDevices(dm *mesh.DeviceMesh) *mesh.DeviceMesh {
	out, err := mesh.New(dm.Shape(), dm.AxisNames(), nil)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return out
}

// partitioner is the state of partitioning one function.
type partitioner struct {
	*builder
	interner // interns shardings on the program's mesh, with its devices in the order 0, 1, …
	machine  *cost.Machine
	// memory traffic of each op of the main function; nil if the machine counts only arithmetic
	accesses map[*ir.Op]*cost.Access
	at       *frame // the frame of the current ops
	tensors  map[*ir.Value]*tensor
	plans    map[planKey]plan
	planner  *reshard.Planner
	// the evaluator of the search for shardings, if one has searched this function; it knows costs
	searched *Evaluator

	evaluations int // number of strategies evaluated so far

	inManual bool // the current ops are in a manual computation
}

// findAccesses sets p.accesses to the memory accesses of the ops of f. It does nothing if the
// machine does not count memory traffic, or for a single device.
func (p *partitioner) findAccesses(f *ir.Func) {
	if p.machine.MemoryBandwidth > 0 && p.mesh.Size() > 1 {
		p.accesses = cost.Accesses(f)
	}
}

// function returns the per-device form of f: parameters and results have the types of their shards.
// It partitions all ops of the body, in their order, and returns the first error of one.
func (p *partitioner) function(f *ir.Func) (*ir.Func, error) {
	out := ir.NewFunc(f.Name)
	out.Private, out.Attrs, out.Loc = f.Private, f.Attrs, f.Loc
	defer p.enter(&frame{block: out.Body, runs: 1})()
	for i, param := range f.Params() {
		s := p.declaredSharding(param)
		v := out.AddParam(param.Name, p.localType(param.Type, s), nil)
		out.ArgAttrs[i] = f.ArgAttrs[i]
		p.define(param, v, s)
	}
	if err := p.ops(f.Body.Body()); err != nil {
		return nil, err
	}
	p.Loc = f.Body.Terminator().Loc
	returned := make([]*ir.Value, len(f.Results))
	for i, v := range f.Returned() {
		want := p.fromModule(f.Results[i].Sharding, v.Type.Rank())
		p.reason(fmt.Sprintf("result %s is sharded as %s", resultName(f, i), want))
		returned[i] = p.get(v, want)
	}
	out.Return(returned...)
	for i, r := range f.Results {
		out.Results[i].Name, out.Results[i].Attrs = r.Name, r.Attrs
	}
	return out, nil
}

// resultName returns the name of result i of f for messages, or its number.
func resultName(f *ir.Func, i int) string {
	if name := f.Results[i].Name; name != "" {
		return name
	}
	return fmt.Sprint(i)
}

// enter makes f the current frame, and its block the block that is built, until the returned
// function is called.
func (p *partitioner) enter(f *frame) (leave func()) {
	at, outer := p.at, p.Point()
	p.AtEnd(f.block)
	p.at = f
	return func() {
		p.at = at
		p.SetPoint(outer)
	}
}

// ops partitions the ops of a list in order. An error names the op and its location.
func (p *partitioner) ops(list iter.Seq[*ir.Op]) error {
	for op := range list {
		p.Loc = op.Loc
		p.reason("")
		if err := p.run(&registry[op.Kind], op); err != nil {
			return fmt.Errorf("%s: %w", op.Place(), err)
		}
	}
	return nil
}

// region returns the per-device form of b, a region of an op. args are the shardings of its
// arguments, and results those of the values that it returns; nil means that all of them are
// replicated. It returns the first error of an op in b.
func (p *partitioner) region(b *ir.Block, args, results []*layout.Sharding) (*ir.Block, error) {
	out := &ir.Block{}
	inside := p.at.region(b.Parent(), b)
	inside.block = out
	defer p.enter(inside)()
	for i, a := range b.Args {
		s := p.orReplicated(at(args, i), a.Type)
		v := out.AddArg(p.localType(a.Type, s))
		v.Name = a.Name
		p.define(a, v, s)
	}
	if err := p.ops(b.Body()); err != nil {
		return nil, err
	}
	end := b.Terminator()
	p.Loc = end.Loc
	operands := make([]*ir.Value, len(end.Operands))
	for i, v := range end.Operands {
		want := p.orReplicated(at(results, i), v.Type)
		p.reason(fmt.Sprintf("value %d that the region returns is sharded as %s", i, want))
		operands[i] = p.get(v, want)
	}
	p.Insert(ir.NewOp(end.Kind, operands, end.Attrs, nil))
	return out, nil
}

// at returns list[i], or nil if list is shorter.
func at[T any](list []*T, i int) *T {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// localType returns the type of one device's shard, by s, of a tensor of type t. A token stays a
// token.
func (p *partitioner) localType(t ir.Type, s *layout.Sharding) ir.Type {
	if t.IsToken() {
		return t
	}
	return t.WithDims(s.LocalShape(t.Dims))
}

// declaredSharding returns the sharding that v has in the program, in interned form; the replicated
// one if it has none. It lacks unreduced axes, axes of size 1 and what only steers propagation.
func (p *partitioner) declaredSharding(v *ir.Value) *layout.Sharding {
	return p.fromModule(v.Sharding, v.Type.Rank())
}

// orReplicated returns s or, if it is nil, the replicated sharding of a value of type t.
func (p *partitioner) orReplicated(s *layout.Sharding, t ir.Type) *layout.Sharding {
	if s == nil {
		return p.replicatedSharding(t.Rank())
	}
	return s
}
