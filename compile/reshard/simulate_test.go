package reshard_test

// This file runs plans on buffers of simulated devices.

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/gospmd/gospmd/compile/reshard"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// junk is the initial value of padding. It must never become an element.
const junk = 1 << 40

// buffer is what one device holds.
type buffer struct {
	dims []int
	data []int
}

func newBuffer(dims []int, fill int) buffer {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return buffer{slices.Clone(dims), slices.Repeat([]int{fill}, n)}
}

// each calls visit for all elements in row-major order, with the position in data and the index,
// which visit must not keep.
func (b buffer) each(visit func(at int, index []int)) {
	index := make([]int, len(b.dims))
	for at := range b.data {
		visit(at, index)
		for d := len(index) - 1; d >= 0; d-- {
			if index[d]++; index[d] < b.dims[d] {
				break
			}
			index[d] = 0
		}
	}
}

func (b buffer) offset(index []int) int {
	at := 0
	for d, i := range index {
		at = at*b.dims[d] + i
	}
	return at
}

// window returns a copy of b in which dimension d has size indices: those from start on. Elements
// outside of b, also before it, are fill.
func (b buffer) window(d, start, size, fill int) buffer {
	dims := slices.Clone(b.dims)
	dims[d] = size
	out := newBuffer(dims, fill)
	first, limit := max(0, start), min(b.dims[d], start+size)
	if first >= limit {
		return out
	}
	inner := 1
	for _, n := range dims[d+1:] {
		inner *= n
	}
	for outer := 0; outer*b.dims[d]*inner < len(b.data); outer++ {
		to := (outer*size + first - start) * inner
		copy(out.data[to:], b.data[(outer*b.dims[d]+first)*inner:(outer*b.dims[d]+limit)*inner])
	}
	return out
}

// concat returns the buffers of list joined along dimension d, as StableHLO's concatenate does.
func concat(d int, list ...buffer) buffer {
	dims := slices.Clone(list[0].dims)
	dims[d] = 0
	inner := 1
	for _, n := range dims[d+1:] {
		inner *= n
	}
	for _, b := range list {
		dims[d] += b.dims[d]
	}
	out := buffer{dims: dims}
	for outer, n := 0, len(newBuffer(dims, 0).data); len(out.data) < n; outer++ {
		for _, b := range list {
			n := b.dims[d] * inner
			out.data = append(out.data, b.data[outer*n:(outer+1)*n]...)
		}
	}
	return out
}

// scatter cuts a global tensor into the shards of the devices, by position, as the sharding s says.
// Padding is junk. If s is unreduced, the summands are random numbers with the right sum, the same
// on all devices that hold the same shard and summand.
func scatter(global buffer, s *layout.Sharding, rng *rand.Rand) []buffer {
	out := make([]buffer, s.Mesh.Size())
	for pos := range out {
		out[pos] = newBuffer(s.LocalShape(global.dims), junk)
		copyShard(global, s, pos, func(g, l int) { out[pos].data[l] = global.data[g] })
	}
	if len(s.Unreduced) == 0 {
		return out
	}
	n := s.Mesh.RefsSize(s.Unreduced)
	terms := make([][]int, len(global.data))
	for g, v := range global.data {
		terms[g] = make([]int, n)
		for i := range n - 1 {
			terms[g][i] = rng.IntN(1000)
			v -= terms[g][i]
		}
		terms[g][n-1] = v
	}
	for pos := range out {
		i := s.Mesh.RefsCoordinate(pos, s.Unreduced)
		copyShard(global, s, pos, func(g, l int) { out[pos].data[l] = terms[g][i] })
	}
	return out
}

// copyShard calls visit for the elements of the shard, by s, of the device at position pos, without
// padding, with their places in the data of global and of the shard.
func copyShard(global buffer, s *layout.Sharding, pos int, visit func(g, l int)) {
	ranges := s.ShardRanges(global.dims, pos)
	local := newBuffer(s.LocalShape(global.dims), 0)
	local.each(func(at int, index []int) {
		g := make([]int, len(index))
		for d, i := range index {
			if g[d] = ranges[d].Start + i; g[d] >= ranges[d].Limit {
				return
			}
		}
		visit(global.offset(g), at)
	})
}

// gather returns the tensor with the dimensions dims whose shards, by s, the devices hold, by
// position: it undoes scatter, and adds up summands. It ignores padding. Shards of another shape,
// and copies that differ, are errors.
func gather(devices []buffer, dims []int, s *layout.Sharding) (buffer, error) {
	out := newBuffer(dims, 0)
	seen := make([]map[int]int, len(out.data)) // by summand: the elements that were found
	var err error
	for pos, b := range devices {
		if want := s.LocalShape(dims); !slices.Equal(b.dims, want) {
			return out, fmt.Errorf("device %d holds %v, want %v", pos, b.dims, want)
		}
		i := s.Mesh.RefsCoordinate(pos, s.Unreduced)
		copyShard(out, s, pos, func(g, l int) {
			if seen[g] == nil {
				seen[g] = map[int]int{}
			}
			if old, ok := seen[g][i]; ok && old != b.data[l] {
				err = fmt.Errorf("device %d holds %d at %d, another %d", pos, b.data[l], g, old)
			} else if !ok {
				seen[g][i] = b.data[l]
				out.data[g] += b.data[l]
			}
		})
	}
	return out, err
}

// simulate returns the buffers of the devices of m after the steps of a plan. It returns an error
// if a step does not fit what the devices have.
func simulate(m *mesh.DeviceMesh, steps reshard.Steps, devices []buffer) ([]buffer, error) {
	for _, s := range steps {
		out := make([]buffer, len(devices))
		index := func(pos int) int { return m.RefsCoordinate(pos, s.Axes) }
		groups := m.ReplicaGroups(s.Axes)
		for pos, b := range devices {
			if !slices.Equal(b.dims, s.Before) {
				return nil, fmt.Errorf("step %s: device %d holds %v, want %v", s, pos, b.dims, s.Before)
			}
			switch s.Kind {
			case reshard.Pad:
				out[pos] = b.window(s.Dim, 0, s.After[s.Dim], junk)
			case reshard.Trim:
				out[pos] = b.window(s.Dim, 0, s.After[s.Dim], 0)
			case reshard.Slice:
				n := s.After[s.Dim]
				out[pos] = b.window(s.Dim, min(index(pos)*n, b.dims[s.Dim]-n), n, 0)
			case reshard.PadToOffset:
				n := b.dims[s.Dim]
				out[pos] = newBuffer(s.After, 0)
				if start := index(pos) * n; start < s.After[s.Dim] {
					out[pos] = b.window(s.Dim, -start, s.After[s.Dim], 0)
				}
			case reshard.ReplicatedToUnreduced:
				if out[pos] = b; index(pos) != 0 {
					out[pos] = newBuffer(b.dims, 0)
				}
			case reshard.AllGather, reshard.AllToAll, reshard.AllReduce, reshard.ReduceScatter, reshard.BitwiseAllReduce:
				// computed below, for groups of devices
			case reshard.Permute, reshard.HaloExchange, reshard.NeighbourGather:
				// see below
			}
		}
		switch s.Kind {
		case reshard.Permute:
			pairs, err := layout.PermutePairs(s.Source, s.Target)
			if err != nil {
				return nil, err
			}
			for _, p := range pairs {
				out[p[1]] = devices[p[0]]
			}
		case reshard.NeighbourGather:
			exchange(m, s, groups, devices, out)
		case reshard.HaloExchange:
			haloExchange(s, groups, devices, out)
		default:
			if s.Kind.Communicates() {
				for _, g := range groups {
					collective(s, g, devices, out)
				}
			}
		}
		for pos, b := range out {
			if !slices.Equal(b.dims, s.After) {
				return nil, fmt.Errorf("step %s: device %d gets %v", s, pos, b.dims)
			}
		}
		devices = out
	}
	return devices, nil
}

func collective(s reshard.Step, group []int, in, out []buffer) {
	for i, pos := range group {
		var parts []buffer
		for _, from := range group {
			b := in[from]
			if s.Kind == reshard.AllToAll {
				n := s.After[s.To]
				b = b.window(s.To, i*n, n, 0)
			}
			parts = append(parts, b)
		}
		if s.Kind == reshard.AllGather || s.Kind == reshard.AllToAll {
			out[pos] = concat(s.Dim, parts...)
			continue
		}
		sum := newBuffer(parts[0].dims, 0)
		for _, p := range parts {
			for at, v := range p.data {
				if s.Kind == reshard.BitwiseAllReduce {
					sum.data[at] |= v
				} else {
					sum.data[at] += v
				}
			}
		}
		if s.Kind == reshard.ReduceScatter {
			n := s.After[s.Dim]
			sum = sum.window(s.Dim, i*n, n, 0)
		}
		out[pos] = sum
	}
}

func haloExchange(s reshard.Step, groups [][]int, in, out []buffer) {
	b := s.Halo()
	base, stride := b.Start()
	for _, group := range groups {
		for i, pos := range group {
			own := in[pos].window(s.Dim, 0, b.Own(), 0)
			var pieces []buffer
			for _, p := range b.Pieces() {
				piece := newBuffer(in[pos].dims, 0)
				if j := i + p.Offset; j >= 0 && j < len(group) {
					piece = in[group[j]]
				}
				pieces = append(pieces, piece.window(s.Dim, p.Start, p.Limit-p.Start, 0))
			}
			var all buffer
			if b.Grows() {
				all = concat(s.Dim, append([]buffer{own}, pieces...)...)
				all = all.window(s.Dim, 0, b.Length(), 0)
			} else {
				all = concat(s.Dim, append(pieces, own)...)
			}
			out[pos] = all.window(s.Dim, max(0, min(base+i*stride, b.Length()-b.To)), b.To, 0)
		}
	}
}

func exchange(m *mesh.DeviceMesh, s reshard.Step, groups [][]int, in, out []buffer) {
	offsets := append([]int{0}, s.Offsets()...)
	for _, group := range groups {
		for i, pos := range group {
			out[pos] = newBuffer(s.After, junk)
			for _, o := range offsets {
				if i+o < 0 || i+o >= len(group) {
					continue
				}
				from := group[i+o]
				starts := make([]int, len(s.After))
				for d := range starts {
					starts[d] = m.RefsCoordinate(pos, s.Target.Dims[d].Axes)*s.After[d] - m.RefsCoordinate(from, s.Source.Dims[d].Axes)*s.Before[d]
				}
				out[pos].each(func(at int, index []int) {
					source := slices.Clone(index)
					for d := range source {
						source[d] += starts[d]
						if source[d] < 0 || source[d] >= s.Before[d] {
							return
						}
					}
					out[pos].data[at] = in[from].data[in[from].offset(source)]
				})
			}
		}
	}
}
