package ir

// This file prints ops, regions, the names of values, and locations. It also prints attributes.
// Generic ops have the long form, as in {a = 1 : i64}. Pretty ops have a short form without the
// type, except in dictionaries. If the parser could not read an attribute back from the short form,
// the op is printed in the generic form.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/layout"
)

// numberFunc names everything that is defined in the body of a function. A value that computes a
// value of main of the marked module (MarkOrigins) has the name of that value; if several compute
// the same one, only the first has its name. All other values get the numbers after these.
func (p *printer) numberFunc(body *Block) {
	if len(p.names) == 0 {
		p.names = make(map[*Value]valueName, len(body.Args)+body.Len())
	}
	p.number(body, p.keepNames(body))
}

// counters hold the next free numbers of %arg… and %….
type counters struct{ arg, value int }

// keepNames names all values that keep their name in the marked module, and returns the next free
// numbers. A region may use the names of other regions again.
func (p *printer) keepNames(b *Block) (next counters) {
	given := make(map[valueName]bool)
	var here []valueName // names that were given in the current block
	keep := func(values []*Value) {
		name, ok := keptName(values, given)
		if !ok {
			return
		}
		given[name] = true
		here = append(here, name)
		for i, v := range values {
			name.result = resultOf(values, i)
			p.names[v] = name
		}
		if name.arg {
			next.arg = max(next.arg, name.number+1)
		} else {
			next.value = max(next.value, name.number+1)
		}
	}
	var visit func(b *Block)
	visit = func(b *Block) {
		for i := range b.Args {
			keep(b.Args[i : i+1])
		}
		for op := range b.Ops() {
			keep(op.Results)
			for _, r := range op.Regions {
				outer := here
				here = nil
				visit(r)
				for _, name := range here {
					delete(given, name)
				}
				here = outer
			}
		}
	}
	visit(b)
	return next
}

// keptName returns the name that values have in main of the marked module. values are the results
// of an op, or one argument. ok is false if they were not the values of one op or argument there,
// if the name is in given, or if a value is nil, as in an invalid module.
func keptName(values []*Value, given map[valueName]bool) (name valueName, ok bool) {
	if len(values) == 0 || slices.Contains(values, nil) {
		return name, false
	}
	for _, o := range values[0].Origins {
		name := o.Of.name
		name.result = 0
		if o.Of.Func == "" && !given[name] && haveName(values, name) {
			return name, true
		}
	}
	return name, false
}

// haveName reports whether the values compute, one by one, the values with the given name in the
// marked module.
func haveName(values []*Value, name valueName) bool {
	for i, v := range values {
		name.result = resultOf(values, i)
		known := slices.ContainsFunc(v.Origins, func(o Origin) bool { return o.Of.Func == "" && o.Of.name == name })
		if !known || name.arg != v.IsArg() {
			return false
		}
	}
	return true
}

// resultOf returns the number of result i in a name: -1 if it is the only result.
func resultOf(values []*Value, i int) int {
	if len(values) == 1 {
		return -1
	}
	return i
}

// number names everything that is defined in b and its regions and has no name yet, with the
// numbers from c on. After a region the numbers continue as if the region were not there, as in
// MLIR's own printer: sibling regions share names.
func (p *printer) number(b *Block, c counters) {
	for _, v := range b.Args {
		if !p.keeps(v) {
			p.names[v] = valueName{arg: true, number: c.arg, result: -1}
			c.arg++
		}
	}
	for op := range b.Ops() {
		p.numberOp(op, &c)
	}
}

func (p *printer) numberOp(op *Op, c *counters) {
	if len(op.Results) > 0 && !p.keeps(op.Results[0]) {
		for i, v := range op.Results {
			p.names[v] = valueName{number: c.value, result: resultOf(op.Results, i)}
		}
		c.value++
	}
	for _, r := range op.Regions {
		p.number(r, *c)
	}
}

// keeps reports whether keepNames has named v.
func (p *printer) keeps(v *Value) bool {
	_, ok := p.names[v]
	return ok && v != nil && len(v.Origins) > 0
}

// ref returns the name of v. If v is not defined in the function, which only happens if the
// function is invalid, the name is %?.
func (p *printer) ref(v *Value) string {
	if n, ok := p.names[v]; ok {
		return n.String()
	}
	return "%?"
}

// putRef prints the name of v.
func (p *printer) putRef(v *Value) {
	if n, ok := p.names[v]; ok {
		p.buf = n.appendTo(p.buf)
	} else {
		p.put("%?")
	}
}

// String returns the name as it is printed.
func (n valueName) String() string { return string(n.appendTo(make([]byte, 0, 16))) }

func (n valueName) appendTo(b []byte) []byte {
	if n.arg {
		return strconv.AppendInt(append(b, "%arg"...), int64(n.number), 10)
	}
	b = strconv.AppendInt(append(b, '%'), int64(n.number), 10)
	if n.result < 0 {
		return b
	}
	return strconv.AppendInt(append(b, '#'), int64(n.result), 10)
}

func (p *printer) refs(values []*Value) {
	p.list(len(values), func(i int) { p.putRef(values[i]) })
}

func (p *printer) ops(b *Block) {
	for op := range b.Ops() {
		p.newline()
		p.op(op)
	}
}

// op prints one op. It prints the pretty form if there is one that can show all of the op.
func (p *printer) op(op *Op) {
	if n := len(op.Results); n > 0 {
		p.put("%")
		p.putInt(p.names[op.Results[0]].number)
		if n > 1 {
			p.put(":")
			p.putInt(n)
		}
		p.put(" = ")
	}
	if f := formatOf(op.Kind); !p.Generic && f != nil && f.fits(op) {
		name := f.name
		if op.block == nil || op.block.parent != nil {
			name = op.FullName() // short names are only for ops directly in a function
		}
		p.put(name)
		f.print(p, op)
	} else {
		p.genericOp(op)
	}
	p.location(op.Loc)
}

// genericOp prints op as "name"(operands) <{inherent}> ({regions}) {other} : type.
func (p *printer) genericOp(op *Op) {
	p.put(`"`, op.FullName(), `"(`)
	p.refs(op.Operands)
	p.put(")")
	info := op.Info()
	inherent, other := splitAttrs(op)
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

// splitAttrs returns the attributes that op's row in the table has, in the row's order, and the
// others. So the text does not depend on the order in which a pass or the parser set them.
func splitAttrs(op *Op) (inherent, other Attrs) {
	info := op.Info()
	for _, spec := range info.Attrs {
		if value := op.Attrs.Get(spec.Name); value != nil {
			inherent = append(inherent, NamedAttr{spec.Name, value})
		}
	}
	for _, na := range op.Attrs {
		if info.Attr(na.Name) == nil {
			other = append(other, na)
		}
	}
	return inherent, other
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
	p.list(len(values), func(i int) { p.putType(values[i].Type) })
}

// resultTypes prints the n types that at returns, in parentheses, or without them if there is only
// one.
func (p *printer) resultTypes(n int, at func(int) Type) {
	if n == 1 {
		p.putType(at(0))
		return
	}
	p.put("(")
	p.list(n, func(i int) { p.putType(at(i)) })
	p.put(")")
}

// location prints a space and loc("path"("file":line:0)), or the known parts of it; nothing if l is
// zero, or if p does not print locations.
func (p *printer) location(l Location) {
	if p.Locations {
		p.putLocation(l)
	}
}

func (p *printer) argLocation(v *Value) {
	if p.Locations || p.Names {
		p.putLocation(Location{Path: v.Name})
	}
}

func (p *printer) putLocation(l Location) {
	if l.IsZero() {
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

// dict prints {a = 1 : i64, b}. info is the definition of the op whose inherent attributes these
// are, or nil. It states the mnemonics.
func (p *printer) dict(attrs Attrs, info *OpInfo) {
	p.put("{")
	p.list(len(attrs), func(i int) {
		na := attrs[i]
		if isBareID(na.Name) {
			p.put(na.Name)
		} else {
			p.put(quote(na.Name))
		}
		if _, unit := na.Value.(Unit); unit {
			return
		}
		p.put(" = ")
		p.attr(na.Value, mnemonicOf(info, na.Name))
	})
	p.put("}")
}

// spacedDict prints a space and attrs as a dictionary, or nothing when there are none.
func (p *printer) spacedDict(attrs Attrs, info *OpInfo) {
	if len(attrs) > 0 {
		p.put(" ")
		p.dict(attrs, info)
	}
}

// mnemonic is what the long form of an attribute has besides its value: the dialect, and the name
// of an enumeration or of a kind of axis list.
type mnemonic struct{ dialect, name string }

// intEnums holds the enumerations that MLIR prints as i32, with their cases in the order of their
// values.
var intEnums = map[string][]string{
	"propagation_direction": {"NONE", "FORWARD", "BACKWARD", "BOTH"},
}

// mnemonicOf returns the mnemonic that the op table states for the attribute with that name of the
// op info. It is empty if the table states none, or info is nil.
func mnemonicOf(info *OpInfo, name string) mnemonic {
	if info == nil {
		return mnemonic{}
	}
	spec := info.Attr(name)
	if spec == nil || spec.Enum == "" {
		return mnemonic{}
	}
	dialect, _, _ := strings.Cut(info.Name, ".")
	return mnemonic{dialect, spec.Enum}
}

// caseText returns the long form of case c of an enumeration: #dialect<name c>, a number for one of
// intEnums, and a string for an empty m.
func (m mnemonic) caseText(c string) string {
	if i := slices.Index(intEnums[m.name], c); i >= 0 {
		return strconv.Itoa(i) + " : i32"
	}
	if m.name == "" {
		return quote(c)
	}
	return "#" + m.dialect + "<" + m.name + " " + c + ">"
}

// attr prints the long form of a. m names the enumeration if a is an Enum.
func (p *printer) attr(a Attr, m mnemonic) {
	switch a := a.(type) {
	case Unit:
		p.put("unit")
	case Bool:
		p.put(strconv.FormatBool(bool(a)))
	case Int:
		p.putInt(int(a))
		p.put(" : i64")
	case Int32:
		p.putInt(int(a))
		p.put(" : i32")
	case Float:
		p.put(float32Format.text(uint64(math.Float32bits(float32(a)))), " : f32")
	case String:
		p.put(quote(string(a)))
	case Symbol:
		p.symbol(string(a))
	case Ints:
		p.put("array<i64")
		if len(a) > 0 {
			p.put(": ")
			p.list(len(a), func(i int) { p.putInt(a[i]) })
		}
		p.put(">")
	case Bools:
		p.put("array<i1")
		if len(a) > 0 {
			p.put(": ")
			p.list(len(a), func(i int) { p.put(strconv.FormatBool(a[i])) })
		}
		p.put(">")
	case Enum:
		p.put(m.caseText(string(a)))
	case Array:
		p.put("[")
		p.list(len(a), func(i int) { p.attr(a[i], m) })
		p.put("]")
	case Dict:
		p.dict(Attrs(a), nil)
	case TypeAttr:
		p.put(Type(a).String())
	case Raw:
		p.put(string(a))
	case *Dense:
		p.dense(a)
	case *DotDims, *GatherDims, *ScatterDims:
		p.put(dimsText(a))
	case *ConvDims:
		p.put("#stablehlo.conv<", a.text(), ">")
	case ChannelHandle:
		p.put(fmt.Sprintf("#stablehlo.channel_handle<handle = %d, type = %d>", a.Handle, a.Type))
	case ShardingAttr:
		p.put("#sdy.sharding")
		p.sharding(a.Sharding)
	case ShardingsAttr:
		p.put("#sdy.sharding_per_value<")
		p.shortAttr(a)
		p.put(">")
	case AxesAttr:
		name := cmp.Or(m.name, "axis_ref_list")
		p.put("#sdy<", name, "{", layout.AxesText(a), "}>")
	case AxesPerDimAttr:
		p.put("#sdy<list_of_axis_ref_lists")
		p.shortAttr(a)
		p.put(">")
	default:
		panic(fmt.Sprintf("BUG: no text for attribute type %T", a))
	}
}

// shortAttr prints a in the short form that pretty ops use, without type and mnemonic.
func (p *printer) shortAttr(a Attr) {
	switch a := a.(type) {
	case Raw:
		p.put(shortRaw(string(a)))
	case Int:
		p.putInt(int(a))
	case Int32:
		p.putInt(int(a))
	case Ints:
		p.put(intsText(a))
	case Bools:
		p.put("[")
		p.list(len(a), func(i int) { p.put(strconv.FormatBool(a[i])) })
		p.put("]")
	case Enum:
		p.put(string(a))
	case Array:
		p.put("[")
		p.list(len(a), func(i int) { p.shortAttr(a[i]) })
		p.put("]")
	case *ConvDims:
		p.put(a.text())
	case ShardingAttr:
		p.sharding(a.Sharding)
	case ShardingsAttr:
		p.put("[")
		p.list(len(a), func(i int) { p.sharding(a[i]) })
		p.put("]")
	case AxesAttr:
		p.put("{", layout.AxesText(a), "}")
	case AxesPerDimAttr:
		p.put("[")
		p.list(len(a), func(i int) { p.put("{", layout.AxesText(a[i]), "}") })
		p.put("]")
	default:
		p.attr(a, mnemonic{})
	}
}

// shortRaw returns text without the dialect and the mnemonic: <…> of #stablehlo.name<…>, and […] of
// #sdy<name[…]>.
func shortRaw(text string) string {
	name, content, ok := strings.Cut(text, "<")
	if !ok || strings.Contains(name, ".") {
		return text[len(name):]
	}
	open := strings.IndexByte(content, '[')
	return strings.TrimSuffix(content[max(open, 0):], ">")
}

// symbol prints @name, with quotes if the name needs them.
func (p *printer) symbol(name string) {
	if isBareID(name) {
		p.put("@", name)
	} else {
		p.put("@", quote(name))
	}
}

// intsText returns [1, 2].
func intsText(a []int) string {
	b := []byte{'['}
	for i, n := range a {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return string(append(b, ']'))
}

// isBareID reports whether MLIR reads s as an identifier without quotes.
func isBareID(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isIDStart(c) && (i == 0 || !isIDRest(c)) {
			return false
		}
	}
	return s != ""
}

func isIDStart(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

func isIDRest(c byte) bool {
	return isIDStart(c) || c >= '0' && c <= '9' || c == '.' || c == '$'
}

// quote returns s as an MLIR string. A quote, and bytes that are not printable ASCII, are written
// as a backslash and two hexadecimal digits; a backslash is doubled.
func quote(s string) string {
	b := make([]byte, 0, len(s)+2)
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c < 0x20 || c > 0x7e:
			b = append(b, '\\', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
		case c == '\\':
			b = append(b, `\\`...)
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}

// shows reports whether the short form of a can be read back as an attribute of this spec.
func (s *AttrSpec) shows(a Attr) bool {
	if list, ok := a.(Array); ok && s.Enum != "" {
		return !slices.ContainsFunc(list, func(e Attr) bool { _, ok := e.(Enum); return !ok })
	}
	return attrKinds[s.Kind].is(a)
}
