package trace

// This file infers the layer paths of ops from the names of parameters.

import (
	"strings"

	"github.com/gospmd/gospmd/ir"
)

// nameLayers sets the layer path of the ops of main that have none, in program order. An op gets
// the path of the first parameter that it uses or, if it uses none, that of its last operand with a
// path. GoMLX names parameters by the scopes of their variables. It names inputs arg0, arg1, …;
// these have no path.
func nameLayers(main *ir.Func) {
	paths := make(map[*ir.Value]string)
	for _, p := range main.Params() {
		if i := strings.LastIndexByte(p.Name, '/'); i > 0 {
			paths[p] = strings.Trim(p.Name[:i], "/")
		}
	}
	main.Walk(func(op *ir.Op) {
		if op.Loc.Path == "" {
			op.Loc.Path = pathOf(op, paths)
		}
		for _, r := range op.Results {
			paths[r] = op.Loc.Path
		}
	})
}

// pathOf returns the layer path that op, which was recorded without one, gets from its operands:
// that of the first parameter with one or, without such, of the last operand with one; "" if there
// is none. paths has those of the values.
func pathOf(op *ir.Op, paths map[*ir.Value]string) (path string) {
	for _, v := range op.Operands {
		switch {
		case paths[v] == "":
		case v.Def() == nil:
			return paths[v]
		default:
			path = paths[v]
		}
	}
	return path
}
