package program

// This file gives the module in the form that the compilers for accelerators like.

import (
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
)

// TextFor returns Text for the devices of a platform, as PJRT names it: "cpu", "cuda",
// "tpu". The compilers for accelerators combine collectives by themselves, once they
// know in which layouts tensors lie in memory, how much memory there is and what else
// runs meanwhile. One that has several operands from the start gives all of them one
// layout and one moment. So each value has a collective of its own there. These have no
// channels, unlike those of XLA's own partitioner: libtpu cuts collectives of replicas
// into asynchronous parts only where they have none.
func (p *Program) TextFor(platform string) []byte {
	if platform == hardware.CPU || p.Form != PerDevice || p.Emit == nil || len(p.Module.Meshes) == 0 {
		return p.Text()
	}
	m, _ := p.Emit(separate(p.Module), nil, 0)
	return text(m)
}

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
