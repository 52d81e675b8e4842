package sharding

// This file finds the constraints on the outputs of layers. Rules of a layout map name them by the
// layer's path and /output.

import (
	"strings"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// LayerOutput are the outputs of a layer that have constraints.
type LayerOutput struct {
	Name        string   // the name that rules match, such as d1/output
	Constraints []*ir.Op // on the outputs and on their gradients, in program order; not empty
}

// LayerOutputs returns the outputs of layers that have constraints in f, in program order. A layer is
// named by the path in the locations of its ops, which package trace writes. Functions of JAX have
// other paths, so they have no layer outputs.
func LayerOutputs(f *ir.Func) (out []LayerOutput) {
	at := map[string]int{}
	f.Walk(func(op *ir.Op) {
		if op.Kind != ir.OpShardingConstraint {
			return
		}
		name := OutputName(op)
		if name == "" {
			return
		}
		i, ok := at[name]
		if !ok {
			i, at[name] = len(out), len(out)
			out = append(out, LayerOutput{Name: name})
		}
		out[i].Constraints = append(out[i].Constraints, op)
	})
	return out
}

// SetConstraint gives a constraint the sharding s, which must fit its type.
func SetConstraint(op *ir.Op, s *layout.Sharding) {
	op.Attrs = op.Attrs.With("sharding", ir.ShardingAttr{Sharding: s})
}

// OutputName returns the name of the output of op's layer, for rules. It is "" for an op of no layer,
// and in modules of JAX.
func OutputName(op *ir.Op) string {
	layer := strings.TrimSuffix(strings.TrimPrefix(op.Loc.Path, "grad("), ")")
	if layer == "" || strings.HasPrefix(layer, "jit(") {
		return ""
	}
	return layer + "/output"
}
