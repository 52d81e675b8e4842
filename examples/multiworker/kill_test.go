package main

// This file kills processes of gospmd launch's jobs at random moments, and restarts the jobs.

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/coordination"
	"github.com/gospmd/gospmd/runtime/transport/gloo"
)

var (
	kills    = flag.Int("kills", 0, "how many processes TestKills kills; 0: one for each engine and transport, two in the long form")
	killSeed = flag.Uint64("killseed", 1, "seed of the ranks and moments of TestKills")
)

// keeperEnv is an environment variable with a directory. If it is set, the test binary runs keep,
// which writes the output of a process of a job there.
const keeperEnv = "GOSPMD_TEST_KEEPER"

// keep is what gospmd launch starts as a process of a job: it runs the example as its own child,
// writes the child's output, number and exit code to files in dir, and returns the code. It ends
// only when the children of all processes have ended: launch would otherwise end all processes as
// soon as the first one ends. But here each survivor must notice by itself which process was lost.
func keep(dir string) int {
	rank := os.Getenv(coordination.VariableProcessID)
	file := func(rank, what string) string { return filepath.Join(dir, rank+"."+what) }
	cmd := exec.Command(os.Args[0], os.Args[1:]...)
	cmd.Env = append(os.Environ(), keeperEnv+"=")
	for _, stream := range []struct {
		name string
		to   func(*os.File)
	}{{"out", func(f *os.File) { cmd.Stdout = f }}, {"err", func(f *os.File) { cmd.Stderr = f }}} {
		f, err := os.Create(file(rank, stream.name))
		if err != nil {
			return 3
		}
		stream.to(f)
	}
	if err := cmd.Start(); err != nil {
		return 3
	}
	write := func(what string, n int) {
		if os.WriteFile(file(rank, what+".new"), []byte(strconv.Itoa(n)), 0o644) == nil {
			os.Rename(file(rank, what+".new"), file(rank, what))
		}
	}
	write("pid", cmd.Process.Pid)
	cmd.Wait()
	code := cmd.ProcessState.ExitCode()
	write("code", code)
	n, _ := strconv.Atoi(os.Getenv(coordination.VariableNumProcesses))
	for other := range n {
		for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(5 * time.Millisecond) {
			if _, err := os.Stat(file(strconv.Itoa(other), "code")); err == nil {
				break
			}
		}
	}
	return max(code, -code)
}

// launched is a job that gospmd launch runs in this process, with its output.
type launched struct {
	t    *testing.T
	dir  string // directory of keep
	done chan error
	text *strings.Builder // the output of launch, when done is closed
}

// launchJob starts the example, with args and the additional variables environ, as so many
// processes of a job with two devices each, and returns them. gospmd is the path of the program
// that launches them. What each writes is kept in files.
func launchJob(t *testing.T, gospmd string, processes int, environ, args []string) *launched {
	t.Helper()
	l := &launched{t: t, dir: t.TempDir(), done: make(chan error, 1), text: new(strings.Builder)}
	// Gloo has no TLS.
	encrypts := !slices.Contains(environ, "GOSPMD_TRANSPORT=gloo")
	launch := []string{"launch", "-tls=" + strconv.FormatBool(encrypts), "-n", strconv.Itoa(processes), "-devices", "2", "--", os.Args[0]}
	cmd := exec.Command(gospmd, append(launch, args...)...)
	cmd.Env = append(append(os.Environ(), environ...), jobtest.ProgramEnv+"=1", keeperEnv+"="+l.dir, runtime.PlatformVar+"=cpu")
	cmd.Stdout, cmd.Stderr = l.text, l.text
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Signal(syscall.SIGTERM) })
	go func() { l.done <- cmd.Wait() }()
	return l
}

// read returns what process rank has written so far: to "out" or "err", or its exit code in "code".
func (l *launched) read(rank int, what string) string {
	text, _ := os.ReadFile(filepath.Join(l.dir, fmt.Sprintf("%d.%s", rank, what)))
	return string(text)
}

// await waits, for at most two minutes, until what process rank has written to its output what
// ("out", "err" or "code") contains text; the empty text stands for anything. The test fails if the
// process ends before, or if the time is up.
func (l *launched) await(rank int, what, text string) {
	l.t.Helper()
	for start := time.Now(); !strings.Contains(l.read(rank, what), text) || text == "" && l.read(rank, what) == ""; time.Sleep(2 * time.Millisecond) {
		if l.read(rank, "code") != "" && what != "code" || time.Since(start) > 2*time.Minute {
			l.t.Fatalf("process %d does not say %q: %s\n%s", rank, text, l.read(rank, "out"), l.read(rank, "err"))
		}
	}
}

// losses waits for the end of a job of so many processes. The job must succeed, and the losses of
// its training must be the same in all processes. It returns these losses, and then the loss of the
// evaluation.
func (l *launched) losses(processes int) []float64 {
	l.t.Helper()
	if err := <-l.done; err != nil {
		for rank := range processes {
			l.t.Logf("process %d:\n%s%s", rank, l.read(rank, "out"), l.read(rank, "err"))
		}
		l.t.Fatalf("%v: %s", err, l.text)
	}
	var all []result
	for rank := range processes {
		lines := strings.Split(strings.TrimSpace(l.read(rank, "out")), "\n")
		var r result
		require.NoError(l.t, json.Unmarshal([]byte(lines[len(lines)-1]), &r))
		all = append(all, r)
		require.Equal(l.t, all[0].Loss, r.Loss)
	}
	return append(all[0].Loss, all[0].Eval)
}

// TestKills kills a random process of a job of three at a random moment, again and again, at any
// time from the compilation before the first step to the last epoch. Each survivor must end with an
// error that names the process, and without a panic. The restarted job must end with the losses of
// a job that lost no process, within 1e-5.
func TestKills(t *testing.T) {
	const processes = 3
	epochs := longtest.Pick(3, 6)
	gospmd := filepath.Join(t.TempDir(), "gospmd")
	out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", gospmd, "github.com/gospmd/gospmd/cmd/gospmd").CombinedOutput()
	require.NoError(t, err, "%s", out)
	var kinds []way
	noGloo := gloo.CheckAvailable(context.Background(), nil)
	for _, w := range append(slices.Clip(ways), way{runtime.EngineGo, "gloo"}) {
		if w.transport == "gloo" && noGloo != nil || w.engine == runtime.EnginePJRT && (!runtime.HasPJRT || os.Getenv("GOSPMD_ENGINE") != "") {
			t.Logf("not %s: without cgo, without Gloo or with $GOSPMD_ENGINE", w)
			continue
		}
		kinds = append(kinds, w)
	}
	n := *kills
	if n == 0 {
		n = longtest.Pick(1, len(kinds))
	}
	r := rand.New(rand.NewPCG(*killSeed, 0))
	t.Logf("%d kills with -killseed %d", n, *killSeed)
	training := []string{"-json", "-steps", "-every", "2", "-epochs", strconv.Itoa(epochs)}
	want := make(map[string][]float64) // losses by engine
	named, right := 0, 0
	for i := range n {
		w := kinds[i%len(kinds)]
		if want[w.engine] == nil {
			want[w.engine] = launchJob(t, gospmd, processes, w.environ(), training).losses(processes)
		}
		rank, step, wait := r.IntN(processes), r.IntN(8*epochs-6), time.Duration(r.IntN(20_000))*time.Microsecond
		if step == 0 {
			wait *= 20 // during the compilation
		}
		t.Run(fmt.Sprintf("%d: %s, process %d, step %d + %s", i, w, rank, step, wait), func(t *testing.T) {
			args := append([]string{"-backup", filepath.Join(t.TempDir(), "backup")}, training...)
			l := launchJob(t, gospmd, processes, w.environ(), args)
			if step == 0 {
				l.await(0, "out", "processes, ") // the processes have found each other
			} else {
				l.await(rank, "out", fmt.Sprintf("step %d\n", step))
			}
			time.Sleep(wait)
			pid, err := strconv.Atoi(l.read(rank, "pid"))
			require.NoError(t, err)
			require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
			killed := time.Now()
			for other := range processes {
				l.await(other, "code", "")
			}
			ended := time.Since(killed)
			require.Error(t, <-l.done)
			for other := range processes {
				if other == rank {
					continue
				}
				text := l.read(other, "err")
				require.Regexp(t, regexp.MustCompile(fmt.Sprintf(`(process|rank) %d\b`, rank)), text, "of process %d", other)
				require.NotContains(t, text, "panic", "of process %d", other)
			}
			named++
			got := launchJob(t, gospmd, processes, w.environ(), args).losses(processes)
			require.InDeltaSlice(t, want[w.engine], got, 1e-5)
			right++
			t.Logf("the others ended after %.1f s", ended.Seconds())
		})
	}
	t.Logf("%d kills: %d named by all survivors, %d restarts right", n, named, right)
}
