package autoshard

// This file defines the decision variables of the search, and the two shardings
// between which a variable decides.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

// variable is a value of the function.
type variable struct {
	value          *ir.Value
	sharding       *layout.Sharding // at present
	fixed          bool             // whether it must keep that
	rematerializes bool
	def            *node // the op that makes it, if that is a node
	runs           int   // how often it is made
	uses           []use
	dims           int // how many dimensions it has
	firstDim       int // the number of dimension 0 among those of all variables

	group        *group // the last one that could change it
	dim          int    // of the group
	alternatives        // in the group
	added        bool   // to the group's cut graph
	read         int    // in which of search.readings last

	changeable []changeable // by axis
	useRoom    [2]use       // most have one or two
}

// changeable says which dimensions of a variable with a sharding an axis may shard.
type changeable struct {
	sharding *layout.Sharding
	dims     uint64 // as bits; further dimensions stay as they are
}

// use is an operand of an op: of a node, or of one that demands a sharding.
type use struct {
	op      *ir.Op
	node    *node // nil for an op that demands
	operand int
}

// node is an op that is partitioned by the factors of a sharding rule, or a value that a loop
// carries: a node that reads it before the loop and at the end of the body.
type node struct {
	op                *ir.Op // nil for what is carried
	index             int    // in program order
	runs              int    // how often it runs
	rule              *factor.Rule
	operands, results []*variable
	ties              []tie

	group      *group // for whose cut graph read and made hold
	read, made int
}

// tie is a dimension of an operand or result of a node, and the major one of its factors.
type tie struct {
	factor int
	v      *variable
	dim    int
}

// tie sets n.ties: the operands' come before the results'.
func (n *node) tie() {
	n.ties = make([]tie, 0, n.dims())
	add := func(mappings []factor.TensorMapping, tensors []*variable) {
		for i, m := range mappings {
			for d, factors := range m {
				if len(factors) > 0 {
					n.ties = append(n.ties, tie{factors[0], tensors[i], d})
				}
			}
		}
	}
	add(n.rule.Operands, n.operands)
	add(n.rule.Results, n.results)
}

// dims returns how many dimensions the operands and results of n have together.
func (n *node) dims() (dims int) {
	for _, list := range [][]*variable{n.operands, n.results} {
		for _, v := range list {
			dims += v.dims
		}
	}
	return dims
}

// rankOf returns how many dimensions v has: a token none.
func rankOf(v *ir.Value) int {
	if v.Type.IsToken() {
		return 0
	}
	return v.Type.Rank()
}

// isCarried reports whether v is a value that a loop carries.
func (v *variable) isCarried() bool { return v.def != nil && v.def.op == nil }

// derivation names a sharding made of another one: by dropping an axis, or by
// sharding dimension dim, unless that is -1, by it.
type derivation struct {
	from      *layout.Sharding
	dim, axis int // the axis by its position in the mesh
}

// derive returns the sharding that d names, which axes states.
func (s *search) derive(d derivation, axes func() [][]mesh.AxisRef) *layout.Sharding {
	out, ok := s.derived[d]
	if !ok {
		out = s.e.Intern(axes())
		s.derived[d] = out
	}
	return out
}

// withoutAxis returns from with the axis dropped.
func (s *search) withoutAxis(from *layout.Sharding, axis mesh.AxisRef) *layout.Sharding {
	for d := range from.Dims {
		if i := slices.Index(from.Dims[d].Axes, axis); i >= 0 {
			return s.derive(derivation{from, -1, s.mesh.AxisIndex(axis.Name)}, func() [][]mesh.AxisRef {
				axes := dimAxes(from)
				axes[d] = axes[d][:i]
				return axes
			})
		}
	}
	return from
}

// withAxis returns from with the axis sharding dimension d, and nothing else.
func (s *search) withAxis(from *layout.Sharding, d int, axis mesh.AxisRef) *layout.Sharding {
	if slices.Contains(from.Dims[d].Axes, axis) {
		return from
	}
	return s.derive(derivation{from, d, s.mesh.AxisIndex(axis.Name)}, func() [][]mesh.AxisRef {
		axes := dimAxes(s.withoutAxis(from, axis))
		axes[d] = append(slices.Clone(axes[d]), axis)
		return axes
	})
}

// dimAxes returns the axes of each dimension.
func dimAxes(s *layout.Sharding) [][]mesh.AxisRef {
	out := make([][]mesh.AxisRef, len(s.Dims))
	for d := range s.Dims {
		out[d] = s.Dims[d].Axes
	}
	return out
}

// alternatives are the shardings between which a variable decides.
type alternatives struct{ sharded, other *layout.Sharding }

// alternativesOf returns the shardings between which v decides: with its
// dimension d sharded by the axis, and as it is now or, if d is sharded so now,
// without the axis.
func (s *search) alternativesOf(v *variable, d int, axis mesh.AxisRef) alternatives {
	other := v.sharding
	if slices.Contains(other.Dims[d].Axes, axis) {
		other = s.withoutAxis(other, axis)
	}
	return alternatives{s.withAxis(v.sharding, d, axis), other}
}

// mayChange reports whether dimension d of v may be sharded by the axis: the
// sharding of v allows it to take the axis from where it is, and shards are even.
func (s *search) mayChange(v *variable, d int, axis mesh.AxisRef) bool {
	if v.changeable == nil {
		v.changeable = make([]changeable, len(s.mesh.Axes()))
	}
	known := &v.changeable[s.mesh.AxisIndex(axis.Name)]
	if known.sharding != v.sharding {
		*known = changeable{sharding: v.sharding}
		for e := range v.dims {
			if s.findChangeable(v, e, axis) {
				known.dims |= 1 << e
			}
		}
	}
	return known.dims>>d&1 != 0
}

// findChangeable is mayChange without looking it up.
func (s *search) findChangeable(v *variable, d int, axis mesh.AxisRef) bool {
	size := v.value.Type.Dims[d]
	if size < s.mesh.RefSize(axis) {
		return false
	}
	for e := range v.sharding.Dims {
		axes := v.sharding.Dims[e].Axes
		for i, a := range axes {
			if a.Overlaps(axis) && (a != axis || i != len(axes)-1) {
				return false
			}
		}
	}
	return size%s.withAxis(v.sharding, d, axis).DimShards(d) == 0
}
