package buffers

// This file models how XLA for TPUs and GPUs differs from XLA for CPUs. 16-bit numbers are computed
// without conversion. Products fuse with the ops that make their operands, and with the ops that
// use their result. Transposes become memory layouts. Elements that a few cheap ops make are
// computed again where they are read. Each value has its own collective. Ops that free memory run
// as soon as they can.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
)

func (m Model) accelerator() bool { return m == GPU || m == TPU }

// native has, for the kinds of ops that accelerators lower in another way than CPUs, the function
// that does so. It is filled by init.
var native map[ir.OpKind]func(*lowering, *ir.Op) []*node

func init() { // lowering refers to native
	native = map[ir.OpKind]func(*lowering, *ir.Op) []*node{
		ir.OpDotGeneral: (*lowering).product, ir.OpConvolution: (*lowering).product,
		ir.OpSPMDAllReduce: (*lowering).addEach, ir.OpSPMDAllGather: (*lowering).addEach,
		ir.OpSPMDReduceScatter: (*lowering).addEach, ir.OpSPMDAllToAll: (*lowering).addEach,
		ir.OpGather: (*lowering).gatherRows, ir.OpScatter: (*lowering).scatterRows, ir.OpSelectAndScatter: (*lowering).scatterWindows,
		ir.OpOptimizationBarrier: (*lowering).barrier,
	}
}

// product lowers op, a product or a convolution, and returns the node of its result. It can read
// its operands in any layout. On GPUs libraries compute products, which read and write memory; a
// product of few tiles is computed in parts that are then added (see splits). On TPUs a convolution
// may read a copy of its input (see image and addEdges).
func (l *lowering) product(op *ir.Op) []*node {
	as, operands := product, l.operands(op.Operands)
	switch {
	case l.model == GPU:
		as = kernel
		if op.Kind == ir.OpDotGeneral {
			operands = l.computedInside(operands)
		}
		if s := splits(op); s > 1 {
			return []*node{l.split(op, operands, s)}
		}
	case op.Kind == ir.OpConvolution:
		operands[0] = l.image(op, operands[0])
		operands = l.addEdges(op, operands)
	}
	n := l.g.addOne(as, op, op.Results[0].Type, operands...)
	n.expensive = true
	return []*node{n}
}

// computedInside returns the nodes that a product on GPUs reads from memory in place of its
// operands. The product computes a sum or a maximum of a value and a vector, such as a bias and a
// relu, inside of its kernel (GemmFusion in XLA). Each product that reads it computes it again.
func (l *lowering) computedInside(operands []*node) []*node {
	var vectors []*node
	for i, x := range operands {
		for x.graph == l.g {
			if x.role == view && !isPart(x) {
				x = x.operands[0]
				continue
			}
			if x.role != element || !vectorOps[x.op.Kind] || (x.operands[0].role == broadcast) == (x.operands[1].role == broadcast) {
				break
			}
			value, vector := x.operands[0], x.operands[1]
			if value.role == broadcast {
				value, vector = vector, value
			}
			vectors = append(vectors, vector.operands[0])
			x = value
			operands[i] = x
		}
	}
	return append(operands, vectors...)
}

// vectorOps are the ops that products on GPUs compute inside of their kernel.
var vectorOps = map[ir.OpKind]bool{ir.OpAdd: true, ir.OpMaximum: true}

// image returns the node that the convolution op reads instead of x. If x is an argument or a part
// of one, that is a copy in tiles of batch and features, which all convolutions share; otherwise it
// is x. If x is a slice that has all images and features, the copy is of the whole tensor, and the
// convolution reads a part of it.
func (l *lowering) image(op *ir.Op, x *node) *node {
	from := x
	for from.role == view || from.role == slice || from.role == dynamicSlice || from.role == element && from.op.Kind == ir.OpConvert {
		from = from.operands[0]
	}
	if from.role != param {
		return x
	}
	whole, shows := x, op.Operands[0]
	for whole.role == slice && shows.Def().Kind == ir.OpSlice && keepsImages(op, shows) { // the convolution reads a part of the copy
		whole, shows = whole.operands[0], shows.Def().Operands[0]
	}
	n := l.move(kernel, op, l.padded(op, shows), whole, nil)
	n.shows = shows
	return n
}

// keepsImages reports whether v, a slice that the convolution op reads, has all images and features
// of its operand.
func keepsImages(op *ir.Op, v *ir.Value) bool {
	d, from := op.Convolution().DimensionNumbers(), v.Def().Operands[0].Type.Dims
	return v.Type.Dims[d.InputBatch] == from[d.InputBatch] && v.Type.Dims[d.InputFeature] == from[d.InputFeature]
}

// scatterWindows lowers a select_and_scatter, and returns the node of its result: on TPUs it is one
// instruction, on other platforms there are several.
func (l *lowering) scatterWindows(op *ir.Op) []*node {
	if l.model == TPU {
		return l.kernel(op, l.operands(op.Operands)...)
	}
	return l.selectAndScatter(op)
}

// barrier lowers an optimization_barrier, and returns the nodes of its results: each passes a value
// on when all of them are there. XLA for CPUs has removed barriers when it looks for equal
// instructions, and when it orders them.
func (l *lowering) barrier(op *ir.Op) []*node {
	operands := l.operands(op.Operands)
	out := make([]*node, len(operands))
	for i, n := range operands {
		out[i] = l.g.addOne(held, op, op.Results[i].Type, append([]*node{n}, operands...)...)
	}
	return out
}

// addEach lowers an op that treats its operands one by one: result i becomes an instruction of its
// own, which reads operand i.
func (l *lowering) addEach(op *ir.Op) []*node {
	out := make([]*node, len(op.Results))
	for i, v := range op.Operands {
		out[i] = l.g.addOne(kernel, op, op.Results[i].Type, l.value(v))
	}
	return out
}

// barrier is a list of nodes that run together: the users of each wait for all of them.
type barrier struct {
	left  int // number of nodes that have not run
	users []*node
}

// frugalOrder returns the nodes in program order, except that a node that frees at least as much
// memory as it takes runs as soon as it can. Loops, branches and the result keep their place,
// unless an operand runs later. A returned value counts as taking no memory, because it usually
// uses that of an argument; on TPUs its node has its place in the program, where weights are
// updated at the end. together has lists of collectives: a node that uses one of them runs after
// the whole list. If such lists wait for each other, frugalOrder panics.
func (g *graph) frugalOrder(m Model, together [][]*node) []*node {
	g.link()
	returned := map[*node]bool{}
	for _, o := range g.root.operands {
		returned[o.origin()] = true
	}
	waits := make([]int, len(g.nodes)) // number of operands that have not run
	reads := make([]int, len(g.nodes)) // number of users that have not run
	for _, n := range g.nodes {
		reads[n.index] = len(n.users)
		for _, u := range n.users {
			waits[u.index]++
		}
	}
	barriers := map[*node]*barrier{}
	for _, list := range together {
		b, seen := &barrier{left: len(list)}, map[*node]bool{}
		for _, n := range list {
			barriers[n] = b
			for _, u := range n.users {
				if !seen[u] {
					seen[u] = true
					b.users = append(b.users, u)
					waits[u.index]++
				}
			}
		}
	}
	late := make([]bool, len(g.nodes)) // the node could not run at its place in the program
	frees := func(n *node) bool {
		if n.role == loop || n.role == branch || n.role == result || m == TPU && returned[n] {
			return false
		}
		freed := 0
		if !returned[n] {
			for _, t := range n.types {
				freed -= t.MemoryBytes()
			}
		}
		for i, o := range n.operands {
			if o.graph == g && o.role != param && o.role != constant && reads[o.index] == 1 && !slices.Contains(n.operands[:i], o) {
				freed += o.typ().MemoryBytes()
			}
		}
		return freed >= 0
	}
	done := make([]bool, len(g.nodes))
	var out []*node
	for _, n := range g.nodes {
		for todo := []*node{n}; len(todo) > 0; {
			at := todo[0]
			todo = todo[1:]
			if done[at.index] || waits[at.index] > 0 {
				late[at.index] = true
				continue
			}
			done[at.index] = true
			out = append(out, at)
			for i, o := range at.operands {
				if o.graph == g && !slices.Contains(at.operands[:i], o) {
					reads[o.index]--
				}
			}
			for _, o := range at.operands {
				if m != TPU || !returned[at] || o.graph != g || o.role == param || o.elements() < at.elements() {
					continue
				}
				for _, u := range o.users { // what depends on the same gradient
					if returned[u] && waits[u.index] == 0 {
						todo = append(todo, u)
					}
				}
			}
			ready := at.users
			if b := barriers[at]; b != nil {
				if b.left--; b.left == 0 {
					ready = slices.Concat(ready, b.users)
				}
			}
			for _, u := range ready {
				if waits[u.index]--; waits[u.index] == 0 && (late[u.index] || frees(u)) {
					todo = append(todo, u)
				}
			}
		}
	}
	if len(out) != len(g.nodes) {
		panic(fmt.Sprintf("BUG: %d of %d instructions wait for each other: collectives are combined that must not be", len(g.nodes)-len(out), len(g.nodes)))
	}
	return out
}
