// Package agreetest runs a test as several processes of a job that are goroutines of one process.
// It is for code that needs no devices: it has no transport.
//
//	file    what it holds
//	job.go  Run
package agreetest

import (
	"context"
	"fmt"
	"sync"

	"github.com/gospmd/gospmd/internal/agree"
)

// job is one process of the job.
type job struct {
	rank  int
	state *state
	used  map[string]int // number of exchanges so far, by name
}

// state is what the processes of a test's job share: the values that they exchange, by name.
type state struct {
	size   int
	mu     sync.Mutex
	rounds map[string]*round
}

// round is one Exchange of a name: the values of the processes, and how many are missing.
type round struct {
	values [][]byte
	left   int
	done   chan struct{}
}

// Run calls f once for each of size processes, at the same time, and returns their
// errors.
func Run(size int, f func(agree.Job) error) []error {
	s := &state{size: size, rounds: make(map[string]*round)}
	errs := make([]error, size)
	var wg sync.WaitGroup
	for rank := range size {
		wg.Go(func() { errs[rank] = f(&job{rank, s, make(map[string]int)}) })
	}
	wg.Wait()
	return errs
}

// ProcessIndex returns the rank.
func (j *job) ProcessIndex() int { return j.rank }

// ProcessCount returns the number of processes.
func (j *job) ProcessCount() int { return j.state.size }

// Exchange stores value for this process under the name, waits for the other processes, and returns
// the values of all by rank. It can be called again with the same name. If ctx ends first, its
// error is returned.
func (j *job) Exchange(ctx context.Context, name string, value []byte) ([][]byte, error) {
	j.state.mu.Lock()
	j.used[name]++
	name = fmt.Sprintf("%s %d", name, j.used[name])
	r := j.state.rounds[name]
	if r == nil {
		r = &round{values: make([][]byte, j.state.size), left: j.state.size, done: make(chan struct{})}
		j.state.rounds[name] = r
	}
	r.values[j.rank] = append([]byte{}, value...)
	if r.left--; r.left == 0 {
		close(r.done)
	}
	j.state.mu.Unlock()
	select {
	case <-r.done:
		return r.values, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("exchange %q: %w", name, ctx.Err())
	}
}
