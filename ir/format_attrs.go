package ir

// This file holds two kinds of hooks of pretty forms: those that show operands and types, and those
// that show attributes in a form of their own.

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/gomlx/compute/dtypes"
)

func printArgs(p *printer, op *Op) {
	p.put("(")
	p.refs(op.Operands)
	p.put(")")
}

func fitsOperands(op *Op) bool { return len(op.Operands) > 0 }

func printOperands(p *printer, op *Op) { p.refs(op.Operands) }

func parseOperands(p *parser, d *draft) {
	if p.isAt(":") {
		return
	}
	p.operand(d)
	for p.tok.kind == tokPunct && p.isAt(",") && p.valueFollows() {
		p.next()
		p.operand(d)
	}
}

func printAttrs(p *printer, op *Op) { p.spacedDict(formatOf(op.Kind).rest(op), op.Info()) }

func parseAttrs(p *parser, d *draft) {
	if p.isAt("{") {
		p.attrs(d)
	}
}

func fitsArrow(op *Op) bool { return len(op.Operands) > 0 }

func printArrow(p *printer, op *Op) {
	p.types(op.Operands)
	p.put(" -> ")
	p.resultTypes(len(op.Results), func(i int) Type { return op.Results[i].Type })
}

func parseArrow(p *parser, d *draft) {
	at := p.tok.start
	p.operandTypes(d, at, p.types()...)
	p.expect("->")
	p.results(d, p.resultTypes()...)
}

func printSame(p *printer, op *Op) {
	p.typeOr(op, !hasResultType(op))
}

func parseSame(p *parser, d *draft) {
	p.typeOrFunction(d, func(at int) Type {
		t := p.typ()
		p.checkOperandTypes(d, at, t)
		return t
	})
}

// typeOr prints the whole function type of op if whole is true, and otherwise only the type of its
// one result.
func (p *printer) typeOr(op *Op, whole bool) {
	if whole {
		p.functionType(op)
	} else {
		p.putType(op.Results[0].Type)
	}
}

// typeOrFunction reads the types of d: a function type, or only the type of the result. In the
// second case it calls short, with the offset of the text, which reads the type of the result,
// returns it, and gives the operands theirs.
func (p *parser) typeOrFunction(d *draft, short func(at int) Type) {
	if p.isAt("(") {
		p.typesOf(d)
		return
	}
	p.results(d, short(p.tok.start))
}

func printComplex(p *printer, op *Op) {
	part, ok := partType(op.Results[0].Type)
	p.typeOr(op, !ok || slices.ContainsFunc(op.Operands, func(v *Value) bool { return !v.Type.Equal(part) }))
}

func parseComplex(p *parser, d *draft) {
	p.typeOrFunction(d, func(at int) Type {
		t := p.typ()
		part, ok := partType(t)
		if !ok {
			p.failf(at, "got the type %s, want a complex one", t)
		}
		p.checkOperandTypes(d, at, part)
		return t
	})
}

// partTypes maps complex element types to the type of their real and imaginary parts.
var partTypes = map[dtypes.DType]dtypes.DType{
	dtypes.Complex64:  dtypes.Float32,
	dtypes.Complex128: dtypes.Float64,
}

func partType(t Type) (part Type, ok bool) {
	d, ok := partTypes[t.DType]
	return t.WithDType(d), ok
}

func fitsSelect(op *Op) bool { return hasOneResult(op) && len(op.Operands) == 3 }

func printSelect(p *printer, op *Op) {
	t := op.Results[0].Type
	same := op.Operands[1].Type.Equal(t) && op.Operands[2].Type.Equal(t)
	if same {
		p.putType(op.Operands[0].Type)
		p.put(", ")
	}
	p.typeOr(op, !same)
}

func parseSelect(p *parser, d *draft) {
	p.typeOrFunction(d, func(at int) Type {
		pred := p.typ()
		p.expect(",")
		t := p.typ()
		p.operandTypes(d, at, pred, t, t)
		return t
	})
}

func printResult(p *printer, op *Op) { p.putType(op.Results[0].Type) }

func parseResult(p *parser, d *draft) {
	at, t := p.tok.start, p.typ()
	p.checkOperandTypes(d, at, t)
	p.results(d, t)
}

func fitsTypes(op *Op) bool {
	return slices.EqualFunc(op.Operands, op.Results, func(a, b *Value) bool { return a.Type.Equal(b.Type) })
}

func printTypes(p *printer, op *Op) { p.types(op.Operands) }

func parseTypes(p *parser, d *draft) {
	at, types := p.tok.start, p.types()
	p.operandTypes(d, at, types...)
	p.results(d, types...)
}

func fitsInputs(op *Op) bool { return len(op.Results) == 0 }

func printInputs(p *printer, op *Op) { p.types(op.Operands) }

func parseInputs(p *parser, d *draft) {
	at := p.tok.start
	p.operandTypes(d, at, p.types()...)
}

func printReturned(p *printer, op *Op) {
	p.spacedDict(formatOf(op.Kind).rest(op), op.Info())
	if len(op.Operands) > 0 {
		p.put(" ")
		p.refs(op.Operands)
		p.put(" : ")
		p.types(op.Operands)
	}
}

func parseReturned(p *parser, d *draft) {
	if p.isAt("{") {
		p.attrs(d)
	}
	if p.tok.kind == tokValue && !p.startsOp() {
		p.operand(d)
		for p.accept(",") {
			p.operand(d)
		}
		p.expect(":")
		at := p.tok.start
		p.operandTypes(d, at, p.types()...)
	}
}

func hasOneResult(op *Op) bool { return len(op.Results) == 1 }

// hasResultType reports whether op has one result, and all operands have its type.
func hasResultType(op *Op) bool {
	return hasOneResult(op) &&
		!slices.ContainsFunc(op.Operands, func(v *Value) bool { return !v.Type.Equal(op.Results[0].Type) })
}

// startsOp reports whether the value that comes next is the name of a new op's result. It can be
// after a return without operands.
func (p *parser) startsOp() bool {
	start := p.tok
	p.next()
	names := p.isAt("=") || p.isAt(":") && p.intFollows()
	p.tok = start
	return names
}

// valueFollows reports whether the token after the current one is a value.
func (p *parser) valueFollows() bool { return p.follows(tokValue) }

// intFollows reports whether the token after the current one is an integer.
func (p *parser) intFollows() bool { return p.follows(tokInt) }

// follows reports whether the token after the current one is of the kind.
func (p *parser) follows(kind tokenKind) bool {
	start := p.tok
	p.next()
	ok := p.tok.kind == kind
	p.tok = start
	return ok
}

// hasKinds returns a function that reports whether op has all these attributes, each of the given
// kind.
func hasKinds(kind AttrKind, names ...string) func(*Op) bool {
	return func(op *Op) bool {
		for _, name := range names {
			if a := op.Attrs.Get(name); a == nil || !attrKinds[kind].is(a) {
				return false
			}
		}
		return true
	}
}

func fitsValue(op *Op) bool {
	d, ok := op.Attrs.Get("value").(*Dense)
	return ok && hasOneResult(op) && d.Type.Equal(op.Results[0].Type)
}

func printValue(p *printer, op *Op) { p.dense(op.Literal()) }

func parseValue(p *parser, d *draft) {
	at := p.tok.start
	a := p.conform(d.Info(), "value", p.attr(mnemonic{}), at)
	p.setAttr(d, at, "value", a)
	p.results(d, a.(*Dense).Type)
}

func printTarget(p *printer, op *Op) { p.symbol(string(op.Attrs.Get("call_target_name").(String))) }

func parseTarget(p *parser, d *draft) {
	at := p.tok.start
	p.setAttr(d, at, "call_target_name", String(p.symbol("the target, such as @name")))
}

func printFormat(p *printer, op *Op) {
	p.put("e")
	p.shortAttr(op.Attrs.Get("exponent_bits"))
	p.put("m")
	p.shortAttr(op.Attrs.Get("mantissa_bits"))
}

func parseFormat(p *parser, d *draft) {
	at, text := p.tok.start, p.take(tokID, "a format such as e5m10")
	var e, m int
	if n, err := fmt.Sscanf(text, "e%dm%d", &e, &m); n != 2 || err != nil || text != fmt.Sprintf("e%dm%d", e, m) {
		p.failf(at, "got the format %s, want one such as e5m10", text)
	}
	p.setAttr(d, at, "exponent_bits", Int32(e))
	p.setAttr(d, at, "mantissa_bits", Int32(m))
}

func fitsRanges(op *Op) bool {
	return hasKinds(KindInts, "start_indices", "limit_indices", "strides")(op) &&
		len(op.Ints("start_indices")) == len(op.Ints("limit_indices")) && len(op.Ints("start_indices")) == len(op.Ints("strides"))
}

func printRanges(p *printer, op *Op) {
	start, limit, strides := op.Ints("start_indices"), op.Ints("limit_indices"), op.Ints("strides")
	p.put("[")
	p.list(len(start), func(i int) {
		p.put(strconv.Itoa(start[i]), ":", strconv.Itoa(limit[i]))
		if strides[i] != 1 {
			p.put(":", strconv.Itoa(strides[i]))
		}
	})
	p.put("]")
}

func parseRanges(p *parser, d *draft) {
	at := p.tok.start
	start, limit, strides := Ints{}, Ints{}, Ints{}
	p.expect("[")
	p.commaList("]", func() {
		start = append(start, p.int())
		p.expect(":")
		limit = append(limit, p.int())
		stride := 1
		if p.accept(":") {
			stride = p.int()
		}
		strides = append(strides, stride)
	})
	p.setAttr(d, at, "start_indices", start)
	p.setAttr(d, at, "limit_indices", limit)
	p.setAttr(d, at, "strides", strides)
}

func printDot(p *printer, op *Op) {
	d := op.DotGeneral().DotDimensionNumbers()
	if len(d.LHSBatch)+len(d.RHSBatch) > 0 {
		p.put("batching_dims = ", intsText(d.LHSBatch), " x ", intsText(d.RHSBatch), ", ")
	}
	p.put("contracting_dims = ", intsText(d.LHSContracting), " x ", intsText(d.RHSContracting))
}

func parseDot(p *parser, d *draft) {
	at, dims := p.tok.start, &DotDims{}
	if p.acceptAll([]string{"batching_dims", "="}) {
		dims.LHSBatch = p.ints()
		p.expect("x")
		dims.RHSBatch = p.ints()
		p.expect(",")
	}
	p.expect("contracting_dims")
	p.expect("=")
	dims.LHSContracting = p.ints()
	p.expect("x")
	dims.RHSContracting = p.ints()
	p.setAttr(d, at, "dot_dimension_numbers", dims)
}

type windowField struct {
	label, attr string
	kind        AttrKind
}

// windowFields are the fields of a convolution's window, in the order of the text.
var windowFields = [...]windowField{
	{"stride", "window_strides", KindInts},
	{"pad", "padding", KindDense},
	{"lhs_dilate", "lhs_dilation", KindInts},
	{"rhs_dilate", "rhs_dilation", KindInts},
	{"reverse", "window_reversal", KindBools},
}

func fitsWindow(op *Op) bool {
	for _, f := range windowFields {
		a := op.Attrs.Get(f.attr)
		if a == nil {
			continue
		}
		if !attrKinds[f.kind].is(a) {
			return false
		}
		if d, ok := a.(*Dense); ok && (d.Type.DType != dtypes.Int64 || len(d.Type.Dims) != 2 || d.Type.Dims[1] != 2) {
			return false
		}
	}
	return true
}

// printWindow prints the fields of a convolution's window, label = value with commas between,
// without those that op does not have. It is the printer of hook $WINDOW.
func printWindow(p *printer, op *Op) {
	sep := ""
	for _, f := range windowFields {
		a := op.Attrs.Get(f.attr)
		if a == nil {
			continue
		}
		p.put(sep, f.label, " = ")
		sep = ", "
		if f.kind != KindDense {
			p.shortAttr(a)
			continue
		}
		rows := op.Matrix(f.attr)
		p.put("[")
		p.list(len(rows), func(i int) { p.put(intsText(rows[i])) })
		p.put("]")
	}
}

// parseWindow reads the fields of a convolution's window into the attributes of d, up to the
// closing brace. An unknown field is an error.
func parseWindow(p *parser, d *draft) {
	for !p.isAt("}") {
		at, label := p.tok.start, p.take(tokID, "a field of the window")
		i := slices.IndexFunc(windowFields[:], func(f windowField) bool { return f.label == label })
		if i < 0 {
			p.failf(at, "got the window field %s, want stride, pad, lhs_dilate, rhs_dilate or reverse", label)
		}
		p.expect("=")
		var a Attr
		switch f := windowFields[i]; f.kind {
		case KindInts:
			a = p.ints()
		case KindBools:
			a = p.boolList()
		default:
			var rows [][]int
			p.expect("[")
			p.commaList("]", func() {
				at := p.tok.start
				row := p.ints()
				if len(row) != 2 {
					p.failf(at, "got %d numbers of padding for a dimension, want [low, high]", len(row))
				}
				rows = append(rows, row)
			})
			a = IntMatrix(rows, 2)
		}
		p.setAttr(d, at, windowFields[i].attr, a)
		if !p.accept(",") {
			break
		}
	}
}

// boolList reads a list such as [true, false] or [1, 0].
func (p *parser) boolList() Bools {
	list := Bools{}
	p.expect("[")
	p.commaList("]", func() { list = append(list, p.bool()) })
	return list
}
