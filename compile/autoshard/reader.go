package autoshard

// This file finds the decision variables and the nodes of a function, including those in loops.

import (
	"github.com/gospmd/gospmd/internal/mincut"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/sharding/factor"
)

// newSearch returns the search of f. Some values are fixed: those that enter or leave the function,
// and those that ops without a rule make or use. An op that demands a sharding does not fix its
// operand, because the search counts the cost of the demand.
func newSearch(f *ir.Func, e Evaluator) *search {
	s := &search{e: e, mesh: e.Mesh(), net: mincut.New(), derived: map[derivation]*layout.Sharding{}, costs: map[costKey][2][2]int{}, fruitless: map[groupKey][]*layout.Sharding{}}
	r := &reader{search: s, known: make(map[*ir.Value]*variable, len(f.Params())+f.Body.Len())}
	r.add(f.Params(), nil, true)
	for op := range f.Body.Ops() {
		r.read(op)
	}
	for _, n := range r.carries {
		n.unify()
	}
	for _, n := range s.nodes {
		n.tie()
		s.factors = max(s.factors, len(n.rule.Factors))
	}
	return s
}

// reader finds the variables and nodes of a function.
type reader struct {
	*search
	known   map[*ir.Value]*variable
	carries []*node
}

// add adds variables for values, and returns them in the same order. def is the node that makes
// them, or nil. If fixed is true, they cannot change.
func (r *reader) add(values []*ir.Value, def *node, fixed bool) (out []*variable) {
	out = make([]*variable, 0, len(values))
	for _, v := range values {
		x := &variable{value: v, sharding: r.e.Sharding(v), fixed: fixed, rematerializes: r.e.Rematerializes(v), def: def, runs: r.e.Runs(v.Block()), dims: rankOf(v), firstDim: r.dims}
		x.uses = x.useRoom[:0]
		r.dims += x.dims
		r.known[v] = x
		r.variables = append(r.variables, x)
		out = append(out, x)
	}
	return out
}

// addNode adds a node, without operands and results, and returns it. op is nil for a value that a
// loop carries; runs is the number of times that the node runs.
func (r *reader) addNode(op *ir.Op, rule *factor.Rule, runs int) *node {
	n := &node{op: op, index: len(r.nodes), rule: rule, runs: runs}
	r.nodes = append(r.nodes, n)
	return n
}

// addOperand makes operand i of op an operand of n.
func (r *reader) addOperand(n *node, op *ir.Op, i int) {
	x := r.known[op.Operands[i]]
	n.operands = append(n.operands, x)
	x.uses = append(x.uses, use{op, n, i})
}

// read adds the node of op; for a loop, those of the values that it carries and of the ops in its
// regions. An op without a rule gets no node: its results are fixed, and so are the values that its
// regions use from outside, and operands without a demanded sharding.
func (r *reader) read(op *ir.Op) {
	if op.Kind == ir.OpWhile {
		r.loop(op)
		return
	}
	r.fixCaptured(op)
	if rule := r.e.Rule(op); rule != nil {
		n := r.addNode(op, rule, r.e.Runs(op.Block()))
		n.operands = make([]*variable, 0, len(op.Operands))
		for i := range op.Operands {
			r.addOperand(n, op, i)
		}
		n.results = r.add(op.Results, n, false)
		return
	}
	for i, v := range op.Operands {
		if x := r.known[v]; r.e.Demand(op, i) == nil {
			x.fixed = true
		} else {
			x.uses = append(x.uses, use{op, nil, i})
		}
	}
	r.add(op.Results, nil, true)
}

// fixCaptured fixes the values that the regions of op use from outside. op must not be a loop.
func (r *reader) fixCaptured(op *ir.Op) {
	for _, b := range op.Regions {
		b.Walk(func(inside *ir.Op) {
			for _, v := range inside.Operands {
				if x := r.known[v]; x != nil {
					x.fixed = true
				}
			}
		})
	}
}

// loop adds a node for each value that a loop carries, and the nodes of the loop's regions.
func (r *reader) loop(op *ir.Op) {
	r.loops = true
	cond, body := op.Regions[0], op.Regions[1]
	carries := make([]*node, len(op.Operands))
	for i, v := range op.Operands {
		n := r.addNode(nil, carryRule(v.Type), r.e.Runs(body))
		r.addOperand(n, op, i)
		n.results = r.add([]*ir.Value{body.Args[i], cond.Args[i], op.Results[i]}, n, false)
		carries[i] = n
	}
	for inside := range cond.Ops() {
		r.read(inside)
	}
	for inside := range body.Body() {
		r.read(inside)
	}
	for i, n := range carries {
		r.addOperand(n, body.Terminator(), i)
	}
	r.carries = append(r.carries, carries...)
}

// carryRule returns the rule of a value of type t that a loop carries: each dimension has a factor,
// which its two operands and its three results share. The rule of a token has no factors.
func carryRule(t ir.Type) *factor.Rule {
	rule := &factor.Rule{}
	var m factor.TensorMapping
	if !t.IsToken() {
		for d, size := range t.Dims {
			rule.Factors = append(rule.Factors, factor.Factor{Size: size})
			m = append(m, []int{d})
		}
	}
	rule.Operands, rule.Results = []factor.TensorMapping{m, m}, []factor.TensorMapping{m, m, m}
	return rule
}

// unify fixes all results of n, the node of a carried value, if one of them is fixed.
func (n *node) unify() {
	fixed := false
	for _, v := range n.results {
		fixed = fixed || v.fixed
	}
	for _, v := range n.results {
		v.fixed = fixed
	}
}
