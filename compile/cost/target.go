package cost

// This file makes the machine of a target: it finds out which links the axes of a
// mesh lie on, by the order of the devices.

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

// MachineFor returns the machine that the devices of dm are on t: the mesh's device
// ids are those of the target. It knows the link of each set of mesh axes, parts of
// axes among them.
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
		Axes: map[string]Link{}, grid: newGrid(t, dm),
	}
	nearest := t.Levels()[0].Link
	alone := Link{Kind: nearest.Kind, Latency: nearest.Latency, Bandwidth: nearest.Bandwidth}
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

// intensity is how many operations a device is taken to do for each byte that it reads
// or writes in its memory, where decisions weigh arithmetic: RATIONALE.md says why.
const intensity = 32

// decisionFlops returns the flops per second that decisions weigh against bytes: the peak for
// float32, or for another element type if float32 has none, but at most as many as the memory can
// feed.
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

// slowestLink returns a link that is as bad as each of both; a may be no link yet.
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

// grid is where the devices of a mesh are on a target.
type grid struct {
	mesh   *mesh.DeviceMesh
	levels []hardware.Level
	coords [][]int // of each position of the mesh, along the axes of all levels

	lock  sync.Mutex
	links map[string]Link // found so far, by the text of the axes
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

// linkOver returns the link of a collective over axes: that of the slowest of its groups.
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

// disjointAxes returns axes without parts that others have: a move from one sharding to
// another names axes of both. Parts that overlap become the whole axis.
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
// If the group is a box, it uses each of its levels. It uses the axes of a torus together. In a far
// level it uses one link for each device of a nearer group, because each device has its own: eight
// GPUs of a host send through eight adapters (NCCL, and Austin et al., How To Scale Your Model,
// 2025, chapters 3 and 12). The slowest level decides.
func (g *grid) link(group []int) Link {
	if len(group) == 1 {
		return Link{Bandwidth: math.Inf(1)}
	}
	out := Link{Bandwidth: math.Inf(1)}
	var kinds []string
	first, inner := 0, 1 // the first axis of the level, and the group's devices in nearer ones
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

// span is the part of an axis that a group has: the number of coordinates, the length from the
// first to the last one, and the largest step between neighbours.
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
// Along a torus' axis whose ends are joined a device sends in both directions; else
// the device at an end of the line has one. Groups that stand between each other
// share links: of those whose members are d chips apart there are d. The axes of a
// torus are used together.
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

// ringLink returns the link of a group that is no box: a ring of its members in
// order, whose longest step decides.
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

// linkBetween returns the bandwidth and latency between two devices, through the farthest
// level on which they differ.
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
