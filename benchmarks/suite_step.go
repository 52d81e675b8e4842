package main

// This file measures training steps, and the loop of fit.

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gospmd/gospmd/benchmarks/internal/worker"
)

// mostSteps is the largest number of steps of a turn.
const mostSteps = 1000

// longTurns is the time after which no further round of a place begins. The first leastRounds are
// always run.
const (
	longTurns   = 45 * time.Second
	leastRounds = 3
)

// If a step of fit takes less than shortStep, warmSteps steps run before the rounds: keras.Fit runs
// several steps as one program after its first 256 steps.
const (
	shortStep = 20 * time.Millisecond
	warmSteps = 320
)

// measureSteps measures training steps, as train does.
func measureSteps(ctx context.Context, t *turns) { t.train(ctx, "step") }

// train measures training steps. The workers train in turns for several rounds, in reverse order in
// every other round, after their losses were compared. After longTurns no round begins but the
// first leastRounds. The wall and CPU seconds of a step go to the results under the name of the
// suite, by the member's loops. A member that fails takes no more turns.
func (t *turns) train(ctx context.Context, suite string) {
	t.checkLosses(ctx, suite)
	count := t.countSteps(ctx, suite)
	began := time.Now()
	for round := range t.rounds {
		if round >= leastRounds && time.Since(began) > longTurns {
			return
		}
		t.progress.report(fmt.Sprintf("%s: round %d of %d, %d steps a turn", t.place, round+1, t.rounds, count))
		members := slices.Clone(t.members)
		if round%2 == 1 {
			slices.Reverse(members)
		}
		for _, m := range members {
			for _, loop := range m.loops {
				a, ok := t.ask(ctx, suite, m, worker.Request{Do: loop, Count: count})
				if !ok {
					break
				}
				t.add(suite, m, loop, a.Wall/float64(count))
				t.add(suite, m, loop+", CPU", a.CPU/float64(count))
			}
		}
	}
}

// countSteps returns how many steps make a turn: those that the user has set or, if there are none,
// as many as the first worker runs in about the time of a turn, at most mostSteps. It first runs
// two steps in each loop of each member, to compile all loops, and warmSteps more if they are
// short.
func (t *turns) countSteps(ctx context.Context, suite string) int {
	count := t.steps
	for _, m := range slices.Clone(t.members) {
		for _, loop := range m.loops {
			a, ok := t.ask(ctx, suite, m, worker.Request{Do: loop, Count: 1})
			if !ok {
				break
			}
			if count == 0 {
				count = min(max(1, int(t.seconds/a.Wall)), mostSteps)
			}
			t.warm(ctx, suite, m, loop)
		}
	}
	return max(count, 1)
}

// warm lets the worker m run a step of a loop, and warmSteps more unless that one took shortStep or
// longer.
func (t *turns) warm(ctx context.Context, suite string, m *member, loop string) {
	if a, ok := t.ask(ctx, suite, m, worker.Request{Do: loop, Count: 1}); ok && a.Wall < shortStep.Seconds() {
		t.ask(ctx, suite, m, worker.Request{Do: loop, Count: warmSteps})
	}
}
