package memory

// This file predicts moves of values to the memory of the host and back:
//
//	%h = tanh %x                         %h = tanh %x
//	%y = … %h …                          %o = annotate_device_placement %h "pinned_host"
//	…                              =>    %y = … %h …
//	%d = multiply %g, %h                 %b, %a = optimization_barrier %o, %g
//	                                     %h1 = annotate_device_placement %b "device"
//	                                     %d = multiply %g, %h1
//
// Devices move values while they compute. The link to the host takes one value after the other: in
// the order in which values are stored and fetched, as package cost schedules them. A value stays
// in the memory of the device until it is stored, and is there again from the time when its fetch
// begins: early enough to be ready when it is read. So a move costs no time, unless the link is
// busy with others; then the device waits. If the gap is too short for both moves, the device waits
// for each of them: until the value is stored after its last use, and until it is fetched before
// the next.

import (
	"cmp"
	"slices"
	"sort"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
)

// LeastOffload is the smallest size of a tensor, in bytes on a device, that is moved to the memory
// of the host. Moving a smaller one takes longer than the memory is worth.
const LeastOffload = 64 << 10

// move is a move of a value over the link to the host.
type move struct {
	value   int
	from    float64 // the time when it may start, if the device has not waited before
	by      float64 // the time from which the device waits for its end
	seconds float64 // that it takes
}

// canMove reports whether the results of op may be moved to the host: they are tensors of whole
// bytes, at least LeastOffload together, and op is no such move itself.
func canMove(op *ir.Op) bool {
	if _, moves := op.Placement(); moves {
		return false
	}
	n := 0
	for _, v := range op.Results {
		if v.Type.IsToken() || v.Type.DType.IsPacked() {
			return false
		}
		n += v.Type.MemoryBytes()
	}
	return n >= LeastOffload
}

// movesByLimit reports whether a limit may move values to the host: that has memory of its own, and
// the machine knows the speed of the link to it.
func (o Options) movesByLimit() bool {
	return o.HostMemory && o.Machine.HasScale() && o.Machine.Host.Bandwidth > 0
}

// offerMoves lets the values of p be moved to the host, where canMove allows it. It sets the time of
// each step. Where the device cannot compute meanwhile, moves take their full time.
func (b *builder) offerMoves(p *problem) {
	for i := range p.values {
		v := &p.values[i]
		if v.holds == nil && v.crosses() && !v.compressed && canMove(v.op) {
			v.moves, v.moving = true, 0
			for _, r := range v.op.Results {
				v.moving += moveSeconds(b.machine, r.Type)
			}
		}
	}
	if !b.machine.Overlap {
		return
	}
	p.clock = make([]float64, len(p.base)+1)
	for op, steps := range b.steps {
		p.clock[steps[len(steps)-1]+1] = b.seconds(b.kernel(op))
	}
	for t := 1; t < len(p.clock); t++ {
		p.clock[t] += p.clock[t-1]
	}
	p.orderMoves()
}

// moveSeconds returns the time of moving a value of type t to the host or back; 0 if the speed of
// the link is not known.
func moveSeconds(m *cost.Machine, t ir.Type) float64 {
	if m.Host.Bandwidth == 0 {
		return 0
	}
	return m.Host.Seconds(t.MemoryBytes())
}

// orderMoves sets p.moves to those of all values that may move, in the order of time.
func (p *problem) orderMoves() {
	p.moves = nil
	for i := range p.values {
		v := &p.values[i]
		if v.moves && v.crosses() {
			p.moves = append(p.moves,
				move{i, p.clock[v.made+1], p.clock[p.storedAt(v)+1], v.moving},
				move{i, p.clock[p.fetchedFrom(v, v.late[0])], p.clock[v.late[0]], v.moving})
		}
	}
	slices.SortStableFunc(p.moves, func(a, b move) int { return cmp.Compare(a.from, b.from) })
}

// hides reports whether the device can compute during both moves of v.
func (p *problem) hides(v *value) bool {
	return p.clock != nil && p.clock[v.late[0]]-p.clock[v.made+1] >= 2*v.moving
}

// storedAt returns the last step at which v is in the memory of the device before its gap, if it is
// moved to the host: a device that computes meanwhile stores v from the step that makes it on.
func (p *problem) storedAt(v *value) int {
	if !p.hides(v) {
		return v.early
	}
	until := p.clock[v.made+1] + v.moving
	return min(max(v.early, sort.SearchFloat64s(p.clock, until)-1), v.late[0])
}

// fetchedFrom returns the first step at which v is in the memory of the device again, if it is
// fetched from the host for the step to.
func (p *problem) fetchedFrom(v *value, to int) int {
	if !p.hides(v) {
		return to
	}
	from := sort.Search(to, func(t int) bool { return p.clock[t+1] > p.clock[to]-v.moving })
	return min(max(from, v.early+1), to)
}

// waits returns how long the device waits for the moves of c. Where it cannot compute meanwhile,
// that is the time of all moves.
func (p *problem) waits(c choice) (seconds float64) {
	if p.clock == nil {
		for i := range p.values {
			if c.isAway(i) {
				seconds += 2 * p.values[i].moving
			}
		}
		return seconds
	}
	free := 0.0 // when the link is free
	for _, m := range p.moves {
		if !c.isAway(m.value) {
			continue
		}
		free = max(free, m.from+seconds) + m.seconds
		seconds += max(0, free-(m.by+seconds))
	}
	return seconds
}

// fetch inserts the ops that keep v, a result of value i, elsewhere until the place reads it, and
// returns what is read: on the host or, if v is compressed, in fewer bits.
func (r *rewriter) fetch(i int, v *ir.Value) *ir.Value {
	if r.p.values[i].compressed {
		return r.decompress(r.compress(v), v.Type)
	}
	b := &ir.Builder{}
	b.AfterValue(v).Loc = v.Def().Loc
	stored := b.Place(v, ir.PinnedHost)
	r.stores = append(r.stores, store{stored.Def(), r.p.storedAt(&r.p.values[i])})
	held := stored
	b.Before(r.op).Loc = r.op.Loc
	if anchor := r.anchorBefore(r.copies[i].from); anchor != nil {
		last := anchor.Def()
		if last.IsBefore(stored.Def()) {
			last = stored.Def()
		}
		held = b.After(last).OptimizationBarrier([]*ir.Value{stored, anchor}).Results[0]
	}
	return b.Place(held, ir.DeviceMemory)
}
