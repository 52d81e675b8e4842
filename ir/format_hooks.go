package ir

// This file holds the hooks of the pretty forms that show operands, types and
// attributes; those that show regions are in format_regions.go.

import (
	"slices"
	"strconv"

	"github.com/gomlx/compute/dtypes"
)

// formatHooks returns the hooks by name. It is a function because they refer
// back to the templates.
func formatHooks() map[string]*hook {
	return map[string]*hook{
		"OPERANDS": {
			fits:  func(op *Op) bool { return len(op.Operands) > 0 },
			print: func(p *printer, op *Op) { p.refs(op.Operands) },
		},
		"ARGS": { // (%0, %1)
			print: (*printer).args,
		},
		"ATTRS": { // {a = 1 : i64}
			print: func(p *printer, op *Op) { p.spacedDict(formatOf(op.Kind).rest(op), op.Info()) },
		},

		"FUNC": { // (operand types) -> result types
			print: (*printer).functionType,
		},
		"ARROW": { // operand types -> result types
			fits: func(op *Op) bool { return len(op.Operands) > 0 },
			print: func(p *printer, op *Op) {
				p.types(op.Operands)
				p.put(" -> ")
				p.resultTypes(len(op.Results), func(i int) Type { return op.Results[i].Type })
			},
		},
		"SAME": { // the type of all operands and the result
			fits: hasOneResult,
			print: func(p *printer, op *Op) {
				p.typeOr(op, slices.ContainsFunc(op.Operands, func(v *Value) bool { return !v.Type.Equal(op.Results[0].Type) }))
			},
		},
		"COMPLEX": { // a complex type, whose parts the operands are
			fits: hasOneResult,
			print: func(p *printer, op *Op) {
				part, ok := partType(op.Results[0].Type)
				p.typeOr(op, !ok || slices.ContainsFunc(op.Operands, func(v *Value) bool { return !v.Type.Equal(part) }))
			},
		},
		"SELECT": { // the type of the predicate, the type of all others
			fits: func(op *Op) bool { return hasOneResult(op) && len(op.Operands) == 3 },
			print: func(p *printer, op *Op) {
				t := op.Results[0].Type
				same := op.Operands[1].Type.Equal(t) && op.Operands[2].Type.Equal(t)
				if same {
					p.put(op.Operands[0].Type.String(), ", ")
				}
				p.typeOr(op, !same)
			},
		},
		"RESULT": { // the type of the result; operands have it as well
			fits:  hasOneResult,
			print: func(p *printer, op *Op) { p.put(op.Results[0].Type.String()) },
		},
		"TYPES": { // the types of the operands, and of the results
			fits: func(op *Op) bool {
				return slices.EqualFunc(op.Operands, op.Results, func(a, b *Value) bool { return a.Type.Equal(b.Type) })
			},
			print: func(p *printer, op *Op) { p.types(op.Operands) },
		},
		"INPUTS": { // the types of the operands of an op without results
			fits:  func(op *Op) bool { return len(op.Results) == 0 },
			print: func(p *printer, op *Op) { p.types(op.Operands) },
		},

		"VALUE": { // a literal, whose type is the result's
			attrs: []string{"value"},
			fits: func(op *Op) bool {
				d, ok := op.Attrs.Get("value").(*Dense)
				return ok && hasOneResult(op) && d.Type.Equal(op.Results[0].Type)
			},
			print: func(p *printer, op *Op) { p.dense(op.Literal()) },
		},
		"TARGET": { // @target
			attrs: []string{"call_target_name"},
			fits:  hasKinds(KindString, "call_target_name"),
			print: func(p *printer, op *Op) { p.symbol(string(op.Attrs.Get("call_target_name").(String))) },
		},
		"FORMAT": { // e5m10
			attrs: []string{"exponent_bits", "mantissa_bits"},
			fits:  hasKinds(KindInt32, "exponent_bits", "mantissa_bits"),
			print: func(p *printer, op *Op) {
				p.put("e")
				p.short(op.Attrs.Get("exponent_bits"))
				p.put("m")
				p.short(op.Attrs.Get("mantissa_bits"))
			},
		},
		"RANGES": { // [start:limit:stride, …], a stride of 1 left out
			attrs: []string{"start_indices", "limit_indices", "strides"},
			fits: func(op *Op) bool {
				return hasKinds(KindInts, "start_indices", "limit_indices", "strides")(op) &&
					len(op.Ints("start_indices")) == len(op.Ints("limit_indices")) && len(op.Ints("start_indices")) == len(op.Ints("strides"))
			},
			print: func(p *printer, op *Op) {
				start, limit, strides := op.Ints("start_indices"), op.Ints("limit_indices"), op.Ints("strides")
				p.put("[")
				p.list(len(start), func(i int) {
					p.put(strconv.Itoa(start[i]), ":", strconv.Itoa(limit[i]))
					if strides[i] != 1 {
						p.put(":", strconv.Itoa(strides[i]))
					}
				})
				p.put("]")
			},
		},
		"DOT": { // batching_dims = [0] x [0], contracting_dims = [1] x [1]
			attrs: []string{"dot_dimension_numbers"},
			fits:  hasKinds(KindDot, "dot_dimension_numbers"),
			print: func(p *printer, op *Op) {
				d := op.Dot()
				if len(d.LHSBatch)+len(d.RHSBatch) > 0 {
					p.put("batching_dims = ", intsText(d.LHSBatch), " x ", intsText(d.RHSBatch), ", ")
				}
				p.put("contracting_dims = ", intsText(d.LHSContracting), " x ", intsText(d.RHSContracting))
			},
		},
		"WINDOW": { // stride = [1, 1], pad = [[0, 0], [0, 0]], …
			attrs: []string{"window_strides", "padding", "lhs_dilation", "rhs_dilation", "window_reversal"},
			fits:  windowFits,
			print: (*printer).window,
		},

		"RETURNED": {
			print: func(p *printer, op *Op) {
				p.spacedDict(formatOf(op.Kind).rest(op), op.Info())
				if len(op.Operands) > 0 {
					p.put(" ")
					p.refs(op.Operands)
					p.put(" : ")
					p.types(op.Operands)
				}
			},
		},
		"REDUCE": reduceHook(),
		"WHILE":  whileHook(),
		"BODY":   bodyHook(),
	}
}

func (p *printer) args(op *Op) {
	p.put("(")
	p.refs(op.Operands)
	p.put(")")
}

func hasOneResult(op *Op) bool { return len(op.Results) == 1 }

// hasKinds returns a test that op has all these attributes, of that kind.
func hasKinds(kind AttrKind, names ...string) func(*Op) bool {
	return func(op *Op) bool {
		for _, name := range names {
			if a := op.Attrs.Get(name); a == nil || kindOf(a) != kind {
				return false
			}
		}
		return true
	}
}

// typeOr prints the type of the only result, or the whole function type.
func (p *printer) typeOr(op *Op, whole bool) {
	if whole {
		p.functionType(op)
	} else {
		p.put(op.Results[0].Type.String())
	}
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

// windowFields are the fields of a convolution's window, in the order of the
// text.
var windowFields = []struct {
	label, attr string
	kind        AttrKind
}{
	{"stride", "window_strides", KindInts},
	{"pad", "padding", KindDense},
	{"lhs_dilate", "lhs_dilation", KindInts},
	{"rhs_dilate", "rhs_dilation", KindInts},
	{"reverse", "window_reversal", KindBools},
}

func windowFits(op *Op) bool {
	for _, f := range windowFields {
		a := op.Attrs.Get(f.attr)
		if a == nil {
			continue
		}
		if kindOf(a) != f.kind {
			return false
		}
		if d, ok := a.(*Dense); ok && (d.Type.DType != dtypes.Int64 || len(d.Type.Dims) != 2 || d.Type.Dims[1] != 2) {
			return false
		}
	}
	return true
}

func (p *printer) window(op *Op) {
	sep := ""
	for _, f := range windowFields {
		a := op.Attrs.Get(f.attr)
		if a == nil {
			continue
		}
		p.put(sep, f.label, " = ")
		sep = ", "
		if f.kind != KindDense {
			p.short(a)
			continue
		}
		rows := op.Matrix(f.attr)
		p.put("[")
		p.list(len(rows), func(i int) { p.put(intsText(rows[i])) })
		p.put("]")
	}
}
