package ir

// This file verifies blocks and ops.

import (
	"fmt"
	"slices"
)

// args verifies the arguments of a block. It returns false if one is nil.
func (v *verifier) args(b *Block) bool {
	for i, a := range b.Args {
		if a == nil {
			v.report(b.parent, RuleLink, "argument %d is missing (nil)", i)
			return false
		}
		if a.block != b || a.def != nil || a.index != i {
			v.report(b.parent, RuleLink, "argument %d of the block belongs elsewhere", i)
		}
		v.typ(b.parent, "argument", i, a.Type)
		v.sharding(b.parent, "argument", i, a.Sharding, a.Type)
	}
	return true
}

// block verifies the ops of a block; the arguments must have been verified. It returns true if the
// block ends with the given terminator and all its operands are present, so that the types of the
// operands can be compared. Another end is a violation only if needed is true.
func (v *verifier) block(b *Block, terminator OpKind, needed bool) bool {
	i, prev := 0, (*Op)(nil)
	for op := b.first; op != nil; op = op.next {
		if op.block != b {
			v.report(op, RuleLink, "the op stands in a block that it does not belong to")
		}
		if _, twice := v.visited[op]; twice {
			// without names: numbering values would not end
			v.names = newPrinter(v.mod, PrintOptions{})
			v.report(op, RuleLink, "the op stands in the function twice")
			return false
		}
		if op.prev != prev {
			v.report(op, RuleLink, "the op before it in the block is %s, but it says %s", lastName(prev), lastName(op.prev))
		}
		v.visited[op] = false
		if op.Info().Is(Terminator) && i < b.len-1 {
			v.report(op, RuleTerminator, "the op ends a block, but %d ops follow", b.len-1-i)
		}
		v.op(op)
		v.visited[op] = true
		i, prev = i+1, op
	}
	if i != b.len || prev != b.last {
		v.report(b.parent, RuleLink, "the block has %d ops, of which %s is the last one, but it says %d and %s", i, lastName(prev), b.len, lastName(b.last))
		return false
	}
	last := b.Terminator()
	if last == nil || last.Kind != terminator {
		if needed {
			v.report(b.parent, RuleTerminator, "the block ends in %s, want %s", lastName(last), terminator)
		}
		return false
	}
	for _, o := range last.Operands {
		if o == nil {
			return false
		}
	}
	return true
}

func lastName(op *Op) string {
	if op == nil {
		return "nothing"
	}
	return op.FullName()
}

func (v *verifier) op(op *Op) {
	if op.Kind < 0 || op.Kind >= NumOps {
		v.violations = append(v.violations, Violation{Func: v.f.Name, Loc: op.Loc, Pos: op.Pos, Rule: RuleForm, Text: fmt.Sprintf("op of kind %d, which does not exist", int(op.Kind))})
		return
	}
	info := op.Info()
	ok := v.operands(op) && v.resultLinks(op, info)
	outer := v.manual
	if op.Kind == OpManualComputation {
		v.manual = slices.Concat(outer, attrOf[AxesAttr](op, "manual_axes"))
	}
	for i, r := range op.Regions {
		ok = v.region(op, i, r) && ok
	}
	v.manual = outer
	if !ok {
		return
	}
	if err := checkForm(op, info); err != nil {
		v.report(op, RuleForm, "%v", err)
		return
	}
	if err := checkTypes(op); err != nil {
		v.report(op, RuleType, "%v", err)
	}
	v.attrShardings(op, info)
	if len(op.Results) == 0 {
		v.checkResultless(op, op.Attrs)
	}
	if check := sdyChecks[op.Kind]; check != nil {
		if err := check(v, op); err != nil {
			v.report(op, RuleShardy, "%v", err)
		}
	}
	if info.Is(OnMesh) {
		if err := v.checkOnMesh(op); err != nil {
			v.report(op, RuleSharding, "%v", err)
		}
	}
	if callee, ok := calleeOf(op); ok {
		v.call(op, callee)
	}
}

// useLists verifies that the uses of each value are exactly the operands that hold it, in ops of
// the function.
func (v *verifier) useLists(f *Func) {
	for _, a := range f.Body.Args {
		v.usesOf(a)
	}
	f.Walk(func(op *Op) {
		if len(op.slots) != len(op.Operands) {
			v.report(op, RuleUse, "has %d operands, of which %d are counted as uses: change operands with SetOperand", len(op.Operands), len(op.slots))
			return
		}
		for i, o := range op.Operands {
			s := &op.slots[i]
			if s.value != o || s.op != op || s.index != i || o != nil && !s.isListed() {
				v.report(op, RuleUse, "operand %d, %s, is not in the list of its uses: change operands with SetOperand", i, v.ref(o))
			}
		}
		for _, r := range op.Results {
			v.usesOf(r)
		}
		for _, r := range op.Regions {
			for _, a := range r.Args {
				v.usesOf(a)
			}
		}
	})
}

// isListed reports whether s is in the list of uses of its value.
func (s *operandSlot) isListed() bool {
	before, after := s.value.first, s.value.last
	if s.prev != nil {
		before = s.prev.next
	}
	if s.next != nil {
		after = s.next.prev
	}
	return before == s && after == s
}

// usesOf verifies that the uses of value are operands of ops in the function.
func (v *verifier) usesOf(value *Value) {
	var prev *operandSlot
	for s := value.first; s != nil; s = s.next {
		if s.value != value || s.prev != prev || s.index >= len(s.op.Operands) || s.op.Operands[s.index] != value {
			v.report(value.def, RuleUse, "a use of %s is operand %d of %s, which is another value", v.ref(value), s.index, s.op.FullName())
			return
		}
		if !v.f.contains(s.op) {
			v.report(value.def, RuleUse, "%s is used by %s, which is not in the function: erase what is dropped", v.ref(value), s.op.FullName())
		}
		prev = s
	}
	if prev != value.last {
		v.report(value.def, RuleUse, "the list of the uses of %s has two ends", v.ref(value))
	}
}

// contains reports whether op is in the body of f, or in a region there.
func (f *Func) contains(op *Op) bool {
	for b := op.block; b != nil; b = b.parent.block {
		if b.parent == nil {
			return b == f.Body
		}
	}
	return false
}

// operands verifies that op may use each of its operands. It returns false if one is nil, which it
// reports.
func (v *verifier) operands(op *Op) bool {
	for i, o := range op.Operands {
		if o == nil {
			v.report(op, RuleLink, "operand %d is missing (nil)", i)
			return false
		}
		if !v.dominates(o, op) {
			v.report(op, RuleDominance, "operand %d, %s, %s", i, v.ref(o), v.whyNot(o, op))
		}
	}
	return true
}

// dominates reports whether op may use value: value is defined before op and visible there.
func (v *verifier) dominates(value *Value, op *Op) bool {
	home := value.Block()
	for b := op.block; b != nil; b = b.parent.block {
		if b == home {
			if value.def == nil {
				return true
			}
			return v.visited[value.def]
		}
		if b.parent == nil || b.parent.Info().Traits&(ScalarBody|Isolated) != 0 {
			return false
		}
	}
	return false
}

// whyNot returns a text for a message that says why value does not dominate op.
func (v *verifier) whyNot(value *Value, op *Op) string {
	home := value.Block()
	if home == nil {
		return "belongs to no block"
	}
	for b := op.block; b != nil; {
		if b == home {
			if value.def == nil || v.visited[value.def] {
				return fmt.Sprintf("is defined outside of the region, which sees only its own arguments: pass it to %s as an operand", isolatedAncestor(op))
			}
			return "is defined later, or is no longer in its block"
		}
		if b.parent == nil {
			break
		}
		b = b.parent.block
	}
	root := home
	for root.parent != nil && root.parent.block != nil {
		root = root.parent.block
	}
	if root != v.f.Body {
		return "belongs to another function or to an op that was removed"
	}
	return "is defined in another region"
}

// isolatedAncestor returns the name of the innermost op around op whose region cannot use values
// from outside.
func isolatedAncestor(op *Op) string {
	for b := op.block; b != nil && b.parent != nil; b = b.parent.block {
		if b.parent.Info().Traits&(ScalarBody|Isolated) != 0 {
			return b.parent.FullName()
		}
	}
	return op.FullName()
}

// resultLinks reports results of op that are missing, of a wrong number, or linked to another op,
// and returns false for these. Of other results it verifies types and shardings, and returns true.
func (v *verifier) resultLinks(op *Op, info *OpInfo) bool {
	if !info.Results.Allows(len(op.Results)) {
		v.report(op, RuleForm, "has %d results, want %s", len(op.Results), info.Results)
		return false
	}
	for i, r := range op.Results {
		if r == nil {
			v.report(op, RuleLink, "result %d is missing (nil)", i)
			return false
		}
		if r.def != op || r.index != i {
			v.report(op, RuleLink, "result %d belongs to another op", i)
			return false
		}
		v.typ(op, "result", i, r.Type)
		v.sharding(op, "result", i, r.Sharding, r.Type)
	}
	return true
}

// region verifies region i of op. It returns false if the types of op cannot be verified against
// the region, because the region is too broken.
func (v *verifier) region(op *Op, i int, b *Block) bool {
	if b == nil {
		v.report(op, RuleLink, "region %d is missing (nil)", i)
		return false
	}
	if b.parent != op {
		v.report(op, RuleLink, "region %d belongs to another op: add regions with AddRegion", i)
		return false
	}
	return v.args(b) && (v.block(b, terminatorOf(op), op.Kind != OpUnregistered) || op.Kind == OpUnregistered)
}

// knownDType says for each element type whether it has a spelling.
var knownDType = func() (known [64]bool) {
	for _, e := range dtypeTexts {
		known[e.dtype] = true
	}
	return known
}()

// typ verifies that t is well formed. It is the type of op's value number i of the kind what, such
// as "operand".
func (v *verifier) typ(op *Op, what string, i int, t Type) {
	if t.IsToken() && len(t.Dims) > 0 || !t.IsToken() && (t.DType < 0 || int(t.DType) >= len(knownDType) || !knownDType[t.DType]) {
		v.report(op, RuleType, "%s %d has type %s, want an element type that MLIR spells", what, i, t)
	}
	if slices.ContainsFunc(t.Dims, func(d int) bool { return d < 0 }) {
		v.report(op, RuleType, "%s %d has type %s, want sizes of 0 or more", what, i, t)
	} else if err := t.CheckSize(); err != nil {
		v.report(op, RuleType, "%s %d: %v", what, i, err)
	}
}
