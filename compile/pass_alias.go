package compile

// This file implements alias, which makes donated inputs and the outputs that
// take over their buffers lie alike.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// aliasAttr is the attribute of a donated parameter: the index of the result
// that takes over its buffers.
const aliasAttr = "tf.aliasing_output"

// donorAttr is JAX's attribute of a donated parameter that no result was
// chosen for yet.
const donorAttr = "jax.buffer_donor"

// alias gives the pin of a donated parameter to its result, or the other way:
//
//	@main(%w [{"x"}] {tf.aliasing_output = 0}) -> (tensor)
//	=>
//	@main(%w [{"x"}] {tf.aliasing_output = 0}) -> (tensor [{"x"}])
//
// Pins that disagree are an error, unless one of them is open: then the other
// one holds.
func alias(u *unit) error {
	return eachAlias(u.main(), func(i int, p *ir.Value, out int, r *ir.FuncResult) error {
		switch {
		case !p.Type.Equal(r.Type):
			return fmt.Errorf("input %q (%s) is donated to output %q (%s): an output can take over buffers of its own type only; do not donate the input, or donate it to another output",
				inputName(u.main(), i), p.Type, outputName(u.main(), out), r.Type)
		case p.Sharding == nil:
			p.Sharding = r.Sharding
		case r.Sharding == nil:
			r.Sharding = p.Sharding
		case p.Sharding.SameLayout(r.Sharding):
		case isOpen(p.Sharding):
			p.Sharding = r.Sharding
		case isOpen(r.Sharding):
			r.Sharding = p.Sharding
		default:
			return fmt.Errorf("input %q lies as %s, but output %q, which it is donated to, as %s: an output can take over buffers of its own layout only; pin both alike, or do not donate",
				inputName(u.main(), i), p.Sharding, outputName(u.main(), out), r.Sharding)
		}
		return nil
	})
}

// aliasFinal makes the results of donated parameters lie as these do. Only
// layouts that propagation found can differ here; the input's is the one that
// the caller has to bring, so it wins.
//
// A parameter that JAX marks as donated, without saying to which result, gets
// the first free result of its type and layout, if there is one.
func aliasFinal(u *unit) error {
	f := u.main()
	taken := make([]bool, len(f.Results))
	err := eachAlias(f, func(_ int, p *ir.Value, out int, r *ir.FuncResult) error {
		r.Sharding = p.Sharding
		taken[out] = true
		return nil
	})
	for i, p := range f.Params() {
		if aliasOf(f, i) >= 0 || f.ArgAttrs[i].Get(donorAttr) != ir.Bool(true) {
			continue
		}
		for out, r := range f.Results {
			if !taken[out] && r.Type.Equal(p.Type) && (u.oneDevice() || r.Sharding.SameLayout(p.Sharding)) {
				f.ArgAttrs[i] = f.ArgAttrs[i].With(aliasAttr, ir.Int32(out))
				taken[out] = true
				break
			}
		}
	}
	return err
}

// eachAlias calls visit for each donated parameter and the result that takes
// it over.
func eachAlias(f *ir.Func, visit func(i int, p *ir.Value, out int, r *ir.FuncResult) error) error {
	for i, p := range f.Params() {
		if out := aliasOf(f, i); out >= 0 {
			if err := visit(i, p, out, &f.Results[out]); err != nil {
				return err
			}
		}
	}
	return nil
}

// isOpen reports whether propagation may still change s.
func isOpen(s *layout.Sharding) bool {
	return slices.ContainsFunc(s.Dims, func(d layout.DimSharding) bool { return d.Open })
}

// aliasOf returns the result that takes over parameter i, or -1.
func aliasOf(f *ir.Func, i int) int {
	if i >= len(f.ArgAttrs) {
		return -1
	}
	out, ok := f.ArgAttrs[i].Get(aliasAttr).(ir.Int32)
	if !ok || int(out) >= len(f.Results) {
		return -1
	}
	return int(out)
}
