package buffers

// This file places temporary values in memory, as XLA's compiler for CPUs does (HeapSimulator there,
// with GlobalDecreasingSizeBestFitHeap). A value rarely fills the memory that another one leaves,
// so the heap can be larger than the values that are in use at one time.
//
// XLA places the values one after the other, each in the smallest gap that is free in its lifetime.
// It tries two orders, by size and by lifetime, and takes the one with the smaller heap.

import (
	"cmp"
	"math/bits"
	"slices"
)

// block is memory of the heap. A class of values uses it, or several classes, if values take over
// the memory of operands.
type block struct {
	size   int
	values []*value // in the order of time
	spans  []span   // the times in which it is in use, in events, in ascending order
}

// lifetime returns the number of events from the first use of b to the last one.
func (b *block) lifetime() int { return b.spans[len(b.spans)-1].end - b.spans[0].start }

// heapSize returns the size, in bytes, of the heap that holds the classes of temporary values.
func (t *timeline) heapSize(temporary []*class) int {
	blocks := t.blocks(temporary)
	index := func(a, b *block) int { return cmp.Compare(a.values[0].index, b.values[0].index) }
	slices.SortStableFunc(blocks, func(a, b *block) int {
		return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(b.values[0].events.length(), a.values[0].events.length()), index(a, b))
	})
	bySize := placeAll(blocks)
	slices.SortStableFunc(blocks, func(a, b *block) int {
		return cmp.Or(cmp.Compare(b.lifetime(), a.lifetime()), cmp.Compare(b.size, a.size), index(a, b))
	})
	return min(bySize, placeAll(blocks))
}

// blocks returns the blocks of the classes.
func (t *timeline) blocks(temporary []*class) []*block {
	of := make(map[*class]*block, len(temporary))
	var values []*value
	for _, c := range temporary {
		of[c] = &block{size: roundUp(c.bytes, alignment), values: slices.Clone(c.values)}
		values = append(values, c.values...)
	}
	countEvents(values)
	var last *node // the last node whose result took over the memory of an operand
	for _, x := range t.taken {
		from, to := x.value.class().of, x.by.values[0].class().of
		if x.by == last || from == to || of[from] == nil || of[to] == nil || len(from.values) > 1 || len(to.values) > 1 || x.value.end != 2*x.by.time {
			continue
		}
		b := of[from]
		b.size, b.values = max(b.size, of[to].size), append(b.values, of[to].values...)
		of[to], last = b, x.by
	}
	out := make([]*block, 0, len(temporary))
	for _, c := range temporary {
		b := of[c]
		if b.values[0].class().of == c { // else it is the block of an operand
			slices.SortFunc(b.values, func(v, w *value) int { return cmp.Compare(v.events.start, w.events.start) })
			b.spans = mergeSpans(b.values, func(v *value) span { return v.events })
			out = append(out, b)
		}
	}
	return out
}

// countEvents sets the events of the values: it numbers, in the order of time, the moments at which
// a value gets memory or frees it. At one time, all new values get memory first.
func countEvents(values []*value) {
	type event struct {
		time int
		v    *value
		free bool
	}
	list := make([]event, 0, 2*len(values))
	for _, v := range values {
		list = append(list, event{v.start, v, false}, event{v.end | 1, v, true})
	}
	slices.SortStableFunc(list, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.time, b.time), compareBool(b.free, a.free), cmp.Compare(a.v.start, b.v.start), cmp.Compare(a.v.end, b.v.end), cmp.Compare(a.v.index, b.v.index))
	})
	for i, e := range list {
		if e.free {
			e.v.events.end = i
		} else {
			e.v.events.start = i
		}
	}
}

// chunk is the place of a block in one of its spans.
type chunk struct {
	from, to int // bytes
	span
}

// placeAll puts each block in the smallest gap of the heap that is free in its spans, in the order
// of the list, and returns the size of the heap.
func placeAll(blocks []*block) (size int) {
	used := make([]chunk, 0, len(blocks)) // in the order of from
	var near []int
	for _, b := range blocks {
		best, room, end := -1, 0, 0 // end is where the gap after the last chunk starts
		near = during(near, used, b.spans)
		for _, i := range near {
			c := &used[i]
			if gap := c.from - end; gap >= b.size && (best < 0 || gap < room) {
				best, room = end, gap
			}
			end = max(end, c.to)
		}
		if best < 0 {
			best = end
		}
		at, _ := slices.BinarySearchFunc(used, best, func(c chunk, from int) int { return cmp.Compare(c.from, from) })
		for _, s := range b.spans {
			used = slices.Insert(used, at, chunk{best, best + b.size, s})
		}
		size = max(size, best+b.size)
	}
	return size
}

// during returns the indices of those of used that have a time in common with one of the spans, in
// ascending order. It overwrites list if that is long enough. placeAll spends most of its time here,
// and processors predict badly which chunks are in use at the same time: so the loop over all chunks
// has no branch.
func during(list []int, used []chunk, spans []span) []int {
	list = slices.Grow(list[:0], len(used))[:len(used)]
	first, last := spans[0].start, spans[len(spans)-1].end
	n := 0
	for i := range used {
		c := &used[i]
		list[n] = i
		apart := uint((last-c.start)|(c.end-first)) >> (bits.UintSize - 1) // 1 if one of both is negative
		n += 1 - int(apart)
	}
	if len(spans) == 1 {
		return list[:n]
	}
	return slices.DeleteFunc(list[:n], func(i int) bool { return !overlaps(spans, used[i].span) })
}

// overlaps reports whether one of the spans of list, which are in ascending order, has a time in
// common with s.
func overlaps(list []span, s span) bool {
	for _, l := range list {
		if l.start > s.end {
			return false
		}
		if l.end >= s.start {
			return true
		}
	}
	return false
}

// addGaps adds to each element of used, the bytes in use at each time, the bytes by which the heap
// is larger than the largest of them, and returns that.
func addGaps(used []int, heap int) int {
	gaps := heap - slices.Max(used)
	for i := range used {
		used[i] += gaps
	}
	return gaps
}
