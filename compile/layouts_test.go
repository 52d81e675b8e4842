//go:build cgo

package compile_test

// This file reads shards back from the devices. XLA must keep the layouts that a Program states,
// because the runtime relies on them.

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// TestLayoutsOnDevices runs y = x + x with random layouts of x and y on random meshes, also with
// sub-axes and device orders, and checks every shard of y.
func TestLayoutsOnDevices(t *testing.T) {
	client := runtimetest.Open(t, 8)
	cases := longtest.Pick(8, 30)
	rng := rand.New(rand.NewPCG(3, 5))
	for i := range cases {
		dm := randomMesh(rng)
		typ := ir.Tensor(dtypes.Float32, 8*(1+rng.IntN(2)), 16, 1+rng.IntN(3))
		in, out := randomSharding(rng, dm, 3), randomSharding(rng, dm, 3)
		if rng.IntN(4) == 0 {
			out = nil
		}
		name := fmt.Sprintf("%d mesh %s %s -> %s", i, dm, in, out)
		t.Run(name, func(t *testing.T) {
			p, err := compile.Compile(t.Context(), doublingModule(typ, in, out), compile.Options{})
			require.NoError(t, err)
			data := make([]float32, typ.Size())
			for k := range data {
				data[k] = float32(k)
			}
			y := runArrays(t, client, p, []any{data})[0]
			defer y.Release()
			shards := y.Shards()
			require.Len(t, shards, dm.Size())
			for pos, s := range shards {
				require.Equal(t, dm.Devices()[pos], s.Device)
				ranges := p.Outputs[0].Sharding.ShardRanges(typ.Dims, pos)
				require.Equal(t, p.Outputs[0].Local, s.Buffer.Type())
				raw := make([]byte, p.Outputs[0].Local.Bytes())
				require.NoError(t, s.Buffer.Read(context.Background(), raw))
				local := p.Outputs[0].Local.Dims // may include padding
				for a := ranges[0].Start; a < ranges[0].Limit; a++ {
					for b := ranges[1].Start; b < ranges[1].Limit; b++ {
						for c := ranges[2].Start; c < ranges[2].Limit; c++ {
							k := ((a-ranges[0].Start)*local[1]+b-ranges[1].Start)*local[2] + c - ranges[2].Start
							got := math.Float32frombits(binary.LittleEndian.Uint32(raw[4*k:]))
							require.Equal(t, 2*data[(a*typ.Dims[1]+b)*typ.Dims[2]+c], got, "position %d, element %d", pos, k)
						}
					}
				}
			}
		})
	}
}

// doublingModule returns a module that computes y = x + x, with x of type typ, on the mesh of in.
// in is the sharding of x; out is that of y, or nil if propagation chooses it.
func doublingModule(typ ir.Type, in, out *layout.Sharding) *ir.Module {
	m := &ir.Module{Name: "double"}
	m.AddMesh("grid", in.Mesh)
	f := ir.NewFunc("main")
	m.Funcs = append(m.Funcs, f)
	x := f.AddParam("x", typ, in)
	sum := ir.NewBuilder(f.Body).OpWithTypes(ir.OpAdd, nil, []ir.Type{typ}, x, x)
	f.Return(sum.Result())
	f.Results[0].Name, f.Results[0].Sharding = "y", out
	return m
}

func randomMesh(rng *rand.Rand) *mesh.DeviceMesh {
	shapes := [][]int{{2}, {8}, {2, 2}, {4, 2}, {2, 4}, {2, 2, 2}, {1, 8}, {2, 1, 3}, {1}}
	shape := shapes[rng.IntN(len(shapes))]
	n := 1
	for _, s := range shape {
		n *= s
	}
	var devices []int
	if rng.IntN(2) == 0 {
		devices = rng.Perm(8)[:n]
	}
	m, err := mesh.New(shape, []string{"x", "y", "z"}[:len(shape)], devices)
	if err != nil {
		panic(err)
	}
	return m
}

// randomSharding returns a random sharding on m of a tensor with that rank. Each axis shards some
// dimension or none. Of an axis of 8, one or two sub-axes may do so instead.
func randomSharding(rng *rand.Rand, m *mesh.DeviceMesh, rank int) *layout.Sharding {
	s := layout.Replicated(m, rank)
	for _, k := range rng.Perm(len(m.Axes())) {
		axis := m.Axes()[k]
		refs := []mesh.AxisRef{mesh.FullAxis(axis.Name)}
		if axis.Size == 8 && rng.IntN(2) == 0 {
			refs = []mesh.AxisRef{
				{Name: axis.Name, Sub: true, Pre: 1, Size: 2},
				{Name: axis.Name, Sub: true, Pre: 2, Size: 4},
			}[rng.IntN(2):]
		}
		for _, ref := range refs {
			if d := rng.IntN(rank + 1); d < rank && (len(refs) == 1 || len(s.Dims[d].Axes) == 0) {
				s.Dims[d].Axes = append(s.Dims[d].Axes, ref)
			}
		}
	}
	return s
}
