package memory

// This file implements Apply, which does what Policies say. It computes values again:
//
//	%h = tanh %x        {block}          %h = tanh %x
//	%y = dot %h, %w     {block}          %y = dot %h, %w
//	…                              =>    …
//	%d = multiply %g, %h {grad(block)}   %x1, %a = optimization_barrier %x, %g
//	                                     %h1 = tanh %x1
//	                                     %d = multiply %g, %h1
//
// A value of a layer with Recompute is freed after the forward pass, if only the gradient of that
// layer reads it later. A value that the gradients of other layers read stays in memory: the
// outputs of the layer, mostly. So computing one layer of a chain again does not compute the layers
// before it again. Values of a layer with Offload or Compress are fetched (moves.go, compress.go)
// wherever the backward pass reads them.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// Applied is the effect of Apply on a function. Bytes and seconds are predicted, for one device and
// one run. The peak may stay the same: a value of a layer stays if the compiler fuses ops that read
// it into kernels of other layers.
type Applied struct {
	Before, After int                // the peaks of memory, in bytes
	Curve         []int              // the memory in use before, as in program.Fitting
	Seconds       float64            // of all copies
	Values        []program.Crossing // the values that the backward pass reads, with their action
	// Asked says that the function has the gradient of a layer whose action is not Save.
	Asked bool
}

// Apply returns a copy of the per-device function f that computes the values of layers with
// Recompute again in the backward pass, and keeps those of layers with Offload on the host and
// those of layers with Compress in fewer bits until the backward pass reads them. The bodies of
// loops and branches are rewritten too. If nothing changes, Apply returns f. It does not change f,
// and ignores o.Limit. Random numbers are computed again from the same state, and so are the same.
// Results of loops, of custom calls and of collectives between processes are always saved. An error
// names a layer that matches several keys of the policies.
func Apply(f *ir.Func, o Options) (*ir.Func, *Applied, error) {
	s := newRegions(o.Policies)
	usage := o.Machine.MemoryOf(f, o.Donated)
	out := &Applied{Asked: s.concerns(f), Before: usage.Peak(), Curve: usage.Outline()}
	g, values, err := s.apply(f, o)
	if err != nil {
		return nil, nil, err
	}
	out.After, out.Values = out.Before, values
	if g != f {
		out.After = o.Machine.MemoryOf(g, o.Donated).Peak()
		out.Seconds = o.Machine.Seconds(o.Mesh, g) - o.Machine.Seconds(o.Mesh, f)
	}
	return g, out, nil
}

// changes reports whether the values of the region do not just stay in memory.
func (r region) changes() bool { return r.action != "" && r.action != Save }

// concerns reports whether f, or a body in it, has an op of the backward pass of a layer with
// another action than Save.
func (s *regions) concerns(f *ir.Func) (found bool) {
	f.Walk(func(op *ir.Op) {
		if layer, late := backward(op.Loc.Path); late && !found {
			r, _ := s.find(layer) // apply returns the error
			found = r.changes()
		}
	})
	return found
}

// apply rewrites f as Apply does, without predicting memory and time. It returns f itself if
// nothing is computed again, and the values that the backward pass reads, with their actions.
func (s *regions) apply(f *ir.Func, o Options) (*ir.Func, []program.Crossing, error) {
	f, inside, err := s.applyInside(f, o)
	if err != nil {
		return nil, nil, err
	}
	asked := false
	for op := range f.Body.Ops() {
		r, err := s.find(op.Loc.Path)
		if err != nil {
			return nil, nil, err
		}
		asked = asked || r.changes()
	}
	if !asked {
		return f, inside, nil
	}
	p, b := newProblem(f, o.Machine.MemoryOf(f, o.Donated), o, 0, true)
	d := &decider{regions: s, p: p, b: b, host: o.HostMemory, c: p.newChoice(), saved: make([]bool, len(p.values)), delayed: map[*ir.Op][]int{}}
	d.decide()
	if !slices.Contains(d.c.evicted, true) {
		return f, append(inside, d.describe(newEvaluator(p))...), nil
	}
	e := newEvaluator(p)
	e.run(d.c)
	return b.rewrite(p, d.c, e.copies, o), append(inside, d.describe(e)...), nil
}

// applyInside applies the policies to the bodies of all loops and branches of f, in which nothing
// is donated. It returns the changed function, or f if no body changes, and the Crossings of the
// bodies: values, and what was done with them.
func (s *regions) applyInside(f *ir.Func, o Options) (*ir.Func, []program.Crossing, error) {
	o.Donated = func(int) int { return -1 }
	all := func(*ir.Op) bool { return true }
	return rewriteBodies(f, all, func(_ *ir.Op, body *ir.Func) (*ir.Func, []program.Crossing, error) { return s.apply(body, o) })
}

// decider makes the choice c that the policies ask for, for the problem p. Its slices are indexed
// by value.
type decider struct {
	*regions
	p *problem
	b *builder
	c choice

	host bool // values may be moved to the host

	// of has for each value the region of the layer that computes it; the zero region for values of
	// the backward pass.
	of   []region
	late [][]int // for each value, the steps of the backward pass that read it
	// own says for each value whether only the gradient of its own region reads it in the backward
	// pass.
	own   []bool
	saved []bool // copies of another region read the value
	// delayed has the sizes, in bytes, of operands that an op of the backward pass transposes only
	// when it runs, by op.
	delayed map[*ir.Op][]int
}

// decide sets d.c, region by region from the last to the first: what the copies of a later region
// read must be saved in the earlier ones.
func (d *decider) decide() {
	n := len(d.p.values)
	d.of, d.late, d.own = make([]region, n), make([][]int, n), make([]bool, n)
	var order []region // sorted by the last value of each region
	for i := range d.p.values {
		if d.p.values[i].holds != nil {
			d.findOperand(i)
		}
	}
	for i := range d.p.values {
		v := &d.p.values[i]
		if v.holds != nil {
			continue
		}
		if _, is := backward(v.op.Loc.Path); !is {
			d.of[i], _ = d.find(v.op.Loc.Path) // apply has seen its error
		}
		if r := d.of[i]; r.action == Recompute {
			order = append(slices.DeleteFunc(order, func(o region) bool { return o == r }), r)
			v.movable = v.movable || v.op.Kind == ir.OpRngBitGenerator
		}
		d.findReaders(i)
	}
	d.b.offerMoves(d.p)
	for _, r := range slices.Backward(order) {
		for i := range d.p.values {
			if d.of[i] == r && d.own[i] && !d.saved[i] {
				d.c.evicted[i] = true
			}
		}
		seen := make([]bool, n)
		for i := range d.p.values {
			if d.of[i] == r && d.c.evicted[i] {
				d.saveInputs(r, i, seen)
			}
		}
	}
}

// saveInputs keeps the values that the copy of value i reads, directly or through other copies, and
// that are not computed again themselves: those outside of region r, and those that cannot be. seen
// marks the values of r that were visited.
func (d *decider) saveInputs(r region, i int, seen []bool) {
	if seen[i] {
		return
	}
	seen[i] = true
	for _, k := range d.p.values[i].reads {
		v := &d.p.values[k]
		if d.c.isAway(k) {
			continue // the copy reads what is fetched
		}
		if d.of[k] == r && v.movable {
			if d.c.evicted[k] || len(d.late[k]) == 0 {
				d.saveInputs(r, k, seen)
			}
			continue
		}
		d.saved[k], d.c.kept[k] = true, true
	}
}

// findReaders finds the steps of the backward pass that read value i, and sets the value's gap: it
// ends at the first of these steps. It sets d.late and, if only the gradient of the value's own
// region reads it, d.own. If the region's action fetches the value, it evicts it.
func (d *decider) findReaders(i int) {
	v := &d.p.values[i]
	var early []int
	foreign, returned, seen := false, false, map[*ir.Op]bool{}
	var visit func(x *ir.Value, layer string, late bool)
	visit = func(x *ir.Value, layer string, late bool) {
		for u := range x.Uses() {
			op := u.Op.In(d.b.f.Body)
			if op == d.b.f.Body.Terminator() {
				returned = true
				continue
			}
			layer, late := layer, late
			if !late {
				layer, late = backward(op.Loc.Path)
			}
			switch steps := d.b.steps[op]; {
			case steps == nil && !seen[op]: // op is fused into the kernels of its users
				seen[op] = true
				for _, y := range op.Results {
					visit(y, layer, late)
				}
			case steps == nil:
			case late:
				d.late[i] = append(d.late[i], d.stepOf(op, u))
				foreign = foreign || !d.of[i].contains(layer)
			default:
				early = append(early, d.stepOf(op, u))
			}
		}
	}
	for _, x := range v.op.Results {
		visit(x, "", false)
	}
	last := v.made
	for _, t := range early {
		last = max(last, t)
	}
	slices.Sort(d.late[i])
	d.late[i] = slices.DeleteFunc(slices.Compact(d.late[i]), func(t int) bool { return t <= last })
	fetched := !returned && d.fetches(i)
	if v.late = nil; len(d.late[i]) > 0 && d.late[i][0] > last+1 && (v.movable || fetched) && v.bytes > 0 {
		v.early, v.late, v.unused = last, d.late[i], len(early) == 0
		d.own[i] = !foreign && !returned && d.of[i].action == Recompute
		if fetched {
			v.compressed = d.of[i].action == Compress
			d.c.evict(i, true)
		}
	}
}

// fetches reports whether the backward pass is to fetch value i, and can.
func (d *decider) fetches(i int) bool {
	switch op := d.p.values[i].op; d.of[i].action {
	case Offload:
		return d.host && canMove(op)
	case Compress:
		return canCompress(op)
	}
	return false
}

// findOperand handles value i, a transposed operand. If its op computes the gradient of the region
// that the operand comes from, the operand is transposed only when the op runs: findOperand sets
// d.of, d.own and d.delayed.
func (d *decider) findOperand(i int) {
	v := &d.p.values[i]
	layer, late := backward(v.holds.Loc.Path)
	if !late {
		return
	}
	for _, x := range v.holds.Operands {
		if x.Def() == nil || x.Type.MemoryBytes() != v.size {
			continue
		}
		if _, is := backward(x.Def().Loc.Path); is {
			continue
		}
		if r, _ := d.find(x.Def().Loc.Path); r.action == Recompute && r.contains(layer) {
			d.of[i], d.own[i] = r, true
			d.delayed[v.holds] = append(d.delayed[v.holds], v.size)
		}
	}
}

// stepOf returns the step that reads operand u of op, or of an op in the regions of op. op is in
// the function's body.
func (d *decider) stepOf(op *ir.Op, u ir.Use) int {
	if u.Op != op {
		return d.b.steps[op][0]
	}
	x := op.Operands[u.Operand]
	if slices.Contains(d.delayed[op], x.Type.MemoryBytes()) {
		return d.b.end(op)
	}
	return d.b.readAt(op, x)
}

// describe lists the values of the forward pass that the backward pass reads, and the values that
// are saved or computed again so that copies can read them.
func (d *decider) describe(e *evaluator) (out []program.Crossing) {
	for i := range d.p.values {
		v := &d.p.values[i]
		if v.bytes == 0 || v.holds != nil && !d.c.evicted[i] {
			continue
		}
		x := v.crossing()
		r := d.of[i]
		switch {
		case d.c.isAway(i):
			x.Action, x.By, x.Seconds = r.action, r.by, 2*v.moving
			if v.compressed {
				x.Seconds = compressSeconds(d.b.machine, v.op, v.bytes)
			}
		case d.c.evicted[i] && v.unused:
			x.Action, x.By = program.Delay, r.by
		case e.copies[i].from != none:
			x.Action, x.By, x.Seconds = program.Recompute, r.by, v.seconds
		case !d.saved[i] && (r.none() || len(d.late[i]) == 0):
			continue
		case r.action == Save:
			x.By = r.by
		}
		out = append(out, x)
	}
	return out
}

// pin forbids the search to evict the values of layers with Save, in the problem of. Without
// policies (p is nil) it forbids nothing. It ignores errors of the policies, because Apply has
// returned them.
func (p *Policies) pin(of *problem) {
	if p == nil {
		return
	}
	s := newRegions(p)
	for i := range of.values {
		v := &of.values[i]
		if _, late := backward(v.op.Loc.Path); late || v.holds != nil {
			continue
		}
		if r, _ := s.find(v.op.Loc.Path); r.action == Save {
			v.movable, v.late = false, nil
		}
	}
}

// pinStacks forbids to remove the stacks that save values of layers with Save: it clears their
// slices. Without policies (p is nil) it forbids nothing. It ignores errors of the policies, which
// Apply returns.
func (p *Policies) pinStacks(stacks []stack) {
	if p == nil {
		return
	}
	s := newRegions(p)
	for i, x := range stacks {
		if def := x.value.Def(); def != nil {
			if r, _ := s.find(def.Loc.Path); r.action == Save {
				stacks[i].slices = nil
			}
		}
	}
}
