package reshard

// This file defines a problem of the planner: its sub-axes, shardings as lists of sub-axes, and the
// two graphs that are searched.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// axisID is the number of a sub-axis in subAxes. In the graph of shapes it is the number of a size,
// and stands for all sub-axes of that size.
type axisID = uint8

// subAxes is a set of sub-axes, prime or coarser. The two shardings of the problem consist of them.
type subAxes struct {
	mesh  *mesh.DeviceMesh
	list  mesh.AxisList // indexed by ID
	sizes []int         // sizes of the parts that all axes together are cut into
	// mixed says that some sub-axes overlap, because shardings cut an axis in ways without common
	// parts: 6 into 2·3 and into 3·2.
	mixed bool
}

// usedAxes returns the sub-axes of size 2 and more in the shardings, those of dimensions and
// unreduced ones. A sub-axis may occur several times.
func usedAxes(list ...*layout.Sharding) mesh.AxisList {
	var out mesh.AxisList
	for _, s := range list {
		add := func(axes []mesh.AxisRef) {
			for _, ref := range axes {
				if a := s.Mesh.SubAxis(ref); a.Size > 1 {
					out = append(out, a)
				}
			}
		}
		for _, d := range s.Dims {
			add(d.Axes)
		}
		add(s.Unreduced)
	}
	return out
}

// fullAxis returns the full axis with number i.
func fullAxis(m *mesh.DeviceMesh, i int) mesh.SubAxis {
	return mesh.SubAxis{Axis: i, Pre: 1, Size: m.Axes()[i].Size}
}

// isIdle reports whether the axis with number i has the name of a serial axis (Planner.Serial), and
// no sub-axis in used is a part of it.
func isIdle(m *mesh.DeviceMesh, used mesh.AxisList, serial string, i int) bool {
	return m.Axes()[i].Name == serial && !slices.ContainsFunc(used, func(a mesh.SubAxis) bool { return a.Axis == i })
}

// primeSubAxes cuts every axis of the mesh, except an idle one, into prime sub-axes. If the used
// sub-axes cut an axis in another order of primes, the result has all sub-axes of that axis with a
// prime size.
func primeSubAxes(m *mesh.DeviceMesh, used mesh.AxisList, serial string) *subAxes {
	out := &subAxes{mesh: m}
	for i := range m.Axes() {
		if isIdle(m, used, serial, i) {
			continue
		}
		full := fullAxis(m, i)
		primes := full.Primes()
		for _, p := range primes {
			out.sizes = append(out.sizes, p.Size)
		}
		isOther := func(a mesh.SubAxis) bool { return !slices.Contains(primes, a) }
		if slices.ContainsFunc(used, func(a mesh.SubAxis) bool { return a.Axis == i && slices.ContainsFunc(a.Primes(), isOther) }) {
			primes, out.mixed = full.AllPrimes(), true
		}
		out.list = append(out.list, primes...)
	}
	return out
}

// coarseSubAxes cuts the axes of m that used has parts of, or all axes except an idle one if all is
// true, only where the sub-axes in used begin and end. ok is false if these cuts have no common
// parts.
func coarseSubAxes(m *mesh.DeviceMesh, used mesh.AxisList, serial string, all bool) (_ *subAxes, ok bool) {
	return cutSubAxes(m, used, serial, all, func(int) []int { return nil })
}

// cutSubAxes cuts the axes of m that used has parts of or that further has borders for, or all axes
// except an idle one if all is true. It cuts where the sub-axes in used begin and end, and at the
// borders that further returns for an axis. A border is the product of the sizes that are major to
// the cut. ok is false if the cuts have no common parts.
func cutSubAxes(m *mesh.DeviceMesh, used mesh.AxisList, serial string, all bool, further func(axis int) []int) (_ *subAxes, ok bool) {
	out := &subAxes{mesh: m}
	for i := range m.Axes() {
		rest := fullAxis(m, i)
		borders := further(i)
		for _, a := range used {
			if a.Axis == i {
				borders = append(borders, a.Pre, a.End())
			}
		}
		if len(borders) == 0 && (!all || isIdle(m, used, serial, i)) {
			continue
		}
		borders = append(borders, 1, rest.Size)
		slices.Sort(borders)
		borders = slices.Compact(borders)
		for j, end := range borders[1:] {
			if end%borders[j] != 0 {
				return nil, false
			}
			var part mesh.SubAxis
			part, rest = rest.Split(end / borders[j])
			out.list = append(out.list, part)
			out.sizes = append(out.sizes, part.Size)
		}
	}
	return out, true
}

// ids returns the IDs of the sub-axes that axes consist of.
func (a *subAxes) ids(axes []mesh.AxisRef) []axisID {
	var out []axisID
	for _, ref := range axes {
		for rest := a.mesh.SubAxis(ref); rest.Size > 1; {
			i := a.first(rest)
			out = append(out, axisID(i))
			_, rest = rest.Split(a.list[i].Size)
		}
	}
	return out
}

// first returns the ID of the sub-axis that axis starts with, the smallest one if there are
// several. It panics if there is none.
func (a *subAxes) first(axis mesh.SubAxis) int {
	best := -1
	for i, s := range a.list {
		if s.IsPrefixOf(axis) && (best < 0 || s.Size < a.list[best].Size) {
			best = i
		}
	}
	if best < 0 {
		panic(fmt.Sprintf("BUG: reshard: no sub-axis starts axis %s", a.mesh.Ref(axis)))
	}
	return best
}

// axisList returns the axes of a list of IDs, with neighbouring sub-axes merged.
func (a *subAxes) axisList(ids string) mesh.AxisList {
	out := make(mesh.AxisList, 0, len(ids))
	for i := range len(ids) {
		out = out.AppendMerged(a.list[ids[i]])
	}
	return out
}

// refs returns the axes by name of the sub-axes ids: the inverse of the method ids.
func (a *subAxes) refs(ids string) []mesh.AxisRef { return a.mesh.Refs(a.axisList(ids)) }

// state returns a sharding as a state: the lists of IDs of its dimensions, and its unreduced axes
// in ascending order.
func (a *subAxes) state(s *layout.Sharding) state {
	lists := make([][]axisID, len(s.Dims)+1)
	for d, dim := range s.Dims {
		lists[d] = a.ids(dim.Axes)
	}
	rest := a.ids(s.Unreduced)
	slices.Sort(rest)
	lists[len(s.Dims)] = rest
	return newState(lists)
}

// sharding returns the sharding of the state s: the inverse of the method state.
func (a *subAxes) sharding(s state) *layout.Sharding {
	out := layout.Replicated(a.mesh, s.rank())
	for d := range out.Dims {
		out.Dims[d].Axes = a.refs(s.list(d))
	}
	out.Unreduced = a.mesh.Refs(a.axisList(s.unreducedAxes()).Sorted())
	return out
}

// overlaps returns two tables of the sub-axes by ID. overlap[i][j] tells whether i and j are
// different sub-axes that overlap. regroup maps a pair of neighbours of different sizes to the pair
// that covers the same part of the axis in the other order of sizes, if the list has that pair.
func (a *subAxes) overlaps() ([][]bool, map[[2]axisID][2]axisID) {
	overlap := make([][]bool, len(a.list))
	regroup := map[[2]axisID][2]axisID{}
	for i, x := range a.list {
		overlap[i] = make([]bool, len(a.list))
		for j, y := range a.list {
			overlap[i][j] = i != j && x.Overlaps(y)
			if !x.IsFollowedBy(y) || x.Size == y.Size {
				continue
			}
			major, minor := mesh.SubAxis{Axis: x.Axis, Pre: x.Pre, Size: x.Size * y.Size}.Split(y.Size)
			first, second := slices.Index(a.list, major), slices.Index(a.list, minor)
			if first >= 0 && second >= 0 {
				regroup[[2]axisID{axisID(i), axisID(j)}] = [2]axisID{axisID(first), axisID(second)}
			}
		}
	}
	return overlap, regroup
}

// isLarge reports whether the axes of a mesh have so many prime parts that searches are limited.
func isLarge(m *mesh.DeviceMesh) bool {
	n := 0
	for i := range m.Axes() {
		n += len(fullAxis(m, i).Primes())
	}
	return n > fewParts
}

// maxVisited returns the largest number of states that a search on the mesh m may visit: fewer if m
// is large.
func maxVisited(m *mesh.DeviceMesh) int {
	if isLarge(m) {
		return fewestVisited
	}
	return manyVisited
}

// liveFactor limits the memory of a device during a plan. It is in multiples of the device's shards
// before and after the plan together.
const liveFactor = 3

// problem is one problem of the planner, for one set of sub-axes.
type problem struct {
	subAxes   *subAxes
	shardings *stateSpace // IDs are sub-axes
	shapes    *stateSpace // IDs are sizes of sub-axes
	shape     []axisID    // for each sub-axis, the ID of its size
	from, to  state
}

// newProblem returns the problem of planning for t between the shardings from and to, which must
// consist of the sub-axes a. limit is the largest number of live bytes on a device. The graphs have
// the limits of visited states for a better plan.
func newProblem(a *subAxes, from, to *layout.Sharding, t Tensor, limit int) *problem {
	p := &problem{subAxes: a, from: a.state(from), to: a.state(to)}
	sizes := slices.Clone(a.sizes)
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	p.shardings = &stateSpace{tensor: t, limit: limit, goal: p.to, devices: from.Mesh.Size(), isLarge: isLarge(a.mesh), subAxes: a}
	for _, s := range a.list {
		p.shardings.size = append(p.shardings.size, s.Size)
		p.shardings.count = append(p.shardings.count, 1)
		i, _ := slices.BinarySearch(sizes, s.Size)
		p.shape = append(p.shape, axisID(i))
	}
	if a.mixed {
		p.shardings.overlap, p.shardings.regroup = a.overlaps()
	}
	p.shardings.maxVisited = maxVisited(a.mesh)
	p.shapes = &stateSpace{tensor: t, limit: limit, goal: p.shapeOf(p.to), devices: from.Mesh.Size(), isLarge: isLarge(a.mesh), maxVisited: maxVisited(a.mesh), size: sizes, count: make([]int, len(sizes))}
	for _, n := range a.sizes {
		i, _ := slices.BinarySearch(sizes, n)
		p.shapes.count[i]++
	}
	return p
}

// shapeOf returns the shape of s, a state of sub-axes.
func (p *problem) shapeOf(s state) state {
	b := []byte(s)
	for i, id := range b {
		if id != end {
			b[i] = p.shape[id]
		}
	}
	slices.Sort(b[s.unreducedStart() : len(b)-1])
	return state(b)
}

// shapesOf returns the shape of each of several states, in their order.
func (p *problem) shapesOf(list []state) []state {
	out := make([]state, len(list))
	for i, s := range list {
		out[i] = p.shapeOf(s)
	}
	return out
}

// pick returns the first sub-axes of from that have the shapes in shape, one for each, and do not
// overlap. It implements picker. There must be such sub-axes.
func (p *problem) pick(from, shape string) string {
	out := make([]axisID, 0, len(shape))
	for i := range len(shape) {
		for j := range len(from) {
			id := from[j]
			if p.shape[id] != shape[i] || slices.Contains(out, id) {
				continue
			}
			if p.shardings.overlap != nil && slices.ContainsFunc(out, func(o axisID) bool { return p.shardings.overlap[o][id] }) {
				continue
			}
			out = append(out, id)
			break
		}
	}
	if len(out) != len(shape) {
		panic("BUG: reshard: no sub-axes of the wanted sizes are left")
	}
	return string(out)
}
