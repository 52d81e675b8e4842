package main

// This file runs the turns.

import (
	"context"
	"fmt"
	"math"
	"syscall"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ui/commandline"

	"github.com/gospmd/gospmd/benchmarks/internal/gomlx"
	"github.com/gospmd/gospmd/examples/gomlx/programs"
	"github.com/gospmd/gospmd/gomlxbackend"
)

// The backends, in the order of the turns.
const (
	own = iota
	single
	meshed
	backends
)

// plan has the mesh and the layouts of a measured program, and the number of measurements. small is
// for the small sizes of tests; settings are hyperparameters in the form of the programs' flag
// -set.
type plan struct {
	mesh, layouts string
	rounds        int
	seconds       float64 // the shortest length of a turn
	small         bool
	settings      string
}

// result holds the wall and CPU seconds of a step, by backend and round.
type result struct {
	steps      int // steps of a turn
	times, cpu [backends][]float64
}

// measure trains the program p on each backend, turn by turn, as many rounds as the plan says, and
// returns the number of steps of a turn and the wall and CPU seconds of a step. A first loss that
// differs from that of GoMLX's own backend by more than 1e-3 is an error with both.
func measure(ctx context.Context, p programs.Program, of plan) (r result, err error) {
	var turns [backends]*training
	for i := range turns {
		b, err := open(ctx, i, of)
		if err != nil {
			return r, err
		}
		defer b.Finalize()
		if turns[i], err = start(p, b, of); err != nil {
			return r, err
		}
	}
	const first = 3 // the first steps, which compile
	for i, t := range turns {
		if err := t.run(1); err != nil {
			return r, err
		}
		if d := math.Abs(t.loss - turns[own].loss); d > 1e-3 {
			return r, fmt.Errorf("backend %d has the loss %g at the first step, GoMLX's own %g", i, t.loss, turns[own].loss)
		}
	}
	for _, t := range turns {
		if err := t.run(first - 1); err != nil {
			return r, err
		}
	}
	began := time.Now()
	if err := turns[own].run(first); err != nil {
		return r, err
	}
	r.steps = max(1, int(of.seconds*first/time.Since(began).Seconds()))
	for round := range of.rounds {
		for i := range turns {
			if round%2 == 1 {
				i = backends - 1 - i
			}
			if err := ctx.Err(); err != nil {
				return r, err
			}
			began, used := time.Now(), cpuSeconds()
			if err := turns[i].run(r.steps); err != nil {
				return r, err
			}
			r.times[i] = append(r.times[i], time.Since(began).Seconds()/float64(r.steps))
			r.cpu[i] = append(r.cpu[i], (cpuSeconds()-used)/float64(r.steps))
		}
	}
	return r, nil
}

// open opens the backend with the number backend: own is GoMLX's own, single is gospmd on one
// device. Another number is gospmd on the mesh and with the layouts of the plan.
func open(ctx context.Context, backend int, of plan) (compute.Backend, error) {
	switch backend {
	case own:
		return gomlx.OpenBackend(ctx)
	case single:
		return gomlxbackend.New("mesh=single")
	}
	return gomlxbackend.New(fmt.Sprintf("mesh=%s,layouts=%s", of.mesh, of.layouts))
}

// training is the training of a program on a backend.
type training struct {
	loop *train.Loop
	ds   train.Dataset
	loss float64 // the last loss
}

func start(p programs.Program, b compute.Backend, of plan) (*training, error) {
	store := p.Store()
	if of.small {
		var err error
		if store, err = p.SmallStore(); err != nil {
			return nil, err
		}
	}
	if _, err := commandline.ParseSettings(store, of.settings); err != nil {
		return nil, err
	}
	ds, err := p.Dataset(b, store)
	if err != nil {
		return nil, err
	}
	return &training{loop: p.NewLoop(b, store), ds: ds}, nil
}

// run trains the given number of steps on the backend, waits for the loss of the last one, and sets
// t.loss to it.
func (t *training) run(steps int) error {
	metrics, err := t.loop.RunSteps(t.ds, steps)
	if err != nil {
		return err
	}
	t.loss = shapes.ConvertTo[float64](metrics[0].Value())
	return nil
}

// cpuSeconds returns the processor's seconds of this process so far.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("BUG: " + err.Error())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
