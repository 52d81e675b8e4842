package buffers

// This file models the on-chip memory of a TPU (VMEM), which libtpu counts in the peak of a
// program. The compiler stores values there as far as they fit. It copies a kernel's operands there
// ahead of the kernel; an argument that several kernels read stays there from the first to the last
// of them. A result that takes over an argument's memory is computed there, too. So for some time
// the argument, its copy and the result exist together.

import (
	"slices"
	"sort"
)

const (
	// ChipMemory is the size of the on-chip memory of v5e and v6e, in bytes.
	ChipMemory = 128 << 20
	// A copy to the chip is hidden behind kernels that move ahead times as many bytes. With this
	// value the peaks in benchmarks/aot are nearest to libtpu's.
	ahead = 16
)

// fetchedCopies returns the copies of arguments that a TPU makes in its on-chip memory before they
// are read, the earliest first. There are as many as fit besides temporary; end is the time after
// the last instruction.
func fetchedCopies(g *graph, temporary []*class, end int) []*class {
	used := bytesInUse(temporary, end)
	moved := traffic(g, end)
	var out []*class
	for _, p := range g.params {
		v := p.values[0]
		if v.reader == nil || v.read == 0 {
			continue
		}
		first := 2 * v.reader.time
		from := sort.Search(first, func(t int) bool { return moved[t] > moved[max(0, first-1)]-ahead*v.bytes })
		c := &class{
			bytes: v.bytes, spans: []span{{from, v.read}},
			values: []*value{{op: v.reader.op, typ: v.typ, bytes: v.bytes, start: from, end: v.read}},
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b *class) int { return a.spans[0].start - b.spans[0].start })
	return slices.DeleteFunc(out, func(c *class) bool {
		s := c.spans[0]
		if slices.Max(used[s.start:s.end+1])+c.bytes > ChipMemory {
			return true
		}
		for t := s.start; t <= s.end; t++ {
			used[t] += c.bytes
		}
		return false
	})
}

// traffic returns the bytes that the instructions of g have read and written up to each time: by
// time, from 0 to end, in half steps.
func traffic(g *graph, end int) []int {
	moved := make([]int, end+1)
	for _, n := range g.runs {
		switch n.role {
		case param, view, held, constant, result:
			continue
		}
		for i, o := range n.operands {
			if !contains(n.operands[:i], o) {
				moved[2*n.time] += o.values[0].bytes
			}
		}
		for _, v := range n.values {
			moved[2*n.time+1] += v.bytes
		}
	}
	for t := 1; t < len(moved); t++ {
		moved[t] += moved[t-1]
	}
	return moved
}
