package distribution

// This file looks up layouts in the form that the compiler takes.

import (
	"fmt"

	"github.com/gospmd/gospmd/layout"
)

// VariableSharding returns how the current distribution lays out the variable
// of that path; nil when there is no distribution.
func VariableSharding(path string, rank int) (*layout.Sharding, error) {
	d := Current()
	if d == nil {
		return nil, nil
	}
	l, err := d.VariableLayout(path, rank)
	return toSharding(fmt.Sprintf("variable %q", path), l, rank, err)
}

// OutputSharding returns how d lays out a value inside of a model, such as
// d1/output; nil when d leaves it to the compiler.
func OutputSharding(d Distribution, path string, rank int) (*layout.Sharding, error) {
	l, err := d.TensorLayout(path)
	return toSharding(fmt.Sprintf("layer output %q", path), l, rank, err)
}

// DataSharding returns how d lays out a batch of the given rank.
func DataSharding(d Distribution, rank int) (*layout.Sharding, error) {
	l, err := d.DataLayout(rank)
	return toSharding("data", l, rank, err)
}

// toSharding converts what a Distribution returned; errors name what it is for.
func toSharding(what string, l *TensorLayout, rank int, err error) (*layout.Sharding, error) {
	if err == nil && l == nil {
		return nil, nil
	}
	var s *layout.Sharding
	if err == nil {
		s, err = l.Sharding(rank)
	}
	if err != nil {
		return nil, fmt.Errorf("distribution: %s: %w", what, err)
	}
	return s, nil
}
