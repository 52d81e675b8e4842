package main

// This file defines how names and attributes of the op table are written in Go.

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"

	"github.com/gospmd/gospmd/ir"
)

// attrForm says how attributes of a kind are read and made: goType in methods
// and parameters, the expressions that read a required and an optional one,
// what the latter gives where there is none, and the expression that makes one.
type attrForm struct {
	goType, read, readOptional, zero, make string
}

// simple is the form of a kind whose attribute type converts to goType.
func simple(attrType, goType, zero string) attrForm {
	return attrForm{goType, goType + "(attrOf[" + attrType + "](o.Op, %q))", goType + "(optionalOf[" + attrType + "](o.Op, %q))", zero, attrType + "(%s)"}
}

// same is the form of a kind whose attribute type stands for itself.
func same(attrType, zero string) attrForm {
	return attrForm{attrType, "attrOf[" + attrType + "](o.Op, %q)", "optionalOf[" + attrType + "](o.Op, %q)", zero, "%s"}
}

var attrForms = map[ir.AttrKind]attrForm{
	ir.KindUnit:       {"bool", "o.Has(%q)", "o.Has(%q)", "false", "Unit{}"},
	ir.KindBool:       simple("Bool", "bool", "false"),
	ir.KindInt:        simple("Int", "int", "0"),
	ir.KindInt32:      simple("Int32", "int", "0"),
	ir.KindFloat:      simple("Float", "float32", "0"),
	ir.KindString:     simple("String", "string", `""`),
	ir.KindSymbol:     simple("Symbol", "string", `""`),
	ir.KindEnum:       simple("Enum", "string", `""`),
	ir.KindRaw:        simple("Raw", "string", `""`),
	ir.KindInts:       simple("Ints", "[]int", "nil"),
	ir.KindBools:      simple("Bools", "[]bool", "nil"),
	ir.KindArray:      same("Array", "nil"),
	ir.KindDict:       same("Dict", "nil"),
	ir.KindType:       simple("TypeAttr", "Type", "the zero Type"),
	ir.KindDense:      same("*Dense", "nil"),
	ir.KindDot:        same("*DotDims", "nil"),
	ir.KindConv:       same("*ConvDims", "nil"),
	ir.KindGather:     same("*GatherDims", "nil"),
	ir.KindScatter:    same("*ScatterDims", "nil"),
	ir.KindChannel:    same("ChannelHandle", "the zero ChannelHandle"),
	ir.KindIntMatrix:  {"[][]int", "matrixOf(attrOf[*Dense](o.Op, %q))", "matrixOf(optionalOf[*Dense](o.Op, %q))", "nil", "intMatrix(%s)"},
	ir.KindSharding:   {"*layout.Sharding", "attrOf[ShardingAttr](o.Op, %q).Sharding", "optionalOf[ShardingAttr](o.Op, %q).Sharding", "nil", "ShardingAttr{%s}"},
	ir.KindShardings:  simple("ShardingsAttr", "[]*layout.Sharding", "nil"),
	ir.KindAxes:       simple("AxesAttr", "[]mesh.AxisRef", "nil"),
	ir.KindAxesPerDim: simple("AxesPerDimAttr", "[][]mesh.AxisRef", "nil"),
	ir.KindAny:        {"Attr", "o.Attrs.Get(%q)", "o.Attrs.Get(%q)", "nil", "%s"},
}

// arg is a parameter of a constructor that stands for one operand or, if list
// is set, for several.
type arg struct {
	name string
	list bool
}

// argsOf returns the operands of a row: as its Args names them, else operand;
// lhs and rhs; or operands.
func argsOf(row *ir.OpInfo) []arg {
	names := row.Args
	if names == "" {
		switch row.Operands {
		case ir.Arity{Min: 0, Max: 0}:
			return nil
		case ir.Arity{Min: 1, Max: 1}:
			names = "operand"
		case ir.Arity{Min: 2, Max: 2}:
			names = "lhs, rhs"
		default:
			if row.Operands.Max >= 0 {
				panic(fmt.Sprintf("BUG: the row of %s has %s operands and does not name them: set Args", row.Name, row.Operands))
			}
			names = "operands..."
		}
	}
	var out []arg
	for name := range strings.SplitSeq(names, ", ") {
		name, list := strings.CutSuffix(name, "...")
		out = append(out, arg{name, list})
	}
	return out
}

// initialisms are the words that Go writes in capitals.
var initialisms = map[string]string{"id": "ID", "ids": "IDs", "lhs": "LHS", "rhs": "RHS", "api": "API", "fft": "FFT"}

// camel returns an MLIR name in Go's spelling, exported or not.
func camel(name string, exported bool) string {
	var b strings.Builder
	for i, word := range strings.Split(name, "_") {
		switch capital, ok := initialisms[word]; {
		case i == 0 && !exported:
			b.WriteString(word)
		case ok:
			b.WriteString(capital)
		default:
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	if s := b.String(); !token.IsKeyword(s) && s != "b" { // b is the receiver
		return s
	}
	return b.String() + "_"
}

// kindNames returns the names of the op kinds without the prefix Op, in order,
// from the source: constants have no names when a program runs.
func kindNames(dir string) ([]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, "opkinds.go"), nil, 0)
	if err != nil {
		return nil, fmt.Errorf("the op kinds: %w", err)
	}
	var names []string
	ast.Inspect(f, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			for _, name := range spec.Names {
				names = append(names, strings.TrimPrefix(name.Name, "Op"))
			}
		}
		return true
	})
	if len(names) != int(ir.NumOps)+1 {
		return nil, fmt.Errorf("opkinds.go has %d constants, want the %d op kinds and NumOps: it holds nothing else", len(names), int(ir.NumOps))
	}
	return names, nil
}
