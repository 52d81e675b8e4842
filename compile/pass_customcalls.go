package compile

// This file implements two passes for custom calls. approx_top_k replaces an approximate top k by
// a sort and a slice. lapack checks calls of LAPACK, and states their memory layouts.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/internal/lapack"
	"github.com/gospmd/gospmd/ir"
)

// approxTopK replaces an approximate top k by an exact one:
//
//	%1:2 = custom_call @ApproxTopK(%x, %i, %low, %none)      %s:2 = sort(%x, %i)
//	       {reduction_dim = 1, top_k = 3}                =>  %1 = slice %s#0 [:, 0:3]
//
// XLA on CPUs also does so. Then each device can compute its shard along the other dimensions by
// itself.
func approxTopK(c *compilation) error {
	var errs []error
	for _, f := range c.module.Funcs {
		f.Walk(func(op *ir.Op) {
			if op.Kind == ir.OpCustomCall && op.CustomCall().CallTargetName() == "ApproxTopK" {
				errs = append(errs, sortAndSlice(c.module, op))
			}
		})
	}
	return errors.Join(errs...)
}

// sortAndSlice replaces one ApproxTopK by a sort and slices. Its operands are the lists, followed
// by one value for each list, which is an element that is never a result. One without comparator or
// dimension is an error.
func sortAndSlice(m *ir.Module, op *ir.Op) error {
	n := len(op.Results)
	before := comparator(m, op)
	dim, ok := lapack.Attrs(op)["reduction_dim"]
	if len(op.Operands) != 2*n || n == 0 || before == nil || !ok || dim < 0 || int(dim) >= op.Results[0].Type.Rank() {
		return fmt.Errorf("%s: ApproxTopK needs reduction_dim, a comparator, and two operands for each of its %d results: export it with jax.lax.approx_max_k, or use chlo.top_k", op.Place(), n)
	}
	b := (&ir.Builder{Loc: op.Loc}).Before(op)
	sort := b.Sort(op.Operands[:n], before)
	sort.Attrs = sort.Attrs.With("dimension", ir.Int(dim)).With("is_stable", ir.Bool(true))
	best := make([]*ir.Value, n)
	for i, r := range op.Results {
		rank := r.Type.Rank()
		best[i] = b.Slice(sort.Results[i], make([]int, rank), r.Type.Dims, slices.Repeat([]int{1}, rank))
	}
	op.ReplaceWith(best...)
	return nil
}

// comparator returns a copy of the body of op's comparator function, as the region of a sort; nil
// if there is none.
func comparator(m *ir.Module, op *ir.Op) *ir.Block {
	called := op.CustomCall().CalledComputations()
	if len(called) != 1 {
		return nil
	}
	name, _ := called[0].(ir.Symbol)
	f := m.Func(string(name))
	if f == nil || len(f.Body.Args) != len(op.Operands) {
		return nil
	}
	body := ir.Cloner{}.Block(f.Body)
	if end := body.Terminator(); end.Kind != ir.OpReturn {
		(&ir.Builder{}).Before(end).Return(end.Operands)
		end.Erase()
	}
	return body
}

// checkLapack returns an error for calls of LAPACK that cannot be computed. For the others it
// states the memory layouts, if the program does not: without them XLA passes matrices by rows, but
// LAPACK takes them by columns.
func checkLapack(c *compilation) error {
	var errs []error
	c.main().Walk(func(op *ir.Op) {
		if op.Kind != ir.OpCustomCall || !lapack.Is(op.CustomCall().CallTargetName()) {
			return
		}
		if err := lapack.Check(op); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", op.Place(), err))
			return
		}
		operands, results := lapack.Layouts(op)
		op.Attrs = op.Attrs.With("operand_layouts", operands).With("result_layouts", results)
	})
	return errors.Join(errs...)
}
