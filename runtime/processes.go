package runtime

// This file holds the functions of programs of several processes, beside Put, Run and Get: the
// number of this process, arrays made from the parts of all processes, values that all processes
// get, and agreement on host data.

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime/transport"
)

// ProcessIndex returns the number of this process: jax.process_index. Process 0
// is the chief.
func (c *Client) ProcessIndex() int {
	if c.job == nil {
		return 0
	}
	return c.job.rank
}

// ProcessCount returns the number of processes: jax.process_count.
func (c *Client) ProcessCount() int {
	if c.job == nil {
		return 1
	}
	return c.job.size
}

// LocalDevices returns the devices of this process: jax.local_devices.
func (c *Client) LocalDevices() []Device {
	if c.job == nil {
		return c.devices
	}
	return slices.DeleteFunc(slices.Clone(c.devices), func(d Device) bool { return d.Process != c.job.rank })
}

// Exchange sends value to all processes, and returns the values of all, by process. All processes
// must call it, those of one name in the same order. Exchanges of other names, and runs of
// programs, may come in between in any order. name says in errors what it is for.
func (c *Client) Exchange(ctx context.Context, name string, value []byte) (values [][]byte, err error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("runtime: Exchange: %w", err)
	}
	if c.job == nil {
		return [][]byte{value}, nil
	}
	what := fmt.Sprintf("the exchange of %s", name)
	err = c.job.runAndReport(ctx, what, func(ctx context.Context) error {
		values, err = c.job.gather(ctx, name, c.job.all(), value)
		return err
	})
	if err != nil {
		return nil, c.job.explain("runtime: "+what, err)
	}
	return values, nil
}

// Barrier returns when all processes have called it with the given name. Barriers, and Loads and
// Runs of programs on devices of all processes, have one order in all processes. If another process
// calls one of these instead, the error says what each process calls.
func (c *Client) Barrier(ctx context.Context, name string) error {
	if err := made.Context(ctx); err != nil {
		return fmt.Errorf("runtime: Barrier: %w", err)
	}
	if c.job == nil {
		return nil
	}
	return c.job.meet(ctx, c.job.all(), name)
}

// Failed returns a channel that is closed when the job has failed, as when another process is lost,
// or this client is closed. Err then says why. It is nil for one process.
func (c *Client) Failed() <-chan struct{} {
	if c.job == nil {
		return nil
	}
	return c.job.failed
}

// Err returns why the job of several processes has failed, nil while it has not.
func (c *Client) Err() error { return c.job.failure() }

// Fail tells the other processes that this one ends with err. At once they end with an error that
// says so. Call it if the program cannot go on. Afterwards the client can only be closed. For one
// process it does nothing.
func (c *Client) Fail(err error) {
	if c.job != nil {
		c.job.end(err)
	}
}

// PutLocal makes a global array of type t, sharded as s. Each process gives some of its rows:
// jax.make_array_from_process_local_data. flat is a slice as Put takes it, of the rows that
// LocalRows returns: those that the devices of this process hold. Errors are those of Put and
// LocalRows.
func (c *Client) PutLocal(t ir.Type, s *layout.Sharding, flat any) (*Array, error) {
	local, err := c.localRows("PutLocal", t, s)
	if err != nil {
		return nil, err
	}
	return c.putHost("PutLocal", t, s, local, flat)
}

// PutLocalStack is PutStack, where each process gives a slice of the first dimension of each
// element, as for PutLocal.
func (c *Client) PutLocalStack(t ir.Type, s *layout.Sharding, elements iter.Seq2[any, error]) (*Array, error) {
	element, of, err := elementOf("PutLocalStack", t, s)
	if err != nil {
		return nil, err
	}
	local, err := c.localRows("PutLocalStack", element, of)
	if err != nil {
		return nil, err
	}
	return c.putStack("PutLocalStack", t, s, local, elements)
}

// localRows describes the rows of a tensor of type t, sharded as s, that this process gives: those
// that its devices hold. A tensor without dimensions is given whole. Rows with a gap between are an
// error. what names the caller in errors.
func (c *Client) localRows(what string, t ir.Type, s *layout.Sharding) (hostTensor, error) {
	if err := c.checkSharding(t, s); err != nil {
		return hostTensor{}, fmt.Errorf("runtime: %s: %w", what, err)
	}
	rows, err := c.LocalRows(t, s)
	if err != nil || t.Rank() == 0 {
		return hostTensor{global: t, typ: t}, err
	}
	return hostTensor{global: t, typ: t.WithDims(append([]int{rows.Len()}, t.Dims[1:]...)), first: rows.Start}, nil
}

// LocalRows returns the range of the first dimension of a tensor that the devices of this process
// hold. It is the full range if there is one process, and 0 to 1 for a tensor without dimensions.
// It is an error if the rows are not contiguous.
func (c *Client) LocalRows(t ir.Type, s *layout.Sharding) (layout.Range, error) {
	if t.Rank() == 0 || c.job == nil {
		return layout.Range{Limit: append(slices.Clone(t.Dims), 1)[0]}, nil
	}
	devices := c.localDevices(s)
	var parts []layout.Range
	for pos, p := range meshShards(t, s, devices) {
		if devices[pos] >= 0 && p.local == pos && p.ranges[0].Len() > 0 {
			parts = append(parts, p.ranges[0])
		}
	}
	slices.SortFunc(parts, func(a, b layout.Range) int { return a.Start - b.Start })
	var out layout.Range
	for i, r := range parts {
		if i == 0 {
			out.Start = r.Start
		} else if r.Start > out.Limit {
			return out, fmt.Errorf("runtime: process %d holds the rows %d to %d and %d to %d of %s, with a gap: order the mesh's devices by process along the axis that shards dimension 0",
				c.job.rank, out.Start, out.Limit, r.Start, r.Limit, t)
		}
		out.Limit = max(out.Limit, r.Limit)
	}
	return out, nil
}

// missingShards returns the shards with elements that only other processes hold; none in a single
// process.
func (a *Array) missingShards() []meshShard {
	if a.client.job == nil {
		return nil
	}
	var out []meshShard
	for pos, p := range a.meshShards() {
		if p.first == pos && p.local < 0 && a.typ.WithDims(lens(p.ranges)).Size() > 0 {
			out = append(out, p)
		}
	}
	return out
}

// VisitOwned is Visit for several processes: one process visits each different shard, the process
// whose device comes first in the mesh. Process 0 visits an array that every process holds on its
// first device.
func (a *Array) VisitOwned(ctx context.Context, visit func(ranges []layout.Range, data []byte) error) error {
	return a.VisitOwnedInto(ctx, newRoom, visit)
}

// VisitOwnedInto calls visit with each shard that this process owns, as VisitOwned does, for
// callers that use memory again: it copies the elements of a shard into the memory that room
// returns, which must have that size in bytes.
func (a *Array) VisitOwnedInto(ctx context.Context, room func(size int) []byte, visit func(ranges []layout.Range, data []byte) error) error {
	if err := made.Context(ctx); err != nil {
		return fmt.Errorf("runtime: VisitOwned: %w", err)
	}
	everywhere := a.sharding == nil || isDefaultDevice(a.sharding.Mesh)
	return a.visit(ctx, "VisitOwned", func(pos int, p meshShard) bool {
		return p.first == pos && p.local == pos && (!everywhere || a.client.ProcessIndex() == 0)
	}, room, visit)
}

// Gather is Get for several processes. All must call it, in the same order. Each gets the full
// tensor (process_allgather in JAX' multihost_utils). Processes that call it with other arrays, and
// a lost one, are errors.
func (a *Array) Gather(ctx context.Context) (any, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("runtime: Gather: %w", err)
	}
	flat, global, stop, err := a.startGet("Gather")
	if err != nil {
		return nil, err
	}
	defer stop()
	if err := a.readLocal(ctx, global); err != nil {
		return nil, err
	}
	if a.client.job == nil {
		return flat, nil
	}
	if err := a.receiveMissing(ctx, global); err != nil {
		return nil, a.client.job.explain("runtime: Gather: array "+a.String(), err)
	}
	return flat, nil
}

// receiveMissing sends each process the shards that it lacks and this process owns, in one message.
// It puts the shards that it receives into global: the elements of the whole tensor, which has the
// shards of this process already. It does nothing if every process has all shards.
func (a *Array) receiveMissing(ctx context.Context, global []byte) error {
	j := a.client.job
	if a.sharding == nil || isDefaultDevice(a.sharding.Mesh) {
		return nil
	}
	at, elem := j.placement(a.sharding.Mesh), a.typ.DType.Size()
	shards := a.meshShards()
	holders := map[int][]int{} // processes that hold the shard, by its first position
	for pos, p := range shards {
		holders[p.first] = append(holders[p.first], at.Process[pos])
	}
	if j.allHold(shards, holders) {
		return nil // a process that has all shards need not call Gather
	}
	send, receive := make([][]byte, j.size), make([][]byte, j.size)
	type arrival struct{ from, offset, pos int }
	var arrivals []arrival
	for pos, p := range shards {
		box := lens(p.ranges)
		bytes := a.typ.WithDims(box).Bytes()
		if p.first != pos || bytes == 0 {
			continue
		}
		owner := at.Process[pos]
		if owner == j.rank {
			data := make([]byte, bytes)
			rowmajor.CopyBox(data, box, nil, global, a.typ.Dims, starts(p.ranges), box, elem)
			for rank := range send {
				if !slices.Contains(holders[pos], rank) {
					send[rank] = append(send[rank], data...)
				}
			}
		} else if p.local < 0 {
			arrivals = append(arrivals, arrival{owner, len(receive[owner]), pos})
			receive[owner] = append(receive[owner], make([]byte, bytes)...)
		}
	}
	if err := j.host.Exchange(ctx, j.tag("gather", j.all()), messages(send), messages(receive)); err != nil {
		return err
	}
	for _, r := range arrivals {
		box := lens(shards[r.pos].ranges)
		rowmajor.CopyBox(global, a.typ.Dims, starts(shards[r.pos].ranges), receive[r.from][r.offset:], box, nil, box, elem)
	}
	return nil
}

// allHold reports whether every process has every shard. holders has the processes that hold a
// shard, by the shard's first position.
func (j *job) allHold(shards []meshShard, holders map[int][]int) bool {
	for _, p := range shards {
		for rank := range j.size {
			if !slices.Contains(holders[p.first], rank) {
				return false
			}
		}
	}
	return true
}

// messages returns a message to rank r with the bytes data[r], for each r whose bytes are not
// empty.
func messages(data [][]byte) []transport.Message {
	var out []transport.Message
	for rank, d := range data {
		if len(d) > 0 {
			out = append(out, transport.Message{Rank: rank, Data: d})
		}
	}
	return out
}

// globalDevices returns the ids of the devices of every position of a sharding's mesh. An array
// without a mesh, or on the mesh without axes, is on the first device of this process.
func (c *Client) globalDevices(s *layout.Sharding) []int {
	if c.job != nil && (s == nil || isDefaultDevice(s.Mesh)) {
		return []int{c.job.first}
	}
	return deviceIDs(s)
}

// localPositions returns the positions of a mesh whose devices are in this
// process.
func (c *Client) localPositions(m *mesh.DeviceMesh) []int {
	if c.job != nil {
		return c.job.placement(m).Local()
	}
	out := make([]int, m.Size())
	for pos := range out {
		out[pos] = pos
	}
	return out
}
