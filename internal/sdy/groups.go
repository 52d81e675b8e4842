package sdy

// This file handles sharding groups: sets of values that must have the same sharding.

import (
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
)

// ImportGroups merges groups that share a value, numbers the groups from 0, and removes duplicate
// members: Shardy's pass sharding-group-import. It returns an error, which names the group, if
// values of a group differ in shape or are in different manual computations.
func ImportGroups(m *ir.Module) error {
	var ops []*ir.Op
	for _, f := range m.Funcs {
		f.Walk(func(op *ir.Op) {
			if op.Kind == ir.OpShardingGroup {
				ops = append(ops, op)
			}
		})
	}
	if len(ops) == 0 {
		return nil
	}
	if err := checkGroups(ops); err != nil {
		return err
	}
	// Groups that share a value are merged: the first group of the value becomes the leader. Groups
	// are numbered in the order in which their leaders appear.
	var ids []int
	leader := make(map[int]int)
	find := func(id int) int {
		for leader[id] != id {
			id = leader[id]
		}
		return id
	}
	members := make(map[*ir.Value][]int)
	var values []*ir.Value
	for _, op := range ops {
		id, v := op.Int("group_id"), op.Operands[0]
		if _, ok := leader[id]; !ok {
			leader[id] = id
			ids = append(ids, id)
		}
		if members[v] == nil {
			values = append(values, v)
		}
		members[v] = append(members[v], id)
	}
	for _, v := range values {
		for _, id := range members[v] {
			leader[find(id)] = find(members[v][0])
		}
	}
	number := make(map[int]int)
	for _, id := range ids {
		if leader[id] == id {
			number[id] = len(number)
		}
	}
	seen := make(map[*ir.Value]bool)
	for _, op := range ops {
		if v := op.Operands[0]; !seen[v] {
			seen[v] = true
			op.Attrs = op.Attrs.With("group_id", ir.Int(number[find(op.Int("group_id"))]))
			continue
		}
		op.Erase()
	}
	return nil
}

// checkGroups returns an error if values of a group cannot have the same sharding: if they differ
// in shape, or are not all in the same manual computation. ops are the ops sharding_group.
func checkGroups(ops []*ir.Op) error {
	first := make(map[int]*ir.Op)
	for _, op := range ops {
		id := op.Int("group_id")
		o := first[id]
		if o == nil {
			first[id] = op
			continue
		}
		if !slices.Equal(op.Operands[0].Type.Dims, o.Operands[0].Type.Dims) {
			return fmt.Errorf("sharding: group %d holds values of types %s and %s: values of a group must have the same shape",
				id, o.Operands[0].Type, op.Operands[0].Type)
		}
		if manualParent(op) != manualParent(o) {
			return fmt.Errorf("sharding: group %d reaches across the border of a manual computation: use one group on either side", id)
		}
	}
	return nil
}

// manualParent returns the innermost manual computation around op, or nil.
func manualParent(op *ir.Op) *ir.Op {
	for p := op.Block().Parent(); p != nil; p = p.Block().Parent() {
		if p.Kind == ir.OpManualComputation {
			return p
		}
	}
	return nil
}
