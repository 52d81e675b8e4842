package buffers

// This file assigns memory. Arguments and results have memory of their own. While it is not in use,
// other values may have it. All remaining values get temporary memory.

import (
	"cmp"
	"slices"
	"sort"

	"github.com/gospmd/gospmd/ir"
)

// alignment divides the offset of each value in temporary memory.
const alignment = 64

// Assignment is the memory of a run of a function on one device, in bytes.
type Assignment struct {
	Inputs  int // all parameters
	Outputs int // results that do not take over a parameter's memory, and the table of several
	// temporary memory: the largest sum, at one time, of the bytes of all values but arguments and
	// outputs; on CPUs, with the gaps between them
	Temporary int
	Gaps      int // the part of Temporary that is in gaps between values
	// Lifetimes are the times in which temporary memory is in use: for the values that share
	// memory, each stretch of time without a gap.
	Lifetimes []Lifetime
	// Steps are the instructions that run, in order.
	Steps []Step
}

// Lifetime is a stretch of time in which a value is in temporary memory.
type Lifetime struct {
	Op    *ir.Op  // the op that makes the value
	Type  ir.Type // type of the value; a token for a table of addresses
	Bytes int     // of the value
	Room  int     // bytes that it takes, with padding
	// First and Last are the first and the last step of this time, as indices into Steps.
	First, Last int
	Peak        bool // it is in use when temporary memory is largest
}

// Step is an instruction that runs by itself, not fused into another one.
type Step struct {
	Op        *ir.Op
	Temporary int // bytes in temporary memory while it runs, with gaps
}

// Model selects the compiler whose assignment of memory is modelled.
type Model int

// The models.
const (
	CPU        Model = iota // XLA on CPUs: an instruction runs as soon as it can
	CPUInOrder              // the same, but instructions run in program order
	GPU                     // XLA on GPUs; see accelerator.go
	// like GPU, for XLA on TPUs, which pad arguments and results to tiles; see tiles.go
	TPU
)

// Assign returns the memory that a compiler with the model m needs for the per-device function f:
// of parameters, results and temporary values. donated returns the parameter whose memory a result
// takes over, or -1. A parameter in the host's memory takes none, and gives none; of several
// results that name the same parameter, the first takes it over.
func Assign(f *ir.Func, donated func(result int) int, m Model) *Assignment {
	var k *kept
	if m == TPU {
		k = keptOf(f.Body)
	}
	g := lower(f.Body, nil, m, k)
	for i, p := range g.params {
		p.host = f.ParamMemory(i).OnHost()
	}
	g.fuseAll(m)
	outputs := g.root.operands
	var pairs []pair
	var handed []*node
	given := map[int]bool{}
	for i, o := range outputs {
		if p := donated(i); p >= 0 && !given[p] && !g.params[p].host {
			given[p] = true
			switch {
			case o.origin() == g.params[p]:
			case m == TPU:
				handed = append(handed, o)
			default:
				pairs = append(pairs, pair{g.params[p], o})
			}
		}
	}
	g.copyRoots(func(i int) bool { return donated(i) >= 0 })
	g.copyPairs(pairs)
	g.schedule(m)
	t := &timeline{model: m, kept: k}
	t.run(g)
	for _, p := range pairs {
		join(p.old.values[0], p.next.values[0])
	}
	for _, o := range handed {
		v := o.values[0]
		v.handed, v.end = true, max(v.start, v.read)
	}
	return t.assign(g)
}

// fuseAll fuses instructions into kernels, as XLA for m does, in g and in the graphs of its
// regions.
func (g *graph) fuseAll(m Model) {
	for _, n := range g.nodes {
		for _, inner := range n.graphs {
			inner.fuseAll(m)
		}
	}
	g.fuse(m)
}

// span is a stretch of time in which memory is in use, both ends included.
type span struct{ start, end int }

func (s span) length() int { return s.end - s.start }

// class is a set of values that share memory.
type class struct {
	bytes         int
	index         int // index of its first value in the block
	values        []*value
	spans         []span
	input, output bool
}

// classes returns the classes of the values that share memory, the largest first, and sets them in
// the values. Values without bytes, and those in the host's memory, have none. An operand whose
// memory a result could have taken, but that is in temporary memory with other values, gets a
// longer life.
func (t *timeline) classes(g *graph) []*class {
	of := func(v *value) *class { return v.class().of }
	var out []*class
	onHost := map[*value]bool{}
	for _, v := range t.values {
		if v.host {
			onHost[v.class()] = true
		}
	}
	for _, v := range t.values {
		if v.bytes == 0 || onHost[v.class()] {
			continue
		}
		c := of(v)
		if c == nil {
			c = &class{index: v.index}
			v.class().of = c
			out = append(out, c)
		}
		c.bytes = max(c.bytes, v.bytes)
		c.values = append(c.values, v)
		c.index = min(c.index, v.index)
	}
	for _, p := range g.params {
		if c := of(p.values[0]); c != nil {
			c.input = true
		}
	}
	for _, o := range g.root.operands {
		if c := of(o.values[0]); c != nil && !o.values[0].handed {
			c.output = true
		}
	}
	// Temporary memory that several values share cannot be the memory of an operand.
	for _, x := range t.taken {
		if c := of(x.by.values[0]); c != nil && len(c.values) > 1 && !c.input && !c.output && of(x.value) != c {
			x.value.end = max(x.value.end, 2*x.by.time+1)
		}
	}
	for _, c := range out {
		c.spans = mergeSpans(c.values, func(v *value) span { return span{v.start, v.end} })
	}
	slices.SortStableFunc(out, func(a, b *class) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), compareBool(a.output, b.output), cmp.Compare(a.index, b.index))
	})
	return out
}

// compareBool orders true before false: it returns -1, 0 or 1, as cmp.Compare does.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// mergeSpans returns the times in which at least one of the values is in memory, in ascending
// order, with a gap between any two. There must be a value. of returns the times of a value.
func mergeSpans(values []*value, of func(*value) span) []span {
	spans := make([]span, len(values))
	for i, v := range values {
		spans[i] = of(v)
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	out := spans[:1]
	for _, s := range spans[1:] {
		if last := &out[len(out)-1]; s.start <= last.end {
			last.end = max(last.end, s.end)
			continue
		}
		out = append(out, s)
	}
	return out
}

// allocation is the memory of an argument or a result.
type allocation struct {
	bytes int
	spans []span // times in which it is in use
}

// fits reports whether the allocation is free at all the times of spans.
func (a *allocation) fits(spans []span) bool {
	for _, s := range spans {
		i := sort.Search(len(a.spans), func(i int) bool { return a.spans[i].end >= s.start })
		if i < len(a.spans) && a.spans[i].start <= s.end {
			return false
		}
	}
	return true
}

// take marks the allocation as in use in the times spans, in which it must be free (fits).
func (a *allocation) take(spans []span) {
	for _, s := range spans {
		i := sort.Search(len(a.spans), func(i int) bool { return a.spans[i].start > s.start })
		a.spans = slices.Insert(a.spans, i, s)
	}
}

// maxTried is the largest number of allocations that are tried for a value.
const maxTried = 128

// assign gives each class of values of g the memory of an allocation, or temporary memory. It
// returns the sums of inputs, outputs and temporary memory, the steps and the lifetimes.
func (t *timeline) assign(g *graph) *Assignment {
	out := &Assignment{}
	if n := len(g.root.operands); n > 1 {
		out.Outputs += pointer * n
	}
	for _, p := range g.params {
		out.Inputs += p.values[0].bytes
	}
	var open []*allocation // allocations with gaps, the largest first
	var temporary []*class
	end := 2*t.now + 1
	for _, c := range t.classes(g) {
		if !c.input {
			if a := firstFit(open, c); a != nil && t.model != TPU {
				a.take(c.spans)
				continue
			}
			if !c.output {
				temporary = append(temporary, c)
				continue
			}
			out.Outputs += c.bytes
		} else if !c.output {
			continue // it is only read
		}
		a := &allocation{bytes: c.bytes, spans: slices.Clone(c.spans)}
		if len(a.spans) > 1 || a.spans[0].start > 0 || a.spans[0].end < end-1 {
			open = append(open, a)
		}
	}
	if t.model == TPU {
		temporary = append(temporary, fetchedCopies(g, temporary, end)...)
	}
	used := bytesInUse(temporary, end)
	if t.model == CPU {
		out.Gaps = addGaps(used, t.heapSize(temporary))
	}
	out.measure(g, temporary, used, end)
	return out
}

// firstFit returns the smallest allocation of the last maxTried ones in open that c fits into, or
// nil if there is none. open has the largest allocation first. An output fits only into an
// allocation of its own size.
func firstFit(open []*allocation, c *class) *allocation {
	for i := len(open) - 1; i >= max(0, len(open)-maxTried); i-- {
		a := open[i]
		if a.bytes >= c.bytes && (!c.output || a.bytes == c.bytes) && a.fits(c.spans) {
			return a
		}
	}
	return nil
}

// shownType returns the type that v has in the function, as a result of its op. The instruction's
// type may have another shape. If no result of the op has that element type and number of elements,
// shownType returns the instruction's type.
func (v *value) shownType() ir.Type {
	for _, r := range v.op.Results {
		if r.Type.DType == v.typ.DType && r.Type.Size() == v.typ.Size() {
			return r.Type
		}
	}
	return v.typ
}

// bytesInUse returns the bytes that the classes take at the times 0 to end, in half steps, by time.
// The bytes of each class are rounded up to the alignment.
func bytesInUse(classes []*class, end int) []int {
	used := make([]int, end+2)
	for _, c := range classes {
		size := roundUp(c.bytes, alignment)
		for _, s := range c.spans {
			used[s.start] += size
			used[s.end+1] -= size
		}
	}
	for t := 1; t < len(used); t++ {
		used[t] += used[t-1]
	}
	return used[:end+1]
}

// measure sets in out the peak of temporary memory, the steps, and the lifetimes of the temporary
// values. used has the bytes in use at each time; end is the time after the last instruction.
func (out *Assignment) measure(g *graph, temporary []*class, used []int, end int) {
	peak := 0
	for t := range used {
		if used[t] > used[peak] {
			peak = t
		}
	}
	out.Temporary = used[peak]
	stepAt := out.addSteps(g, used)
	for _, c := range temporary {
		size := (c.bytes + alignment - 1) / alignment * alignment
		for _, s := range c.spans {
			atPeak := s.start <= peak && peak <= s.end
			v := c.namedValue(s, peak)
			out.Lifetimes = append(out.Lifetimes, Lifetime{v.op, v.shownType(), v.bytes, size, stepAt[s.start], stepAt[min(s.end, end)], atPeak})
		}
	}
}

// namedValue returns the value that stands for the memory of c in the time s: the value at the
// peak, or the first one. It returns a table of addresses only if there is no other value.
func (c *class) namedValue(s span, peak int) *value {
	var first *value
	for _, v := range c.values {
		switch {
		case v.start < s.start || v.end > s.end:
		case v.start <= peak && peak <= v.end && !v.typ.IsToken():
			return v
		case first == nil || first.typ.IsToken() && !v.typ.IsToken():
			first = v
		}
	}
	return first
}

// addSteps adds to out.Steps, for each node that runs by itself, its op and the most bytes in use
// since the node before. used has the bytes in use at each time, which is counted in half steps. It
// returns the index of each time's step: times between steps belong to the next step, and times
// after the last step to the last one.
func (out *Assignment) addSteps(g *graph, used []int) []int {
	at := make([]int, len(used))
	from, most := 0, 0
	for _, n := range g.runs {
		if n.role == param || n.role == view || n.role == held || n.role == constant || n.role == result {
			continue
		}
		for ; from <= 2*n.time+1; from++ {
			most = max(most, used[from])
			at[from] = len(out.Steps)
		}
		out.Steps = append(out.Steps, Step{n.op, most})
		most = 0
	}
	if last := len(out.Steps) - 1; last >= 0 {
		for ; from < len(used); from++ {
			at[from] = last
			out.Steps[last].Temporary = max(out.Steps[last].Temporary, used[from])
		}
	}
	return at
}
