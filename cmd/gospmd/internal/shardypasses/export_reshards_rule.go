package shardypasses

// This file inserts reshards that follow from sharding rules: at matrix products and concatenates.

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding"
	"github.com/gospmd/gospmd/sharding/factor"
)

// reshardByRule inserts the reshards that follow from the sharding rule of op: around products and
// concatenations, and for partial sums. An op without a rule, with a custom one, or without a mesh
// stays. A stated rule that is not valid is an error, and so are operands that partialSums refuses.
func (r *resharder) reshardByRule(op *ir.Op) error {
	rule, _, err := sharding.RuleOf(op, false)
	if err != nil {
		return fmt.Errorf("sharding: function %s: %w", r.fn.Name, err)
	}
	if rule == nil || rule.Custom || len(op.Results) == 0 {
		return nil
	}
	values := slices.Concat(op.Operands, op.Results)
	for i, v := range values {
		values[i] = skipBarriers(v)
	}
	dm := meshOfMost(values)
	if dm == nil {
		return nil
	}
	shardings := make([]*layout.Sharding, len(values))
	for i, v := range values {
		if shardings[i] = v.Sharding; v.Sharding != nil && len(v.Sharding.Mesh.Axes()) > 0 {
			shardings[i] = v.Sharding.Clone()
			shardings[i].Mesh = dm
		}
	}
	p := factor.Project(rule, dm, shardings)
	switch op.Kind {
	case ir.OpDot, ir.OpDotGeneral:
		r.dot(op, p)
	case ir.OpConcatenate:
		if slices.ContainsFunc(op.Operands, func(v *ir.Value) bool { return !sameSharding(v.Sharding, op.Result().Sharding) }) {
			r.concatenate(op, p, values, shardings)
			return nil
		}
	}
	return r.partialSums(op, p)
}

// skipBarriers returns the value that reaches v through propagation barriers. The shardings of
// barriers do not matter here.
func skipBarriers(v *ir.Value) *ir.Value {
	for v.Def() != nil && v.Def().Kind == ir.OpPropagationBarrier {
		v = v.Def().Operands[0]
	}
	return v
}

func sameSharding(a, b *layout.Sharding) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Equal(b)
}

// meshOfMost returns the mesh that most of the sharded values are on. The meshes may differ in the
// order of devices only. It returns nil if their axes differ, if a value is on one device, or if no
// value is on a mesh with axes.
func meshOfMost(values []*ir.Value) *mesh.DeviceMesh {
	var meshes []*mesh.DeviceMesh
	count := make(map[*mesh.DeviceMesh]int)
	for _, v := range values {
		s := v.Sharding
		if s == nil {
			continue
		}
		if s.Mesh.IsMaximal() {
			return nil
		}
		if len(s.Mesh.Axes()) == 0 {
			continue
		}
		if len(meshes) > 0 && !slices.Equal(meshes[0].Axes(), s.Mesh.Axes()) {
			return nil
		}
		if !slices.Contains(meshes, s.Mesh) {
			meshes = append(meshes, s.Mesh)
		}
		if !isReplicated(s) {
			count[s.Mesh]++
		}
	}
	var best *mesh.DeviceMesh
	for _, m := range meshes {
		if best == nil || count[m] > count[best] {
			best = m
		}
	}
	return best
}

// dot shards a matrix product by more axes if that needs no extra communication. The conditions
// are: the operands agree; the sharding of the result differs from theirs in one dimension only;
// there the result is sharded by the axes of the contracted dimension instead; and the result is
// not larger than the operand that has the dimension. Then the product gets the sharding of the
// operands and is summed, and only the smaller result is moved.
func (r *resharder) dot(op *ir.Op, p *factor.Projection) {
	if op.Result().Sharding == nil {
		return
	}
	size := func(v *ir.Value) int { return v.Type.Size() }
	lhs, rhs, out := p.Tensors[0].Factors, p.Tensors[1].Factors, p.Tensors[2].Factors
	conflict := -1
	var contracted, seen mesh.AxisList
	for f := range p.Rule.Factors {
		axes, largest := lhs[f].Axes, size(op.Operands[0])
		if !lhs[f].Present {
			axes, largest = rhs[f].Axes, size(op.Operands[1])
		}
		if lhs[f].Present && rhs[f].Present {
			if !slices.Equal(lhs[f].Axes, rhs[f].Axes) {
				return
			}
			if p.Rule.Factors[f].Kind == factor.Reduction {
				contracted = append(contracted, axes...)
				continue
			}
			largest = max(largest, size(op.Operands[1]))
		} else {
			for _, a := range axes {
				if seen.Overlaps(a) {
					return
				}
				seen = append(seen, a)
			}
		}
		if slices.Equal(out[f].Axes, axes) {
			continue
		}
		if len(axes) == 0 || conflict >= 0 || size(op.Result()) > largest {
			return
		}
		conflict = f
	}
	if conflict < 0 || len(out[conflict].Axes) == 0 || !slices.Equal(out[conflict].Axes, contracted) {
		return
	}
	want := op.Result().Sharding
	if out[conflict].Axes = lhs[conflict].Axes; !lhs[conflict].Present {
		out[conflict].Axes = rhs[conflict].Axes
	}
	r.moveResult(op, 0, unprojectClosed(p, 2, want), want)
}

// moveResult gives result i of op the sharding made, and inserts a reshard of it to want.
func (r *resharder) moveResult(op *ir.Op, i int, made, want *layout.Sharding) {
	v := op.Results[i]
	sdy.Interpose(v, sdy.NewConstraint(ir.OpReshard, v, want))
	v.Sharding = made
}

// unprojectClosed returns the sharding of tensor t that p.Unproject returns, with closed
// dimensions.
func unprojectClosed(p *factor.Projection, t int, old *layout.Sharding) *layout.Sharding {
	s := p.Unproject(t, old)
	for d := range s.Dims {
		s.Dims[d].Open = false
	}
	return s
}

// partialSums inserts sums for an op whose result is unreduced over only some of the axes that
// shard its Reduction factors. The sums are over the other axes. Operands that are sharded
// differently along the Reduction factors are an error.
func (r *resharder) partialSums(op *ir.Op, p *factor.Projection) error {
	first := op.Results[0].Sharding
	if first == nil || len(first.Unreduced) == 0 {
		return nil
	}
	var reduced mesh.AxisList
	for f := range p.Rule.Factors {
		if p.Rule.Factors[f].Kind != factor.Reduction {
			continue
		}
		axes, ok := agreedAxes(p, f)
		if !ok {
			return fmt.Errorf("sharding: function %s: %s: its result is unreduced, but its operands are split differently along what it reduces: give them the same axes there",
				r.fn.Name, sdy.Describe(op))
		}
		reduced = append(reduced, axes...)
	}
	over := axesWithout(p.Mesh, p.Mesh.Refs(reduced), first.Unreduced)
	if len(over) == 0 {
		return nil
	}
	for _, v := range op.Results {
		s := v.Sharding
		if s == nil {
			s = layout.Replicated(p.Mesh, v.Type.Rank())
		}
		sum := newCollective(ir.OpSdyAllReduce, v, s, ir.NamedAttr{Name: "reduction_axes", Value: ir.AxesAttr(over)})
		sdy.Interpose(v, sum)
	}
	return nil
}

// agreedAxes returns the axes of factor f, none if no tensor has the factor; ok is false unless all
// tensors with the factor have the same.
func agreedAxes(p *factor.Projection, f int) (axes mesh.AxisList, ok bool) {
	seen := false
	for t := range p.Tensors {
		fs := &p.Tensors[t].Factors[f]
		switch {
		case !fs.Present:
		case !seen:
			axes, seen = fs.Axes, true
		case !slices.Equal(axes, fs.Axes):
			return nil, false
		}
	}
	return axes, true
}

// concatenate reshards the operands of op, a concatenation, and its result, from the shardings old
// to shardings with equal axes, and puts those into p.
func (r *resharder) concatenate(op *ir.Op, p *factor.Projection, values []*ir.Value, old []*layout.Sharding) {
	axes := compromise(p, values)
	for t := range p.Tensors {
		changed := false
		for f := range p.Rule.Factors {
			fs := &p.Tensors[t].Factors[f]
			if fs.Present && !slices.Equal(fs.Axes, axes[f]) {
				fs.Axes, changed = axes[f], true
			}
		}
		s := values[t].Sharding
		if !changed && (isReplicated(s) || slices.Equal(s.Mesh.Devices(), p.Mesh.Devices())) {
			continue
		}
		next := unprojectClosed(p, t, old[t])
		if t < len(p.Rule.Operands) {
			c := sdy.NewConstraint(ir.OpReshard, op.Operands[t], next)
			c.InsertBefore(op)
			op.SetOperand(t, c.Result())
			continue
		}
		if s == nil {
			s = layout.Replicated(p.Mesh, values[t].Type.Rank())
		}
		r.moveResult(op, t-len(p.Rule.Operands), next, s)
	}
}

// compromise returns axes for each factor of p; values are the values of its tensors. No tensor
// uses an axis for two factors, and no factor that needs replication has axes. If the tensors
// agree, these are their axes; if not, those of the tensors that are most expensive to move.
func compromise(p *factor.Projection, values []*ir.Value) []mesh.AxisList {
	if axes := compatibleAxes(p); axes != nil {
		return axes
	}
	var tensors []int
	for t := range p.Tensors {
		if len(p.Rule.Mapping(t)) > 0 {
			tensors = append(tensors, t)
		}
	}
	if len(tensors) == 2 && !slices.ContainsFunc(p.Rule.Factors, func(f factor.Factor) bool { return f.Kind == factor.NeedReplication }) {
		return preferredAxes(p, tensors[0], tensors[1], values)
	}
	axes := assignGreedily(p, values)
	spread(p, axes)
	return axes
}

// compatibleAxes returns the axes of each factor, if all tensors agree on them. It returns nil if
// they do not, if a factor that needs replication has axes, or if two factors share an axis.
func compatibleAxes(p *factor.Projection) []mesh.AxisList {
	out := make([]mesh.AxisList, len(p.Rule.Factors))
	var seen mesh.AxisList
	for f := range p.Rule.Factors {
		axes, ok := agreedAxes(p, f)
		if !ok || p.Rule.Factors[f].Kind == factor.NeedReplication && len(axes) > 0 {
			return nil
		}
		for _, a := range axes {
			if seen.Overlaps(a) {
				return nil
			}
		}
		seen = append(seen, axes...)
		out[f] = axes
	}
	return out
}

// preferredAxes returns, for each factor, the axes of the better one of the tensors a and b of p,
// with those of the other one for factors that only it has. Better is a tensor that is not sharded
// along a Permutation factor, then the larger one by values, then the one with more shards.
func preferredAxes(p *factor.Projection, a, b int, values []*ir.Value) []mesh.AxisList {
	rank := func(t int) []int {
		free, parts := 1, 1
		for f := range p.Rule.Factors {
			axes := p.Tensors[t].Factors[f].Axes
			if p.Rule.Factors[f].Kind == factor.Permutation && len(axes) > 0 {
				free = 0
			}
			parts *= axes.Size()
		}
		return []int{free, values[t].Type.Size(), parts}
	}
	if slices.Compare(rank(a), rank(b)) < 0 {
		a, b = b, a
	}
	out := make([]mesh.AxisList, len(p.Rule.Factors))
	var taken mesh.AxisList
	for f := range out {
		if fs := p.Tensors[a].Factors[f]; fs.Present {
			out[f] = fs.Axes
			taken = append(taken, fs.Axes...)
		}
	}
	for f := range out {
		if fs := p.Tensors[b].Factors[f]; fs.Present && !p.Tensors[a].Factors[f].Present {
			out[f] = fs.Axes.PrefixWithout(taken)
		}
	}
	return out
}

// candidate is a list of axes that some tensor shards a factor by.
type candidate struct {
	factor int
	axes   mesh.AxisList
	bytes  int // size of the tensors that are sharded by the candidate's axes
	parts  int // number of additional shards
}

// kindRank is higher for kinds of factors that cost less when they are sharded. Kinds that are not
// listed have 0.
var kindRank = map[factor.Kind]int{factor.PassThrough: 3, factor.Reduction: 2, factor.Permutation: 1, factor.NeedReplication: 0}

func compareCandidates(p *factor.Projection, a, b *candidate) int {
	return cmp.Or(
		cmp.Compare(a.bytes, b.bytes),
		cmp.Compare(kindRank[p.Rule.Factors[a.factor].Kind], kindRank[p.Rule.Factors[b.factor].Kind]),
		cmp.Compare(a.parts, b.parts),
		cmp.Compare(a.factor, b.factor),
		cmp.Compare(len(a.axes), len(b.axes)),
		slices.CompareFunc(a.axes, b.axes, func(x, y mesh.SubAxis) int {
			return cmp.Or(cmp.Compare(p.Mesh.Axes()[x.Axis].Name, p.Mesh.Axes()[y.Axis].Name), x.Compare(y))
		}))
}

// assignGreedily returns the axes of each factor. It assigns one candidate at a time: first the one
// that most bytes are already sharded by. The others lose the axes that it has.
func assignGreedily(p *factor.Projection, values []*ir.Value) []mesh.AxisList {
	out := make([]mesh.AxisList, len(p.Rule.Factors))
	bag := candidates(p, values)
	for len(bag) > 0 {
		best := *slices.MaxFunc(bag, func(a, b *candidate) int { return compareCandidates(p, a, b) })
		out[best.factor] = best.axes
		bag = slices.DeleteFunc(bag, func(c *candidate) bool {
			if c.factor == best.factor {
				if !best.axes.IsStrictPrefixOf(c.axes) {
					return true
				}
				c.parts = c.axes.Size() / best.axes.Size()
				return false
			}
			cut := c.axes.PrefixWithout(best.axes)
			c.parts = cut.Size()
			if len(cut) != len(c.axes) || !slices.Equal(cut, c.axes) {
				c.axes = cut
				if slices.Equal(cut, out[c.factor]) {
					return true
				}
				c.parts /= max(1, out[c.factor].Size())
			}
			return false
		})
	}
	return out
}

// candidates lists, for each factor of p, the axes that tensors shard it by, and all prefixes of
// them, each once, with the number of elements of the tensors that are sharded so. values are the
// values of the tensors.
func candidates(p *factor.Projection, values []*ir.Value) []*candidate {
	var bag []*candidate
	for t := range p.Tensors {
		for f := range p.Rule.Factors {
			for n := len(p.Tensors[t].Factors[f].Axes); n > 0; n-- {
				axes := p.Tensors[t].Factors[f].Axes[:n]
				if !slices.ContainsFunc(bag, func(c *candidate) bool { return c.factor == f && slices.Equal(c.axes, axes) }) {
					bag = append(bag, &candidate{factor: f, axes: axes, parts: axes.Size()})
				}
			}
		}
	}
	for _, c := range bag {
		for t := range p.Tensors {
			if c.axes.IsPrefixOf(p.Tensors[t].Factors[c.factor].Axes) {
				c.bytes += values[t].Type.Size()
			}
		}
	}
	return bag
}

// spread removes from axes, which has those of each factor, the axes of the factors that need
// replication. If all tensors of p have such a factor, its axes then shard PassThrough factors that
// all tensors have, in order, as far as they divide the sizes of these.
func spread(p *factor.Projection, axes []mesh.AxisList) {
	everywhere := func(f int) bool {
		for t := range p.Tensors {
			if len(p.Rule.Mapping(t)) > 0 && !p.Tensors[t].Factors[f].Present {
				return false
			}
		}
		return true
	}
	for f := range p.Rule.Factors {
		if p.Rule.Factors[f].Kind != factor.NeedReplication {
			continue
		}
		rest := axes[f]
		axes[f] = nil
		if !everywhere(f) {
			continue
		}
		for g := range p.Rule.Factors {
			size := p.Rule.Factors[g].Size
			if p.Rule.Factors[g].Kind != factor.PassThrough || !everywhere(g) || size == 0 || size%axes[g].Size() != 0 {
				continue
			}
			size /= axes[g].Size()
			for len(rest) > 0 && size%rest[0].Size == 0 {
				axes[g] = slices.Clone(axes[g]).AppendMerged(rest[0])
				size /= rest[0].Size
				rest = rest[1:]
			}
		}
	}
}
