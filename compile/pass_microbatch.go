package compile

// This file implements the passes split_batch and micro_batches, which divide the batch of a step
// into Options.MicroBatches parts that each device computes one after the other.

import (
	"github.com/gospmd/gospmd/compile/microbatch"
	"github.com/gospmd/gospmd/ir"
)

// splitBatch shards the batch over a further mesh axis, which has a position for each micro-batch:
//
//	%x [{"data"}, {}]    =>    %x [{"data", "microbatch"}, {}]
func splitBatch(c *compilation) error {
	n := c.options.MicroBatches
	if n <= 1 {
		return nil
	}
	data := make([]bool, len(c.inputs))
	for i, in := range c.inputs {
		data[i] = in.Role == ir.RoleData && !in.Donated()
	}
	b, err := microbatch.Split(c.module, c.mesh, c.propagated, data, n)
	if err != nil {
		return err
	}
	c.batch, c.module = b, b.Module
	return nil
}

// serializeBatch replaces the axis of micro-batches by loops over them (package microbatch):
//
//	%g = all_reduce (dot %x, %d),        %g = while … do { … return %s + (dot %xi, %di) }
//	     axes = {"data", "microbatch"}   %h = all_reduce %g, axes = {"data"}
func serializeBatch(c *compilation) error {
	if c.batch == nil {
		return nil
	}
	m, err := c.batch.Serialize(c.module)
	if err != nil {
		return err
	}
	c.module, c.batch = m, nil
	return nil
}
