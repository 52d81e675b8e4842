package reexec_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/reexec"
)

var worker = reexec.Child[string, int]{Name: "worker"}

var stranger = reexec.Child[string, int]{Name: "stranger"}

func TestMain(m *testing.M) {
	worker.Serve(func(q string, answer func(int)) {
		fmt.Fprintln(os.Stderr, "asked:", q)
		switch q {
		case "panic":
			answer(1)
			panic("the worker's fault")
		case "much":
			for range 20_000 {
				fmt.Fprintln(os.Stderr, "a line of an ordinary length, of which there are many")
			}
			fmt.Fprintln(os.Stderr, "the last line")
			for range 100 {
				go time.Sleep(time.Hour)
			}
			panic("after much")
		case "exit":
			os.Exit(0)
		case "sleep":
			time.Sleep(time.Hour)
		case "variable":
			answer(len(os.Getenv("REEXEC_TEST")))
		}
		answer(len(q))
	})
	os.Exit(m.Run())
}

// A question that gob cannot encode is an error. The child does not wait for it.
func TestQuestionNotSent(t *testing.T) {
	_, err := reexec.Child[func(), int](worker).Ask(t.Context(), func() {}, reexec.Environment())
	require.ErrorContains(t, err, "the question was not sent: gob")
}

// Ask is an error, and starts no child, if the program does not call the Serve of that kind of
// question.
func TestNotServed(t *testing.T) {
	require.True(t, worker.IsServed())
	require.False(t, stranger.IsServed())
	_, err := stranger.Ask(t.Context(), "", reexec.Environment())
	require.ErrorContains(t, err, "which does not serve it")
}

func Example() {
	n, err := worker.Ask(context.Background(), "how many bytes?", reexec.Environment())
	fmt.Println(n, err)
	// Output: 15 <nil>
}

func TestAsk(t *testing.T) {
	t.Setenv("REEXEC_TEST", "12345")
	n, err := worker.Ask(t.Context(), strings.Repeat("x", 1<<20), reexec.Environment())
	require.NoError(t, err)
	require.Equal(t, 1<<20, n)
	n, err = worker.Ask(t.Context(), "variable", reexec.Environment())
	require.NoError(t, err)
	require.Equal(t, len("variable"), n, "the last answer counts")

	n, err = worker.Ask(t.Context(), "panic", reexec.Environment())
	require.ErrorContains(t, err, "the worker's process ended without an answer: exit status 2; the last that it wrote:\n")
	require.ErrorContains(t, err, "panic: the worker's fault")
	require.Less(t, len(err.Error()), 2000, "not all goroutines")
	require.Equal(t, 1, n, "what it answered before")
	_, err = worker.Ask(t.Context(), "much", reexec.Environment())
	require.ErrorContains(t, err, "of which there are many\nthe last line\npanic: after much")
	require.Less(t, len(err.Error()), 6000)
	_, err = worker.Ask(t.Context(), "exit", reexec.Environment())
	require.ErrorContains(t, err, "asked: exit")

	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err = worker.Ask(ctx, "sleep", reexec.Environment())
	require.ErrorContains(t, err, "the worker was stopped: context deadline exceeded")
}

func TestEnvironment(t *testing.T) {
	t.Setenv("REEXEC_A", "1")
	t.Setenv("REEXEC_AB", "1")
	env := reexec.Environment("REEXEC_A")
	require.NotContains(t, env, "REEXEC_A=1")
	require.Contains(t, env, "REEXEC_AB=1")
}
