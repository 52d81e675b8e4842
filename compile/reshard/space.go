package reshard

// This file makes the two graphs of a problem: of layouts, and of their
// shapes.

import (
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// liveFactor bounds what a device may hold during a plan, in multiples of what
// it holds before and after together.
const liveFactor = 3

// problem is one question to the planner, in terms of one set of atoms.
type problem struct {
	atoms    *atoms
	layouts  *space  // labels are atoms
	shapes   *space  // labels are sizes of atoms
	shape    []label // the shape label of each atom
	from, to state
}

// newProblem asks for the way between two layouts over the given atoms.
func newProblem(a *atoms, from, to *layout.Sharding, t Tensor, limit int) *problem {
	p := &problem{atoms: a, from: a.state(from), to: a.state(to)}
	sizes := slices.Clone(a.sizes)
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	p.layouts = &space{tensor: t, limit: limit, goal: p.to, devices: from.Mesh.Size(), cuts: len(a.sizes), atoms: a}
	for _, r := range a.refs {
		p.layouts.size = append(p.layouts.size, r.Size)
		p.layouts.count = append(p.layouts.count, 1)
		i, _ := slices.BinarySearch(sizes, r.Size)
		p.shape = append(p.shape, label(i))
	}
	if a.mixed {
		p.layouts.clash, p.layouts.regroup = a.overlaps()
	}
	p.shapes = &space{tensor: t, limit: limit, goal: p.shapeOf(p.to), devices: from.Mesh.Size(), cuts: len(a.sizes), size: sizes, count: make([]int, len(sizes))}
	for _, n := range a.sizes {
		i, _ := slices.BinarySearch(sizes, n)
		p.shapes.count[i]++
	}
	return p
}

// overlaps returns which atoms exclude each other, and which pairs of
// neighbours are together the same as another pair.
func (a *atoms) overlaps() ([][]bool, map[[2]label][2]label) {
	clash := make([][]bool, len(a.refs))
	regroup := map[[2]label][2]label{}
	for i, x := range a.refs {
		clash[i] = make([]bool, len(a.refs))
		for j, y := range a.refs {
			clash[i][j] = i != j && x.Overlaps(y)
			if x.Name != y.Name || x.Pre*x.Size != y.Pre || x.Size == y.Size {
				continue
			}
			first := slices.IndexFunc(a.refs, func(r mesh.AxisRef) bool { return r.Name == x.Name && r.Pre == x.Pre && r.Size == y.Size })
			second := slices.IndexFunc(a.refs, func(r mesh.AxisRef) bool { return r.Name == x.Name && r.Pre == x.Pre*y.Size && r.Size == x.Size })
			if first >= 0 && second >= 0 {
				regroup[[2]label{label(i), label(j)}] = [2]label{label(first), label(second)}
			}
		}
	}
	return clash, regroup
}

// shapeOf returns the shape of a layout.
func (p *problem) shapeOf(s state) state {
	out := make(state, len(s))
	for i, list := range s {
		out[i] = make([]label, len(list))
		for j, l := range list {
			out[i][j] = p.shape[l]
		}
	}
	slices.Sort(out[len(s)-1])
	return out
}

// pick is a picker of the first labels that fit.
func (p *problem) pick(from []label, shape string) []label {
	out := make([]label, 0, len(shape))
	for i := range len(shape) {
		for _, l := range from {
			if p.shape[l] != shape[i] || slices.Contains(out, l) {
				continue
			}
			if p.layouts.clash != nil && slices.ContainsFunc(out, func(o label) bool { return p.layouts.clash[o][l] }) {
				continue
			}
			out = append(out, l)
			break
		}
	}
	if len(out) != len(shape) {
		panic("BUG: reshard: no atoms of the wanted sizes are left")
	}
	return out
}
