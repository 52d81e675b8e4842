package ir

// This file parses attributes: dictionaries, the long form of an attribute, which states its kind
// itself, and the short form in pretty ops, whose kind the op table states.

import (
	"strings"
)

// dict reads {a = 1 : i64, b}, and returns the entries in the order of the text; one without a
// value is a Unit. info is the definition of the op whose inherent attributes may be in it, which
// get the kinds that it states; it may be nil. A name that occurs twice is a syntax error.
func (p *parser) dict(info *OpInfo) Attrs {
	return p.dictWith(info, func(string) bool { return false })
}

// dictWith is dict, with a function for some entries. own gets the name of each entry that has a
// value. It either reads the value itself and returns true, so that the entry is not in attrs, or
// reads nothing and returns false.
func (p *parser) dictWith(info *OpInfo, own func(name string) bool) (attrs Attrs) {
	p.enter()
	p.expect("{")
	var names map[string]bool // the names in attrs, if there are many
	isRepeated := func(name string) bool {
		if len(attrs) < manyAttrs {
			return attrs.Get(name) != nil
		}
		if names == nil {
			names = map[string]bool{}
			for _, na := range attrs {
				names[na.Name] = true
			}
		}
		before := len(names)
		names[name] = true
		return len(names) == before
	}
	p.commaList("}", func() {
		at, name := p.tok.start, ""
		switch p.tok.kind {
		case tokString:
			name = p.unquote(p.take(tokString, ""))
		default:
			name = p.take(tokID, "the name of an attribute")
		}
		if isRepeated(name) {
			p.failf(at, "got attribute %s twice, want it once", name)
		}
		if !p.accept("=") {
			attrs = append(attrs, NamedAttr{name, p.conform(info, name, Unit{}, at)})
			return
		}
		if own(name) {
			return
		}
		at = p.tok.start
		a := p.attr(mnemonicOf(info, name))
		attrs = append(attrs, NamedAttr{name, p.conform(info, name, a, at)})
	})
	p.leave()
	return attrs
}

// A dictionary with at least manyAttrs attributes looks their names up in a map.
const manyAttrs = 32

// sortByTable returns attrs with the inherent ones first, in the order of info, the definition of
// their op; the others follow in their order. If info is nil, it returns attrs as they are.
func sortByTable(info *OpInfo, attrs Attrs) Attrs {
	if info == nil || len(info.Attrs) == 0 || len(attrs) < 2 {
		return attrs
	}
	out := make(Attrs, 0, len(attrs))
	for i := range info.Attrs {
		if a := attrs.Get(info.Attrs[i].Name); a != nil {
			out = append(out, NamedAttr{info.Attrs[i].Name, a})
		}
	}
	for _, na := range attrs {
		if info.Attr(na.Name) == nil {
			out = append(out, na)
		}
	}
	return out
}

// attrs reads a dictionary and adds its entries to the attributes of d.
func (p *parser) attrs(d *draft) {
	at := p.tok.start
	for _, na := range p.dict(d.Info()) {
		p.setAttr(d, at, na.Name, na.Value)
	}
}

func (p *parser) setAttr(d *draft, at int, name string, a Attr) {
	if d.Attrs.Get(name) != nil {
		p.failf(at, "got attribute %s of %s twice, want it once", name, d.FullName())
	}
	d.Attrs = append(d.Attrs, NamedAttr{name, a})
}

// conform converts a, the attribute with the given name in the text, to the kind that the op table
// states. It handles older spellings of lists, enumerations that are numbers, and attributes that
// ir keeps as text. Another kind is a syntax error at the offset at. Attributes that the definition
// info does not have, or all if info is nil, stay as they are.
func (p *parser) conform(info *OpInfo, name string, a Attr, at int) Attr {
	if info == nil {
		return a
	}
	spec := info.Attr(name)
	if spec == nil {
		return a
	}
	switch spec.Kind {
	case KindRaw:
		if _, ok := a.(Raw); !ok {
			return Raw(attrText(a))
		}
	case KindInts:
		if d, ok := a.(*Dense); ok && denseInts(d) != nil {
			return denseInts(d)
		}
	case KindBools:
		if d, ok := a.(*Dense); ok && denseBools(d) != nil {
			return denseBools(d)
		}
	case KindEnum:
		cases := intEnums[spec.Enum]
		if n, ok := a.(Int32); ok && int(n) >= 0 && int(n) < len(cases) {
			return Enum(cases[n])
		}
	case KindIntMatrix:
		if d, ok := a.(*Dense); ok && (len(d.Type.Dims) != 2 || DTypeText(d.Type.DType) != "i64") {
			p.failf(at, "got attribute %s of %s with type %s, want a matrix tensor<…x…xi64>", name, info.Name, d.Type)
		}
	}
	if !attrKinds[spec.Kind].is(a) {
		p.failf(at, "got attribute %s = %s of %s, want %s", name, attrText(a), info.Name, spec.Kind)
	}
	return a
}

// attrText returns the long form of a. Messages and Raw use it.
func attrText(a Attr) string {
	p := newPrinter(nil, PrintOptions{})
	p.attr(a, mnemonic{})
	return string(p.buf)
}

// attr reads an attribute in long form. It reads #stablehlo<name CASE> as an Enum if m has that
// name. What it does not know becomes a Raw.
func (p *parser) attr(m mnemonic) Attr {
	p.enter()
	defer p.leave()
	switch p.tok.kind {
	case tokString:
		return String(p.unquote(p.take(tokString, "")))
	case tokInt, tokFloat:
		return p.number()
	case tokSymbol:
		return p.symbolAttr()
	case tokHash:
		return p.hashAttr(m)
	case tokID:
		if read, ok := wordAttrs[p.text()]; ok {
			return read(p)
		}
	case tokBang:
		if p.isAt("!stablehlo.token") || !strings.Contains(p.text(), ".") {
			return TypeAttr(p.typ())
		}
	case tokPunct:
		switch p.text() {
		case "-":
			return p.number()
		case "[":
			p.next()
			list := Array{}
			p.commaList("]", func() { list = append(list, p.attr(m)) })
			return list
		case "{":
			return Dict(p.dict(nil))
		case "(":
			return p.rawAttr(p.tok.start)
		}
		p.failUnexpected("an attribute")
	case tokEOF, tokCaret, tokValue:
		p.failUnexpected("an attribute")
	}
	return p.rawAttr(p.tok.start)
}

// wordAttrs maps words that begin an attribute, such as dense, to their parsers. It is filled by
// init.
var wordAttrs map[string]func(*parser) Attr

func init() {
	wordAttrs = map[string]func(*parser) Attr{
		"true":   func(p *parser) Attr { p.next(); return Bool(true) },
		"false":  func(p *parser) Attr { p.next(); return Bool(false) },
		"unit":   func(p *parser) Attr { p.next(); return Unit{} },
		"dense":  (*parser).denseAttr,
		"array":  (*parser).arrayAttr,
		"tensor": func(p *parser) Attr { return TypeAttr(p.typ()) },
	}
}

// rawAttr returns the text from start to the end of the attribute as a Raw.
func (p *parser) rawAttr(start int) Attr {
	end := p.rawEnd(start, ",)]}>\n")
	p.seek(end)
	text := strings.TrimSpace(p.src[start:end])
	if text == "" {
		p.failf(start, "got no attribute, want one")
	}
	return Raw(text)
}

// rawEnd returns the offset of the first stop character from i on, outside of brackets and strings.
// If stop has the end of a line, the end of the text counts too.
func (p *parser) rawEnd(i int, stop string) int {
	const open, close = "([{<", ")]}>"
	var nested []byte
	for ; i < len(p.src); i++ {
		c := p.src[i]
		switch {
		case c == '"':
			i = p.scanString(i) - 1
		case c == '-' && strings.HasPrefix(p.src[i:], "->"):
			i++
		case len(nested) == 0 && strings.IndexByte(stop, c) >= 0:
			return i
		case strings.IndexByte(open, c) >= 0:
			nested = append(nested, close[strings.IndexByte(open, c)])
		case strings.IndexByte(close, c) >= 0:
			if len(nested) == 0 || nested[len(nested)-1] != c {
				p.failf(i, "got `%c` without the bracket that it closes", c)
			}
			nested = nested[:len(nested)-1]
		}
	}
	if len(nested) > 0 {
		stop = string(nested[len(nested)-1])
	}
	if !strings.Contains(stop, "\n") {
		p.failf(len(p.src), "got the end of the text, want `%s`", stop)
	}
	return i
}

// number reads 3 : i64, 1.5 : f32, 0x7F800000 : f32, or the like. Without a type an integer is i64,
// and a number with a point f64. Types other than i32, i64 and f32 give a Raw.
func (p *parser) number() Attr {
	start := p.tok.start
	negative := p.accept("-")
	at, kind, text := p.tok.start, p.tok.kind, p.text()
	if kind != tokInt && kind != tokFloat {
		p.failUnexpected("a number")
	}
	p.next()
	typ := "i64"
	if kind == tokFloat {
		typ = "f64"
	}
	end := at + len(text)
	if p.isAt(":") {
		p.next()
		end = p.tok.end
		if typ = p.take(tokID, "a type such as i64 or f32"); typ == "tensor" || typ == "vector" {
			p.failf(at, "got a number with a tensor type, want dense<…> : tensor<…>")
		}
	}
	if typ == "f32" {
		return Float(p.float32(at, text, negative))
	}
	if kind == tokInt && (typ == "i64" || typ == "i32") {
		bits := map[string]int{"i64": 64, "i32": 32}[typ]
		n, err := parseUint(text)
		limit := uint64(1) << (bits - 1)
		switch {
		case err != nil || n > limit || n == limit && !negative:
			p.failf(at, "got %s, want an integer of %d bits", text, bits)
		case negative:
			n = -n
		}
		if bits == 32 {
			return Int32(int32(n))
		}
		return Int(int(n))
	}
	return Raw(strings.Join(strings.Fields(p.src[start:end]), " "))
}

// symbolAttr reads @name. It keeps a nested @a::@b as text.
func (p *parser) symbolAttr() Attr {
	start, end := p.tok.start, p.tok.end
	name := p.symbol("a symbol")
	if !p.isAt("::") {
		return Symbol(name)
	}
	for p.accept("::") {
		end = p.tok.end
		p.symbol("a symbol")
	}
	return Raw(p.src[start:end])
}

// symbol reads @name or @"name" and returns the name. want names what is missing in the error for
// another token.
func (p *parser) symbol(want string) string {
	at, text := p.tok.start, p.take(tokSymbol, want)
	name := text[1:]
	if strings.HasPrefix(name, `"`) {
		name = p.unquote(name)
	}
	if name == "" {
		p.failf(at, "got `@` without a name, want %s", want)
	}
	return name
}

// arrayAttr reads array<i64: 1, 2> and array<i1: true>. It keeps other arrays as text.
func (p *parser) arrayAttr() Attr {
	start := p.tok.start
	p.next()
	p.expect("<")
	switch {
	case p.accept("i64"):
		list := Ints{}
		p.arrayElements(func() { list = append(list, p.int()) })
		return list
	case p.accept("i1"):
		list := Bools{}
		p.arrayElements(func() { list = append(list, p.bool()) })
		return list
	default:
		return p.rawAttr(start)
	}
}

func (p *parser) arrayElements(item func()) {
	if p.accept(":") {
		p.commaList(">", item)
	} else {
		p.expect(">")
	}
}

func (p *parser) bool() bool {
	switch {
	case p.accept("true") || p.accept("1"):
		return true
	case p.accept("false") || p.accept("0"):
		return false
	}
	p.failUnexpected("`true` or `false`")
	return false
}

// hashAttr reads an attribute that begins with #: one of a dialect, or an alias, whose definition
// it reads in its place. m is as in attr. One that ir does not know becomes a Raw.
func (p *parser) hashAttr(m mnemonic) (a Attr) {
	start, name := p.tok.start, p.text()
	if read, ok := hashAttrs[name]; ok {
		p.next()
		p.expect("<")
		a = read(p)
		p.expect(">")
		return a
	}
	if m.name != "" && name == "#"+m.dialect {
		if c, ok := p.enumCase(m); ok {
			return c
		}
	}
	if name == "#sdy" {
		if a := p.sdyAttr(); a != nil {
			return a
		}
	}
	if !strings.Contains(name, ".") && !strings.HasPrefix(p.src[p.tok.end:], "<") {
		p.readThroughAlias(func() { a = p.attr(m) })
		return a
	}
	return p.rawAttr(start)
}

// enumCase reads #stablehlo<name CASE> if m has that name, and returns the case. Otherwise ok is
// false, and it reads nothing.
func (p *parser) enumCase(m mnemonic) (c Enum, ok bool) {
	start := p.tok
	p.next()
	if p.accept("<") && p.accept(m.name) && p.tok.kind == tokID {
		c = Enum(p.take(tokID, ""))
		p.expect(">")
		return c, true
	}
	p.tok = start
	return "", false
}

// hashAttrs holds the parsers of the dialect attributes that ir understands, by the text before the
// `<`. They read up to the `>`.
var hashAttrs map[string]func(*parser) Attr

func init() {
	hashAttrs = map[string]func(*parser) Attr{
		"#stablehlo.dot":            func(p *parser) Attr { return p.dims(&DotDims{}) },
		"#stablehlo.gather":         func(p *parser) Attr { return p.dims(&GatherDims{}) },
		"#stablehlo.scatter":        func(p *parser) Attr { return p.dims(&ScatterDims{}) },
		"#stablehlo.conv":           (*parser).convDims,
		"#stablehlo.channel_handle": (*parser).channelHandle,
		"#sdy.sharding":             func(p *parser) Attr { return ShardingAttr{p.shardingBody()} },
		"#sdy.sharding_per_value":   (*parser).shardings,
	}
}

// channelHandle reads handle = 1, type = 0 and returns it as a ChannelHandle. Other fields are
// errors.
func (p *parser) channelHandle() Attr {
	c := ChannelHandle{}
	for first := true; first || p.accept(","); first = false {
		field := &c.Handle
		if p.isAt("type") {
			field = &c.Type
		} else if !p.isAt("handle") {
			p.failUnexpected("`handle` or `type`")
		}
		p.next()
		p.expect("=")
		*field = p.int()
	}
	return c
}

// shortAttr reads an attribute of the op info, which spec describes, in the short form that pretty
// ops use.
func (p *parser) shortAttr(info *OpInfo, spec *AttrSpec) Attr {
	if read, ok := shortAttrs[spec.Kind]; ok {
		return read(p, mnemonicOf(info, spec.Name))
	}
	return p.attr(mnemonicOf(info, spec.Name))
}

// shortAttrs maps the kinds of attributes whose short form differs from the long form to the
// parsers of the short form. It is filled by init.
var shortAttrs map[AttrKind]func(*parser, mnemonic) Attr

func init() {
	shortAttrs = map[AttrKind]func(*parser, mnemonic) Attr{
		KindInt:        func(p *parser, _ mnemonic) Attr { return Int(p.int()) },
		KindInts:       func(p *parser, _ mnemonic) Attr { return p.ints() },
		KindBool:       func(p *parser, _ mnemonic) Attr { return Bool(p.bool()) },
		KindEnum:       func(p *parser, _ mnemonic) Attr { return p.caseName() },
		KindConv:       func(p *parser, _ mnemonic) Attr { return p.convDims() },
		KindSharding:   func(p *parser, _ mnemonic) Attr { return ShardingAttr{p.sharding()} },
		KindShardings:  func(p *parser, _ mnemonic) Attr { return p.shardings() },
		KindAxes:       func(p *parser, _ mnemonic) Attr { return AxesAttr(p.axes()) },
		KindAxesPerDim: func(p *parser, _ mnemonic) Attr { return p.axesPerDim() },
		KindRaw:        (*parser).shortRaw,
		KindArray: func(p *parser, _ mnemonic) Attr {
			list := Array{}
			p.expect("[")
			p.commaList("]", func() { list = append(list, p.caseName()) })
			return list
		},
	}
}

func (p *parser) caseName() Enum { return Enum(p.take(tokID, "a case's name, such as DEFAULT")) }

// shortRaw reads <…> or […], and returns the long form as a Raw: with the dialect and the name of m
// in front. Anything else is a syntax error.
func (p *parser) shortRaw(m mnemonic) Attr {
	start, close := p.tok.start, map[string]string{"<": ">", "[": "]"}[p.text()]
	if close == "" {
		p.failUnexpected("`<` or `[`")
	}
	end := p.rawEnd(p.tok.end, close) + 1
	p.seek(end)
	text := p.src[start:end]
	if text[0] == '<' {
		return Raw("#" + m.dialect + "." + m.name + text)
	}
	return Raw("#" + m.dialect + "<" + m.name + text + ">")
}

// ints reads [1, 2].
func (p *parser) ints() Ints {
	list := Ints{}
	p.expect("[")
	p.commaList("]", func() { list = append(list, p.int()) })
	return list
}
