package cost

// This file makes the machine for a target: it finds out which links the axes of a mesh use, from
// the order of the devices.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/mesh"
)

// MachineFor returns the machine with the devices of dm on t: the device ids of the mesh are those
// of the target; an id that the target does not have is an error. The machine knows the link of
// each set of mesh axes and sub-axes.
func MachineFor(t hardware.Target, dm *mesh.DeviceMesh) (*Machine, error) {
	for _, id := range dm.Devices() {
		if id >= t.Devices() {
			return nil, fmt.Errorf("cost: mesh %s has device %d, the target %s has %d devices: want a mesh of at most as many", dm, id, t, t.Devices())
		}
	}
	c := t.Chip
	m := &Machine{
		Name: t.String(), Platform: c.Platform, FlopsPerSecond: decisionFlops(c), Flops: c.Flops, Exact: c.Exact,
		Memory: c.UsableMemory(), MemoryBandwidth: c.MemoryBandwidth, Overlap: c.Platform != "",
		Host: linkOf(c.Host),
		Axes: map[string]Link{}, grid: newGrid(t, dm),
	}
	alone := linkOf(t.Levels()[0].Link)
	for _, name := range dm.AxisNames() {
		m.Axes[name] = alone
		if dm.AxisSize(name) > 1 {
			m.Axes[name] = m.grid.linkOver(mesh.FullAxes(name))
			m.Link = slowestLink(m.Link, m.Axes[name])
		}
	}
	if m.Link == (Link{}) {
		m.Link = alone
	}
	return m, m.Validate(dm)
}

// linkOf returns l without its reach.
func linkOf(l hardware.Link) Link {
	return Link{Kind: l.Kind, Latency: l.Latency, Bandwidth: l.Bandwidth}
}

// intensity is the number of operations that a device is assumed to do for each byte that it reads
// or writes in its memory, in decisions that weigh FLOPs. RATIONALE.md says why.
const intensity = 32

// decisionFlops returns the FLOPs per second that decisions weigh against bytes. It is the peak for
// float32, else that for bfloat16, else that for float16, else the highest of other element types,
// but at most as many as the memory can supply (intensity).
func decisionFlops(c *hardware.Chip) float64 {
	peak := 0.0
	for _, f := range c.Flops {
		peak = max(peak, f)
	}
	for _, t := range []dtypes.DType{dtypes.Float16, dtypes.BFloat16, dtypes.Float32} {
		if f := c.Flops[t]; f > 0 {
			peak = f
		}
	}
	if c.MemoryBandwidth > 0 {
		peak = min(peak, intensity*c.MemoryBandwidth)
	}
	return peak
}

// slowestLink returns a link with the smaller bandwidth and the larger latency of a and b. Its kind
// is that of the link with the smaller bandwidth, a's if they are equal. a may be the zero Link:
// then it is b.
func slowestLink(a, b Link) Link {
	if a.Bandwidth == 0 {
		return b
	}
	out := Link{Kind: a.Kind, Latency: max(a.Latency, b.Latency), Bandwidth: min(a.Bandwidth, b.Bandwidth)}
	if b.Bandwidth < a.Bandwidth {
		out.Kind = b.Kind
	}
	return out
}

// grid says where the devices of a mesh are on a target.
type grid struct {
	mesh   *mesh.DeviceMesh
	levels []hardware.Level
	coords [][]int // for each position of the mesh, the coordinates along the axes of all levels

	lock  sync.Mutex
	links map[string]Link // links that were found so far, by the text of the axes
}

func newGrid(t hardware.Target, dm *mesh.DeviceMesh) *grid {
	g := &grid{mesh: dm, levels: t.Levels(), links: map[string]Link{}}
	for _, id := range dm.Devices() {
		var at []int
		for _, level := range g.levels {
			for _, n := range level.Sizes {
				at = append(at, id%n)
				id /= n
			}
		}
		g.coords = append(g.coords, at)
	}
	return g
}

// linkOver returns the link of a collective over axes: the link of its slowest group. It remembers
// the link for later calls.
func (g *grid) linkOver(axes []mesh.AxisRef) Link {
	axes = disjointAxes(axes)
	key := fmt.Sprint(axes)
	g.lock.Lock()
	defer g.lock.Unlock()
	l, ok := g.links[key]
	if !ok {
		for _, group := range g.mesh.ReplicaGroups(axes) {
			l = slowestLink(l, g.link(group))
		}
		g.links[key] = l
	}
	return l
}

// disjointAxes returns axes without overlaps: the two shardings of a permute may have overlapping
// axes. Axes with overlapping parts become the full axis.
func disjointAxes(axes []mesh.AxisRef) []mesh.AxisRef {
	var out []mesh.AxisRef
	for _, a := range axes {
		i := slices.IndexFunc(out, a.Overlaps)
		switch {
		case i < 0:
			out = append(out, a)
		case out[i].Contains(a):
		default:
			whole := mesh.FullAxis(a.Name)
			out = append(slices.DeleteFunc(out, whole.Overlaps), whole)
		}
	}
	return out
}

// link returns the link of a group of devices that sends one collective.
//
// If the group is a box, it uses all levels that it extends over, and the axes of a torus at the
// same time. On a farther level it uses as many links as it has devices in a nearer group, because
// each device has its own link: eight GPUs of a host send through eight adapters (NCCL, and Austin
// et al., How To Scale Your Model, 2025, chapters 3 and 12). The slowest level determines the
// bandwidth; the latencies are added. Another group has the link of a ring (ringLink). A single
// device has an infinite bandwidth.
func (g *grid) link(group []int) Link {
	if len(group) == 1 {
		return Link{Bandwidth: math.Inf(1)}
	}
	out := Link{Bandwidth: math.Inf(1)}
	var kinds []string
	first, inner := 0, 1 // the first axis of the level, and the number of the group's devices in nearer levels
	for _, level := range g.levels {
		spans := make([]span, len(level.Sizes))
		n := 1
		for i := range spans {
			spans[i] = g.spanOf(group, first+i)
			n *= spans[i].count
		}
		first += len(spans)
		if n == 1 {
			continue
		}
		bandwidth, latency := linkAcross(level, spans)
		out.Bandwidth = min(out.Bandwidth, float64(inner)*bandwidth)
		out.Latency += latency
		kinds = append(kinds, level.Link.Kind)
		inner *= n
	}
	if inner != len(group) {
		return g.ringLink(group)
	}
	out.Kind = strings.Join(kinds, "+")
	return out
}

// span is the extent of a group along an axis: the number of coordinates, the length from the first
// to the last one, and the largest step between neighbours.
type span struct{ count, length, step int }

func (g *grid) spanOf(group []int, axis int) span {
	var all []int
	for _, pos := range group {
		all = append(all, g.coords[pos][axis])
	}
	slices.Sort(all)
	all = slices.Compact(all)
	s := span{count: len(all), length: all[len(all)-1] - all[0], step: 1}
	for i := 1; i < len(all); i++ {
		s.step = max(s.step, all[i]-all[i-1])
	}
	return s
}

// linkAcross returns the bandwidth and the latency of a box on a level.
//
// Along an axis of a torus whose ends are joined, a device sends in both directions. Otherwise the
// device at an end of the line sends in one direction. Groups that are interleaved share links: if
// the members of a group are d chips apart, d groups share them. The axes of a torus are used at
// the same time.
func linkAcross(level hardware.Level, spans []span) (bandwidth, latency float64) {
	if !level.Torus {
		return level.Link.Bandwidth, level.Link.Latency
	}
	for i, s := range spans {
		switch {
		case s.count == 1:
		case level.Rings[i] && s.count*s.step == level.Sizes[i]:
			bandwidth += level.Link.Bandwidth / float64(s.step)
			latency += float64(level.Sizes[i]/2) * level.Link.Latency
		default:
			bandwidth += level.Link.Bandwidth / 2 / float64(s.step)
			latency += float64(s.length) * level.Link.Latency
		}
	}
	return bandwidth, latency
}

// ringLink returns the link of a group that is not a box: a ring of its members in order. It has
// the least bandwidth and the largest latency of the ring's steps.
func (g *grid) ringLink(group []int) Link {
	out := Link{Bandwidth: math.Inf(1)}
	for i, a := range group {
		bandwidth, latency, kind := g.linkBetween(a, group[(i+1)%len(group)])
		if bandwidth < out.Bandwidth {
			out.Bandwidth, out.Kind = bandwidth, kind
		}
		out.Latency = max(out.Latency, latency)
	}
	return out
}

// linkBetween returns the bandwidth, in bytes a second, the latency, in seconds, and the kind of
// the link between devices a and b: that of the farthest level in which they differ. If they are n
// steps apart in a torus, the bandwidth is half of a link's (one direction), divided by n, and the
// latency is n times that of a link. If a is b, the bandwidth is infinite, the latency is 0 and the
// kind is empty.
func (g *grid) linkBetween(a, b int) (bandwidth, latency float64, kind string) {
	first := 0
	for _, level := range g.levels {
		steps := 0
		for i, n := range level.Sizes {
			d := g.coords[a][first+i] - g.coords[b][first+i]
			d = max(d, -d)
			if level.Torus && level.Rings[i] {
				d = min(d, n-d)
			}
			steps += d
		}
		first += len(level.Sizes)
		if steps == 0 {
			continue
		}
		l := level.Link
		bandwidth, latency, kind = l.Bandwidth, l.Latency, l.Kind
		if level.Torus {
			bandwidth, latency = l.Bandwidth/2/float64(steps), l.Latency*float64(steps)
		}
	}
	return cmp.Or(bandwidth, math.Inf(1)), latency, kind
}
