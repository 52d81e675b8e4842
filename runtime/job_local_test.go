package runtime_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// A program runs in one process, without the others, if all devices of its mesh are in that
// process. This holds for each process, and for each order of the devices in the mesh. The results
// must be equal up to 1e-6.
func TestJobLocalMesh(t *testing.T) {
	clients := jobtest.Open(t, 2, 3)
	step := mlp{batch: 6, in: 3, hidden: 4, out: 2, rate: 0.1}
	var want []float32
	for _, ids := range [][]int{{0}, {0, 2}, {3}, {5, 4}} {
		c := clients[ids[0]/3]
		m, err := mesh.New([]int{len(ids)}, []string{"data"}, ids)
		require.NoError(t, err)
		p := step.compile(t, m)
		exe, err := c.Load(context.Background(), p)
		require.NoError(t, err, "%v", ids)
		args := make([]*runtime.Array, len(p.Inputs))
		for i, in := range p.Inputs {
			flat := make([]float32, in.Type.Size())
			for k := range flat {
				flat[k] = float32((k*7+i)%13)/13 - 0.5
			}
			args[i], err = c.Put(in.Type, in.Sharding, flat)
			require.NoError(t, err, "%v", ids)
		}
		out, err := exe.Run(args...)
		require.NoError(t, err, "%v", ids)
		got, err := runtime.Values[float32](context.Background(), out[0])
		require.NoError(t, err, "%v", ids)
		if want == nil {
			want = got
		}
		require.InDeltaSlice(t, want, got, 1e-6, "%v", ids)
	}
}
