package trace

// This file decides which values of each step a scan keeps for its gradient, and which gradients
// are summed over the steps after the loop of the gradient.

import (
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
)

// choose sets d.saved, the values that the loop keeps, d.varies, and d.inner, the gradients that
// the loop of the gradient sums up. Other sums over the steps are computed after that loop:
//
//	loop { dz = …; dw += dot(h, dz) }    =>    loop { dz = … }; dw = dot(stack of h, stack of dz)
//
// One product over all steps takes less time than one for each step. If the batch is sharded, it
// also needs only one all-reduce instead of one for each step.
func (d *derivative) choose() {
	d.varies = dependentsOf(slices.Concat(d.step.carry, d.step.xs))
	d.inner = make([]*graph.Node, len(d.dCaptured))
	k := keeping{d: d, leaves: make(map[*graph.Node][]*graph.Node), seen: make(map[*graph.Node]bool)}
	for _, n := range slices.Concat(d.dNext, d.dYs) {
		k.seen[n] = true
	}
	for i, g := range d.dCaptured {
		switch {
		case g == nil:
		case d.isSummable(g):
			for _, leaf := range d.leaves(g) {
				k.visit(leaf)
			}
		default:
			d.inner[i] = g
			k.visit(g)
		}
	}
	for _, g := range slices.Concat(d.dCarry, d.dXs) {
		if g != nil {
			k.visit(g)
		}
	}
	slices.SortFunc(d.saved, func(a, b *graph.Node) int { return int(a.Id()) - int(b.Id()) })
}

// keeping finds the values of a step that the loop must keep.
type keeping struct {
	d      *derivative
	leaves map[*graph.Node][]*graph.Node
	seen   map[*graph.Node]bool
}

// visit walks back from g, a node of the gradient, to the nodes of the step that g depends on. For
// each of these it adds the nodes that k.sourcesOf returns to the nodes that the derivative saves.
func (k *keeping) visit(g *graph.Node) {
	if k.seen[g] {
		return
	}
	k.seen[g] = true
	if k.d.needs.has(g) {
		for _, in := range g.Inputs() {
			k.visit(in)
		}
		return
	}
	for _, n := range k.sourcesOf(g) {
		if !slices.Contains(k.d.saved, n) {
			k.d.saved = append(k.d.saved, n)
		}
	}
}

// sourcesOf returns the nodes that the loop must keep so that the gradient has n: n itself, or the
// nodes that n is computed from, if n's operation is cheap and they take no more bytes than n. With
// Remat it goes back as far as the carry. It returns none for constants, for slices of the xs, and
// for nodes that are the same in all steps.
func (k *keeping) sourcesOf(n *graph.Node) []*graph.Node {
	if leaves, ok := k.leaves[n]; ok {
		return leaves
	}
	var leaves []*graph.Node
	carried := slices.Contains(k.d.step.carry, n)
	switch {
	case isConstant(n) || !k.d.varies.has(n) || slices.Contains(k.d.step.xs, n):
	case carried || !k.d.s.o.Remat && !cheap[n.Type()]:
		leaves = []*graph.Node{n}
	default:
		bytes := 0
		for _, in := range n.Inputs() {
			for _, leaf := range k.sourcesOf(in) {
				if !slices.Contains(leaves, leaf) {
					leaves, bytes = append(leaves, leaf), bytes+size(leaf)
				}
			}
		}
		if bytes > size(n) && !k.d.s.o.Remat {
			leaves = []*graph.Node{n}
		}
	}
	k.leaves[n] = leaves
	return leaves
}

// size returns the bytes of n's value; 1<<40 for a node of several results, which cannot be kept
// itself.
func size(n *graph.Node) int {
	if n.NumOutputs() != 1 {
		return 1 << 40 // a node of several results, which cannot be kept itself
	}
	return typeOfNode(n).MemoryBytes()
}

// cheap has the kinds of operations whose results a scan computes again in the backward pass rather
// than keeps.
var cheap = func() map[graph.NodeType]bool {
	m := make(map[graph.NodeType]bool)
	for _, kind := range []graph.NodeType{
		graph.NodeTypeIdentity, graph.NodeTypeSplitNode, graph.NodeTypeIota, graph.NodeTypeConvertDType,
		graph.NodeTypeAdd, graph.NodeTypeSub, graph.NodeTypeMul, graph.NodeTypeNeg, graph.NodeTypeAbs, graph.NodeTypeSign,
		graph.NodeTypeMax, graph.NodeTypeMin, graph.NodeTypeClamp, graph.NodeTypeWhere,
		graph.NodeTypeEqual, graph.NodeTypeNotEqual, graph.NodeTypeGreaterOrEqual, graph.NodeTypeGreaterThan,
		graph.NodeTypeLessOrEqual, graph.NodeTypeLessThan,
		graph.NodeTypeLogicalAnd, graph.NodeTypeLogicalOr, graph.NodeTypeLogicalXor, graph.NodeTypeLogicalNot,
		graph.NodeTypeReshape, graph.NodeTypeTranspose, graph.NodeTypeBroadcastInDim, graph.NodeTypeSlice,
		graph.NodeTypeConcatenate, graph.NodeTypePad, graph.NodeTypeReverse,
	} {
		m[kind] = true
	}
	return m
}()

// isSummable reports whether g, the gradient of a captured value, can be computed after the loop by
// a sum over all steps.
func (d *derivative) isSummable(g *graph.Node) bool {
	in := g.Inputs()
	switch g.Type() {
	case graph.NodeTypeAdd:
		return in[0].Shape().Equal(in[1].Shape()) && d.isSummable(in[0]) && d.isSummable(in[1])
	case graph.NodeTypeTranspose, graph.NodeTypeReshape, graph.NodeTypeNeg, graph.NodeTypeIdentity:
		return d.isSummable(in[0])
	case graph.NodeTypeConvertDType:
		return in[0].DType().IsFloat() && d.isSummable(in[0])
	case graph.NodeTypeReduceSum:
		return nodeValue(g).Def().Kind == ir.OpReduce && d.isStackable(in[0])
	case graph.NodeTypeDotGeneral:
		return dotDims(g) != nil && d.isStackable(in[0]) && d.isStackable(in[1])
	}
	return false
}

// isStackable reports whether n changes from step to step, so that the loop can keep it as a stack
// of its values.
func (d *derivative) isStackable(n *graph.Node) bool {
	return d.needs.has(n) || d.varies.has(n)
}

// leaves returns the inputs of the first product or sum on each path up from g, a node of a step's
// gradient. From the stacks of these inputs over all steps, d.sumOverSteps computes the sum of g
// over the steps, after the loop.
func (d *derivative) leaves(g *graph.Node) (out []*graph.Node) {
	switch g.Type() {
	case graph.NodeTypeReduceSum, graph.NodeTypeDotGeneral:
		return g.Inputs()
	}
	for _, in := range g.Inputs() {
		out = append(out, d.leaves(in)...)
	}
	return out
}

// sumOverSteps records the sum of g over all steps, and returns it. g must be summable, and stack
// must hold the stacks of its leaves.
func (d *derivative) sumOverSteps(g *graph.Node, stack map[*graph.Node]*graph.Node) *graph.Node {
	in := g.Inputs()
	switch g.Type() {
	case graph.NodeTypeReduceSum:
		return graph.ReduceSum(stack[in[0]], append([]int{0}, shiftDims(nodeValue(g).Def().Ints("dimensions"))...)...)
	case graph.NodeTypeDotGeneral:
		dims := dotDims(g)
		return graph.DotGeneral(stack[in[0]], append([]int{0}, shiftDims(dims.LHSContracting)...), shiftDims(dims.LHSBatch),
			stack[in[1]], append([]int{0}, shiftDims(dims.RHSContracting)...), shiftDims(dims.RHSBatch))
	}
	sums := make([]*graph.Node, len(in))
	for i, n := range in {
		sums[i] = d.sumOverSteps(n, stack)
	}
	return d.s.r.replay(d.step.block, nil).clone(g, sums...)
}
