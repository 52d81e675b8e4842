package microbatch

// This file finds out what each loop over the micro-batches computes, and in which order the loops
// run.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// maxRounds bounds the number of loops. Each computes again what it needs of the loops before, so
// the time of the step grows with the square of their number.
const maxRounds = 16

// rounds says of each op of a per-device function whether it runs for each micro-batch, and in
// which loop.
type rounds struct {
	*Batch
	// varies has the values that differ between micro-batches.
	varies map[*ir.Value]bool
	// last has the collectives over the axis, which combine results of all micro-batches: the
	// number of loops that must run after the collective's own. The loop with number 0 is the last.
	last map[*ir.Op]int
}

// rounds returns the rounds of f, the main function of the per-device form of b.Module. It returns
// an error if f cannot run as loops over the micro-batches.
func (b *Batch) rounds(f *ir.Func) (*rounds, error) {
	r := &rounds{Batch: b, varies: map[*ir.Value]bool{}, last: map[*ir.Op]int{}}
	for i, p := range f.Params() {
		r.varies[p] = b.dims[i] >= 0
	}
	for op := range f.Body.Ops() {
		if err := r.visit(op); err != nil {
			return nil, err
		}
	}
	return r, r.number(f)
}

// visit finds out whether the results of op, which is not in a region, differ between
// micro-batches, and records it in r.varies. It records collectives over the micro-batches in
// r.last. An op that cannot be computed in micro-batches is an error.
func (r *rounds) visit(op *ir.Op) error {
	if r.isOver(op) && op.Kind != ir.OpSPMDAxisIndex {
		if err := r.check(op); err != nil {
			return err
		}
		r.last[op] = 0
		return nil // its results are those of all micro-batches
	}
	varies := false
	var err error
	op.Walk(func(o *ir.Op) {
		switch over := r.isOver(o); {
		case over && o.Kind == ir.OpSPMDAxisIndex:
			varies = true
		case over:
			err = r.unable(o, " in a loop or a branch")
		}
		varies = varies || slices.ContainsFunc(o.Operands, func(v *ir.Value) bool { return r.varies[v] })
	})
	if err != nil {
		return err
	}
	if effect, _ := op.Attrs.Get("has_side_effect").(ir.Bool); varies && bool(effect) {
		return failed("%s has a side effect, and would run once for each micro-batch", op.Place())
	}
	for _, v := range op.Results {
		r.varies[v] = varies
	}
	if op.Info().Is(ir.Terminator) && varies {
		return failed("a loop carries values of a micro-batch beside a result of the whole batch")
	}
	return nil
}

// isOver reports whether op is over the axis of micro-batches.
func (r *rounds) isOver(op *ir.Op) bool {
	return slices.ContainsFunc(r.axesOf(op), func(a mesh.AxisRef) bool { return a.Name == r.axis })
}

// axesOf returns the axes that op names; nil for most ops.
func (r *rounds) axesOf(op *ir.Op) []mesh.AxisRef {
	if op.Kind == ir.OpSPMDAxisIndex {
		return op.SPMDAxisIndex().Axes()
	}
	if c := ir.CollectiveOf(op.Kind); c != nil {
		return c.AxesOf(op, r.Mesh)
	}
	return nil
}

// check returns an error if op, a collective over the axis, cannot become a value that a loop
// carries.
func (r *rounds) check(op *ir.Op) error {
	axes := r.axesOf(op)
	at := slices.Index(axes, mesh.FullAxis(r.axis))
	switch {
	case at < 0:
		return r.unable(op, " over a part of them")
	case op.Kind == ir.OpSPMDAllGather:
		return nil
	case op.Kind == ir.OpSPMDAllReduce:
		for _, v := range op.Operands {
			if _, ok := ir.ReductionInit(op.Reduction(), v.Type.DType); !ok {
				return r.unable(op, fmt.Sprintf(" by %s of %s, which has no neutral element", op.Reduction(), v.Type.DType))
			}
		}
		return nil
	}
	return r.unable(op, "")
}

// unable returns the Error that says that op prevents micro-batches, with the reason of the
// collective. where follows the name of op.
func (r *rounds) unable(op *ir.Op, where string) error {
	why, _ := op.Attrs.Get("why").(ir.String)
	text := fmt.Sprintf("%s needs values of several micro-batches, by %s%s", placeOf(op), op.FullName(), where)
	if why != "" {
		text += fmt.Sprintf(": %s", why)
	}
	return &Error{Why: text}
}

// placeOf names op by its layer path or, if it has none, by its location in the source.
func placeOf(op *ir.Op) string {
	if op.Loc.Path != "" {
		return op.Loc.Path
	}
	return op.Loc.String()
}

// number sets in r.last, for each collective over the micro-batches, the number of the loop that
// computes its operands. Loops count from the function's end, 0 is the last. More than maxRounds
// loops are an error.
func (r *rounds) number(f *ir.Func) error {
	after := map[*ir.Value]int{} // number of loops that run after the one that first has the value
	for op := range f.Body.Backward() {
		n := 0
		for _, v := range op.Results {
			n = max(n, after[v])
		}
		if _, ok := r.last[op]; ok {
			r.last[op] = n
			if n++; n > maxRounds {
				return failed("more than %d results of the whole batch depend on each other, from %s on, as those of batch normalization do", maxRounds, placeOf(op))
			}
		}
		op.Walk(func(o *ir.Op) {
			for _, v := range o.Operands {
				after[v] = max(after[v], n)
			}
		})
	}
	return nil
}

// round returns the collectives over the micro-batches that end loop n, in program order, and body,
// the ops of f that the loop repeats for each micro-batch.
func (r *rounds) round(f *ir.Func, n int) (ends, body []*ir.Op) {
	needed := map[*ir.Op]bool{}
	need := func(op *ir.Op) {
		op.Walk(func(o *ir.Op) {
			for _, v := range o.Operands {
				if def := v.Def(); def != nil && def.Block() == f.Body && (r.varies[v] || isMade(def)) {
					needed[def] = true
				}
			}
		})
	}
	for op := range f.Body.Backward() {
		if at, ok := r.last[op]; ok && at == n {
			ends = append(ends, op)
			need(op)
		}
		if needed[op] {
			body = append(body, op)
			need(op)
		}
	}
	slices.Reverse(ends)
	slices.Reverse(body)
	return ends, body
}

// isMade reports whether op makes a large value from little: a constant, an iota or a broadcast.
// Such a value is made in the loop: as one that the loop reads from outside, it would be in memory
// for as long as the loop runs.
func isMade(op *ir.Op) bool {
	return op.Kind == ir.OpConstant || op.Kind == ir.OpIota || op.Kind == ir.OpBroadcastInDim
}
