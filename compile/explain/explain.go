package explain

// This file finds out, for each value, what it is, what layout was asked for, and what runs.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/sharding"
)

// Explanation explains the values of one compiled module.
type Explanation struct {
	// Values are all values of the module in program order: the parameters of each function and the
	// results of its ops, including ops in regions; then the results of main. Values in the bodies
	// of reductions and similar ops are left out, because they are scalars of one device.
	Values []*Value
	// Err says why the module could not be compiled. No value then has Runs.
	Err error

	trail  *Trail
	byName map[string]*Value
	asked  map[*ir.Value]*Value // story of each value of the module that was propagated
	// maps a value to the steps of the layout search that changed its sharding
	steps map[*ir.Value][]int
}

// Kind says what a Value is.
type Kind string

// The kinds.
const (
	Parameter Kind = "parameter" // of a function
	Argument  Kind = "argument"  // of a region
	Made      Kind = "value"     // by an op
	Result    Kind = "result"    // of main
)

// Value is the story of one value.
type Value struct {
	// the name that gospmd opt and partition print, such as %12; for a result of main "result loss"
	Name  string
	Kind  Kind
	Path  string // name of a parameter or a result, such as d1/kernel
	Op    string // the op that makes it; for an argument, the op that has the region
	Layer string // layer path of Op, such as grad(d1)
	Where string // the user's source line, such as model.go:12
	Type  ir.Type

	// Asked is the layout that annotations and their propagation ask for, closed. It is nil if
	// nothing is sharded: on one device, and if the value was removed before propagation.
	Asked *layout.Sharding
	// Annotated is the annotation of the value itself, or nil.
	Annotated *layout.Sharding
	// Runs lists the values of a device in the final program that hold this value: first those that
	// are computed, then copies in other layouts, each in program order. It is empty if no op
	// computes the value.
	Runs []Run

	e       *Explanation
	id      *ir.ValueID
	source  *ir.Op            // the op that makes it in the original module
	global  *ir.Value         // the value in the module in which shardings were propagated
	subject *sharding.Subject // the same value, for explanations
}

// Run is a value of the program that each device runs.
type Run struct {
	Name  string  // name in that program
	Op    string  // the op that makes it, such as stablehlo.dot_general or spmd.all_reduce
	Local ir.Type // its local shape
	// the part of the value that this one holds; with unreduced axes it is a partial result
	Sharding *layout.Sharding
	computes bool // the op computes the value, and does not just copy it
}

// New returns the explanation for the trail that a compilation recorded: of parameters, op results
// and results of main, also if the compilation failed.
func New(t *Trail) *Explanation {
	e := &Explanation{
		Err: t.Err, trail: t,
		byName: map[string]*Value{}, asked: map[*ir.Value]*Value{}, steps: map[*ir.Value][]int{},
	}
	for i, s := range t.Search {
		for _, v := range s.Values {
			e.steps[v] = append(e.steps[v], i)
		}
	}
	values := make([]*Value, len(t.Marks.Values)) // by number of the value
	number := 0
	eachValue(t.Source, func(v *ir.Value, op *ir.Op) {
		id := t.Marks.Values[number]
		if value := e.newValue(v, op, id); value != nil {
			values[number] = value
			e.add(value)
		}
		number++
	})
	e.addResults()
	e.addRuns(values)
	return e
}

// OfProgram returns the explanation of a program that was read from a file. It has no values, because
// the file does not have the module that the program was made of.
func OfProgram(p *program.Program) *Explanation {
	return &Explanation{trail: &Trail{Program: p}}
}

// Program returns the final program. It is nil if there is none; Err then says why.
func (e *Explanation) Program() *program.Program { return e.trail.Program }

// add adds v to e.Values, and to the maps that find values by name and by the value in which
// propagation recorded them.
func (e *Explanation) add(v *Value) {
	e.Values = append(e.Values, v)
	if e.byName[v.Name] == nil { // sibling regions may share names; the first one counts
		e.byName[v.Name] = v
	}
	if v.global != nil && e.asked[v.global] == nil {
		e.asked[v.global] = v
	}
}

// newValue returns the story of v, with the identity id, without its Runs. op is the op that makes
// v, or whose region has v as an argument; nil for a parameter of a function. It returns nil for
// values in the bodies of reductions.
func (e *Explanation) newValue(v *ir.Value, op *ir.Op, id *ir.ValueID) *Value {
	out := &Value{Name: id.String(), Kind: Made, Type: v.Type, e: e, id: id, source: op}
	switch {
	case isInScalarBody(v):
		return nil
	case op == nil:
		out.Kind, out.Op, out.Path = Parameter, "parameter", v.Name
	case v.IsArg():
		out.Kind = Argument
	}
	if op != nil {
		loc := op.Loc
		out.Op, out.Layer = op.FullName(), loc.Path
		if loc.Path = ""; !loc.IsZero() {
			out.Where = loc.String()
		}
	}
	if out.global = e.trail.Global[id]; out.global != nil {
		out.ask(e.trail.Propagated.Of(out.global))
	}
	return out
}

// ask sets v's layout after propagation, Asked, and its annotation; s is what propagation knows of
// the value. A value without a layout is replicated. nil, a value that propagation does not know,
// changes nothing.
func (v *Value) ask(s *sharding.Subject) {
	if s == nil {
		return
	}
	v.subject, v.Asked = s, s.Sharding()
	if v.Asked == nil {
		v.Asked = layout.Replicated(v.e.trail.Mesh, v.Type.Rank())
	}
	v.Annotated, _ = s.Annotation()
}

// isInScalarBody reports whether v is in the body of a reduction or in a similar scalar body.
func isInScalarBody(v *ir.Value) bool {
	for b := v.Block(); b != nil && b.Parent() != nil; b = b.Parent().Block() {
		if b.Parent().Info().Is(ir.ScalarBody) {
			return true
		}
	}
	return false
}

// addResults adds the results of main to e, each with its asked layout and, if there is a program,
// its per-device form.
func (e *Explanation) addResults() {
	f := e.trail.Source.Main()
	for i, r := range f.Results {
		v := &Value{Name: fmt.Sprintf("result %d", i), Kind: Result, Op: "result", Path: r.Name, Type: r.Type, e: e}
		if r.Name != "" {
			v.Name = "result " + r.Name
		}
		if i < len(e.trail.Results) {
			v.ask(e.trail.Results[i])
		}
		if p := e.trail.Program; p != nil && i < len(p.Outputs) {
			out := p.Outputs[i]
			v.Runs = []Run{{Name: v.Name, Op: "result", Local: out.Local, Sharding: out.Sharding, computes: true}}
		}
		e.add(v)
	}
}

// addRuns adds to each of values, which have their numbers as indexes, its Runs: the values of the
// partitioned program that come from it, with their ops and shardings. Without a program it does
// nothing.
func (e *Explanation) addRuns(values []*Value) {
	p := e.trail.Program
	if p == nil {
		return
	}
	names := map[*ir.Value]string{}
	for _, f := range p.Module.Funcs {
		for v, name := range f.Names() {
			names[v] = name
		}
	}
	eachValue(p.Module, func(v *ir.Value, op *ir.Op) {
		for _, o := range v.Origins {
			value := values[o.Of.Number]
			if value == nil {
				continue
			}
			run := Run{Name: names[v], Op: "parameter", Local: v.Type, Sharding: o.Sharding}
			if op != nil {
				run.Op = op.FullName()
			}
			run.computes = op == nil || v.IsArg() || slices.ContainsFunc(op.Loc.Op.All(), func(id *ir.OpID) bool { return slices.Contains(id.Results, o.Of) })
			value.Runs = append(value.Runs, run)
		}
	})
	for _, v := range values {
		if v != nil {
			v.Runs = sortRuns(v.Runs)
		}
	}
}

// sortRuns sorts the runs: those that compute the value come first. Of several in one layout it
// keeps only the first.
func sortRuns(runs []Run) (out []Run) {
	slices.SortStableFunc(runs, func(a, b Run) int {
		switch {
		case a.computes == b.computes:
			return 0
		case a.computes:
			return -1
		}
		return 1
	})
	for _, r := range runs {
		if !slices.ContainsFunc(out, func(o Run) bool { return sameLayout(o.Sharding, r.Sharding) && o.Local.Equal(r.Local) }) {
			out = append(out, r)
		}
	}
	return out
}

// Value returns the value with the name, with or without its %. If regions have several values of
// that name, it returns the first. The error, for an unknown name, suggests names that may be
// meant.
func (e *Explanation) Value(name string) (*Value, error) {
	for _, n := range []string{name, "%" + name} {
		if v := e.byName[n]; v != nil {
			return v, nil
		}
	}
	var known []string
	for _, v := range e.Values {
		known = append(known, v.Name)
	}
	return nil, fmt.Errorf("there is no value %s%s: gospmd opt prints the names of all", name, suggest.DidYouMean(name, known))
}

// Input returns the parameter or the result of main with the path, such as d1/kernel. The error
// suggests paths that may be meant.
func (e *Explanation) Input(path string) (*Value, error) {
	var known []string
	for _, v := range e.Values {
		if v.Path == "" || v.Kind == Parameter && v.id.Func != "" {
			continue
		}
		if v.Path == path {
			return v, nil
		}
		known = append(known, v.Path)
	}
	return nil, fmt.Errorf("there is no parameter or result %q%s: there are %s", path, suggest.DidYouMean(path, known), suggest.Quote(known))
}

// Chains returns, for each axis of the layout that is asked for, its path back from the value to
// the annotation: one line for each step. Similar layers, and ops that only pass layouts on, share
// a line. It returns nil if propagation does not shard the value.
func (v *Value) Chains() []sharding.Origin {
	if v.subject == nil {
		return nil
	}
	return v.subject.Origins()
}

// Conflicts returns the axes that shard a neighbour of the value, but not the value, with the
// reasons; nil if it has no sharding.
func (v *Value) Conflicts() []sharding.Loss {
	if v.subject == nil {
		return nil
	}
	return v.subject.Losses()
}

// sameLayout reports whether two shardings of a tensor put the same data on each device. nil is the
// same only as nil.
func sameLayout(a, b *layout.Sharding) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.Equal(a.Unreduced, b.Unreduced) && slices.EqualFunc(a.Dims, b.Dims, func(x, y layout.DimSharding) bool {
		return slices.Equal(x.Axes, y.Axes)
	})
}
