package checkpoint_test

// This file saves checkpoints by several processes. Here they are goroutines.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/internal/agree"
	"github.com/gospmd/gospmd/internal/testing/agreetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// slice is the part of a tensor of bytes that process rank of size has: an equal number of the
// rows, in the order of the processes. value returns the byte of a row.
type slice struct {
	rows, rank, size int
	value            func(row int) byte
	err              error // returned by VisitOwned after the rows
}

func (s slice) Type() ir.Type { return ir.Tensor(dtypes.Uint8, s.rows) }

func (s slice) VisitOwned(_ context.Context, visit func([]layout.Range, []byte) error) error {
	from, to := s.rank*s.rows/s.size, (s.rank+1)*s.rows/s.size
	data := make([]byte, to-from)
	for i := range data {
		data[i] = s.value(from + i)
	}
	if len(data) > 0 {
		if err := visit([]layout.Range{{Start: from, Limit: to}}, data); err != nil {
			return err
		}
	}
	return s.err
}

// slices returns the tensors of one process of a job, of bytes: large with 3<<20 rows, small with 2
// and empty with none. A row has the value of its number plus version. Each process has a part of
// the rows.
func slices(job agree.Job, version int) []checkpoint.Tensor {
	tensor := func(name string, rows int) checkpoint.Tensor {
		return checkpoint.Tensor{Name: name, Source: slice{rows, job.ProcessIndex(), job.ProcessCount(), func(row int) byte { return byte(row + version) }, nil}}
	}
	return []checkpoint.Tensor{tensor("large", 3<<20), tensor("small", 2), tensor("empty", 0)}
}

// requireVersion fails the test unless the checkpoint k is undamaged and has the names and metadata
// that saving version wrote, and its values in small and in the middle third of large.
func requireVersion(t *testing.T, k *checkpoint.Checkpoint, version int) {
	t.Helper()
	require.NoError(t, k.Verify())
	require.Equal(t, fmt.Sprint(version), string(k.Metadata()))
	require.Equal(t, []string{"large", "small", "empty"}, k.Names())
	s, err := k.Tensor("large")
	require.NoError(t, err)
	got := make([]byte, 1<<20)
	require.NoError(t, s.Read([]layout.Range{{Start: 1 << 19, Limit: 3 << 19}}, got))
	for i, b := range got {
		if b != byte(i+1<<19+version) {
			t.Fatalf("row %d is %d, want %d", i+1<<19, b, byte(i+1<<19+version))
		}
	}
	s, err = k.Tensor("small")
	require.NoError(t, err)
	require.NoError(t, s.Read([]layout.Range{{Start: 0, Limit: 2}}, got[:2]))
	require.Equal(t, []byte{byte(version), byte(1 + version)}, got[:2])
}

// saveAcross saves slices of a version to the file name, with the version's number as the metadata,
// by a job of size processes. It fails the test if a process fails.
func saveAcross(t *testing.T, size int, name string, version int) {
	t.Helper()
	require.Equal(t, make([]error, size), agreetest.Run(size, func(job agree.Job) error {
		return checkpoint.SaveAcross(t.Context(), job, name, slices(job, version), fmt.Append(nil, version))
	}))
}

// TestSaveAcross saves by jobs with 3, 1, 2 and 5 processes, each over the checkpoint before. After
// each save the checkpoint has the new values.
func TestSaveAcross(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.ckpt")
	for version, size := range []int{3, 1, 2, 5} {
		saveAcross(t, size, name, version)
		k, err := checkpoint.Open(name)
		require.NoError(t, err)
		requireVersion(t, k, version)
		require.NoError(t, k.Close())
	}
}

// TestOneFails lets one of three processes fail in saving, each in turn: by two tensors of one
// name, and by a tensor that cannot be read. All processes get the error, which names the process
// in the others. The old checkpoint stays, and no temporary file is left.
func TestOneFails(t *testing.T) {
	for _, failing := range []int{0, 1, 2} {
		t.Run(fmt.Sprint(failing), func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "x.ckpt")
			saveAcross(t, 3, name, 1)
			before, err := os.ReadDir(filepath.Dir(name))
			require.NoError(t, err)
			for i, spoil := range []func(*checkpoint.Tensor){
				func(x *checkpoint.Tensor) { x.Name = "large" },
				func(x *checkpoint.Tensor) { s := x.Source.(slice); s.err = errBroken; x.Source = s },
			} {
				errs := agreetest.Run(3, func(job agree.Job) error {
					all := slices(job, 2)
					if job.ProcessIndex() == failing {
						spoil(&all[1])
					}
					return checkpoint.SaveAcross(t.Context(), job, name, all, nil)
				})
				want := []string{"two tensors are named large", "tensor small: the device is gone"}[i]
				for rank, err := range errs {
					require.ErrorContains(t, err, want)
					if rank != failing {
						require.ErrorContains(t, err, fmt.Sprintf("process %d: ", failing))
					}
				}
				after, err := os.ReadDir(filepath.Dir(name))
				require.NoError(t, err)
				require.Equal(t, fmt.Sprint(before), fmt.Sprint(after))
				k, err := checkpoint.Open(name)
				require.NoError(t, err)
				requireVersion(t, k, 1)
				require.NoError(t, k.Close())
			}
		})
	}
}

// TestOtherTensors lets process 1 save other tensors than the other processes. All processes must
// get an error that says what differs, and no file is left.
func TestOtherTensors(t *testing.T) {
	for _, tc := range []struct {
		name, want string
		others     func([]checkpoint.Tensor) []checkpoint.Tensor
	}{
		{"missing", "tensor large: its tiles hold 2097152 elements, want 3145728", func(x []checkpoint.Tensor) []checkpoint.Tensor {
			x[0].Source = checkpoint.Host(x[0].Source.Type(), nil)
			return x
		}},
		{"twice", "tensor small: its tiles hold 3 elements, want 2", func(x []checkpoint.Tensor) []checkpoint.Tensor {
			x[1].Source = checkpoint.Host(x[1].Source.Type(), []byte{1, 2})
			return x
		}},
		{"another name", "has the tensor other, of type", func(x []checkpoint.Tensor) []checkpoint.Tensor { x[1].Name = "other"; return x }},
		{"fewer", "has 2 tensors, want 3", func(x []checkpoint.Tensor) []checkpoint.Tensor { return x[:2] }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			errs := agreetest.Run(3, func(job agree.Job) error {
				all := slices(job, 2)
				if job.ProcessIndex() == 1 {
					all = tc.others(all)
				}
				return checkpoint.SaveAcross(t.Context(), job, filepath.Join(dir, "x.ckpt"), all, nil)
			})
			for _, err := range errs {
				require.ErrorContains(t, err, tc.want)
			}
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Empty(t, entries)
		})
	}
}

// TestOtherName lets one process save under another name. All processes must get an error that
// names a process and its name.
func TestOtherName(t *testing.T) {
	dir := t.TempDir()
	errs := agreetest.Run(3, func(job agree.Job) error {
		return checkpoint.SaveAcross(t.Context(), job, filepath.Join(dir, fmt.Sprintf("%d.ckpt", job.ProcessIndex()/2)), slices(job, 1), nil)
	})
	for rank, want := range []string{"process 2 saves 1.ckpt", "process 2 saves 1.ckpt", "process 0 saves 0.ckpt"} {
		require.ErrorContains(t, errs[rank], want)
	}
}

// TestNotShared saves to directories that have the same name in all processes, but are different
// directories. All processes must get an error that asks for a shared file system.
func TestNotShared(t *testing.T) {
	dirs := []string{t.TempDir(), t.TempDir()}
	errs := agreetest.Run(2, func(job agree.Job) error {
		_, err := checkpoint.NewStoreAcross(t.Context(), job, dirs[job.ProcessIndex()], 1)
		return err
	})
	for _, err := range errs {
		require.ErrorContains(t, err, "this directory of process 0 is another one in process 1: want a directory on a file system that all processes share")
	}
	errs = agreetest.Run(2, func(job agree.Job) error {
		return checkpoint.SaveAcross(t.Context(), job, filepath.Join(dirs[job.ProcessIndex()], "x.ckpt"), slices(job, 1), nil)
	})
	for _, err := range errs {
		require.ErrorContains(t, err, "which process 0 does not see: want a directory on a file system that all processes share")
	}
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, entries)
	}
}

// TestParts opens a part as if it were a checkpoint, and checkpoints whose part belongs to another
// checkpoint or is missing. The error must say which. If an element of a part has changed, Open
// succeeds and Verify returns an error.
func TestParts(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x.ckpt")
	saveAcross(t, 2, name, 1)
	parts, err := filepath.Glob(name + ".*")
	require.NoError(t, err)
	require.Len(t, parts, 1)
	_, err = checkpoint.Open(parts[0])
	require.ErrorContains(t, err, "it is a part of the checkpoint x.ckpt: open that")

	saveAcross(t, 2, name+"2", 1)
	other, err := filepath.Glob(name + "2.*")
	require.NoError(t, err)
	text, err := os.ReadFile(other[0])
	require.NoError(t, err)
	own, err := os.ReadFile(parts[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(parts[0], text, 0o644))
	_, err = checkpoint.Open(name)
	require.ErrorIs(t, err, checkpoint.ErrDamaged)
	require.ErrorContains(t, err, "is of another checkpoint")

	own[len(own)/2]++ // changes an element
	require.NoError(t, os.WriteFile(parts[0], own, 0o644))
	k, err := checkpoint.Open(name)
	require.NoError(t, err)
	require.ErrorIs(t, k.Verify(), checkpoint.ErrDamaged)
	require.NoError(t, k.Close())

	require.NoError(t, os.Remove(parts[0]))
	_, err = checkpoint.Open(name)
	require.ErrorIs(t, err, checkpoint.ErrDamaged)
	require.ErrorContains(t, err, "is not there")
}

// TestStoreAcross requires that a store keeps only the newest two checkpoints and their parts,
// removes what killed jobs have left, and continues with other numbers of processes.
func TestStoreAcross(t *testing.T) {
	dir := t.TempDir()
	left := "step-000000000001.ckpt.0123456789ab-1of3"
	require.NoError(t, os.WriteFile(filepath.Join(dir, left), nil, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "."+left+".tmp77"), nil, 0o644))
	for step, size := range []int{3, 2, 2, 1, 4, 4} {
		require.Equal(t, make([]error, size), agreetest.Run(size, func(job agree.Job) error {
			store, err := checkpoint.NewStoreAcross(t.Context(), job, dir, 2)
			if err != nil {
				return err
			}
			for range 2 { // the second checkpoint replaces the first
				if err := store.Save(t.Context(), step, slices(job, step), fmt.Append(nil, step)); err != nil {
					return err
				}
			}
			return nil
		}))
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.NotContains(t, fmt.Sprint(entries), left)
		want := size
		if step > 0 {
			want += []int{3, 2, 2, 1, 4, 4}[step-1]
		}
		require.Len(t, entries, want, "%v", entries)
		store, err := checkpoint.NewStore(dir, 2)
		require.NoError(t, err)
		k, latest, err := store.Latest()
		require.NoError(t, err)
		require.Equal(t, step, latest)
		requireVersion(t, k, step)
		require.NoError(t, k.Close())
	}
	store, err := checkpoint.NewStore(dir, 1)
	require.NoError(t, err)
	require.NoError(t, store.Remove(5))
	require.NoError(t, store.Remove(4))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
	require.True(t, errors.Is(store.Remove(4), os.ErrNotExist))
	require.False(t, strings.Contains(dir, left))
}

// lostAtTheEnd is a job in which processes 1 and up lose process 0 in the last exchange of a save,
// when the checkpoint is complete: they get the error "process 0 is lost".
type lostAtTheEnd struct{ agree.Job }

func (j lostAtTheEnd) Exchange(ctx context.Context, name string, value []byte) ([][]byte, error) {
	values, err := j.Job.Exchange(ctx, name, value)
	if strings.HasSuffix(name, "end") && j.ProcessIndex() > 0 {
		return nil, errors.New("process 0 is lost")
	}
	return values, err
}

// TestLostAtTheEnd loses process 0 when it has written the checkpoint. The others get an error, and
// the checkpoint must stay complete.
func TestLostAtTheEnd(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.ckpt")
	errs := agreetest.Run(3, func(job agree.Job) error {
		return checkpoint.SaveAcross(t.Context(), lostAtTheEnd{job}, name, slices(job, 1), []byte("1"))
	})
	require.NoError(t, errs[0])
	require.ErrorContains(t, errs[1], "process 0 is lost")
	k, err := checkpoint.Open(name)
	require.NoError(t, err)
	requireVersion(t, k, 1)
	require.NoError(t, k.Close())
}
