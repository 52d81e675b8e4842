package ir

// This file holds the hooks of pretty forms that show regions: those of reduce, of while, and of
// the bodies of Shardy's computations.

import "slices"

func fitsReduce(op *Op) bool {
	n := len(op.Results)
	return hasKinds(KindInts, "dimensions")(op) && n > 0 &&
		len(op.Operands) == 2*n && len(op.Regions) == 1 && len(op.Regions[0].Args) == 2*n
}

// reducers are the ops that the short form of a reduce may name.
var reducers = []OpKind{OpAdd, OpMultiply, OpMaximum, OpMinimum, OpAnd, OpOr, OpXor}

// reducerOf returns the op that is the whole body of a reduce, applied to the two arguments of the
// block. It must be one of reducers, on scalars, without attributes and shardings; for any other
// body reducerOf returns nil.
func reducerOf(body *Block) *Op {
	if len(body.Args) != 2 || body.Len() != 2 {
		return nil
	}
	op, ret := body.first, body.last
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

// printReduce prints a reduce. If the body is one op (reducerOf), it prints the short form
//
//	(%0 init: %1) applies stablehlo.add across dimensions = [1] : …
//
// and otherwise the body written out: also if there are several inputs, if the body computes in
// another type, or if locations are printed, which the short form cannot show.
func printReduce(p *printer, op *Op) {
	n, body := len(op.Results), op.Regions[0]
	p.list(n, func(i int) { p.put("(", p.ref(op.Operands[i]), " init: ", p.ref(op.Operands[n+i]), ")") })
	reducer := reducerOf(body)
	if p.Locations || n > 1 || !body.Args[0].Type.Equal(op.Operands[1].Type) {
		reducer = nil // the short form cannot show this op's location or type
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

func fitsWhile(op *Op) bool {
	if len(op.Regions) != 2 || len(op.Results) != len(op.Operands) {
		return false
	}
	sameTypes := func(a, b *Value) bool { return a.Type.Equal(b.Type) }
	return slices.EqualFunc(op.Results, op.Operands, sameTypes) &&
		slices.EqualFunc(op.Regions[0].Args, op.Operands, sameTypes) &&
		slices.EqualFunc(op.Regions[1].Args, op.Operands, sameTypes)
}

// printWhile prints a while: the arguments with their first values and types, the other attributes,
// and both regions, which use the same names for their arguments.
func printWhile(p *printer, op *Op) {
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
}

func fitsBody(op *Op) bool { return len(op.Regions) == 1 }

func printBody(p *printer, op *Op) {
	p.put("(")
	p.blockArgs(op.Regions[0].Args)
	p.put(") ")
	p.braces(func() { p.ops(op.Regions[0]) })
}

func parseBody(p *parser, d *draft) {
	b := d.newRegion()
	outer := len(p.defined)
	p.expect("(")
	p.commaList(")", func() { p.blockArg(b) })
	p.region(b)
	p.forget(outer)
}

func (d *draft) newRegion() *Block {
	b := &Block{}
	d.AddRegion(b)
	return b
}

// parseReduce is the parser of hook $REDUCE: it reads a reduce with its operands, in its short form
// ("applies" an op), or with the body written out, into d. The short form must have one input and
// one of reducers; otherwise it is a syntax error.
func parseReduce(p *parser, d *draft) {
	var inits []*Value
	for first := true; first || p.accept(","); first = false {
		p.expect("(")
		p.operand(d)
		p.expect("init")
		p.expect(":")
		inits = append(inits, p.value())
		p.expect(")")
	}
	n := len(inits)
	d.Operands = append(d.Operands, inits...)
	reducer, at := OpUnregistered, p.tok.start
	if p.accept("applies") {
		at = p.tok.start
		name := p.take(tokID, "the name of the op that reduces")
		reducer = KindByName(name)
		if !slices.Contains(reducers, reducer) || n != 1 {
			p.failf(at, "got `applies %s` for %d inputs, want an op such as stablehlo.add and one input, or a reducer written out", name, n)
		}
	}
	p.expect("across")
	p.expect("dimensions")
	p.expect("=")
	p.setAttr(d, at, "dimensions", p.ints())
	if p.isAt("{") {
		p.attrs(d)
	}
	p.expect(":")
	p.typesOf(d)
	body := d.newRegion()
	if reducer != OpUnregistered {
		t := d.Operands[1].Type
		x, y := body.AddArg(t), body.AddArg(t)
		b := NewBuilder(body)
		sum := b.OpWithTypes(reducer, nil, []Type{t}, x, y)
		b.OpWithTypes(OpReturn, nil, nil, sum.Results...)
		return
	}
	p.reducer(body, n)
}

// reducer reads reducer(%x: type, %y: type) … {body} into body. It has one pair of arguments for
// each of n inputs: the value combined so far, and the next element. Another number of pairs is a
// syntax error. In body, the first of all pairs come before the second ones.
func (p *parser) reducer(body *Block, n int) {
	p.expect("reducer")
	outer := len(p.defined)
	at := p.tok.start
	var pairs []*Value
	for p.accept("(") {
		p.blockArg(body)
		p.expect(",")
		p.blockArg(body)
		p.expect(")")
	}
	if len(body.Args) != 2*n {
		p.failf(at, "got %d pairs of arguments for a reducer of %d inputs, want one for each", len(body.Args)/2, n)
	}
	for i := range n {
		pairs = append(pairs, body.Args[2*i])
	}
	for i := range n {
		pairs = append(pairs, body.Args[2*i+1])
	}
	body.setArgs(pairs)
	p.region(body)
	p.forget(outer)
}

// parseWhile is the parser of hook $WHILE: it reads (%arg0 = %0, …) : types attributes {…} cond {…}
// do {…} into d. Both regions get arguments with the names and types that stand there.
func parseWhile(p *parser, d *draft) {
	var names []resultName
	p.expect("(")
	p.commaList(")", func() {
		names = append(names, resultName{at: p.tok.start, name: p.take(tokValue, "an argument such as %arg0")})
		p.expect("=")
		p.operand(d)
	})
	var types []Type
	if len(names) > 0 {
		p.expect(":")
		at := p.tok.start
		types = p.types()
		p.operandTypes(d, at, types...)
	}
	p.results(d, types...)
	if p.accept("attributes") {
		p.attrs(d)
	}
	for _, word := range []string{"cond", "do"} {
		p.expect(word)
		b := d.newRegion()
		outer := len(p.defined)
		for i, t := range types {
			p.define(names[i].at, names[i].name, []*Value{b.AddArg(t)})
		}
		p.region(b)
		p.forget(outer)
	}
}

// setArgs makes args, the block's arguments in another order, its arguments.
func (b *Block) setArgs(args []*Value) {
	b.Args = args
	for i, v := range args {
		v.index = i
	}
}
