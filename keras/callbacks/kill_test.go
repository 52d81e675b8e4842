package callbacks_test

// This file kills trainings at random moments and resumes them.

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/callbacks"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/runtime"
)

// These are the names of environment variables: of the directory in which this test binary trains,
// instead of testing, and of the mesh, such as data=2,model=4.
const (
	trainerDir  = "GOSPMD_TEST_TRAINER_DIR"
	trainerMesh = "GOSPMD_TEST_TRAINER_MESH"
)

func init() { runtimetest.CompileQuickly() }

func TestMain(m *testing.M) {
	if dir := os.Getenv(trainerDir); dir != "" {
		if err := trainToTheEnd(dir, os.Getenv(trainerMesh)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(runtimetest.Main(m))
}

// outcome is the result of a training that a child process writes at its end: losses, variables and
// weights.
type outcome struct {
	Losses  []float64
	Bits    [][]byte // of all variables
	Weights [][]float32
}

// trainToTheEnd is the child process of the tests that kill: it trains a small model on a mesh with
// a backup every 3 batches in dir, resumes from the backup there if there is one, prints the number
// of each step, and writes the outcome.
func trainToTheEnd(dir, meshText string) error {
	ctx := context.Background()
	client, err := runtime.Open(ctx, runtime.Options{Platform: "cpu", Devices: 8})
	if err != nil {
		return err
	}
	defer client.Close()
	m, err := small(meshText, client)
	if err != nil {
		return err
	}
	x, err := random.Normal([]int{200, 6}, random.Seed(3))
	if err != nil {
		return err
	}
	y, err := random.Normal([]int{200, 3}, random.Seed(4))
	if err != nil {
		return err
	}
	history, err := m.Fit(ctx, x, y, keras.BatchSize(8), keras.Epochs(8), keras.Verbose(0), keras.ShuffleSeed(11), keras.Callbacks(
		&callbacks.BackupAndRestore{BackupDir: filepath.Join(dir, "backup"), SaveFreq: every},
		&callbacks.Lambda{TrainBatchEnd: func(ctx context.Context, _ int, logs *keras.BatchLogs) error {
			if _, err := logs.Get(ctx); err != nil {
				return err
			}
			_, err := fmt.Println(m.Training().Progress().Step)
			return err
		}}))
	if err != nil {
		return err
	}
	out := outcome{Losses: history.Logs["loss"]}
	values, err := valuesOf(ctx, m)
	if err != nil {
		return err
	}
	for _, v := range values {
		out.Bits = append(out.Bits, dtypes.UnsafeByteSliceFromAny(v))
		if w, ok := v.([]float32); ok {
			out.Weights = append(out.Weights, w)
		}
	}
	text, err := json.Marshal(out)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "outcome"), text, 0o644)
}

// moment says when to kill a trainer: how long after how many of its steps, or, with saving, how
// long after it has begun to write the next backup. nil is never. wrote reports whether a backup
// was written then.
type moment struct {
	steps  int
	saving bool
	wait   time.Duration
	wrote  bool
}

// every is the number of steps between two backups of a trainer.
const every = 3

// trainer runs a trainer in a process of its own, with its backups in dir, until it ends or is
// killed at the given moment (nil for never), and returns its last step.
func trainer(t *testing.T, dir, meshText string, kill *moment) (step int) {
	t.Helper()
	engine := runtime.EngineGo
	if runtime.HasPJRT && os.Getenv("GOSPMD_ENGINE") == "" {
		engine = runtime.EnginePJRT
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), trainerDir+"="+dir, trainerMesh+"="+meshText, "GOSPMD_ENGINE="+engine)
	warnings, err := os.OpenFile(filepath.Join(dir, "warnings"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	require.NoError(t, err)
	defer warnings.Close()
	cmd.Stderr = warnings
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	left := unfinished(t, dir)
	writes := func() bool {
		return slices.ContainsFunc(unfinished(t, dir), func(name string) bool { return !slices.Contains(left, name) })
	}
	killIf := func(made int) {
		if kill != nil && kill.steps == made {
			for end := time.Now().Add(time.Minute); kill.saving && !writes() && time.Now().Before(end); {
				time.Sleep(50 * time.Microsecond)
			}
			time.Sleep(kill.wait)
			require.NoError(t, cmd.Process.Kill())
		}
	}
	killIf(0)
	lines := bufio.NewScanner(stdout)
	for made := 1; lines.Scan(); made++ { // to the last line that it wrote before it died
		_, err := fmt.Sscan(lines.Text(), &step)
		require.NoError(t, err)
		killIf(made)
	}
	err = cmd.Wait()
	if kill != nil {
		kill.wrote = writes()
		require.ErrorContains(t, err, "killed")
		return step
	}
	text, _ := os.ReadFile(warnings.Name())
	require.NoError(t, err, "%s", text)
	return step
}

// unfinished returns the temporary files of backups in dir: those that are being written, or that a
// killed process has left.
func unfinished(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "backup", ".*.tmp*"))
	require.NoError(t, err)
	return found
}

// requireBackup requires that the newest backup is whole after a trainer was killed whose last step
// was the given one. All backups but the last one that the trainer began are there: it begins one
// only when the one before is complete.
func requireBackup(t *testing.T, dir string, step int) {
	t.Helper()
	complete := (step-1)/every*every - every
	if complete <= 0 {
		return
	}
	require.GreaterOrEqual(t, newestBackup(t, dir), complete)
}

// newestBackup returns the step of the newest backup, which must be whole.
func newestBackup(t *testing.T, dir string) int {
	t.Helper()
	store, err := checkpoint.NewStore(filepath.Join(dir, "backup"), 0)
	require.NoError(t, err)
	c, step, err := store.Latest()
	require.NoError(t, err)
	require.NoError(t, c.Verify())
	require.NoError(t, c.Close())
	return step
}

func readOutcome(t *testing.T, dir string) (out outcome) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "outcome"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &out))
	return out
}

// killAgainAndAgain runs a training in child processes, one after the other in one directory. It
// kills them, kills in all, at random moments, lets the last one end, and returns its outcome.
// meshOf returns the mesh of each run.
func killAgainAndAgain(t *testing.T, kills int, meshOf func(run int) string) outcome {
	t.Helper()
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(5, 6))
	inSaves, last := 0, 0 // last is the step so far: a run that makes fewer steps than are left does not reach the end
	for run := range kills {
		at := &moment{steps: r.IntN(min(16, 200-last)), wait: time.Duration(r.IntN(8000)) * time.Microsecond}
		switch {
		case run%2 == 1 && at.steps > 0 && last < 190:
			at.saving, at.wait = true, at.wait/4
		case at.steps == 0:
			at.wait *= 40
		}
		last = max(last, trainer(t, dir, meshOf(run), at))
		if at.wrote {
			inSaves++
		}
		requireBackup(t, dir, last)
		t.Logf("kill %d of %d: the last step was %d", run+1, kills, last)
	}
	trainer(t, dir, meshOf(kills), nil)
	require.NoDirExists(t, filepath.Join(dir, "backup"))
	warnings, err := os.ReadFile(filepath.Join(dir, "warnings"))
	require.NoError(t, err)
	t.Logf("%d kills, %d of them while a backup was written:\n%s", kills, inSaves, warnings)
	return readOutcome(t, dir)
}

// TestKill9 kills a training that saves a backup every 3 batches at random moments
// and starts it again each time. On one mesh its losses, weights and optimizer
// state end bit-identical to those of a training that was never killed; where each
// run is on another mesh, they end close to them.
func TestKill9(t *testing.T) {
	kills, movedKills := longtest.Pick(2, 20), longtest.Pick(1, 20)
	const home = "data=2,model=4"
	var want [2]outcome
	for i := range want {
		dir := t.TempDir()
		trainer(t, dir, home, nil)
		want[i] = readOutcome(t, dir)
	}
	require.Equal(t, want[0], want[1], "two trainings that were not killed are equal to the last bit")
	t.Run("on one mesh", func(t *testing.T) {
		require.Equal(t, want[0], killAgainAndAgain(t, kills, func(int) string { return home }))
	})
	t.Run("each run on another mesh", func(t *testing.T) {
		meshes := []string{"", "data=8,model=1", "data=4,model=2", "data=2,model=4", "data=1,model=8", "data=3,model=2"}
		got := killAgainAndAgain(t, movedKills, func(run int) string { return meshes[run%len(meshes)] })
		require.InDeltaSlice(t, want[0].Losses, got.Losses, 1e-5)
		for i := range want[0].Weights {
			require.InDeltaSlice(t, want[0].Weights[i], got.Weights[i], 1e-5)
		}
	})
}
