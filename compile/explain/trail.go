package explain

// This file defines Trail, the record of a compilation.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/sharding"
)

// Trail is the record of a compilation. The passes of package compile fill it in. It is incomplete
// if a pass failed.
type Trail struct {
	Source *ir.Module // the module that was compiled; it is not changed
	Marks  *ir.Marks  // identities of its ops and values
	Mesh   *mesh.DeviceMesh

	Propagated *sharding.Result // nil if the program is for one device
	// Global maps each value of Source to its value in the module in which shardings were
	// propagated. A value that is missing had been removed, or merged with another value.
	Global map[*ir.ValueID]*ir.Value
	Same   map[*ir.ValueID]*ir.ValueID // for each merged value, the value that stayed
	// Results are the results of main, in order.
	Results []*sharding.Subject

	Search []Step // the steps that the layout search kept

	Program *program.Program // nil if compiling failed
	Err     error            // why it failed
}

// Step is one step of the layout search: an axis begins or ceases to shard the values of one group.
type Step struct {
	Axis   mesh.AxisRef
	Values []*ir.Value // values of the module with global shapes
	// Layouts are the layouts of Values after the step.
	Layouts []*layout.Sharding
	// The predicted savings of a device in a run, for all of these changes together.
	Bytes, Flops int
	Seconds      float64
}

// Propagate records r, the result of propagation in m: the layouts of main's results, and which
// value of m stands for each value of the source.
func (t *Trail) Propagate(m *ir.Module, r *sharding.Result) {
	t.Propagated = r
	for i := range m.Main().Results {
		t.Results = append(t.Results, r.OfResult(m.Main(), i))
	}
	t.Global, t.Same = map[*ir.ValueID]*ir.Value{}, map[*ir.ValueID]*ir.ValueID{}
	eachValue(m, func(v *ir.Value, _ *ir.Op) {
		for _, o := range v.Origins {
			if t.Global[o.Of] == nil {
				t.Global[o.Of] = v
			}
			if best := v.Origins.Best(); best != o.Of {
				t.Same[o.Of] = best
			}
		}
	})
}

// Keep records the step s, which the search kept, with the layouts that its values have now.
func (t *Trail) Keep(s Step) {
	for _, v := range s.Values {
		s.Layouts = append(s.Layouts, v.Sharding)
	}
	t.Search = append(t.Search, s)
}

// eachValue calls visit for each value of m in the order of ir.MarkOrigins' numbers, which is
// program order. op is the op that makes the value or whose region has it as an argument; it is nil
// for parameters.
func eachValue(m *ir.Module, visit func(v *ir.Value, op *ir.Op)) {
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		for _, v := range b.Args {
			visit(v, b.Parent())
		}
		for op := range b.Ops() {
			for _, v := range op.Results {
				visit(v, op)
			}
			for _, r := range op.Regions {
				block(r)
			}
		}
	}
	for _, f := range m.Funcs {
		block(f.Body)
	}
}
