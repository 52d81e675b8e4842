package ir

// This file holds the shape rules of the StableHLO collectives, which speak of
// the shapes that one device holds.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
)

// checkGroups verifies replica_groups: no device in two groups or twice in
// one. A -1 fills up a group that is smaller than the others; ragged says
// whether the op can do with such groups.
func checkGroups(op *Op, ragged bool) error {
	var seen []bool
	for g, group := range op.Matrix("replica_groups") {
		for _, id := range group {
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
	}
	return nil
}

// groupSize returns how many devices a group has. Empty replica_groups mean
// all devices in one group: then the size follows from what the results have,
// per pair of (larger, smaller) size.
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

// dimOf returns the size of a dimension, or 0 where t has no such dimension.
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
	out := typesOf(op.Operands)
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

// inferAllReduce: one body for all operands, which so have one element type.
func inferAllReduce(op *Op) ([]Type, error) {
	if err := checkGroups(op, true); err != nil {
		return nil, err
	}
	out := typesOf(op.Operands)
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
	out := typesOf(op.Operands)
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

// inferCollectiveBroadcast keeps the type.
func inferCollectiveBroadcast(op *Op) ([]Type, error) {
	if err := checkGroups(op, op.Kind == OpCrossReplicaSum); err != nil {
		return nil, err
	}
	return inferIdentity(op)
}

// inferCollectivePermute keeps the type. No device may send twice or receive
// twice.
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

// withSize returns t with another size of one dimension.
func withSize(t Type, dim, size int) Type {
	dims := slices.Clone(t.Dims)
	dims[dim] = size
	return t.WithDims(dims)
}
