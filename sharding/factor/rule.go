package factor

// This file defines Rule, which maps the dimensions of an op's operands and
// results to factors.

import (
	"fmt"
	"slices"
)

// Kind says what sharding a factor means for the op.
type Kind uint8

// The kinds of factors.
const (
	// PassThrough: every device computes its own part, no communication.
	PassThrough Kind = iota
	// Reduction: every device computes a part of a sum; the result is unreduced.
	Reduction
	// NeedReplication: the op needs the full dimension on every device.
	NeedReplication
	// Permutation: devices must exchange a part of their data, as at the
	// borders of windows.
	Permutation
)

// Factor is one index of the op's loop nest.
type Factor struct {
	Size    int
	Kind    Kind
	Blocked bool // propagation does not pass along this factor
}

// TensorMapping is the dimension mappings of a tensor: for each dimension the
// factors it is made of, major to minor.
type TensorMapping [][]int

// DimOf returns the dimension that has factor f, or -1.
func (m TensorMapping) DimOf(f int) int {
	return slices.IndexFunc(m, func(factors []int) bool { return slices.Contains(factors, f) })
}

// Rule maps the dimensions of an op's operands and results to factors.
type Rule struct {
	Factors  []Factor
	Operands []TensorMapping
	Results  []TensorMapping
	Custom   bool // stated in the program by sdy.sharding_rule
}

// Mapping returns the mapping of tensor t, counting operands before results.
func (r *Rule) Mapping(t int) TensorMapping {
	if t < len(r.Operands) {
		return r.Operands[t]
	}
	return r.Results[t-len(r.Operands)]
}

// NumTensors returns the number of operands and results.
func (r *Rule) NumTensors() int { return len(r.Operands) + len(r.Results) }

// TensorSizes returns, for each operand and result, the product of its factors.
func (r *Rule) TensorSizes() []int {
	out := make([]int, r.NumTensors())
	for t := range out {
		out[t] = 1
		for _, factors := range r.Mapping(t) {
			for _, f := range factors {
				out[t] *= r.Factors[f].Size
			}
		}
	}
	return out
}

// Validate checks what Shardy's verifier does: every factor is used, no tensor
// has a factor twice, no factor of size 1 shares a dimension, and no result has
// a factor that is reduced.
func (r *Rule) Validate() error {
	used := make([]bool, len(r.Factors))
	for i := range r.NumTensors() {
		here := make([]bool, len(r.Factors))
		for _, dim := range r.Mapping(i) {
			for _, f := range dim {
				switch {
				case here[f]:
					return fmt.Errorf("factor %s stands twice in one tensor", Name(f))
				case len(dim) > 1 && r.Factors[f].Size == 1:
					return fmt.Errorf("factor %s of size 1 shares a dimension: leave it out", Name(f))
				case i >= len(r.Operands) && r.Factors[f].Kind == Reduction:
					return fmt.Errorf("factor %s is a reduction, and yet in a result", Name(f))
				}
				used[f], here[f] = true, true
			}
		}
	}
	if f := slices.Index(used, false); f >= 0 {
		return fmt.Errorf("factor %s is in no tensor", Name(f))
	}
	return nil
}
