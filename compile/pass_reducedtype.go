package compile

// This file implements pass reduce_dtype, which sums gradients over devices in the element type
// that a user says.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// reduceInType sums the gradients of weights over the axes that shard the data in
// Options.ReduceDType:
//
//	                                                %1 = convert %0 : bf16 -> f32
//	%2 = spmd.all_reduce %0 axes={"data"} : bf16    %2 = spmd.all_reduce %1 axes={"data"} : f32
//	%3 = convert %2 : bf16 -> f32               =>  uses of %3 become %2
//
// A sum in a wider type than that of the gradient is not rounded to the type of the gradient before
// the update. Other sums stay as they are: those of losses and statistics, and those of activations
// and their gradients, which products or convolutions read.
func reduceInType(c *compilation) error {
	want := c.options.ReduceDType
	if want == dtypes.InvalidDType {
		return nil
	}
	g := findGradients(c)
	var found []*ir.Op
	c.main().Walk(func(op *ir.Op) {
		t, ok := elementType(op)
		if ok && t.IsFloat() && len(op.Operands) == 1 && op.AddsUp() && overlap(cost.Axes(c.mesh, op), g.axes) && g.is(op.Result()) {
			found = append(found, op)
		}
	})
	for _, op := range found {
		if op.Result().Type.DType != want {
			op = reduceIn(op, want)
		}
		dropRounding(op.Result())
	}
	dce(c.main())
	return nil
}

// reduceIn replaces op, a sum over devices of one value, by a sum in the type want, whose result is
// converted back, and returns the new sum.
func reduceIn(op *ir.Op, want dtypes.DType) *ir.Op {
	b := (&ir.Builder{Loc: op.Loc}).Before(op)
	to := op.Result().Type
	operand := b.Convert(op.Operands[0], op.Operands[0].Type.WithDType(want))
	sum := ir.NewOp(op.Kind, []*ir.Value{operand}, op.Attrs, []ir.Type{to.WithDType(want)})
	sum.Loc = op.Loc
	sum.InsertBefore(op)
	sum.Result().Origins = op.Result().Origins
	op.ReplaceWith(b.Convert(sum.Result(), to))
	return sum
}

// dropRounding makes ops read v that read it converted to a narrower type and back.
func dropRounding(v *ir.Value) {
	var narrow []*ir.Value
	for use := range v.Uses() {
		if r := use.Op; r.Kind == ir.OpConvert && r.Result().Type.DType.IsFloat() && r.Result().Type.DType.Size() < v.Type.DType.Size() {
			narrow = append(narrow, r.Result())
		}
	}
	for _, n := range narrow {
		for use := range n.Uses() {
			if back := use.Op; back.Kind == ir.OpConvert && back.Result().Type.Equal(v.Type) {
				back.Result().ReplaceAllUsesWith(v)
			}
		}
	}
}

// gradients tells which values are gradients of weights: on the way to the update, no product or
// convolution reads them. An op that also reads a value that depends on a slot of the optimizer, or
// the weight itself, is part of the update.
type gradients struct {
	axes    []mesh.AxisRef // the axes that shard the data
	updates map[*ir.Value]bool
	weights map[*ir.Value]bool
	outputs map[int]bool // those that are new weights or the optimizer's state
}

func findGradients(c *compilation) *gradients {
	f := c.main()
	g := &gradients{updates: map[*ir.Value]bool{}, weights: map[*ir.Value]bool{}, outputs: map[int]bool{}}
	for i, p := range f.Params() {
		in := c.inputs[i]
		if in.Role == ir.RoleOptimizer || in.Role == ir.RoleParameter {
			g.outputs[in.Alias] = true
		}
		switch in.Role {
		case ir.RoleData:
			if in.Sharding != nil {
				for _, d := range in.Sharding.Dims {
					g.axes = append(g.axes, d.Axes...)
				}
			}
		case ir.RoleOptimizer:
			g.updates[p] = p.Type.Rank() > 0 // gradients depend on scalars, too: the scale of the loss
		case ir.RoleParameter:
			g.weights[p] = true
		}
	}
	for op := range f.Body.Ops() {
		depends := false
		op.Walk(func(o *ir.Op) {
			depends = depends || slices.ContainsFunc(o.Operands, func(v *ir.Value) bool { return g.updates[v] })
		})
		for _, r := range op.Results {
			g.updates[r] = depends
		}
	}
	return g
}

// is reports whether v is the gradient of a weight: all that is computed from it is an update of
// weights or of the optimizer's state.
func (g *gradients) is(v *ir.Value) bool {
	updates, seen, work := false, map[*ir.Value]bool{v: true}, []*ir.Value{v}
	for len(work) > 0 {
		v = work[0]
		work = work[1:]
		for use := range v.Uses() {
			next, ok := g.behind(use)
			if !ok {
				return false
			}
			updates = updates || next == nil
			for _, r := range next {
				if !seen[r] {
					seen[r] = true
					work = append(work, r)
				}
			}
		}
	}
	return updates
}

// behind returns the values that get a gradient from a use of it; nil if the use is part of the
// update. ok is false if a gradient has no such use.
func (g *gradients) behind(use ir.Use) (next []*ir.Value, ok bool) {
	op := use.Op
	parent := op.Parent()
	if isOutput := len(op.Results) == 0 && parent == nil; isOutput {
		return nil, g.outputs[use.Operand]
	}
	if op.Kind == ir.OpDotGeneral || op.Kind == ir.OpConvolution {
		return nil, false
	}
	for i, v := range op.Operands {
		if i != use.Operand && (g.updates[v] || g.weights[v] && op.Info().Is(ir.Elementwise)) {
			return nil, true
		}
	}
	switch {
	case op.Kind == ir.OpWhile:
		return []*ir.Value{op.Results[use.Operand], op.Regions[1].Args[use.Operand]}, true
	case len(op.Results) > 0:
		return op.Results, true
	case parent.Kind == ir.OpWhile:
		return []*ir.Value{parent.Results[use.Operand], parent.Regions[1].Args[use.Operand]}, true
	}
	return parent.Results, true
}
