package target

// This file implements emit for one process of several: collectives inside of the process stay
// collectives, and those that cross processes become custom calls.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// process describes the process that emit writes a module for. A nil *process has all devices of
// the mesh.
type process struct {
	at        *program.Placement
	programID int   // the argument number of LocalText
	positions []int // position of each replica in the mesh
	crossings []Crossing
}

func newProcess(at *program.Placement, number int) *process {
	return &process{at: at, programID: number, positions: at.Local()}
}

// replicas returns those rows of positions that are entirely in this process, with replicas in
// place of positions. If p is nil, it returns rows.
func (p *process) replicas(rows [][]int) [][]int {
	if p == nil {
		return rows
	}
	var out [][]int
	for _, row := range rows {
		if members := p.members(row); len(members) == len(row) {
			out = append(out, members)
		}
	}
	return out
}

// members returns, for those positions that are in this process, their replicas.
func (p *process) members(positions []int) (out []int) {
	for _, pos := range positions {
		if i, ok := slices.BinarySearch(p.positions, pos); ok {
			out = append(out, i)
		}
	}
	return out
}

// parts returns, for each group of positions, the replicas of it that are in this process. It
// returns nil if these parts have one member each, or different numbers of members.
func (p *process) parts(groups [][]int) (out [][]int) {
	for _, group := range groups {
		if members := p.members(group); len(members) > 0 {
			out = append(out, members)
		}
	}
	size := len(out[0])
	if size == 1 || slices.ContainsFunc(out, func(part []int) bool { return len(part) != size }) {
		return nil
	}
	return out
}

// position returns the value that is the device's position in the mesh. It is the replica's number
// if this process has all devices.
//
//	%p = add replica_id, 4              positions 4, 5, 6, 7 are in this process
//	%p = [1, 3][replica_id]             positions 1 and 3 are in this process
func (e *emitter) position() *ir.Value {
	id := e.ReplicaID()
	if e.process == nil || e.positions[len(e.positions)-1] == len(e.positions)-1 {
		return id
	}
	if first, n := e.positions[0], len(e.positions); e.positions[n-1] == first+n-1 {
		return e.Add(id, e.number(dtypes.Uint32, first))
	}
	flat := make([]uint32, len(e.positions))
	for i, pos := range e.positions {
		flat[i] = uint32(pos)
	}
	table, err := ir.DenseFromFlat(ir.Tensor(dtypes.Uint32, len(flat)), flat)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return e.Reshape(e.DynamicSlice(e.Constant(table), []*ir.Value{id}, []int{1}), id.Type)
}

// crosses reports whether op is a collective between devices in different processes.
func (e *emitter) crosses(op *ir.Op) bool {
	if e.process == nil || !op.Info().Is(ir.Collective) {
		return false
	}
	rows := e.groupsOf(op)
	if ir.CollectiveOf(op.Kind).Pairs != nil {
		rows = e.pairs(op)
	}
	return slices.ContainsFunc(rows, func(row []int) bool { return e.at.Crosses(row...) })
}

// emitCrossing turns a collective that crosses processes into a custom call, which engines pass to
// package collective:
//
//	%1:2 = spmd.all_reduce %a, %b axes={"x"} reduction=add
//	=>
//	%p:2 = all_reduce %a, %b {replica_groups = [[0, 1]]} by add
//	%1:3 = custom_call @gospmd_collective(%p#0, %p#1, %n) {channel = 0, program = 1}
//
// The all_reduce is only needed if each group has several devices in this process. The method order
// adds the last operand and result, which put the calls in order. XLA is told that the call has
// side effects, so that every process calls it equally often, whatever XLA optimizes in its module.
// emitCrossing appends the Crossing, with the op original of the program's module, to e.crossings.
func (e *emitter) emitCrossing(op, original *ir.Op) []*ir.Value {
	operands, types := slices.Clone(op.Operands), make([]ir.Type, len(op.Results))
	reduces := ir.CollectiveOf(op.Kind).Reduces()
	for i, v := range operands {
		if reduces && losesNaN(op.Reduction(), v.Type.DType) {
			operands[i] = e.encodeOrdered(v, op.Reduction())
		}
		types[i] = op.Results[i].Type.WithDType(operands[i].Type.DType)
	}
	crossing := Crossing{Channel: len(e.crossings), Op: original}
	if op.Kind == ir.OpSPMDAllReduce {
		if parts := e.parts(e.positionGroups(op.SPMDAllReduce().Axes())); parts != nil {
			crossing.Summed = true
			operands = buildByType(operands, func(operands []*ir.Value) []*ir.Value {
				return e.AllReduce(operands, parts, ir.ReductionBody(op.Reduction(), operands[0].Type.DType)).Results
			})
		}
	}
	e.crossings = append(e.crossings, crossing)
	out := slices.Clone(e.OpWithTypes(ir.OpCustomCall, e.callAttrs(crossing.Channel, operands, types), types, operands...).Results)
	for i, v := range out {
		if dtype := op.Results[i].Type.DType; v.Type.DType != dtype {
			out[i] = e.decodeOrdered(v, dtype)
		}
	}
	return out
}

// callAttrs returns the attributes of the custom call of a channel with these operands, and results
// of these types. The memory layouts in it count one operand and one result more, which order adds.
func (e *emitter) callAttrs(channel int, operands []*ir.Value, results []ir.Type) ir.Attrs {
	var types []ir.Type
	for _, v := range operands {
		types = append(types, v.Type)
	}
	return ir.Attrs{
		{Name: "call_target_name", Value: ir.String(CrossingCall)},
		{Name: "api_version", Value: ir.Int32(4)}, // XLA's typed foreign function interface
		{Name: "backend_config", Value: ir.Dict{{Name: "channel", Value: ir.Int(channel)}, {Name: "program", Value: ir.Int(e.programID)}}},
		{Name: "has_side_effect", Value: ir.Bool(true)},
		{Name: "operand_layouts", Value: ir.RowMajorLayouts(append(types, orderType))},
		{Name: "result_layouts", Value: ir.RowMajorLayouts(append(results[:len(results):len(results)], orderType))},
	}
}
