package suggest

// This file lists the candidates: the changes to try.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding"
)

// edit replaces the annotation of all tensors of a class by another one; with a nil sharding it
// removes the annotation.
type edit struct {
	*class
	to *layout.Sharding
}

// candidate is a change to try: the change of one class, or of several classes that belong
// together.
type candidate struct {
	edits     []edit
	likely    bool // it undoes a common mistake
	estimated Cost
	refined   Cost // estimate after a search for shardings
	isRefined bool
}

// mends reports whether there is evidence for a mistake in everything that c changes. It returns
// false if c replicates a tensor: a tensor may be sharded on purpose, to save memory. It also
// returns false if c shards a weight by an axis of the batch that does not shard most weights: that
// layout is a choice.
func (c *candidate) mends() bool {
	return !slices.ContainsFunc(c.edits, func(e edit) bool {
		return e.evidence == "" || e.to.IsReplicated() || e.adds(func(a mesh.AxisRef) bool { return has(e.batch, a) && !has(e.spread, a) })
	})
}

// adds reports whether which is true for an axis that e adds.
func (e edit) adds(which func(mesh.AxisRef) bool) bool { return slices.ContainsFunc(e.added(), which) }

// has reports whether axes have a, or a part of it.
func has(axes []mesh.AxisRef, a mesh.AxisRef) bool { return slices.ContainsFunc(axes, a.Overlaps) }

// added returns the axes of e that the class's annotation does not have. It is nil for data, outputs,
// outputs of layers, and slots that get the annotation of their weight.
func (e edit) added() (out []mesh.AxisRef) {
	if e.to == nil || e.isActivation() || areSame(e.to, e.members[0].asWeight) {
		return nil
	}
	for _, d := range e.to.Dims {
		for _, a := range d.Axes {
			if e.sharding() == nil || !usesAny(e.sharding(), []mesh.AxisRef{a}) {
				out = append(out, a)
			}
		}
	}
	return out
}

// spreads reports whether c only shards tensors that are replicated without need, and slots that
// are not sharded like their weight. Such mistakes mostly cost memory.
func (c *candidate) spreads() bool {
	return c.mends() && !slices.ContainsFunc(c.edits, func(e edit) bool { return !e.spreads() })
}

func (e edit) spreads() bool {
	if e.class.spread == nil {
		return e.members[0].weight >= 0
	}
	return !e.adds(func(a mesh.AxisRef) bool { return !has(e.spread, a) })
}

// addsBatch reports whether c shards a weight by an axis of the batch that did not shard it.
func (c *candidate) addsBatch() bool {
	return slices.ContainsFunc(c.edits, func(e edit) bool {
		return e.adds(func(a mesh.AxisRef) bool { return has(e.batch, a) })
	})
}

// overlaps reports whether c and d change a common tensor.
func (c *candidate) overlaps(d *candidate) bool {
	return slices.ContainsFunc(c.edits, func(a edit) bool {
		return slices.ContainsFunc(d.edits, func(b edit) bool { return a.class.overlaps(b.class) })
	})
}

// contains reports whether c makes all the changes that d makes.
func (c *candidate) contains(d *candidate) bool {
	return !slices.ContainsFunc(d.edits, func(e edit) bool {
		return !slices.ContainsFunc(c.edits, func(f edit) bool { return f.class == e.class && f.to.SameLayout(e.to) })
	})
}

func (c *candidate) rules() []layout.Rule {
	var out []layout.Rule
	for _, e := range c.edits {
		out = append(out, layout.Rule{Key: e.pattern, Axes: axesOf(e.to)})
	}
	return out
}

// key identifies the rules of c, in any order.
func (c *candidate) key() string {
	var list []string
	for _, r := range c.rules() {
		list = append(list, r.String())
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// groups holds the classes of the tensors that rules can name, in each list those with the most
// conflicts first; among equals, the largest.
type groups struct {
	mesh    *mesh.DeviceMesh
	classes []*class // one for each template and annotation
	wider   []*class // unions of classes
	single  []*class // classes with one member each
	unused  bool     // some axis shards no input
}

// newGroups makes the classes of the tensors of f that canName accepts. found is the evidence
// that the classes get. The classes with the most conflicts come first; among equals, the largest.
func newGroups(dm *mesh.DeviceMesh, f *ir.Func, canName func(*tensor) bool, found *evidence) *groups {
	names := namesOf(f)
	list := slices.DeleteFunc(tensorsOf(f), func(t *tensor) bool { return !canName(t) })
	g := &groups{mesh: dm, unused: found.unused, classes: namePatterns(classify(list), names)}
	for _, c := range g.classes {
		if len(c.members) > 1 {
			for _, t := range c.members {
				g.single = append(g.single, &class{members: []*tensor{t}})
			}
		}
	}
	g.wider, g.single = namePatterns(siblings(g.classes), names), namePatterns(g.single, names)
	for _, list := range [][]*class{g.classes, g.wider, g.single} {
		for _, c := range list {
			for _, t := range c.members {
				c.evidence = cmp.Or(c.evidence, found.text[t.id()])
				c.suspect += found.conflicts[t.id()]
				if lacks := found.lacks[t.id()]; lacks != nil {
					c.spread = lacks
				}
			}
			c.batch = found.batch
			if c.suspect > 0 {
				c.evidence = cmp.Or(c.evidence, "it spreads an axis that is in conflict with other layouts")
			}
		}
		slices.SortStableFunc(list, func(a, b *class) int {
			return cmp.Or(cmp.Compare(b.suspect, a.suspect), cmp.Compare(b.bytes(), a.bytes()))
		})
	}
	return g
}

// doubtfulClasses returns the classes with evidence for a mistake.
func doubtfulClasses(list []*class) []*class {
	return slices.DeleteFunc(slices.Clone(list), func(c *class) bool { return c.evidence == "" })
}

// weightClasses returns the classes of inputs other than data: weights, their slots and other
// state.
func weightClasses(list []*class) []*class {
	return slices.DeleteFunc(slices.Clone(list), (*class).isActivation)
}

// layerOutputs returns the classes of outputs of layers.
func layerOutputs(list []*class) []*class {
	return slices.DeleteFunc(slices.Clone(list), func(c *class) bool { return c.role() != ofLayer })
}

// replicatedClasses returns the classes that are replicated without need, the largest first.
func (g *groups) replicatedClasses() []*class {
	list := slices.DeleteFunc(slices.Concat(g.wider, g.classes), func(c *class) bool { return c.spread == nil })
	slices.SortStableFunc(list, func(a, b *class) int { return cmp.Compare(b.bytes(), a.bytes()) })
	return list
}

// shardingCandidates returns the candidates that shard one dimension of c, a replicated class, by
// one of the axes in c.spread.
func (g *groups) shardingCandidates(c *class) (out []*candidate) {
	own := ownLayout(g.mesh, c)
	for _, a := range c.spread {
		for d := range own.Dims {
			s := own.Clone()
			s.Dims[d].Axes = append(slices.Clone(s.Dims[d].Axes), a)
			if fits(s, c.dims()) {
				out = append(out, &candidate{edits: []edit{{c, s}}})
			}
		}
	}
	return out
}

// namesOf returns the names of all inputs, outputs and outputs of layers.
func namesOf(f *ir.Func) []string {
	var out []string
	for i := range f.Params() {
		out = append(out, inputName(f, i))
	}
	for i := range f.Results {
		out = append(out, outputName(f, i))
	}
	for _, o := range sharding.LayerOutputs(f) {
		out = append(out, o.Name)
	}
	return out
}

// layouts returns candidates that each give a class in list one other sharding: one that layoutsFor
// returns for the class.
func (g *groups) layouts(list []*class) (out []*candidate) {
	for _, c := range list {
		for _, s := range layoutsFor(g.mesh, c) {
			out = append(out, &candidate{edits: []edit{{c, s}}})
		}
	}
	return out
}

// exchanges returns a candidate for each pair of classes that can exchange their annotations. One
// class of the pair is in list.
func (g *groups) exchanges(list ...*class) (out []*candidate) {
	all := slices.Concat(g.classes, g.wider)
	for i, a := range list {
		for _, b := range all {
			if at := slices.Index(list, b); at >= 0 && at < i {
				continue // the pair has been listed already
			}
			sa, sb := a.sharding(), b.sharding()
			if sa == nil || sb == nil || a.rank() != b.rank() || a.role() != b.role() || a.overlaps(b) {
				continue
			}
			if sa.SameLayout(sb) || sa.IsReplicated() || sb.IsReplicated() || !fits(sa, b.dims()) || !fits(sb, a.dims()) {
				continue
			}
			out = append(out, &candidate{edits: []edit{{a, sb}, {b, sa}}, likely: true})
		}
	}
	return out
}

// slotsAsWeights returns candidates that give the optimizer's slots the annotation of their weight:
// one for all if there are several classes, and one for each class of slots. It leaves out slots
// that have this annotation already, whose weight has none, or that it does not fit.
func (g *groups) slotsAsWeights() (out []*candidate) {
	all := &candidate{likely: true}
	for _, c := range g.classes {
		if s := c.members[0].asWeight; s != nil && fits(s, c.dims()) {
			all.edits = append(all.edits, edit{c, s})
			out = append(out, &candidate{edits: []edit{{c, s}}, likely: true})
		}
	}
	if len(out) > 1 {
		out = slices.Insert(out, 0, all) // first: the estimates may end before the last of many
	}
	return out
}

// siblingCandidates returns candidates that give a class of inputs the annotation of siblings: each
// annotation that fits, and that at least as many tensors of the class and its siblings have as
// have the class's own.
func (g *groups) siblingCandidates() (out []*candidate) {
	for _, c := range g.classes {
		if c.role() == "" {
			continue
		}
		var alike []*class
		count := map[string]int{}
		for _, d := range g.classes {
			if c == d || areSiblings(c, d) {
				alike = append(alike, d)
				count[textOf(d.sharding())] += len(d.members)
			}
		}
		done := map[string]bool{textOf(c.sharding()): true}
		for _, d := range alike {
			text := textOf(d.sharding())
			if !done[text] && d.sharding() != nil && count[text] >= count[textOf(c.sharding())] && fits(d.sharding(), c.dims()) {
				out = append(out, &candidate{edits: []edit{{c, d.sharding()}}, likely: true})
			}
			done[text] = true
		}
	}
	return out
}

// batches returns candidates that shard data and outputs along their first dimension, all of one
// size in the same way: one for each way that fits all and changes at least two classes. Sizes that
// only one class has are left out.
func (g *groups) batches() (out []*candidate) {
	var list []*class
	for _, c := range g.classes {
		if c.role() == ir.RoleData || c.role() == "" {
			list = append(list, c)
		}
	}
	sizes := map[int]bool{}
	for _, first := range list {
		size := first.dims()[0]
		if sizes[size] {
			continue
		}
		sizes[size] = true
		alike := slices.DeleteFunc(slices.Clone(list), func(c *class) bool { return c.dims()[0] != size })
		if len(alike) < 2 {
			continue // the layouts of a single class are tried elsewhere
		}
		var axes []mesh.Axis
		for _, a := range g.mesh.Axes() {
			if a.Size > 1 {
				axes = append(axes, a)
			}
		}
		eachLayout(g.mesh, 1, axes, func(s *layout.Sharding) {
			c := &candidate{}
			for _, a := range alike {
				to := layout.Replicated(g.mesh, a.rank())
				to.Dims[0] = s.Dims[0]
				if a.sharding() == nil || !a.sharding().SameLayout(to) {
					c.edits = append(c.edits, edit{a, to})
				}
			}
			if len(c.edits) > 1 && !slices.ContainsFunc(c.edits, func(e edit) bool { return !fits(e.to, e.dims()) }) {
				out = append(out, c)
			}
		})
	}
	return out
}
