package ir

// This file holds the hooks of the pretty forms that show operands and types.

import (
	"slices"

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
	if p.at(":") {
		return
	}
	p.operand(d)
	for p.tok.kind == tokPunct && p.at(",") && p.valueFollows() {
		p.next()
		p.operand(d)
	}
}

func printAttrs(p *printer, op *Op) { p.spacedDict(formatOf(op.Kind).rest(op), op.Info()) }

func parseAttrs(p *parser, d *draft) {
	if p.at("{") {
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
		p.sameOperandTypes(d, at, t)
		return t
	})
}

// typeOr prints the type of the only result, or the whole function type.
func (p *printer) typeOr(op *Op, whole bool) {
	if whole {
		p.functionType(op)
	} else {
		p.put(op.Results[0].Type.String())
	}
}

// typeOrFunction reads a function type, or with short the type of the result
// from which those of the operands follow.
func (p *parser) typeOrFunction(d *draft, short func(at int) Type) {
	if p.at("(") {
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
		p.sameOperandTypes(d, at, part)
		return t
	})
}

// partTypes are the element types of the real and imaginary parts.
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
		p.put(op.Operands[0].Type.String(), ", ")
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

func printResult(p *printer, op *Op) { p.put(op.Results[0].Type.String()) }

func parseResult(p *parser, d *draft) {
	at, t := p.tok.start, p.typ()
	p.sameOperandTypes(d, at, t)
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
	if p.at("{") {
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

// hasResultType reports whether all operands have the type of the one result.
func hasResultType(op *Op) bool {
	return hasOneResult(op) &&
		!slices.ContainsFunc(op.Operands, func(v *Value) bool { return !v.Type.Equal(op.Results[0].Type) })
}

// startsOp reports whether the value that comes next is the name of a new
// op's result: after a return without operands.
func (p *parser) startsOp() bool {
	start := p.tok
	p.next()
	names := p.at("=") || p.at(":") && p.intFollows()
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
