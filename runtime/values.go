package runtime

// This file makes processes agree on the values that they give to a program. Each
// process computes fingerprints of the tensors that its host puts on devices. The message
// that announces a run carries them, so that the comparison takes no message of its own.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/program"
)

// valuePrint is the fingerprint of a tensor that the host has put on a device. It is zero for the
// result of a run, and for a shard that no other process holds.
type valuePrint struct {
	sum   uint64
	whole bool // sum is of the global tensor, which the process has given as a whole, not of the shard
}

// printer computes the fingerprints of one array while it is put on the devices. A nil *printer
// computes nothing: no other process holds a part of its array.
type printer struct {
	shared []bool   // by position: whether another process holds the same shard
	sums   []uint64 // by position
	whole  uint64   // fingerprint of the global tensor; 0 if the process gives only shards
}

// newPrinter returns the printer of an array of the given type and sharding; nil if no other
// process holds a part of the array.
func (c *Client) newPrinter(t ir.Type, s *layout.Sharding) *printer {
	if c.job == nil || s == nil || isDefaultDevice(s.Mesh) {
		return nil
	}
	at := c.job.placement(s.Mesh)
	if len(at.Processes()) < 2 {
		return nil
	}
	p := &printer{shared: make([]bool, s.Mesh.Size()), sums: make([]uint64, s.Mesh.Size())}
	for _, shard := range c.job.sharedShards(meshShards(t, s, c.localDevices(s)), at) {
		p.shared[shard.local] = true
	}
	return p
}

// add stores the fingerprint of the data of shard, if another process holds the shard too and there
// is no fingerprint of the whole tensor.
func (p *printer) add(shard meshShard, data []byte) {
	if p != nil && p.whole == 0 && p.shared[shard.local] {
		p.sums[shard.local] = ensureNonZero(xxhash.Sum64(data))
	}
}

// sign stores the fingerprints that p has computed in the buffers of a that this process has. A nil
// p has none.
func (p *printer) sign(a *Array) {
	if p == nil {
		return
	}
	for pos, shard := range a.meshShards() {
		b, ok := a.buffers[pos].(*asyncBuffer)
		switch {
		case !ok: // in another process, or of an engine that another package implements
		case p.whole != 0:
			b.print = valuePrint{p.whole, true}
		default:
			b.print = valuePrint{sum: p.sums[shard.local]}
		}
	}
}

// ensureNonZero returns sum, or 1 in place of 0, because 0 stands for no fingerprint.
func ensureNonZero(sum uint64) uint64 { return max(sum, 1) }

// A tensor of more than wholePrint bytes that a process gives as a whole, such as a batch of
// images, is compared by a part of each row: wholePrint bytes together, but at least leastOfRow of
// each. That bounds the time, and still detects rows in another order.
const (
	wholePrint = 1 << 20
	leastOfRow = 64
)

// printOf returns the fingerprint of a whole tensor of type t with these bytes. It is not 0. If
// there are more than wholePrint bytes, it is the fingerprint of a part of each row: tensors that
// differ only elsewhere have the same one.
func printOf(t ir.Type, data []byte) uint64 {
	if len(data) <= wholePrint || t.Rank() == 0 {
		return ensureNonZero(xxhash.Sum64(data))
	}
	rows := t.Dims[0]
	row := len(data) / rows
	part := min(row, max(wholePrint/rows, leastOfRow))
	h := xxhash.New()
	for i := range rows {
		from := i*row + (row-part)/2 // the border of an image is often empty
		h.Write(data[from : from+part])
	}
	return ensureNonZero(h.Sum64())
}

// sharedShards returns the shards that this process and at least one other hold, each once, in the
// order of the mesh.
func (j *job) sharedShards(shards []meshShard, at *program.Placement) []meshShard {
	others := make([]bool, len(shards))
	for pos, p := range shards {
		others[p.first] = others[p.first] || at.Process[pos] != j.rank
	}
	var out []meshShard
	for pos, p := range shards {
		if p.first == pos && p.local >= 0 && others[pos] {
			out = append(out, p)
		}
	}
	return out
}

// commonShard is a shard of an input of a program that this process and another hold.
type commonShard struct{ input, row int } // row: index of the device that holds it, among those of this process

// commonShards returns, for each other process of a program, the shards that both hold.
// Both processes find the same shards in the same order.
func (j *job) commonShards(p *program.Program, at *program.Placement) map[int][]commonShard {
	devices, rows := make([]int, len(at.Process)), make(map[int]int)
	for pos, rank := range at.Process {
		devices[pos] = -1
		if rank == j.rank {
			devices[pos] = len(rows)
			rows[pos] = len(rows)
		}
	}
	out := make(map[int][]commonShard)
	for i, in := range p.Inputs {
		shards := meshShards(in.Type, in.Sharding, devices)
		holders := make([][]int, len(shards)) // by the first position of the shard
		for pos, s := range shards {
			if rank := at.Process[pos]; rank != j.rank && s.local >= 0 && !slices.Contains(holders[s.first], rank) {
				holders[s.first] = append(holders[s.first], rank)
			}
		}
		for first, ranks := range holders {
			for _, rank := range ranks {
				out[rank] = append(out[rank], commonShard{i, rows[shards[first].local]})
			}
		}
	}
	return out
}

// givenValues selects the fingerprints of the arguments of a run that are compared with those of
// another process of the job, and names the inputs that differ. The zero givenValues is for a
// barrier, which has no arguments.
type givenValues struct {
	program *program.Program
	common  map[int][]commonShard // by rank
	args    []*asyncBuffer        // the arguments of the first device, then those of the second, …
}

// fingerprintsWith returns the fingerprints to be compared with another process, in eight bytes
// each: one for each input, 0 if it was not given as a whole, and then one for each shard that both
// hold. The length is the same in both. It returns nil for a barrier.
func (g givenValues) fingerprintsWith(rank int) []byte {
	if g.program == nil {
		return nil
	}
	inputs := len(g.program.Inputs)
	out := make([]byte, 8*(inputs+len(g.common[rank])))
	for i := range inputs {
		if p := g.args[i].print; p.whole {
			binary.LittleEndian.PutUint64(out[8*i:], p.sum)
		}
	}
	for k, c := range g.common[rank] {
		if p := g.args[c.row*inputs+c.input].print; !p.whole {
			binary.LittleEndian.PutUint64(out[8*(inputs+k):], p.sum)
		}
	}
	return out
}

// sum returns one number for the fingerprints that are compared with the process of the given rank.
// It is 0 if there are none.
func (g givenValues) sum(rank int) uint64 {
	values := g.fingerprintsWith(rank)
	if !slices.ContainsFunc(values, func(b byte) bool { return b != 0 }) {
		return 0
	}
	return ensureNonZero(xxhash.Sum64(values))
}

// difference returns an error that names the inputs that differ, at most namedDifferences of them,
// and says how to make them equal. mine and theirs are the fingerprints of both processes. own and
// other are their ranks.
func (g givenValues) difference(own, other int, mine, theirs []byte) error {
	inputs := g.program.Inputs
	var names []string
	parameters, more := false, 0
	for at := 0; at < len(mine); at += 8 {
		if bytes.Equal(mine[at:at+8], theirs[at:at+8]) {
			continue
		}
		i := at / 8
		if i >= len(inputs) {
			i = g.common[other][i-len(inputs)].input
		}
		parameters = parameters || inputs[i].Role != ir.RoleData || inputs[i].Donated()
		switch name := inputs[i].Name; {
		case slices.Contains(names, name):
		case len(names) == namedDifferences:
			more++
		default:
			names = append(names, name)
		}
	}
	text := strings.Join(names, ", ")
	if more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	fix := "all must give the same global batches in the same order: use the same files and the same seed, or let each process give its own part (PutLocal; AutoShardDataset(false) in Keras)"
	if parameters {
		fix = "set the same random seed in all processes and load the same files, or let all take the values of process 0 (Client.Broadcast; BroadcastWeights in Keras)"
	}
	return fmt.Errorf("process %d has other values than process %d of %s: %s", max(own, other), min(own, other), text, fix)
}

// namedDifferences is the greatest number of inputs that an error names.
const namedDifferences = 3
