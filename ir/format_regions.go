package ir

// This file holds the hooks of the pretty forms that show regions: reduce,
// while, and the bodies of Shardy's computations.

import "slices"

// reduceHook shows a reduce: in short form where the body is one op,
//
//	(%0 init: %1) applies stablehlo.add across dimensions = [1] : …
//
// else with the body written out.
func reduceHook() *hook {
	return &hook{
		attrs: []string{"dimensions"}, region: true,
		fits: func(op *Op) bool {
			n := len(op.Results)
			return hasKinds(KindInts, "dimensions")(op) && n > 0 &&
				len(op.Operands) == 2*n && len(op.Regions) == 1 && len(op.Regions[0].Args) == 2*n
		},
		print: (*printer).reduce,
	}
}

// reducers are the ops that the short form may name.
var reducers = []OpKind{OpAdd, OpMultiply, OpMaximum, OpMinimum, OpAnd, OpOr, OpXor}

// reducerOf returns the op that the body of a reduce consists of, or nil where
// the body is more than that op on the block's two arguments.
func reducerOf(body *Block) *Op {
	if len(body.Args) != 2 || len(body.Ops) != 2 {
		return nil
	}
	op, ret := body.Ops[0], body.Ops[1]
	if !slices.Contains(reducers, op.Kind) || ret.Kind != OpReturn || len(op.Attrs) > 0 || len(ret.Attrs) > 0 ||
		!slices.Equal(op.Operands, body.Args) || len(op.Results) != 1 || !slices.Equal(ret.Operands, op.Results) {
		return nil
	}
	v, t := op.Results[0], body.Args[0].Type
	if v.Sharding != nil || !v.Type.Equal(t) || !body.Args[1].Type.Equal(t) || len(t.Dims) > 0 {
		return nil
	}
	return op
}

func (p *printer) reduce(op *Op) {
	n, body := len(op.Results), op.Regions[0]
	p.list(n, func(i int) { p.put("(", p.ref(op.Operands[i]), " init: ", p.ref(op.Operands[n+i]), ")") })
	reducer := reducerOf(body)
	if p.Locations || n > 1 || body.Args[min(1, len(body.Args)-1)].Type.DType != op.Operands[0].Type.DType {
		reducer = nil // the short form has no place for it
	}
	if reducer != nil {
		p.put(" applies ", reducer.FullName())
	}
	p.put(" across dimensions = ", intsText(op.Ints("dimensions")))
	p.spacedDict(formatOf(op.Kind).rest(op), op.Info())
	p.put(" : ")
	p.functionType(op)
	if reducer != nil {
		return
	}
	p.newline()
	p.put(" reducer")
	for i := range n {
		p.put("(")
		p.blockArgs([]*Value{body.Args[i], body.Args[n+i]})
		p.put(") ")
	}
	p.braces(func() { p.ops(body) })
}

// whileHook shows a while, whose regions share the names of their arguments.
func whileHook() *hook {
	return &hook{
		region: true,
		fits: func(op *Op) bool {
			if len(op.Regions) != 2 || len(op.Results) != len(op.Operands) {
				return false
			}
			sameTypes := func(a, b *Value) bool { return a.Type.Equal(b.Type) }
			return slices.EqualFunc(op.Results, op.Operands, sameTypes) &&
				slices.EqualFunc(op.Regions[0].Args, op.Operands, sameTypes) &&
				slices.EqualFunc(op.Regions[1].Args, op.Operands, sameTypes)
		},
		print: func(p *printer, op *Op) {
			p.put("(")
			p.list(len(op.Operands), func(i int) { p.put(p.ref(op.Regions[0].Args[i]), " = ", p.ref(op.Operands[i])) })
			p.put(")")
			if len(op.Operands) > 0 {
				p.put(" : ")
				p.types(op.Operands)
			}
			if rest := formatOf(op.Kind).rest(op); len(rest) > 0 {
				p.put(" attributes ")
				p.dict(rest, op.Info())
			}
			p.newline()
			p.put("cond ")
			p.braces(func() { p.ops(op.Regions[0]) })
			p.put(" do ")
			p.braces(func() { p.ops(op.Regions[1]) })
		},
	}
}

// bodyHook shows (%arg0: type) { ops }.
func bodyHook() *hook {
	return &hook{
		region: true,
		fits:   func(op *Op) bool { return len(op.Regions) == 1 },
		print: func(p *printer, op *Op) {
			p.put("(")
			p.blockArgs(op.Regions[0].Args)
			p.put(") ")
			p.braces(func() { p.ops(op.Regions[0]) })
		},
	}
}
