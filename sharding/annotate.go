package sharding

// This file sets the mesh and the annotations of a module that was read from a file, such as one
// that JAX exported.

import (
	"errors"
	"fmt"

	"github.com/gospmd/gospmd/internal/errlist"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/roles"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Remesh makes dm the only mesh of m. The shardings in m keep their axes, which dm must have. The
// error has a line for each reason why shardings do not fit, which names the first of them and
// counts the others; m is then changed in part, and unusable.
func Remesh(m *ir.Module, dm *mesh.DeviceMesh) error {
	name := "mesh"
	if len(m.Meshes) > 0 {
		name = m.Meshes[0].Name
	}
	m.Meshes = []ir.NamedMesh{{Name: name, Mesh: dm}}
	move := mover{to: dm}
	for _, f := range m.Funcs {
		for i, p := range f.Params() {
			p.Sharding = move.sharding(fmt.Sprintf("input %q", nameOrPosition(p.Name, "arg", i)), p.Sharding, p.Type.Rank())
		}
		for i := range f.Results {
			r := &f.Results[i]
			r.Sharding = move.sharding(fmt.Sprintf("output %q", nameOrPosition(r.Name, "result", i)), r.Sharding, r.Type.Rank())
		}
		f.Walk(move.op)
	}
	return errlist.Join(move.errs...)
}

// Annotate sets the shardings of inputs and outputs of main, and those of LayerOutputs. An input or
// output gets the sharding of the rule of layouts that its name matches; without a name it is called
// arg0, arg1, … or result0, result1, …. Without a rule it keeps what it has. Errors are a module
// without main, a rule that matches nothing or has more dimensions than a value that it matches, a
// name that several rules match, and the errors of layouts.Err.
//
// The result that takes over an input's buffers gets the input's sharding, unless it matches a rule
// itself. So do the optimizer's slots of a weight, if they had the sharding of the weight before.
func Annotate(m *ir.Module, layouts *layout.LayoutMap) error {
	if err := layouts.Err(); err != nil {
		return err
	}
	f := m.Main()
	if f == nil {
		return errors.New("sharding: the module has no function main, whose inputs could be annotated")
	}
	inputs, outputs := make([]*layout.Sharding, len(f.Params())), make([]*layout.Sharding, len(f.Results))
	var names []string
	find := func(name string, t ir.Type) (*layout.Sharding, error) {
		names = append(names, name)
		key, l, err := layouts.Match(name)
		if err != nil || l == nil {
			return nil, err
		}
		s, err := l.Sharding(t.Rank())
		if err != nil {
			return nil, fmt.Errorf("rule %q for %q: %w", key, name, err)
		}
		return s, nil
	}
	var err error
	for i, p := range f.Params() {
		if inputs[i], err = find(nameOrPosition(p.Name, "arg", i), p.Type); err != nil {
			return err
		}
	}
	for i, r := range f.Results {
		if outputs[i], err = find(nameOrPosition(r.Name, "result", i), r.Type); err != nil {
			return err
		}
	}
	constraints := map[*ir.Op]*layout.Sharding{}
	for _, o := range LayerOutputs(f) {
		for _, op := range o.Constraints {
			s, err := find(o.Name, op.Results[0].Type)
			if err != nil {
				return err
			}
			if s != nil {
				constraints[op] = s
			}
		}
	}
	dead, err := layouts.DeadRules(names)
	if err != nil {
		return err
	}
	for _, d := range dead {
		return errors.New(d.String())
	}
	setShardings(f, inputs, outputs)
	for op, s := range constraints {
		SetConstraint(op, s)
	}
	return nil
}

// setShardings sets the shardings of the inputs and outputs of f, in their order; nil leaves one as
// it is. With an input it also sets the result that takes over its buffers, and the optimizer's
// slots of the weight if they had the weight's sharding before, unless these have a sharding in the
// lists. It adds those to the lists.
func setShardings(f *ir.Func, inputs, outputs []*layout.Sharding) {
	params := f.Params()
	for i, slots := range roles.SlotsOf(f, roles.Of(f)) {
		for _, j := range slots {
			if inputs[j] == nil && sameAnnotation(params[i].Sharding, params[j].Sharding) {
				inputs[j] = inputs[i]
			}
		}
	}
	for i, s := range inputs {
		if s == nil {
			continue
		}
		params[i].Sharding = s
		if out := roles.Donee(f, i); out >= 0 && outputs[out] == nil {
			outputs[out] = s
		}
	}
	for i, s := range outputs {
		if s != nil {
			f.Results[i].Sharding = s
		}
	}
}

// sameAnnotation reports whether two annotations put the same data on each device, whatever their
// open dimensions and priorities. nil is no annotation, and the same as nil only.
func sameAnnotation(a, b *layout.Sharding) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.SameLayout(b)
}

// mover moves shardings to the mesh to, and collects an error for each that does not fit that mesh.
type mover struct {
	to   *mesh.DeviceMesh
	errs []error
}

func (m *mover) sharding(subject string, s *layout.Sharding, rank int) *layout.Sharding {
	if s == nil {
		return nil
	}
	s = s.Clone()
	s.Mesh = m.to
	if err := s.Validate(rank); err != nil {
		m.errs = append(m.errs, fmt.Errorf("%s has a layout that the mesh does not fit: %w; give the mesh the axes that the module names", subject, err))
	}
	return s
}

func (m *mover) op(op *ir.Op) {
	subject := op.Place()
	for _, r := range op.Results {
		r.Sharding = m.sharding(subject, r.Sharding, r.Type.Rank())
	}
	for _, na := range op.Attrs {
		switch s := na.Value.(type) {
		case ir.ShardingAttr:
			if s.Sharding != nil {
				op.Attrs = op.Attrs.With(na.Name, ir.ShardingAttr{Sharding: m.sharding(subject, s.Sharding, len(s.Dims))})
			}
		case ir.ShardingsAttr:
			moved := make(ir.ShardingsAttr, len(s))
			for i := range s {
				if s[i] != nil {
					moved[i] = m.sharding(subject, s[i], len(s[i].Dims))
				}
			}
			op.Attrs = op.Attrs.With(na.Name, moved)
		}
	}
	for _, r := range op.Regions {
		for _, a := range r.Args {
			a.Sharding = m.sharding(subject, a.Sharding, a.Type.Rank())
		}
	}
}

// nameOrPosition returns name, the name of an input or output. If it is empty, it returns kind
// followed by the number i, such as arg0.
func nameOrPosition(name, kind string, i int) string {
	if name == "" {
		return fmt.Sprintf("%s%d", kind, i)
	}
	return name
}
