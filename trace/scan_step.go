package trace

// This file defines scanStep, the body of a scan as nodes that can be recorded again, and replay,
// which records them.

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
)

// scanStep is one step of a scan, recorded in a block outside of the program.
type scanStep struct {
	s         *scan
	block     *ir.Block                   // the block that it is recorded in
	carry, xs []*graph.Node               // nodes that stand for the carry and for the slices
	given     map[*graph.Node]*graph.Node // maps other nodes of the block to the nodes outside of the loop that they stand for
	next, ys  []*graph.Node               // its results

	stacks   []*graph.Node // the stacks that xs are slices of
	captured []*graph.Node // the nodes from outside that it uses
}

// recordAgain records the step with the carry and the slices xs in place of its own, and returns
// the next carry and the ys.
func (t *scanStep) recordAgain(carry, xs []*ir.Value) (next, ys []*ir.Value) {
	p := t.s.r.replay(t.block, t.given)
	for i, v := range carry {
		p.nodes[t.carry[i]] = t.s.r.adopt(t.s.any(), v)
	}
	for i, v := range xs {
		p.nodes[t.xs[i]] = t.s.r.adopt(t.s.any(), v)
	}
	return valuesOf(p.all(t.next)), valuesOf(p.all(t.ys))
}

func valuesOf(nodes []*graph.Node) []*ir.Value {
	out := make([]*ir.Value, len(nodes))
	for i, n := range nodes {
		out[i] = nodeValue(n)
	}
	return out
}

// any returns some node of the graph.
func (s *scan) any() *graph.Node { return slices.Concat(s.init, s.xs)[0] }

// prepare returns the step without the values that do not change in the loop. It records these
// values before the loop:
//
//	h = dot(h, convert(w))    =>    w1 = convert(w) before the loop; h = dot(h, w1)
//
// It also takes products of slices of the xs with values from outside out of the step. They become
// products of the stacks:
//
//	z = dot(x, w), x of the stack xs    =>    z of the stack dot(xs, w)
func (t *scanStep) prepare() *scanStep {
	out := &scanStep{s: t.s, block: t.block, carry: t.carry, next: t.next, ys: t.ys, given: make(map[*graph.Node]*graph.Node)}
	h := hoisting{step: t, p: t.s.r.replay(t.block, out.given), stacks: make(map[*graph.Node]*graph.Node)}
	for i, x := range t.xs {
		h.stacks[x] = t.stacks[i]
	}
	results := slices.Concat(t.next, t.ys)
	for _, n := range t.reachableNodes(results, func(*graph.Node) bool { return false }) {
		h.visit(n)
	}
	out.given = h.p.nodes
	// The step keeps the nodes between its results and the values that it gets from outside the
	// loop: slices of stacks, values recorded before the loop, and captured values.
	var outside []*graph.Node
	for _, n := range t.reachableNodes(results, func(n *graph.Node) bool { return out.given[n] != nil || h.stacks[n] != nil }) {
		switch stack := h.stacks[n]; {
		case stack != nil:
			out.xs, out.stacks = append(out.xs, n), append(out.stacks, stack)
		case out.given[n] != nil:
			outside = append(outside, out.given[n])
		case !t.isInside(n) && !isConstant(n):
			outside = append(outside, n)
		}
	}
	for _, n := range outside {
		if !slices.Contains(out.captured, n) && !isConstant(n) {
			out.captured = append(out.captured, n)
		}
	}
	return out
}

// isInside reports whether n was recorded in the block of the step, and is no constant.
func (t *scanStep) isInside(n *graph.Node) bool {
	return !isConstant(n) && nodeValue(n).Block() == t.block
}

func isConstant(n *graph.Node) bool { return n.Type() == graph.NodeTypeConstant }

// reachableNodes walks back from the results and returns the nodes that it visits, in the order in
// which they were recorded. It does not walk on from arguments, from nodes that stop returns true
// for, and from nodes outside of the step; it returns these nodes, too.
func (t *scanStep) reachableNodes(results []*graph.Node, stop func(*graph.Node) bool) (found []*graph.Node) {
	seen := make(map[*graph.Node]bool)
	isArg := make(map[*graph.Node]bool)
	for _, n := range slices.Concat(t.carry, t.xs) {
		isArg[n] = true
	}
	var visit func(n *graph.Node)
	visit = func(n *graph.Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		found = append(found, n)
		if !t.isInside(n) || isArg[n] || stop(n) {
			return
		}
		for _, in := range n.Inputs() {
			visit(in)
		}
	}
	for _, n := range results {
		visit(n)
	}
	slices.SortFunc(found, func(a, b *graph.Node) int { return int(a.Id()) - int(b.Id()) })
	return found
}

// hoisting finds the nodes of a step that do not change in the loop, and records them before it.
type hoisting struct {
	step   *scanStep
	p      *replay                     // replay of the nodes that do not change in the loop
	stacks map[*graph.Node]*graph.Node // of nodes that depend only on xs and outside values: the stack of all steps
}

// visit records n before the loop if n does not change in it, or records the stack of n's values in
// all steps if n depends only on xs and on values from outside. It leaves broadcasts, and what is
// computed from constants only, in the loop. The inputs of n must have been visited.
func (h *hoisting) visit(n *graph.Node) {
	if !h.step.isInside(n) || slices.Contains(h.step.carry, n) || h.stacks[n] != nil {
		return
	}
	outside := false // n uses values from outside, and none that changes in the loop
	for _, in := range n.Inputs() {
		switch {
		case isConstant(in):
		case h.step.isInside(in) && h.p.nodes[in] == nil:
			if s := h.batch(n); s != nil {
				h.stacks[n] = s
			}
			return
		default:
			outside = true
		}
	}
	if outside && n.Type() != graph.NodeTypeBroadcastInDim && !h.capturesInside(n) {
		h.p.node(n)
	}
}

// capturesInside reports whether a closure of n, an If or While, uses values of the step's block,
// which change in the loop.
func (h *hoisting) capturesInside(n *graph.Node) bool {
	def := nodeValue(n).Def()
	return def != nil && len(def.Regions) > 0 &&
		slices.ContainsFunc(capturedValues(def), func(v *ir.Value) bool { return v.Block() == h.step.block })
}

// batch returns the values of n in all steps, stacked as one node. It can do so for the product
// of a slice with a value from outside, and for some element-wise ops between the slice and the
// product. For other nodes it returns nil.
func (h *hoisting) batch(n *graph.Node) *graph.Node {
	in := n.Inputs()
	stack := h.stacks[in[0]]
	if stack == nil || n.NumOutputs() != 1 {
		return nil
	}
	switch n.Type() {
	case graph.NodeTypeDotGeneral:
		if w := h.valueOutside(in[1]); w != nil {
			return batchDot(n, stack, w)
		}
	case graph.NodeTypeConvertDType:
		return h.p.clone(n, stack)
	case graph.NodeTypeMul, graph.NodeTypeAdd, graph.NodeTypeSub:
		other := h.valueOutside(in[1])
		switch {
		case other == nil:
			return nil
		case other.Rank() == in[0].Rank() && !other.IsScalar():
			other = graph.InsertAxes(other, 0)
		}
		if other.IsScalar() || in[0].Shape().Equal(n.Shape()) {
			return h.p.clone(n, stack, other)
		}
	}
	return nil
}

// valueOutside returns the node that has the value of n outside of the loop, or nil if n changes in
// the loop.
func (h *hoisting) valueOutside(n *graph.Node) *graph.Node {
	if m := h.p.nodes[n]; m != nil {
		return m
	}
	if h.step.isInside(n) {
		return nil
	}
	return n
}

// batchDot returns the product n, computed for all elements of stack, the stack of its first
// operand; other is the second operand. It returns nil if n has batch dimensions or is no simple
// product (dotDims).
func batchDot(n, stack, other *graph.Node) *graph.Node {
	dims := dotDims(n)
	if dims == nil || len(dims.LHSBatch) > 0 {
		return nil
	}
	return graph.DotGeneral(stack, shiftDims(dims.LHSContracting), nil, other, dims.RHSContracting, nil)
}

// dotDims returns the dimension numbers of n if it is a dot product. It returns nil for other
// nodes, and for a product whose operands or result are converted to another element type.
func dotDims(n *graph.Node) *ir.DotDims {
	def := nodeValue(n).Def()
	if n.Type() != graph.NodeTypeDotGeneral || def == nil || def.Kind != ir.OpDotGeneral || n.DType() != n.Inputs()[0].DType() {
		return nil
	}
	d, _ := def.Attrs.Get("dot_dimension_numbers").(*ir.DotDims)
	return d
}

// shiftDims returns the dimensions that an element's dimensions have in a stack: each is one more.
func shiftDims(dims []int) []int {
	out := make([]int, len(dims))
	for i, d := range dims {
		out[i] = d + 1
	}
	return out
}

// replay records the nodes of a block again in another place, and replaces some of them by other
// nodes.
type replay struct {
	r      *Recorder
	block  *ir.Block
	nodes  map[*graph.Node]*graph.Node
	values map[*ir.Value]*ir.Value
}

func (r *Recorder) replay(block *ir.Block, given map[*graph.Node]*graph.Node) *replay {
	p := &replay{r: r, block: block, nodes: make(map[*graph.Node]*graph.Node), values: make(map[*ir.Value]*ir.Value)}
	for n, m := range given {
		p.nodes[n] = m
	}
	return p
}

func (p *replay) all(nodes []*graph.Node) []*graph.Node {
	out := make([]*graph.Node, len(nodes))
	for i, n := range nodes {
		out[i] = p.node(n)
	}
	return out
}

// node returns the replacement of n, which it records if necessary. A constant or a node of another
// block is its own replacement.
func (p *replay) node(n *graph.Node) *graph.Node {
	if m, ok := p.nodes[n]; ok {
		return m
	}
	if isConstant(n) || nodeValue(n).Block() != p.block {
		return n
	}
	m := p.concatenationOf(n)
	if m == nil {
		m = p.clone(n, p.all(n.Inputs())...)
	}
	p.nodes[n] = m
	return m
}

// concatenationOf records n as a concatenation if n is a sum of pieces that are padded with zeros
// along one dimension, and that fill it without gaps and overlaps. GoMLX writes the gradient of a
// value that is split into slices as such a sum. It returns nil for other nodes.
func (p *replay) concatenationOf(n *graph.Node) *graph.Node {
	if n.Type() != graph.NodeTypeAdd {
		return nil
	}
	var pieces []*graph.Node
	if pieces = addends(n, pieces); len(pieces) < 2 {
		return nil
	}
	dim := -1
	at := func(piece *graph.Node) int { return nodeValue(piece).Def().Ints("edge_padding_low")[dim] }
	for _, piece := range pieces {
		d := paddedDim(piece)
		if d < 0 || dim >= 0 && d != dim {
			return nil
		}
		dim = d
	}
	slices.SortFunc(pieces, func(a, b *graph.Node) int { return at(a) - at(b) })
	end := 0
	parts := make([]*graph.Node, len(pieces))
	for i, piece := range pieces {
		parts[i] = piece.Inputs()[0]
		if at(piece) != end {
			return nil
		}
		end += parts[i].Shape().Dimensions[dim]
	}
	if end != n.Shape().Dimensions[dim] {
		return nil
	}
	return graph.Concatenate(p.all(parts), dim)
}

// addends appends the addends of n, a sum of nodes of equal shape, to the slice to, and returns it.
// It divides addends that are sums too.
func addends(n *graph.Node, to []*graph.Node) []*graph.Node {
	for _, in := range n.Inputs() {
		if in.Type() == graph.NodeTypeAdd && in.Shape().Equal(n.Shape()) {
			to = addends(in, to)
		} else {
			to = append(to, in)
		}
	}
	return to
}

// paddedDim returns the dimension that n pads, if n is a pad with zeros that pads exactly one
// dimension and only at its edges. It returns -1 for other nodes.
func paddedDim(n *graph.Node) (dim int) {
	def := nodeValue(n).Def()
	if n.Type() != graph.NodeTypePad || def == nil || def.Kind != ir.OpPad || !isZero(n.Inputs()[1]) {
		return -1
	}
	dim = -1
	low, high, interior := def.Ints("edge_padding_low"), def.Ints("edge_padding_high"), def.Ints("interior_padding")
	for d := range low {
		switch {
		case low[d] < 0 || high[d] < 0 || interior[d] != 0:
			return -1
		case low[d] == 0 && high[d] == 0:
		case dim >= 0:
			return -1
		default:
			dim = d
		}
	}
	return dim
}

// isZero reports whether n is a constant whose elements are all zero.
func isZero(n *graph.Node) bool {
	def := nodeValue(n).Def()
	return isConstant(n) && def != nil && !slices.ContainsFunc(def.Literal().Data, func(b byte) bool { return b != 0 })
}

// clone records the operation of n again with the given inputs and the location of n, and returns
// the new node.
func (p *replay) clone(n *graph.Node, inputs ...*graph.Node) *graph.Node {
	outer, loc := p.r.again, nodeLocation(n)
	p.r.again = &loc
	defer func() { p.r.again = outer }()
	def := nodeValue(n).Def()
	if n.Type() == graph.NodeTypeIdentity && def != nil && def.Kind == ir.OpShardingConstraint && nodeValue(n) != nodeValue(n.Inputs()[0]) {
		p.r.identity = constrain(def.Attrs.Get("sharding").(ir.ShardingAttr).Sharding)
	}
	m := n.CloneWithInputs(inputs...)
	if def != nil && len(def.Regions) > 0 {
		p.recapture(n, m)
	}
	return m
}

// recapture changes the closures of m, a copy of n: where they use values of the replayed block,
// they get the copies of these.
func (p *replay) recapture(n, m *graph.Node) {
	for _, v := range capturedValues(nodeValue(m).Def()) {
		if v.Block() != p.block {
			continue
		}
		w := p.value(p.r.currentFunction(m), v)
		nodeValue(m).Def().Walk(func(op *ir.Op) {
			for i, o := range op.Operands {
				if o == v {
					op.SetOperand(i, w)
				}
			}
		})
	}
}

// value returns the replacement of v, a value that a closure uses; v itself if it is not of the
// replayed block. It is the value of the replacement of v's node. If v has no node, value copies
// the op of v, once, to the end of f's block.
func (p *replay) value(f *function, v *ir.Value) *ir.Value {
	if v.Block() != p.block {
		return v
	}
	for n, m := range p.nodes {
		if n.NumOutputs() == 1 && nodeValue(n) == v {
			return nodeValue(m)
		}
	}
	if w, ok := p.values[v]; ok {
		return w
	}
	if v.Def() == nil {
		panic(fmt.Errorf("BUG: a closure uses an argument of a scan's body that is not known"))
	}
	copies := ir.Cloner{}
	for _, list := range [][]*ir.Value{v.Def().Operands, capturedValues(v.Def())} {
		for _, o := range list {
			copies[o] = p.value(f, o)
		}
	}
	op := copies.Op(v.Def())
	f.block.Append(op)
	for i, r := range v.Def().Results {
		p.values[r] = op.Results[i]
	}
	return p.values[v]
}
