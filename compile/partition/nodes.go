package partition

// This file defines the nodes of an Evaluator: the values and ops of a function's body, and of the
// loops in it.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/sharding/factor"
)

// valueNode is a value of the function.
type valueNode struct {
	*tensor  // its copies are those that exist for the current op
	value    *ir.Value
	declared *layout.Sharding

	// the sharding in which its op makes the value; nil if the value is rematerialized where it is
	// used
	made  *layout.Sharding
	moved []movedCopy // copies made by moves, in program order
	maker *opNode     // nil for a parameter
	users []*opNode   // in program order

	userRoom [2]*opNode // memory for users; most values have one or two
}

// opNode is an op of the function, with its values. A loop has its results and the arguments of its
// regions as results.
type opNode struct {
	op                *ir.Op
	index             int    // position in program order
	at                *frame // the frame that it is in
	operands, results []*valueNode
	rule              *factorRule  // nil if the op is not partitioned by factors
	factors           *factor.Rule // set if rule is
	class             class        // set if rule is
	// for an op without a rule: the shardings in which it reads its operands
	demands    []demand
	evaluation // result of the last dry run
}

// demand is the sharding that an op without a rule reads an operand in: a stated one, or that of
// another value. It is empty if the sharding is not known.
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

// addBlock adds the ops of b, the body of the function or a region of a loop. at is the frame of b.
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

// addOp adds the nodes of op and of its results to e, with its rule and class, or without a rule
// the shardings that it demands of its operands.
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
	for i, d := range n.demands { // op is the end of a loop's body
		if d.as != nil && d.as != n.operands[i] {
			d.as.users = append(d.as.users, n)
		}
	}
	e.nodes[op] = n
}

// addLoop adds the nodes of a loop and of the ops in it. The loop and the end of its body read
// their operands in the shardings of the body's arguments.
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

// addOperand makes v the next operand of n, and n a user of v.
func (e *Evaluator) addOperand(n *opNode, v *ir.Value) {
	x := e.values[v]
	if last := len(x.users) - 1; last < 0 || x.users[last] != n {
		x.users = append(x.users, n)
	}
	n.operands = append(n.operands, x)
}

// addValue adds the node of v, which is a result of maker or a parameter, and returns it.
func (e *Evaluator) addValue(v *ir.Value, maker *opNode) *valueNode {
	return e.addValueAt(v, maker, e.p.at)
}

// addValueAt adds the node of v, as addValue does, for a value that is made in the frame at, and
// returns it. maker is the node of its op, nil for a parameter.
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
