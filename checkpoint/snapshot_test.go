package checkpoint_test

// This file saves what a snapshot has kept, when the devices have moved on.

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/checkpoint"
	"github.com/gospmd/gospmd/runtime/runtimetest"
)

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
