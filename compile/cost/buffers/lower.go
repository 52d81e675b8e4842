package buffers

// This file makes the graph of a block. It lowers ops to the instructions that XLA's compiler for
// CPUs makes of them before fusion. Ops without an entry in lowerings are kernels: they run by
// themselves and read their operands from memory.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// lowering is the state of making the graph of one block.
type lowering struct {
	g      *graph
	values map[*ir.Value]*node // nodes of the block's values
	ops    map[string][]*ir.Op // ops of the block, by key
	made   map[string]*node    // nodes that move or convert a value, by key
	key    []byte              // memory for the key of a look-up
	outer  *lowering           // lowering of the block around this one; nil for a function's body
	masks  []*ir.Op            // comparisons that wait to be stored as bits; see masks.go
	model  Model
	kept   *kept // how the function's values are stored, on TPUs
}

// lower returns the graph of b, as the compiler with the model m makes it. outer is the lowering of
// the block around b; nil for a function's body. k says how the function's values are stored, on
// TPUs.
func lower(b *ir.Block, outer *lowering, m Model, k *kept) *graph {
	l := &lowering{g: &graph{ids: &counter{}}, values: make(map[*ir.Value]*node, len(b.Args)+b.Len()), ops: make(map[string][]*ir.Op, b.Len()), made: map[string]*node{}, outer: outer, model: m, kept: k}
	if outer != nil {
		l.g.ids = outer.g.ids
	}
	for _, a := range b.Args {
		p := l.g.addOne(param, nil, a.Type)
		l.values[a] = p
		l.g.params = append(l.g.params, p)
	}
	for op := b.First(); op != b.Terminator(); op = op.Next() {
		if ops := l.neighbours(op); len(ops) > 1 {
			l.call(ops)
			op = ops[len(ops)-1]
			continue
		}
		l.op(op)
	}
	l.g.root = l.g.add(result, b.Terminator(), nil, l.operands(b.Terminator().Operands)...)
	return l.g
}

// operands returns the nodes of values.
func (l *lowering) operands(values []*ir.Value) []*node {
	out := make([]*node, len(values))
	for i, v := range values {
		out[i] = l.value(v)
	}
	return out
}

// value returns the node of v. A literal of a surrounding block is added again to this block, which
// costs nothing. For any other value without a node it panics.
func (l *lowering) value(v *ir.Value) *node {
	for from := l; from != nil; from = from.outer {
		if n := from.values[v]; n != nil {
			if from != l && v.Def() != nil && v.Def().Kind == ir.OpConstant {
				break
			}
			return n
		}
		if slices.Contains(from.masks, v.Def()) {
			from.addMasks()
			return from.values[v]
		}
	}
	if v.Def() == nil || v.Def().Kind != ir.OpConstant {
		panic("BUG: a value is used before it is made")
	}
	l.op(v.Def())
	return l.values[v]
}

// op adds op to the graph, and records the nodes of its results in l.values: those of an earlier op
// that computes the same, if there is one (sameOp).
func (l *lowering) op(op *ir.Op) {
	if same := l.sameOp(op); same != nil {
		for i, v := range op.Results {
			l.values[v] = l.value(same.Results[i])
		}
		return
	}
	if l.model == TPU && isStoredMask(op) {
		l.masks = append(l.masks, op)
		return
	}
	var results []*node
	lower := lowerings[op.Kind]
	if l.model.accelerator() && native[op.Kind] != nil {
		lower = native[op.Kind]
	}
	if lower != nil {
		results = lower(l, op)
	} else if op.Info().Is(ir.Elementwise) {
		results = []*node{l.elementwise(op)}
	} else {
		results = l.kernel(op, l.operands(op.Operands)...)
	}
	for i, v := range op.Results {
		l.values[v] = l.stored(op, results[i], v.Type)
		if l.model == TPU && results[i].shows == nil {
			results[i].shows = v
		}
	}
	if op.Info().Is(ir.Collective) {
		l.addMasks()
	}
}

// kernel adds an instruction for op that runs by itself and reads the operands, and returns the
// nodes of its results.
func (l *lowering) kernel(op *ir.Op, operands ...*node) []*node {
	n := l.g.add(kernel, op, ir.TypesOf(op.Results), operands...)
	if kind, ok := op.Placement(); ok {
		n.host = kind.OnHost()
	}
	return l.parts(n)
}

// parts returns a node for each result of n, in order.
func (l *lowering) parts(n *node) []*node {
	out := make([]*node, len(n.types))
	for i := range out {
		out[i] = l.g.part(n, i)
	}
	return out
}

// elementwise adds an element-wise op, and returns its node. A scalar operand of clamp or select is
// broadcast.
func (l *lowering) elementwise(op *ir.Op) *node {
	t := l.computed(op.Results[0].Type)
	operands := l.inputs(op)
	for i, o := range operands {
		if o.elements() == 1 && t.Size() > 1 {
			operands[i] = l.g.addOne(broadcast, op, o.typ().WithDims(t.Dims), o)
		}
	}
	n := l.g.addOne(element, op, t, operands...)
	n.expensive = isExpensive(op) && !l.model.accelerator()
	return n
}

// lowerings holds, for the ops that are neither element-wise nor kernels, the function that adds
// their nodes and returns those of the results. It is filled by init.
var lowerings map[ir.OpKind]func(l *lowering, op *ir.Op) []*node

func init() {
	moves := func(r role) func(*lowering, *ir.Op) []*node {
		return func(l *lowering, op *ir.Op) []*node {
			return []*node{l.g.addOne(r, op, l.computed(op.Results[0].Type), l.inputs(op)...)}
		}
	}
	lowerings = map[ir.OpKind]func(l *lowering, op *ir.Op) []*node{
		ir.OpConstant: (*lowering).constant, ir.OpBroadcastInDim: (*lowering).broadcast, ir.OpReshape: (*lowering).reshape,
		ir.OpTranspose: (*lowering).transpose, ir.OpOptimizationBarrier: (*lowering).views, ir.OpBitcastConvert: (*lowering).sameBits, ir.OpConvert: (*lowering).converted,
		ir.OpIota: moves(ramp), ir.OpSlice: moves(slice), ir.OpReverse: moves(slice), ir.OpPad: moves(pad),
		ir.OpConcatenate: moves(concatenate), ir.OpDynamicSlice: (*lowering).dynamicSlice, ir.OpDynamicUpdateSlice: (*lowering).update,
		ir.OpGather: (*lowering).gather, ir.OpScatter: (*lowering).scatter, ir.OpReduce: (*lowering).reduce, ir.OpReduceWindow: (*lowering).reduceWindow,
		ir.OpSort: (*lowering).sort, ir.OpAdd: (*lowering).add,
		ir.OpDotGeneral: (*lowering).dot, ir.OpConvolution: (*lowering).convolution, ir.OpSelectAndScatter: (*lowering).selectAndScatter,
		ir.OpWhile: (*lowering).while, ir.OpIf: (*lowering).branch, ir.OpCase: (*lowering).branch,
		ir.OpSPMDAllReduce: (*lowering).reduceTogether, ir.OpSPMDReduceScatter: (*lowering).reduceTogether,
		ir.OpSPMDAllGather: (*lowering).allGather,
	}
}

// constant adds a literal, and returns its node. A splat of several elements becomes a scalar and a
// broadcast, whose node it returns.
func (l *lowering) constant(op *ir.Op) []*node {
	d := op.Literal()
	if !d.Splat || d.Type.Size() <= 1 {
		return []*node{l.g.addOne(constant, op, d.Type)}
	}
	return []*node{l.g.addOne(broadcast, op, d.Type, l.g.addOne(constant, op, d.Type.WithDims(nil)))}
}

func (l *lowering) broadcast(op *ir.Op) []*node {
	x, t := l.input(op, 0), l.computed(op.Results[0].Type)
	if x.elements() == t.Size() {
		return []*node{l.reshapeTo(op, x, t)}
	}
	return []*node{l.g.addOne(broadcast, op, t, x)}
}

func (l *lowering) reshape(op *ir.Op) []*node {
	return []*node{l.reshapeTo(op, l.value(op.Operands[0]), op.Results[0].Type)}
}

// reshapeTo returns x as a tensor of type t with the elements in the same order.
func (l *lowering) reshapeTo(op *ir.Op, x *node, t ir.Type) *node {
	if x.role == view && !isPart(x) {
		x = x.operands[0]
	}
	if x.typ().Equal(t) {
		return x
	}
	return l.move(view, op, t, x, nil)
}

// views makes op's results the same nodes as its operands, because op computes nothing, and returns
// them.
func (l *lowering) views(op *ir.Op) []*node { return l.operands(op.Operands) }

// sameBits lowers a bitcast_convert, and returns the node of its result.
func (l *lowering) sameBits(op *ir.Op) []*node {
	return []*node{l.g.addOne(element, op, op.Results[0].Type, l.operands(op.Operands)...)}
}

func (l *lowering) transpose(op *ir.Op) []*node {
	return []*node{l.transposeTo(op, l.input(op, 0), op.Transpose().Permutation())}
}

// transposeTo returns x with its dimensions in another order: dimension i of the result is
// dimension order[i] of x. If only dimensions of size 1 move, it is a reshape.
func (l *lowering) transposeTo(op *ir.Op, x *node, order []int) *node {
	dims := make([]int, len(order))
	last, moves := -1, false
	for i, d := range order {
		dims[i] = x.typ().Dims[d]
		if dims[i] != 1 {
			moves = moves || d < last
			last = d
		}
	}
	t := x.typ().WithDims(dims)
	if !moves {
		return l.reshapeTo(op, x, t)
	}
	return l.move(transpose, op, t, x, order)
}

func (l *lowering) update(op *ir.Op) []*node {
	n := l.g.addOne(update, op, l.computed(op.Results[0].Type), l.inputs(op)...)
	n.into, n.host = n.operands[0], n.operands[1].host
	return []*node{n}
}

// dynamicSlice adds a dynamic_slice, and returns its node. If it is fetched from the host, it is a
// place in the host's memory.
func (l *lowering) dynamicSlice(op *ir.Op) []*node {
	n := l.g.addOne(dynamicSlice, op, l.computed(op.Results[0].Type), l.inputs(op)...)
	if op.Result().HasOneUse() {
		for u := range op.Result().Uses() {
			kind, moves := u.Op.Placement()
			n.host = moves && !kind.OnHost()
		}
	}
	return []*node{n}
}

func (l *lowering) gather(op *ir.Op) []*node {
	n := l.g.addOne(gather, op, l.computed(op.Results[0].Type), l.inputs(op)...)
	n.expensive = true
	return []*node{n}
}

// sort adds a sort, and returns the nodes of its results. A sort of a single tensor may work in the
// memory of its operand.
func (l *lowering) sort(op *ir.Op) []*node {
	types := ir.TypesOf(op.Results)
	for i, t := range types {
		types[i] = l.computed(t)
	}
	n := l.g.add(kernel, op, types, l.inputs(op)...)
	n.sorts = len(n.types) == 1
	return l.parts(n)
}

// while adds a loop, and returns the nodes of its results.
func (l *lowering) while(op *ir.Op) []*node { return l.regions(loop, op) }

// branch adds an if or a case, and returns the nodes of its results.
func (l *lowering) branch(op *ir.Op) []*node { return l.regions(branch, op) }

// regions adds an op with regions, after the literals that these read, and returns the nodes of its
// results. Values that the regions read from outside become operands after those of the op.
func (l *lowering) regions(r role, op *ir.Op) []*node {
	n := l.g.add(r, op, ir.TypesOf(op.Results), l.operands(op.Operands)...)
	for _, region := range op.Regions {
		n.graphs = append(n.graphs, lower(region, l, l.model, l.kept))
	}
	if r == loop && !l.model.accelerator() && !op.KeepsInvariants() {
		l.hoist(n)
	}
	if r == loop && l.model == TPU {
		l.narrow(n)
	}
	seen := map[*node]bool{}
	for _, o := range n.operands {
		seen[o] = true
	}
	for _, g := range n.graphs {
		g.captures(func(o *node) {
			if o.graph == l.g && !seen[o] {
				seen[o] = true
				n.operands = append(n.operands, o)
			}
		})
	}
	// The literals that the regions read were added meanwhile, so n moves to after them.
	l.g.nodes = append(slices.Delete(l.g.nodes, n.index, n.index+1), n)
	l.g.number()
	return l.parts(n)
}
