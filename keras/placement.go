package keras

// This file places batches and variables on the devices, in the shardings that the model's
// distribution and the program of the step want.

import (
	"context"
	"fmt"
	"iter"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// mesh returns the mesh of the model's distribution, nil for a model on one device.
func (m *Model) mesh() *mesh.DeviceMesh {
	if m.dist == nil {
		return nil
	}
	return m.dist.DeviceMesh()
}

// devices returns the number of devices of the model's mesh, 1 without a distribution.
func (m *Model) devices() int {
	if dm := m.mesh(); dm != nil {
		return dm.Size()
	}
	return 1
}

// dataSharding returns the sharding that the distribution has for data of the
// given rank, nil for one device.
func (m *Model) dataSharding(rank int) (*layout.Sharding, error) {
	if m.dist == nil {
		return nil, nil
	}
	return distribution.DataSharding(m.dist, rank)
}

// replicated returns the replicated sharding of the given rank, nil for one
// device.
func (m *Model) replicated(rank int) *layout.Sharding {
	if dm := m.mesh(); dm != nil {
		return layout.Replicated(dm, rank)
	}
	return nil
}

// feed describes how this process' batches form global batches. The zero feed means that each batch
// is already global.
type feed struct {
	local  int // number of shards of the batch dimension on this process' devices
	shards int // number of shards on all devices
}

// feed returns the feed of the model on c. It is not zero if the distribution has
// AutoShardDataset(false) and the mesh has devices of other processes.
func (m *Model) feed(c *runtime.Client) (feed, error) {
	d, ok := m.dist.(distribution.DatasetSharder)
	if !ok || d.AutoShardDataset() || !spans(c, m.mesh()) {
		return feed{}, nil
	}
	s, err := m.dataSharding(1)
	if err != nil {
		return feed{}, err
	}
	n := s.DimShards(0)
	rows, err := c.LocalRows(ir.Tensor(dtypes.Float32, n), s)
	if err != nil {
		return feed{}, fmt.Errorf("with AutoShardDataset(false), each process wants rows of a batch that are next to each other: %w", err)
	}
	return feed{rows.Len(), n}, nil
}

// rows returns the number of samples in the global batch if this process' part of it has n.
func (f feed) rows(n int) int {
	if f.shards == 0 || f.local == 0 {
		return n
	}
	return n / f.local * f.shards
}

// dims returns the global shape of a tensor in a batch, from its shape in this process.
func (f feed) dims(dims []int) []int {
	if f.shards == 0 || len(dims) == 0 {
		return dims
	}
	return append([]int{f.rows(dims[0])}, dims[1:]...)
}

// place transfers the batches of an execution to the devices: the first arguments of the program,
// with room for the others. It does not wait for them.
func (p *stepProgram) place(client *runtime.Client, feed feed, bs []data.Batch) ([]*runtime.Array, error) {
	args := make([]*runtime.Array, 0, p.batch+len(p.read))
	for i := range p.batch {
		a, err := p.put(client, feed, i, bs)
		if err != nil {
			for _, a := range args {
				a.Release()
			}
			return nil, err
		}
		args = append(args, a)
	}
	return args, nil
}

// put transfers tensor i of the batches bs, counted over X, Y and sample weights, to the devices of
// client, in the sharding that the program wants. Several batches are stacked in one array. Unless
// feed is zero, the batches are this process' part of the global ones.
func (p *stepProgram) put(client *runtime.Client, feed feed, i int, bs []data.Batch) (a *runtime.Array, err error) {
	in := p.compiled.Inputs[i]
	put, putStack := client.Put, client.PutStack
	if feed.shards > 0 {
		put, putStack = client.PutLocal, client.PutLocalStack
	}
	if len(bs) > 1 {
		return putStack(in.Type, in.Sharding, flats(i, bs))
	}
	if got := bs[0].Tensors()[i].ConstFlatData(func(flat any) { a, err = put(in.Type, in.Sharding, flat) }); got != nil {
		err = got
	}
	return a, err
}

// flats yields tensor i of each batch, in order, as a flat slice. The slices are valid until the
// next one.
func flats(i int, bs []data.Batch) iter.Seq2[any, error] {
	return func(yield func(any, error) bool) {
		for _, b := range bs {
			more := false
			if err := b.Tensors()[i].ConstFlatData(func(flat any) { more = yield(flat, nil) }); err != nil {
				yield(nil, err)
				return
			}
			if !more {
				return
			}
		}
	}
}

// allocate puts the variables that the program reads on the devices, in the shardings of its
// inputs, unless they are there already. Variables that were loaded before the program was compiled
// may have another sharding: they are resharded.
func (m *Model) allocate(ctx context.Context, c *runtime.Client, p *stepProgram) error {
	for i, v := range p.read {
		want := p.compiled.Inputs[p.batch+i].Sharding
		if v.Sharding() != nil && (v.Array() == nil || !v.Array().Sharding().SameLayout(want)) {
			if err := v.Relayout(ctx, want); err != nil {
				return err
			}
		}
		if err := v.Allocate(c); err != nil {
			return err
		}
	}
	return nil
}
