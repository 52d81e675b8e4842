package checkpoint_test

// This file kills a process that saves, at any moment.

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// saverDir names the folder that makes this test binary save for ever, or, if
// onceDir does, once more.
const (
	saverDir = "GOSPMD_TEST_SAVER_DIR"
	onceDir  = "GOSPMD_TEST_SAVE_ONCE_DIR"
)

// constant is a tensor of equal numbers.
type constant uint64

const rows = 1 << 17

func (c constant) Type() ir.Type { return ir.Tensor(dtypes.Uint64, rows) }

func (c constant) Visit(_ context.Context, visit func([]layout.Range, []byte) error) error {
	b := make([]byte, 8*rows)
	for i := range rows {
		binary.LittleEndian.PutUint64(b[8*i:], uint64(c))
	}
	return visit([]layout.Range{{Start: 0, Limit: rows}}, b)
}

func TestMain(m *testing.M) {
	dir, once := os.Getenv(onceDir), true
	if dir == "" {
		dir, once = os.Getenv(saverDir), false
	}
	if dir == "" {
		os.Exit(m.Run())
	}
	if err := keepSaving(dir, once); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// keepSaving saves the step after the last one in a folder, says which, and
// goes on, unless it is for once.
func keepSaving(dir string, once bool) error {
	store, err := checkpoint.NewStore(dir, 2)
	if err != nil {
		return err
	}
	steps, err := store.Steps()
	if err != nil {
		return err
	}
	step := 0
	if n := len(steps); n > 0 {
		step = steps[n-1]
	}
	for {
		step++
		if err := store.Save(context.Background(), step, []checkpoint.Tensor{{Name: "x", Source: constant(step)}}, nil); err != nil {
			return err
		}
		if _, err := fmt.Println(step); err != nil || once {
			return err
		}
	}
}

// TestKill kills a saving process again and again. The last checkpoint is
// always whole, and newer than that of the run before.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	store, err := checkpoint.NewStore(dir, 2)
	require.NoError(t, err)
	kills := 10
	if testing.Short() {
		kills = 3
	}
	r := rand.New(rand.NewPCG(1, 2))
	last := 0
	for range kills {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), saverDir+"="+dir)
		cmd.Stderr = os.Stderr
		stdout, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(stdout)
		for range 1 + r.IntN(3) { // checkpoints
			require.True(t, lines.Scan())
		}
		time.Sleep(time.Duration(r.IntN(10000)) * time.Microsecond)
		require.NoError(t, cmd.Process.Kill())
		for lines.Scan() { // what it said before it died
		}
		require.ErrorContains(t, cmd.Wait(), "killed")
		steps, err := store.Steps()
		require.NoError(t, err)
		require.NotEmpty(t, steps)
		k, step, err := store.Latest()
		require.NoError(t, err)
		require.NoError(t, k.Verify())
		s, err := k.Tensor("x")
		require.NoError(t, err)
		got := make([]byte, 8)
		require.NoError(t, s.Read([]layout.Range{{Start: rows - 1, Limit: rows}}, got))
		require.Equal(t, uint64(step), binary.LittleEndian.Uint64(got))
		require.NoError(t, k.Close())
		require.Greater(t, step, last)
		last = step
	}
}
