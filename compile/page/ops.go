package page

// This file makes the columns of ops and values.

import (
	"fmt"
	"strings"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/explain"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// ops has the columns of all ops of the function main, except those in scalar bodies such as that
// of a reduction, in the order of schedule; the ops of a region come after the op that has it.
// Texts are indices into Page.Strings.
type ops struct {
	Kind  column `json:"kind"`
	Layer column `json:"layer"` // index in layers
	Phase column `json:"phase"`
	Where column `json:"where"` // source line
	Depth column `json:"depth"` // number of regions around it
	Flops column `json:"flops"` // of one run
	Bytes column `json:"bytes"` // sent in one run
	Runs  column `json:"runs"`
	Axes  column `json:"axes"`  // the axes of a collective: index in Page.AxisSets, or -1
	Why   column `json:"why"`   // the reason of a collective
	Time  column `json:"time"`  // of one run, in picoseconds
	Alike column `json:"alike"` // the first corresponding op of the repeated layers

	Operands lists `json:"operands"` // values
	Results  lists `json:"results"`
}

// values has the columns of all values: first the inputs, then results and arguments of regions in
// program order.
type values struct {
	Name column `json:"name"`
	Type column `json:"type"` // type of the part on a device
	Def  column `json:"def"`  // the op that makes it, or -1
	Runs column `json:"runs"` // layout: index in Page.Shardings, or -1
	// Story is the value before partitioning: index in Page.Stories, or -1.
	Story column `json:"story"`
}

// rows makes the columns.
type rows struct {
	*Page
	program *program.Program
	sent    map[*ir.Op]cost.Collective
	work    map[*ir.Op]work
	machine *cost.Machine
	names   map[*ir.Value]string
	byName  map[string]*ir.Value // the first value with each name
	values  map[*ir.Value]int    // index in Page.Values
	ops     map[*ir.Op]int       // index in Page.Ops
	order   []*ir.Op             // the ops in the order of Page.Ops
	all     []*ir.Value          // the values in the order of Page.Values
}

// work is the FLOPs of one run of an op, and the number of runs.
type work struct{ flops, runs int }

// addOps adds all ops and values of the program to the page, with their stories, and all columns
// that follow from them. It returns the rows that it has added, for further columns.
func (p *Page) addOps(pr *program.Program, e *explain.Explanation, m *cost.Machine, u cost.Usage) *rows {
	f := pr.Module.Main()
	r := &rows{
		Page: p, program: pr, machine: m, byName: map[string]*ir.Value{}, sent: map[*ir.Op]cost.Collective{}, work: map[*ir.Op]work{}, names: f.Names(),
		values: map[*ir.Value]int{}, ops: map[*ir.Op]int{},
	}
	for _, c := range cost.Collectives(pr.Mesh, f) {
		r.sent[c.Op] = c
	}
	for i, v := range f.Params() {
		r.addValue(v, -1, shownName(pr, i))
	}
	cost.Work(f, func(op *ir.Op, flops, runs int) { r.work[op] = work{flops, runs} })
	for _, op := range schedule(f, u.Curve) {
		r.addOp(op)
	}
	r.addLayers()
	r.addTimes(pr.Mesh, f)
	r.addMemory(u)
	r.addStories(e, r.all)
	return r
}

// addOp adds an op and the ops of its regions, except scalar bodies.
func (r *rows) addOp(op *ir.Op) {
	r.addRow(op)
	if op.Info().Is(ir.ScalarBody) {
		return
	}
	for _, region := range op.Regions {
		for inner := range region.Ops() {
			r.addOp(inner)
		}
	}
}

// addRow adds the row of op, and the rows of its results and of the arguments of its regions,
// except scalar bodies. It adds no ops of regions. The operands of op must have rows.
func (r *rows) addRow(op *ir.Op) {
	o, at := &r.Ops, len(r.Ops.Kind)
	r.ops[op], r.order = at, append(r.order, op)
	var operands, results []int
	for _, v := range op.Operands {
		at, ok := r.values[v]
		if !ok {
			panic(fmt.Sprintf("BUG: page: %s stands before an operand that it reads", op))
		}
		operands = append(operands, at)
	}
	for _, v := range op.Results {
		results = append(results, r.addValue(v, at, ""))
	}
	if !op.Info().Is(ir.ScalarBody) {
		for _, region := range op.Regions {
			for _, v := range region.Args {
				r.addValue(v, at, "")
			}
		}
	}
	c, sends := r.sent[op]
	runs, axes, why := r.work[op].runs, -1, ""
	if sends {
		runs, axes = c.Runs, r.addAxes(c.Axes)
		text, _ := op.Attrs.Get("why").(ir.String)
		why = string(text)
	}
	o.Kind = append(o.Kind, r.strings.add(op.FullName()))
	o.Where = append(o.Where, r.strings.add(sourceLine(op.Loc)))
	o.Depth = append(o.Depth, depth(op))
	o.Flops, o.Bytes, o.Runs = append(o.Flops, r.work[op].flops), append(o.Bytes, c.Bytes), append(o.Runs, runs)
	o.Axes, o.Why = append(o.Axes, axes), append(o.Why, r.strings.add(why))
	o.Operands.add(operands)
	o.Results.add(results)
}

// addValue adds the row of a value and returns its index. op is the index of the op that makes the
// value or has it as an argument of a region, or -1 for an input of the program. name is the name
// to show for an input. For other values it is empty, and the value's own name is shown.
func (r *rows) addValue(v *ir.Value, op int, name string) int {
	at := len(r.Values.Name)
	r.values[v], r.all = at, append(r.all, v)
	if r.byName[r.names[v]] == nil {
		r.byName[r.names[v]] = v
	}
	if name == "" {
		name = r.names[v]
	}
	r.Values.Name = append(r.Values.Name, r.strings.add(name))
	r.Values.Type = append(r.Values.Type, r.strings.add(v.Type.Short()))
	r.Values.Def = append(r.Values.Def, op)
	return at
}

// sourceLine returns the source line of a location as file:line, "" if it has none.
func sourceLine(l ir.Location) string {
	if l.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", strings.TrimPrefix(l.File, "./"), l.Line)
}

// depth returns the number of regions around op.
func depth(op *ir.Op) int {
	n := 0
	for b := op.Block(); b != nil && b.Parent() != nil; b = b.Parent().Block() {
		n++
	}
	return n
}
