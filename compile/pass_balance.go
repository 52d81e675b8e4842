package compile

// This file implements balance, which revises layouts by what they cost.

import "github.com/gospmd/gospmd/compile/partition"

// balance splits values that propagation leaves whole, and the other way round,
// where that costs less: see partition.Balance. Between a sum over an axis and
// the next op that needs all of it,
//
//	%1 = dot %x, %w  [{}, {}]              %1 = dot %x, %w  [{"model"}, {}]
//	%2 = tanh %1     [{}, {}]          =>  %2 = tanh %1     [{"model"}, {}]
//
// the sum becomes a reduce_scatter, each device does its part of what follows,
// and gathers before that op. Options.AsPropagated turns it off.
func balance(u *unit) error {
	if !u.o.AsPropagated {
		partition.Balance(u.m, u.mesh)
	}
	return nil
}
