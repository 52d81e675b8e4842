package compile

// This file implements pass stacks.

import "github.com/gospmd/gospmd/compile/memory"

// dropStacks removes the buffers in which a loop saves values for a later loop, such as that of the
// gradient, where the later loop computes the values again in less time (memory.DropStacks):
//
//	%r:3 = while … { %h = dot …; %v = tanh %h; save %h, %v }    =>    %r:2 = while … { %h = dot …; save %h }
//	… while … { … %r#2[%j] … }                                       … while … { … tanh %r#1[%j] … }
//
// What Options.MemoryPolicies save stays.
func dropStacks(c *compilation) error {
	f := c.main()
	c.setMain(f, memory.DropStacks(f, c.memoryOptions()))
	return nil
}
