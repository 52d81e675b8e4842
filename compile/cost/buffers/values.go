package buffers

// This file finds out when values are in memory, and which of them share memory.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// value is a result of a node.
type value struct {
	op         *ir.Op // the op that makes it; nil for an argument of the function
	typ        ir.Type
	bytes      int  // 0 for literals and values in the host's memory
	start, end int  // times, in half steps
	events     span // the same time in events of the heap; see heap.go
	index      int  // index of the node that makes it
	parent     *value
	reader     *node  // the first node that reads it; nil if there is none
	read       int    // time of the last read, except by the function's return
	host       bool   // it is in the host's memory, and so are all values that share memory with it
	handed     bool   // the value moves to an argument's memory when it is complete; see onchip.go
	of         *class // its class, if it stands for others
}

// class returns the value that stands for all values with the same memory as v, which may be v. It
// shortens the way for later calls.
func (v *value) class() *value {
	for v.parent != nil {
		if v.parent.parent != nil {
			v.parent = v.parent.parent
		}
		v = v.parent
	}
	return v
}

// join makes v and w share memory.
func join(v, w *value) {
	if v, w = v.class(), w.class(); v != w {
		w.parent = v
	}
}

// timeline is the run of a function: when each value is written and read.
type timeline struct {
	model  Model
	kept   *kept // for TPUs only
	now    int
	values []*value
	room   []value // allocated values that are not used yet
	taken  []taken
}

// taken is a value whose memory the result of a node may have.
type taken struct {
	value *value
	by    *node
}

// make adds, and returns, a value of op with that type and number of bytes, which is written at the
// time start, in half steps.
func (t *timeline) make(op *ir.Op, typ ir.Type, bytes, start int) *value {
	if len(t.room) == 0 {
		t.room = make([]value, 128)
	}
	v := &t.room[0]
	t.room = t.room[1:]
	*v = value{op: op, typ: typ, bytes: bytes, start: start, end: start}
	t.values = append(t.values, v)
	return v
}

// run visits the nodes of g in their order, and gives each its values with their lifetimes: when
// they are made, and when they are last read.
func (t *timeline) run(g *graph) {
	for _, n := range g.runs {
		if n.role == param {
			if n.values == nil {
				bytes := t.model.Bytes(n.typ())
				if n.host {
					bytes = 0
				}
				n.values = []*value{t.make(nil, n.typ(), bytes, 2*t.now)}
			}
			continue
		}
		if n.role == view || n.role == held {
			from := n.operands[0]
			n.values = from.values[n.part : n.part+1]
			continue
		}
		if len(n.graphs) > 0 {
			t.regions(n)
		}
		n.time = t.now
		t.now++
		t.read(n)
		t.write(n)
	}
}

// read keeps the operands of n in memory until n runs, and notes n as a reader of them. If the
// result of n cannot have an operand's memory, the operand stays until the result is written; if it
// can, the operand is added to t.taken.
func (t *timeline) read(n *node) {
	for i, o := range n.operands {
		v := o.values[0]
		if v.reader == nil {
			v.reader = n
		}
		end := 2*n.time + 1
		if n.role != result {
			v.read = end
		}
		if n.into == o || n.sorts || contains(n.takes, o) {
			end = 2 * n.time
			t.taken = append(t.taken, taken{v, n})
		}
		if n.role == loop && i < len(n.types) && (!stays(n, i) || isUnread(n, i)) {
			continue // the loop's argument has its memory, or nothing reads that
		}
		v.end = max(v.end, end)
	}
}

// isUnread reports whether nothing in the loop n reads its argument i, which stays the same.
func isUnread(n *node, i int) bool {
	for _, g := range n.graphs {
		if slices.ContainsFunc(g.params[i].users, func(u *node) bool { return u != g.root }) {
			return false
		}
	}
	return true
}

func contains(list []*node, n *node) bool {
	for _, o := range list {
		if o == n {
			return true
		}
	}
	return false
}

// pointer is the size of an address. Several results of a node are in a table of addresses.
const pointer = 8

// write gives n the values of its results, which live from the time of n on. The result of a loop,
// a branch or an update shares memory with the values that become it. Several results also get a
// table of addresses.
func (t *timeline) write(n *node) {
	start := 2*n.time + 1
	for i, typ := range n.types {
		bytes := typ.MemoryBytes()
		if t.kept != nil {
			bytes = t.kept.bytes(n, i)
		}
		if n.role == constant || n.host {
			bytes = 0
		}
		if n.role == loop && stays(n, i) {
			n.values = append(n.values, n.operands[i].values[0])
			continue
		}
		v := t.make(n.op, typ, bytes, start)
		v.index, v.host = n.index, n.host
		n.values = append(n.values, v)
		switch {
		case n.role == loop:
			join(n.operands[i].values[0], v)
		case n.role == branch:
			for _, g := range n.graphs {
				join(v, g.root.operands[i].values[0])
			}
		case n.into != nil:
			join(n.into.values[0], v)
		}
	}
	if len(n.types) > 1 {
		t.make(n.op, ir.Type{}, pointer*len(n.types), start)
	}
}

// regions runs the regions of n, a branch or a loop. The arguments of a loop have the memory of the
// loop's initial values.
func (t *timeline) regions(n *node) {
	if n.role == branch {
		for _, g := range n.graphs {
			t.run(g)
		}
		return
	}
	condition, body := n.graphs[0], n.graphs[1]
	for _, g := range []*graph{body, condition} {
		begin := 2 * t.now
		for i, p := range g.params {
			from := n.operands[i].values[0]
			if stays(n, i) {
				p.values = []*value{from}
				continue
			}
			if g == body {
				from.end = max(from.end, begin)
			}
			v := t.make(n.op, p.typ(), from.bytes, begin)
			p.values = []*value{v}
			join(from, v)
		}
		t.now++
		t.run(g)
	}
	for i, o := range body.root.operands {
		if !stays(n, i) {
			join(n.operands[i].values[0], o.values[0])
		}
	}
}
