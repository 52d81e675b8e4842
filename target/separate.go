package target

// This file gives each value a collective of its own.

import "github.com/gospmd/gospmd/ir"

// separate returns m with an op for each operand of its collectives.
func separate(m *ir.Module) *ir.Module {
	m = m.Clone()
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if !op.Info().Is(ir.Collective|ir.OnMesh) || len(op.Operands) == 1 {
				return
			}
			var results []*ir.Value
			for i, v := range op.Operands {
				one := ir.NewOp(op.Kind, []*ir.Value{v}, op.Attrs, []ir.Type{op.Results[i].Type})
				one.Loc = op.Loc
				one.InsertBefore(op)
				results = append(results, one.Result())
			}
			op.ReplaceWith(results...)
		})
	}
	return m
}
