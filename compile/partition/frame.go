package partition

// This file defines frames: the blocks that ops are partitioned in, and how often they run.

import (
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
)

// frame is a block that is being partitioned: the body of the function, or a region of an
// op in it.
type frame struct {
	block *ir.Block // that is built; nil in a dry run
	outer *frame    // nil for the function's
	loop  bool      // whether it is a region of a loop
	runs  int       // how often it runs in one run of the function
}

// region returns the frame of a region of op, which is in f.
func (f *frame) region(op *ir.Op, r *ir.Block) *frame {
	out := &frame{outer: f, runs: f.runs}
	if op.Kind == ir.OpWhile {
		out.loop, out.runs = true, cost.RunsInLoop(op, r, f.runs)
	}
	return out
}

// sees reports whether values made in the frame made can be used in f.
func (f *frame) sees(made *frame) bool {
	for ; f != nil; f = f.outer {
		if f == made {
			return true
		}
	}
	return false
}

// hoistTarget returns where a value from another frame is moved for a use in f: the outermost
// frame around loops in which it can be used, but the branch of an if, which does not
// always run.
func (f *frame) hoistTarget(from *frame) *frame {
	for f != from && f.loop {
		f = f.outer
	}
	return f
}
