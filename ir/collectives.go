package ir

// This file defines the table of collectives: one row for each collective of per-device programs.
// All of these follow from the row: the op's definition, its pretty form, the bytes that it
// sends, the devices that communicate, the collective of StableHLO that it becomes, and the
// number that this one has in C.
//
// Compilers and engines keep their part in tables of their own, keyed by OpKind: how it is
// written for a target (target/emit.go), how processes compute it (runtime/collective/run.go),
// and how the Go engine does (runtime/goengine/collective.go). Each has a test that it lacks no
// row.

import (
	"slices"
	"strings"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// CollectiveInfo is a row of the table of collectives.
type CollectiveInfo struct {
	Kind OpKind
	Name string // of the op, without its dialect: all_gather
	// Meaning says what a device gets, in one sentence without its end.
	Meaning string

	// Attrs are the op's attributes, besides why.
	Attrs []AttrSpec
	// Several says that one op may have several operands, with a result for each.
	Several bool
	// Dims names the attributes that hold dimensions. The other sizes stay.
	Dims DimAttrs

	// Axes returns the mesh axes that devices communicate along, for an op that has no attribute
	// axes.
	Axes func(op *Op, m *mesh.DeviceMesh) []mesh.AxisRef
	// Pairs returns the sending and the receiving position of each transfer, in a collective that
	// makes each result of one operand. Each position receives once at most; one that receives
	// nothing has zeros. The groups are those of the op's axes. Without Pairs, all members of a
	// group communicate.
	Pairs func(op *Op, groups [][]int) ([][2]int, error)
	// Sent returns how many elements the device sends that sends most, in a group of n,
	// of a tensor that has so many elements on a device before and after.
	Sent func(n, before, after int) int
	// Idle reports whether no device of a group of n sends anything, because of op's
	// attributes.
	Idle func(op *Op, n int) bool
	// Equal says that all members of a group get the same.
	Equal bool

	// Becomes is the collective of StableHLO that compilers get.
	Becomes Emitted

	// check verifies an op without axes on the mesh of its module.
	check func(op *Op, m *mesh.DeviceMesh) error
}

// DimAttrs names the attributes of a collective that hold a dimension: Cut is divided
// into a part for each member of a group, and parts are joined along Join. An empty name
// is no dimension.
type DimAttrs struct{ Cut, Join string }

// Emitted is a collective of StableHLO, as compilers and C know it. The section of
// StableHLO's specification that defines it has the name of the op.
type Emitted struct {
	Kind OpKind
	Dims DimAttrs
	// C is its name in the enumeration Kind of package runtime/ffi: devices that share
	// memory do it there. Empty: the compiler's own collective does it.
	C string
}

// PairsAttr and GroupsAttr are the attributes that name replicas in StableHLO's collectives:
// pairs of a source and a target, or groups.
const (
	PairsAttr  = "source_target_pairs"
	GroupsAttr = "replica_groups"
)

// permutation is what ops with pairs become.
var permutation = Emitted{Kind: OpCollectivePermute, C: "PERMUTE"}

// collectives are the rows, in the order of the kinds. New ones stand at the end: C's
// numbers follow from the order, and compiled programs hold them.
//
// The elements sent are those of ring algorithms, which no algorithm beats (Patarasu and
// Yuan, Bandwidth optimal all-reduce, 2009).
var collectives = []CollectiveInfo{
	{
		Kind: OpSPMDAllReduce, Name: "all_reduce",
		Meaning: "all members of the group get each operand combined over them, element by element",
		Attrs:   specs(axesAttr, reducer), Several: true,
		// A reduce_scatter and an all_gather of parts that differ by at most an element:
		// a member hands on twice all of them but one, the next and the one after.
		Sent: func(n, before, _ int) int {
			elements := 2 * (before - before/n)
			if before%n == n-1 {
				elements-- // no two parts next to each other are of the smaller size
			}
			return elements
		},
		Equal:   true,
		Becomes: Emitted{Kind: OpAllReduce, C: "ALL_REDUCE"},
	},
	{
		Kind: OpSPMDAllGather, Name: "all_gather",
		Meaning: "all members of the group get the shards of each operand, joined along dim",
		Attrs:   specs(req("dim", KindInt), axesAttr), Several: true,
		Dims:    DimAttrs{Join: "dim"},
		Sent:    func(n, before, _ int) int { return (n - 1) * before },
		Equal:   true,
		Becomes: Emitted{Kind: OpAllGather, Dims: DimAttrs{Join: "all_gather_dim"}, C: "ALL_GATHER"},
	},
	{
		Kind: OpSPMDReduceScatter, Name: "reduce_scatter",
		Meaning: "member i of the group gets part i, along dim, of each operand combined over the group",
		Attrs:   specs(req("dim", KindInt), axesAttr, reducer), Several: true,
		Dims:    DimAttrs{Cut: "dim"},
		Sent:    func(n, _, after int) int { return (n - 1) * after },
		Becomes: Emitted{Kind: OpReduceScatter, Dims: DimAttrs{Cut: "scatter_dimension"}, C: "REDUCE_SCATTER"},
	},
	{
		Kind: OpSPMDAllToAll, Name: "all_to_all",
		Meaning: "member i of the group gets part i, along split_dim, of each member's operand, joined along concat_dim",
		Attrs:   specs(req("split_dim", KindInt), req("concat_dim", KindInt), axesAttr),
		Dims:    DimAttrs{Cut: "split_dim", Join: "concat_dim"},
		Sent:    func(n, before, _ int) int { return before - before/n },
		Becomes: Emitted{Kind: OpAllToAll, Dims: DimAttrs{Cut: "split_dimension", Join: "concat_dimension"}, C: "ALL_TO_ALL"},
	},
	{
		Kind: OpSPMDPermute, Name: "permute",
		Meaning: "a device gets the shard that it needs under the sharding to, from a device that holds it under from",
		Attrs:   specs(req("from", KindSharding), req("to", KindSharding)),
		Axes:    permutedAxes,
		Pairs: func(op *Op, _ [][]int) ([][2]int, error) {
			return layout.PermutePairs(attrOf[ShardingAttr](op, "from").Sharding, attrOf[ShardingAttr](op, "to").Sharding)
		},
		Sent:    wholeBytes,
		Becomes: permutation,
		check:   checkPermute,
	},
	{
		Kind: OpSPMDShift, Name: "shift",
		Meaning: "a device gets the operand of the member whose axis_index is its own plus offset, or offset less its own if mirrored",
		Attrs:   specs(axesAttr, req("offset", KindInt), optBool("mirrored")),
		Pairs:   shiftPairs,
		Sent:    wholeBytes,
		Idle:    shiftsNothing,
		Becomes: permutation,
	},
}

// wholeBytes returns the bytes of the tensor, which is sent as a whole.
func wholeBytes(_, before, _ int) int { return before }

// Collectives returns the rows, in the order of the kinds. The caller must not change
// them.
func Collectives() []CollectiveInfo { return collectives }

// CollectiveOf returns the row of a kind, or nil where it is no collective of
// per-device programs.
func CollectiveOf(kind OpKind) *CollectiveInfo { return collectiveRows[kind] }

// What is looked up by kind: rows, and the dimensions of the ops that they become as well.
var (
	collectiveRows [NumOps]*CollectiveInfo
	collectiveDims [NumOps]DimAttrs
)

func init() {
	for i := range collectives {
		c := &collectives[i]
		collectiveRows[c.Kind] = c
		collectiveDims[c.Kind], collectiveDims[c.Becomes.Kind] = c.Dims, c.Becomes.Dims
	}
}

// SharedCollectives returns what C has code for, in the order of its numbers.
func SharedCollectives() []Emitted {
	var out []Emitted
	for _, c := range collectives {
		if c.Becomes.C != "" && !slices.ContainsFunc(out, func(e Emitted) bool { return e.Kind == c.Becomes.Kind }) {
			out = append(out, c.Becomes)
		}
	}
	return out
}

// Several reports whether one op may have several operands, with a result for each, in
// the per-device programs that it is made from.
func (e Emitted) Several() bool {
	return slices.ContainsFunc(collectives, func(c CollectiveInfo) bool { return c.Becomes.Kind == e.Kind && c.Several })
}

// Reduces reports whether the collective combines elements.
func (c *CollectiveInfo) Reduces() bool {
	return slices.ContainsFunc(c.Attrs, func(a AttrSpec) bool { return a.Name == reducer.Name })
}

// AxesOf returns the mesh axes that connect the communicating devices of op, an op of the row. m
// is the mesh that the axes are of.
func (c *CollectiveInfo) AxesOf(op *Op, m *mesh.DeviceMesh) []mesh.AxisRef {
	if c.Axes != nil {
		return c.Axes(op, m)
	}
	return op.Axes(axesAttr.Name)
}

// CollectiveDims returns the dimension that a collective cuts into parts, and the dimension along
// that it joins parts; -1 is none. The collective may be one of per-device programs or of
// StableHLO.
func (op *Op) CollectiveDims() (cut, join int) {
	at := func(name string) int {
		if name == "" {
			return -1
		}
		return op.Int(name)
	}
	dims := collectiveDims[op.Kind]
	return at(dims.Cut), at(dims.Join)
}

// definition returns the op's row of the op table.
func (c *CollectiveInfo) definition() OpInfo {
	def := OpInfo{Name: "spmd." + c.Name, Operands: one, Results: one, Traits: Collective | OnMesh,
		Attrs: append(slices.Clone(c.Attrs), whyAttr), Infer: inferIdentity}
	if c.Several {
		def.Operands, def.Results = oneOrMore, oneOrMore
	}
	if c.Dims != (DimAttrs{}) {
		def.Infer = nil
		def.NoInfer, def.Check = "the number of shards is known to the module's mesh only", c.Dims.check
	}
	return def
}

// template returns the op's pretty form.
func (c *CollectiveInfo) template() string {
	var b strings.Builder
	b.WriteString(" $OPERANDS")
	for _, a := range c.Attrs {
		if !a.Optional {
			b.WriteString(" " + a.Name + "=$" + a.Name)
		}
	}
	b.WriteString("$ATTRS : ")
	switch {
	case c.Dims != (DimAttrs{}):
		b.WriteString("$FUNC")
	case c.Several:
		b.WriteString("$TYPES")
	default:
		b.WriteString("$RESULT")
	}
	return b.String()
}

// names returns the attributes that there are.
func (d DimAttrs) names() []string {
	return slices.DeleteFunc([]string{d.Cut, d.Join}, func(name string) bool { return name == "" })
}

// permutedAxes returns the axes that the two shardings of a permute use, in the mesh's
// order.
func permutedAxes(op *Op, m *mesh.DeviceMesh) []mesh.AxisRef {
	var out []mesh.AxisRef
	for _, axis := range m.AxisNames() {
		if usesAxis(op, "from", axis) || usesAxis(op, "to", axis) {
			out = append(out, mesh.FullAxis(axis))
		}
	}
	return out
}

func usesAxis(op *Op, attr, axis string) bool {
	s, _ := op.Attrs.Get(attr).(ShardingAttr)
	if s.Sharding == nil {
		return false
	}
	return slices.ContainsFunc(s.Dims, func(d layout.DimSharding) bool {
		return slices.ContainsFunc(d.Axes, func(a mesh.AxisRef) bool { return a.Name == axis })
	})
}

// shiftPairs returns the pairs of a shift.
func shiftPairs(op *Op, groups [][]int) (pairs [][2]int, _ error) {
	for _, group := range groups {
		for i, to := range group {
			if from := shiftSource(op, i); from >= 0 && from < len(group) {
				pairs = append(pairs, [2]int{group[from], to})
			}
		}
	}
	return pairs, nil
}

// shiftSource returns the member of a group whose operand member i gets by a shift. It
// may be beyond the group.
func shiftSource(op *Op, i int) int {
	if op.Bool("mirrored") {
		return op.Int("offset") - i
	}
	return op.Int("offset") + i
}

// shiftsNothing reports whether in a group of n no member gets what another has. It
// asks no member: groups may be large.
func shiftsNothing(op *Op, n int) bool {
	k := op.Int("offset")
	if !op.Bool("mirrored") {
		return k == 0 || k <= -n || k >= n
	}
	// Members first to last get something, member i from k-i: all of them from
	// others, except the one in the middle.
	first, last := max(0, k-n+1), min(n-1, k)
	return first > last || first == last && 2*first == k
}
