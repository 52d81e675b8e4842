package buffers

// This file fuses instructions: it decides which instructions are computed inside their users and
// have no memory. It follows XLA's instruction fusion on CPUs (InstructionFusion and
// CpuInstructionFusion there). It visits consumers from the end of the program, and fuses the
// producers of each into it, the latest producer first.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

const (
	maxRepeated   = 15   // the most times that a producer's code may be in a kernel
	maxReductions = 6    // the most reductions in a kernel
	maxPieces     = 8    // the most operands of a concatenate that is fused
	maxMembers    = 1000 // the most instructions in a kernel, so that the time is linear
)

// fuse removes from g all nodes except those that run by themselves. The operands of each are then
// the values that its kernel reads from memory.
func (g *graph) fuse(m Model) {
	g.sweep()
	g.numberProducts()
	g.link()
	f := &fusion{ids: g.ids, readers: make([]int, len(g.nodes)), once: make([]bool, len(g.nodes)), reductions: maxReductions}
	if m == GPU {
		f.reductions = 1 // a value with several readers would need memory at the same time
	}
	for i, n := range g.nodes {
		f.readers[i] = len(n.users)
	}
	f.findOnce(g, m)
	for i := len(g.nodes) - 1; i >= 0; i-- {
		n := g.nodes[i]
		if (n == g.root || f.readers[i] > 0) && canConsume(n) {
			f.grow(n)
		}
	}
	g.sweep()
	if m == GPU {
		g.keepReduced()
	}
}

// keepReduced lets no value that a reduction reads take over the memory of an operand: XLA for GPUs
// computes both in one kernel (MultiOutputFusion there), whose results have memory of their own.
func (g *graph) keepReduced() {
	for _, n := range g.nodes {
		if n.role != reduce {
			continue
		}
		for _, o := range n.operands {
			o.origin().takes = nil
		}
	}
}

// sweep removes nodes that the result does not need from the graph, and numbers the others again.
// Parameters stay.
func (g *graph) sweep() {
	needed := make([]bool, len(g.nodes))
	needed[g.root.index] = true
	for i := len(g.nodes) - 1; i >= 0; i-- {
		if !needed[i] {
			continue
		}
		for _, o := range g.nodes[i].operands {
			if o.graph == g {
				needed[o.index] = true
			}
		}
	}
	kept := g.nodes[:0]
	for i, n := range g.nodes {
		if needed[i] || n.role == param {
			kept = append(kept, n)
		}
	}
	g.nodes = kept
	g.number()
}

// fusion is the state of fuse. Its slices are indexed by node.
type fusion struct {
	readers []int  // number of kernels that read the node's result
	once    []bool // the node must not be computed more than once

	reductions int // the most reductions in a kernel

	ids   *counter
	queue latestFirst // memory for the queue of the current group
	reads []*node     // memory for the values that the current group reads from memory
}

// canConsume reports whether n may compute operands inside of its own kernel.
func canConsume(n *node) bool { return traits[n.role].consumer && !isPart(n) }

// canProduce reports whether n may be computed inside of the kernels of its users.
func canProduce(n *node) bool {
	return traits[n.role].producer && len(n.types) == 1 && !isPart(n) && (n.role != constant || n.elements() == 1)
}

// isPart reports whether n is one of several results of an instruction.
func isPart(n *node) bool { return n.role == view && len(n.operands[0].types) > 1 }

// reuses reports whether user reads elements of its operands more than once.
func reuses(user *node) bool { return user.role == broadcast }

// writesFirst reports whether n writes into the memory of its first operand.
func writesFirst(n *node) bool { return n.role == update || n.role == scattered }

// isAlwaysRepeated reports whether it is always better to compute n again in each user: whether n
// is a broadcast, or a conversion to a wider type.
func isAlwaysRepeated(n *node) bool { return n.role == broadcast || widens(n) }

// isLargeRow reports whether n is a large concatenate along the last dimension: of at least 2048
// bytes, in rows of at least 64. It copies its pieces one after the other, which is faster than
// fusing it.
func isLargeRow(n *node) bool {
	if n.role != concatenate || n.typ().Rank() < 2 || n.op.Kind != ir.OpConcatenate {
		return false
	}
	dim := n.typ().Rank() - 1
	if n.op.Concatenate().Dimension() != dim {
		return false
	}
	row := n.typ().Dims[dim] * ir.ElementBytes(n.typ().DType)
	return row >= 64 && n.typ().MemoryBytes() >= 2048
}

func isHeavyConcatenate(n *node) bool {
	return n.role == concatenate && (len(n.operands) > maxPieces || isLargeRow(n))
}

// edge reports whether producer may be fused into user, judging only by these two nodes.
func edge(producer, user *node) bool {
	switch {
	case producer.graph != user.graph, !canProduce(producer), !canConsume(user):
		return false
	case isHeavyConcatenate(producer), isHeavyConcatenate(user):
		return false
	case producer.expensive && reuses(user):
		return false
	}
	return !writesFirst(user) || user.operands[0] != producer
}

// group is a kernel during fusion: its root, and the instructions that are fused into it.
type group struct {
	root    *node
	members int
	reduced int         // number of reductions in the group
	product bool        // the group has a product
	queue   latestFirst // values that it reads, whose fusion has not been tried
}

// member is what a group knows about one instruction, which is in the group or read by it.
type member struct {
	group   *group
	in      bool    // it is in the group
	users   []*node // members that read it
	indexed []*node // members whose indices it is computed at
	repeats int     // number of copies of its code in the kernel
	reused  bool    // some element is needed more than once
	aligned bool    // element i of the kernel's result depends only on its element i
}

// enter resets m for the group g.
func (m *member) enter(g *group) {
	*m = member{group: g, users: m.users[:0], indexed: m.indexed[:0]}
}

// grow fuses into n the instructions that n may compute inside of its kernel: operands, their
// operands and so on, as long as f.fuses allows it. The operands of n are then what its kernel
// reads. If n is element-wise, n.takes has those whose memory the result may have. A view that
// computes something becomes a kernel.
func (f *fusion) grow(n *node) {
	g := &group{root: n, members: 1, queue: f.queue.reset()}
	n.member.enter(g)
	n.member.in, n.member.indexed, n.member.repeats, n.member.aligned = true, append(n.member.indexed, n), 1, true
	if n.role == reduce {
		g.reduced++
	}
	g.product = n.role == product
	for _, o := range n.operands {
		g.read(o, n)
	}
	reads := f.reads[:0]
	for p := g.queue.pop(); p != nil; p = g.queue.pop() {
		m := &p.member
		m.describe()
		if !f.fuses(p, g, m) {
			reads = append(reads, p)
			if m.aligned && n.role == element && p.typ().MemoryBytes() == n.typ().MemoryBytes() {
				n.takes = append(n.takes, p)
			}
			continue
		}
		f.take(p, g)
	}
	f.queue, f.reads = g.queue, reads
	if g.members > 1 {
		n.operands = slices.Clone(reads)
		slices.Reverse(n.operands)
		if n.role == view {
			n.role = kernel
		}
	}
}

// take makes p a member of g, which then reads the operands of p instead of p. It changes the
// numbers of readers of p and of the operands.
func (f *fusion) take(p *node, g *group) {
	p.member.in = true
	g.members++
	if p.role == reduce {
		g.reduced++
	}
	g.product = g.product || p.role == product
	f.readers[p.index]--
	dead := f.readers[p.index] == 0
	for _, o := range p.operands {
		if again := o.member.group == g && o.member.users[len(o.member.users)-1] == p; again {
			continue // p reads this operand twice
		}
		isNew := g.read(o, p)
		if o.graph != p.graph {
			continue
		}
		if dead {
			f.readers[o.index]--
		}
		if isNew {
			f.readers[o.index]++
		}
	}
}

// read records that member u of g reads o. It reports whether o is the first read of this value in
// g.
func (g *group) read(o, u *node) (isNew bool) {
	if isNew = o.member.group != g; isNew {
		o.member.enter(g)
		g.queue.push(o)
	}
	o.member.users = append(o.member.users, u)
	return isNew
}

// describe sets the properties of m that follow from its users.
func (m *member) describe() {
	m.aligned = true
	for _, u := range m.users {
		m.reused = m.reused || u.member.reused || reuses(u)
		m.aligned = m.aligned && u.member.aligned && u.role == element
		if u.role != element && u.role != transpose {
			m.index(u)
			continue
		}
		for _, x := range u.member.indexed {
			m.index(x)
		}
	}
}

// index records that the kernel computes m at the indices where x reads it. Each new x adds as many
// copies of m's code as x has itself. After maxRepeated+1 of them it records no more, as m does not
// fuse then.
func (m *member) index(x *node) {
	if !slices.Contains(m.indexed, x) && len(m.indexed) <= maxRepeated {
		m.indexed = append(m.indexed, x)
		m.repeats += x.member.repeats
	}
}

// fuses reports whether p may become a member of g, and be computed in the kernel of its root. m
// describes how the kernel reads p.
func (f *fusion) fuses(p *node, g *group, m *member) bool {
	switch {
	case p.graph != g.root.graph, !canProduce(p), f.once[p.index], g.members >= maxMembers:
		return false
	case isHeavyConcatenate(p), isHeavyConcatenate(g.root) && g.members == 1:
		return false
	case p.expensive && m.reused:
		return false
	case p.expensive && f.readers[p.index] > 1 && !isAlwaysRepeated(p):
		return false
	case writesFirst(g.root) && (g.root.into == p || p.role != element && slices.Contains(p.operands, g.root.into)):
		return false // the kernel would read memory that it writes
	case p.role == update && f.readers[p.index] > 1:
		return false
	case p.role == reduce && g.reduced >= f.reductions:
		return false
	case p.role == product && g.product:
		return false
	}
	return g.members == 1 || !f.repeatsTooMuch(p, m)
}

// repeatsTooMuch reports whether the kernel would have too many copies of p's code
// (FusionNodeIndexingEvaluation::CodeDuplicationTooHigh in XLA). The code of some instructions
// begins a new block, in which earlier results are computed again. They fuse only into their only
// user.
func (f *fusion) repeatsTooMuch(p *node, m *member) bool {
	if p.role == broadcast {
		return false
	}
	again := p.role == concatenate || p.role == update || p.role == pad || p.role == reduce
	return m.repeats > maxRepeated || again && (m.repeats > 1 || len(m.users) > 1 || f.readers[p.index] > 1)
}

// latestFirst is a heap of nodes that returns the latest node first. It sorts numbers, not
// pointers: moving pointers costs the garbage collector time.
type latestFirst struct {
	nodes []*node
	order []waiting
}

// waiting is a node in a heap: its position in the graph, and its index in latestFirst.nodes.
type waiting struct{ index, at int32 }

// reset returns an empty heap with the memory of q.
func (q latestFirst) reset() latestFirst { return latestFirst{q.nodes[:0], q.order[:0]} }

func (q *latestFirst) push(n *node) {
	q.nodes, q.order = append(q.nodes, n), append(q.order, waiting{int32(n.index), int32(len(q.nodes))})
	for i := len(q.order) - 1; i > 0; {
		parent := (i - 1) / 2
		if q.order[i].index <= q.order[parent].index {
			return
		}
		q.order[i], q.order[parent] = q.order[parent], q.order[i]
		i = parent
	}
}

// pop removes the latest node and returns it, or returns nil if the heap is empty.
func (q *latestFirst) pop() *node {
	last := len(q.order) - 1
	if last < 0 {
		return nil
	}
	latest := q.nodes[q.order[0].at]
	q.order[0] = q.order[last]
	q.order = q.order[:last]
	for i := 0; 2*i+1 < last; {
		child := 2*i + 1
		if child+1 < last && q.order[child+1].index > q.order[child].index {
			child++
		}
		if q.order[child].index <= q.order[i].index {
			break
		}
		q.order[i], q.order[child] = q.order[child], q.order[i]
		i = child
	}
	return latest
}

// expensive holds the ops whose elements should not be computed more than once: a fusion that
// repeats them is refused.
var expensive = map[ir.OpKind]bool{
	ir.OpRemainder: true, ir.OpExp: true, ir.OpExpM1: true, ir.OpLog: true, ir.OpLog1p: true, ir.OpLogistic: true,
	ir.OpPower: true, ir.OpRsqrt: true, ir.OpSqrt: true, ir.OpCbrt: true, ir.OpTanh: true, ir.OpAtan2: true,
	ir.OpErf: true, ir.OpMap: true, ir.OpAcos: true, ir.OpAcosh: true, ir.OpAsin: true, ir.OpAsinh: true, ir.OpAtan: true,
	ir.OpAtanh: true, ir.OpCosh: true, ir.OpSinh: true, ir.OpErfc: true, ir.OpErfInv: true, ir.OpLgamma: true,
	ir.OpDigamma: true, ir.OpPolygamma: true, ir.OpZeta: true, ir.OpBesselI1e: true, ir.OpNextAfter: true,
}

// isExpensive reports whether op should not be computed more than once.
func isExpensive(op *ir.Op) bool {
	switch op.Kind {
	case ir.OpDivide:
		by := op.Operands[1].Def()
		if by != nil && by.Kind == ir.OpBroadcastInDim {
			by = by.Operands[0].Def()
		}
		return by == nil || by.Kind != ir.OpConstant // else XLA multiplies by the reciprocal
	case ir.OpAbs, ir.OpSign, ir.OpSine, ir.OpCosine, ir.OpTan:
		return op.Operands[0].Type.DType.IsComplex()
	}
	return expensive[op.Kind]
}
