package reshard

// This file says what a move costs: the steps that it stands for, with the
// bytes they send and the bytes they need room for.

import (
	"cmp"
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// cost orders plans. What they send is counted in bytes times the number of
// devices: an all-reduce over n of them sends 2(n-1)/n of its operand, and that
// is then a whole number. (Step.Bytes rounds parts of an operand up. By that
// measure it would be better to sum a scalar over 8 devices in three steps,
// over 2 each, than in one.)
type cost struct{ sent, steps int }

func (c cost) compare(o cost) int {
	return cmp.Or(cmp.Compare(c.sent, o.sent), cmp.Compare(c.steps, o.steps))
}
func (c cost) less(o cost) bool { return c.compare(o) < 0 }
func (c cost) plus(o cost) cost { return cost{c.sent + o.sent, c.steps + o.steps} }

// walk runs moves over the local shape that a state has.
type walk struct {
	sp    *space
	parts []int // of each dimension
	local []int // the local shape
	cost  cost
	live  int // the most so far

	// record, where it is not nil, collects the steps.
	record *recorder
}

// recorder turns labels into axes.
type recorder struct {
	atoms *atoms
	at    state // before the move that is being run
	steps Steps
}

// start returns a walk at s.
func (sp *space) start(s state) *walk {
	w := &walk{sp: sp, parts: make([]int, s.rank()), local: make([]int, s.rank())}
	w.reset(s)
	return w
}

// reset puts w back to s, with nothing paid yet.
func (w *walk) reset(s state) {
	w.cost, w.live = cost{}, 0
	for d := range w.local {
		w.parts[d] = w.sp.parts(s[d])
		w.local[d] = ceil(w.sp.tensor.Dims[d], w.parts[d])
	}
}

// bytes returns the size of a tensor of the local shape.
func (w *walk) bytes() int {
	n := w.sp.tensor.ElemSize
	for _, d := range w.local {
		n *= d
	}
	return n
}

// row returns the bytes of one index of dimension d.
func (w *walk) row(d int) int {
	n := w.sp.tensor.ElemSize
	for e, size := range w.local {
		if e != d {
			n *= size
		}
	}
	return n
}

// step pays for a step that leads to the local shape after, in which live
// bytes beyond operand and result are needed.
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

// resize is a new local size of a dimension.
type resize struct{ dim, to int }

// axes returns the axes of labels, where steps are recorded.
func (w *walk) axes(labels string) []mesh.AxisRef {
	if w.record == nil {
		return nil
	}
	return w.record.atoms.axes([]label(labels))
}

// fit changes the length of the blocks of dimension d, which is split as list
// says, to the given one.
func (w *walk) fit(d int, list []label, to int) {
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
	row := w.row(d)
	b := Blocks{w.sp.tensor.Dims[d], from, to}
	halo, length := b.Halo(), b.Length()
	// First the halo is collected and joined with the block, then the new
	// block is cut out of both.
	live := max(from+halo+length, length+to)
	w.step(Step{Kind: Reblock, Dim: d, To: -1, Axes: w.axes(string(list))}, halo*row, (live-from-to)*row, resize{d, to})
}

// block returns the length of the blocks that n parts of dimension d have.
func (w *walk) block(d, n int) int { return ceil(w.sp.tensor.Dims[d], n) }

// run pays for a move from s, the state that w is at.
func (w *walk) run(s state, m move) {
	n := 1
	if m.kind != Permute && m.kind != Exchange {
		n = w.sp.product(m.labels)
	}
	d, e := int(m.dim), int(m.to)
	size := w.bytes()
	switch m.kind {
	case Slice:
		part := w.block(d, w.parts[d]*n)
		if w.parts[d] == 1 {
			w.fit(d, s[d], ceil(w.local[d], part)*part)
		} else {
			w.fit(d, s[d], n*part)
		}
		w.step(Step{Kind: Slice, Dim: d, To: -1, Axes: w.axes(m.labels)}, 0, 0, resize{d, part})
		w.parts[d] *= n
	case AllGather:
		w.step(Step{Kind: AllGather, Dim: d, To: -1, Axes: w.axes(m.labels)}, (n-1)*size, 0, resize{d, n * w.local[d]})
		w.parts[d] /= n
		w.fit(d, s[d][:len(s[d])-len(m.labels)], w.block(d, w.parts[d]))
	case Union:
		// Place holds a masked copy and the zeros it is written into.
		block, row := w.local[d], w.row(d)
		length := ceil(w.sp.tensor.Dims[d], block) * block
		w.step(Step{Kind: Place, Dim: d, To: -1, Axes: w.axes(m.labels)}, 0, length*row, resize{d, length})
		w.reduce(Step{Kind: Union, Dim: d, To: -1, Axes: w.axes(m.labels)}, n)
		w.parts[d] = 1
		w.fit(d, nil, w.sp.tensor.Dims[d])
	case AllToAll:
		part := w.block(e, w.parts[e]*n)
		w.fit(e, s[e], n*part)
		size = w.bytes()
		w.step(Step{Kind: AllToAll, Dim: d, To: e, Axes: w.axes(m.labels)}, size-size/n, 0, resize{e, part}, resize{d, n * w.local[d]})
		w.parts[e] *= n
		w.parts[d] /= n
		w.fit(d, s[d][:len(s[d])-len(m.labels)], w.block(d, w.parts[d]))
	case ReduceScatter:
		part := w.block(d, w.parts[d]*n)
		w.fit(d, s[d], n*part)
		w.step(Step{Kind: ReduceScatter, Dim: d, To: -1, Axes: w.axes(m.labels)}, (n-1)*(w.bytes()/n), 0, resize{d, part})
		w.parts[d] *= n
	case AllReduce:
		w.reduce(Step{Kind: AllReduce, Dim: -1, To: -1, Axes: w.axes(m.labels)}, n)
	case KeepFirst:
		w.step(Step{Kind: KeepFirst, Dim: -1, To: -1, Axes: w.axes(m.labels)}, 0, 0)
	case Permute:
		var source, target *layout.Sharding
		if w.record != nil {
			source, target = w.record.atoms.sharding(s), w.record.atoms.sharding(s.apply(m))
		}
		w.step(Step{Kind: Permute, Dim: -1, To: -1, Source: source, Target: target}, size, 0)
	case Exchange:
		next := s.apply(m)
		source, target := w.sp.atoms.sharding(s), w.sp.atoms.sharding(next)
		axes := exchangeAxes(source, target)
		sent := len(offsets(source, target, axes, w.sp.tensor.Dims)) * size
		result := w.sp.tensor.ElemSize
		var after []resize
		for d := range next.rank() {
			w.parts[d] = w.sp.parts(next[d])
			after = append(after, resize{d, w.block(d, w.parts[d])})
			result *= after[d].to
		}
		// Besides, the neighbour's block, the part of it that is needed, and
		// what had been collected before.
		w.step(Step{Kind: Exchange, Dim: -1, To: -1, Axes: axes, Source: source, Target: target}, sent, size+2*result, after...)
	case wake:
		w.step(Step{Kind: Place, Dim: d, To: -1, Axes: w.axes(m.labels)}, 0, size)
		w.reduce(Step{Kind: Union, Dim: d, To: -1, Axes: w.axes(m.labels)}, n)
		w.parts[d] /= n
	case idle:
		w.parts[d] *= n
	case regroup:
	}
}

// reduce pays for an all-reduce over n devices: a reduce-scatter and an
// all-gather of equal parts.
func (w *walk) reduce(s Step, n int) {
	elem := w.sp.tensor.ElemSize
	parts := 2 * (n - 1)
	rounded := parts * ceil(w.bytes()/elem, n) * elem
	w.step(s, rounded, 0)
	w.cost.sent += parts*w.bytes()*(w.sp.devices/n) - rounded*w.sp.devices
}
