package compile

// This file implements alias and alias_final, which give a donated input and
// the output that takes over its buffers the same sharding.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/roles"
	"github.com/gospmd/gospmd/layout"
)

// donorAttr is JAX's attribute for a donated parameter whose result is not chosen yet.
const donorAttr = "jax.buffer_donor"

// alias gives the sharding of a donated parameter to its result, or the other way round:
//
//	@main(%w [{"x"}] {tf.aliasing_output = 0}) -> (tensor)
//	=>
//	@main(%w [{"x"}] {tf.aliasing_output = 0}) -> (tensor [{"x"}])
//
// If the two shardings differ, alias returns an error, unless one of them is open: then the other
// one is used. Different types are an error, too.
func alias(c *compilation) error {
	return eachAlias(c.main(), func(i int, p *ir.Value, out int, r *ir.FuncResult) error {
		switch {
		case !p.Type.Equal(r.Type):
			return fmt.Errorf("input %q (%s) is donated to output %q (%s): an output can take over buffers of its own type only; do not donate the input, or donate it to another output",
				inputName(c.main(), i), p.Type, outputName(c.main(), out), r.Type)
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
			return fmt.Errorf("input %q is sharded as %s, but output %q, which it is donated to, as %s: an output can take over buffers of its own sharding only; annotate both alike, or do not donate",
				inputName(c.main(), i), p.Sharding, outputName(c.main(), out), r.Sharding)
		}
		return nil
	})
}

// aliasFinal gives the results of donated parameters the parameters' shardings. The two can differ
// only if propagation chose them. The parameter's sharding is used, because the caller passes the
// input in it.
//
// JAX may mark a parameter as donated and name no result. Such a parameter gets the first free
// result of its type and sharding, if there is one; on one device only the type counts.
func aliasFinal(c *compilation) error {
	f := c.main()
	taken := make([]bool, len(f.Results))
	err := eachAlias(f, func(_ int, p *ir.Value, out int, r *ir.FuncResult) error {
		r.Sharding = p.Sharding
		taken[out] = true
		return nil
	})
	for i, p := range f.Params() {
		if roles.Donee(f, i) >= 0 || f.ArgAttrs[i].Get(donorAttr) != ir.Bool(true) {
			continue
		}
		for out, r := range f.Results {
			if !taken[out] && r.Type.Equal(p.Type) && (c.hasOneDevice() || r.Sharding.SameLayout(p.Sharding)) {
				f.ArgAttrs[i] = f.ArgAttrs[i].With(roles.AliasAttr, ir.Int32(out))
				taken[out] = true
				break
			}
		}
	}
	return err
}

// eachAlias calls visit for each donated parameter: with its index i and value p, and the index out
// and the description r of the result that takes over its buffers. The first error of visit ends
// it.
func eachAlias(f *ir.Func, visit func(i int, p *ir.Value, out int, r *ir.FuncResult) error) error {
	for i, p := range f.Params() {
		if out := roles.Donee(f, i); out >= 0 {
			if err := visit(i, p, out, &f.Results[out]); err != nil {
				return err
			}
		}
	}
	return nil
}

// isOpen reports whether propagation may still change s: whether a dimension is open.
func isOpen(s *layout.Sharding) bool {
	return slices.ContainsFunc(s.Dims, func(d layout.DimSharding) bool { return d.Open })
}
