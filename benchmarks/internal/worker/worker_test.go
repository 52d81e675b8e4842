package worker_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/benchmarks/internal/worker"
)

const variable = "GOSPMD_TEST_WORKER"

// TestMain makes the test's binary the worker, if the test that starts it sets the variable. Its
// handlers answer, fail, die, print garbage and hang.
func TestMain(m *testing.M) {
	if os.Getenv(variable) == "" {
		os.Exit(m.Run())
	}
	handlers := worker.Handlers{
		"open": func(_ context.Context, r worker.Request) (worker.Answer, error) {
			return worker.Answer{Loss: 1.5, Devices: r.Mesh[0] * r.Mesh[1]}, nil
		},
		"step": func(_ context.Context, r worker.Request) (worker.Answer, error) {
			if r.Count < 1 {
				return worker.Answer{}, fmt.Errorf("got count %d", r.Count)
			}
			return worker.Answer{Wall: 1, Losses: make([]float64, r.Count)}, nil
		},
		"dies": func(context.Context, worker.Request) (worker.Answer, error) {
			fmt.Fprintln(os.Stderr, "no such device")
			os.Exit(3)
			return worker.Answer{}, nil
		},
		"garbage": func(context.Context, worker.Request) (worker.Answer, error) {
			fmt.Println("loaded 3 files")
			return worker.Answer{}, nil
		},
		"hangs": func(context.Context, worker.Request) (worker.Answer, error) {
			fmt.Fprintln(os.Stderr, "waiting for others")
			// not select: Go ends a program without cgo if nothing can wake it
			time.Sleep(time.Hour)
			return worker.Answer{}, nil
		},
	}
	if err := worker.Serve(context.Background(), os.Stdin, os.Stdout, handlers); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func start(t *testing.T, timeout time.Duration) *worker.Process {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), variable+"=1")
	p, err := worker.Start(cmd, timeout)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p
}

func TestAsk(t *testing.T) {
	p := start(t, time.Minute)
	a, err := p.Ask(t.Context(), worker.Request{Do: "open", Mesh: []int{2, 4}})
	require.NoError(t, err)
	require.Equal(t, 8, a.Devices)
	require.Positive(t, a.SinceStart)
	var failed *worker.RequestError
	_, err = p.Ask(t.Context(), worker.Request{Do: "step"})
	require.ErrorAs(t, err, &failed)
	require.EqualError(t, err, "step: got count 0")
	_, err = p.Ask(t.Context(), worker.Request{Do: "fly"})
	require.EqualError(t, err, `fly: "fly": unsupported operation`)
	a, err = p.Ask(t.Context(), worker.Request{Do: "step", Count: 2}) // the worker continues after errors
	require.NoError(t, err)
	require.Len(t, a.Losses, 2)
}

// If a worker ends, hangs or prints something else, Ask returns an error with its last output, then
// and always afterwards.
func TestBrokenWorkers(t *testing.T) {
	for _, tc := range []struct {
		do    string
		limit time.Duration
		want  string
	}{
		{"dies", time.Minute, "dies: it ended without an answer; its last words: no such device"},
		{"hangs", 5 * time.Second, "hangs: no answer within 5s; its last words: waiting for others"},
		{"garbage", time.Minute, `garbage: it answered "loaded 3 files\n"`},
	} {
		t.Run(tc.do, func(t *testing.T) {
			p := start(t, tc.limit)
			_, err := p.Ask(t.Context(), worker.Request{Do: tc.do})
			require.ErrorContains(t, err, tc.want)
			_, again := p.Ask(t.Context(), worker.Request{Do: "open"})
			require.Equal(t, err, again)
		})
	}
}

// Ask ends when its context does, although the worker hangs, and returns the context's cause.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	p := start(t, time.Minute)
	stop := errors.New("interrupted")
	time.AfterFunc(100*time.Millisecond, func() { cancel(stop) })
	_, err := p.Ask(ctx, worker.Request{Do: "hangs"})
	require.ErrorIs(t, err, stop)
}
