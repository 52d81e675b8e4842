package main

// This file defines the workers of one model on one mesh, which take turns.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gospmd/gospmd/benchmarks/internal/worker"
	"github.com/gospmd/gospmd/benchmarks/steps"
)

// place is a model on a mesh: what workers take turns to run.
type place struct {
	model string
	mesh  []int
	dir   string // directory with the model's files
}

func (p place) meshText() string { return steps.MeshText(p.mesh) }

func (p place) String() string { return p.model + " on " + p.meshText() }

// open returns the request that makes a worker build its model on the mesh of p.
func (p place) open() worker.Request {
	return worker.Request{Do: "open", Model: p.model, Mesh: p.mesh, Axes: steps.Axes, Dir: p.dir}
}

// turns holds the workers at one place. Each is idle while another one handles a request.
type turns struct {
	*bench
	place
	members []*member
}

// member is a worker that takes turns: its process, and its answer to the request open.
type member struct {
	peer
	process *worker.Process
	opened  worker.Answer
}

// assemble starts the workers of the names who, and lets them open the model at the place. It
// leaves out workers that cannot run there, and also those that fail, for each of which it records
// a failure. The error is the cause of ctx's end. The versions of workers go to the results.
func (b *bench) assemble(ctx context.Context, at place, who []string) (*turns, error) {
	t := &turns{bench: b, place: at}
	for _, name := range who {
		p := findPeer(name)
		if p.alone && len(at.mesh) > 0 || slices.Contains(p.lacks, at.model) || name == oneDevice && len(at.mesh) == 0 {
			continue
		}
		b.progress.report(fmt.Sprintf("%s: %s compiles", at, name))
		m := &member{peer: p}
		to := at
		if name == oneDevice {
			to.mesh = single
		}
		if err := m.start(ctx, b, to); err != nil {
			b.fail(ctx, "open", at, name, err)
			continue
		}
		t.members = append(t.members, m)
		b.results.Versions[name] = m.opened.Versions
	}
	return t, context.Cause(ctx)
}

// start starts the process of the worker m, with the variables env (NAME=value), and lets it open
// the model at the place. It sets m.process and m.opened. If the worker does not open the model,
// start ends it and returns the error.
func (m *member) start(ctx context.Context, b *bench, at place, env ...string) error {
	return m.startFor(ctx, b, at.open(), env...)
}

// startFor starts the process of m, with the variables env (NAME=value), and sends it the request
// open. It sets m.process, and m.opened to the answer. After an error the process has ended.
func (m *member) startFor(ctx context.Context, b *bench, open worker.Request, env ...string) error {
	cmd, err := b.command(m.peer, append([]string{"GOSPMD_COMPILATION_CACHE=" + b.cache}, env...))
	if err != nil {
		return err
	}
	if m.process, err = worker.Start(cmd, b.timeout); err != nil {
		return err
	}
	if m.opened, err = m.process.Ask(ctx, open); err != nil {
		m.process.Close()
	}
	return err
}

// close ends all workers.
func (t *turns) close() {
	for _, m := range t.members {
		m.process.Close()
	}
}

// ask sends request r to member m and returns its answer. If m fails, ask records the failure in
// the results, ends m, and returns false: m takes no more turns.
func (t *turns) ask(ctx context.Context, suite string, m *member, r worker.Request) (worker.Answer, bool) {
	a, err := m.process.Ask(ctx, r)
	if err == nil {
		return a, true
	}
	t.fail(ctx, suite, t.place, m.name, err)
	m.process.Close()
	t.members = slices.DeleteFunc(slices.Clone(t.members), func(other *member) bool { return other == m })
	return a, false
}

// add adds a value of a quantity, measured by the worker m, to the results.
func (t *turns) add(suite string, m *member, quantity string, value float64) {
	t.results.add(key{suite, t.model, t.meshText(), m.name, quantity}, value)
}

// lossTolerance is the largest relative difference of the first losses.
const lossTolerance = 1e-3

// checkLosses makes each member train two steps. It compares the first loss and the mean of these
// two with those of our worker, which must come first, and adds the largest relative difference to
// the results. It records a failure for a worker that differs by more than lossTolerance; the
// worker keeps its turns.
func (t *turns) checkLosses(ctx context.Context, suite string) {
	var want []float64
	for _, m := range slices.Clone(t.members) {
		a, ok := t.ask(ctx, suite, m, worker.Request{Do: m.loops[0], Count: 2})
		if !ok {
			continue
		}
		got := []float64{m.opened.Loss, mean(a.Losses)}
		if m.name == us {
			want = got
		}
		if want == nil {
			continue
		}
		differs := 0.0
		for i := range want {
			differs = max(differs, math.Abs(got[i]-want[i])/math.Abs(want[i]))
		}
		t.add(suite, m, "loss differs", differs)
		if !(differs <= lossTolerance) {
			t.fail(ctx, suite, t.place, m.name, fmt.Errorf("its losses are %v, ours %v: it computes something else", got, want))
		}
	}
}

// fail records the error of who, at the place, among the failures of the run, unless the user has
// interrupted the run.
func (b *bench) fail(ctx context.Context, suite string, at place, who string, err error) {
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		return
	}
	b.results.Failures = append(b.results.Failures, Failure{suite, at.model, at.meshText(), who, err.Error()})
}
