package sharding

// This file defines Propagate and its options.

import (
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding/internal/sdy"
)

// Strategy says which axes propagate through an op.
type Strategy int

// The strategies.
const (
	// Aggressive: every tensor takes the axes that it can take (the default).
	Aggressive Strategy = iota
	// Basic: a factor takes only axes that no tensor of the op conflicts with.
	Basic
	// BasicThenAggressive: each round runs Basic to a fixed point, then Aggressive.
	BasicThenAggressive
)

// Level says what determines the order of propagation. Each level includes the levels after it.
type Level int

// The levels.
const (
	// UserPriority: the priorities that users give to dimensions (the default).
	UserPriority Level = iota
	// OpPriority: ops that only pass shardings on go first.
	OpPriority
	// Flat: no priorities; all ops are alike.
	Flat
)

// Options are the options of Propagate. The zero value has the defaults.
type Options struct {
	Strategy Strategy
	Level    Level
	// Conservative avoids sub-axes, and shardings that would need padding or halo exchanges.
	Conservative bool
	// Bare propagates exactly as Shardy does. It does not apply constraints first. Values flow
	// between blocks only through data-flow edges that the program has. If an operand of a manual
	// or named computation gets its sharding late, the sharding enters the body only in the next
	// round.
	Bare bool
}

// Propagate gives values of m's functions a sharding, starting from the annotations. It sets
// Value.Sharding, FuncResult.Sharding and the shardings that ops have as attributes. A value that
// no sharding reaches keeps a nil sharding. Dimensions that propagation sets or extends are open.
//
// It changes no ops except sharding constraints, which it may move, and which it adds if the
// shardings of a sharding group disagree. Neither changes results.
//
// The algorithm is Shardy's. Propagate returns an error if a sharding or a stated rule does not fit
// its values.
func Propagate(m *ir.Module, o Options) (*Result, error) {
	var constrained map[*ir.Value]*ir.Op
	if !o.Bare {
		sdy.AddDataFlowEdges(m)
		defer sdy.SinkDataFlowEdges(m)
		constrained = sdy.ApplyConstraints(m)
		if err := sdy.ImportGroups(m); err != nil {
			return nil, err
		}
	}
	syncGroups(m)
	g, err := newGraph(m, o, constrained)
	if err != nil {
		return nil, err
	}
	round := func() {
		if o.Level != Flat {
			g.runByOp(strategies[o.Strategy])
			return
		}
		for _, by := range strategies[o.Strategy] {
			g.run(by, anyDirection)
		}
	}
	if o.Level == UserPriority {
		g.runByUser(round)
	} else {
		round()
	}
	g.store()
	return &Result{Steps: g.applied, graph: g}, nil
}

// strategies lists, for each Strategy, the kinds of steps that run one after the other.
var strategies = [...][]stepKind{
	Aggressive:          {aggressiveKind},
	Basic:               {basicKind},
	BasicThenAggressive: {basicKind, aggressiveKind},
}
