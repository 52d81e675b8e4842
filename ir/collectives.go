package ir

// This file defines the table of collectives: one row for each collective of per-device programs.
// The row holds or determines the op's definition, its pretty form, the bytes that it sends, the
// devices that communicate, the StableHLO collective that replaces it, and the value of C's enum
// for that one.
//
// Compilers and engines keep their part in tables of their own, keyed by OpKind: how it is written
// for a target (target/emit.go), how processes compute it (runtime/collective/run.go), and how the
// Go engine does (runtime/goengine/collective.go). A test of each table checks that no row is
// missing.

import (
	"slices"
	"strings"

	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// CollectiveInfo is a row of the table of collectives.
type CollectiveInfo struct {
	Kind OpKind
	Name string // name of the op without its dialect: all_gather
	// Meaning says in one sentence, without a full stop, what a device gets.
	Meaning string

	// Attrs are the attributes of the op, except the attribute why.
	Attrs []AttrSpec
	// Several says that the op may have several operands, with one result for each.
	Several bool
	// Dims names the attributes that hold dimensions. A result has the operand's size in all other
	// dimensions.
	Dims DimAttrs

	// Axes returns the mesh axes that devices communicate along. It is set for an op that has no
	// attribute axes.
	Axes func(op *Op, m *mesh.DeviceMesh) []mesh.AxisRef
	// Pairs returns the transfers of a collective in which each result comes from one operand: for
	// each, the position that sends and the position that receives. A position receives at most
	// once; a position that receives nothing gets zeros. The groups are those along the op's axes.
	// If Pairs is nil, all members of a group communicate.
	Pairs func(op *Op, groups [][]int) ([][2]int, error)
	// Sent returns the number of elements that one device of a group of n sends: the device that
	// sends most. The tensor has before elements on a device before the collective, and after
	// elements after it.
	Sent func(n, before, after int) int
	// Idle, if not nil, reports whether no device of a group of n sends anything, judging by op's
	// attributes.
	Idle func(op *Op, n int) bool
	// Equal says that all members of a group get the same result.
	Equal bool

	// Becomes is the StableHLO collective that the op is replaced by for a compiler.
	Becomes Emitted

	// check verifies op on the mesh of its module. It is set for ops without an attribute axes.
	check func(op *Op, m *mesh.DeviceMesh) error
}

// DimAttrs names the attributes of a collective that hold a dimension. Dimension Cut is divided
// into one part for each member of a group; the parts of the members are joined along dimension
// Join. An empty name means that there is no such dimension.
type DimAttrs struct{ Cut, Join string }

// Emitted is a collective of StableHLO, in the form that compilers and C know. The section of
// StableHLO's specification that defines it has the name of the op.
type Emitted struct {
	Kind OpKind
	Dims DimAttrs
	// C is the name of the collective in the C enum Kind of package runtime/ffi, whose code runs it
	// on devices that share memory. If it is empty, there is no such code, and the compiler's own
	// collective runs.
	C string
}

// PairsAttr and GroupsAttr are the attributes of StableHLO's collectives that list replicas: pairs
// of a source and a target, or groups.
const (
	PairsAttr  = "source_target_pairs"
	GroupsAttr = "replica_groups"
)

// permutation is the definition of the collective that spmd ops with Pairs become.
var permutation = Emitted{Kind: OpCollectivePermute, C: "PERMUTE"}

// collectives are the rows, in the order of the op kinds. Add new ones at the end: the values of
// C's enum follow from the order, and compiled programs hold these values.
//
// The numbers of elements sent are those of ring algorithms, which no algorithm beats (Patarasu and
// Yuan, Bandwidth optimal all-reduce, 2009).
var collectives = []CollectiveInfo{
	{
		Kind: OpSPMDAllReduce, Name: "all_reduce",
		Meaning: "all members of the group get each operand combined over them, element by element",
		Attrs:   specs(axesAttr, reducer), Several: true,
		// A ring reduce_scatter, then a ring all_gather, over n parts whose sizes differ by at most
		// one element. In each of the two a member sends all parts except one; the part that it
		// leaves out in the second is the neighbour of the one that it leaves out in the first.
		Sent: func(n, before, _ int) int {
			elements := 2 * (before - before/n)
			if before%n == n-1 {
				elements-- // only one part has the smaller size, so no member can leave out two such parts
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

// wholeBytes is the Sent of a collective in which a device sends its whole operand once: it returns
// before, the number of the operand's elements, and not their bytes.
func wholeBytes(_, before, _ int) int { return before }

// Collectives returns the rows, in the order of the kinds. The caller must not change
// them.
func Collectives() []CollectiveInfo { return collectives }

// CollectiveOf returns the row of a kind, or nil if the kind is not a collective of per-device
// programs.
func CollectiveOf(kind OpKind) *CollectiveInfo { return collectiveRows[kind] }

// These tables are indexed by kind. collectiveDims also has the StableHLO collectives that the rows
// become.
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

// SharedCollectives returns the StableHLO collectives that package runtime/ffi implements in C, for
// devices that share memory; each once. The index of one is its value in C's enum: opgen generates
// the enum from this list.
func SharedCollectives() []Emitted {
	var out []Emitted
	for _, c := range collectives {
		if c.Becomes.C != "" && !slices.ContainsFunc(out, func(e Emitted) bool { return e.Kind == c.Becomes.Kind }) {
			out = append(out, c.Becomes)
		}
	}
	return out
}

// Several reports whether a collective of per-device programs that becomes e may have several
// operands, with one result for each.
func (e Emitted) Several() bool {
	return slices.ContainsFunc(collectives, func(c CollectiveInfo) bool { return c.Becomes.Kind == e.Kind && c.Several })
}

// Reduces reports whether the collective combines elements of several devices.
func (c *CollectiveInfo) Reduces() bool {
	return slices.ContainsFunc(c.Attrs, func(a AttrSpec) bool { return a.Name == reducer.Name })
}

// AxesOf returns the mesh axes that the devices of op communicate along. op must be an op of this
// row, and m the mesh of its axes.
func (c *CollectiveInfo) AxesOf(op *Op, m *mesh.DeviceMesh) []mesh.AxisRef {
	if c.Axes != nil {
		return c.Axes(op, m)
	}
	return op.Axes(axesAttr.Name)
}

// CollectiveDims returns two dimensions: a collective, of per-device programs or of StableHLO, cuts
// dimension cut into parts, and joins parts along dimension join. -1 stands for none. For any other
// op both are -1.
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

// definition returns the entry of the op table for the collective.
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

// template returns the template of the op's pretty form (file format.go): the operands, the
// required attributes as name=value, the others, and the types.
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

// names returns the names of the two attributes that are not empty, that of Cut first.
func (d DimAttrs) names() []string {
	return slices.DeleteFunc([]string{d.Cut, d.Join}, func(name string) bool { return name == "" })
}

// permutedAxes returns, in the order of m, the full axes that op, a permute, may send along. These
// are the axes that one of its two shardings has, as a whole or in part, on a dimension or as an
// unreduced axis.
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
	isAxis := func(a mesh.AxisRef) bool { return a.Name == axis }
	return slices.ContainsFunc(s.Unreduced, isAxis) || slices.ContainsFunc(s.Dims, func(d layout.DimSharding) bool {
		return slices.ContainsFunc(d.Axes, isAxis)
	})
}

// shiftPairs is the Pairs of a shift: it returns, for op, the pairs of a sending and a receiving
// position in each of groups, in the order of the receivers. A member whose sender would be outside
// of the group is in no pair as a receiver. The error is nil.
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

// shiftSource returns the member of a group that sends to member i in a shift. The result may be
// outside of the group: then member i receives nothing.
func shiftSource(op *Op, i int) int {
	if op.Bool("mirrored") {
		return op.Int("offset") - i
	}
	return op.Int("offset") + i
}

// shiftsNothing reports whether a shift in a group of n moves nothing between members. It does not
// loop over the members, because groups may be large.
func shiftsNothing(op *Op, n int) bool {
	k := op.Int("offset")
	if !op.Bool("mirrored") {
		return k == 0 || k <= -n || k >= n
	}
	// Members first to last receive: member i from member k-i. Only the member in the middle can
	// receive from itself.
	first, last := max(0, k-n+1), min(n-1, k)
	return first > last || first == last && 2*first == k
}
