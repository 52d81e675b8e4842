package compile

// This file implements the passes split_batch and micro_batches, which divide the batch of a step
// into Options.MicroBatches parts that each device computes one after the other.

import (
	"errors"

	"github.com/gospmd/gospmd/compile/microbatch"
	"github.com/gospmd/gospmd/ir"
)

// splitBatch shards the batch over a further mesh axis, which has a position for each micro-batch.
// It does nothing for one micro-batch; if pass memory is to choose the number, it sets c.whole. A
// batch that cannot be divided is an error:
//
//	%x [{"data"}, {}]    =>    %x [{"data", "microbatch"}, {}]
func splitBatch(c *compilation) error {
	n := c.options.MicroBatches
	if n == 0 && c.options.MemoryLimit > 0 {
		c.whole = c.module.Clone() // pass memory may try others, and bind changes the module
	}
	if n <= 1 {
		return nil
	}
	b, err := microbatch.Split(c.module, c.mesh, c.propagated, c.data(), n)
	if err != nil {
		return err
	}
	c.batch, c.module = b, b.Module
	return nil
}

// data returns, for each input, whether it holds data, which is split into micro-batches: its role
// is data, and it is not donated.
func (c *compilation) data() []bool {
	out := make([]bool, len(c.inputs))
	for i, in := range c.inputs {
		out[i] = in.Role == ir.RoleData && !in.Donated()
	}
	return out
}

// serializeBatch replaces the axis of micro-batches by loops over them (package microbatch). It
// does nothing if splitBatch has not divided the batch:
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
	dce(c.main()) // of what only loops use, a copy is left outside
	return nil
}

// chooseMicroBatches returns the best of whole, the program that computes its batch at once, and
// those with more and more micro-batches. Once one fits, it stops at one that fits without
// computing anything again, and at one that is no better than the ones before. The fitting of the
// result compares it with whole; its field cannot says why there are no more micro-batches.
func (c *compilation) chooseMicroBatches(whole attempt) (attempt, error) {
	best := whole
	for _, n := range microbatch.Counts(c.whole, c.mesh, c.data()) {
		a, err := c.inMicroBatches(n)
		var cannot *microbatch.Error
		if errors.As(err, &cannot) {
			if cannot.Samples > 0 {
				continue
			}
			best.cannot = cannot
			break
		}
		if err != nil {
			return best, err
		}
		better := a.isBetterThan(best)
		if better {
			best = a
		}
		if best.failed == nil && (!better || !a.costs()) {
			break
		}
	}
	if f := best.fitting; f != whole.fitting {
		f.Before = whole.fitting.Before
		if best.failed == nil {
			f.Curve, f.Seconds = whole.fitting.Curve, best.seconds()-whole.unlimited()
		}
	}
	return best, nil
}

// inMicroBatches compiles a copy of the program for n micro-batches, from pass split_batch on, and
// fits it into memory. The strategy that pass choose has found for the whole batch may need several
// micro-batches at once; then it compiles the program from pass shard_update on, so that choose
// compares programs in micro-batches. A batch that cannot be divided is a *microbatch.Error.
func (c *compilation) inMicroBatches(n int) (attempt, error) {
	f := c.copyOf(c.whole)
	f.options.MicroBatches, f.finished, f.evaluators = n, false, nil
	err := f.run(c.passes[c.passAt("split_batch"):c.passAt("memory")])
	var cannot *microbatch.Error
	if errors.As(err, &cannot) && cannot.Samples == 0 && c.unplaced != nil {
		o := c.options
		o.MicroBatches = n
		f = c.copyOfUnplaced(c.ctx, o)
		err = f.run(c.passes[c.passAt("shard_update"):c.passAt("memory")])
	}
	if err != nil {
		return attempt{}, err
	}
	return f.fit()
}
