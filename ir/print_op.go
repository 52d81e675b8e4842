package ir

// This file prints ops, regions, the names of values, and locations.

import "strconv"

// counters are the next free numbers of %arg… and %….
type counters struct{ arg, value int }

// number names everything that is defined in b and below it. Numbers start
// over after a region, as in MLIR's own printer: sibling regions share names.
func (p *printer) number(b *Block, c counters) {
	for _, v := range b.Args {
		p.names[v] = valueName{arg: true, number: c.arg, result: -1}
		c.arg++
	}
	for op := range b.Ops() {
		p.numberOp(op, &c)
	}
}

func (p *printer) numberOp(op *Op, c *counters) {
	for i, v := range op.Results {
		if len(op.Results) == 1 {
			i = -1
		}
		p.names[v] = valueName{number: c.value, result: i}
	}
	if len(op.Results) > 0 {
		c.value++
	}
	for _, r := range op.Regions {
		p.number(r, *c)
	}
}

// ref returns the name of v. A value from elsewhere, which only the text of a
// broken function can show, is %?.
func (p *printer) ref(v *Value) string {
	n, ok := p.names[v]
	switch {
	case !ok:
		return "%?"
	case n.arg:
		return "%arg" + strconv.Itoa(n.number)
	case n.result < 0:
		return "%" + strconv.Itoa(n.number)
	default:
		return "%" + strconv.Itoa(n.number) + "#" + strconv.Itoa(n.result)
	}
}

func (p *printer) refs(values []*Value) {
	p.list(len(values), func(i int) { p.put(p.ref(values[i])) })
}

func (p *printer) ops(b *Block) {
	for op := range b.Ops() {
		p.newline()
		p.op(op)
	}
}

// op prints one op, in pretty form where its row in formats has one that can
// show all there is.
func (p *printer) op(op *Op) {
	if n := len(op.Results); n > 0 {
		p.put("%", strconv.Itoa(p.names[op.Results[0]].number))
		if n > 1 {
			p.put(":", strconv.Itoa(n))
		}
		p.put(" = ")
	}
	if f := formatOf(op.Kind); !p.Generic && f != nil && f.fits(op) {
		name := f.name
		if op.block == nil || op.block.parent != nil {
			name = op.FullName() // short names are for the body of a function
		}
		p.put(name)
		f.print(p, op)
	} else {
		p.genericOp(op)
	}
	p.location(op.Loc)
}

// genericOp prints "name"(operands) <{inherent}> ({regions}) {other} : type.
func (p *printer) genericOp(op *Op) {
	p.put(`"`, op.FullName(), `"(`)
	p.refs(op.Operands)
	p.put(")")
	info := op.Info()
	var inherent, other Attrs
	for _, na := range op.Attrs {
		if info.Attr(na.Name) != nil {
			inherent = append(inherent, na)
		} else {
			other = append(other, na)
		}
	}
	if len(inherent) > 0 {
		p.put(" <")
		p.dict(inherent, info)
		p.put(">")
	}
	if len(op.Regions) > 0 {
		p.put(" (")
		p.list(len(op.Regions), func(i int) { p.region(op.Regions[i]) })
		p.put(")")
	}
	p.spacedDict(withShardings(other, op), nil)
	p.put(" : ")
	p.functionType(op)
}

// region prints { ^bb0(arguments): ops }.
func (p *printer) region(b *Block) {
	p.braces(func() {
		if len(b.Args) > 0 {
			p.indent--
			p.newline()
			p.indent++
			p.put("^bb0(")
			p.blockArgs(b.Args)
			p.put("):")
		}
		p.ops(b)
	})
}

func (p *printer) blockArgs(args []*Value) {
	p.list(len(args), func(i int) {
		p.put(p.ref(args[i]), ": ", args[i].Type.String())
		p.argLocation(args[i])
	})
}

// functionType prints (operand types) -> result types.
func (p *printer) functionType(op *Op) {
	p.put("(")
	p.types(op.Operands)
	p.put(") -> ")
	p.resultTypes(len(op.Results), func(i int) Type { return op.Results[i].Type })
}

func (p *printer) types(values []*Value) {
	p.list(len(values), func(i int) { p.put(values[i].Type.String()) })
}

// resultTypes prints the types in parentheses unless there is just one.
func (p *printer) resultTypes(n int, at func(int) Type) {
	if n == 1 {
		p.put(at(0).String())
		return
	}
	p.put("(")
	p.list(n, func(i int) { p.put(at(i).String()) })
	p.put(")")
}

// location prints loc("path"("file":line:0)), or what of it is known.
func (p *printer) location(l Location) {
	if !p.Locations || l.IsZero() {
		return
	}
	p.put(" loc(")
	if l.Path != "" {
		p.put(quote(l.Path))
	}
	if l.File != "" {
		if l.Path != "" {
			p.put("(")
		}
		p.put(quote(l.File), ":", strconv.Itoa(l.Line), ":0")
		if l.Path != "" {
			p.put(")")
		}
	}
	p.put(")")
}

func (p *printer) argLocation(v *Value) { p.location(Location{Path: v.Name}) }
