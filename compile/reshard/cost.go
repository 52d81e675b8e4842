package reshard

// This file computes the cost of a move: its steps, the bytes that they send, and the memory that
// they need.

import (
	"slices"
	"strings"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// cost compares plans. It counts the bytes that all devices send together: an all-reduce over n
// devices sends 2(n-1)/n of its operand per device, and the total is a whole number. Step.Bytes
// counts the bytes of the busiest device. For small operands that is more than the average.
type cost struct{ sent, steps int }

// noCost is the cost of a plan that is impossible or not known.
var noCost = cost{-1, 0}

func (c cost) less(o cost) bool { return c.sent < o.sent || c.sent == o.sent && c.steps < o.steps }
func (c cost) plus(o cost) cost { return cost{c.sent + o.sent, c.steps + o.steps} }

// walk computes the cost of a sequence of moves, and the local shape after each.
type walk struct {
	sp    *stateSpace
	parts []int // number of parts of each dimension
	local []int // the local shape
	cost  cost
	live  int // largest number of live bytes so far

	// record collects the steps if it is not nil.
	record *recorder
}

// recorder collects steps. It knows the axes of each ID.
type recorder struct {
	subAxes *subAxes
	steps   Steps
}

// start returns a walk that begins at the state s.
func (sp *stateSpace) start(s state) *walk {
	w := &walk{sp: sp, parts: make([]int, s.rank()), local: make([]int, s.rank())}
	w.reset(s)
	return w
}

// reset makes w begin at s again, with no cost.
func (w *walk) reset(s state) {
	w.cost, w.live = cost{}, 0
	d, n := 0, 1
	for i := 0; d < len(w.local); i++ {
		if s[i] != end {
			n *= w.sp.size[s[i]]
			continue
		}
		w.parts[d], w.local[d] = n, ceil(w.sp.tensor.Dims[d], n)
		d, n = d+1, 1
	}
}

// bytes returns the number of bytes of a device's shard at the current step of the walk.
func (w *walk) bytes() int {
	n := w.sp.tensor.ElemSize
	for _, d := range w.local {
		n *= d
	}
	return n
}

// rowBytes returns the number of bytes that one index of dimension d takes in a device's shard at
// the current step of the walk.
func (w *walk) rowBytes(d int) int {
	n := w.sp.tensor.ElemSize
	for e, size := range w.local {
		if e != d {
			n *= size
		}
	}
	return n
}

// step adds the step s, in which each device sends sent bytes and needs extra bytes of memory
// besides operand and result. after lists the local sizes that change. If w records, it fills in
// the shapes and bytes of s and appends it.
func (w *walk) step(s Step, sent, extra int, after ...resize) {
	before := w.bytes()
	if w.record != nil {
		s.Before = slices.Clone(w.local)
	}
	for _, r := range after {
		w.local[r.dim] = r.to
	}
	live := before + w.bytes() + extra
	w.cost.sent += sent * w.sp.devices
	w.cost.steps++
	w.live = max(w.live, live)
	if w.record != nil {
		s.Bytes, s.Live, s.After, s.Dims = sent, live, slices.Clone(w.local), w.sp.tensor.Dims
		w.record.steps = append(w.record.steps, s)
	}
}

// resize says that the local size of dimension dim becomes to.
type resize struct{ dim, to int }

// axes returns the mesh axes that the sub-axes with these IDs stand for, or nil if the walk does
// not record its steps.
func (w *walk) axes(ids string) []mesh.AxisRef {
	if w.record == nil {
		return nil
	}
	return w.record.subAxes.refs(ids)
}

// resizeBlocks adds the step that changes the length of each device's block of dimension d to the
// length to: a Pad or a Trim if the dimension is not sharded, and otherwise a HaloExchange. It adds
// none if blocks have that length. list has the sub-axes that shard the dimension.
func (w *walk) resizeBlocks(d int, list string, to int) {
	from := w.local[d]
	if from == to {
		return
	}
	if w.parts[d] == 1 {
		kind := Pad
		if to < from {
			kind = Trim
		}
		w.step(Step{Kind: kind, Dim: d, To: -1}, 0, 0, resize{d, to})
		return
	}
	row := w.rowBytes(d)
	h := Halo{w.sp.tensor.Dims[d], from, to}
	halo, length := h.Width(), h.Length()
	// First the halo is collected and concatenated with the block. Then the new block is sliced out
	// of the result.
	live := max(from+halo+length, length+to)
	w.step(Step{Kind: HaloExchange, Dim: d, To: -1, Axes: w.axes(list)}, halo*row, (live-from-to)*row, resize{d, to})
}

// block returns the length of a device's block of dimension d if the dimension is cut into n equal
// parts, rounded up.
func (w *walk) block(d, n int) int { return ceil(w.sp.tensor.Dims[d], n) }

// run adds to w the steps of the move m from s, the current state of w, with their costs.
func (w *walk) run(s state, m move) {
	d := int(m.dim)
	switch m.kind {
	case Permute:
		w.permute(s, m)
		return
	case NeighbourGather:
		w.neighbourGather(s, m)
		return
	}
	n := w.sp.parts(m.ids)
	switch m.kind {
	case Slice:
		w.slice(s, m, n)
	case AllGather:
		w.step(Step{Kind: AllGather, Dim: d, To: -1, Axes: w.axes(m.ids)}, (n-1)*w.bytes(), 0, resize{d, n * w.local[d]})
		w.parts[d] /= n
		w.resizeBlocks(d, strings.TrimSuffix(s.list(d), m.ids), w.block(d, w.parts[d]))
	case BitwiseAllReduce:
		// PadToOffset needs a masked copy, and the zeros that it is written into.
		block, row := w.local[d], w.rowBytes(d)
		length := ceil(w.sp.tensor.Dims[d], block) * block
		w.step(Step{Kind: PadToOffset, Dim: d, To: -1, Axes: w.axes(m.ids)}, 0, length*row, resize{d, length})
		w.reduce(Step{Kind: BitwiseAllReduce, Dim: d, To: -1, Axes: w.axes(m.ids)}, n)
		w.parts[d] = 1
		w.resizeBlocks(d, "", w.sp.tensor.Dims[d])
	case AllToAll:
		w.allToAll(s, m, n)
	case ReduceScatter:
		part := w.block(d, w.parts[d]*n)
		w.resizeBlocks(d, s.list(d), n*part)
		w.step(Step{Kind: ReduceScatter, Dim: d, To: -1, Axes: w.axes(m.ids)}, (n-1)*(w.bytes()/n), 0, resize{d, part})
		w.parts[d] *= n
	case AllReduce:
		w.reduce(Step{Kind: AllReduce, Dim: -1, To: -1, Axes: w.axes(m.ids)}, n)
	case ReplicatedToUnreduced:
		w.step(Step{Kind: ReplicatedToUnreduced, Dim: -1, To: -1, Axes: w.axes(m.ids)}, 0, 0)
	case broadcastDevices:
		w.step(Step{Kind: PadToOffset, Dim: d, To: -1, Axes: w.axes(m.ids)}, 0, w.bytes())
		w.reduce(Step{Kind: BitwiseAllReduce, Dim: d, To: -1, Axes: w.axes(m.ids)}, n)
		w.parts[d] /= n
	case maskDevices:
		w.parts[d] *= n
	case regroup:
	}
}

// slice adds the steps of the move m in the state s: those that bring the blocks of dimension m.dim
// to a length of n parts, and the slice into n parts.
func (w *walk) slice(s state, m move, n int) {
	d := int(m.dim)
	part := w.block(d, w.parts[d]*n)
	if w.parts[d] == 1 {
		w.resizeBlocks(d, s.list(d), ceil(w.local[d], part)*part)
	} else {
		w.resizeBlocks(d, s.list(d), n*part)
	}
	w.step(Step{Kind: Slice, Dim: d, To: -1, Axes: w.axes(m.ids)}, 0, 0, resize{d, part})
	w.parts[d] *= n
}

// allToAll adds to the walk the all-to-all among n devices that the move m makes in the state s.
func (w *walk) allToAll(s state, m move, n int) {
	d, e := int(m.dim), int(m.to)
	part := w.block(e, w.parts[e]*n)
	w.resizeBlocks(e, s.list(e), n*part)
	size := w.bytes()
	w.step(Step{Kind: AllToAll, Dim: d, To: e, Axes: w.axes(m.ids)}, size-size/n, 0, resize{e, part}, resize{d, n * w.local[d]})
	w.parts[e] *= n
	w.parts[d] /= n
	w.resizeBlocks(d, strings.TrimSuffix(s.list(d), m.ids), w.block(d, w.parts[d]))
}

// permute adds to the walk the permutation of shards that the move m makes in the state s.
func (w *walk) permute(s state, m move) {
	var source, target *layout.Sharding
	if w.record != nil {
		source, target = w.record.subAxes.sharding(s), w.record.subAxes.sharding(s.apply(m))
	}
	w.step(Step{Kind: Permute, Dim: -1, To: -1, Source: source, Target: target}, w.bytes(), 0)
}

// neighbourGather adds the NeighbourGather of the move m in the state s. Besides operand and
// result, a device holds the neighbour's block, the part of it that it needs, and the elements
// collected before.
func (w *walk) neighbourGather(s state, m move) {
	size, next := w.bytes(), s.apply(m)
	source, target := w.sp.subAxes.sharding(s), w.sp.subAxes.sharding(next)
	axes := gatherAxes(source, target)
	sent := len(offsets(source, target, axes, w.sp.tensor.Dims)) * size
	result := w.sp.tensor.ElemSize
	var after []resize
	for d := range next.rank() {
		w.parts[d] = w.sp.parts(next.list(d))
		after = append(after, resize{d, w.block(d, w.parts[d])})
		result *= after[d].to
	}
	w.step(Step{Kind: NeighbourGather, Dim: -1, To: -1, Axes: axes, Source: source, Target: target}, sent, size+2*result, after...)
}

// reduce adds s, an all-reduce over n devices: a reduce-scatter and an all-gather. The parts differ
// by at most one element. A device skips two neighbouring parts, one in each phase. The step has
// the bytes of the busiest device, and the cost of the walk those of all devices together.
func (w *walk) reduce(s Step, n int) {
	elem := w.sp.tensor.ElemSize
	size := w.bytes() / elem
	most := 2 * (size - size/n)
	if size%n == n-1 {
		most--
	}
	w.step(s, most*elem, 0)
	w.cost.sent += 2*(n-1)*w.bytes()*(w.sp.devices/n) - most*elem*w.sp.devices
}
