package main

// This file lists the suites, and implements the suites with few requests to each worker.

import (
	"context"
	"slices"

	"github.com/gospmd/gospmd/benchmarks/internal/worker"
)

// suite is a kind of measurement. It measures either by inTurns, with workers that take turns at
// each model and mesh, or by alone, which does the whole suite.
type suite struct {
	name, about string
	workers     []string                            // the workers of the suite, with inTurns
	inTurns     func(ctx context.Context, t *turns) // measures one model on one mesh; or
	alone       func(ctx context.Context, b *bench) error
	units       func(c config) int // the number of parts of a run, for its progress
	asked       bool               // it runs only if -suite names it
}

var suites = []suite{
	{name: "step", about: "time of a training step, and of one in the loop of fit", workers: []string{us, oneDevice, before, "xla", "gomlx", "jax", "keras"}, inTurns: measureSteps, units: places},
	{name: "frontend", about: "time from a model to the text that XLA compiles: tracing, propagation, partitioning, lowering", workers: []string{us, "jax"}, inTurns: measureFrontend, units: places},
	{name: "comm", about: "what a device sends in a step", workers: []string{us, "xla"}, inTurns: measureComm, units: places},
	{name: "memory", about: "bytes of a device", workers: []string{us, "xla", "jax"}, inTurns: measureMemory, units: places},
	{name: "start", about: "time from the start of a process to the first loss", alone: measureStarts, units: func(c config) int { return len(c.models) }},
	{name: "policies", about: "time of a training step at the peak of each policy of jax.checkpoint", workers: []string{"jax"}, alone: measurePolicies, units: places, asked: true},
	{name: "scale", about: "time of our front end, by layers and devices", alone: measureScale, units: func(config) int { return len(scaleLayers) }},
}

// names returns the names of suites: those that run by default, or those that run if they are asked
// for.
func names(list []suite, asked bool) (out []string) {
	for _, s := range list {
		if s.asked == asked {
			out = append(out, s.name)
		}
	}
	return out
}

// places returns the number of pairs of model and mesh.
func places(c config) int { return len(c.models) * len(c.meshes) }

// membersNamed returns the members of t with these names, in the order of t.
func (t *turns) membersNamed(who ...string) (out []*member) {
	for _, m := range t.members {
		if slices.Contains(who, m.name) {
			out = append(out, m)
		}
	}
	return out
}

// measureFrontend makes our worker and JAX's trace and lower their step in turns. It records the
// wall and CPU seconds, and the seconds that XLA's compiler took when they opened the model.
func measureFrontend(ctx context.Context, t *turns) {
	const suite = "frontend"
	no := false
	for range t.rounds {
		for _, m := range t.membersNamed(us, "jax") {
			if a, ok := t.ask(ctx, suite, m, worker.Request{Do: "frontend", Compile: &no}); ok {
				t.add(suite, m, "trace and lower", a.Trace+a.Lower)
				t.add(suite, m, "trace and lower, CPU", a.TraceCPU+a.LowerCPU)
			}
		}
	}
	for _, m := range t.membersNamed(us, "jax") {
		t.add(suite, m, "XLA's compiler", m.opened.Compile)
	}
}

// measureComm asks our worker and XLA's for the bytes that a device sends in a step, and the number
// of collectives, and adds them to the results.
func measureComm(ctx context.Context, t *turns) {
	const suite = "comm"
	for _, m := range t.membersNamed(us, "xla") {
		if a, ok := t.ask(ctx, suite, m, worker.Request{Do: "comm"}); ok {
			t.add(suite, m, "bytes sent", float64(a.Bytes))
			t.add(suite, m, "collectives", float64(a.Collectives))
		}
	}
}

// measureMemory asks our worker, XLA's and JAX's for the memory of their compiled step, and adds
// its peak and its arguments to the results. For ours it also adds the peak that we predict, and
// beside it the peak as that of the worker reported.
func measureMemory(ctx context.Context, t *turns) {
	const suite = "memory"
	for _, m := range t.membersNamed(us, "xla", "jax") {
		a, ok := t.ask(ctx, suite, m, worker.Request{Do: "memory"})
		if !ok {
			continue
		}
		t.add(suite, m, "peak", float64(a.Peak))
		t.add(suite, m, "arguments", float64(a.Arguments))
		if m.name == us {
			t.add(suite, m, "predicted peak", float64(a.Predicted))
			t.results.add(key{suite, t.model, t.meshText(), reported, "predicted peak"}, float64(a.Peak))
		}
	}
}

// reported stands in the results for a worker: its peak is the memory that our prediction is
// compared with.
const reported = "reported"
