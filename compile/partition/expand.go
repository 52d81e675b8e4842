package partition

// This file partitions ops by way of simpler ones.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// expansion builds global ops that stand for one op. The layouts of their
// results are stated, since propagation has not seen them.
type expansion struct {
	builder
}

// expand partitions, in place of op, the ops that build makes; it returns what
// stands for op's results.
func (p *partitioner) expand(op *ir.Op, build func(e *expansion) []*ir.Value) error {
	e := &expansion{}
	block := &ir.Block{}
	defer block.Clear() // its ops use values of the program
	e.AtEnd(block).Loc = op.Loc
	results := build(e)
	if err := p.ops(slices.Collect(block.Ops())); err != nil {
		return err
	}
	for i, r := range op.Results {
		p.alias(r, results[i])
	}
	return nil
}

// laid states the layout of v.
func laid(v *ir.Value, s *layout.Sharding) *ir.Value {
	v.Sharding = s
	return v
}
