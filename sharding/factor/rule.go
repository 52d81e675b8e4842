package factor

// This file defines Rule, which maps the dimensions of an op's operands and
// results to factors.

import (
	"fmt"
	"slices"
)

// Kind says what sharding a factor means for an op.
type Kind uint8

// The kinds of factors.
const (
	// PassThrough: every device computes its own part, without communication.
	PassThrough Kind = iota
	// Reduction: every device computes a partial sum, so the result is unreduced.
	Reduction
	// NeedReplication: every device needs the full dimension.
	NeedReplication
	// Permutation: devices exchange a part of their data, such as the borders of windows.
	Permutation
)

// Factor is one factor of an op: an index of its loop nest.
type Factor struct {
	Size    int
	Kind    Kind
	Blocked bool // propagation must not use this factor
}

// TensorMapping maps the dimensions of a tensor to factors: each dimension consists of a list of
// factors, major to minor.
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
	Custom   bool // stated in the program, by sdy.sharding_rule
}

// Mapping returns the mapping of tensor t. The operands come first, then the results.
func (r *Rule) Mapping(t int) TensorMapping {
	if t < len(r.Operands) {
		return r.Operands[t]
	}
	return r.Results[t-len(r.Operands)]
}

// NumTensors returns the number of operands and results that the rule maps.
func (r *Rule) NumTensors() int { return len(r.Operands) + len(r.Results) }

// TensorSizes returns, for each operand and result, the product of the sizes of its factors.
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

// Validate checks the rule as Shardy's verifier does: every factor is used, no tensor has a factor
// twice, a factor of size 1 is alone in its dimension, and no result has a Reduction factor. It
// returns an error for the first violation.
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
