package checkpoint_test

// This file saves checkpoints on each of several meshes, and loads each on every mesh, also from
// snapshots.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

const devices = 8

// meshes are the meshes that checkpoints are moved between; "" means one device. 3x2 makes uneven
// shards.
var meshes = []string{"", "a=8,b=1", "a=4,b=2", "a=2,b=4", "a=1,b=8", "a=3,b=2"}

// tensors are saved by the tests. layout has the axis of each dimension.
var tensors = []struct {
	name   string
	typ    ir.Type
	layout []string
}{
	{"kernel", ir.Tensor(dtypes.Float32, 10, 13), []string{"a", "b"}},
	{"transposed", ir.Tensor(dtypes.Float32, 13, 10), []string{"b", "a"}},
	{"bias", ir.Tensor(dtypes.Float32, 7), []string{"b"}},
	{"large", ir.Tensor(dtypes.Float32, 700, 1100), []string{"a", "b"}},
	{"half", ir.Tensor(dtypes.BFloat16, 5, 6, 4), []string{"", "b", "a"}},
	{"step", ir.Tensor(dtypes.Int64), []string{}},
	{"flags", ir.Tensor(dtypes.Bool, 9), []string{"a"}},
	{"seed", ir.Tensor(dtypes.Uint32, 2), []string{""}},
	{"empty", ir.Tensor(dtypes.Float32, 0, 3), []string{"", "b"}},
}

func sharding(t testing.TB, meshText string, axes []string) *layout.Sharding {
	t.Helper()
	if meshText == "" {
		return nil
	}
	l, err := layout.NewTensorLayout(axes, mesh.MustParse(meshText))
	require.NoError(t, err)
	s, err := l.Sharding(len(axes))
	require.NoError(t, err)
	return s
}

// values returns a flat slice of the elements of a tensor: pseudo-random bits, the same in each
// call, because a checkpoint must keep all bits, also of NaNs.
func values(typ ir.Type) any {
	flat := dtypes.MakeAnySlice(typ.DType, typ.Size())
	if typ.Size() == 0 {
		return flat
	}
	b := dtypes.UnsafeByteSliceFromAny(flat)
	rand.NewChaCha8([32]byte{byte(typ.Size())}).Read(b)
	if typ.DType == dtypes.Bool {
		for i := range b {
			b[i] &= 1
		}
	}
	return flat
}

func bits(flat any, typ ir.Type) []byte {
	if typ.Size() == 0 {
		return nil
	}
	return dtypes.UnsafeByteSliceFromAny(flat)
}

// put puts all test tensors on the devices of c, with their layouts on the mesh of meshText, and
// returns them for a checkpoint. They are released when the test ends.
func put(t testing.TB, c *runtime.Client, meshText string) []checkpoint.Tensor {
	t.Helper()
	var out []checkpoint.Tensor
	for _, x := range tensors {
		a, err := c.Put(x.typ, sharding(t, meshText, x.layout), values(x.typ))
		require.NoError(t, err)
		t.Cleanup(a.Release)
		out = append(out, checkpoint.Tensor{Name: x.name, Source: a})
	}
	return out
}

// requireLoads loads all test tensors from k onto a mesh, and fails the test unless each has its
// type and the elements that put gave it.
func requireLoads(t *testing.T, c *runtime.Client, k *checkpoint.Checkpoint, mesh string) {
	t.Helper()
	for _, x := range tensors {
		s, err := k.Tensor(x.name)
		require.NoError(t, err)
		require.True(t, s.Type().Equal(x.typ))
		a, err := s.Load(c, sharding(t, mesh, x.layout))
		require.NoError(t, err)
		got, err := a.Get(t.Context())
		require.NoError(t, err)
		require.Equal(t, bits(values(x.typ), x.typ), bits(got, x.typ), x.name)
		a.Release()
	}
}

func TestAnyMeshToAnyMesh(t *testing.T) {
	c := runtimetest.Open(t, devices)
	for _, from := range meshes {
		name := filepath.Join(t.TempDir(), "x.ckpt")
		require.NoError(t, checkpoint.Save(t.Context(), name, put(t, c, from), []byte("anything\x00")))
		k, err := checkpoint.Open(name)
		require.NoError(t, err)
		require.Equal(t, "anything\x00", string(k.Metadata()))
		require.NoError(t, k.Verify())
		for _, to := range meshes {
			t.Run(fmt.Sprintf("%q to %q", from, to), func(t *testing.T) { requireLoads(t, c, k, to) })
		}
		require.NoError(t, k.Close())
	}
}

// TestReadsOnlyItsRanges damages the last corner of a large tensor. The first corner can still be
// read.
func TestReadsOnlyItsRanges(t *testing.T) {
	c := runtimetest.Open(t, devices)
	name := filepath.Join(t.TempDir(), "x.ckpt")
	require.NoError(t, checkpoint.Save(t.Context(), name, put(t, c, "")[3:4], nil))
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	data[16+700*1100*4-1] ^= 1 // the last element, in the last tile
	require.NoError(t, os.WriteFile(name, data, 0o644))
	k, err := checkpoint.Open(name)
	require.NoError(t, err)
	defer k.Close()
	require.ErrorIs(t, k.Verify(), checkpoint.ErrDamaged)
	s, err := k.Tensor("large")
	require.NoError(t, err)
	corner := []layout.Range{{Start: 3, Limit: 5}, {Start: 2, Limit: 9}}
	got := make([]byte, 2*7*4)
	require.NoError(t, s.Read(corner, got))
	want := bits(values(s.Type()), s.Type())
	require.Equal(t, want[(3*1100+2)*4:][:28], got[:28])
	require.Equal(t, want[(4*1100+2)*4:][:28], got[28:])
}

func TestDamage(t *testing.T) {
	c := runtimetest.Open(t, devices)
	dir := t.TempDir()
	store, err := checkpoint.NewStore(dir, 0)
	require.NoError(t, err)
	some := put(t, c, "a=3,b=2")[:3]
	for step := range 2 {
		require.NoError(t, store.Save(t.Context(), step, some, nil))
	}
	whole, err := os.ReadFile(store.Path(1))
	require.NoError(t, err)
	flip := func(at int) []byte {
		b := append([]byte{}, whole...)
		b[(at+len(b))%len(b)] ^= 0x10
		return b
	}
	const offers = "the one of step 0, "
	for _, tc := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "not a checkpoint of gospmd"},
		{"foreign", []byte("\x89HDF\r\n\x1a\n and so on and on"), `not a checkpoint of gospmd: it begins with "\x89HDF\r\n`},
		{"element", flip(100), "the checkpoint is damaged: tensor kernel: the checksum of "},
		{"table", flip(-100), "the checkpoint is damaged: the checksum of its table"},
		{"foot", flip(-30), "the checkpoint is damaged: its table of"},
		{"end", flip(-1), "its end is missing"},
		{"cut off", whole[:len(whole)/2], "its end is missing"},
		{"cut off early", whole[:20], "it is cut off after 20 bytes"},
		{"one byte more", append(append([]byte{}, whole...), 0), "its end is missing"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(store.Path(1), tc.data, 0o644))
			k, step, err := store.Latest()
			require.Equal(t, 1, step)
			if err == nil {
				defer k.Close()
				err = k.Verify()
			}
			require.ErrorContains(t, err, tc.want)
			require.ErrorContains(t, err, offers)
			require.True(t, checkpoint.IsDamaged(err))
		})
	}
	previous, ok := store.Previous(1)
	require.True(t, ok)
	require.Zero(t, previous)
	require.NoError(t, os.WriteFile(store.Path(0), nil, 0o644))
	_, _, err = store.Latest()
	require.ErrorContains(t, err, "there is no undamaged checkpoint before it")
}

// broken is a tensor whose VisitOwned visits its elements, and then fails with errBroken.
type broken struct{ checkpoint.Source }

var errBroken = errors.New("the device is gone")

func (b broken) VisitOwned(ctx context.Context, visit func([]layout.Range, []byte) error) error {
	if err := b.Source.VisitOwned(ctx, visit); err != nil {
		return err
	}
	return errBroken
}

func TestSaveErrors(t *testing.T) {
	c := runtimetest.Open(t, devices)
	dir := t.TempDir()
	name := filepath.Join(dir, "x.ckpt")
	some := put(t, c, "a=4,b=2")[:2]
	require.NoError(t, checkpoint.Save(t.Context(), name, some, []byte("first")))
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tc := range []struct {
		name    string
		ctx     context.Context
		file    string
		tensors []checkpoint.Tensor
		want    string
	}{
		{"half way", t.Context(), name, []checkpoint.Tensor{some[0], {Name: "b", Source: broken{some[1].Source}}}, "tensor b: the device is gone"},
		{"twice", t.Context(), name, []checkpoint.Tensor{some[0], some[0]}, "two tensors are named kernel"},
		{"no name", t.Context(), name, []checkpoint.Tensor{{Source: some[0].Source}}, "tensor 0 has no name"},
		{"no directory", t.Context(), filepath.Join(dir, "absent", "x"), some, "cannot write into the directory"},
		{"cancelled", cancelled, name, some, "context canceled"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.ErrorContains(t, checkpoint.Save(tc.ctx, tc.file, tc.tensors, nil), tc.want)
			k, err := checkpoint.Open(name)
			require.NoError(t, err)
			defer k.Close()
			require.Equal(t, "first", string(k.Metadata()), "the one before is still there")
			require.NoError(t, k.Verify())
		})
	}
	k, err := checkpoint.Open(name)
	require.NoError(t, err)
	defer k.Close()
	_, err = k.Tensor("kernl")
	require.ErrorContains(t, err, `holds no tensor "kernl" (did you mean "kernel"?)`)
	s, err := k.Tensor("kernel")
	require.NoError(t, err)
	require.ErrorContains(t, s.Fill(make([]float32, 6), dtypes.Float32, []int{2, 3}, nil), "tensor kernel is tensor<10x13xf32>, want tensor<2x3xf32>")
	require.ErrorContains(t, s.Read([]layout.Range{{Start: 0, Limit: 11}, {Start: 0, Limit: 1}}, nil), "are not within tensor<10x13xf32>")
}

func TestStore(t *testing.T) {
	c := runtimetest.Open(t, devices)
	dir := filepath.Join(t.TempDir(), "new", "directory")
	_, err := checkpoint.NewStore(dir, -1)
	require.ErrorContains(t, err, "got -1 checkpoints to keep")
	store, err := checkpoint.NewStore(dir, 2)
	require.NoError(t, err)
	_, _, err = store.Latest()
	require.ErrorIs(t, err, checkpoint.ErrNone)
	unfinished := filepath.Join(dir, ".step-000000000007.ckpt.tmp123")
	require.NoError(t, os.WriteFile(unfinished, nil, 0o644))
	for _, step := range []int{5, 100, 20} {
		require.NoError(t, store.Save(t.Context(), step, put(t, c, "")[:1], fmt.Append(nil, step)))
	}
	require.NoFileExists(t, unfinished)
	steps, err := store.Steps()
	require.NoError(t, err)
	require.Equal(t, []int{20, 100}, steps)
	k, step, err := store.Latest()
	require.NoError(t, err)
	defer k.Close()
	require.Equal(t, 100, step)
	require.Equal(t, "100", string(k.Metadata()))
	require.ErrorContains(t, store.Save(t.Context(), -1, nil, nil), "got step -1")
}

// TestStoreNames saves to directories whose names are patterns that match another training's
// directory, such as run[1] for run1. Save removes what killed processes left in its own directory,
// and nothing in the other.
func TestStoreNames(t *testing.T) {
	c := runtimetest.Open(t, devices)
	root := t.TempDir()
	const left = ".step-000000000007.ckpt.tmp123"
	for _, name := range []string{"run1", "run[1]", "run[", "run*"} {
		store, err := checkpoint.NewStore(filepath.Join(root, name), 1)
		require.NoError(t, err)
		own := filepath.Join(root, name, left)
		require.NoError(t, os.WriteFile(own, nil, 0o644))
		if name == "run1" {
			continue
		}
		require.NoError(t, store.Save(t.Context(), 1, put(t, c, "")[:1], nil))
		require.NoFileExists(t, own)
		require.FileExists(t, filepath.Join(root, "run1", left))
	}
}

func TestSnapshot(t *testing.T) {
	c := runtimetest.Open(t, devices)
	for _, meshText := range meshes {
		onDevices := put(t, c, meshText)
		kept, err := checkpoint.Snapshot(t.Context(), onDevices)
		require.NoError(t, err)
		for i, x := range tensors {
			onDevices[i].Source.(interface{ Release() }).Release()
			kept = append(kept, checkpoint.Tensor{Name: "host/" + x.name, Source: checkpoint.Host(x.typ, bits(values(x.typ), x.typ))})
		}
		name := filepath.Join(t.TempDir(), "x.ckpt")
		require.NoError(t, checkpoint.Save(t.Context(), name, kept, nil))
		k, err := checkpoint.Open(name)
		require.NoError(t, err)
		for _, x := range tensors {
			for _, prefix := range []string{"", "host/"} {
				s, err := k.Tensor(prefix + x.name)
				require.NoError(t, err)
				a, err := s.Load(c, nil)
				require.NoError(t, err)
				got, err := a.Get(t.Context())
				require.NoError(t, err)
				require.Equal(t, bits(values(x.typ), x.typ), bits(got, x.typ), "%s on %q", x.name, meshText)
				a.Release()
			}
		}
		require.NoError(t, k.Close())
		_, err = checkpoint.Snapshot(t.Context(), onDevices)
		require.ErrorContains(t, err, "checkpoint: tensor kernel: ")
		require.ErrorContains(t, err, "was released")
	}
}
