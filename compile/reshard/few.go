package reshard

// This file cuts the axes of a large mesh into few sub-axes: where it matters for
// the sizes at hand. Between prime sub-axes of thousands of devices a search would
// have more choices than it can look at.

import (
	"slices"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// fewSubAxes cuts the axes that the two shardings of a tensor of the given sizes
// name:
//
//   - where the parts minor to a cut already hold every element of the dimension
//     that they shard, so that the major ones only mask devices;
//   - where the parts major to a cut divide the dimension, and all together do not;
//   - into the greatest common divisor with another axis, so that a permutation can
//     exchange a part of one for the other.
//
// With all it also has the axes that they do not name. ok is false where those cuts
// leave no common parts.
func fewSubAxes(from, to *layout.Sharding, dims []int, all bool) (_ *subAxes, ok bool) {
	m := from.Mesh
	cuts := make([][]int, len(m.Axes()))
	cut := func(a mesh.SubAxis, major int) {
		if major > 1 && major < a.Size {
			cuts[a.Axis] = append(cuts[a.Axis], a.Pre*major)
		}
	}
	for _, s := range []*layout.Sharding{from, to} {
		for d, dim := range s.Dims {
			cutForSize(m.AxisList(dim.Axes), dims[d], cut)
		}
	}
	used := usedAxes(from, to)
	for _, a := range used {
		for _, b := range used {
			cut(a, gcd(a.Size, b.Size))
		}
	}
	return cutSubAxes(m, used, all, func(axis int) []int { return slices.Clone(cuts[axis]) })
}

// cutForSize finds the cuts of axes that shard a dimension of the given size.
func cutForSize(axes mesh.AxisList, size int, cut func(a mesh.SubAxis, major int)) {
	if size == 0 || size%axes.Size() == 0 {
		return
	}
	minor := 1
	for _, a := range slices.Backward(axes) {
		if all := minor * a.Size; all >= size {
			for _, p := range slices.Backward(a.Primes()) {
				if minor *= p.Size; minor >= size {
					cut(a, all/minor)
					return
				}
			}
		}
		minor *= a.Size
	}
	major := 1
	for _, a := range axes {
		for _, p := range a.Primes() {
			if size%(major*p.Size) != 0 {
				cut(a, p.Pre/a.Pre)
				return
			}
			major *= p.Size
		}
	}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
