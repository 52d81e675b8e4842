package reshard

// This file bounds from below what the rest of a path must cost.
//
// Every kind of step sends, from the device that sends most, at least as much
// as any device receives by it. So a path costs at least what some device
// needs in the end and does not hold yet. That is counted for a few devices.
//
// Where sums are outstanding, over n devices each, bytes are counted over all
// devices instead: to make one sum of each element, n-1 summands must be
// received, and each further copy of it once more.

import "github.com/gospmd/gospmd/layout"

// maxWitnesses is the number of devices that are looked at.
const maxWitnesses = 16

// witness is a device and what it needs in the end.
type witness struct {
	digit []int // its coordinate along each atom
	needs []layout.Range
}

// witnesses returns all devices of a small mesh and a sample of a large one.
func (p *problem) witnesses(to *layout.Sharding) []witness {
	n := to.Mesh.Size()
	out := make([]witness, min(n, maxWitnesses))
	for i := range out {
		pos := i
		if n > maxWitnesses {
			pos = int(uint64(i) * 0x9E3779B97F4A7C15 >> 16 % uint64(n))
		}
		w := witness{digit: make([]int, len(p.atoms.refs)), needs: to.ShardRanges(p.layouts.tensor.Dims, pos)}
		for l, ref := range p.atoms.refs {
			w.digit[l] = to.Mesh.RefCoordinate(pos, whole(to.Mesh, ref))
		}
		out[i] = w
	}
	return out
}

// bounds answers how much a path must cost.
type bounds struct {
	p         *problem
	witnesses []witness
	elements  int // of the whole tensor, in bytes
	needed    int // of all devices together, in bytes
}

func (p *problem) bounds(to *layout.Sharding) *bounds {
	b := &bounds{p: p, witnesses: p.witnesses(to), elements: p.layouts.tensor.ElemSize}
	for _, d := range p.layouts.tensor.Dims {
		b.elements *= d
	}
	b.needed = b.elements * (to.Mesh.Size() / to.ShardCount())
	return b
}

// from returns a bound for what a path from s sends, as cost counts it.
func (b *bounds) from(s state) int {
	if len(b.p.to.rest()) > 0 {
		return 0 // which summands a device needs is for the path to say
	}
	sp := b.p.layouts
	if n := sp.parts(s.rest()); n > 1 {
		return (n-2)*b.elements + b.needed
	}
	most := 0
	for _, w := range b.witnesses {
		need, have := sp.tensor.ElemSize, sp.tensor.ElemSize
		for d, size := range sp.tensor.Dims {
			i, n := 0, 1
			for _, l := range s[d] {
				i, n = i*sp.size[l]+w.digit[l], n*sp.size[l]
			}
			block := ceil(size, n)
			need *= w.needs[d].Len()
			have *= max(0, min(w.needs[d].Limit, (i+1)*block)-max(w.needs[d].Start, i*block))
		}
		most = max(most, need-have)
	}
	return most * sp.devices
}
