package runtime_test

// This file gives processes different values. All clients are in the test's process.

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// TestJobValues runs a step after one process has put other values in one of its inputs. All
// processes must get an error that names the input and the process, and no result. Values that no
// two processes hold both may differ.
func TestJobValues(t *testing.T) {
	data := mesh.MustParse("data=4")
	step := mlp{batch: 8, in: 3, hidden: 4, out: 2, donate: true}
	names := []string{"w1", "w2", "x", "y"}
	for i, in := range step.compile(t, data).Inputs {
		require.Equal(t, names[i], in.Name)
	}
	for _, tc := range []struct {
		name, input string
		how         string // put, shards or local: Put, PutShards or PutLocal
		want        string
	}{
		{"a weight", "w1", "put", "process 1 has other values than process 0 of w1: set the same random seed in all processes"},
		{"the shards of a weight", "w2", "shards", "process 1 has other values than process 0 of w2"},
		{"a batch", "x", "put", "process 1 has other values than process 0 of x: all must give the same global batches"},
		{"labels", "y", "put", "process 1 has other values than process 0 of y"},
		{"a part of a batch", "x", "local", ""},
		{"no difference", "", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			clients := jobtest.Open(t, 2, 2)
			errs := make([]error, 2)
			_ = jobtest.Together(clients, func(rank int, c *runtime.Client) error {
				errs[rank] = runDifferent(t, c, step, data, tc.input, tc.how)
				return nil
			})
			for rank, err := range errs {
				if tc.want == "" {
					require.NoError(t, err, "process %d", rank)
					continue
				}
				require.ErrorContains(t, err, tc.want, "process %d", rank)
			}
		})
	}
}

// runDifferent runs step on the mesh m in one process of a job, with zeros as inputs, except that
// the last element of the named input is 1 in process 1. how says how this input is put: "put",
// "shards" (PutShards) or "local" (PutLocal). It returns the error of the run.
func runDifferent(t *testing.T, c *runtime.Client, step mlp, m *mesh.DeviceMesh, input, how string) error {
	ctx := context.Background()
	p := step.compile(t, m)
	exe, err := c.Load(ctx, p)
	if err != nil {
		return err
	}
	var args []*runtime.Array
	for _, in := range p.Inputs {
		flat := make([]float32, in.Type.Size())
		if in.Name == input && c.ProcessIndex() == 1 {
			flat[len(flat)-1] = 1
		}
		var a *runtime.Array
		switch {
		case in.Name == input && how == "shards":
			a, err = c.PutShards(in.Type, in.Sharding, func(_ []layout.Range, dst any) error {
				copy(dst.([]float32), flat)
				return nil
			})
		case in.Name == input && how == "local":
			a, err = c.PutLocal(in.Type, in.Sharding, flat[:len(flat)/2])
		default:
			a, err = c.Put(in.Type, in.Sharding, flat)
		}
		if err != nil {
			return err
		}
		args = append(args, a)
	}
	out, err := exe.Run(args...)
	if err != nil {
		return err
	}
	return out[0].Wait(ctx)
}

// TestBroadcast broadcasts arrays that differ between processes, on meshes whose shards are in one
// process or in several. Every process that holds a shard gets the value of the first process that
// holds it. A program accepts the arrays.
func TestBroadcast(t *testing.T) {
	clients := jobtest.Open(t, 3, 2)
	typ := ir.Tensor(dtypes.Float32, 4, 3)
	m := mesh.MustParse("a=3,b=2")
	for _, s := range []*layout.Sharding{split(m, "", ""), split(m, "b", ""), split(m, "a", ""), split(m, "", "a")} {
		t.Run(s.String(), func(t *testing.T) {
			got := make([][]float32, len(clients))
			require.NoError(t, jobtest.Together(clients, func(rank int, c *runtime.Client) error {
				ctx := context.Background()
				same, err := c.Put(typ, s, slices.Repeat([]float32{7}, typ.Size()))
				if err != nil {
					return err
				}
				own, err := c.PutShards(typ, s, func(_ []layout.Range, dst any) error {
					for i := range dst.([]float32) {
						dst.([]float32)[i] = float32(rank)
					}
					return nil
				})
				if err != nil {
					return err
				}
				out, err := c.Broadcast(ctx, []*runtime.Array{same, own})
				if err != nil {
					return err
				}
				if out[0] != same {
					return fmt.Errorf("an array without a difference is replaced")
				}
				flat, err := out[1].Gather(ctx)
				if err == nil {
					got[rank] = flat.([]float32)
				}
				return err
			}))
			want := make([]float32, typ.Size())
			if s.DimShards(0) == 3 { // process i alone holds shard i
				for i := range want {
					want[i] = float32(i / 6)
				}
			} else if s.DimShards(1) == 3 {
				for i := range want {
					want[i] = float32(i % 3)
				}
			}
			for rank := range got {
				require.Equal(t, want, got[rank], "process %d", rank)
			}
		})
	}
}
