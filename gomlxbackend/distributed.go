package gomlxbackend

// This file runs graphs that GoMLX distributes itself. GoMLX has a buffer for each device. In this
// backend these buffers are the shards of one array on the mesh.

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/gomlx/compute"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// distributed holds the additional state of a graph that GoMLX distributes.
type distributed struct {
	mesh *mesh.DeviceMesh
	// perDevice says that the graph describes the work of one device. Then arrays have an
	// additional first dimension, for the devices.
	perDevice bool
}

// typeInGraph returns the type that a parameter or a result of the module, of type t, has in
// GoMLX's graph: without the first dimension if the graph describes the work of one device. For a
// nil d it is t.
func (d *distributed) typeInGraph(t ir.Type) ir.Type {
	if d != nil && d.perDevice {
		return t.WithDims(t.Dims[1:])
	}
	return t
}

// shardType returns the type of a device's buffer, for a parameter or a result of type t with the
// sharding s.
func (d *distributed) shardType(t ir.Type, s *layout.Sharding) ir.Type {
	return d.typeInGraph(t.WithDims(s.LocalShape(t.Dims)))
}

// finish gives the new value of each variable the sharding of the variable. This is needed because
// GoMLX's model.Exec puts the new values before the results of the model, and so gives the new
// values the specs that are meant for the results. newValues[i] is the index of the result that is
// the new value of parameter i, or -1. finish returns an error if a tensor is sharded unevenly,
// because in GoMLX all shards of a tensor have one shape.
func (d *distributed) finish(main *ir.Func, newValues []int) error {
	for i, p := range main.Params() {
		if r := newValues[i]; r >= 0 && isVariable(p.Name) {
			main.Results[r].Sharding = p.Sharding
		}
		if !p.Sharding.IsEven(p.Type.Dims) {
			return unevenError(fmt.Sprintf("parameter %q", p.Name), p.Type, p.Sharding)
		}
	}
	for i, v := range main.Returned() {
		if s := main.Results[i].Sharding; !s.IsEven(v.Type.Dims) {
			return unevenError(fmt.Sprintf("result %d", i), v.Type, s)
		}
	}
	return nil
}

func unevenError(what string, t ir.Type, s *layout.Sharding) error {
	return fmt.Errorf("%s is %s, sharded as %s, and GoMLX's shards of a tensor are of one shape: choose sizes that divide, or name a mesh in %s and let GoMLX see one device",
		what, t, s, compute.ConfigEnvVar)
}

// joined is an array whose shards are separate buffers.
type joined struct {
	array *runtime.Array
	held  atomic.Int64 // number of buffers that are its shards
}

// shard says which shard of a joined array a buffer is; of is nil if it is none.
type shard struct {
	of       *joined
	position int // position in the mesh
}

// drop releases the array when its last shard is dropped.
func (s shard) drop() {
	if s.of != nil && s.of.held.Add(-1) == 0 {
		s.of.array.Release()
	}
}

// executeOnEach starts a run of a graph that GoMLX distributes. Each device has n inputs: input i
// of device j is inputs[j*n+i], and donate has the same order. An input is overwritten only if all
// devices donate it; donated buffers are unusable afterwards in any case. It returns the results,
// ordered in the same way.
func (e *Executable) executeOnEach(inputs []compute.Buffer, donate []bool) ([]compute.Buffer, error) {
	d, params := e.distributed, e.module.Main().Params()
	n := len(params)
	if err := checkCounts(inputs, donate, n*d.mesh.Size()); err != nil {
		return nil, fmt.Errorf("%w: %d for each of %d devices", err, n, d.mesh.Size())
	}
	buffers, whole := make([]*Buffer, len(inputs)), slices.Repeat([]bool{true}, n)
	for i, in := range inputs {
		p, device := params[i%n], compute.DeviceNum(d.mesh.Devices()[i/n])
		var err error
		if buffers[i], err = e.backend.buffer(in, d.shardType(p.Type, p.Sharding), device); err != nil {
			return nil, fmt.Errorf("input %q of device %d: %w", p.Name, device, err)
		}
		whole[i%n] = whole[i%n] && donate[i]
	}
	exe, err := e.program(whole, 0)
	if err != nil {
		return nil, err
	}
	results, err := e.runJoined(exe, buffers)
	if err != nil {
		return nil, err
	}
	for i, b := range buffers {
		if donate[i] {
			b.end(errDonated)
		}
	}
	out := make([]compute.Buffer, len(results)*d.mesh.Size())
	for i, a := range results {
		all := &joined{array: a}
		for pos, device := range d.mesh.Devices() {
			b := newBuffer(e.backend, d.shardType(a.Type(), a.Sharding()))
			b.device, b.shard = compute.DeviceNum(device), shard{all, pos}
			all.held.Add(1)
			out[pos*len(results)+i] = b
		}
	}
	return out, nil
}

// runJoined joins the devices' buffers to arrays, starts a run of exe on them, and returns the
// arrays of its results. buffers are in the order of executeOnEach's inputs.
func (e *Executable) runJoined(exe *runtime.Executable, buffers []*Buffer) ([]*runtime.Array, error) {
	e.backend.joining.Lock()
	defer e.backend.joining.Unlock()
	inputs := exe.Program().Inputs
	args := make([]*runtime.Array, len(inputs))
	for i, in := range inputs {
		shards := make([]*Buffer, e.distributed.mesh.Size())
		for pos := range shards {
			shards[pos] = buffers[pos*len(inputs)+i]
		}
		var err error
		if args[i], err = e.backend.join(in.Type, in.Sharding, shards); err != nil {
			return nil, fmt.Errorf("input %q: %w", in.Name, err)
		}
	}
	return exe.Run(args...)
}

// join returns the array whose shards are the buffers, ordered by position in the mesh. If the
// buffers are not shards of one array yet, it makes the array through the host, and the buffers
// become its shards. If several devices hold the same elements, those of the first device count.
func (b *Backend) join(t ir.Type, s *layout.Sharding, buffers []*Buffer) (*runtime.Array, error) {
	if a, err := joinedArray(t, s, buffers); a != nil || err != nil {
		return a, err
	}
	a, err := b.client.PutShards(t, s, func(ranges []layout.Range, dst any) error {
		for pos, from := range buffers {
			if !slices.Equal(s.ShardRanges(t.Dims, pos), ranges) {
				continue
			}
			from.mu.Lock()
			defer from.mu.Unlock()
			if from.ended != nil {
				return from.ended
			}
			flat, err := from.fetch()
			if err == nil {
				reflect.Copy(reflect.ValueOf(dst), reflect.ValueOf(flat))
			}
			return err
		}
		return errors.New("BUG: no device holds this shard")
	})
	if err != nil {
		return nil, err
	}
	b.put.Add(1)
	all := &joined{array: a}
	all.held.Add(int64(len(buffers)))
	for pos, to := range buffers {
		to.become(shard{all, pos})
	}
	return a, nil
}

// joinedArray returns the array of type t, sharded as s, if the buffers are already its shards in
// order; otherwise nil. A finalized buffer is an error.
func joinedArray(t ir.Type, s *layout.Sharding, buffers []*Buffer) (*runtime.Array, error) {
	var of *joined
	for pos, b := range buffers {
		b.mu.Lock()
		have, ended := b.shard, b.ended
		b.mu.Unlock()
		switch {
		case ended != nil:
			return nil, ended
		case pos == 0:
			of = have.of
		}
		if have.of == nil || have != (shard{of, pos}) {
			return nil, nil
		}
	}
	if of.array.Type().Equal(t) && of.array.Sharding().SameLayout(s) {
		return of.array, nil
	}
	return nil, nil
}

// become makes the buffer a shard. It drops the buffer's other contents. A finalized buffer drops
// the shard instead.
func (b *Buffer) become(s shard) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended != nil {
		s.drop()
		return
	}
	b.shard.drop()
	for _, a := range b.arrays {
		a.Release()
	}
	b.host, b.arrays, b.shard = nil, nil, s
}
