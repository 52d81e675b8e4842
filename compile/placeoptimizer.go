package compile

// This file implements the choice of where the state of the optimizer is, for a limit of memory.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// placement is a place of the optimizer's state: the options ShardedUpdate and OffloadOptimizer.
type placement struct{ sharded, offloaded bool }

// placements are the places to try, in this order: copies to and from the host take long.
var placements = []placement{{sharded: true}, {offloaded: true}, {sharded: true, offloaded: true}}

// KeepOptimizerOf returns o for another program of a training. f is the Fitting of one, or nil: the
// state of the optimizer stays where that program has it.
func (o Options) KeepOptimizerOf(f *program.Fitting) Options {
	p := o.placement()
	if f != nil && f.Optimizer != nil {
		p = placement{p.sharded || f.Optimizer.Sharded, p.offloaded || f.Optimizer.Offloaded}
	}
	return o.in(p)
}

func (o Options) placement() placement { return placement{o.ShardedUpdate, o.OffloadOptimizer} }

// in returns o with the state of the optimizer in place p, which later choices leave as it is.
func (o Options) in(p placement) Options {
	o.ShardedUpdate, o.OffloadOptimizer, o.KeepOptimizer = p.sharded, p.offloaded, true
	return o
}

// placeOptimizer returns the best of plain, the program with the optimizer's state where the options
// put it, and programs with the state elsewhere. It tries others only if plain does not fit or the
// limit makes it take notably longer, and stops at the first that fits and does not. Where the
// options keep the state in its place, it returns plain. If plain does not fit, but another place
// makes the program fit, plain.helps then says so.
func (c *compilation) placeOptimizer(plain attempt) (attempt, error) {
	o := c.options
	if c.unplaced == nil || !plain.takesLonger() || o.keepsOptimizer() && plain.failed == nil {
		return plain, nil
	}
	best := plain
	for _, p := range placements {
		if p.sharded = p.sharded || o.ShardedUpdate; p.offloaded && !o.target().HostMemory || p == o.placement() {
			continue
		}
		a, err := c.placed(p)
		if err != nil {
			return plain, err
		}
		if a.compilation == nil || !a.isBetterThan(best) {
			continue
		}
		best = a
		best.free = plain.free
		if !best.takesLonger() {
			break
		}
	}
	if best.compilation == plain.compilation {
		return plain, nil
	}
	by := best.fitting
	by.Before, by.Curve = plain.fitting.Before, plain.fitting.Curve
	by.Optimizer = &program.OptimizerState{
		Sharded: best.options.ShardedUpdate && !o.ShardedUpdate, Offloaded: best.options.OffloadOptimizer && !o.OffloadOptimizer,
		Before: c.optimizerBytes(), After: best.optimizerBytes(),
	}
	if plain.failed != nil {
		by.Optimizer.Least = plain.failed.Least
	} else {
		by.Optimizer.Saved = plain.seconds() - best.seconds()
	}
	if best.failed == nil {
		by.Seconds = best.seconds() - plain.free
	}
	if o.keepsOptimizer() {
		if best.failed == nil {
			plain.helps = howToPlace(by)
		}
		return plain, nil
	}
	return best, nil
}

// placed compiles the program with the optimizer's state in place p, and fits it into memory. It
// returns an empty attempt if that changes nothing.
func (c *compilation) placed(p placement) (attempt, error) {
	f := c.unplaced.copyOf(c.unplaced.module)
	f.options = f.options.in(p)
	choose := c.passAt("choose")
	if err := f.run(c.passes[c.passAt("shard_update"):choose]); err != nil {
		return attempt{}, err
	}
	if p.sharded && !c.options.ShardedUpdate && !f.updateSharded || p.offloaded && !f.onHost() {
		return attempt{}, nil
	}
	if err := f.run(c.passes[choose:c.passAt("memory")]); err != nil {
		return attempt{}, err
	}
	return f.fitBatch()
}

// onHost reports whether some of the optimizer's state is in the memory of the host.
func (c *compilation) onHost() bool {
	return slices.ContainsFunc(c.inputs, func(in program.Input) bool { return in.Role == ir.RoleOptimizer && in.Memory.OnHost() })
}

// optimizerBytes returns the bytes of the optimizer's state in the memory of a device.
func (c *compilation) optimizerBytes() (n int) {
	for _, in := range c.inputs {
		if in.Role == ir.RoleOptimizer && !in.Memory.OnHost() {
			n += in.Local.MemoryBytes()
		}
	}
	return n
}

// howToPlace returns the part of an error that says what makes a program fit whose optimizer's state
// had to stay in its place, and how to ask for it. f is the program's that fits.
func howToPlace(f *program.Fitting) string {
	var options, calls []string
	for _, x := range []struct {
		chosen bool
		name   string
	}{{f.Optimizer.Sharded, "ShardedUpdate"}, {f.Optimizer.Offloaded, "OffloadOptimizer"}} {
		if x.chosen {
			options, calls = append(options, "compile.Options."+x.name), append(calls, "distribution."+x.name+"()")
		}
	}
	return fmt.Sprintf("with %s it fits, and a device needs %s: set %s (%s) before the training starts",
		f.Optimizer, texttable.Bytes(f.After), strings.Join(options, " and "), strings.Join(calls, ", "))
}
