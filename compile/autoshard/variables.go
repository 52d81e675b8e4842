package autoshard

// This file defines the variables of the search for shardings, and the two shardings that a
// variable can have.

import (
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding/factor"
)

// variable is a value of the function, as a decision variable.
type variable struct {
	value          *ir.Value
	sharding       *layout.Sharding // the current one
	fixed          bool             // it must keep its sharding
	rematerializes bool
	def            *node // the node of the op that makes it, or nil
	runs           int   // number of times that it is made
	uses           []use
	dims           int // number of dimensions
	firstDim       int // number of its dimension 0 among the dimensions of all variables

	group        *group // the last group that could change it
	dim          int    // its dimension in group
	alternatives        // its alternatives in group
	added        bool   // the variable is a vertex of the current cut graph
	read         int    // the last of search.readings that counted it

	changeable []changeable // indexed by axis
	useRoom    [2]use       // memory for uses; most variables have one or two
}

// changeable says which dimensions of a variable an axis may shard, given the variable's sharding.
type changeable struct {
	sharding *layout.Sharding
	// bit d is set if the axis may shard dimension d; dimensions beyond 63 do not change
	dims uint64
}

// use is one place where an op reads a variable. node is the node that has this operand. It is nil
// if the op is not partitioned, and only demands a sharding of the operand.
type use struct {
	op      *ir.Op
	node    *node // nil for an op that demands
	operand int
}

// node is an op that is partitioned by the factors of a sharding rule. It may also be a value that
// a loop carries: its operands are then the initial value and the value at the end of the body.
type node struct {
	op                *ir.Op // nil for a value that a loop carries
	index             int    // position in program order
	runs              int    // number of times that it runs
	rule              *factor.Rule
	operands, results []*variable
	ties              []tie

	group      *group // the group whose cut graph read and made are vertices of
	read, made int
}

// tie connects a dimension of an operand or result of a node to a factor. If the dimension has
// several factors, it is the major one.
type tie struct {
	factor int
	v      *variable
	dim    int
}

// tie sets n.ties, which link the dimensions of n's operands, then those of its results, to the
// factors of its rule.
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

// dims returns the number of dimensions of all operands and results of n together.
func (n *node) dims() (dims int) {
	for _, list := range [][]*variable{n.operands, n.results} {
		for _, v := range list {
			dims += v.dims
		}
	}
	return dims
}

// rankOf returns the number of dimensions of v; a token has none.
func rankOf(v *ir.Value) int {
	if v.Type.IsToken() {
		return 0
	}
	return v.Type.Rank()
}

// isCarried reports whether v is a value that a loop carries.
func (v *variable) isCarried() bool { return v.def != nil && v.def.op == nil }

// derivation describes a sharding that is derived from another one: an axis is dropped and, unless
// dim is -1, then shards dimension dim.
type derivation struct {
	from      *layout.Sharding
	dim, axis int // position of the axis in the mesh
}

// derive returns the sharding that d describes. It calls axes to compute it the first time.
func (s *search) derive(d derivation, axes func() [][]mesh.AxisRef) *layout.Sharding {
	out, ok := s.derived[d]
	if !ok {
		out = s.e.Intern(axes())
		s.derived[d] = out
	}
	return out
}

// withoutAxis returns the sharding from without the axis, and without the axes after it in its
// dimension. If the axis shards no dimension in full, it returns from.
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

// withAxis returns the sharding from, changed so that the axis shards dimension d, as its last
// axis, and no other one. If it shards dimension d already, withAxis returns from.
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

// dimAxes returns the axes of each dimension of s. Only the outer slice is new: the caller must not
// change the inner ones.
func dimAxes(s *layout.Sharding) [][]mesh.AxisRef {
	out := make([][]mesh.AxisRef, len(s.Dims))
	for d := range s.Dims {
		out[d] = s.Dims[d].Axes
	}
	return out
}

// alternatives are the two shardings that a variable can have.
type alternatives struct{ sharded, other *layout.Sharding }

// alternativesOf returns the two shardings that v can have. In the first one the axis shards
// dimension d. The second is the current sharding or, if the axis already shards dimension d there,
// the sharding without the axis.
func (s *search) alternativesOf(v *variable, d int, axis mesh.AxisRef) alternatives {
	other := v.sharding
	if slices.Contains(other.Dims[d].Axes, axis) {
		other = s.withoutAxis(other, axis)
	}
	return alternatives{s.withAxis(v.sharding, d, axis), other}
}

// mayChange reports whether the axis may shard dimension d of v. The axis must be movable from
// where it is in the sharding of v, and all shards must have the same size.
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

// findChangeable computes what mayChange reports. It does not use the stored results.
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
