package suggest

// This file finds the inputs, the outputs and the outputs of layers whose layouts may change, and
// groups them into classes, each with one rule.

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/roles"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding"
)

// tensor is an input, an output, or the outputs of a layer, whose annotation a rule can change.
type tensor struct {
	name     string
	role     ir.Role // "" for an output, ofLayer for the outputs of a layer
	index    int     // of the parameter, of the result, or in sharding.LayerOutputs
	typ      ir.Type
	sharding *layout.Sharding // the annotation; nil: none
	weight   int              // for a slot, the parameter that it belongs to; else -1
	asWeight *layout.Sharding // for an optimizer's slot, the annotation that its weight has
}

// ofLayer is the role of the outputs of a layer that have a constraint, and of their gradients.
const ofLayer ir.Role = "output of a layer"

// class is a set of tensors with the same shape and annotation: the same weight of all layers, or
// several such sets.
type class struct {
	members  []*tensor
	pattern  string // pattern of the rule for the class
	evidence string // evidence for a mistake in the layout, or ""
	// number of conflicts at the class's members, or that the axes of its annotation cause
	suspect int
	// spread has the axes that may shard the class, if a member is replicated along them without
	// need; else it is nil.
	spread []mesh.AxisRef
	batch  []mesh.AxisRef // the axes of the batch
}

func (c *class) rank() int                  { return c.members[0].typ.Rank() }
func (c *class) dims() []int                { return c.members[0].typ.Dims }
func (c *class) sharding() *layout.Sharding { return c.members[0].sharding }
func (c *class) role() ir.Role              { return c.members[0].role }

// bytes returns the memory of all members if they were replicated.
func (c *class) bytes() (n int) {
	for _, t := range c.members {
		n += t.typ.Bytes()
	}
	return n
}

// isActivation reports whether c has no weights or other state, but data, outputs, or outputs of
// layers.
func (c *class) isActivation() bool {
	return slices.Contains([]ir.Role{ir.RoleData, "", ofLayer}, c.role())
}

// overlaps reports whether c and d have a common member.
func (c *class) overlaps(d *class) bool {
	return slices.ContainsFunc(c.members, func(t *tensor) bool { return slices.Contains(d.members, t) })
}

// tensorsOf returns the tensors that rules can name: the inputs and outputs that are neither
// scalars nor tokens, and the outputs of layers with one type and one constraint. It leaves out
// outputs that take over an input's buffers, slots that have the annotation of their weight, and the
// optimizer's inputs that are slots of no weight.
func tensorsOf(f *ir.Func) []*tensor {
	of := roles.Of(f)
	params := f.Params()
	weight := make([]int, len(params))
	for i := range weight {
		weight[i] = -1
	}
	for i, slots := range roles.SlotsOf(f, of) {
		for _, j := range slots {
			weight[j] = i
		}
	}
	var out []*tensor
	for i, p := range params {
		w := weight[i]
		switch {
		case p.Type.IsToken() || p.Type.Rank() == 0:
		case w >= 0 && areSame(p.Sharding, params[w].Sharding):
		case of[i] == ir.RoleOptimizer && w < 0:
		default:
			t := &tensor{name: inputName(f, i), role: of[i], index: i, typ: p.Type, sharding: p.Sharding, weight: w}
			if w >= 0 {
				t.asWeight = params[w].Sharding
			}
			out = append(out, t)
		}
	}
	taken := make([]bool, len(f.Results))
	for i := range params {
		if r := roles.Donee(f, i); r >= 0 {
			taken[r] = true
		}
	}
	for i, r := range f.Results {
		if !taken[i] && !r.Type.IsToken() && r.Type.Rank() > 0 {
			out = append(out, &tensor{name: outputName(f, i), index: i, typ: r.Type, sharding: r.Sharding, weight: -1})
		}
	}
	for i, o := range sharding.LayerOutputs(f) {
		first := o.Constraints[0].ShardingConstraint()
		typ := first.Results[0].Type
		differs := func(op *ir.Op) bool {
			return !op.Results[0].Type.Equal(typ) || !areSame(op.ShardingConstraint().Sharding(), first.Sharding())
		}
		if typ.Rank() > 0 && !slices.ContainsFunc(o.Constraints, differs) {
			out = append(out, &tensor{name: o.Name, role: ofLayer, index: i, typ: typ, sharding: first.Sharding(), weight: -1})
		}
	}
	return out
}

func areSame(a, b *layout.Sharding) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.SameLayout(b)
}

// classify returns the classes of the tensors in list, in the order of their first members. The
// members of a class have the same template, shape, role and annotation, and as slots the same
// annotation of their weights. They are in the order of list.
func classify(list []*tensor) []*class {
	var out []*class
	byKey := map[string]*class{}
	for _, t := range list {
		key := fmt.Sprint(template(t.name), t.role, t.typ, textOf(t.sharding), textOf(t.asWeight))
		c := byKey[key]
		if c == nil {
			c = &class{}
			byKey[key] = c
			out = append(out, c)
		}
		c.members = append(c.members, t)
	}
	return out
}

// areSiblings reports whether two classes have the same role and type, and names that differ only
// in numbers or in one component of the path.
func areSiblings(c, d *class) bool {
	if c.role() != d.role() || !c.members[0].typ.Equal(d.members[0].typ) {
		return false
	}
	a, b := c.members[0].name, d.members[0].name
	return template(a) == template(b) || joinByComponent([]string{a, b}) != ""
}

// siblings returns unions of classes that one rule may be for. The classes of a union have the same
// role, shape, annotation and number of members, and names that differ in one component of the
// path, as query, key and value. Outputs are left out.
func siblings(classes []*class) []*class {
	var out []*class
	byKey := map[string][]*class{}
	var order []string
	for _, c := range classes {
		if c.role() == "" {
			continue
		}
		key := fmt.Sprint(c.role(), c.members[0].typ, textOf(c.sharding()), textOf(c.members[0].asWeight), len(c.members))
		if byKey[key] == nil {
			order = append(order, key)
		}
		byKey[key] = append(byKey[key], c)
	}
	for _, key := range order {
		var names []string
		for _, c := range byKey[key] {
			for _, t := range c.members {
				names = append(names, t.name)
			}
		}
		if len(byKey[key]) > 1 && joinByComponent(names) != "" {
			out = append(out, union(byKey[key]...))
		}
	}
	return out
}

// union returns the class with the members of all classes in list.
func union(list ...*class) *class {
	u := &class{}
	for _, c := range list {
		u.members = append(u.members, c.members...)
	}
	return u
}

// namePatterns sets the pattern of each class, and returns the classes without those that no
// pattern can distinguish from the other names. all has the names of all inputs and outputs.
func namePatterns(classes []*class, all []string) []*class {
	return slices.DeleteFunc(classes, func(c *class) bool {
		var names []string
		for _, t := range c.members {
			names = append(names, t.name)
		}
		others := slices.DeleteFunc(slices.Clone(all), func(n string) bool { return slices.Contains(names, n) })
		c.pattern = patternOf(names, others)
		return !isExact(c.pattern, names, others)
	})
}

// textOf returns a sharding as text, or "" for nil.
func textOf(s *layout.Sharding) string {
	if s == nil {
		return ""
	}
	return s.String()
}

// inputName returns the name of parameter i, as rules match it.
func inputName(f *ir.Func, i int) string { return cmp.Or(f.Params()[i].Name, fmt.Sprintf("arg%d", i)) }

// outputName returns the name of result i, as rules match it.
func outputName(f *ir.Func, i int) string {
	return cmp.Or(f.Results[i].Name, fmt.Sprintf("result%d", i))
}
