package exampletest

// This file runs example programs.

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
)

// Program is the function run of an example's main.
type Program func(ctx context.Context, args []string, out io.Writer) error

// Output runs the program with args and returns its output. It fails the test if the program fails,
// and skips it where the platform has fewer devices than the program wants.
func Output(t testing.TB, run Program, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	err := run(t.Context(), args, &out)
	runtimetest.SkipFewer(t, err)
	require.NoError(t, err)
	return out.String()
}

// Interrupted runs the program, and interrupts it after its first output. The program must end with
// the error of its context, before it has written 50 times. Where the platform has fewer devices
// than it wants, the test is skipped.
func Interrupted(t testing.TB, run Program, args ...string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := interrupter{cancel: cancel}
	err := run(ctx, args, &out)
	runtimetest.SkipFewer(t, err)
	require.ErrorIs(t, err, context.Canceled)
	require.Less(t, out.writes, 50, "it does not go on")
}

// interrupter cancels a context at the first output.
type interrupter struct {
	cancel context.CancelFunc
	writes int
}

func (w *interrupter) Write(b []byte) (int, error) {
	w.cancel()
	w.writes++
	return len(b), nil
}

// JSON runs the program with args and -json, and returns its last line of output, decoded. The test
// fails if the program fails or the line is no JSON.
func JSON[T any](t testing.TB, run Program, args ...string) (result T) {
	t.Helper()
	args = append(args[:len(args):len(args)], "-json")
	lines := strings.Split(strings.TrimSpace(Output(t, run, args...)), "\n")
	require.NoError(t, json.Unmarshal([]byte(lines[len(lines)-1]), &result), "the last line is JSON")
	return result
}
