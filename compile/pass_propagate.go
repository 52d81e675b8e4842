package compile

// This file implements propagate, which asks package sharding.

import "github.com/gospmd/gospmd/sharding"

// propagate gives every value a closed layout:
//
//	%0 = abs %x  (%x is [{"data"}, {}])    =>    %0 = abs %x {[{"data"}, {}]}
//
// On one device there is nothing to decide.
func propagate(u *unit) error {
	if u.oneDevice() {
		return nil
	}
	if _, err := sharding.Propagate(u.m, sharding.Options{}); err != nil {
		return err
	}
	return sharding.Complete(u.m)
}
