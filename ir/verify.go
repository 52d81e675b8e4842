package ir

// This file verifies modules, and their functions as a whole. Ops are verified by verify_op.go;
// attributes, shardings and Shardy's ops by verify_attrs.go.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/errlist"
	"github.com/gospmd/gospmd/mesh"
)

// Rule is the name of a rule that Verify checks.
type Rule string

// The rules.
const (
	// RuleMesh: each mesh is present and has a name, and no two have the same name.
	RuleMesh Rule = "mesh"
	// RuleFunc: each function has a name, and no two functions have the same one, nor a function
	// and a mesh. A function without ops is a declaration and private.
	RuleFunc Rule = "func"
	// RuleParam: no two parameters have the same name; a parameter may be without a name. There are
	// as many ArgAttrs as parameters.
	RuleParam Rule = "param"
	// RuleAlias: tf.aliasing_output is the number of a result that has the parameter's type. No two
	// parameters have the same number.
	RuleAlias Rule = "alias"
	// RuleResult: a function returns values of the result types that it declares.
	RuleResult Rule = "result"
	// RuleCall: the callee exists and has the signature that the call needs. No function calls
	// itself, directly or through others.
	RuleCall Rule = "call"
	// RuleLink: ops, blocks, arguments and results link to the op, block or function that contains
	// them. Each is in one place only. Nothing is nil.
	RuleLink Rule = "link"
	// RuleUse: the uses of a value are exactly the operands that hold it, all of them of ops in the
	// function.
	RuleUse Rule = "use"
	// RuleTerminator: each block ends with the terminator that its op demands, and has no other. A
	// function may end with stablehlo.return, and a region of an unregistered op with any op.
	RuleTerminator Rule = "terminator"
	// RuleDominance: an operand is defined before its use, and visible there. The bodies of
	// reductions and of Shardy's computations cannot use values from outside.
	RuleDominance Rule = "dominance"
	// RuleForm: the numbers of operands, results and regions are those of the op's definition. Its
	// attributes are present, of the right kind, given once, and known to the definition.
	// Attributes with a dialect in their name, such as mhlo.sharding, and those of XLA, such as
	// xla_shape, are always allowed; an unregistered op may have any.
	RuleForm Rule = "form"
	// RuleType: types are well formed. Those of results are what the shape rule returns.
	RuleType Rule = "type"
	// RuleSharding: a sharding is valid for the rank of its value, by layout.Sharding.Validate. One
	// on a maximal mesh has no other parts. That of a token names no axes. In the body of a manual
	// computation a sharding has none of the manual axes. A list of shardings has one for each
	// value; that of an op without results only names a mesh.
	RuleSharding Rule = "sharding"
	// RuleListed: the module lists the mesh of a sharding.
	RuleListed Rule = "listed"
	// RuleShardy: Shardy's ops meet the other rules of Shardy's verifier; see sdyChecks.
	RuleShardy Rule = "shardy"
)

// Violation says that a rule is broken at one place.
type Violation struct {
	Func string // name without @; empty: the violation is of the module
	// text of the op that breaks the rule, such as %7 = stablehlo.add; empty: the whole function does
	Op   string
	Loc  Location
	Pos  Position // place in the parsed text
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

// Violations is the error of Verify: all violations that it found. Those of meshes and of the
// functions' names come first, then those of one function after the other.
type Violations []Violation

// violationsShown is the largest number of lines in the text of Violations.
const violationsShown = 20

// Error returns one line for each group of similar violations, but at most violationsShown of them,
// and then how many more there are.
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

// Verify returns all violations in m as a Violations, or nil if there is none. The rules are the
// constants of type Rule. Checks that need a sound form are left out where it is broken: an op of a
// wrong form is not checked further, and of its form, its types and Shardy's rules only the first
// violation is reported. Recursion is looked for only if there are no other violations.
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
	calls      bool // some op calls a function

	f      *Func
	manual []mesh.AxisRef // the manual axes of the manual computations around the current op
	names  *printer       // the names of f's values; nil until a message needs them
	// the ops of f that were visited; false while the op itself or an op inside it is checked, true
	// afterwards: then ops that follow in its block may use its results
	visited map[*Op]bool
}

// report adds a violation of the rule by op, with its place; if op is nil, by the current function
// or, outside of functions, by the module. format and args give the text.
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

// describe returns the results and the name of op: %3:2 = stablehlo.sort.
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

// ref returns the name of a value, such as %3 or %3#1, that the printed module has for it.
func (v *verifier) ref(value *Value) string {
	if v.names == nil {
		v.names = newPrinter(v.mod, PrintOptions{})
		v.names.numberFunc(v.f.Body)
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
		end = OpReturn // JAX ends the comparators for ApproxTopK in this way
	}
	before := len(v.violations)
	if v.block(f.Body, end, true) {
		v.results(f)
	}
	// a broken link may lead anywhere
	if !slices.ContainsFunc(v.violations[before:], func(f Violation) bool { return f.Rule == RuleLink }) {
		v.useLists(f)
	}
}

// params verifies the parameters: their names, their attributes, and the result that takes over the
// buffer of each.
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

// param returns the name of a parameter for a message: its own in quotes, or that of the printer.
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

// call verifies that the module has callee, and that its signature fits op, which calls it. It
// notes in v that there are calls.
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
	}{{"operands", TypesOf(op.Operands), TypesOf(f.Body.Args)}, {"results", TypesOf(op.Results), results}} {
		if !sameTypes(side.got, side.want) {
			v.report(op, RuleCall, "calls @%s with %s of types %s, want %s", callee, side.what, typesText(side.got), typesText(side.want))
		}
	}
}

// calleeOf returns the name of the function that op, a call or a composite, calls. ok is false for
// any other op, and if op does not have the name.
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

// recursion reports each call in a function that leads back to the function, directly or through
// others. It does nothing if the module has no calls, or other violations.
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
	if !v.calls || v.violations != nil { // after violations, links may be broken
		return
	}
	for _, f := range v.mod.Funcs {
		if state[f] == 0 {
			visit(f)
		}
	}
}
