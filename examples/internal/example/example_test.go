package example_test

// This file runs Main in another process, and checks that all examples use Main.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/examples/internal/example"
)

const runVar = "GOSPMD_TEST_EXAMPLE"

// TestMain runs the tests, or, in a process that a test has started, the example.
func TestMain(m *testing.M) {
	switch os.Getenv(runVar) {
	case "":
		os.Exit(m.Run())
	case "ends":
		example.Main("program", func(ctx context.Context, _ []string, out io.Writer) error {
			fmt.Fprintln(out, "begun")
			<-ctx.Done()
			fmt.Fprintln(out, "cleaned up")
			return fmt.Errorf("training: %w", ctx.Err())
		})
	case "hangs":
		example.Main("program", func(_ context.Context, _ []string, out io.Writer) error {
			fmt.Fprintln(out, "begun")
			select {}
		})
	case "warns":
		example.Main("program", func(context.Context, []string, io.Writer) error {
			slog.Warn("keras: model m: no seed")
			return nil
		})
	case "fails":
		example.Main("program", func(context.Context, []string, io.Writer) error { return fmt.Errorf("no file") })
	}
}

func TestSignals(t *testing.T) {
	for _, tc := range []struct {
		name    string
		signals []os.Signal
		status  int
		out     string
		errs    string
	}{
		{name: "ends", signals: []os.Signal{os.Interrupt}, status: 130, out: "cleaned up\n", errs: "program: interrupted\n"},
		{name: "ends", signals: []os.Signal{syscall.SIGTERM}, status: 130, out: "cleaned up\n", errs: "program: interrupted\n"},
		{name: "hangs", signals: []os.Signal{os.Interrupt, os.Interrupt}, status: -1},
		{name: "warns", status: 0, errs: "keras: model m: no seed\n"},
		{name: "fails", status: 1, errs: "program: no file\n"},
	} {
		t.Run(fmt.Sprint(tc.name, tc.signals), func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), runVar+"="+tc.name)
			var errs bytes.Buffer
			cmd.Stderr = &errs
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			if len(tc.signals) > 0 {
				_, err = io.ReadFull(out, make([]byte, len("begun\n")))
				require.NoError(t, err)
			}
			ended := make(chan struct{})
			sent := make(chan struct{})
			go func() { // until it ends: the process may not have seen the first interrupt yet
				defer close(sent)
				for i := 0; len(tc.signals) > 0; i++ {
					_ = cmd.Process.Signal(tc.signals[min(i, len(tc.signals)-1)])
					if len(tc.signals) == 1 {
						return
					}
					select {
					case <-ended:
						return
					default:
					}
				}
			}()
			rest, err := io.ReadAll(out)
			require.NoError(t, err)
			close(ended)
			<-sent
			_ = cmd.Wait()
			require.Equal(t, tc.status, cmd.ProcessState.ExitCode())
			require.Equal(t, tc.out, string(rest))
			require.Equal(t, tc.errs, errs.String())
		})
	}
}

// TestEveryExample reads the programs: the main function of each must call Main.
func TestEveryExample(t *testing.T) {
	programs, err := filepath.Glob("../../*/main.go")
	require.NoError(t, err)
	require.NotEmpty(t, programs)
	call := regexp.MustCompile(`(?m)^func main\(\) \{ example\.Main\("\w+", run\) \}$`)
	for _, name := range programs {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Regexp(t, call, string(text), name)
	}
}
