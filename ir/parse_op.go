package ir

// This file parses ops, regions, values and types.

import (
	"strconv"
	"strings"
)

// draft is an op that is being read.
type draft struct {
	*Op
	at int // offset of the op's name
}

// resultName is one result of an op in the text, on the left of the =: %0 or %0:2.
type resultName struct {
	name      string
	at, count int
}

// op reads an op with the names of its results and its location, and returns it. Names for more or
// fewer results than it has are an error.
func (p *parser) op() *Op {
	var names []resultName
	if p.tok.kind == tokValue {
		for first := true; first || p.accept(","); first = false {
			r := resultName{at: p.tok.start, count: 1}
			r.name = p.take(tokValue, "the name of a result")
			if p.accept(":") {
				if r.count = p.int(); r.count < 1 {
					p.failf(r.at, "got %s:%d, want a number of results of 1 or more", r.name, r.count)
				}
			}
			names = append(names, r)
		}
		p.expect("=")
	}
	d := &draft{&Op{}, p.tok.start}
	d.Operands = d.operandRoom[:0]
	switch p.tok.kind {
	case tokString:
		p.genericOp(d)
	case tokID:
		p.prettyOp(d)
	default:
		p.failUnexpected(`an op such as stablehlo.add or "stablehlo.add"`)
	}
	d.Attrs = sortByTable(d.Info(), d.Attrs)
	p.takeShardings(d)
	d.Loc, d.Pos = p.location(), p.position(d.at)
	total := 0
	for _, r := range names {
		if total+r.count <= len(d.Results) {
			p.define(r.at, r.name, d.Results[total:total+r.count])
		}
		total += r.count
	}
	if len(names) > 0 && total != len(d.Results) {
		p.failf(names[0].at, "got names for %d results, want %d: as many as the types of %s say", total, len(d.Results), d.FullName())
	}
	return d.Op
}

// genericOp reads "name"(operands) <{…}> ({regions}) {…} : (types) -> types into d. An op that the
// table lacks is unregistered.
func (p *parser) genericOp(d *draft) {
	name := p.unquote(p.take(tokString, ""))
	if d.Kind = KindByName(name); d.Kind == OpUnregistered {
		if !strings.Contains(name, ".") {
			p.failf(d.at, "got the op name %q, want one with its dialect, such as \"stablehlo.add\"", name)
		}
		d.Name = name
	}
	info := d.Info()
	p.operandsInParens(d)
	if p.isAt("[") {
		p.failUnexpected("no successors: only ops with regions are supported, not branches")
	}
	if p.accept("<") {
		d.Attrs = p.dict(info)
		p.expect(">")
	}
	if p.accept("(") {
		p.commaList(")", func() {
			p.region(d.newRegion())
		})
	}
	if p.isAt("{") {
		p.attrs(d)
	}
	p.expect(":")
	p.typesOf(d)
}

// prettyOp reads an op in pretty form, as the template of its kind says, into d. A name without a
// template is an error.
func (p *parser) prettyOp(d *draft) {
	name := p.text()
	switch name {
	case "return", "call":
		name = "func." + name
	}
	d.Kind = KindByName(name)
	f := formatOf(d.Kind)
	if f == nil {
		if d.Kind == OpUnregistered {
			p.failf(d.at, "got %s, which is not in the op table: want a known op, or the generic form \"%s\"(…) : (…) -> …", name, name)
		}
		p.failf(d.at, "got %s, which has no pretty form: want the generic form \"%s\"(…) : (…) -> …", name, name)
	}
	p.next()
	f.parse(p, d, f.pieces)
}

// region reads { ^bb0(arguments): ops } into b. Its arguments may have names already. At the end of
// the region the names defined in it go out of scope.
func (p *parser) region(b *Block) {
	p.enter()
	outer := len(p.defined)
	p.expect("{")
	if p.tok.kind == tokCaret {
		p.next()
		if p.accept("(") {
			p.commaList(")", func() { p.blockArg(b) })
		}
		p.expect(":")
	}
	for !p.accept("}") {
		if p.tok.kind == tokCaret {
			p.failUnexpected("the end of the region: only one block is supported")
		}
		b.Append(p.op())
	}
	p.forget(outer)
	p.leave()
}

// blockArg reads %name: type with its location, and adds it to b as an argument that the text calls
// by that name. The location's path becomes the Name of a function's parameter.
func (p *parser) blockArg(b *Block) {
	at, name := p.tok.start, p.take(tokValue, "an argument such as %arg0")
	p.expect(":")
	v := b.AddArg(p.typ())
	p.define(at, name, []*Value{v})
	if l := p.location(); b.parent == nil {
		v.Name = l.Path
	}
}

// define brings a name, which stands for the values, into scope. A name that is in scope already is
// a syntax error at offset at.
func (p *parser) define(at int, name string, values []*Value) {
	if _, taken := p.scope[name]; taken {
		p.failf(at, "got a second definition of %s, want another name", name)
	}
	p.scope[name] = values
	p.defined = append(p.defined, name)
}

// forget removes the names from the scope that were defined after the first n.
func (p *parser) forget(n int) {
	for _, name := range p.defined[n:] {
		delete(p.scope, name)
	}
	p.defined = p.defined[:n]
}

// value reads %0 or %0#1.
func (p *parser) value() *Value {
	at, name := p.tok.start, p.take(tokValue, "a value such as %0")
	base, index, indexed := strings.Cut(name, "#")
	values, ok := p.scope[base]
	if !ok {
		p.failf(at, "got %s, which is not defined here: want an argument or the result of an op above", base)
	}
	i := 0
	if indexed {
		var err error
		if i, err = strconv.Atoi(index); err != nil || i >= len(values) {
			p.failf(at, "got %s, but %s names %d values: want an index below that", name, base, len(values))
		}
	}
	return values[i]
}

// commaList calls item to read each item of a list, whose items are separated by commas, up to the
// token close, and skips that token. The list may be empty. Anything else between items is a syntax
// error.
func (p *parser) commaList(close string, item func()) {
	if p.accept(close) {
		return
	}
	for {
		item()
		if p.accept(close) {
			return
		}
		if !p.accept(",") {
			p.failUnexpected("`,` or `" + close + "`")
		}
	}
}

func (p *parser) operand(d *draft) { d.Operands = append(d.Operands, p.value()) }

func (p *parser) operandsInParens(d *draft) {
	p.expect("(")
	p.commaList(")", func() { p.operand(d) })
}

// results adds results of these types to d.
func (p *parser) results(d *draft, types ...Type) {
	for _, t := range types {
		d.AddResult(t)
	}
}

// operandTypes checks that the operands of d have the types that the text states. Other types, or
// another number of them, are a syntax error at the offset at.
func (p *parser) operandTypes(d *draft, at int, types ...Type) {
	if len(types) != len(d.Operands) {
		p.failf(at, "got %d operand types for the %d operands of %s, want as many", len(types), len(d.Operands), d.FullName())
	}
	for i, t := range types {
		if got := d.Operands[i].Type; !got.Equal(t) {
			p.failf(at, "got type %s for operand %d of %s, want %s as where the operand is defined", t, i, d.FullName(), got)
		}
	}
}

// checkOperandTypes ends parsing with an error at the offset at, unless all operands of d are of
// type t.
func (p *parser) checkOperandTypes(d *draft, at int, t Type) {
	types := make([]Type, len(d.Operands))
	for i := range types {
		types[i] = t
	}
	p.operandTypes(d, at, types...)
}

// typesOf reads (operand types) -> result types. It adds the results to d, and checks that the
// operands of d have the types (operandTypes).
func (p *parser) typesOf(d *draft) {
	at := p.tok.start
	in, out := p.functionType()
	p.operandTypes(d, at, in...)
	p.results(d, out...)
}

// functionType reads (types) -> type or (types) -> (types), and returns the types of parameters and
// results.
func (p *parser) functionType() (in, out []Type) {
	p.expect("(")
	in = p.typeList(")")
	p.expect("->")
	return in, p.resultTypes()
}

func (p *parser) resultTypes() []Type {
	if p.accept("(") {
		return p.typeList(")")
	}
	return []Type{p.typ()}
}

// typeList reads types between commas up to the token close, which it skips, and returns them;
// there may be none.
func (p *parser) typeList(close string) (types []Type) {
	p.commaList(close, func() { types = append(types, p.typ()) })
	return types
}

// types reads one or more types, between commas, and returns them in order.
func (p *parser) types() (types []Type) {
	for first := true; first || p.accept(","); first = false {
		types = append(types, p.typ())
	}
	return types
}

// typ reads a type.
func (p *parser) typ() (t Type) {
	switch {
	case p.isAt("tensor"):
		return p.tensor()
	case p.isAt("!stablehlo.token"):
		p.next()
		return Token
	case p.tok.kind == tokBang && !strings.Contains(p.text(), "."):
		p.readThroughAlias(func() { t = p.typ() })
		return t
	}
	p.failUnexpected("a type: tensor<…> or !stablehlo.token (tuples, memrefs and other types are not supported)")
	return t
}

// tensor reads tensor<4x8xf32> and returns the type. Its dimensions and element type are not
// separate tokens, so they are read from the text itself. Dynamic dimensions, more than MaxElements
// elements, unknown element types and encodings are errors.
func (p *parser) tensor() Type {
	i := p.tok.end
	if !strings.HasPrefix(p.src[i:], "<") {
		p.failf(i, "got a tensor type without dimensions and element type, want tensor<…>")
	}
	i++
	var t Type
	size := 1
	for i < len(p.src) && !isIDStart(p.src[i]) {
		end := scanDigits(p.src, i)
		dim := p.src[i:end]
		n, err := strconv.Atoi(dim)
		switch {
		case strings.HasPrefix(p.src[i:], "?"):
			p.failf(i, "got a dynamic dimension `?`, want a number: only static shapes are supported, refine the program's shapes first")
		case strings.HasPrefix(p.src[i:], "*"):
			p.failf(i, "got an unranked tensor, want its dimensions: only static shapes are supported")
		case dim == "":
			p.failf(i, "got %q in a tensor type, want a dimension or an element type", p.src[i])
		case err != nil || n > 0 && size > MaxElements/n:
			p.failf(i, "got the dimension %s, want a tensor of at most 2^56 elements", dim)
		case !strings.HasPrefix(p.src[end:], "x"):
			p.failf(end, "got a dimension %s without `x` behind it, want one between dimensions and element type", dim)
		}
		t.Dims = append(t.Dims, n)
		size *= max(n, 1)
		i = end + 1
	}
	end := scanID(p.src, i)
	if p.src[i:end] == "complex" {
		if n := strings.IndexByte(p.src[end:], '>'); n >= 0 {
			end += n + 1
		}
	}
	var ok bool
	if t.DType, ok = DTypeFromText(p.src[i:end]); !ok {
		text := p.src[i:end]
		if strings.HasPrefix(p.src[i:], "!") {
			text = p.src[i:scanID(p.src, i+1)]
		}
		p.failf(i, "got the element type `%s`, want one of %s", text, strings.Join(dtypeNames(), ", "))
	}
	p.seek(end)
	if p.isAt(",") {
		p.failUnexpected("`>`: tensor types with an encoding (bounds, sparsity) are not supported")
	}
	p.expect(">")
	return t
}

func dtypeNames() []string {
	names := make([]string, len(dtypeTexts))
	for i, e := range dtypeTexts {
		names[i] = e.text
	}
	return names
}

// takeShardings moves sdy.sharding from the attributes to the results. If the op has no results, it
// leaves the attribute. Anything but a list with one sharding for each result is a syntax error.
func (p *parser) takeShardings(d *draft) {
	a := d.Attrs.Get(shardingName)
	if a == nil {
		return
	}
	list, ok := a.(ShardingsAttr)
	if ok && len(d.Results) == 0 {
		return // an op without results keeps it
	}
	if !ok || len(list) != len(d.Results) {
		p.failf(d.at, "got a sdy.sharding on %s that is no list of %d shardings, want #sdy.sharding_per_value<[<@mesh, […]>]> with one for each result",
			d.FullName(), len(d.Results))
	}
	for i, s := range list {
		d.Results[i].Sharding = s
	}
	d.Attrs = nilIfEmpty(d.Attrs.Without(shardingName))
}
