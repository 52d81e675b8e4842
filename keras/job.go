package keras

// This file runs a model in several processes: it finds out whether the mesh has devices of other
// processes, which process writes files, and how the batches of the processes form a global batch.

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// Job returns the client of the model if its mesh has devices of other processes, else nil. All
// processes of the client must call the methods of such a model together, in the same order.
func (m *Model) Job(ctx context.Context) (*runtime.Client, error) {
	own := m.compiled != nil && m.compiled.client != nil
	if m.dist == nil || !own && distribution.NumProcesses() == 1 {
		return nil, nil
	}
	c, err := m.Client(ctx)
	if err != nil || !spans(c, m.mesh()) {
		return nil, err
	}
	return c, nil
}

// spans reports whether the mesh has devices of other processes.
func spans(c *runtime.Client, dm *mesh.DeviceMesh) bool {
	all := c.Devices()
	return dm != nil && slices.ContainsFunc(dm.Devices(), func(id int) bool {
		return id < len(all) && all[id].Process != c.ProcessIndex()
	})
}

// machineOf returns the cost model of the machine that steps are compiled for; dm is nil for one
// device. In one process: virtual CPU devices share the processors of the host, accelerators are
// looked up by name in package hardware. In several processes: the client gives the links along the
// mesh axes that cross processes. For devices that package hardware does not know it returns nil:
// the default machine.
func machineOf(c *runtime.Client, dm *mesh.DeviceMesh) *cost.Machine {
	cpu := c.Platform() == hardware.CPU
	switch {
	case !spans(c, dm) && cpu:
		return cost.Host()
	case !spans(c, dm):
		all := c.Devices()
		if t, ok := hardware.Of(all[0].Kind, len(all)); ok {
			if m, err := cost.MachineFor(t, dm); err == nil {
				return m
			}
		}
		return nil
	}
	machine := cost.Default()
	if cpu {
		machine.Platform = hardware.CPU
	}
	machine.Name = "default, in several processes"
	machine.Axes = map[string]cost.Link{}
	for axis, l := range c.Links(dm) {
		machine.Axes[axis] = cost.Link{Latency: l.Latency, Bandwidth: l.Bandwidth}
	}
	return machine
}

// isChief reports whether this process writes what a job writes once: files and progress.
func (m *Model) isChief(c *runtime.Client) bool { return c.ProcessIndex() == 0 || !spans(c, m.mesh()) }

// IsChief reports whether this process writes the files and the progress bar of the training. A
// training in several processes has one chief. Callbacks are called in all processes.
func (t *Training) IsChief() bool { return t.model.isChief(t.client) }

// Job returns the client if the training runs in several processes, else nil.
func (t *Training) Job() *runtime.Client { return t.model.jobOn(t.client) }

// jobOn does the same as Job, for a model that runs on client c.
func (m *Model) jobOn(c *runtime.Client) *runtime.Client {
	if spans(c, m.mesh()) {
		return c
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

// check returns an error if the samples of a batch cannot be divided equally among the shards of
// this process.
func (f feed) check(b data.Batch) error {
	if f.shards > 0 && (f.local == 0 || b.Size()%f.local != 0) {
		return fmt.Errorf("with AutoShardDataset(false), this process got %d samples for %d shards: want equally many in each, and in all processes; "+
			"Batch with DropRemainder leaves out a smaller last batch", b.Size(), f.local)
	}
	return nil
}

// rows returns the number of samples in the global batch, if this process has n of them.
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

// put copies a tensor of a batch to the devices.
func (f feed) put(c *runtime.Client, t ir.Type, s *layout.Sharding, flat any) (*runtime.Array, error) {
	if f.shards == 0 {
		return c.Put(t, s, flat)
	}
	return c.PutLocal(t, s, flat)
}

// putStack copies tensors of several batches to the devices, stacked in one array.
func (f feed) putStack(c *runtime.Client, t ir.Type, s *layout.Sharding, flats iter.Seq2[any, error]) (*runtime.Array, error) {
	if f.shards == 0 {
		return c.PutStack(t, s, flats)
	}
	return c.PutLocalStack(t, s, flats)
}
