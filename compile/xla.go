package compile

// This file implements the passes that make a module for XLA's partitioner:
// divisible, divisible_all, lower_shardy and annotate.

import (
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// shortenAnnotations shortens the axes of each dimension of an annotated sharding to the longest
// prefix that divides the dimension:
//
//	mesh data=4: %x: tensor<6x8> [{"data"}, {}]    =>    [{}, {}]
//
// XLA's partitioner shards a dimension of 6 over an axis of 4 in a way that callers cannot know. It
// adds a diagnostic for each dimension that becomes replicated over some axes.
func shortenAnnotations(c *compilation) error {
	for _, a := range annotationsOf(c.main()) {
		c.makeDivisible(a, true)
	}
	return nil
}

// shortenAll shortens the axes of each sharding that propagation found to the longest prefix that
// divides the dimension, as shortenAnnotations does for annotations. It adds a warning for the user
// only for inputs and outputs.
func shortenAll(c *compilation) error {
	for _, a := range annotationsOf(c.main()) {
		c.makeDivisible(a, a.boundary)
	}
	return nil
}

// makeDivisible shortens the axes of each dimension of a to the longest prefix that divides it, and
// closes the dimensions that it shortens. If warn is true, it adds a diagnostic for each of these.
func (c *compilation) makeDivisible(a annotation, warn bool) {
	var out *layout.Sharding
	for i, size := range a.typ.Dims {
		axes := a.sharding.Dims[i].Axes
		n := dividingPrefix(a.sharding.Mesh, axes, size)
		if n == len(axes) {
			continue
		}
		if out == nil {
			out = a.sharding.Clone()
		}
		out.Dims[i].Axes = out.Dims[i].Axes[:n]
		// If the dimension stayed open, its neighbours would give it the axis again.
		out.Dims[i].Open = false
		if warn {
			c.warn(a.subject, fmt.Sprintf("dim %d (size %d) is not divisible by %s (size %d), so it is replicated over it: XLA's partitioner takes even shards only; choose a size that is a multiple of %d, or leave the dim unsharded",
				i, size, axesText(axes[n:]), a.sharding.Mesh.RefsSize(axes[n:]), a.sharding.Mesh.RefsSize(axes)))
		}
	}
	if out != nil {
		a.set(out)
	}
}

// dividingPrefix returns the length of the longest prefix of axes whose product divides size.
func dividingPrefix(m *mesh.DeviceMesh, axes []mesh.AxisRef, size int) int {
	for n := len(axes); n > 0; n-- {
		if size%m.RefsSize(axes[:n]) == 0 {
			return n
		}
	}
	return 0
}

func axesText(axes []mesh.AxisRef) string {
	if len(axes) == 1 {
		return "axis " + layout.AxesText(axes)
	}
	return "axes " + layout.AxesText(axes)
}

// lowering replaces an op that XLA's import of Shardy does not accept.
type lowering func(b *ir.Builder, op *ir.Op) error

// lowerings lists the ops that XLA's import of Shardy does not accept (or not after shardings are
// final), with their lowerings for one device and for several. Other ops stay.
var lowerings = map[ir.OpKind]struct {
	one, many lowering
}{
	ir.OpShardingConstraint:   {drop, keep},
	ir.OpReshard:              {drop, constrain},
	ir.OpPropagationBarrier:   {drop, constrain},
	ir.OpDataFlowEdge:         {drop, drop},
	ir.OpFuncDataFlowEdge:     {drop, drop},
	ir.OpShardingGroup:        {drop, drop},
	ir.OpSdyConstant:          {lowerConstant, lowerConstant},
	ir.OpSdyAllGather:         {drop, refuse},
	ir.OpSdyAllSlice:          {drop, refuse},
	ir.OpSdyAllReduce:         {drop, refuse},
	ir.OpSdyAllToAll:          {drop, refuse},
	ir.OpSdyCollectivePermute: {drop, refuse},
	ir.OpSdyReduceScatter:     {drop, refuse},
	ir.OpManualComputation:    {inlineBody, keep},
}

// lowerShardy applies the lowerings. Collectives that the module states are an error on several
// devices:
//
//	%1 = sdy.reshard %0 [{"x"}]    =>    %1 = sdy.sharding_constraint %0 [{"x"}]
func lowerShardy(c *compilation) error {
	var ops []*ir.Op
	c.main().Walk(func(op *ir.Op) {
		if _, ok := lowerings[op.Kind]; ok {
			ops = append(ops, op)
		}
	})
	b := &ir.Builder{}
	for _, op := range ops {
		lower := lowerings[op.Kind].many
		if c.hasOneDevice() {
			lower = lowerings[op.Kind].one
		}
		b.Before(op).Loc = op.Loc
		if err := lower(b, op); err != nil {
			return err
		}
	}
	return nil
}

func keep(*ir.Builder, *ir.Op) error { return nil }

// drop replaces an op by its operands, one for each result.
func drop(_ *ir.Builder, op *ir.Op) error {
	op.ReplaceWith(op.Operands[:len(op.Results)]...)
	return nil
}

// constrain replaces op by a sharding_constraint of its operand, to the sharding that its attribute
// states or its result has. One without a sharding it replaces by its operand.
func constrain(b *ir.Builder, op *ir.Op) error {
	s := op.Result().Sharding
	if sa, ok := op.Attrs.Get("sharding").(ir.ShardingAttr); ok {
		s = sa.Sharding
	}
	if s == nil {
		return drop(b, op)
	}
	v := b.ShardingConstraint(op.Operands[0], s)
	v.Sharding = op.Result().Sharding
	op.ReplaceWith(v)
	return nil
}

func lowerConstant(b *ir.Builder, op *ir.Op) error {
	v := b.Constant(op.SdyConstant().Value())
	v.Sharding = op.Result().Sharding
	op.ReplaceWith(v)
	return nil
}

// refuse returns an error that names op: explicit collectives cannot be lowered.
func refuse(_ *ir.Builder, op *ir.Op) error {
	return fmt.Errorf("%s: XLA's partitioner inserts the collectives itself; use sdy.sharding_constraint instead", op.Place())
}

// inlineBody replaces an op by the ops of its body. On one device the local shapes of a manual
// computation are the global ones.
func inlineBody(_ *ir.Builder, op *ir.Op) error {
	body := op.Regions[0]
	for i, a := range body.Args {
		a.ReplaceAllUsesWith(op.Operands[i])
	}
	for inner := range body.Body() {
		if inner.Loc.IsZero() {
			inner.Loc = op.Loc
		}
		inner.MoveBefore(op)
	}
	op.ReplaceWith(body.Terminator().Operands...)
	return nil
}

// meshName is the symbol of the program's mesh.
const meshName = "mesh"

// annotate sets closed, final shardings on parameters, results and ops, and the number of
// partitions on the module:
//
//	sdy.mesh @mesh = <["x"=2], device_ids=[1, 0]>
//	@main(%x [{?}]) -> ([{"x"}])
//	=>
//	module attributes {mhlo.num_partitions = 2}
//	sdy.mesh @mesh = <["x"=2]>
//	@main(%x [{}]) -> ([{"x"}])
//
// The mesh loses its device order. XLA takes device_ids for a permutation of its partitions, but an
// engine assigns partitions to devices by Program.Mesh, so partition i is position i of the mesh.
// From the program of one device it removes all meshes and shardings.
func annotate(c *compilation) error {
	dropFrameworkAttrs(c.module)
	a := annotator{final: map[*layout.Sharding]*layout.Sharding{}}
	c.module.Meshes = nil
	if !c.hasOneDevice() {
		a.mesh = orderDevices(c.mesh)
		c.module.Meshes = []ir.NamedMesh{{Name: meshName, Mesh: a.mesh}}
		c.module.Attrs = append(c.module.Attrs,
			ir.NamedAttr{Name: "mhlo.num_partitions", Value: ir.Int32(c.mesh.Size())},
			ir.NamedAttr{Name: "mhlo.num_replicas", Value: ir.Int32(1)})
	}
	f := c.main()
	for i, p := range f.Params() {
		p.Sharding = a.sharding(c.inputs[i].Sharding)
	}
	for i := range f.Results {
		f.Results[i].Sharding = a.sharding(c.outputs[i].Sharding)
	}
	f.Walk(a.op)
	return nil
}

// orderDevices returns m with its devices in the order 0, 1, ….
func orderDevices(m *mesh.DeviceMesh) *mesh.DeviceMesh {
	out, err := mesh.New(m.Shape(), m.AxisNames(), nil)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return out
}

// annotator makes shardings final.
type annotator struct {
	mesh  *mesh.DeviceMesh // nil: the program is for one device
	final map[*layout.Sharding]*layout.Sharding
}

// sharding returns s closed and on the program's mesh. It returns nil if s is nil, or if the
// program is for one device.
func (a annotator) sharding(s *layout.Sharding) *layout.Sharding {
	if a.mesh == nil || s == nil {
		return nil
	}
	if _, ok := a.final[s]; !ok {
		c := closedSharding(s)
		c.Mesh = a.mesh
		a.final[s] = c
	}
	return a.final[s]
}

// op makes the shardings of op final. Scalar computations, such as the body of a reduce, have none.
// Shardy's own ops already have theirs as an attribute. Other ops with regions get none either: in
// XLA a while has more results than here, one for each value that its body uses from outside. XLA
// finds the shardings of such ops from the ops inside and around them.
func (a annotator) op(op *ir.Op) {
	parent := op.Parent()
	bare := parent != nil && parent.Info().Is(ir.ScalarBody) ||
		len(op.Regions) > 0 && !op.Info().Is(ir.ScalarBody) ||
		op.Has("sharding")
	for _, r := range op.Results {
		if r.Sharding = a.sharding(r.Sharding); bare {
			r.Sharding = nil
		}
	}
	for _, na := range op.Attrs {
		switch s := na.Value.(type) {
		case ir.ShardingAttr:
			op.Attrs = op.Attrs.With(na.Name, ir.ShardingAttr{Sharding: a.sharding(s.Sharding)})
		case ir.ShardingsAttr:
			out := make(ir.ShardingsAttr, len(s))
			for i := range s {
				out[i] = a.sharding(s[i])
			}
			op.Attrs = op.Attrs.With(na.Name, out)
		}
	}
	for _, r := range op.Regions {
		for _, v := range r.Args {
			v.Sharding = nil
		}
	}
}
