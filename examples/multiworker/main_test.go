package main

// This file trains by several processes, loses some of them, and restarts the others.

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/transport/gloo"
)

// way is a combination to test: an engine, and a transport between its processes.
type way struct{ engine, transport string }

// onGo is the way with the engine and the transport that work on every machine.
var onGo = way{runtime.EngineGo, "tcp"}

// ways are the engines and transports that are tested, if the machine supports them.
var ways = []way{onGo, {runtime.EnginePJRT, "gloo"}, {runtime.EnginePJRT, "tcp"}}

// String returns the way's engine and transport, for the names of tests.
func (w way) String() string { return w.engine + " over " + w.transport }

// environ returns the environment variables that select the engine and the transport of the way.
func (w way) environ() []string {
	return []string{"GOSPMD_ENGINE=" + w.engine, "GOSPMD_TRANSPORT=" + w.transport}
}

// runOnEachWay runs a test on each way that the machine has. Of the two ways of PJRT the short form
// takes one: Gloo, or tcp where there is no Gloo.
func runOnEachWay(t *testing.T, test func(t *testing.T, w way)) {
	for _, w := range ways {
		t.Run(w.String(), func(t *testing.T) {
			if w.engine == runtime.EnginePJRT {
				needs.Cgo(t, runtime.HasPJRT)
				if os.Getenv("GOSPMD_ENGINE") == runtime.EngineGo {
					t.Skip("GOSPMD_ENGINE is go")
				}
				lacks := gloo.CheckAvailable(t.Context(), nil)
				if w.transport == "gloo" && lacks != nil {
					needs.Skip(t, "Gloo", "apt-get install libgloo-dev g++", lacks)
				}
				if w.transport == "tcp" && lacks == nil {
					longtest.Only(t, "the short form takes Gloo")
				}
			}
			test(t, w)
		})
	}
}

// sameArgs returns the function that gives each process the same arguments, args.
func sameArgs(args ...string) func(int) []string { return func(int) []string { return args } }

// losses returns the losses of a job's training. All processes must have the same ones.
func losses(t *testing.T, j *jobtest.Job) []float64 {
	t.Helper()
	all := jobtest.Results[result](j)
	for rank, r := range all {
		require.Equal(t, rank, r.Process)
		require.Equal(t, append(all[0].Loss, all[0].Eval), append(r.Loss, r.Eval))
	}
	return append(all[0].Loss, all[0].Eval)
}

// TestLosses trains on meshes of several processes. The losses must be those of one process. The
// short form has two processes on one mesh with PJRT, and four on another with the Go engine.
func TestLosses(t *testing.T) {
	runOnEachWay(t, func(t *testing.T, w way) {
		want := losses(t, jobtest.Start(t, 1, 1, w.environ(), sameArgs("-json")))
		for _, tc := range []struct {
			processes, devices int
			args               []string
		}{{1, 8, nil}, {2, 4, nil}, {4, 2, nil}, {1, 8, []string{"-mesh", "2x4"}}, {2, 4, []string{"-mesh", "2x4"}}, {4, 2, []string{"-mesh", "2x4"}}} {
			short := tc.processes == 2 && tc.args == nil
			if w.engine == runtime.EngineGo {
				short = tc.processes == 4 && tc.args != nil
			}
			if !short && !longtest.Enabled() {
				continue
			}
			got := losses(t, jobtest.Start(t, tc.processes, tc.devices, w.environ(), sameArgs(append(tc.args, "-json")...)))
			require.InDeltaSlice(t, want, got, 1e-6, "%v", tc)
		}
	})
}

var rounds = flag.Int("rounds", 0, "how often TestLost loses a process on each engine; 0: as often as a normal test does")

// TestLost stops and kills processes of three, in turn; the long form gets to each of them, and the
// short form stops one on one engine and kills one on the other. The others must end within seconds,
// with an error that names the process. Then two processes continue from the last backup, and must
// end with the losses of an undisturbed training, within 1e-5, and no backup may be left.
func TestLost(t *testing.T) {
	epochs := longtest.Pick(3, 6)
	training := []string{"-json", "-steps", "-every", "2", "-epochs", fmt.Sprint(epochs)}
	signals := []syscall.Signal{syscall.SIGSTOP, syscall.SIGKILL} // TestKills kills more
	r := rand.New(rand.NewPCG(3, 4))
	runOnEachWay(t, func(t *testing.T, w way) {
		want := losses(t, jobtest.Start(t, 1, 2, w.environ(), sameArgs(training...)))
		first := 0
		if w.engine == runtime.EnginePJRT {
			first = 1
		}
		for round := first; round < first+cmp.Or(*rounds, longtest.Pick(1, 4)); round++ {
			rank, signal := round%3, signals[round%2]
			t.Run(fmt.Sprintf("%d: %s process %d", round, signal, rank), func(t *testing.T) {
				backup := filepath.Join(t.TempDir(), "backup")
				args := append([]string{"-backup", backup}, training...)
				j := jobtest.Start(t, 3, 2, w.environ(), sameArgs(args...))
				step := 3 + r.IntN(4*epochs)
				j.Processes[rank].Await(t, fmt.Sprintf("step %d", step))
				time.Sleep(time.Duration(r.IntN(20)) * time.Millisecond)
				j.Signal(rank, signal)
				j.RequireOthersEnd(rank)
				got := losses(t, jobtest.Start(t, 2, 2, w.environ(), sameArgs(args...)))
				require.InDeltaSlice(t, want, got, 1e-5)
				// a stopped process may hold a temporary file
				left, err := filepath.Glob(filepath.Join(backup, "step-*"))
				require.NoError(t, err)
				require.Empty(t, left)
			})
		}
	})
}

// TestResumesStopped continues a stopped process, in the long form each of three, after the others
// have ended. It must end too, with an error, and write nothing more.
func TestResumesStopped(t *testing.T) {
	environ := onGo.environ()
	for rank := range longtest.Pick(1, 3) {
		backup := filepath.Join(t.TempDir(), "backup")
		j := jobtest.Start(t, 3, 1, environ, sameArgs("-steps", "-backup", backup, "-every", "2", "-epochs", "1000"))
		j.Processes[rank].Await(t, "step 5")
		j.Signal(rank, syscall.SIGSTOP)
		j.RequireOthersEnd(rank)
		before, err := os.ReadDir(backup)
		require.NoError(t, err)
		j.Signal(rank, syscall.SIGCONT)
		require.Contains(t, j.Errors()[rank], "process")
		after, err := os.ReadDir(backup)
		require.NoError(t, err)
		require.LessOrEqual(t, len(after), len(before))
	}
}

// TestDifferences starts a process with other flags. All processes must report that before the
// first step.
func TestDifferences(t *testing.T) {
	for _, tc := range []struct{ name, flag, value, want string }{
		{"batch size", "-batch", "64", "process 1 has batch size 64, process 0 has batch size 16"},
		{"layout map", "-rows", "data", "process 1 has the layout map {d1/kernel: (data, model)}, process 0 has the layout map {d1/kernel: (none, model)}"},
		{"epochs", "-epochs", "7", "process 1 has epochs 0 to 7, process 0 has epochs 0 to 3"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			j := jobtest.Start(t, 2, 2, onGo.environ(), func(rank int) []string {
				args := []string{"-mesh", "2x2", "-steps"}
				if rank == 1 {
					args = append(args, tc.flag, tc.value)
				}
				return args
			})
			for _, text := range j.Errors() {
				require.Contains(t, text, tc.want)
			}
			for _, p := range j.Processes {
				require.NotContains(t, p.Output(), "step")
			}
		})
	}
}
