package main

// This file measures the time from the start of a process to the first loss: with an empty
// compilation cache, and with the cache of an earlier start.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gospmd/gospmd/benchmarks/internal/worker"
)

// longRounds is the time after which no further round of a model begins.
const longRounds = 30 * time.Second

// cached is the suffix of the names of workers that find a filled compilation cache.
const cached = ", cached"

// measureStarts measures, for each model, how long workers take from their start to the first loss,
// with an empty and with a filled cache. The workers start in turns, for several rounds, all on one
// mesh. After longRounds no further round of a model begins. A worker that fails is a failure in
// b's results; an error is returned if a model cannot be exported, or if ctx ends.
func measureStarts(ctx context.Context, b *bench) error {
	for _, model := range b.models {
		if err := b.export(ctx, model); err != nil {
			return err
		}
		at := place{model, startMesh(b.config), b.modelDir(model)}
		b.progress.next(fmt.Sprintf("%s: start", at))
		began := time.Now()
		for round := 0; round < b.rounds && (round == 0 || time.Since(began) < longRounds); round++ {
			b.progress.report(fmt.Sprintf("%s: start, round %d of %d", at, round+1, b.rounds))
			if err := b.startAll(ctx, at); err != nil {
				return err
			}
		}
	}
	return nil
}

// startMesh returns the mesh of the starts: 2x4 if it is among the measured ones, else the first of
// these.
func startMesh(c config) []int {
	for _, shape := range c.meshes {
		if slices.Equal(shape, []int{2, 4}) {
			return shape
		}
	}
	return c.meshes[0]
}

// startAll starts each worker with an empty cache, and then each again with the cache that it has
// filled, and adds the times to the results. A worker that fails is a failure in the results; an
// error is returned if ctx ends.
func (b *bench) startAll(ctx context.Context, at place) error {
	dir, err := os.MkdirTemp(b.dir, "caches-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, suffix := range []string{"", cached} {
		for _, p := range b.starters() {
			m := &member{peer: p}
			err := m.start(ctx, b, at, cachesIn(filepath.Join(dir, p.name))...)
			if err != nil {
				b.fail(ctx, "start", at, p.name+suffix, err)
			} else {
				m.process.Close()
				b.addStart(at, p.name+suffix, m.opened)
			}
			if err := context.Cause(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// startParts are the parts of a start that workers measure.
var startParts = []struct {
	name string
	of   func(worker.Answer) float64
}{
	{"tracing", func(a worker.Answer) float64 { return a.Trace }},
	{"partitioning", func(a worker.Answer) float64 { return a.Lower }},
	{"compiling or loading", func(a worker.Answer) float64 { return a.Compile }},
	{"first step", func(a worker.Answer) float64 { return a.FirstStep }},
}

// startComparisons compare the parts of our starts.
func startComparisons() (out []comparison) {
	for _, part := range startParts {
		out = append(out, comparison{"start", part.name, us + cached, []string{us}})
	}
	return out
}

// addStart adds the times of a start of the worker who, in seconds: to the first loss, its CPU
// time, and the parts. The first losses of our program compiled here and of the one from the cache
// must be equal; otherwise it records a failure.
func (b *bench) addStart(at place, who string, a worker.Answer) {
	const suite = "start"
	k := key{suite, at.model, at.meshText(), who, "first loss"}
	b.results.add(k, a.SinceStart)
	k.Quantity = "first loss, CPU"
	b.results.add(k, a.CPU)
	for _, part := range startParts {
		if seconds := part.of(a); seconds > 0 { // other workers do not measure the part
			k.Quantity = part.name
			b.results.add(k, seconds)
		}
	}
	k.Quantity = "loss"
	b.results.add(k, a.Loss)
	k.Worker = us
	if s := b.results.find(k); who == us+cached && s != nil && s.Rounds[0] != a.Loss {
		b.results.Failures = append(b.results.Failures, Failure{suite, at.model, at.meshText(), who, fmt.Sprintf("the loss of a step from the compilation cache is %v, and of the one that was compiled %v", a.Loss, s.Rounds[0])})
	}
}

// starters returns the workers whose starts are measured: ours, and JAX and Keras if they are among
// the peers.
func (b *bench) starters() (out []peer) {
	for _, p := range peers {
		if p.name == us || slices.Contains([]string{"jax", "keras"}, p.name) && slices.Contains(b.peers, p.name) {
			out = append(out, p)
		}
	}
	return out
}

// cachesIn returns environment variables that make us and JAX cache all compiled programs in a
// directory.
func cachesIn(dir string) []string {
	return []string{
		"GOSPMD_COMPILATION_CACHE=" + dir, "JAX_COMPILATION_CACHE_DIR=" + dir,
		"JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS=0", "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES=-1",
	}
}
