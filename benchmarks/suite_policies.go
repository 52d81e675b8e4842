package main

// This file compares our training steps with those of JAX's policies of rematerialization, at equal
// or lower peaks of memory.

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gospmd/gospmd/benchmarks/internal/worker"
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/fit"
)

const policiesSuite = "policies"

// policy is what a user of JAX applies jax.checkpoint to, with one of jax.checkpoint_policies.
type policy struct {
	of       string // "": no jax.checkpoint
	perLayer bool
}

// policies are JAX's general policies of recomputation, for the whole model and for each layer. The
// first is none. nothing_saveable per layer is jax.checkpoint without a policy.
var policies = []policy{
	{},
	{"nothing_saveable", false}, {"dots_saveable", false}, {"dots_with_no_batch_dims_saveable", false},
	{"nothing_saveable", true}, {"dots_saveable", true}, {"dots_with_no_batch_dims_saveable", true},
}

func (p policy) String() string {
	switch {
	case p.of == "":
		return "no policy"
	case p.perLayer:
		return p.of + " per layer"
	}
	return p.of
}

// stepTimes are the quantities that are compared at each peak: wall and CPU seconds of a step.
var stepTimes = []string{"step", "step, CPU"}

// atPeak is the quantity that compares ours with the least of JAX's, both at most at the peak of p.
func (p policy) atPeak(quantity string) string { return quantity + " at the peak of " + p.String() }

// atFastest is the quantity that compares ours at the peak of JAX's fastest step with that step.
func atFastest(quantity string) string { return quantity + " at the peak of JAX's fastest" }

func (p policy) peak() string { return "peak of " + p.String() }

func (p policy) worker() string { return "jax, " + p.String() }

// fitted is a worker with the peak of its step in bytes.
type fitted struct {
	*member
	peak, predicted int // by XLA, and by us
}

// measurePolicies makes a worker of JAX for each policy, and a worker of ours for the peak of each,
// train in turns, for each model and mesh of b. A worker that fails is a failure in b's results; an
// error is returned if models cannot be exported, our worker without a limit does not open, or ctx
// ends.
func measurePolicies(ctx context.Context, b *bench) error {
	for _, model := range b.models {
		if err := b.export(ctx, model); err != nil {
			return err
		}
		for _, shape := range b.meshes {
			at := place{model, shape, b.modelDir(model)}
			b.progress.next(fmt.Sprintf("%s: %s", at, policiesSuite))
			if err := b.comparePolicies(ctx, at); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *bench) comparePolicies(ctx context.Context, at place) error {
	t := &turns{bench: b, place: at}
	defer func() { t.close() }()
	free, err := t.join(ctx, us, us, at.open())
	if err != nil {
		return err
	}
	jax, ours := make([]fitted, len(policies)), make([]fitted, len(policies))
	for i, p := range policies {
		request := at.open()
		request.Policy, request.PerLayer = p.of, p.perLayer
		if jax[i], err = t.join(ctx, "jax", p.worker(), request); err != nil {
			b.fail(ctx, policiesSuite, at, p.worker(), err)
			continue
		}
		if ours[i], err = t.within(ctx, jax[i].peak, append([]fitted{free}, ours[:i]...)); err != nil {
			b.fail(ctx, policiesSuite, at, fmt.Sprintf("%s, at the peak of %s", us, p), err)
		}
	}
	t.train(ctx, policiesSuite)
	for _, q := range stepTimes {
		fastest := t.fastest(q, jax, math.MaxInt)
		i := slices.IndexFunc(jax, func(f fitted) bool { return f.member != nil && f.member == fastest.member })
		if i < 0 || ours[i].member == nil {
			b.fail(ctx, policiesSuite, at, us, fmt.Errorf("no program for the peak of JAX's fastest step (%s)", q))
			continue
		}
		t.copyTimes(q, ours[i], us, atFastest(q))
		t.copyTimes(q, fastest, "jax", atFastest(q))
	}
	for i, p := range policies {
		if jax[i].member == nil || ours[i].member == nil {
			continue
		}
		for _, q := range stepTimes {
			t.copyTimes(q, ours[i], us, p.atPeak(q))
			t.copyTimes(q, t.fastest(q, jax, jax[i].peak), "jax", p.atPeak(q))
		}
		b.results.add(key{policiesSuite, at.model, at.meshText(), us, p.peak()}, float64(ours[i].peak))
		b.results.add(key{policiesSuite, at.model, at.meshText(), "jax", p.peak()}, float64(jax[i].peak))
	}
	return context.Cause(ctx)
}

// join starts a worker of a peer's kind, opens it by the request, asks for its memory, and lets it
// take turns under a name. If it fails, join ends the worker and returns the error.
func (t *turns) join(ctx context.Context, kind, name string, open worker.Request) (fitted, error) {
	m := &member{peer: findPeer(kind)}
	m.name, m.loops = name, []string{"step"}
	t.progress.report(fmt.Sprintf("%s: %s compiles", t.place, name))
	if err := m.startFor(ctx, t.bench, open); err != nil {
		return fitted{}, err
	}
	a, err := m.process.Ask(ctx, worker.Request{Do: "memory"})
	if err != nil {
		m.process.Close()
		return fitted{}, err
	}
	t.members = append(t.members, m)
	t.results.Versions[kind] = m.opened.Versions
	return fitted{m, a.Peak, a.Predicted}, nil
}

// within returns a worker of ours whose step takes at most limit bytes of a device by XLA's figure:
// one of there, the workers so far (ours without a limit, or one whose peak is within 2 % of
// limit), or a new one, by fit.Within: the first limit is above the wanted one by the margin for
// errors of the prediction.
func (t *turns) within(ctx context.Context, limit int, there []fitted) (best fitted, err error) {
	for _, f := range there {
		// a worker without a limit is as fast as a program gets
		if f.member != nil && f.peak <= limit && (f.name == us || f.peak > limit-limit/50) {
			return f, nil
		}
	}
	above := int(float64(limit) * float64(limit) / float64(memory.Usable(limit, 0)))
	tried, err := fit.Within(limit, fit.Answer{Ask: above}, func(ask int) (fitted, int, int, error) {
		open := t.place.open()
		open.MemoryLimit = ask
		f, err := t.join(ctx, us, fmt.Sprintf("%s, limit %s", us, size(float64(ask))), open)
		return f, f.predicted, f.peak, err
	}, t.leave)
	if err != nil {
		if tried.Made.member != nil {
			t.leave(tried.Made)
		}
		return fitted{}, err
	}
	return tried.Made, nil
}

// leave ends a worker that join started.
func (t *turns) leave(f fitted) {
	f.process.Close()
	t.members = slices.DeleteFunc(t.members, func(m *member) bool { return m == f.member })
}

// secondsOf returns the quantity, wall or CPU seconds of a step, of f in each round; nil if it has
// none, or if f has no worker.
func (t *turns) secondsOf(quantity string, f fitted) []float64 {
	if f.member == nil {
		return nil
	}
	s := t.results.find(key{policiesSuite, t.model, t.meshText(), f.name, quantity})
	if s == nil {
		return nil
	}
	return s.Rounds
}

// fastest returns the worker of list with the least median of the quantity (wall or CPU seconds of
// a step), of those whose peak is at most limit bytes. Its member is nil if there is none.
func (t *turns) fastest(quantity string, list []fitted, limit int) (best fitted) {
	least := math.Inf(1)
	for _, f := range list {
		if rounds := t.secondsOf(quantity, f); rounds != nil && f.peak <= limit && spreadOf(rounds).Median < least {
			best, least = f, spreadOf(rounds).Median
		}
	}
	return best
}

// copyTimes records the times of a quantity of f under another name, as those of worker.
func (t *turns) copyTimes(quantity string, f fitted, worker, name string) {
	for _, seconds := range t.secondsOf(quantity, f) {
		t.results.add(key{policiesSuite, t.model, t.meshText(), worker, name}, seconds)
	}
}

// policyComparisons returns the comparisons with JAX at each peak, and of the steps of each policy.
func policyComparisons() (out []comparison) {
	for _, q := range stepTimes {
		out = append(out, comparison{policiesSuite, atFastest(q), us, []string{"jax"}})
	}
	for _, p := range policies {
		for _, q := range stepTimes {
			out = append(out, comparison{policiesSuite, p.atPeak(q), us, []string{"jax"}})
		}
		out = append(out, comparison{policiesSuite, p.peak(), us, []string{"jax"}})
	}
	for _, p := range policies {
		out = append(out, comparison{policiesSuite, "step", p.worker(), nil})
	}
	return out
}

// policyTargets say that no step is slower than the fastest of JAX's steps, nor than the fastest at
// each peak, at an equal or a lower peak.
func policyTargets() []target {
	out := []target{{suite: policiesSuite, quantity: atFastest("step"), ours: us, peer: "jax", each: true, most: 1}}
	for _, p := range policies {
		out = append(out, target{suite: policiesSuite, quantity: p.atPeak("step"), ours: us, peer: "jax", each: true, most: 1})
	}
	return out
}
