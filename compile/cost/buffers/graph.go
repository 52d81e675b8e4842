package buffers

// This file defines the graph that memory is assigned for: a block of the
// program in the instructions that the engine's compiler makes of it.

import "github.com/gospmd/gospmd/ir"

// role says what the model has to know of an instruction.
type role uint8

const (
	param    role = iota // an argument of the function or of a region
	constant             // a literal
	// element-wise: element i of the result needs element i of the operands
	element
	broadcast    // an operand's element is in many places of the result
	ramp         // made of nothing
	slice        // slice, reverse: an element of the result is one of the operand
	dynamicSlice // the same, at indices that are operands
	pad          // pad
	concatenate  // concatenate
	transpose    // transpose
	gather       // gather
	reduce       // reduce
	update       // dynamic_update_slice: in place of operand 0
	view         // the memory of its operand: a reshape, or one of several results
	// the memory of its first operand, once the others are there too: a barrier, of accelerators
	held
	vectorDot // a product with a small vector
	// a product or convolution that is fused with ops before and after it
	product
	kernel // runs by itself and reads its operands from memory
	loop   // while: graphs are the condition and the body
	branch // if, case
	result // what the block returns
)

// traits are what roles have in common.
var traits = [...]struct {
	producer bool // may be computed inside of its users
	consumer bool // may compute its operands inside of itself
}{
	element: {true, true}, broadcast: {true, true}, ramp: {producer: true}, slice: {true, true},
	dynamicSlice: {true, true}, pad: {true, true}, concatenate: {true, true}, transpose: {true, true},
	gather: {true, true}, reduce: {true, true}, update: {true, true}, view: {true, true}, constant: {producer: true},
	vectorDot: {consumer: true}, product: {true, true}, result: {},
}

// node is an instruction.
type node struct {
	role     role
	op       *ir.Op    // the op that it is a part of; nil for parameters and copies of them
	types    []ir.Type // of its results
	operands []*node
	part     int      // of a view: which result of its operand
	graphs   []*graph // of a loop: condition and body; of a branch: the branches

	into      *node     // the operand whose memory the result has in any case; nil if none
	takes     []*node   // operands whose memory the result may have, if nothing else needs that
	sorts     bool      // result i may have the memory of operand i
	expensive bool      // not worth computing twice
	rows      bool      // the result is in rows of tiles; see rows.go
	shows     *ir.Value // of TPUs: the value that is the result; nil where none is

	graph  *graph
	id     int      // different for each node of a function
	index  int      // position in graph.nodes
	rank   int      // position when ancestors were counted
	users  []*node  // made by graph.link
	member member   // of the group that looked at it last
	values []*value // of its results; those of a view are its operand's
	time   int      // when it runs: operands are read at 2·time, results written one later

	seen struct{ between, checked int } // by which searches of fusesEverywhere last

	typeRoom [1]ir.Type // most have one result
}

// typ is the type of a node's result.
func (n *node) typ() ir.Type { return n.types[0] }

// counter makes and numbers the nodes of a function.
type counter struct {
	last     int
	room     []node // made, and not yet used
	searches int    // by fusesEverywhere
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

// graph is a block.
type graph struct {
	ids    *counter
	nodes  []*node // operands before users, but for params
	params []*node
	root   *node
	runs   []*node // the nodes in the order in which they run
}

// add appends an instruction.
func (g *graph) add(r role, op *ir.Op, types []ir.Type, operands ...*node) *node {
	n := g.ids.next()
	n.role, n.op, n.types, n.operands, n.graph, n.index = r, op, types, operands, g, len(g.nodes)
	g.nodes = append(g.nodes, n)
	return n
}

// one is add for an instruction of one result.
func (g *graph) one(r role, op *ir.Op, t ir.Type, operands ...*node) *node {
	n := g.add(r, op, nil, operands...)
	n.typeRoom[0] = t
	n.types = n.typeRoom[:]
	return n
}

// part returns result i of n.
func (g *graph) part(n *node, i int) *node {
	if len(n.types) == 1 {
		return n
	}
	v := g.one(view, n.op, n.types[i], n)
	v.part = i
	return v
}

// replace makes n read another node instead of one.
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

// number writes the positions of the nodes.
func (g *graph) number() {
	for i, n := range g.nodes {
		n.index = i
	}
}

// link finds the users of each node, in order, each once.
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

// origin returns the node that makes the value behind the view n; n itself if it is no view.
func (n *node) origin() *node {
	for n.role == view {
		n = n.operands[0]
	}
	return n
}

// resultIndex is the result of its origin that n shows.
func (n *node) resultIndex() int {
	for n.role == view && !isPart(n) {
		n = n.operands[0]
	}
	return n.part
}

// elements is the number of elements of a node's result.
func (n *node) elements() int { return n.typ().Size() }

// trueRank is the number of dimensions that are not 1.
func (n *node) trueRank() int {
	rank := 0
	for _, d := range n.typ().Dims {
		if d > 1 {
			rank++
		}
	}
	return rank
}

// captures visits what g reads from blocks around it.
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
