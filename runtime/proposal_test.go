package runtime_test

// This file tests the options that the processes of a job choose together before they open
// anything.

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/transport/gloo"
)

const choiceVar = "GOSPMD_RUNTIME_TEST_CHOICE"

// choice is what a child process of these tests reports, as JSON: the options that the processes of
// its job agreed on, or the error of Open, and the warnings.
type choice struct {
	Error, Warnings, Engine, Transport string
	Link                               runtime.Link
}

// TestChoiceChild is no test of its own: openChildren starts it in child processes, as the
// processes of a job. It opens a client and prints the options that the processes agreed on.
func TestChoiceChild(t *testing.T) {
	var o runtime.Options
	text := os.Getenv(choiceVar)
	if text == "" {
		t.Skip("it is run by other tests")
	}
	require.NoError(t, json.Unmarshal([]byte(text), &o))
	var warnings strings.Builder
	o.Logger = slog.New(slog.NewTextHandler(&warnings, &slog.HandlerOptions{Level: slog.LevelWarn}))
	got := choice{}
	c, err := runtime.Open(context.Background(), o)
	got.Warnings = warnings.String()
	if err != nil {
		got.Error = err.Error()
	} else {
		m, err := mesh.New([]int{len(c.Devices())}, []string{"all"}, nil)
		require.NoError(t, err)
		got.Engine, got.Transport, got.Link = c.LocalDevices()[0].Kind, runtime.TransportOf(c), c.Links(m)["all"]
		require.NoError(t, c.Close())
	}
	out, err := json.Marshal(got)
	require.NoError(t, err)
	fmt.Printf("\nchoice %s\n", out)
}

// openChildren opens the clients of a job in child processes, one with one device of the CPU for
// each of environments, which has its additional environment variables. The other options are o's.
// It returns what each child reports, in the order of environments.
func openChildren(t *testing.T, o runtime.Options, environments ...[]string) []choice {
	t.Helper()
	o.Platform, o.Devices, o.JobAddresses, o.NumProcesses, o.JoinTimeout = "cpu", 1, jobtest.FreeAddress(t), len(environments), 2*time.Minute
	got := make([]choice, len(environments))
	outputs, errs := make([][]byte, len(environments)), make([]error, len(environments))
	var wait sync.WaitGroup
	for rank, environ := range environments {
		o.ProcessID = rank
		text, err := json.Marshal(o)
		require.NoError(t, err)
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChoiceChild$", "-test.v")
		child.Env = append(append(os.Environ(), choiceVar+"="+string(text)), environ...)
		wait.Go(func() { outputs[rank], errs[rank] = child.CombinedOutput() })
	}
	wait.Wait()
	for rank, out := range outputs {
		require.NoError(t, errs[rank], "%s", out)
		_, line, found := strings.Cut(string(out), "\nchoice ")
		require.True(t, found, "%s", out)
		line, _, _ = strings.Cut(line, "\n")
		require.NoError(t, json.Unmarshal([]byte(line), &got[rank]))
	}
	return got
}

// hidden holds environment variables that keep a process from compiling Gloo's part.
var hidden = []string{"CXX=no-such-compiler", "GOSPMD_TRANSPORT=", "GOSPMD_ENGINE="}

// If one process lacks Gloo, all take tcp, the engine stays PJRT, and process 0 says in one line
// what is missing and how to install it.
func TestJobWithoutGloo(t *testing.T) {
	if !runtime.HasPJRT {
		t.Skip("this binary was built without cgo: it has no PJRT")
	}
	visible := []string{"GOSPMD_TRANSPORT=", "GOSPMD_ENGINE="}
	cases := map[string][][]string{"no process has Gloo": {hidden, hidden}}
	if gloo.CheckAvailable(context.Background(), nil) == nil {
		cases["one process lacks Gloo"] = [][]string{visible, hidden}
	}
	for name, environments := range cases {
		t.Run(name, func(t *testing.T) {
			for rank, got := range openChildren(t, runtime.Options{}, environments...) {
				require.Empty(t, got.Error)
				require.Equal(t, "tcp", got.Transport)
				require.NotEqual(t, "go", got.Engine, "it is not PJRT")
				if rank > 0 {
					require.Empty(t, got.Warnings)
					continue
				}
				require.Equal(t, 1, strings.Count(got.Warnings, "\n"), "%s", got.Warnings)
				require.Contains(t, got.Warnings, `which Gloo's shim needs: install libgloo-dev and g++`)
			}
		})
	}
}

// A transport that the user names in any process is used by all. One that is unknown, or that
// another process names differently or lacks, is an error in all processes; so are engines and
// links that differ.
func TestJobNamesTransport(t *testing.T) {
	for _, tc := range []struct {
		name         string
		environments [2]string
		want         string // the error; empty: the transport is tcp
	}{
		{"one names tcp", [2]string{"GOSPMD_TRANSPORT=", "GOSPMD_TRANSPORT=tcp"}, ""},
		{"two names", [2]string{"GOSPMD_TRANSPORT=gloo", "GOSPMD_TRANSPORT=tcp"},
			`process 0 has the transport "gloo" (from GOSPMD_TRANSPORT), process 1 has "tcp" (from GOSPMD_TRANSPORT): set GOSPMD_TRANSPORT to the same in all processes`},
		{"no such name", [2]string{"GOSPMD_TRANSPORT=", "GOSPMD_TRANSPORT=mpi"}, `process 1: GOSPMD_TRANSPORT is "mpi": want "gloo", "tcp", or nothing for the default`},
		{"lacks Gloo", [2]string{"GOSPMD_TRANSPORT=gloo", "GOSPMD_TRANSPORT="}, `process 0 cannot use the transport "gloo": gloo: there is no C++ compiler "no-such-compiler"`},
		{"two engines", [2]string{"GOSPMD_ENGINE=go", "GOSPMD_ENGINE=pjrt"}, `process 0 has the engine "go" (from GOSPMD_ENGINE), process 1 has "pjrt" (from GOSPMD_ENGINE)`},
		{"two links", [2]string{"GOSPMD_LINK=1ms,1GB", "GOSPMD_LINK=2ms,1GB"}, `process 0 has the link "1ms,1GB" (from GOSPMD_LINK), process 1 has "2ms,1GB"`},
		{"no link", [2]string{"GOSPMD_LINK=fast", "GOSPMD_LINK=fast"}, `the link is "fast": want a latency and the bytes of a second, such as 100us,1GB`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if strings.Contains(tc.name, "Gloo") && !runtime.HasPJRT {
				t.Skip("a binary without cgo lacks Gloo for that reason")
			}
			var environments [][]string
			for _, v := range tc.environments {
				environments = append(environments, []string{"CXX=no-such-compiler", "GOSPMD_ENGINE=go", "GOSPMD_TRANSPORT=", v})
			}
			for _, got := range openChildren(t, runtime.Options{}, environments...) {
				if tc.want == "" {
					require.Empty(t, got.Error)
					require.Empty(t, got.Warnings)
					require.Equal(t, "tcp", got.Transport)
					continue
				}
				require.Contains(t, got.Error, tc.want)
			}
		})
	}
}

// The link that programs are compiled for is never measured: it is the option, or else the
// variable, or else the default.
func TestJobLink(t *testing.T) {
	m, err := mesh.New([]int{2}, []string{"all"}, nil)
	require.NoError(t, err)
	pinned := runtime.Link{Latency: 3e-3, Bandwidth: 5e6}
	for _, tc := range []struct {
		name     string
		set      runtime.Link
		variable string
		want     runtime.Link
	}{
		{"default", runtime.Link{}, "", runtime.LocalLink},
		{"option", pinned, "7ms,1kB", pinned},
		{"variable", runtime.Link{}, "3ms,5MB", pinned},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Setenv("GOSPMD_LINK", tc.variable)
			clients := jobtest.Open(t, 2, 1, func(o *runtime.Options) { o.Link = tc.set })
			require.NoError(t, jobtest.Together(clients, func(_ int, c *runtime.Client) error {
				require.Equal(t, map[string]runtime.Link{"all": tc.want}, c.Links(m))
				measured, err := c.MeasureLink(context.Background())
				if err != nil {
					return err
				}
				read, err := runtime.ParseLink(measured.String())
				require.InDelta(t, measured.Latency, read.Latency, 1e-8)
				require.InDelta(t, measured.Bandwidth, read.Bandwidth, 1)
				require.Equal(t, map[string]runtime.Link{"all": tc.want}, c.Links(m), "a measurement changes it")
				return err
			}))
		})
	}
	for _, text := range []string{"", "1ms", "1ms,", ",1GB", "-1ms,1GB", "1ms,-5"} {
		_, err := runtime.ParseLink(text)
		require.ErrorContains(t, err, "want a latency and the bytes of a second", "%q", text)
	}
}

// A job with a secret sends tensors by tcp, encrypted. Gloo cannot encrypt, and is refused.
func TestJobEncrypts(t *testing.T) {
	secret := runtime.Options{JobSecret: strings.Repeat("a secret of a test ", 3)}
	for rank, got := range openChildren(t, secret, []string{"GOSPMD_TRANSPORT="}, []string{"GOSPMD_TRANSPORT="}) {
		require.Empty(t, got.Error, "process %d", rank)
		require.NotContains(t, got.Warnings, "Gloo", "process %d", rank)
		require.Equal(t, "tcp", got.Transport)
	}
	for _, got := range openChildren(t, secret, []string{"GOSPMD_TRANSPORT=gloo"}, []string{"GOSPMD_TRANSPORT=gloo"}) {
		require.Contains(t, got.Error, `the transport "gloo" sends tensors in plain text, and the job has TLS: set GOSPMD_TRANSPORT=tcp, or leave it empty`)
	}
}
