package sharding

// This file turns a module into what propagation works on: tensors, which hold
// a sharding, and steps, which relate tensors by a rule.

import (
	"fmt"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

// tensor is a place that holds one sharding: a value, a data-flow edge or a
// function's result.
type tensor struct {
	fn       *ir.Func
	value    *ir.Value      // nil for a function's result
	result   *ir.FuncResult // nil for a value
	typ      ir.Type
	sharding *layout.Sharding // nil: open; its mesh is interned
	listed   *mesh.DeviceMesh // the mesh that the program says, which equals the sharding's
	changed  int              // when the sharding last changed, by the graph's clock
	readers
	group       *[]*tensor        // the sharding group it is in, or nil
	manual      []mesh.AxisRef    // axes of a manual computation that must not split it
	origin      *layout.Sharding  // the annotation
	annotatedBy string            // what annotated it, when not the value itself
	incoming    []propagationEdge // where its axes came from, in order
}

// readers are the steps to be run again when a sharding changes.
type readers struct {
	steps []*step
	def   *step // the one among them that defines the value, or nil
}

// step relates tensors: an op with its rule, a data-flow edge, or a function's
// returned value and its result.
type step struct {
	op      *ir.Op  // nil for a function's result
	slots   []*slot // operands, then results
	rule    *factor.Rule
	allowed direction // more than the rule's blocked factors forbid
	options stepOptions
	place   int  // of op
	idle    idle // when it had nothing to do
}

func (s *step) results() []*slot { return s.slots[len(s.rule.Operands):] }

// slot is a tensor as one step sees it.
type slot struct {
	*tensor
	view *sdy.ManualView // nil: as it is
	arg  *readers        // of a loop's argument that has the tensor of the loop's result
}

// dependents returns the steps that look at the value which the slot is of.
func (s *slot) dependents() *readers {
	if s.arg != nil {
		return s.arg
	}
	return &s.readers
}

// get returns the sharding as the step sees it.
func (s *slot) get() *layout.Sharding {
	if s.view == nil {
		return s.sharding
	}
	return s.view.Enter(s.sharding)
}

// put stores a sharding that a step has computed, on the mesh that the program
// says for the step's tensors.
func (s *slot) put(sh *layout.Sharding, listed *mesh.DeviceMesh) {
	if s.view != nil {
		sh = s.view.Leave(sh)
	}
	s.sharding, s.listed = sh, listed
}

// excluded returns the axes that must not split the tensor, beyond those that
// its sharding names.
func (s *slot) excluded() []mesh.AxisRef {
	if s.view != nil {
		return s.view.Free
	}
	return s.manual
}

// graph is a module as propagation sees it.
type graph struct {
	module       *ir.Module
	tensors      []*tensor // in program order
	byValue      map[*ir.Value]*tensor
	uses         map[*ir.Value]int      // number of uses
	needed       []int                  // by place: number of uses of all results
	edges        map[*ir.Value]*ir.Op   // data-flow edges by owner
	loopArgs     map[*ir.Value]*readers // of arguments without an edge
	applied      int                    // how often a step has run
	ops          []*ir.Op               // in program order
	place        map[*ir.Op]int         // position in ops
	gone         []bool                 // by place: ops that were dead when they were visited
	users        map[*ir.Value][]*ir.Op // nil until something is dead
	clock        int                    // counts changes
	dirs         []direction            // of the step at hand
	room         stepRoom
	round        priorityRound
	steps        []*step // by place, nil where an op relates nothing
	returns      []*step // of function results
	groups       map[int]*[]*tensor
	meshes       []*mesh.DeviceMesh // interned
	conservative bool
	bare         bool
	constrained  map[*ir.Value]*ir.Op // values with the sharding of a constraint
}

// stepRoom is memory of the step at hand, which the next one uses again.
type stepRoom struct {
	shardings  []*layout.Sharding
	projection factor.Projection
	before     []mesh.AxisList
}

// newGraph builds the graph of m. The error is about shardings or stated rules
// that do not fit.
func newGraph(m *ir.Module, o Options, constrained map[*ir.Value]*ir.Op) (*graph, error) {
	size := 0
	for _, f := range m.Funcs {
		size += len(f.Params()) + f.Body.Len()
	}
	g := &graph{
		module:       m,
		byValue:      make(map[*ir.Value]*tensor, size),
		uses:         make(map[*ir.Value]int, size),
		edges:        make(map[*ir.Value]*ir.Op),
		loopArgs:     make(map[*ir.Value]*readers),
		groups:       make(map[int]*[]*tensor),
		place:        make(map[*ir.Op]int, size),
		conservative: o.Conservative,
		bare:         o.Bare,
		constrained:  constrained,
	}
	for _, nm := range m.Meshes {
		g.intern(nm.Mesh)
	}
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			g.place[op] = len(g.ops)
			g.ops = append(g.ops, op)
			for _, v := range op.Operands {
				g.uses[v]++
			}
			if op.Kind == ir.OpDataFlowEdge {
				g.edges[op.Operands[0]] = op
			}
		})
	}
	g.gone, g.steps, g.needed = make([]bool, len(g.ops)), make([]*step, len(g.ops)), make([]int, len(g.ops))
	for i, op := range g.ops {
		for _, v := range op.Results {
			g.needed[i] += g.uses[v]
		}
	}
	for _, add := range []func(*ir.Func) error{g.addTensors, g.addSteps} {
		for _, f := range m.Funcs {
			if err := add(f); err != nil {
				return nil, err
			}
		}
	}
	return g, nil
}

// intern returns the mesh that stands for all meshes equal to dm, so that
// meshes can be compared by pointer.
func (g *graph) intern(dm *mesh.DeviceMesh) *mesh.DeviceMesh {
	for _, m := range g.meshes {
		if m == dm || m.Equal(dm) {
			return m
		}
	}
	g.meshes = append(g.meshes, dm)
	return dm
}

// addTensors adds the tensors of one function. All tensors come before the
// first step: regions use values before the walk reaches their edges, and calls
// those of functions.
func (g *graph) addTensors(f *ir.Func) error {
	for i, v := range f.Params() {
		if err := g.addTensor(f, v); err != nil {
			what := fmt.Sprintf("parameter %d", i)
			if v.Name != "" {
				what = "parameter " + v.Name
			}
			return of(f, what, err)
		}
	}
	return g.addBlockTensors(f, f.Body)
}

// addSteps adds the steps of one function.
func (g *graph) addSteps(f *ir.Func) error {
	var err error
	f.Walk(func(op *ir.Op) {
		if err == nil {
			err = g.addStep(op)
		}
	})
	if err != nil {
		return fmt.Errorf("sharding: function %s: %w", f.Name, err)
	}
	if f.Body.Terminator() == nil || f.Body.Terminator().Kind != ir.OpFuncReturn {
		return nil
	}
	if main := sdy.Main(g.module); f.Private && f != main || main != nil && f != main {
		return nil // its callers know nothing of its results' layouts
	}
	for i, v := range f.Returned() {
		if err := g.addReturn(f, i, v); err != nil {
			return err
		}
	}
	return nil
}

// addBlockTensors adds the tensors of the values that ops of the block and of
// the regions in it define.
func (g *graph) addBlockTensors(f *ir.Func, b *ir.Block) error {
	for op := range b.Ops() {
		for i, v := range op.Results {
			if g.edges[v] != nil {
				continue // its edge holds the sharding
			}
			v.Sharding = sdy.StatedSharding(v)
			if err := g.addTensor(f, v); err != nil {
				return of(f, fmt.Sprintf("result %d of %s", i, op.FullName()), err)
			}
		}
		if op.Info().Is(ir.ScalarBody) {
			continue
		}
		for _, r := range op.Regions {
			for i, v := range r.Args {
				if g.edges[v] != nil || !sdy.IsOwnArg(v) {
					continue // its edge holds the sharding, or nothing does
				}
				v.Sharding = sdy.StatedSharding(v)
				if err := g.addTensor(f, v); err != nil {
					return of(f, fmt.Sprintf("argument %d of %s", i, op.FullName()), err)
				}
			}
			if err := g.addBlockTensors(f, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// addTensor adds the tensor of a value, tokens and maximal shardings excepted.
func (g *graph) addTensor(f *ir.Func, v *ir.Value) error {
	if v.Type.IsToken() {
		return nil
	}
	t := &tensor{fn: f, value: v, typ: v.Type, annotatedBy: g.annotatedBy(f, v)}
	if err := g.load(t, v.Sharding); err != nil {
		return err
	}
	g.byValue[v] = t
	g.tensors = append(g.tensors, t)
	return nil
}

// of returns err as one about a value of f.
func of(f *ir.Func, what string, err error) error {
	return fmt.Errorf("sharding: function %s: %s: %w", f.Name, what, err)
}

// LayoutRuleAttr is the attribute of a parameter or constraint that names the rule of a layout
// map that annotated it. Explanations quote it; nothing else looks at it.
const LayoutRuleAttr = "gospmd.layout_rule"

// annotatedBy returns what has annotated v, as far as the program tells: a rule of a
// layout map, or a constraint that ApplyConstraints has applied.
func (g *graph) annotatedBy(f *ir.Func, v *ir.Value) string {
	if v.IsArg() && v.Block() == f.Body && v.Index() < len(f.ArgAttrs) {
		if rule, ok := f.ArgAttrs[v.Index()].Get(LayoutRuleAttr).(ir.String); ok {
			return "rule " + string(rule)
		}
	}
	c := g.constrained[v]
	stated := c
	if d := v.Def(); c == nil && d != nil && d.Kind == ir.OpShardingConstraint {
		stated = d
	}
	if stated != nil {
		if rule, ok := stated.Attrs.Get(LayoutRuleAttr).(ir.String); ok {
			return "rule " + string(rule)
		}
	}
	if c != nil {
		return sdy.Describe(c)
	}
	return ""
}

// load gives t its annotation.
func (g *graph) load(t *tensor, s *layout.Sharding) error {
	if s == nil {
		return nil
	}
	if err := checkSharding(s, t.typ); err != nil {
		return err
	}
	t.listed = s.Mesh
	if m := g.intern(s.Mesh); m != s.Mesh {
		s = s.Clone()
		s.Mesh = m
	}
	t.sharding, t.origin = s, s
	t.recordAnnotation()
	return nil
}

// tensorOf returns the tensor that holds v's sharding, or nil when v can not have one. A value
// that flows between blocks has the tensor of its edge. Without an edge, a loop's argument has
// the tensor of the loop's result.
func (g *graph) tensorOf(v *ir.Value) *tensor {
	if t := g.byValue[v]; t != nil {
		return t
	}
	if edge := g.edgeOf(v); edge != nil {
		return g.byValue[edge.Result()]
	}
	if owner := sdy.EdgeOwner(v); owner != nil && owner != v {
		return g.byValue[owner]
	}
	return nil
}

// slotOf returns the slot of v in a step.
func (g *graph) slotOf(v *ir.Value) *slot {
	t := g.tensorOf(v)
	if t == nil { // one that nobody else sees, of a value that can not be sharded
		return &slot{tensor: &tensor{value: v, typ: v.Type}}
	}
	s := &slot{tensor: t}
	if v.IsArg() && t.value == sdy.EdgeOwner(v) && t.value != v {
		if g.loopArgs[v] == nil {
			g.loopArgs[v] = &readers{}
		}
		s.arg = g.loopArgs[v]
	}
	return s
}

// addStep adds the step of op, if it relates tensors.
func (g *graph) addStep(op *ir.Op) error {
	switch op.Kind {
	case ir.OpDataFlowEdge:
		return g.addEdge(op)
	case ir.OpFuncDataFlowEdge:
		g.addFuncEdge(op)
		return nil
	case ir.OpShardingGroup:
		g.join(op.Int("group_id"), g.tensorOf(op.Operands[0]))
		return nil
	}
	rule, _, err := RuleOf(op, g.conservative)
	if err != nil {
		return err
	}
	if rule == nil || len(rule.Factors) == 0 {
		return nil
	}
	s := &step{op: op, rule: rule, allowed: both}
	if op.Kind == ir.OpPropagationBarrier {
		s.allowed = barrierDirections[op.Enum("allowed_direction")]
	}
	s.options = stepOptions{
		// which lets sub-axes pass
		conservative: g.conservative && op.Kind != ir.OpPropagationBarrier,
		elementwise:  sdy.IsElementwise(op),
	}
	s.slots = make([]*slot, 0, len(op.Operands)+len(op.Results))
	for _, values := range [][]*ir.Value{op.Operands, op.Results} {
		for _, v := range values {
			s.slots = append(s.slots, g.slotOf(v))
		}
	}
	g.enter(s)
	return nil
}

// barrierDirections are the cases of #sdy<propagation_direction>.
var barrierDirections = map[string]direction{"NONE": stay, "FORWARD": forward, "BACKWARD": backward, "BOTH": both}

// enter lists s and has its tensors know it.
func (g *graph) enter(s *step) {
	s.options.sizes = s.rule.TensorSizes()
	s.place = g.place[s.op]
	g.steps[s.place] = s
	slots := s.slots
	if g.bare && s.op.Kind == ir.OpDataFlowEdge && s.op.Operands[0].IsArg() && sdy.IsOwnArg(s.op.Operands[0]) {
		slots = s.results() // Shardy does not look at such an edge again when its source changes
	}
	for _, sl := range slots {
		r := sl.dependents()
		r.steps = append(r.steps, s)
	}
	for _, sl := range s.results() {
		sl.dependents().def = s
	}
}

// addReturn adds the tensor of a function's result and the step that ties it
// to the returned value. These steps run before and after all others.
func (g *graph) addReturn(f *ir.Func, i int, v *ir.Value) error {
	source := g.tensorOf(v)
	if source == nil {
		return nil
	}
	r := &f.Results[i]
	t := &tensor{fn: f, result: r, typ: v.Type}
	if err := g.load(t, r.Sharding); err != nil {
		return of(f, fmt.Sprintf("result %d", i), err)
	}
	g.tensors = append(g.tensors, t)
	g.returns = append(g.returns, &step{
		slots: []*slot{{tensor: source}, {tensor: t}},
		rule:  identityRule(v.Type, 1), allowed: both,
		options: stepOptions{sizes: []int{1, 1}},
	})
	return nil
}

// identityRule relates n tensors and one result of the same type.
func identityRule(t ir.Type, n int) *factor.Rule {
	m := make(factor.TensorMapping, t.Rank())
	r := &factor.Rule{Factors: make([]factor.Factor, t.Rank()), Results: []factor.TensorMapping{m}}
	for d, size := range t.Dims {
		m[d] = []int{d}
		r.Factors[d].Size = size
	}
	for range n {
		r.Operands = append(r.Operands, m)
	}
	return r
}

// join puts t into a sharding group.
func (g *graph) join(id int, t *tensor) {
	if t == nil {
		return
	}
	if g.groups[id] == nil {
		g.groups[id] = new([]*tensor)
	}
	t.group = g.groups[id]
	*t.group = append(*t.group, t)
}

// store writes the shardings back into the module.
func (g *graph) store() {
	for _, t := range g.tensors {
		s := t.sharding
		if s != nil && s.Mesh != t.listed {
			s = s.Clone()
			s.Mesh = t.listed
		}
		switch {
		case t.result != nil:
			t.result.Sharding = s
		default:
			sdy.SetSharding(t.value, s)
		}
	}
}
