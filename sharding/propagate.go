package sharding

// This file defines Propagate and its options.

import (
	"github.com/gospmd/gospmd/internal/sdy"
	"github.com/gospmd/gospmd/ir"
)

// Strategy says how shardings pass one op.
type Strategy int

// The strategies.
const (
	// Aggressive: every tensor takes what it can (the default).
	Aggressive Strategy = iota
	// Basic: along each factor only what no tensor of the op objects to.
	Basic
	// BasicThenAggressive runs Basic to a fixed point first, in each round.
	BasicThenAggressive
)

// Level says what decides the order of propagation. Each level includes the
// ones after it.
type Level int

// The levels.
const (
	// UserPriority: the priorities that users give dimensions (the default).
	UserPriority Level = iota
	// OpPriority: ops that merely carry layouts along go first.
	OpPriority
	// Flat: none, all ops alike.
	Flat
)

// Options control Propagate. The zero value is the default.
type Options struct {
	Strategy Strategy
	Level    Level
	// Conservative propagation makes no sub-axes, and none of the splits that
	// cost padding or halos.
	Conservative bool
	// Bare propagation is Shardy's, to the letter: constraints are not applied
	// first, values flow between blocks only through the data-flow edges that
	// the program states, and an operand of a manual or named computation that
	// gets its layout late reaches the body in the next round at the earliest.
	Bare bool
}

// Propagate gives values of m's functions a sharding, starting from the shardings that are set. A
// value that nothing reaches keeps a nil sharding; what propagation sets or extends is open. It
// changes Value.Sharding, FuncResult.Sharding and the shardings that ops hold as attributes; of
// the ops it moves sharding constraints only, and adds some where a sharding group disagrees,
// which changes no result.
//
// The algorithm is Shardy's; the error is about shardings or stated rules that
// do not fit their values.
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

// strategies lists the kinds of steps that each Strategy runs, one after the other.
var strategies = [...][]stepKind{
	Aggressive:          {aggressiveKind},
	Basic:               {basicKind},
	BasicThenAggressive: {basicKind, aggressiveKind},
}
