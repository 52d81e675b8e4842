package roles

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
)

// AliasAttr is the attribute that marks a donated parameter. Its value is the index of the result
// that takes over the parameter's buffers.
const AliasAttr = "tf.aliasing_output"

// Donee returns the number of the result that takes over the buffers of parameter i, or -1 if there
// is none, or AliasAttr is not the number of a result.
func Donee(f *ir.Func, i int) int {
	if i >= len(f.ArgAttrs) {
		return -1
	}
	out, ok := f.ArgAttrs[i].Get(AliasAttr).(ir.Int32)
	if !ok || int(out) < 0 || int(out) >= len(f.Results) {
		return -1
	}
	return int(out)
}

// Of returns the role of each parameter of f. If f does not state it, Of infers it. A parameter
// that is not donated is data. A donated parameter is the optimizer's unless some result depends on
// it that takes over no parameter's buffers, such as the loss; in that case it is a weight. For
// slots of an optimizer only change weights and slots, but weights also change the loss.
func Of(f *ir.Func) []ir.Role {
	donated := make([]bool, len(f.Results))
	for i := range f.Params() {
		if a := Donee(f, i); a >= 0 {
			donated[a] = true
		}
	}
	var kept []*ir.Value
	for i, v := range f.Returned() {
		if !donated[i] {
			kept = append(kept, v)
		}
	}
	needed := Sources(kept...)
	out := make([]ir.Role, len(f.Params()))
	for i, p := range f.Params() {
		stated, ok := f.StatedRole(i)
		switch {
		case ok:
			out[i] = stated
		case Donee(f, i) < 0:
			out[i] = ir.RoleData
		case needed[p]:
			out[i] = ir.RoleParameter
		default:
			out[i] = ir.RoleOptimizer
		}
	}
	return out
}

// SlotsOf returns, for each parameter of f that is a donated weight, the indices of the optimizer's
// slots of that weight: the optimizer's parameters of the same shape that the weight's new value
// depends on. Other parameters have none, and scalars are never slots. roles are the roles of the
// parameters, as Of returns them.
func SlotsOf(f *ir.Func, roles []ir.Role) [][]int {
	weight := map[int]int{} // index of the weight, by the result that is its new value
	for i := range f.Params() {
		if out := Donee(f, i); out >= 0 && roles[i] == ir.RoleParameter {
			weight[out] = i
		}
	}
	slots := make([][]int, len(roles))
	for j, q := range f.Params() {
		if roles[j] != ir.RoleOptimizer || q.Type.Rank() == 0 {
			continue
		}
		for _, out := range resultsThatNeed(f, q) {
			if i, ok := weight[out]; ok && slices.Equal(f.Params()[i].Type.Dims, q.Type.Dims) {
				slots[i] = append(slots[i], j)
			}
		}
	}
	return slots
}

// resultsThatNeed returns the numbers of the results of f that depend on v, in ascending order.
func resultsThatNeed(f *ir.Func, v *ir.Value) []int {
	var out []int
	end := f.Body.Terminator()
	seen := map[*ir.Op]bool{}
	todo := []*ir.Value{v}
	for len(todo) > 0 {
		v, todo = todo[len(todo)-1], todo[:len(todo)-1]
		for u := range v.Uses() {
			op := u.Op
			if op == end {
				out = append(out, u.Operand)
				continue
			}
			for ; op != nil && !seen[op]; op = op.Parent() { // the results of an op depend on its regions
				seen[op] = true
				todo = append(todo, op.Results...)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Sources returns the set of vs and all values that they are computed from, also through regions
// and ops with side effects inside them.
func Sources(vs ...*ir.Value) map[*ir.Value]bool {
	found, marked := map[*ir.Value]bool{}, map[*ir.Op]bool{}
	var todo []*ir.Op
	mark := func(op *ir.Op) {
		if op != nil && !marked[op] {
			marked[op] = true
			todo = append(todo, op)
		}
	}
	need := func(v *ir.Value) {
		found[v] = true
		mark(v.Def())
	}
	for _, v := range vs {
		need(v)
	}
	for len(todo) > 0 {
		op := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, r := range op.Regions {
			for inner := range r.Ops() {
				if inner.Info().Is(ir.Terminator) || transform.HasSideEffect(inner) {
					mark(inner)
				}
			}
		}
		for _, v := range op.Operands {
			need(v)
		}
	}
	return found
}
