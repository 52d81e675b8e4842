package checkpoint_test

// This file tests saves in the background: while the caller changes the tensors, with errors, and
// in jobs of several processes.

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	goruntime "runtime"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/internal/agree"
	"github.com/gospmd/gospmd/internal/testing/agreetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// changing is a tensor of bytes in memory, a checkpoint.Source, whose data the test overwrites as a
// training step does.
type changing struct{ data []byte }

func (c *changing) Type() ir.Type { return ir.Tensor(dtypes.Uint8, len(c.data)) }

func (c *changing) VisitOwned(ctx context.Context, visit func([]layout.Range, []byte) error) error {
	return c.VisitOwnedInto(ctx, func(size int) []byte { return make([]byte, size) }, visit)
}

func (c *changing) VisitOwnedInto(_ context.Context, room func(int) []byte, visit func([]layout.Range, []byte) error) error {
	b := room(len(c.data))
	copy(b, c.data)
	return visit([]layout.Range{{Start: 0, Limit: len(b)}}, b)
}

func (c *changing) fill(value int) {
	for i := 0; i < len(c.data); i += 8 {
		binary.LittleEndian.PutUint64(c.data[i:], uint64(value))
	}
}

// TestSaveAsync changes tensors as soon as SaveAsync returns, and saves again. Each checkpoint has
// the values of its step, and the saves share the memory of one copy.
func TestSaveAsync(t *testing.T) {
	store, err := checkpoint.NewStore(t.TempDir(), 0)
	require.NoError(t, err)
	const large = 16 << 20
	xs := []*changing{{make([]byte, large)}, {make([]byte, 8)}, {make([]byte, large)}}
	var tensors []checkpoint.Tensor
	for i, x := range xs {
		tensors = append(tensors, checkpoint.Tensor{Name: fmt.Sprint(i), Source: x})
	}
	const saves = 5
	var before, after goruntime.MemStats
	goruntime.ReadMemStats(&before)
	for step := range saves {
		for i, x := range xs {
			x.fill(10*step + i)
		}
		require.NoError(t, store.SaveAsync(t.Context(), step, tensors, fmt.Append(nil, step)))
	}
	for _, x := range xs {
		x.fill(-1)
	}
	c, step, err := store.Latest() // waits
	require.NoError(t, err)
	require.Equal(t, saves-1, step)
	require.NoError(t, c.Close())
	goruntime.ReadMemStats(&after)
	require.Less(t, int(after.TotalAlloc-before.TotalAlloc), 2*large+saves*(3<<20), "memory of one copy, and of five files' writers")
	require.NoError(t, store.Close())
	for step := range saves {
		c, err := store.Open(step)
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(step), string(c.Metadata()))
		for i, x := range xs {
			typ, got := wholeOf(t, c, fmt.Sprint(i))
			require.Equal(t, x.Type(), typ)
			for at := 0; at < len(got); at += 8 {
				if v := binary.LittleEndian.Uint64(got[at:]); v != uint64(10*step+i) {
					t.Fatalf("step %d, tensor %d: byte %d is of value %d", step, i, at, v)
				}
			}
		}
		require.NoError(t, c.Close())
	}
}

// TestAsyncErrors lets a save in the background fail. Its error must be returned once: by the next
// save, which saves nothing, by Wait, or by Close. A wrong step, two tensors of one name, and a
// tensor that cannot be copied are errors of SaveAsync itself. A context that is cancelled does not
// stop a save that has begun.
func TestAsyncErrors(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	store, err := checkpoint.NewStore(dir, 0)
	require.NoError(t, err)
	some := []checkpoint.Tensor{{Name: "x", Source: constant(1)}}
	require.NoError(t, os.Remove(dir))
	for _, next := range []func() error{
		func() error { return store.SaveAsync(t.Context(), 2, some, nil) },
		func() error { return store.Save(t.Context(), 2, some, nil) },
		store.Wait,
		store.Close,
	} {
		require.NoError(t, store.SaveAsync(t.Context(), 1, some, nil))
		require.ErrorIs(t, next(), os.ErrNotExist)
		require.NoError(t, store.Wait(), "it is told once")
	}
	require.NoError(t, os.Mkdir(dir, 0o755))
	steps, err := store.Steps()
	require.NoError(t, err)
	require.Empty(t, steps)
	for _, tc := range []struct {
		step    int
		tensors []checkpoint.Tensor
		want    string
	}{
		{-1, some, "got step -1"},
		{1, append(some, some...), "two tensors are named x"},
		{1, []checkpoint.Tensor{{Name: "x", Source: broken{constant(1)}}}, "tensor x: the device is gone"},
	} {
		err := store.SaveAsync(t.Context(), tc.step, tc.tensors, nil)
		require.ErrorContains(t, err, "checkpoint: saving "+store.Path(tc.step)+": "+tc.want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	require.NoError(t, store.SaveAsync(ctx, 3, []checkpoint.Tensor{{Name: "x", Source: constant(3)}}, nil))
	cancel() // a save that has begun is completed
	require.NoError(t, store.Wait())
	require.Equal(t, 3, newestStep(t, store))
}

// TestAsyncAcross saves to two stores of a job, while its processes exchange values, each at its
// own pace. In one save the copy of one process fails, in another one the file of process 0: the
// others are told, and the next saves succeed.
func TestAsyncAcross(t *testing.T) {
	const size, saves, failingCopy, failingFile = 3, 8, 3, 5
	dirs := []string{t.TempDir(), t.TempDir()}
	errs := agreetest.Run(size, func(job agree.Job) error {
		r := rand.New(rand.NewPCG(7, uint64(job.ProcessIndex())))
		pause := func() { time.Sleep(time.Duration(r.IntN(3000)) * time.Microsecond) }
		var stores []*checkpoint.Store
		for _, dir := range dirs {
			store, err := checkpoint.NewStoreAcross(t.Context(), job, dir, 2)
			if err != nil {
				return err
			}
			stores = append(stores, store)
		}
		for step := range saves {
			for i, store := range stores {
				pause()
				tensors := slices(job, step)
				failed := store.Wait()
				if want := i == 0 && (step == failingCopy+1 && job.ProcessIndex() != 1 || step == failingFile+1); (failed != nil) != want {
					return fmt.Errorf("process %d, store %d, step %d: the save before has the error %v", job.ProcessIndex(), i, step, failed)
				}
				if i == 0 && step == failingFile+1 && job.ProcessIndex() == 0 {
					if err := os.RemoveAll(store.Path(failingFile)); err != nil {
						return err
					}
				}
				if i == 0 && step == failingCopy && job.ProcessIndex() == 1 {
					tensors[1].Source = broken{tensors[1].Source}
				}
				if i == 0 && step == failingFile && job.ProcessIndex() == 0 {
					if err := os.MkdirAll(filepath.Join(store.Path(step), "full"), 0o755); err != nil { // it cannot be replaced
						return err
					}
				}
				err := store.SaveAsync(t.Context(), step, tensors, fmt.Append(nil, step))
				if want := i == 0 && step == failingCopy && job.ProcessIndex() == 1; (err != nil) != want {
					return fmt.Errorf("process %d, store %d, step %d: %v", job.ProcessIndex(), i, step, err)
				}
				if _, err := job.Exchange(t.Context(), "of the training", nil); err != nil {
					return err
				}
			}
		}
		for _, store := range stores {
			if err := store.Close(); err != nil {
				return err
			}
		}
		return nil
	})
	require.Equal(t, make([]error, size), errs)
	for i, dir := range dirs {
		store, err := checkpoint.NewStore(dir, 2)
		require.NoError(t, err)
		c, newest, err := store.Latest()
		require.NoError(t, err)
		require.Equal(t, saves-1, newest, i)
		requireVersion(t, c, saves-1)
		require.NoError(t, c.Close())
	}
}
