package memory

// This file implements Fit, which makes a function fit into a limit of memory.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
)

// Options are the limit, the target and the policies for Fit and Apply.
type Options struct {
	Limit   int // bytes of memory of a device
	Machine *cost.Machine
	Mesh    *mesh.DeviceMesh
	// Donated returns the index of the parameter whose memory a result of the function reuses, or
	// -1.
	Donated func(result int) int
	// KeepsBarriers says that the target's compiler keeps optimization_barriers until it has ordered
	// the ops.
	KeepsBarriers bool
	// HostMemory says that values may be moved to the memory of the host, which is not the devices'.
	HostMemory bool
	// StoresLate says that the target's compiler stores values on the host as late as it can.
	StoresLate bool
	// Policies say what Fit must save, and what Apply computes again. nil: nothing.
	Policies *Policies
}

const (
	// maxRounds bounds how often Fit chooses, rewrites and predicts.
	maxRounds = 8
	// margin is the part of the memory for temporary values that Fit leaves free, because
	// predictions on CPUs have errors of this size. Arguments and results are predicted to the
	// byte.
	margin = 0.03
	// maxStep bounds by how many times the excess of the peak the limit of the search is lowered.
	maxStep = 3
	// near is how far, as a part of the limit, the least peak may be above it for Fit to search
	// below the limit too.
	near = 1.15
	// maxRepeats bounds how often Fit searches from the function with the least peak that it has
	// found: what is computed again there may be given up a second time.
	maxRepeats = 4
	// slack is the part of the usable limit that a fitting program may leave unused. If more is
	// unused, Fit searches again for a faster program.
	slack = 0.02
)

// lower are the parts of a limit to search below, where nothing fits the limit: the search is not
// exact, and another start can lead to a lower peak.
var lower = []float64{0.97, 0.93, 0.85}

// NoFitError says that no program was found whose peak is within the limit. Sizes are in bytes.
type NoFitError struct {
	Limit, Before int      // the limit, and the peak of the function that Fit got
	Least         int      // the least peak that was found
	Fixed         int      // the bytes that are in use for the whole run, whatever is computed again
	Func          *ir.Func // a function with the least peak
	// Values are the values of Func as in program.Fitting: those saved, computed again or moved.
	Values []program.Crossing
	// Curve and Seconds are of the function that Fit got: the memory in use, as in program.Fitting,
	// and the predicted seconds of a run.
	Curve   []int
	Seconds float64
}

// Error names the memory that the program needs, the least peak that Fit found, and the limit. The
// report of package report says what takes the memory.
func (e *NoFitError) Error() string {
	return fmt.Sprintf("the program needs %d bytes of memory on a device, and at least %d if values are computed again: the limit is %d", e.Before, e.Least, e.Limit)
}

// Fit returns a copy of the per-device function f that computes some values again, and what it did.
// The predicted peak of the copy (cost.Machine.MemoryOf) is at most Usable(o.Limit, …), and its
// predicted time is the least that Fit finds. Fit does not change f, and returns f itself if it
// fits already. If Fit finds no program that fits, the error is a *NoFitError.
//
// The search computes the memory of a choice from the order of the values in f. Copies change the
// order and the fusion, so Fit predicts the peak of the rewritten function again. If this peak is
// too high or too low, the search runs again with a lower or higher limit. If nothing fits, it runs
// again for a function whose loops gather what they read (gathersInLoops), below the limit, and from
// the functions with the least peaks that it has found.
func Fit(f *ir.Func, o Options) (*ir.Func, *program.Fitting, error) {
	limit, usage := o.Limit, o.Machine.MemoryOf(f, o.Donated)
	o.Limit = Usable(limit, usage.Fixed())
	s := &start{f: f, usage: usage, seconds: o.Machine.Seconds(o.Mesh, f)}
	g, fitting, err := fit(s, o, o.Limit)
	// again searches from another start or below another limit, and reports whether that is better
	again := func(from *start, part float64) bool {
		less := o
		less.Limit = int(part * float64(o.Limit))
		h, found, e := fit(from, less, o.Limit)
		var none, other *NoFitError
		if !errors.As(e, &other) || errors.As(err, &none) && other.Least < none.Least {
			g, fitting, err = h, found, e
			return true
		}
		return false
	}
	var none *NoFitError
	if errors.As(err, &none) {
		if h := o.gathersInLoops(f); h != nil {
			inside := &start{f: h, usage: o.Machine.MemoryOf(h, o.Donated), seconds: s.seconds, gathers: true}
			if again(inside, 1) {
				s = inside
			}
		}
	}
	for _, part := range lower {
		if !errors.As(err, &none) || float64(none.Least) > near*float64(o.Limit) {
			break
		}
		again(s, part)
	}
	for range maxRepeats {
		if !errors.As(err, &none) || float64(none.Least) > near*float64(o.Limit) {
			break
		}
		least := none.Least
		again(&start{none.Func, o.Machine.MemoryOf(none.Func, o.Donated), s.seconds, none.Values, s.gathers}, 1)
		if errors.As(err, &none) && none.Least == least {
			break
		}
	}
	switch {
	case err == nil:
		fitting.Limit, fitting.Before = limit, usage.Peak()
		if g != f {
			fitting.Curve = usage.Outline()
		}
	case errors.As(err, &none):
		none.Limit, none.Before, none.Fixed, none.Curve = limit, usage.Peak(), usage.Fixed(), usage.Outline()
	}
	return g, fitting, err
}

// start is a function that a search starts from.
type start struct {
	f       *ir.Func
	usage   cost.Usage         // its predicted memory
	seconds float64            // predicted, of a run of the function that Fit got
	values  []program.Crossing // what was done to that function to make f
	gathers bool               // its loops gather what they read
}

// Usable returns the largest predicted peak that Fit accepts for a limit, both in bytes: the limit
// less a margin for errors of the prediction. fixed are the bytes of the limit that are in use for
// the whole run (cost.Usage.Fixed), whose prediction is exact.
func Usable(limit, fixed int) int { return limit - int(margin*float64(max(0, limit-fixed))) }

// fit makes s.f fit, as Fit does, but without a margin: it searches for a peak of at most o.Limit,
// and takes one of at most accepted bytes, which is not less. Of the fitting or the *NoFitError it
// leaves the limit, and the peak and the curve before, to Fit.
func fit(s *start, o Options, accepted int) (*ir.Func, *program.Fitting, error) {
	f, usage, seconds := s.f, s.usage, s.seconds
	out := &program.Fitting{After: usage.Peak(), Values: s.values, Gathers: s.gathers}
	if out.After <= o.Limit {
		return f, out, nil
	}
	f, inside, usage := fitLoops(f, usage, o)
	inside = append(slices.Clip(s.values), inside...)
	r := &rounds{Options: o, accepted: accepted, seconds: seconds, inside: inside, out: out, failed: &NoFitError{Least: usage.Peak(), Func: f, Values: inside, Seconds: seconds}}
	r.run(f, usage, false)
	if r.best == nil {
		if g := unturned(f); g != nil {
			f, usage = g, o.Machine.MemoryOf(g, o.Donated)
			r.run(f, usage, false)
		}
	}
	whole, peak, parts := f, usage, 0
	for _, n := range sumParts {
		if r.best != nil {
			break
		}
		var g *ir.Func
		var u cost.Usage
		if g, u, parts = fitSums(whole, peak, n, parts, o); g != nil {
			f, usage = g, u
			r.run(f, usage, false)
		}
	}
	if r.best == nil {
		r.run(whole, peak, true)
	}
	if r.best == nil && f != whole {
		r.run(f, usage, true)
	}
	if r.best == nil {
		return nil, nil, r.failed
	}
	return r.best, out, nil
}

// rounds is the state of Fit, which repeats these steps up to maxRounds times: choose values to
// evict, rewrite the function, and predict its peak. The limit for the choice starts from
// Options.Limit. It rises after a peak that is accepted, and falls after one that is not. best is
// the fastest function that fitted.
type rounds struct {
	Options
	accepted int                // the largest peak in bytes of a function that fits
	seconds  float64            // of the function as it was
	inside   []program.Crossing // what became of the values of loops
	best     *ir.Func           // nil: none has fitted
	out      *program.Fitting   // of best
	failed   *NoFitError        // of the one with the least peak
}

// run repeats the rounds for f, whose predicted memory is usage. It sets r.best and r.out to the
// fastest program that fits, if it finds one, and r.failed to the least peak. If f itself fits, it
// does nothing more. daring is that of newProblem. Where values may be moved to the host, the rounds
// run without moves too: the peaks of programs with moves differ more from those of their choices.
func (r *rounds) run(f *ir.Func, usage cost.Usage, daring bool) {
	r.note(f, usage.Peak(), nil)
	if r.best != nil {
		return
	}
	r.repeat(f, usage, daring)
	if o := r.Options; o.movesByLimit() {
		r.HostMemory = false
		r.repeat(f, usage, daring)
		r.Options = o
	}
}

// repeat repeats the rounds, as run does.
func (r *rounds) repeat(f *ir.Func, usage cost.Usage, daring bool) {
	low, high := 0, usage.Peak() // limits of the search: the highest that led to a fit, the lowest that did not
	lastGoal, lastPeak := 0, 0   // of the round before, where that did not fit
	goal, least := r.Limit-r.Limit/256, r.Limit/100
	if daring {
		goal, least = r.Limit, r.Limit/50
	}
	for round := range maxRounds {
		p, b := newProblem(f, usage, r.Options, goal, daring)
		r.Policies.pin(p)
		if !slices.ContainsFunc(p.values, func(v value) bool { return v.crosses() }) {
			return
		}
		c, fits := solve(p)
		e := newEvaluator(p)
		e.run(c)
		g := b.rewrite(p, c, e.copies, r.Options)
		peak := r.Machine.MemoryOf(g, r.Donated).Peak()
		if r.note(g, peak, func() []program.Crossing { return describe(p, c, e) }) {
			low = max(low, goal)
			if float64(r.Limit-peak) <= slack*float64(r.Limit) || high-low < r.Limit/100 {
				return
			}
			goal = min(goal+(r.Limit-peak), (low+high+1)/2)
			continue
		}
		high = min(high, goal)
		if low > 0 {
			if high-low < r.Limit/100 {
				return
			}
			goal = (low + high) / 2
			continue
		}
		if !fits && round > maxRounds/2 {
			return
		}
		// the peak falls with the goal, though more slowly: what is left goes down as it did last
		step := float64(peak - r.Limit)
		if !daring && lastPeak > peak && lastGoal > goal {
			step *= min(maxStep, float64(lastGoal-goal)/float64(lastPeak-peak))
		}
		lastGoal, lastPeak = goal, peak
		goal -= max(int(step), least)
	}
}

// note remembers g if it fits at the least time or has the least peak. It reports whether g fits.
// values describes what was done to the function besides its loops; nil for nothing.
func (r *rounds) note(g *ir.Func, peak int, values func() []program.Crossing) (fits bool) {
	all := func() []program.Crossing {
		if values == nil {
			return r.inside
		}
		return append(values(), r.inside...)
	}
	if peak < r.failed.Least {
		r.failed.Least, r.failed.Func, r.failed.Values = peak, g, all()
	}
	if peak > r.accepted {
		return false
	}
	if added := r.Machine.Seconds(r.Mesh, g) - r.seconds; r.best == nil || added < r.out.Seconds {
		r.best = g
		r.out.After, r.out.Seconds, r.out.Values = peak, added, all()
	}
	return true
}

// describe lists the values that have a gap, and the values that are kept or computed again so that
// copies can read them.
func describe(p *problem, c choice, e *evaluator) (out []program.Crossing) {
	for i := range p.values {
		v := &p.values[i]
		if v.bytes == 0 {
			continue
		}
		x := v.crossing()
		switch {
		case c.isAway(i):
			x.Action, x.Seconds = program.Offload, 2*v.moving
		case c.evicted[i] && v.unused:
			x.Action = program.Delay
		case e.copies[i].from != none:
			x.Action, x.Seconds = program.Recompute, v.seconds
		case !c.kept[i] && !v.crosses():
			continue
		}
		out = append(out, x)
	}
	return out
}

// crossing returns the entry of v in program.Fitting.Values: its type, op, layer and bytes. The
// action is Save; the caller sets another one.
func (v *value) crossing() program.Crossing {
	return program.Crossing{Action: program.Save, Type: v.typ.Short(), Op: v.op.FullName(), Layer: v.op.Loc.Path, Bytes: v.bytes}
}
