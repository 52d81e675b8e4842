package cost

// This file predicts how long a device takes for a run.
//
// A kernel takes as long as its arithmetic at the peak for its element type, or as its memory
// traffic, whichever is longer: the roofline model (Williams, Waterman and Patterson, Roofline: an
// insightful visual performance model, 2009). A collective takes α + bytes/β (Hockney, 1994), for
// the bytes of a ring (sent.go). Collectives run one after the other, at the same time as kernels
// that do not depend on them. The devices of a TPU wait for most of them (async.go). Kernels and
// collectives start as soon as their operands are computed: list scheduling (Graham, Bounds for
// certain multiprocessing anomalies, 1966; schedule.go). The time of a loop's body is multiplied by
// the trip count.
//
// The prediction assumes peak figures. It does not model launches of kernels, on-chip memory
// between kernels, or padding to tiles except in gathers and scatters on TPUs (rows.go). On TPUs it
// counts memory traffic as libtpu does (tpu.go).

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// Prediction is the predicted time of one run on a device.
type Prediction struct {
	Seconds float64 `json:"seconds"`
	// Bound names what takes the longest time: "compute", "memory", or a link such as "ICI along
	// data".
	Bound string `json:"bound"`
	// Compute is the time of the kernels that are bound by arithmetic. Memory is the time of the
	// kernels that are bound by memory.
	Compute float64 `json:"compute_seconds"`
	Memory  float64 `json:"memory_seconds"`
	// Links are the times of the collectives, one element for all that run over the same axes, and
	// of the moves between the device and its host.
	Links []LinkTime `json:"links"`
	// Exposed is the time that the device waits for collectives and for moves between memories.
	Exposed float64 `json:"exposed_seconds"`
	// BytesAccessed are the bytes that kernels read and write in memory.
	BytesAccessed int `json:"bytes_accessed"`
	// LoopsUnknown says that there is a loop whose trip count is not known; one iteration of it is
	// counted.
	LoopsUnknown bool `json:"loops_unknown,omitempty"`
}

// LinkTime is the time of the collectives over some axes, or of the moves between a device and its
// host.
type LinkTime struct {
	Axes    string  `json:"axes"` // "data,model"; "" is the link to the host
	Kind    string  `json:"kind"` // "ICI"
	Bytes   int     `json:"bytes"`
	Count   int     `json:"count"` // number of collectives or moves that run
	Seconds float64 `json:"seconds"`
}

// Name returns the name of the link, with its axes: such as "ICI along data", or "PCIe to the host"
// if it has no axes. A link without a kind is named "link".
func (l LinkTime) Name() string {
	kind := l.Kind
	if kind == "" {
		kind = "link"
	}
	if l.Axes == "" {
		return kind + " to the host"
	}
	return kind + " along " + l.Axes
}

// Predict predicts one run of f, a per-device function on the mesh dm. If the bandwidth of the
// memory is not known, the memory traffic takes no time; if the link to the host is not known,
// moves there take none.
func (m *Machine) Predict(dm *mesh.DeviceMesh, f *ir.Func) *Prediction {
	p := (&predictor{m, dm, f}).block(f.Body)
	p.Exposed = max(0, p.Seconds-p.Compute-p.Memory)
	p.Bound = p.bound()
	if p.Links == nil {
		p.Links = []LinkTime{}
	}
	return &p
}

// Seconds returns the predicted time of a run. If the bandwidth of the memory is known, it is the
// time of Predict. Otherwise it is the time of arithmetic plus the time of sending.
func (m *Machine) Seconds(dm *mesh.DeviceMesh, f *ir.Func) float64 {
	if m.MemoryBandwidth > 0 {
		return m.Predict(dm, f).Seconds
	}
	return float64(m.sum(dm, f, func(t times) int { return t.n })) / m.FlopsPerSecond
}

// Ops returns the cost of one run of f, a per-device function: its FLOPs, plus the FLOPs that a
// device could do during its collectives. A loop whose trip count is not known is assumed to run
// AssumedTripCount times.
func (m *Machine) Ops(dm *mesh.DeviceMesh, f *ir.Func) int {
	return m.sum(dm, f, func(t times) int { return t.assumed })
}

// sum returns the cost of one run of f on a device, for Ops: FLOPs, plus the cost of sending. runs
// converts how often an op runs into the number that is counted.
func (m *Machine) sum(dm *mesh.DeviceMesh, f *ir.Func, runs func(times) int) (n int) {
	each(f.Body, once, weigh(OpFlops), func(op *ir.Op, t times) { n += runs(t) * OpFlops(op) })
	each(f.Body, once, sentWeights(dm), func(op *ir.Op, t times) {
		if _, ok := KindOf(op); ok {
			n += m.SendCost(Axes(dm, op), runs(t)*SentBytes(dm, op), runs(t))
		}
	})
	return n
}

// bound returns what takes the longest time in p: "compute", "memory", or the name of a link. Of
// equal times it is the first of these.
func (p *Prediction) bound() string {
	name, most := "compute", p.Compute
	if p.Memory > most {
		name, most = "memory", p.Memory
	}
	for _, l := range p.Links {
		if l.Seconds > most {
			name, most = l.Name(), l.Seconds
		}
	}
	return name
}

// add adds q, repeated the given number of times, to p: the times of kernels and links, bytes and
// counts. It leaves out the time from start to end, which does not add up where kernels and links
// overlap.
func (p *Prediction) add(q Prediction, times int) {
	n := float64(times)
	p.Compute += n * q.Compute
	p.Memory += n * q.Memory
	p.BytesAccessed += times * q.BytesAccessed
	p.LoopsUnknown = p.LoopsUnknown || q.LoopsUnknown
	for _, l := range q.Links {
		i := slices.IndexFunc(p.Links, func(x LinkTime) bool { return x.Axes == l.Axes })
		if i < 0 {
			i = len(p.Links)
			p.Links = append(p.Links, LinkTime{Axes: l.Axes, Kind: l.Kind})
		}
		sum := &p.Links[i]
		sum.Bytes += times * l.Bytes
		sum.Count += times * l.Count
		sum.Seconds += n * l.Seconds
	}
}

// sentWeight is the time of a sent byte, relative to that of a byte in memory, for the order of
// kernels and collectives. It is between 7 on GPUs and 15 on TPUs.
const sentWeight = 10

// hostWeight is the same for a byte that moves between a device and its host. It is between 50 on
// v5e and H100 and 170 on v5p.
const hostWeight = 60

// predictor predicts the blocks of one function.
type predictor struct {
	m    *Machine
	mesh *mesh.DeviceMesh
	f    *ir.Func
}

// block predicts one run of b: of all its kernels, which overlap as the machine allows.
func (p *predictor) block(b *ir.Block) Prediction {
	var out Prediction
	kernels := p.kernelsOf(b)
	parts := make([]Prediction, len(kernels))
	for i, k := range kernels {
		parts[i] = p.kernel(k)
	}
	hiding := p.newHiding(kernels, parts)
	tasks := make([]task, len(kernels))
	for i, k := range kernels {
		part := parts[i]
		tasks[i] = task{seconds: part.Seconds, weight: float64(part.BytesAccessed), needs: k.needs}
		if _, ok := KindOf(k.op); ok {
			tasks[i].weight = float64(sentWeight * SentBytes(p.mesh, k.op))
			if hiding != nil {
				tasks[i].seconds = hiding.exposed(i, part.Seconds)
			} else {
				tasks[i].on = links
			}
		} else if _, ok := k.op.Placement(); ok {
			tasks[i].on, tasks[i].weight = hostLink, float64(hostWeight*k.op.Results[0].Type.MemoryBytes())
		}
		out.add(part, 1)
		if x := p.exchange(k); x.BytesAccessed > 0 {
			tasks = append(tasks, task{seconds: x.Seconds, weight: float64(x.BytesAccessed), needs: k.needs})
			out.add(x, 1)
		}
	}
	out.Seconds = makespan(tasks, p.m.Overlap)
	return out
}

// kernel predicts one run of k: the larger of the times of computing and of memory traffic; for a
// loop, a branch, a collective, or a move between device and host, its own prediction.
func (p *predictor) kernel(k kernel) Prediction {
	switch {
	case k.op.Kind == ir.OpWhile:
		return p.loop(k.op)
	case isBranch(k.op):
		return p.branch(k.op)
	}
	if _, ok := KindOf(k.op); ok {
		return p.collective(k.op)
	}
	if _, ok := k.op.Placement(); ok {
		return p.move(k.op)
	}
	out := Prediction{BytesAccessed: k.bytes}
	compute := 0.0
	for _, op := range k.ops {
		if n := OpFlops(op); n > 0 {
			compute += float64(n) / p.m.peak(op)
		}
	}
	memory := p.m.memorySeconds(out.BytesAccessed)
	if out.Seconds = max(compute, memory); compute >= memory {
		out.Compute = compute
	} else {
		out.Memory = memory
	}
	return out
}

// collective predicts one run of op. It is 0 if a device sends nothing.
func (p *predictor) collective(op *ir.Op) Prediction {
	axes := Axes(p.mesh, op)
	n := SentBytes(p.mesh, op)
	if n == 0 {
		return Prediction{}
	}
	link := p.m.LinkOver(axes)
	var names []string
	for _, a := range p.mesh.SortedRefs(axes) {
		names = append(names, a.String())
	}
	return transfer(link, strings.Join(names, ","), n)
}

// move predicts one run of op, which moves a value into another memory. It is 0 if the link to the
// host is not known.
func (p *predictor) move(op *ir.Op) Prediction {
	link := p.m.Host
	if link.Bandwidth == 0 {
		return Prediction{}
	}
	return transfer(link, "", op.Results[0].Type.MemoryBytes())
}

// transfer predicts that a device sends n bytes over link, which joins the axes as in LinkTime.
func transfer(link Link, axes string, n int) Prediction {
	seconds := link.Seconds(n)
	return Prediction{Seconds: seconds, Links: []LinkTime{{Axes: axes, Kind: link.Kind, Bytes: n, Count: 1, Seconds: seconds}}}
}

// loop returns the prediction of op, a while: of its body as often as it runs, and of its condition
// once more. If the trip count is not known, it is that of one iteration, and LoopsUnknown is set.
func (p *predictor) loop(op *ir.Op) Prediction {
	n, ok := TripCount(op)
	if !ok {
		n = 1
	}
	cond, body := p.block(op.Regions[0]), p.block(op.Regions[1])
	out := Prediction{LoopsUnknown: !ok, Seconds: float64(n+1)*cond.Seconds + float64(n)*body.Seconds}
	out.add(cond, n+1)
	out.add(body, n)
	return out
}

// branch predicts an if or case: its prediction is that of the branch that takes longest.
func (p *predictor) branch(op *ir.Op) Prediction {
	var out Prediction
	for _, r := range op.Regions {
		if next := p.block(r); next.Seconds > out.Seconds {
			out = next
		}
	}
	return out
}

// peak returns the FLOPs per second for the element type of op's first operand, or of its result if
// it has none. It is m.Exact for an f32 dot_general at precision HIGHEST, and m.FlopsPerSecond for
// a type without a peak.
func (m *Machine) peak(op *ir.Op) float64 {
	t := op.Results[0].Type.DType
	if len(op.Operands) > 0 {
		t = op.Operands[0].Type.DType
	}
	if op.Kind == ir.OpDotGeneral && t == dtypes.Float32 && m.Exact > 0 && isExact(op) {
		return m.Exact
	}
	if peak := m.Flops[t]; peak > 0 {
		return peak
	}
	return m.FlopsPerSecond
}

// isExact reports whether a dot_general has precision HIGHEST for at least one operand.
func isExact(op *ir.Op) bool {
	for _, p := range op.DotGeneral().PrecisionConfig() {
		if strings.Contains(fmt.Sprint(p), "HIGHEST") {
			return true
		}
	}
	return false
}
