package buffers

// This file defines the graph that memory is assigned for: a block of the program, as the
// instructions that the engine's compiler makes of it.

import "github.com/gospmd/gospmd/ir"

// role says how an instruction uses memory, as far as the model needs it.
type role uint8

const (
	param    role = iota // an argument of the function or of a region
	constant             // a literal
	// element-wise: element i of the result depends only on the elements i of the operands
	element
	broadcast    // an element of the operand is at many places of the result
	ramp         // computed without operands
	slice        // slice, reverse: an element of the result is an element of the operand
	dynamicSlice // like slice, at indices that are operands
	pad          // pad
	concatenate  // concatenate
	transpose    // transpose
	gather       // gather
	reduce       // reduce
	update       // dynamic_update_slice: writes into the memory of operand 0
	view         // has the memory of its operand: a reshape, or one of several results
	// the memory of its first operand, once the others are there too: a barrier, of accelerators
	held
	vectorDot // a product with a small vector
	// scatter, on GPUs: writes into the memory of operand 0, and computes indices and updates inside
	// of its kernel
	scattered
	// a product or convolution that is fused with the ops before and after it
	product
	kernel // runs by itself, and reads its operands from memory
	loop   // while: graphs has the condition and the body
	branch // if, case: graphs has the branches
	result // the values that the block returns
)

// traits says, by role, which nodes XLA may compute inside of others.
var traits = [...]struct {
	producer bool // may be computed inside of its users
	consumer bool // may compute its operands inside of itself
}{
	element: {true, true}, broadcast: {true, true}, ramp: {producer: true}, slice: {true, true},
	dynamicSlice: {true, true}, pad: {true, true}, concatenate: {true, true}, transpose: {true, true},
	gather: {true, true}, reduce: {true, true}, update: {true, true}, view: {true, true}, constant: {producer: true},
	vectorDot: {consumer: true}, scattered: {consumer: true}, product: {true, true}, result: {},
}

// node is an instruction.
type node struct {
	role     role
	op       *ir.Op    // the op that it belongs to; nil for parameters and copies of them
	types    []ir.Type // types of its results
	operands []*node
	part     int      // for a view: which result of its operand it is
	graphs   []*graph // for a loop: condition and body; for a branch: the branches

	into      *node     // the operand whose memory the result must have; nil: none
	takes     []*node   // operands whose memory the result may have, if nothing else needs it
	sorts     bool      // result i may have the memory of operand i
	expensive bool      // should not be computed more than once
	host      bool      // the result is in the host's memory
	rows      bool      // the result is in rows of tiles; see rows.go
	shows     *ir.Value // on TPUs, a value of the function whose elements the result is; nil: none

	graph  *graph
	id     int     // unique among the nodes of a function
	index  int     // position in graph.nodes
	rank   int     // position when ancestors were computed
	made   int     // number among the products that XLA writes again; 0: it does not
	users  []*node // set by graph.link
	member member  // of the last group that considered it
	// the values of the node's results, one each; the values of the operand if the node is a view
	values []*value
	// position in the order of the run: operands are read at 2·time, results are written at 2·time+1
	time int

	// the numbers of the last searches by fusesEverywhere that visited the node
	seen struct{ between, checked int }

	typeRoom [1]ir.Type // memory for types; most nodes have one result
}

// typ returns the type of the node's first result.
func (n *node) typ() ir.Type { return n.types[0] }

// counter allocates and numbers the nodes of a function.
type counter struct {
	last     int
	room     []node // allocated nodes that are not used yet
	searches int    // number of searches by fusesEverywhere
}

func (c *counter) next() *node {
	if len(c.room) == 0 {
		c.room = make([]node, 128)
	}
	n := &c.room[0]
	c.room = c.room[1:]
	c.last++
	n.id = c.last
	return n
}

// graph is a block of the function.
type graph struct {
	ids    *counter
	nodes  []*node // operands come before users, except for params
	params []*node
	root   *node
	runs   []*node // the nodes in the order in which they run
}

// add appends an instruction, with this role, that stands for op, has results of the types and
// reads the operands, and returns it.
func (g *graph) add(r role, op *ir.Op, types []ir.Type, operands ...*node) *node {
	n := g.ids.next()
	n.role, n.op, n.types, n.operands, n.graph, n.index = r, op, types, operands, g, len(g.nodes)
	g.nodes = append(g.nodes, n)
	return n
}

// addOne appends an instruction with one result of type t, as add does, and returns it.
func (g *graph) addOne(r role, op *ir.Op, t ir.Type, operands ...*node) *node {
	n := g.add(r, op, nil, operands...)
	n.typeRoom[0] = t
	n.types = n.typeRoom[:]
	return n
}

// part returns a node for result i of n: n itself if it has one result, and otherwise a new view,
// which it appends.
func (g *graph) part(n *node, i int) *node {
	if len(n.types) == 1 {
		return n
	}
	v := g.addOne(view, n.op, n.types[i], n)
	v.part = i
	return v
}

// replace makes n read the node by in place of the node old, also where n.takes and n.into name
// old.
func (n *node) replace(old, by *node) {
	for i, o := range n.operands {
		if o == old {
			n.operands[i] = by
		}
	}
	for i, o := range n.takes {
		if o == old {
			n.takes[i] = by
		}
	}
	if n.into == old {
		n.into = by
	}
}

// number sets the positions of the nodes.
func (g *graph) number() {
	for i, n := range g.nodes {
		n.index = i
	}
}

// link sets, for each node of g, its users in g: in order, each once. Users in other graphs are
// left out.
func (g *graph) link() {
	counts, total := make([]int, len(g.nodes)), 0
	for _, n := range g.nodes {
		for _, o := range n.operands {
			if o.graph == g {
				counts[o.index]++
				total++
			}
		}
	}
	room := make([]*node, total)
	for i, n := range g.nodes {
		n.users, room = room[:0:counts[i]], room[counts[i]:]
	}
	for _, n := range g.nodes {
		for _, o := range n.operands {
			if o.graph == g && (len(o.users) == 0 || o.users[len(o.users)-1] != n) {
				o.users = append(o.users, n)
			}
		}
	}
}

// origin returns the node that makes the value behind the view n, or n itself if it is not a view.
func (n *node) origin() *node {
	for n.role == view {
		n = n.operands[0]
	}
	return n
}

// resultIndex returns the number of the result of its origin that n is, or that n is a view of.
func (n *node) resultIndex() int {
	for n.role == view && !isPart(n) {
		n = n.operands[0]
	}
	return n.part
}

// elements returns the number of elements of the node's result.
func (n *node) elements() int { return n.typ().Size() }

// trueRank returns the number of dimensions of the node's result whose size is more than 1.
func (n *node) trueRank() int {
	rank := 0
	for _, d := range n.typ().Dims {
		if d > 1 {
			rank++
		}
	}
	return rank
}

// captures calls visit for the nodes of other graphs that g, or a graph within it, reads; more than
// once for a node that is read several times. For graphs within, these may be nodes of g.
func (g *graph) captures(visit func(*node)) {
	for _, n := range g.nodes {
		for _, o := range n.operands {
			if o.graph != g {
				visit(o)
			}
		}
		for _, inner := range n.graphs {
			inner.captures(visit)
		}
	}
}
