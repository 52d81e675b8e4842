package trace

// This file implements the gradient of Scan. It is a scan in the other direction, whose carry is
// the gradient of the first scan's carry.
//
// When a scan is recorded, its body is differentiated once, in a block outside of the program. This
// shows which values of a step the gradient needs; the loop stacks these values as additional ys.
// The loop of the gradient is recorded when a gradient is asked for. It is a scan itself, so it
// also has a gradient. A second derivative records that gradient, and the steps once more.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
)

// derivative is the gradient of one step, recorded in a block outside of the program.
type derivative struct {
	s    *scan
	step *scanStep // the step, recorded once more with nodes that stand for its captured values

	captured    []*graph.Node // the nodes that stand for captured values, in the order of the loop's captured values
	dNext, dYs  []*graph.Node // stand for the gradients of the step's results; nil for results that are not floats
	dCarry, dXs []*graph.Node // the gradients of the arguments; nil if there is none
	dCaptured   []*graph.Node

	saved []*graph.Node // values that the loop keeps of each step, besides its ys
	// the elements of dCaptured that the loop sums up; nil for one that is summed after the loop
	inner []*graph.Node

	needs  *dependents // the nodes that depend on dNext or dYs
	varies *dependents // the nodes of the step that change from step to step
	err    error       // the reason why there is no gradient
}

// differentiate records the gradient of the step, chooses what the loop keeps for it (choose), and
// returns it. If recording fails, the error is in its field err: it counts only if the gradient of
// the loop is asked for.
func (s *scan) differentiate() *derivative {
	d := &derivative{s: s, step: &scanStep{s: s, block: s.r.scratchBlock(), given: make(map[*graph.Node]*graph.Node)}}
	s.r.recordIn(s.f, d.step.block, func() {
		d.arguments()
		path, place, line, again := s.r.path, s.r.place, s.r.line, s.r.again
		if err := s.r.catch(d.gradients); err != nil {
			d.err = err
		}
		s.r.path, s.r.place, s.r.line, s.r.again, s.r.identity = path, place, line, again, nil
	})
	if d.err == nil {
		d.choose()
	}
	return d
}

// catch runs build. If build panics, catch returns the panic as an error (errorOfPanic); if not,
// nil.
func (r *Recorder) catch(build func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = r.errorOfPanic(p)
		}
	}()
	build()
	return nil
}

// arguments records the step again, in the block of d.step, with new nodes for its arguments, for
// its captured values and for the gradients of its results, and sets the fields that hold these.
func (d *derivative) arguments() {
	step, t := d.s.step, d.step
	p := d.s.r.replay(step.block, nil)
	stand := func(nodes []*graph.Node) (out []*graph.Node) {
		for _, n := range nodes {
			m := d.s.r.placeholder(t.block, n, n.Shape().Dimensions)
			p.nodes[n] = m
			out = append(out, m)
		}
		return out
	}
	t.carry, t.xs, d.captured = stand(step.carry), stand(step.xs), stand(step.captured)
	for i, n := range step.captured {
		t.given[d.captured[i]] = n
	}
	for n, outside := range step.given {
		if m, ok := p.nodes[outside]; ok {
			p.nodes[n] = m
		}
	}
	t.stacks, t.captured = step.stacks, step.captured
	t.next, t.ys = p.all(step.next), p.all(step.ys)
	gradient := func(nodes []*graph.Node) (out []*graph.Node) {
		for _, n := range nodes {
			var m *graph.Node
			if n.DType().IsFloat() {
				m = d.s.r.placeholder(t.block, n, n.Shape().Dimensions)
			}
			out = append(out, m)
		}
		return out
	}
	d.dNext, d.dYs = gradient(t.next), gradient(t.ys)
}

// gradients sets dCarry, dXs and dCaptured: the gradients of the step's arguments and captured
// values, computed from those of its results, dNext and dYs. It also sets d.needs. It changes the
// recorder's path, which the caller restores.
func (d *derivative) gradients() {
	s, t := d.s, d.step
	var loss *graph.Node
	arrive := slices.Concat(d.dNext, d.dYs)
	for i, n := range slices.Concat(t.next, t.ys) {
		v := arrive[i]
		if v == nil {
			continue
		}
		seeded := graph.IdentityWithCustomGradient(n, func(_, _ *graph.Node) *graph.Node { return v })
		if sum := graph.ReduceAllSum(seeded); loss == nil {
			loss = sum
		} else {
			loss = graph.Add(loss, graph.ConvertDType(sum, loss.DType()))
		}
	}
	by := slices.DeleteFunc(slices.Concat(t.carry, t.xs, d.captured), func(n *graph.Node) bool { return !n.DType().IsFloat() })
	d.needs = dependentsOf(slices.DeleteFunc(arrive, func(n *graph.Node) bool { return n == nil }))
	of := make(map[*graph.Node]*graph.Node)
	if loss != nil && len(by) > 0 {
		s.r.path = gradPath(s.r.path)
		s.r.checkClosures(t)
		for i, g := range s.r.gradient(loss, by) {
			if d.needs.has(g) { // all other gradients are zero, because they are linear in dNext and dYs
				of[by[i]] = g
			}
		}
	}
	pick := func(nodes []*graph.Node) (out []*graph.Node) {
		for _, n := range nodes {
			out = append(out, of[n])
		}
		return out
	}
	d.dCarry, d.dXs, d.dCaptured = pick(t.carry), pick(t.xs), pick(d.captured)
}

// checkClosures panics with an Error if a closure of an If or While in the step uses a
// floating-point value from outside that is no constant: GoMLX would leave its gradient out.
func (r *Recorder) checkClosures(t *scanStep) {
	for op := range t.block.Ops() {
		name, ok := map[ir.OpKind]string{ir.OpWhile: "While", ir.OpIf: "If"}[op.Kind]
		if !ok || r.loops[op] != nil {
			continue
		}
		for _, v := range capturedValues(op) {
			if v.Type.DType.IsFloat() && (v.Def() == nil || v.Def().Kind != ir.OpConstant) {
				panic(&Error{Op: name, Loc: op.Loc, Err: fmt.Errorf("the operation has no gradient: it stands in the body of a scan and uses what may have one; use graph.Where or trace.Scan")})
			}
		}
	}
}

// forwardStep returns the step that the forward loop runs: that of d, whose ys include the values
// that are kept for the gradient.
func (d *derivative) forwardStep() *scanStep {
	t := *d.step
	t.ys = slices.Concat(t.ys, d.saved)
	return &t
}

// recordFull records the scan of n, a node of s, once more, now with gradients of everything that a
// step returns. The steps then run twice. This is needed in two cases: the loop of a gradient is
// recorded with NoGradient, and in a second derivative the values that a loop keeps have gradients,
// too.
func (s *scan) recordFull(n *graph.Node) *scan {
	out := &scan{r: s.r, f: s.r.currentFunction(n.Inputs()[0]), xs: s.xs, o: s.o, step: s.step}
	in := n.Inputs()
	out.init, in = in[:len(s.init)], in[len(s.init):]
	d := out.differentiate()
	d.step.stacks, d.step.captured = in[:len(s.step.xs)], in[len(s.step.xs):]
	for i, m := range d.captured {
		d.step.given[m] = d.step.captured[i]
	}
	out.gradient, out.step = d, d.forwardStep()
	out.op = out.recordLoop()
	out.outputs = out.nodes()
	return out
}

// node returns the GoMLX node of the loop, whose outputs are nodes of their own if there are
// several.
func (s *scan) node() *graph.Node {
	if n := s.outputs[0]; n.Type() != graph.NodeTypeSplitNode {
		return n // the loop has one result, so n is the loop's node itself
	}
	return s.outputs[0].Inputs()[0]
}

// arrives reports whether v, a gradient, is more than the zeros that GoMLX passes for a result
// without a gradient.
func arrives(v *graph.Node) bool {
	for v.Type() == graph.NodeTypeBroadcastInDim || v.Type() == graph.NodeTypeReshape {
		v = v.Inputs()[0]
	}
	return !isZero(v)
}

// vjp records the gradients of the inputs of n, a loop's node, given vs, those of its results, and
// returns them. All are nil if no gradient arrives. It panics with the error of differentiate if
// there is one.
func (s *scan) vjp(n *graph.Node, vs []*graph.Node) []*graph.Node {
	if d := s.gradient; d == nil || slices.ContainsFunc(vs[len(vs)-len(d.saved):], arrives) {
		s = s.recordFull(n)
		n = s.node()
	}
	d := s.gradient
	if d.err != nil {
		panic(d.err)
	}
	b := newBackward(d, n, vs)
	if len(b.init)+len(b.from) == 0 {
		return make([]*graph.Node, len(n.Inputs()))
	}
	return b.record()
}

// backward is the state of recording the loop of a gradient. Fields hold nodes of the derivative's
// step, unless their comment says otherwise.
type backward struct {
	d      *derivative
	n      *graph.Node
	inputs struct{ init, stacks, captured []*graph.Node }

	given map[*graph.Node]*graph.Node // maps nodes of the step to nodes outside of the loop
	carry []*graph.Node               // the gradients that the loop carries
	xs    []*graph.Node               // slices of stacks
	init  []*graph.Node
	from  []*graph.Node // the stacks of xs, outside of the loop
	next  []*graph.Node // the next values of carry
	ys    []*graph.Node // the values that the loop stacks
	sums  []*graph.Node // the values that the loop sums over the steps
}

// newBackward returns the backward loop of d, given vs, the gradients of n's results. It also sets
// what the loop carries, reads and returns. It omits gradients that the running Gradient does not
// need.
func newBackward(d *derivative, n *graph.Node, vs []*graph.Node) *backward {
	b := &backward{d: d, n: n, given: make(map[*graph.Node]*graph.Node)}
	step := d.step
	in := n.Inputs()
	b.inputs.init, in = in[:len(step.carry)], in[len(step.carry):]
	b.inputs.stacks, b.inputs.captured = in[:len(step.xs)], in[len(step.xs):]
	for i, m := range d.captured {
		b.given[m] = b.inputs.captured[i]
	}
	for i, m := range d.dNext {
		if m != nil {
			b.carry, b.init = append(b.carry, m), append(b.init, vs[i])
			next := d.dCarry[i]
			if next == nil {
				next = graph.ZerosLike(vs[i])
			}
			b.next = append(b.next, next)
		}
	}
	readSlices := func(nodes, from []*graph.Node) {
		for i, m := range nodes {
			if m != nil {
				b.xs, b.from = append(b.xs, m), append(b.from, from[i])
			}
		}
	}
	readSlices(d.dYs, vs[len(step.carry):])
	readSlices(d.saved, b.outputs())
	readSlices(step.xs, b.inputs.stacks)
	for i, g := range d.dXs {
		if g != nil && d.s.r.wants(b.inputs.stacks[i]) {
			b.ys = append(b.ys, g)
		}
	}
	for i, g := range d.dCaptured {
		switch {
		case g == nil || !d.s.r.wants(b.inputs.captured[i]):
		case d.inner[i] != nil:
			b.sums = append(b.sums, g)
		default:
			for _, leaf := range d.leaves(g) {
				if !slices.Contains(b.ys, leaf) && !slices.Contains(b.xs, leaf) {
					b.ys = append(b.ys, leaf)
				}
			}
		}
	}
	return b
}

// outputs returns the outputs of the forward loop's node that are kept for the gradient: stacks of
// the values of all steps.
func (b *backward) outputs() (out []*graph.Node) {
	s := b.d.s
	for _, o := range s.outputs[len(s.outputs)-len(b.d.saved):] {
		if o.Inputs()[0] != b.n {
			o = o.CloneWithInputs(b.n)
		}
		out = append(out, o)
	}
	return out
}

// record records the backward loop, and the ops after it that complete the gradients, which it
// returns.
func (b *backward) record() []*graph.Node {
	d, s := b.d, b.d.s
	init := slices.Clone(b.init)
	for _, g := range b.sums {
		init = append(init, graph.ZerosLike(g))
	}
	body := func(carry, xs []*graph.Node) (next, ys []*graph.Node) {
		p := s.r.replay(d.step.block, b.given)
		for i, m := range b.carry {
			p.nodes[m] = carry[i]
		}
		for i, m := range b.xs {
			p.nodes[m] = xs[i]
		}
		next = p.all(b.next)
		for i, g := range b.sums {
			next = append(next, graph.Add(carry[len(b.carry)+i], p.node(g)))
		}
		return next, p.all(b.ys)
	}
	carried, ys := Scan(body, init, b.from, ScanOptions{Length: s.o.Length, Reverse: !s.o.Reverse, NoGradient: true})
	return b.gradients(carried, ys)
}

// gradients returns the gradients of the inputs of the forward loop's node, in the order of
// scan.inputs; nil for one that has none, or that the running Gradient does not need. It computes
// them from the results of the backward loop: carried, the final carry, and ys.
func (b *backward) gradients(carried, ys []*graph.Node) (out []*graph.Node) {
	d := b.d
	stack := make(map[*graph.Node]*graph.Node)
	for i, m := range b.xs {
		stack[m] = b.from[i]
	}
	for i, m := range b.ys {
		stack[m] = ys[i]
	}
	carry, sums := carried[:len(b.carry)], carried[len(b.carry):]
	for _, m := range d.dNext {
		if m == nil {
			out = append(out, nil)
			continue
		}
		out, carry = append(out, carry[0]), carry[1:]
	}
	for i, g := range d.dXs {
		if g == nil || !d.s.r.wants(b.inputs.stacks[i]) {
			g = nil
		} else {
			g = stack[g]
		}
		out = append(out, g)
	}
	for i, g := range d.dCaptured {
		switch {
		case g == nil || !d.s.r.wants(b.inputs.captured[i]):
			out = append(out, nil)
		case d.inner[i] != nil:
			out, sums = append(out, sums[0]), sums[1:]
		default:
			out = append(out, d.sumOverSteps(g, stack))
		}
	}
	return out
}

// dependents caches, for each node, whether it depends on the chosen nodes.
type dependents struct{ known map[*graph.Node]bool }

func dependentsOf(nodes []*graph.Node) *dependents {
	d := &dependents{known: make(map[*graph.Node]bool)}
	for _, n := range nodes {
		d.known[n] = true
	}
	return d
}

func (d *dependents) has(n *graph.Node) bool {
	if answer, ok := d.known[n]; ok {
		return answer
	}
	answer := slices.ContainsFunc(n.Inputs(), d.has)
	d.known[n] = answer
	return answer
}

// wants reports whether the running Gradient needs the gradient of n. Without a running Gradient
// all are wanted.
func (r *Recorder) wants(n *graph.Node) bool { return r.wanted == nil || r.wanted.has(n) }

// scanOf returns the scan if n is the node of its loop, and otherwise nil.
func scanOf(n *graph.Node) *scan {
	value := nodeValue(n)
	if n.Type() != graph.NodeTypeWhile || value == nil {
		return nil
	}
	b, ok := n.Graph().Backend().(*backend)
	if !ok {
		return nil
	}
	return b.r.loops[value.Def()]
}

// whileVJP returns the vjp of While. Only the loops of scans have gradients; for others it calls
// refuse.
func whileVJP(refuse graph.VJP) graph.VJP {
	return func(n *graph.Node, vs []*graph.Node, shape shapes.Shape) []*graph.Node {
		if s := scanOf(n); s != nil {
			return s.vjp(n, vs)
		}
		return refuse(n, vs, shape)
	}
}
