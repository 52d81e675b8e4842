package partition

// This file defines frames: the blocks that ops are partitioned in, and how often they run.

import (
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
)

// frame is a block that is being partitioned: the body of the function, or a region of an op in it.
type frame struct {
	block *ir.Block // the block that is built; nil in a dry run
	outer *frame    // the frame around it; nil for the body of the function
	loop  bool      // it is a region of a loop
	runs  int       // how often the block runs in one run of the function
}

// region returns a new frame for region r of op, which is in f. The region of a loop runs more
// often than f.
func (f *frame) region(op *ir.Op, r *ir.Block) *frame {
	out := &frame{outer: f, runs: f.runs}
	if op.Kind == ir.OpWhile {
		out.loop, out.runs = true, cost.RunsInLoop(op, r, f.runs)
	}
	return out
}

// sees reports whether f can use a value made in the frame made: whether made is f or one of the
// frames around it.
func (f *frame) sees(made *frame) bool {
	for ; f != nil; f = f.outer {
		if f == made {
			return true
		}
	}
	return false
}

// hoistTarget returns the frame that a value from another frame is moved in, for a use in f. It
// goes outward through loops as far as the value can be used, but not out of the branch of an if,
// because a branch does not always run.
func (f *frame) hoistTarget(from *frame) *frame {
	for f != from && f.loop {
		f = f.outer
	}
	return f
}
