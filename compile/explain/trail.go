package explain

// This file defines Trail, which a compilation leaves behind it.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/sharding"
)

// Trail is the record of a compilation: package compile fills it in as its passes run. It stays
// incomplete if a pass fails.
type Trail struct {
	Source *ir.Module // that was compiled; it is not changed
	Marks  *ir.Marks  // of its ops and values
	Mesh   *mesh.DeviceMesh

	Propagated *sharding.Result // nil on one device
	// Global holds, for each value of the source, the value of the module when shardings were
	// propagated. A value that is missing was dead by then, or had become one with another value.
	Global map[*ir.ValueID]*ir.Value
	Same   map[*ir.ValueID]*ir.ValueID // values that were made one, by the one that stayed
	// Results are those of main.
	Results []*sharding.Subject

	Search []Step // what the layout search kept

	Program *program.Program // nil where compiling failed
	Err     error            // why it did
}

// Step is one step of the layout search: an axis shards values of one group, or no
// longer does.
type Step struct {
	Axis   mesh.AxisRef
	Values []*ir.Value // of the module of global shapes
	// Layouts are those that the values have from then on.
	Layouts []*layout.Sharding
	// The predicted savings of a device in a run, by all of these layouts together.
	Bytes, Flops int
	Seconds      float64
}

// Propagate records that shardings have been propagated in m.
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

// Keep records a step of the search.
func (t *Trail) Keep(s Step) {
	for _, v := range s.Values {
		s.Layouts = append(s.Layouts, v.Sharding)
	}
	t.Search = append(t.Search, s)
}

// eachValue calls visit for each value of m in program order, as
// ir.MarkOrigins numbers them, with the op that it is a result of or that it is an
// argument in; nil for parameters.
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
