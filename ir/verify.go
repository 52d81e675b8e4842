package ir

// This file verifies modules: what concerns the module and its functions as a
// whole. Ops are in verify_op.go; attributes, shardings and Shardy's ops in
// verify_attrs.go.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/errlist"
	"github.com/gospmd/gospmd/mesh"
)

// Rule names a rule that Verify checks.
type Rule string

// The rules.
const (
	// RuleMesh: meshes and their names are there and unique.
	RuleMesh Rule = "mesh"
	// RuleFunc: function names are there and unique; a function without ops
	// is a declaration and private.
	RuleFunc Rule = "func"
	// RuleParam: the names of parameters, where given, are unique; there are
	// as many ArgAttrs as parameters.
	RuleParam Rule = "param"
	// RuleAlias: tf.aliasing_output names a result of the parameter's type,
	// which no other parameter names.
	RuleAlias Rule = "alias"
	// RuleResult: a function returns what it says it does.
	RuleResult Rule = "result"
	// RuleCall: the callee exists, its signature fits, and no function calls
	// itself, be it through others.
	RuleCall Rule = "call"
	// RuleLink: every op, block, argument and result knows where it stands,
	// and stands nowhere else; nothing is nil.
	RuleLink Rule = "link"
	// RuleUse: the uses of a value are the operands that it stands in: none is
	// missing, and none belongs to an op outside of the function.
	RuleUse Rule = "use"
	// RuleTerminator: each block ends in the terminator that its op wants, and
	// none stands before the end.
	RuleTerminator Rule = "terminator"
	// RuleDominance: an operand is defined before its use and visible there:
	// the bodies of reductions and of Shardy's computations see nothing from
	// outside.
	RuleDominance Rule = "dominance"
	// RuleForm: numbers of operands, results and regions fit the op's definition; its
	// attributes are there, of their kind, and known; those with a dialect in
	// their name, such as mhlo.sharding, are free.
	RuleForm Rule = "form"
	// RuleType: types are well formed, and those of the results are what the
	// shape rule says.
	RuleType Rule = "type"
	// RuleSharding: a sharding is valid for the rank of its value as
	// layout.Sharding.Validate has it; one on a single device says nothing else.
	// In the body of a manual computation it names none of the manual axes.
	RuleSharding Rule = "sharding"
	// RuleListed: the mesh of a sharding is one that the module lists.
	RuleListed Rule = "listed"
	// RuleShardy: what Shardy's verifier asks of its ops beyond types and
	// shardings; see verify_attrs.go.
	RuleShardy Rule = "shardy"
)

// Violation is a rule broken at one place.
type Violation struct {
	Func string // without @; empty: it is about the module
	Op   string // %7 = stablehlo.add; empty: it is about the function
	Loc  Location
	Pos  Position // of the parsed text
	Rule Rule
	Text string
}

// String returns the violation in one line:
// step.mlir:12:5: @main: %7 = stablehlo.add at d1: operand 1 …
func (f Violation) String() string {
	var b strings.Builder
	if at := f.Pos.String(); at != "" {
		b.WriteString(at + ": ")
	}
	if f.Func != "" {
		b.WriteString("@" + f.Func + ": ")
	}
	if f.Op != "" {
		b.WriteString(f.Op)
		if !f.Loc.IsZero() {
			b.WriteString(" at " + f.Loc.String())
		}
		b.WriteString(": ")
	}
	b.WriteString(f.Text)
	return b.String()
}

// Violations is the error of Verify: every one that it found, in program order.
type Violations []Violation

// violationsShown bounds the text of an error, not the list.
const violationsShown = 20

// Error returns one line for each cause.
func (fs Violations) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.String()
	}
	lines = errlist.Fold(lines)
	if n := len(lines) - violationsShown; n > 0 {
		lines = append(lines[:violationsShown], fmt.Sprintf("and %d more", n))
	}
	text := strings.Join(lines, "\n\t")
	if len(fs) > 1 {
		text = fmt.Sprintf("%d violations:\n\t%s", len(fs), text)
	}
	return "ir: " + text
}

// Verify reports every violation in m, as Violations, or nil. Of each op it reports
// the first violation of each rule. The rules are the constants of type Rule.
func Verify(m *Module) error {
	v := &verifier{mod: m, funcs: make(map[string]*Func, len(m.Funcs))}
	v.meshes()
	for _, f := range m.Funcs {
		if f.Name == "" {
			v.report(nil, RuleFunc, "a function has no name")
		}
		if slices.ContainsFunc(m.Meshes, func(nm NamedMesh) bool { return nm.Name == f.Name }) {
			v.report(nil, RuleFunc, "a function and a mesh have the name @%s", f.Name)
		}
		if v.funcs[f.Name] != nil {
			v.report(nil, RuleFunc, "two functions have the name @%s", f.Name)
		}
		v.funcs[f.Name] = f
	}
	for _, f := range m.Funcs {
		v.function(f)
	}
	v.recursion()
	if len(v.violations) > 0 {
		return v.violations
	}
	return nil
}

// verifier collects the violations of a module.
type verifier struct {
	mod        *Module
	funcs      map[string]*Func
	violations Violations
	calls      bool // an op calls a function

	f       *Func
	manual  []mesh.AxisRef // the axes of the manual computations around the current op
	names   *printer       // the names of f's values; nil until a message needs them
	visited map[*Op]bool   // the ops of f met so far; true: they stand before the current one
}

// report adds a violation by op, or of the current function where op is nil.
func (v *verifier) report(op *Op, rule Rule, format string, args ...any) {
	found := Violation{Rule: rule, Text: fmt.Sprintf(format, args...)}
	if v.f != nil {
		found.Func, found.Loc, found.Pos = v.f.Name, v.f.Loc, v.f.Pos
	}
	if op != nil {
		found.Op, found.Loc, found.Pos = v.describe(op), op.Loc, op.Pos
	}
	v.violations = append(v.violations, found)
}

// describe returns the op's results and name: %3:2 = stablehlo.sort.
func (v *verifier) describe(op *Op) string {
	switch n := len(op.Results); {
	case n == 0 || op.Results[0] == nil:
		return op.FullName()
	case n == 1:
		return v.ref(op.Results[0]) + " = " + op.FullName()
	default:
		name, _, _ := strings.Cut(v.ref(op.Results[0]), "#")
		return fmt.Sprintf("%s:%d = %s", name, n, op.FullName())
	}
}

// ref returns the name of a value as the printer has it.
func (v *verifier) ref(value *Value) string {
	if v.names == nil {
		v.names = newPrinter(v.mod, PrintOptions{})
		v.names.number(v.f.Body, counters{})
	}
	return v.names.ref(value)
}

func (v *verifier) meshes() {
	for i, nm := range v.mod.Meshes {
		if nm.Name == "" {
			v.report(nil, RuleMesh, "mesh %d has no name", i)
		}
		if nm.Mesh == nil {
			v.report(nil, RuleMesh, "mesh @%s has no value (nil)", nm.Name)
		}
		for _, o := range v.mod.Meshes[:i] {
			if o.Name == nm.Name {
				v.report(nil, RuleMesh, "two meshes have the name @%s", nm.Name)
			}
		}
	}
}

func (v *verifier) function(f *Func) {
	v.f, v.names, v.manual, v.visited = f, nil, nil, make(map[*Op]bool, f.Body.Len())
	defer func() { v.f = nil }()
	if f.Body.parent != nil {
		v.report(nil, RuleLink, "the body of the function is also a region of %s", f.Body.parent.FullName())
	}
	if !v.args(f.Body) {
		return
	}
	v.params(f)
	v.checkResultless(nil, f.Attrs)
	for i, r := range f.Results {
		v.typ(nil, "result", i, r.Type)
		v.sharding(nil, "result", i, r.Sharding, r.Type)
	}
	if f.Body.Len() == 0 {
		if !f.Private {
			v.report(nil, RuleFunc, "the function has no ops: end it with Return, or make a declaration private")
		}
		return
	}
	end := OpFuncReturn
	if last := f.Body.Terminator(); last != nil && last.Kind == OpReturn {
		end = OpReturn // as the comparators end that JAX makes for ApproxTopK
	}
	before := len(v.violations)
	if v.block(f.Body, end, true) {
		v.results(f)
	}
	// else links may lead anywhere
	if !slices.ContainsFunc(v.violations[before:], func(f Violation) bool { return f.Rule == RuleLink }) {
		v.useLists(f)
	}
}

// params verifies names, attributes, and which result takes over a
// parameter's buffer.
func (v *verifier) params(f *Func) {
	if len(f.ArgAttrs) != len(f.Body.Args) {
		v.report(nil, RuleParam, "has %d parameters and attributes for %d: want the same number", len(f.Body.Args), len(f.ArgAttrs))
		return
	}
	seen := make(map[string]bool, len(f.Body.Args))
	donors := make(map[int]int)
	for i, p := range f.Body.Args {
		if seen[p.Name] && p.Name != "" {
			v.report(nil, RuleParam, "two parameters have the name %q", p.Name)
		}
		seen[p.Name] = true
		a := f.ArgAttrs[i].Get("tf.aliasing_output")
		if a == nil {
			continue
		}
		index, ok := a.(Int32)
		out := int(index)
		switch {
		case !ok:
			v.report(nil, RuleAlias, "tf.aliasing_output of parameter %s is a %T, want %s", v.param(p), a, KindInt32)
		case out < 0 || out >= len(f.Results):
			v.report(nil, RuleAlias, "tf.aliasing_output of parameter %s is %d, want one of the %d results", v.param(p), out, len(f.Results))
		default:
			if t := f.Results[out].Type; !t.Equal(p.Type) {
				v.report(nil, RuleAlias, "parameter %s of type %s is donated to result %d of type %s: want the same type", v.param(p), p.Type, out, t)
			}
			if o, twice := donors[out]; twice {
				v.report(nil, RuleAlias, "parameters %s and %s are both donated to result %d", v.param(f.Body.Args[o]), v.param(p), out)
			}
			donors[out] = i
		}
	}
}

// param names a parameter in a message.
func (v *verifier) param(p *Value) string {
	if p.Name != "" {
		return fmt.Sprintf("%q", p.Name)
	}
	return v.ref(p)
}

func (v *verifier) results(f *Func) {
	got := f.Returned()
	if len(got) != len(f.Results) {
		v.report(f.Body.Terminator(), RuleResult, "returns %d values, the function says %d", len(got), len(f.Results))
		return
	}
	for i, r := range f.Results {
		if !got[i].Type.Equal(r.Type) {
			v.report(f.Body.Terminator(), RuleResult, "returns %s as result %d, the function says %s", got[i].Type, i, r.Type)
		}
	}
}

// call verifies the signature of the function that op calls.
func (v *verifier) call(op *Op, callee Symbol) {
	v.calls = true
	f := v.funcs[string(callee)]
	if f == nil {
		v.report(op, RuleCall, "calls @%s, which the module does not have", callee)
		return
	}
	results := make([]Type, len(f.Results))
	for i, r := range f.Results {
		results[i] = r.Type
	}
	for _, side := range []struct {
		what      string
		got, want []Type
	}{{"operands", typesOf(op.Operands), typesOf(f.Body.Args)}, {"results", typesOf(op.Results), results}} {
		if !sameTypes(side.got, side.want) {
			v.report(op, RuleCall, "calls @%s with %s of types %s, want %s", callee, side.what, typesText(side.got), typesText(side.want))
		}
	}
}

// calleeOf returns the function that op calls, if it does.
func calleeOf(op *Op) (Symbol, bool) {
	name := ""
	switch op.Kind {
	case OpCall:
		name = "callee"
	case OpComposite:
		name = "decomposition"
	default:
		return "", false
	}
	s, ok := op.Attrs.Get(name).(Symbol)
	return s, ok
}

// recursion looks for a function that calls itself.
func (v *verifier) recursion() {
	const open, done = 1, 2
	state := make(map[*Func]int, len(v.funcs))
	var visit func(f *Func)
	visit = func(f *Func) {
		state[f] = open
		f.Walk(func(op *Op) {
			callee, ok := calleeOf(op)
			if !ok {
				return
			}
			switch g := v.funcs[string(callee)]; {
			case g == nil:
			case state[g] == open:
				v.violations = append(v.violations, Violation{Func: f.Name, Op: op.FullName(), Loc: op.Loc, Pos: op.Pos, Rule: RuleCall,
					Text: fmt.Sprintf("calls @%s, which calls @%s: recursion is not possible", callee, f.Name)})
			case state[g] == 0:
				visit(g)
			}
		})
		state[f] = done
	}
	if !v.calls || v.violations != nil { // with violations, links may be broken
		return
	}
	for _, f := range v.mod.Funcs {
		if state[f] == 0 {
			visit(f)
		}
	}
}
