package main

// This file changes programs at random. It changes their shardings, as text, and their ops. Most of
// the results are valid.

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// mutate returns the module's text with one to three changes.
func mutate(text string, rng *rand.Rand) string {
	for range 1 + rng.IntN(3) {
		if rng.IntN(3) > 0 {
			text = mutateText(text, rng)
		} else if m, err := ir.Parse(text); err == nil {
			opMutations[rng.IntN(len(opMutations))](m, rng)
			text = m.String()
		}
	}
	return text
}

// Patterns of the text that mutateText changes.
var (
	shardingPattern = regexp.MustCompile(`<(@[\w.]+|mesh<\[[^\]]*\][^>]*>), \[((?:\{[^{}]*\}(?:p\d+)?(?:, )?)*)\]((?:, (?:replicated|unreduced)=\{[^{}]*\})*)>`)
	dimPattern      = regexp.MustCompile(`\{([^{}]*)\}(p\d+)?`)
	setPattern      = regexp.MustCompile(`(replicated|unreduced)=\{([^{}]*)\}`)
	meshPattern     = regexp.MustCompile(`sdy\.mesh @([\w.]+) = <\[([^\]]*)\]`)
	axisPattern     = regexp.MustCompile(`"(\w+)"=(\d+)`)
	manualPattern   = regexp.MustCompile(`manual_axes=\{([^{}]*)\}`)
)

// mutateText returns text with one random change: of a sharding, of the size of an axis, or of a
// list of manual axes.
func mutateText(text string, rng *rand.Rand) string {
	pattern, edit := shardingPattern, func(found string) string { return mutateSharding(found, text, rng) }
	switch rng.IntN(12) {
	case 0:
		pattern, edit = meshPattern, func(found string) string {
			return replaceOne(axisPattern, found, rng, func(axis string) string {
				name, _, _ := strings.Cut(axis, "=")
				return fmt.Sprintf("%s=%d", name, []int{1, 2, 3, 4, 6, 8}[rng.IntN(6)])
			})
		}
	case 1:
		pattern, edit = manualPattern, func(found string) string {
			list := split(manualPattern.FindStringSubmatch(found)[1])
			return "manual_axes={" + strings.Join(mutateList(list, axesOf(text, rng), rng), ", ") + "}"
		}
	}
	return replaceOne(pattern, text, rng, edit)
}

// replaceOne returns text with a match of the pattern, chosen at random, replaced by the result of
// edit. It returns text itself if nothing matches.
func replaceOne(pattern *regexp.Regexp, text string, rng *rand.Rand, edit func(string) string) string {
	places := pattern.FindAllStringIndex(text, -1)
	if len(places) == 0 {
		return text
	}
	at := places[rng.IntN(len(places))]
	return text[:at[0]] + edit(text[at[0]:at[1]]) + text[at[1]:]
}

// axesOf returns axes as the text of a sharding has them, in quotes, of a random mesh of the module
// text; sub-axes are among them, some of them invalid, and seldom an unknown axis. If the text has
// no mesh, it returns "a" alone.
func axesOf(text string, rng *rand.Rand) []string {
	meshes := meshPattern.FindAllStringSubmatch(text, -1)
	if len(meshes) == 0 {
		return []string{`"a"`}
	}
	var axes []string
	for _, a := range axisPattern.FindAllStringSubmatch(meshes[rng.IntN(len(meshes))][2], -1) {
		axes = append(axes, `"`+a[1]+`"`)
		if rng.IntN(4) == 0 {
			axes = append(axes, fmt.Sprintf(`"%s":(%d)%d`, a[1], 1+rng.IntN(3), 1+rng.IntN(4)))
		}
	}
	if len(axes) == 0 || rng.IntN(40) == 0 {
		axes = append(axes, `"nowhere"`)
	}
	return axes
}

func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ", ")
}

// mutateList returns a copy of list in which one element was added, removed, replaced or swapped,
// at random. New elements are from axes.
func mutateList(list, axes []string, rng *rand.Rand) []string {
	list = slices.Clone(list)
	if len(list) == 0 {
		return append(list, axes[rng.IntN(len(axes))])
	}
	i := rng.IntN(len(list))
	switch rng.IntN(4) {
	case 0:
		return slices.Insert(list, rng.IntN(len(list)+1), axes[rng.IntN(len(axes))])
	case 1:
		return slices.Delete(list, i, i+1)
	case 2:
		list[i] = axes[rng.IntN(len(axes))]
	default:
		k := rng.IntN(len(list))
		list[i], list[k] = list[k], list[i]
	}
	return list
}

// shardingText is the text of a sharding, split into parts.
type shardingText struct {
	mesh string
	dims []dimText
	sets map[string][]string // the axes of replicated and unreduced
}

type dimText struct {
	axes     []string
	open     bool
	priority string
}

func parseSharding(text string) *shardingText {
	parts := shardingPattern.FindStringSubmatch(text)
	s := &shardingText{mesh: parts[1], sets: make(map[string][]string)}
	for _, d := range dimPattern.FindAllStringSubmatch(parts[2], -1) {
		dim := dimText{axes: split(d[1]), priority: d[2]}
		if n := len(dim.axes); n > 0 && dim.axes[n-1] == "?" {
			dim.axes, dim.open = dim.axes[:n-1], true
		}
		s.dims = append(s.dims, dim)
	}
	for _, set := range setPattern.FindAllStringSubmatch(parts[3], -1) {
		s.sets[set[1]] = split(set[2])
	}
	return s
}

func (s *shardingText) String() string {
	var dims []string
	for _, d := range s.dims {
		axes := d.axes
		if d.open {
			axes = append(slices.Clone(axes), "?")
		}
		dims = append(dims, "{"+strings.Join(axes, ", ")+"}"+d.priority)
	}
	out := "<" + s.mesh + ", [" + strings.Join(dims, ", ") + "]"
	for _, set := range []string{"replicated", "unreduced"} {
		if len(s.sets[set]) > 0 {
			out += ", " + set + "={" + strings.Join(s.sets[set], ", ") + "}"
		}
	}
	return out + ">"
}

// mutateSharding returns found, the text of one sharding in text, with a random change. Mostly the
// result is valid.
func mutateSharding(found, text string, rng *rand.Rand) string {
	s := parseSharding(found)
	axes := axesOf(text, rng)
	if rng.IntN(5) > 0 { // uses only unused axes
		axes = slices.DeleteFunc(axes, func(a string) bool { return strings.Contains(found, a) })
	}
	var d *dimText
	if len(s.dims) > 0 {
		d = &s.dims[rng.IntN(len(s.dims))]
	}
	switch n := rng.IntN(15); {
	case n == 0 && rng.IntN(3) == 0:
		s.dims = append(s.dims, dimText{open: true})
	case n == 1 && rng.IntN(3) == 0 && d != nil:
		s.dims = s.dims[1:]
	case n == 2 && rng.IntN(3) == 0:
		s.mesh = "@no_mesh"
	case n <= 3 && len(axes) > 0:
		set := []string{"replicated", "unreduced"}[rng.IntN(2)]
		s.sets[set] = mutateList(s.sets[set], axes, rng)
	case d == nil:
	case n <= 6:
		d.open = !d.open
	case n <= 8:
		d.priority = fmt.Sprintf("p%d", rng.IntN(3))
	case n <= 10 && len(d.axes) > 0: // moves an axis to another dimension
		o := &s.dims[rng.IntN(len(s.dims))]
		a := d.axes[0]
		d.axes = d.axes[1:]
		o.axes = append(slices.Clone(o.axes), a)
	case n == 11 && len(d.axes) > 0: // replaces an axis by a sub-axis
		i := rng.IntN(len(d.axes))
		d.axes = slices.Clone(d.axes)
		d.axes[i] = fmt.Sprintf("%s:(%d)%d", d.axes[i], 1+rng.IntN(2), 2+rng.IntN(2))
	case len(axes) > 0:
		d.axes = mutateList(d.axes, axes, rng)
	case len(d.axes) > 0:
		d.axes = d.axes[1:]
	}
	return s.String()
}

// opMutations are functions that change a module's ops at random. Those that occur several times
// are chosen more often.
var opMutations = []func(m *ir.Module, rng *rand.Rand){
	annotateRandomly, annotateRandomly, constrain, constrain, unconstrain, block, join, hold, reorder, hide, callTwice, returnMore, reuse,
}

// randomSharding returns a sharding of the given rank on one of m's meshes, for a random test. If
// possible, one axis shards one dimension, which is open or closed; all others are open. It returns
// nil if m has no mesh.
func randomSharding(m *ir.Module, rank int, rng *rand.Rand) *layout.Sharding {
	if len(m.Meshes) == 0 {
		return nil
	}
	dm := m.Meshes[rng.IntN(len(m.Meshes))].Mesh
	s := layout.OpenSharding(dm, rank)
	if axes := dm.Axes(); rank > 0 && len(axes) > 0 {
		d := &s.Dims[rng.IntN(rank)]
		d.Axes = []mesh.AxisRef{{Name: axes[rng.IntN(len(axes))].Name}}
		d.Open = rng.IntN(2) == 0
	}
	return s
}

// randomValue returns a random function of m, and a random value in it that is not a token; the
// value is nil if there is none.
func randomValue(m *ir.Module, rng *rand.Rand) (*ir.Func, *ir.Value) {
	f := m.Funcs[rng.IntN(len(m.Funcs))]
	values := slices.Clone(f.Params())
	f.Walk(func(op *ir.Op) {
		if op.Info().Is(ir.ScalarBody) {
			return
		}
		values = append(values, op.Results...)
		for _, r := range op.Regions {
			values = append(values, r.Args...)
		}
	})
	values = slices.DeleteFunc(values, func(v *ir.Value) bool {
		return v.Type.IsToken() || isInScalarBody(v)
	})
	if len(values) == 0 {
		return f, nil
	}
	return f, values[rng.IntN(len(values))]
}

func isInScalarBody(v *ir.Value) bool {
	for op := v.Block().Parent(); op != nil; op = op.Block().Parent() {
		if op.Info().Is(ir.ScalarBody) {
			return true
		}
	}
	return false
}

// annotateRandomly gives a random value of m, or a result of its function, a random sharding, or
// none.
func annotateRandomly(m *ir.Module, rng *rand.Rand) {
	f, v := randomValue(m, rng)
	switch {
	case v == nil:
	case len(f.Results) > 0 && rng.IntN(4) == 0:
		r := &f.Results[rng.IntN(len(f.Results))]
		r.Sharding = randomSharding(m, r.Type.Rank(), rng)
	case rng.IntN(5) == 0:
		v.Sharding = nil
	default:
		v.Sharding = randomSharding(m, v.Type.Rank(), rng)
	}
}

// insert inserts op right after v in f. If op has a result, uses of v then use it: all, or each
// with probability one half.
func insert(f *ir.Func, v *ir.Value, op *ir.Op, rng *rand.Rand) {
	if len(op.Results) > 0 {
		all := rng.IntN(2) == 0
		f.Walk(func(user *ir.Op) {
			for i, o := range user.Operands {
				if o == v && user != op && (all || rng.IntN(2) == 0) {
					user.SetOperand(i, op.Result())
				}
			}
		})
	}
	new(ir.Builder).AfterValue(v).Insert(op)
}

// constrain adds a random sharding constraint to a random value of m. A module without values or
// meshes stays.
func constrain(m *ir.Module, rng *rand.Rand) {
	f, v := randomValue(m, rng)
	if v == nil || len(m.Meshes) == 0 {
		return
	}
	s := randomSharding(m, v.Type.Rank(), rng)
	for d := range s.Dims {
		s.Dims[d].Open = s.Dims[d].Open && rng.IntN(3) == 0
	}
	op := ir.NewOp(ir.OpShardingConstraint, []*ir.Value{v}, ir.Attrs{{Name: "sharding", Value: ir.ShardingAttr{Sharding: s}}}, []ir.Type{v.Type})
	insert(f, v, op, rng)
}

// unconstrain removes a random sharding constraint from a random function of m, if it has one.
func unconstrain(m *ir.Module, rng *rand.Rand) {
	f := m.Funcs[rng.IntN(len(m.Funcs))]
	var all []*ir.Op
	f.Walk(func(op *ir.Op) {
		if op.Kind == ir.OpShardingConstraint {
			all = append(all, op)
		}
	})
	if len(all) == 0 {
		return
	}
	op := all[rng.IntN(len(all))]
	op.ReplaceWith(op.Operands[0])
}

// block adds a propagation barrier in a random direction to a random value of m. A module without
// values stays.
func block(m *ir.Module, rng *rand.Rand) {
	f, v := randomValue(m, rng)
	if v == nil {
		return
	}
	direction := ir.Enum([]string{"NONE", "FORWARD", "BACKWARD", "BOTH"}[rng.IntN(4)])
	insert(f, v, ir.NewOp(ir.OpPropagationBarrier, []*ir.Value{v}, ir.Attrs{{Name: "allowed_direction", Value: direction}}, []ir.Type{v.Type}), rng)
}

// hold adds an optimization barrier to a random value of m.
func hold(m *ir.Module, rng *rand.Rand) {
	if f, v := randomValue(m, rng); v != nil {
		insert(f, v, ir.NewOp(ir.OpOptimizationBarrier, []*ir.Value{v}, nil, []ir.Type{v.Type}), rng)
	}
}

// join puts two random values of m into a sharding group; their types mostly are equal. If it finds
// no second one in 20 tries, it puts only one there.
func join(m *ir.Module, rng *rand.Rand) {
	var first *ir.Value
	for i := 0; i < 20; i++ {
		f, v := randomValue(m, rng)
		if v == nil || first != nil && !first.Type.Equal(v.Type) && rng.IntN(20) > 0 {
			continue
		}
		insert(f, v, ir.NewOp(ir.OpShardingGroup, []*ir.Value{v}, ir.Attrs{{Name: "group_id", Value: ir.Int(rng.IntN(2))}}, nil), rng)
		if first != nil {
			return
		}
		first = v
	}
}

// reorder changes the order of the functions of m at random.
func reorder(m *ir.Module, rng *rand.Rand) {
	rng.Shuffle(len(m.Funcs), func(i, k int) { m.Funcs[i], m.Funcs[k] = m.Funcs[k], m.Funcs[i] })
}

// hide changes the visibility of a random function of m.
func hide(m *ir.Module, rng *rand.Rand) {
	f := m.Funcs[rng.IntN(len(m.Funcs))]
	f.Private = !f.Private
}

// callTwice repeats at most one call in a random function of m, with the same operands. In main,
// and in the only function of a module, the function also returns the results of the second call.
func callTwice(m *ir.Module, rng *rand.Rand) {
	f := m.Funcs[rng.IntN(len(m.Funcs))]
	for op := range f.Body.Ops() {
		if op.Kind != ir.OpCall || rng.IntN(2) == 0 {
			continue
		}
		var types []ir.Type
		for _, r := range op.Results {
			types = append(types, r.Type)
		}
		again := ir.NewOp(ir.OpCall, slices.Clone(op.Operands), op.Attrs, types)
		again.InsertAfter(op)
		if f == m.Main() || len(m.Funcs) == 1 {
			for _, r := range again.Results {
				returnValue(f, r)
			}
		}
		return
	}
}

// returnMore makes a function that is never called return one more of its values, chosen at random.
// It does nothing if the chosen function has callers.
func returnMore(m *ir.Module, rng *rand.Rand) {
	f, v := randomValue(m, rng)
	if v == nil || v.Block() != f.Body || isCalled(m, f) {
		return
	}
	returnValue(f, v)
}

func returnValue(f *ir.Func, v *ir.Value) {
	end := f.Body.Terminator()
	if end == nil {
		return
	}
	end.AddOperands(v)
	f.Results = append(f.Results, ir.FuncResult{Type: v.Type})
}

func isCalled(m *ir.Module, f *ir.Func) bool {
	called := false
	for _, g := range m.Funcs {
		g.Walk(func(op *ir.Op) {
			if op.Kind == ir.OpCall {
				name, _ := op.Attrs.Get("callee").(ir.Symbol)
				called = called || string(name) == f.Name
			}
		})
	}
	return called
}

// reuse makes operands of ops in a random function of m other values of the same type that are
// defined before the op. Each operand has a chance of one in four if the value drawn for it has the
// type.
func reuse(m *ir.Module, rng *rand.Rand) {
	f := m.Funcs[rng.IntN(len(m.Funcs))]
	values := slices.Clone(f.Params())
	for op := range f.Body.Ops() {
		for i, v := range op.Operands {
			k := 0
			if len(values) > 0 {
				k = rng.IntN(len(values))
			}
			if k < len(values) && values[k].Type.Equal(v.Type) && rng.IntN(4) == 0 {
				op.SetOperand(i, values[k])
			}
		}
		values = append(values, op.Results...)
	}
}
