package suggest

// This file finds out what may be sharded differently: the inputs and outputs of
// a function, in sets that a rule is for.

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/roles"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// tensor is an input or output whose annotation a rule can change.
type tensor struct {
	name     string
	role     ir.Role // "" for an output
	index    int     // of the parameter or result
	typ      ir.Type
	sharding *layout.Sharding // the annotation; nil: none
	weight   int              // of a slot: the parameter that it belongs to, else -1
	asWeight *layout.Sharding // of a slot: the annotation of that
}

// class is a set of tensors of one shape that are annotated alike: the same
// weight of all layers, or several such sets.
type class struct {
	members  []*tensor
	pattern  string // of a rule that is for them
	evidence string // what speaks for a mistake in their layout, or ""
	suspect  int    // how many conflicts there are at its members, or come from them
	// spread are the axes that shard other weights but not this class.
	spread []mesh.AxisRef
}

func (c *class) rank() int                  { return c.members[0].typ.Rank() }
func (c *class) dims() []int                { return c.members[0].typ.Dims }
func (c *class) sharding() *layout.Sharding { return c.members[0].sharding }
func (c *class) role() ir.Role              { return c.members[0].role }

// bytes returns the memory of all members, unsharded.
func (c *class) bytes() (n int) {
	for _, t := range c.members {
		n += t.typ.Bytes()
	}
	return n
}

// overlaps reports whether the two have a member in common.
func (c *class) overlaps(d *class) bool {
	return slices.ContainsFunc(c.members, func(t *tensor) bool { return slices.Contains(d.members, t) })
}

// tensorsOf returns the tensors that rules can name: the inputs except scalars, and the outputs
// that take over no input's buffers. Slots that are annotated like their weight follow it, and are
// left out.
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
	return out
}

func areSame(a, b *layout.Sharding) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.SameLayout(b)
}

// classify groups tensors of one template, shape, role and annotation.
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

// areSiblings reports whether two classes are of one role and shape, and of names
// that differ in numbers or in one component of the path.
func areSiblings(c, d *class) bool {
	if c.role() != d.role() || !c.members[0].typ.Equal(d.members[0].typ) {
		return false
	}
	a, b := c.members[0].name, d.members[0].name
	return template(a) == template(b) || joinByComponent([]string{a, b}) != ""
}

// siblings returns the unions of classes that a rule may well be for: of one
// shape and annotation, with names that differ in one component of the path, as
// those of query, key and value do.
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

// union returns the class of all members.
func union(list ...*class) *class {
	u := &class{}
	for _, c := range list {
		u.members = append(u.members, c.members...)
	}
	return u
}

// namePatterns gives each class the pattern of its rule. It drops the classes that no pattern can
// tell from the others.
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

// textOf returns a sharding as text, "" for none.
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
