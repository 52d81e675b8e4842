package partition

// This file holds what an Evaluator knows of the values and ops of a function: those of its
// body, and of the loops in it.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/sharding/factor"
)

// valueNode is a value of the function.
type valueNode struct {
	*tensor  // its copies are those that there are for the op at hand
	value    *ir.Value
	declared *layout.Sharding

	made  *layout.Sharding // as which it is made; nil where it is rematerialized
	moved []movedCopy      // further copies, in program order
	maker *opNode          // nil for a parameter
	users []*opNode        // in program order

	userRoom [2]*opNode // most have one or two
}

// opNode is an op of the function, with its values. The results of a loop are those of the
// op and the arguments of its regions.
type opNode struct {
	op                *ir.Op
	index             int    // in program order
	at                *frame // in which it stands
	operands, results []*valueNode
	rule              *factorRule  // nil for ops that are not partitioned by factors
	factors           *factor.Rule // likewise
	class             class        // likewise
	demands           []demand     // of other ops: how they read operands
	evaluation                     // of the last dry run
}

// demand is the sharding in which an op without a rule reads an operand: one that is stated, or
// that of another value. There is none where nothing is known of it.
type demand struct {
	stated *layout.Sharding
	as     *valueNode
}

func (d demand) sharding() *layout.Sharding {
	if d.as != nil {
		return d.as.declared
	}
	return d.stated
}

// addBlock adds the ops of b, the body of the function or a region of a loop, in the frame at.
func (e *Evaluator) addBlock(b *ir.Block, at *frame) {
	outer := e.p.at
	e.p.at, e.frames[b] = at, at
	for op := range b.Ops() {
		if op.Kind == ir.OpWhile {
			e.addLoop(op)
		} else {
			e.addOp(op)
		}
	}
	e.p.at = outer
}

// addOp adds the node of op and of its results.
func (e *Evaluator) addOp(op *ir.Op) {
	n := &opNode{op: op, operands: make([]*valueNode, 0, len(op.Operands)), results: make([]*valueNode, 0, len(op.Results))}
	if r := registry[op.Kind].byFactors; r != nil {
		if factors := e.p.ruleOf(r, op); factors != nil {
			n.rule, n.factors = r, factors
			n.class = e.classes.classOf(op, factors, func(v *ir.Value) bool { return e.values[v].rematerialize != nil }, e.p.accesses[op])
		}
	}
	for i, v := range op.Operands {
		e.addOperand(n, v)
		if n.rule == nil {
			n.demands = append(n.demands, e.demand(op, i))
		}
	}
	for _, v := range op.Results {
		n.results = append(n.results, e.addValue(v, n))
	}
	e.add(n)
	for i, d := range n.demands { // the end of a loop's body
		if d.as != nil && d.as != n.operands[i] {
			d.as.users = append(d.as.users, n)
		}
	}
	e.nodes[op] = n
}

// addLoop adds the nodes of a loop and of the ops in it. The loop reads its operands in the
// shardings of the arguments of its body, and so does the end of the body.
func (e *Evaluator) addLoop(op *ir.Op) {
	n := &opNode{op: op}
	cond, body := op.Regions[0], op.Regions[1]
	first, second := e.p.at.region(op, cond), e.p.at.region(op, body)
	for i, v := range op.Operands {
		e.addOperand(n, v)
		carried := e.addValueAt(body.Args[i], n, second)
		n.demands = append(n.demands, demand{as: carried})
		n.results = append(n.results, carried, e.addValueAt(cond.Args[i], n, first), e.addValue(op.Results[i], n))
	}
	e.add(n)
	e.nodes[op] = n
	e.addBlock(cond, first)
	e.addBlock(body, second)
}

// addOperand adds an operand of n.
func (e *Evaluator) addOperand(n *opNode, v *ir.Value) {
	x := e.values[v]
	if last := len(x.users) - 1; last < 0 || x.users[last] != n {
		x.users = append(x.users, n)
	}
	n.operands = append(n.operands, x)
}

// addValue adds the node of v, a result of maker or a parameter.
func (e *Evaluator) addValue(v *ir.Value, maker *opNode) *valueNode {
	return e.addValueAt(v, maker, e.p.at)
}

// addValueAt is addValue for a value that is made in the frame at.
func (e *Evaluator) addValueAt(v *ir.Value, maker *opNode, at *frame) *valueNode {
	outer := e.p.at
	e.p.at = at
	defer func() { e.p.at = outer }()
	if e.Rematerializes(v) && (maker == nil || maker.rule == nil) {
		e.p.defineRematerialized(v, func(*layout.Sharding) *ir.Value { return nil })
	} else {
		e.p.define(v, nil, e.p.declaredSharding(v))
	}
	n := &valueNode{tensor: e.p.tensor(v), value: v, declared: e.p.declaredSharding(v), maker: maker}
	n.users = n.userRoom[:0]
	e.values[v] = n
	return n
}
