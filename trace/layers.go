package trace

// This file gives ops the paths of layers where only their parameters have one.

import (
	"strings"

	"github.com/gospmd/gospmd/ir"
)

// nameLayers gives the ops of main that have no path the path of a layer, in program order: that
// of the first parameter which the op reads, else that of the last operand which has one. GoMLX
// names parameters by the scopes of their variables. It names inputs arg0, arg1, …, which are of
// no layer.
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

// pathOf returns the path that the operands of op give it.
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
