package compile

// This file implements the choice of where weights and the state of the optimizer are, for a limit
// of memory.

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// placement is where weights and the state of the optimizer are: the options ShardedUpdate,
// FullySharded, which includes it, and OffloadOptimizer.
type placement struct{ sharded, weights, offloaded bool }

// placements are the places to try, in this order. Later ones take less memory, and mostly more
// time: copies to and from the host take long, and layers gather sharded weights.
var placements = []placement{
	{sharded: true}, {offloaded: true}, {sharded: true, offloaded: true}, {weights: true}, {weights: true, offloaded: true},
}

// KeepPlacementOf returns o for another program of a training. f is the Fitting of one, or nil:
// weights and the state of the optimizer stay where that program has them.
func (o Options) KeepPlacementOf(f *program.Fitting) Options {
	p := o.placement()
	if f != nil && f.Placement != nil {
		p = p.with(placement{f.Placement.Sharded, f.Placement.Weights, f.Placement.Offloaded})
	}
	return o.in(p)
}

func (o Options) placement() placement {
	return placement{o.ShardedUpdate || o.FullySharded, o.FullySharded, o.OffloadOptimizer}
}

// with returns the placement that has what p or q has.
func (p placement) with(q placement) placement {
	return placement{p.sharded || q.sharded || p.weights || q.weights, p.weights || q.weights, p.offloaded || q.offloaded}
}

// in returns o with placement p, which later choices leave as it is.
func (o Options) in(p placement) Options {
	o.ShardedUpdate, o.FullySharded, o.OffloadOptimizer, o.KeepPlacement = p.sharded, p.weights, p.offloaded, true
	return o
}

// choosePlacement returns the best of plain, the program with the placement of the options, and
// programs with others (bestPlacement). It tries others only if plain does not fit or the limit makes
// it take notably longer. Where the options keep the placement, it returns plain. If plain does not
// fit, but another placement makes the program fit, plain.helps then says so.
func (c *compilation) choosePlacement(plain attempt) (attempt, error) {
	o := c.options
	if c.unplaced == nil || !plain.takesLonger() || o.keepsPlacement() && plain.failed == nil {
		return plain, nil
	}
	best, err := c.bestPlacement(plain)
	if err != nil || best.compilation == plain.compilation {
		return plain, err
	}
	by := best.fitting
	by.Before, by.Curve = plain.fitting.Before, plain.fitting.Curve
	own, p := o.placement(), best.options.placement()
	by.Placement = &program.StatePlacement{
		Sharded: p.sharded && !own.sharded, Weights: p.weights && !own.weights, Offloaded: p.offloaded && !own.offloaded,
		Before: c.placedBytes(), After: best.placedBytes(),
	}
	if plain.failed != nil {
		by.Placement.Least = plain.failed.Least
	} else {
		by.Placement.Saved = plain.seconds() - best.seconds()
	}
	if best.failed == nil {
		by.Seconds = best.seconds() - plain.free
	}
	if o.keepsPlacement() {
		if best.failed == nil {
			plain.helps = howToPlace(by)
		}
		return plain, nil
	}
	return best, nil
}

// bestPlacement returns the best of plain and of the programs with the other placements, up to the
// first that fits and does not take notably longer. That is mostly the first of all; if it is not,
// the others are compiled at the same time.
func (c *compilation) bestPlacement(plain attempt) (attempt, error) {
	list := c.otherPlacements()
	type made struct {
		attempt
		err error
	}
	results := make([]chan made, len(list))
	for i := range results {
		results[i] = make(chan made, 1)
	}
	ctx, cancel := context.WithCancel(c.ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	slots := make(chan struct{}, runtime.GOMAXPROCS(0)) // an element for each program that is compiled now
	place := func(i int) {
		slots <- struct{}{}
		defer func() { <-slots }()
		a, err := c.placed(ctx, list[i])
		results[i] <- made{a, err}
	}
	best := plain
	for i := range list {
		switch i {
		case 0:
			place(0)
		case 1:
			for i := 1; i < len(list); i++ {
				running.Go(func() { place(i) })
			}
		}
		a := <-results[i]
		if a.err != nil {
			return plain, a.err
		}
		if a.compilation == nil || !a.isBetterThan(best) {
			continue
		}
		best = a.attempt
		best.ctx, best.free = c.ctx, plain.free // that of the programs beside it ends here
		if !best.takesLonger() {
			break
		}
	}
	return best, nil
}

// otherPlacements returns the placements that the target allows, in the order in which they are
// tried. Each has what the options ask for, and more.
func (c *compilation) otherPlacements() (list []placement) {
	own := c.options.placement()
	for _, p := range placements {
		if p = p.with(own); p != own && !slices.Contains(list, p) && (!p.offloaded || c.options.target().HostMemory) {
			list = append(list, p)
		}
	}
	return list
}

// placed compiles the program with placement p, and fits it into memory. It returns an empty attempt
// if a part of p changes nothing.
func (c *compilation) placed(ctx context.Context, p placement) (attempt, error) {
	f := c.copyOfUnplaced(ctx, c.options.in(p))
	choose := c.passAt("choose")
	if err := f.run(c.passes[c.passAt("shard_update"):choose]); err != nil {
		return attempt{}, err
	}
	switch own := c.options.placement(); {
	case p.weights && !own.weights && !f.weightsSharded,
		p.sharded && !own.sharded && !f.weightsSharded && !f.updateSharded,
		p.offloaded && !f.onHost():
		return attempt{}, nil
	}
	if err := f.run(c.passes[choose:c.passAt("memory")]); err != nil {
		return attempt{}, err
	}
	return f.fitBatch()
}

// copyOfUnplaced returns a copy of the program before pass shard_update, to be compiled with the
// options o. The end of ctx ends its passes.
func (c *compilation) copyOfUnplaced(ctx context.Context, o Options) *compilation {
	f := c.unplaced.copyOf(c.unplaced.module)
	debug := f.options.Debug // that of a copy
	f.ctx, f.options = ctx, o
	f.options.Debug = debug
	return f
}

// onHost reports whether some of the optimizer's state is in the memory of the host.
func (c *compilation) onHost() bool {
	return slices.ContainsFunc(c.inputs, func(in program.Input) bool { return in.Role == ir.RoleOptimizer && in.Memory.OnHost() })
}

// placedBytes returns the bytes of weights and of the optimizer's state in the memory of a device.
func (c *compilation) placedBytes() (n int) {
	for _, in := range c.inputs {
		if (in.Role == ir.RoleParameter || in.Role == ir.RoleOptimizer) && !in.Memory.OnHost() {
			n += in.Local.MemoryBytes()
		}
	}
	return n
}

// howToPlace returns the part of an error that says which placement makes a program fit that had to
// keep its own, and how to ask for it. f is the fitting of the program that fits.
func howToPlace(f *program.Fitting) string {
	var options, calls []string
	p := f.Placement
	for _, x := range []struct {
		chosen bool
		name   string
	}{{p.Sharded && !p.Weights, "ShardedUpdate"}, {p.Weights, "FullySharded"}, {p.Offloaded, "OffloadOptimizer"}} {
		if x.chosen {
			options, calls = append(options, "compile.Options."+x.name), append(calls, "distribution."+x.name+"()")
		}
	}
	return fmt.Sprintf("with %s it fits, and a device needs %s: set %s (%s) before the training starts",
		p, texttable.Bytes(f.After), strings.Join(options, " and "), strings.Join(calls, ", "))
}
