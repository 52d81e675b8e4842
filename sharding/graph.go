package sharding

// This file builds the graph that propagation works on. Its nodes are tensors, each with a
// sharding, and steps, which relate tensors by a rule.

import (
	"fmt"

	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

// tensor is a node with one sharding: a value, a data-flow edge or a function's result.
type tensor struct {
	fn       *ir.Func
	value    *ir.Value      // nil for a function's result
	result   *ir.FuncResult // nil for a value
	typ      ir.Type
	sharding *layout.Sharding // the current sharding, on an interned mesh; nil: fully open
	listed   *mesh.DeviceMesh // the mesh in the program's text; equal to the mesh of sharding
	changed  int              // the graph's clock at the last change of sharding
	readers
	group *[]*tensor // its sharding group, or nil
	// the manual axes of the manual computation around the tensor, which must not shard it
	manual []mesh.AxisRef
	origin *layout.Sharding // its annotation
	// the rule or constraint that annotated the value; empty: the value itself is annotated
	annotatedBy string
	incoming    []propagationEdge // how its axes came, in order
}

// readers are the steps to run again if a sharding changes.
type readers struct {
	steps []*step
	def   *step // the step among them whose op defines the value, or nil
}

// step relates tensors. It stands for an op with its rule, for a data-flow edge, or for a
// function's result and the value that is returned as this result.
type step struct {
	op      *ir.Op  // nil: the step of a function's result
	slots   []*slot // the operands, then the results
	rule    *factor.Rule
	allowed direction // directions that the op allows, besides the rule's blocked factors
	options stepOptions
	place   int  // position of op in graph.ops
	idle    idle // when it last had nothing to do
}

func (s *step) results() []*slot { return s.slots[len(s.rule.Operands):] }

// slot is a tensor in one step of propagation, in the form in which the step sees it.
type slot struct {
	*tensor
	// converts the tensor's sharding to the form in which the step sees it; nil: they are the same
	view *sdy.ManualView
	arg  *readers // set for the argument of a loop, which shares the tensor of the loop's result
}

// dependents returns the steps that read the value of the slot.
func (s *slot) dependents() *readers {
	if s.arg != nil {
		return s.arg
	}
	return &s.readers
}

// get returns the sharding of the slot's tensor in the form in which the step sees it; nil if it
// has none.
func (s *slot) get() *layout.Sharding {
	if s.view == nil {
		return s.sharding
	}
	return s.view.Enter(s.sharding)
}

// put stores the sharding that the step has computed for its tensor. sh is in the form in which the
// step sees it: a view converts it back. listed is the mesh of the program's text that is equal to
// the mesh of sh; it is the mesh of the sharding that graph.store writes.
func (s *slot) put(sh *layout.Sharding, listed *mesh.DeviceMesh) {
	if s.view != nil {
		sh = s.view.Leave(sh)
	}
	s.sharding, s.listed = sh, listed
}

// excludedAxes returns the axes that must not shard the tensor, besides the replicated and
// unreduced ones in its sharding: those of the manual computation around it.
func (s *slot) excludedAxes() []mesh.AxisRef {
	if s.view != nil {
		return s.view.Free
	}
	return s.manual
}

// graph is a module in the form that propagation works on.
type graph struct {
	module  *ir.Module
	tensors []*tensor // in program order
	byValue map[*ir.Value]*tensor
	uses    map[*ir.Value]int    // number of uses
	needed  []int                // number of uses of all results of an op, by the op's place
	edges   map[*ir.Value]*ir.Op // data-flow edges by owner
	// readers of the arguments of loops that have no data-flow edge
	loopArgs     map[*ir.Value]*readers
	applied      int                    // number of times that a step has run
	ops          []*ir.Op               // in program order
	place        map[*ir.Op]int         // position of an op in ops
	gone         []bool                 // by place: the op was dead when it was visited
	users        map[*ir.Value][]*ir.Op // users of a value; nil until some op is dead
	clock        int                    // number of changes so far
	dirs         []direction            // directions of the current step
	room         stepRoom
	round        priorityRound
	steps        []*step // steps of ops, by place; nil if an op relates no tensors
	returns      []*step // the steps of function results
	groups       map[int]*[]*tensor
	meshes       []*mesh.DeviceMesh // interned
	conservative bool
	bare         bool
	constrained  map[*ir.Value]*ir.Op // values that got the sharding of a constraint
}

// stepRoom is memory of the current step, which the next step uses again.
type stepRoom struct {
	shardings  []*layout.Sharding
	projection factor.Projection
	before     []mesh.AxisList
}

// newGraph builds the graph of m, with o's fields Conservative and Bare. constrained has the values
// that got the sharding of a constraint, with the constraint. It sets the shardings of m's values
// to the stated ones. It returns an error if a sharding, or a rule that the program states, does
// not fit.
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

// intern returns the first mesh that is equal to dm of those it was called with: equal meshes then
// have one pointer to compare.
func (g *graph) intern(dm *mesh.DeviceMesh) *mesh.DeviceMesh {
	for _, m := range g.meshes {
		if m == dm || m.Equal(dm) {
			return m
		}
	}
	g.meshes = append(g.meshes, dm)
	return dm
}

// addTensors adds the tensors of the values of f. All tensors must be added before the first step:
// a region may use a value whose edge comes later in the program, and a call uses tensors of other
// functions. A sharding that does not suit its value is an error.
func (g *graph) addTensors(f *ir.Func) error {
	for i, v := range f.Params() {
		if err := g.addTensor(f, v); err != nil {
			what := fmt.Sprintf("parameter %d", i)
			if v.Name != "" {
				what = "parameter " + v.Name
			}
			return wrapError(f, what, err)
		}
	}
	return g.addBlockTensors(f, f.Body)
}

// addSteps adds the propagation steps of all ops of f, and those of its results if its callers know
// their shardings. The error names the function.
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
		return nil // its callers do not know its results' shardings
	}
	for i, v := range f.Returned() {
		if err := g.addReturn(f, i, v); err != nil {
			return err
		}
	}
	return nil
}

// addBlockTensors adds the tensors of all values that ops of the block b of f, and of the regions
// in it, define. It sets the sharding of each value to the one that is stated for it. Values whose
// sharding an edge holds are left out. A sharding that does not suit its value is an error.
func (g *graph) addBlockTensors(f *ir.Func, b *ir.Block) error {
	for op := range b.Ops() {
		for i, v := range op.Results {
			if g.edges[v] != nil {
				continue // its edge holds the sharding
			}
			v.Sharding = sdy.StatedSharding(v)
			if err := g.addTensor(f, v); err != nil {
				return wrapError(f, fmt.Sprintf("result %d of %s", i, op.FullName()), err)
			}
		}
		if op.Info().Is(ir.ScalarBody) {
			continue
		}
		for _, r := range op.Regions {
			for i, v := range r.Args {
				if g.edges[v] != nil || !sdy.IsOwnArg(v) {
					continue // its edge holds the sharding, or it has none
				}
				v.Sharding = sdy.StatedSharding(v)
				if err := g.addTensor(f, v); err != nil {
					return wrapError(f, fmt.Sprintf("argument %d of %s", i, op.FullName()), err)
				}
			}
			if err := g.addBlockTensors(f, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// addTensor adds the tensor of v, a value of f, with its sharding, unless v is a token. A sharding
// that does not suit the type is an error.
func (g *graph) addTensor(f *ir.Func, v *ir.Value) error {
	if v.Type.IsToken() {
		return nil
	}
	t := &tensor{fn: f, value: v, typ: v.Type, annotatedBy: g.annotationOf(f, v)}
	if err := g.load(t, v.Sharding); err != nil {
		return err
	}
	g.byValue[v] = t
	g.tensors = append(g.tensors, t)
	return nil
}

// wrapError returns err, with the name of function f, and what, the part of f that has the error,
// in front.
func wrapError(f *ir.Func, what string, err error) error {
	return fmt.Errorf("sharding: function %s: %s: %w", f.Name, what, err)
}

// LayoutRuleAttr is the attribute of a parameter or constraint that names the rule of the layout
// map that annotated it. Only explanations use it.
const LayoutRuleAttr = "gospmd.layout_rule"

// annotationOf returns what annotated v, for explanations: "rule KEY" for a rule of a layout map,
// or the description of the constraint that ApplyConstraints applied. It returns "" if the program
// does not state it.
func (g *graph) annotationOf(f *ir.Func, v *ir.Value) string {
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

// load makes s the annotation, the sharding and its origin of t. The mesh of s is replaced by the
// equal one of the graph. nil changes nothing. A sharding that does not suit the type of t is an
// error.
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

// tensorOf returns the tensor that holds the sharding of v, or nil if v cannot have one. A value
// that flows between blocks has the tensor of its edge. If there is no edge, the argument of a loop
// has the tensor of the loop's result.
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

// slotOf returns the slot of v in a step. A value that cannot be sharded gets a tensor of its own.
func (g *graph) slotOf(v *ir.Value) *slot {
	t := g.tensorOf(v)
	if t == nil { // v cannot be sharded: a tensor for this step only
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

// addStep adds the step of op to the graph: by its sharding rule, or as a data-flow edge. It adds
// none if op relates no tensors. A sharding_group adds its value to the group instead. A stated
// rule that does not fit op is an error.
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
		// a barrier lets sub-axes pass
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

// barrierDirections maps the cases of #sdy<propagation_direction> to the directions that a barrier
// lets shardings through.
var barrierDirections = map[string]direction{"NONE": stay, "FORWARD": forward, "BACKWARD": backward, "BOTH": both}

// enter adds s, which is complete, to the steps of the graph and to the readers of its tensors,
// which make it run again.
func (g *graph) enter(s *step) {
	s.options.sizes = s.rule.TensorSizes()
	s.place = g.place[s.op]
	g.steps[s.place] = s
	slots := s.slots
	if g.bare && s.op.Kind == ir.OpDataFlowEdge && s.op.Operands[0].IsArg() && sdy.IsOwnArg(s.op.Operands[0]) {
		slots = s.results() // Shardy does not run the step of such an edge again when its source changes
	}
	for _, sl := range slots {
		r := sl.dependents()
		r.steps = append(r.steps, s)
	}
	for _, sl := range s.results() {
		sl.dependents().def = s
	}
}

// addReturn adds the tensor of result i of f, and the step that relates it to v, the value that is
// returned. Such steps run twice: before all other steps, and again after them. It adds nothing if
// v cannot be sharded. A sharding of the result that does not suit its type is an error.
func (g *graph) addReturn(f *ir.Func, i int, v *ir.Value) error {
	source := g.tensorOf(v)
	if source == nil {
		return nil
	}
	r := &f.Results[i]
	t := &tensor{fn: f, result: r, typ: v.Type}
	if err := g.load(t, r.Sharding); err != nil {
		return wrapError(f, fmt.Sprintf("result %d", i), err)
	}
	g.tensors = append(g.tensors, t)
	g.returns = append(g.returns, &step{
		slots: []*slot{{tensor: source}, {tensor: t}},
		rule:  identityRule(v.Type, 1), allowed: both,
		options: stepOptions{sizes: []int{1, 1}},
	})
	return nil
}

// identityRule returns the rule of an op with n operands and one result, all of type t, in which
// each dimension passes through.
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

// join adds t to the sharding group id, whose tensors keep the same sharding. A nil t is ignored.
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

// store writes the shardings of the tensors into the values and the function results of the module,
// on the meshes of the program's text.
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
