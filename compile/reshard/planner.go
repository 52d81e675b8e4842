package reshard

// This file remembers ways from one layout to another for tensors of other
// sizes.

import (
	"slices"

	"github.com/gospmd/gospmd/layout"
)

// Planner plans as Plan does and remembers what it found. Where all devices
// together divide every dimension, sizes only scale what each path sends and
// holds: the cheapest path is the same for all such tensors.
//
// It knows a sharding by its address: none that it was asked about may change.
// The zero Planner knows nothing yet.
type Planner struct {
	ways map[question]answer
}

// question is what a way answers.
type question struct{ from, to *layout.Sharding }

// Plan returns what the function Plan returns.
func (p *Planner) Plan(from, to *layout.Sharding, t Tensor) (Steps, error) {
	if err := check(from, to, t); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(t.Dims, func(d int) bool { return d == 0 || d%from.Mesh.Size() != 0 }) {
		return Plan(from, to, t)
	}
	q := question{from, to}
	way, ok := p.ways[q]
	if !ok {
		var err error
		if way, err = find(from, to, t); err != nil {
			return nil, err
		}
		if p.ways == nil {
			p.ways = map[question]answer{}
		}
		p.ways[q] = way
	}
	return way.steps(t), nil
}
