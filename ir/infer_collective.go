package ir

// This file holds the shape rules of collectives: those of StableHLO, whose shapes are those on one
// device, and those of the spmd dialect, which follow from the table of collectives. For the spmd
// dialect, checkOnMesh verifies separately what depends on the mesh.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/mesh"
)

// checkGroups verifies the attribute replica_groups of op: no device is in two groups or twice in
// one, and device numbers are at least 0 and below maxRows. In a group that is smaller than the
// others, the places that are left over hold -1. ragged says whether op may have such groups;
// otherwise a -1 is an error, too.
func checkGroups(op *Op, ragged bool) error {
	d := attrOf[*Dense](op, "replica_groups")
	seen := make([]bool, 0, len(d.Data)/8)
	for i := range d.Type.Size() {
		g, id := i/d.Type.Dims[1], d.intAt(i)
		if id == -1 && ragged {
			continue
		}
		if id < 0 {
			return fmt.Errorf("replica group %d holds device %d, want 0 or more", g, id)
		}
		if id >= maxRows {
			return fmt.Errorf("replica group %d holds device %d, want less than %d", g, id, maxRows)
		}
		for id >= len(seen) {
			seen = append(seen, false)
		}
		if seen[id] {
			return fmt.Errorf("replica group %d holds device %d, which is listed before: want each device once", g, id)
		}
		seen[id] = true
	}
	return nil
}

// groupSize returns the number of devices in a group. Empty replica_groups mean one group of all
// devices. The number then follows from the types of the first operand and result: sizes returns
// the larger and the smaller size of the dimension that changes; 0 and 0 stand for a group of one.
// If the one is no multiple of the other, or op has no results, that is an error.
func groupSize(op *Op, sizes func(operand, result Type) (whole, part int)) (int, error) {
	d := attrOf[*Dense](op, "replica_groups")
	if n := d.Type.Dims[1]; n > 0 {
		return n, nil
	}
	if len(op.Results) == 0 {
		return 0, errors.New("replica_groups is empty, so the number of devices is not known: list the groups")
	}
	whole, part := sizes(op.Operands[0].Type, op.Results[0].Type)
	if whole == 0 && part == 0 {
		return 1, nil
	}
	if part == 0 || whole == 0 || whole%part != 0 {
		return 0, fmt.Errorf("sizes %d and %d in the dimension are no multiple of each other", whole, part)
	}
	return whole / part, nil
}

// dimOf returns the size of dimension dim of t, or 0 if t has no such dimension.
func dimOf(t Type, dim int) int {
	if dim < t.Rank() {
		return t.Dims[dim]
	}
	return 0
}

func inferAllGather(op *Op) ([]Type, error) {
	dim := op.Int("all_gather_dim")
	if err := checkGroups(op, false); err != nil {
		return nil, err
	}
	out := TypesOf(op.Operands)
	for i, t := range out {
		if err := checkDim("all_gather_dim", dim, t.Rank()); err != nil {
			return nil, fmt.Errorf("operand %d: %w", i, err)
		}
	}
	n, err := groupSize(op, func(operand, result Type) (int, int) { return dimOf(result, dim), dimOf(operand, dim) })
	if err != nil {
		return nil, err
	}
	for i, t := range out {
		out[i] = withSize(t, dim, t.Dims[dim]*n)
	}
	return out, nil
}

func inferReduceScatter(op *Op) ([]Type, error) {
	t, dim := op.Operands[0].Type, op.Int("scatter_dimension")
	if err := checkGroups(op, false); err != nil {
		return nil, err
	}
	if err := checkDim("scatter_dimension", dim, t.Rank()); err != nil {
		return nil, err
	}
	n, err := groupSize(op, func(operand, result Type) (int, int) { return dimOf(operand, dim), dimOf(result, dim) })
	if err != nil {
		return nil, err
	}
	if t.Dims[dim]%n != 0 {
		return nil, fmt.Errorf("dimension %d has size %d, want a multiple of the group size %d", dim, t.Dims[dim], n)
	}
	elements, err := reductionTypes(op, 0, []Type{t})
	if err != nil {
		return nil, err
	}
	return []Type{withSize(t, dim, t.Dims[dim]/n).WithDType(elements[0])}, nil
}

// inferAllReduce is the shape rule of all_reduce: the results have the dimensions of the operands,
// and the element type that the body returns. All operands share one body, so different element
// types are an error. So are a body that does not suit them, and invalid groups; groups may differ
// in size.
func inferAllReduce(op *Op) ([]Type, error) {
	if err := checkGroups(op, true); err != nil {
		return nil, err
	}
	out := TypesOf(op.Operands)
	for i, t := range out {
		if t.DType != out[0].DType {
			return nil, fmt.Errorf("operand %d has type %s, want the element type of operand 0, %s", i, t, out[0])
		}
	}
	elements, err := reductionTypes(op, 0, out[:1])
	if err != nil {
		return nil, err
	}
	for i, t := range out {
		out[i] = t.WithDType(elements[0])
	}
	return out, nil
}

func inferAllToAll(op *Op) ([]Type, error) {
	split, concat, n := op.Int("split_dimension"), op.Int("concat_dimension"), op.Int("split_count")
	if err := checkGroups(op, false); err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, fmt.Errorf("split_count is %d, want at least 1", n)
	}
	if g := attrOf[*Dense](op, "replica_groups").Type.Dims[1]; g > 0 && g != n {
		return nil, fmt.Errorf("split_count is %d, the groups have %d devices: want the same number", n, g)
	}
	out := TypesOf(op.Operands)
	for i, t := range out {
		if err := checkDim("split_dimension", split, t.Rank()); err != nil {
			return nil, err
		}
		if err := checkDim("concat_dimension", concat, t.Rank()); err != nil {
			return nil, err
		}
		if t.Dims[split]%n != 0 {
			return nil, fmt.Errorf("operand %d has size %d in split dimension %d, want a multiple of split_count %d", i, t.Dims[split], split, n)
		}
		t = withSize(t, split, t.Dims[split]/n)
		out[i] = withSize(t, concat, t.Dims[concat]*n)
	}
	return out, nil
}

// inferCollectiveBroadcast is the shape rule of collective_broadcast and cross-replica-sum: the
// result has the type of the operand. Invalid groups are an error; those of cross-replica-sum may
// differ in size.
func inferCollectiveBroadcast(op *Op) ([]Type, error) {
	if err := checkGroups(op, op.Kind == OpCrossReplicaSum); err != nil {
		return nil, err
	}
	return inferIdentity(op)
}

// inferCollectivePermute is the shape rule of collective_permute: the result has the type of the
// operand. A negative device number, and a device that sends or receives twice, are errors.
func inferCollectivePermute(op *Op) ([]Type, error) {
	var from, to []int
	for i, pair := range op.Matrix("source_target_pairs") {
		if len(pair) != 2 || pair[0] < 0 || pair[1] < 0 {
			return nil, fmt.Errorf("source_target_pairs holds %v at %d, want a source and a target device", pair, i)
		}
		from, to = append(from, pair[0]), append(to, pair[1])
	}
	for _, side := range []struct {
		name string
		ids  []int
	}{{"source", from}, {"target", to}} {
		slices.Sort(side.ids)
		for i, id := range side.ids {
			if i > 0 && side.ids[i-1] == id {
				return nil, fmt.Errorf("source_target_pairs has device %d twice as a %s, want it once", id, side.name)
			}
		}
	}
	return inferIdentity(op)
}

func inferDeviceID(*Op) ([]Type, error) { return []Type{Tensor(dtypes.Uint32)}, nil }

// withSize returns t with size as the size of dimension dim.
func withSize(t Type, dim, size int) Type {
	dims := slices.Clone(t.Dims)
	dims[dim] = size
	return t.WithDims(dims)
}

// Axes returns the attribute with the given name, a list of mesh axes. It panics if op lacks it.
// The caller must not change the slice.
func (op *Op) Axes(name string) []mesh.AxisRef { return attrOf[AxesAttr](op, name) }

// reductionKinds are the ops that a collective may reduce by, with the names that they have in the
// attribute reduction.
var reductionKinds = []ReductionInfo{
	{"add", OpAdd, "ADD"}, {"multiply", OpMultiply, "MULTIPLY"}, {"minimum", OpMinimum, "MINIMUM"}, {"maximum", OpMaximum, "MAXIMUM"},
	{"and", OpAnd, "AND"}, {"or", OpOr, "OR"}, {"xor", OpXor, ""},
}

// ReductionInfo is an op that a collective may combine elements by.
type ReductionInfo struct {
	Name string
	Kind OpKind
	C    string // name in the C enum Reduction of package runtime/ffi; empty: C has no code for it
}

// SharedReductions returns the reductions that have C code, in the order of C's enum.
func SharedReductions() []ReductionInfo {
	return slices.DeleteFunc(slices.Clone(reductionKinds), func(r ReductionInfo) bool { return r.C == "" })
}

// ReductionName returns the value of the attribute reduction for an spmd collective that combines
// by kind; ok is false if no collective can.
func ReductionName(kind OpKind) (name Enum, ok bool) {
	for _, r := range reductionKinds {
		if r.Kind == kind {
			return Enum(r.Name), true
		}
	}
	return "", false
}

// Reduction returns the kind of op that an spmd collective combines elements by. It panics for an
// op without the attribute reduction.
func (op *Op) Reduction() OpKind {
	name := op.Enum("reduction")
	for _, r := range reductionKinds {
		if r.Name == name {
			return r.Kind
		}
	}
	panic("BUG: spmd reduction " + name)
}

// AddsUp reports whether op is a sum over devices: an spmd all_reduce or reduce_scatter that adds.
func (op *Op) AddsUp() bool {
	return (op.Kind == OpSPMDAllReduce || op.Kind == OpSPMDReduceScatter) && op.Reduction() == OpAdd
}

func inferAxisIndex(*Op) ([]Type, error) { return []Type{Tensor(dtypes.Int32)}, nil }

// check is the Check column of a collective with the dimensions d. It verifies that each result has
// the type of its operand, except for the sizes of these dimensions. checkOnMesh verifies these
// sizes.
func (d DimAttrs) check(op *Op) error {
	if len(op.Results) != len(op.Operands) {
		return fmt.Errorf("has %d results for %d operands, want one for each", len(op.Results), len(op.Operands))
	}
	for i, v := range op.Operands {
		in, out := v.Type, op.Results[i].Type
		if in.DType != out.DType || in.Rank() != out.Rank() {
			return fmt.Errorf("result %d has type %s, want the element type and rank of %s", i, out, in)
		}
		want := slices.Clone(in.Dims)
		for _, name := range d.names() {
			dim := op.Int(name)
			if err := checkDim(name, dim, in.Rank()); err != nil {
				return err
			}
			want[dim] = out.Dims[dim]
		}
		if !slices.Equal(want, out.Dims) {
			return fmt.Errorf("result %d has type %s, want %s", i, out, in.WithDims(want))
		}
	}
	return nil
}

// checkOnMesh verifies an spmd op against the module's mesh: the mesh has its axes, they do not
// overlap, and the sizes of operands and results fit the number of devices in a group.
func (v *verifier) checkOnMesh(op *Op) error {
	if len(v.mod.Meshes) == 0 {
		return errors.New("the module has no mesh: add the one that the op's axes are of")
	}
	m := v.mod.Meshes[0].Mesh
	c := CollectiveOf(op.Kind)
	if c != nil && c.check != nil {
		return c.check(op, m)
	}
	axes := op.Axes("axes")
	for i, a := range axes {
		if err := m.CheckRef(a); err != nil {
			return err
		}
		for _, b := range axes[:i] {
			if a.Overlaps(b) {
				return fmt.Errorf("axes %s and %s overlap: want each part of an axis once", b, a)
			}
		}
	}
	if c == nil {
		return nil
	}
	for _, name := range c.Dims.names() {
		d, ok := op.Attrs.Get(name).(Int)
		if ok && (d < 0 || int(d) >= min(op.Operands[0].Type.Rank(), op.Results[0].Type.Rank())) {
			return fmt.Errorf("%s is %d, want a dimension of the operand and of the result", name, d)
		}
	}
	cut, join := op.CollectiveDims()
	for i, v := range op.Operands {
		if err := checkSizes(v.Type, op.Results[i].Type, cut, join, m.RefsSize(axes)); err != nil {
			return err
		}
	}
	return nil
}

// checkSizes verifies the sizes of two dimensions of the types in and out of a collective, which
// cuts dimension cut into n parts, and joins n parts along dimension join. Each may be -1 for none.
// If both are the same dimension, it must keep its size, a multiple of n.
func checkSizes(in, out Type, cut, join, n int) error {
	if cut >= 0 && cut == join {
		if size := in.Dims[cut]; size != out.Dims[cut] || size%n != 0 {
			return fmt.Errorf("dimension %d has size %d, want one that stays and is a multiple of %d, the size of the axes", cut, size, n)
		}
		return nil
	}
	grows := func(d int, whole, part Type) error {
		if d >= 0 && whole.Dims[d] != n*part.Dims[d] {
			return fmt.Errorf("dimension %d has size %d on one side, want %d: %d times %d, the size of the axes", d, whole.Dims[d], n*part.Dims[d], part.Dims[d], n)
		}
		return nil
	}
	if err := grows(cut, in, out); err != nil {
		return err
	}
	return grows(join, out, in)
}

// checkPermute verifies op, a permute, on m, the mesh of the module: it returns an error unless
// both shardings are on m, have the operand's rank, make the same number of shards of each
// dimension, and have the same number of summands.
func checkPermute(op *Op, m *mesh.DeviceMesh) error {
	from, to := attrOf[ShardingAttr](op, "from"), attrOf[ShardingAttr](op, "to")
	for _, s := range []ShardingAttr{from, to} {
		if !s.Mesh.Equal(m) {
			return fmt.Errorf("sharding %s is on the mesh %s, want the module's first, %s", s, s.Mesh, m)
		}
		if len(s.Dims) != op.Operands[0].Type.Rank() {
			return fmt.Errorf("sharding %s has rank %d, want %d", s, len(s.Dims), op.Operands[0].Type.Rank())
		}
	}
	for d := range from.Dims {
		if a, b := from.DimShards(d), to.DimShards(d); a != b {
			return fmt.Errorf("dimension %d has %d shards under from and %d under to, want equal numbers", d, a, b)
		}
	}
	if a, b := m.RefsSize(from.Unreduced), m.RefsSize(to.Unreduced); a != b {
		return fmt.Errorf("there are %d parts to be summed under from and %d under to, want equal numbers", a, b)
	}
	return nil
}
