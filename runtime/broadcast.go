package runtime

// This file implements Broadcast, which gives all processes the values of one of them.

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// Broadcast returns the arrays with the same values in all processes. Where processes have put
// different values in a shard that several of them hold, all get the value of the first of these
// processes in the mesh's order: process 0 where it holds the shard. An array without such a
// difference is returned as it is, and nothing of it is sent. An array with a difference is
// returned as a new one; the caller releases the old one. Another number of arrays than in the
// other processes is an error.
//
// All processes call Broadcast with arrays of the same types and shardings, in the same
// order. It does what broadcast_one_to_all in JAX' multihost_utils does.
func (c *Client) Broadcast(ctx context.Context, arrays []*Array) ([]*Array, error) {
	if err := made.Context(ctx); err != nil {
		return nil, fmt.Errorf("runtime: Broadcast: %w", err)
	}
	if c.job == nil {
		return arrays, nil
	}
	var plans []*broadcast
	var prints []byte
	for _, a := range arrays {
		b := c.newBroadcast(a)
		plans = append(plans, b)
		prints = append(prints, b.prints()...)
	}
	all, err := c.Exchange(ctx, "fingerprints of values", prints)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(arrays)
	for i, b := range plans {
		n := 8 * len(b.firsts)
		own := make([][]byte, len(all)) // the fingerprints of this array, by process
		for rank := range all {
			if len(all[rank]) < n {
				return nil, fmt.Errorf("runtime: Broadcast: process %d gives fewer arrays than process %d: want the same in all processes", rank, c.job.rank)
			}
			own[rank], all[rank] = all[rank][:n], all[rank][n:]
		}
		if out[i], err = b.run(ctx, own); err != nil {
			return nil, fmt.Errorf("runtime: Broadcast: array %s: %w", b.array, err)
		}
	}
	return out, nil
}

// broadcast is the broadcast of one array.
type broadcast struct {
	client  *Client
	array   *Array
	at      *program.Placement
	shards  []meshShard
	firsts  []int   // the first position of each shard that several processes hold
	holders [][]int // the processes that hold a shard, by its first position; the process of that position comes first
}

func (c *Client) newBroadcast(a *Array) *broadcast {
	b := &broadcast{client: c, array: a}
	if a.sharding == nil || isDefaultDevice(a.sharding.Mesh) {
		return b
	}
	b.at, b.shards = c.job.placement(a.sharding.Mesh), a.meshShards()
	b.holders = make([][]int, len(b.shards))
	for pos, p := range b.shards {
		if rank := b.at.Process[pos]; !slices.Contains(b.holders[p.first], rank) {
			b.holders[p.first] = append(b.holders[p.first], rank)
		}
	}
	for first, ranks := range b.holders {
		if len(ranks) > 1 {
			b.firsts = append(b.firsts, first)
		}
	}
	return b
}

// prints returns the fingerprints of the shards at b.firsts, 8 bytes each. It is 0 for a shard that
// this process does not hold.
func (b *broadcast) prints() []byte {
	var out []byte
	for _, first := range b.firsts {
		var sum uint64
		if pos := b.shards[first].local; pos >= 0 {
			if buffer, ok := b.array.buffers[pos].(*asyncBuffer); ok {
				sum = buffer.print.sum
			}
		}
		out = binary.LittleEndian.AppendUint64(out, sum)
	}
	return out
}

// run exchanges the shards that differ between processes, and returns a new array with the values
// of the first process that holds each, or b.array if none differs. prints are the fingerprints of
// all processes, by rank, as the method prints returns them.
func (b *broadcast) run(ctx context.Context, prints [][]byte) (*Array, error) {
	var differ []int // the first positions of the shards that differ
	for i, first := range b.firsts {
		at := func(rank int) []byte { return prints[rank][8*i : 8*i+8] }
		ranks := b.holders[first]
		if slices.ContainsFunc(ranks, func(rank int) bool { return !bytes.Equal(at(rank), at(ranks[0])) }) {
			differ = append(differ, first)
		}
	}
	if len(differ) == 0 {
		return b.array, nil
	}
	values, err := b.exchange(ctx, differ)
	if err != nil {
		return nil, err
	}
	return b.client.put("Broadcast", b.array.typ, b.array.sharding, shardSource{local: func(p meshShard, local ir.Type) ([]byte, error) {
		if data, ok := values[p.first]; ok {
			return data, nil
		}
		data := make([]byte, local.Bytes())
		return data, b.array.buffers[p.local].Read(ctx, data)
	}})
}

// exchange returns, by first position, the value of each shard of firsts that this process holds.
// The values are those of the first process that holds the shard. Its owner sends them to the
// others.
func (b *broadcast) exchange(ctx context.Context, firsts []int) (map[int][]byte, error) {
	j := b.client.job
	size := b.array.typ.WithDims(b.array.sharding.LocalShape(b.array.typ.Dims)).Bytes()
	values := make(map[int][]byte)
	send, receive := make([][]byte, j.size), make([][]byte, j.size)
	for _, first := range firsts {
		owner, others := b.holders[first][0], b.holders[first][1:]
		switch {
		case owner == j.rank:
			data := make([]byte, size)
			if err := b.array.buffers[b.shards[first].local].Read(ctx, data); err != nil {
				return nil, err
			}
			values[first] = data
			for _, rank := range others {
				send[rank] = append(send[rank], data...)
			}
		case slices.Contains(others, j.rank):
			receive[owner] = append(receive[owner], make([]byte, size)...)
		}
	}
	if err := j.host.Exchange(ctx, j.tag("broadcast", j.all()), messages(send), messages(receive)); err != nil {
		return nil, j.explain("the exchange of values", err)
	}
	for _, first := range firsts {
		if owner := b.holders[first][0]; owner != j.rank && slices.Contains(b.holders[first], j.rank) {
			values[first], receive[owner] = receive[owner][:size:size], receive[owner][size:]
		}
	}
	return values, nil
}
