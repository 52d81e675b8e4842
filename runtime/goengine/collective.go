package goengine

// This file implements the collectives, on the buffers of all devices. It counts the bytes that
// each device would send by the algorithms of package compile/cost: rings, in which all devices
// send the same number of bytes, or in an uneven all_reduce nearly the same.

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
)

// collective is a function that computes a collective of one kind for all devices of x: in[p][i] is
// operand i of the device of row p; the results are indexed in the same way.
type collective func(x *exchange, in [][]*interp.Tensor) ([][]*interp.Tensor, error)

// collectives lists the collectives. StableHLO's name devices. Those of the spmd dialect, which
// init adds, name mesh axes, and compute the same.
var collectives = map[ir.OpKind]collective{
	ir.OpAllReduce:           allReduce,
	ir.OpCrossReplicaSum:     allReduce,
	ir.OpAllGather:           allGather,
	ir.OpReduceScatter:       reduceScatter,
	ir.OpAllToAll:            allToAll,
	ir.OpCollectivePermute:   permute,
	ir.OpCollectiveBroadcast: broadcast,
	ir.OpReplicaID:           replicaID,
	ir.OpPartitionID:         partitionID,
	ir.OpSPMDAxisIndex:       axisIndex,

	// Shardy's collectives have global shapes: the program has one device, which holds the full
	// tensors.
	ir.OpSdyAllGather:             identity,
	ir.OpSdyAllSlice:              identity,
	ir.OpSdyAllReduce:             identity,
	ir.OpSdyAllToAll:              identity,
	ir.OpSdyCollectivePermute:     identity,
	ir.OpSdyReduceScatter:         identity,
	ir.OpSdyReplicatedToUnreduced: identity,
	ir.OpSdyShardedToUnreduced:    identity,
}

func init() {
	for _, c := range ir.Collectives() {
		collectives[c.Kind] = collectives[c.Becomes.Kind]
	}
}

// exchange is one execution of one collective inside this process. Operands and results have a row
// for each device of this process: row i is the i-th position of the mesh that is in this process.
type exchange struct {
	op        *ir.Op
	mesh      *mesh.DeviceMesh
	positions []int // by row
	groups    [][]int
	pairs     [][2]int // sender and receiver, of permutations
	sent      []int    // bytes, by row
}

// communicate executes the collective of step s for all devices of the group, across processes
// where their partners are in others, and stores the results in the devices' frames. It counts the
// bytes that are sent.
func (g *deviceGroup) communicate(s *interp.Step) error {
	in := make([][]*interp.Tensor, len(g.frames))
	for pos, f := range g.frames {
		in[pos] = pick(f, s.In)
	}
	x := &exchange{op: s.Op, mesh: g.mesh, positions: g.local, sent: make([]int, len(g.frames))}
	out, err := g.exchange(x, in)
	if err != nil {
		return err
	}
	for pos, f := range g.frames {
		for i, slot := range s.Out {
			f.Values[slot] = out[pos][i]
		}
	}
	g.count(x)
	return nil
}

// exchange sets the groups and pairs of x, computes its collective from the operands in, and
// returns the results. Both have a row for each device of this process. A collective that crosses
// processes, unless it is axis_index, is left to Options.Cross. Groups or pairs that do not fit the
// mesh are an error.
func (g *deviceGroup) exchange(x *exchange, in [][]*interp.Tensor) ([][]*interp.Tensor, error) {
	groups, err := g.groups(x.op)
	if err != nil {
		return nil, err
	}
	pairs, err := pairsOf(x.op, groups)
	if err != nil {
		return nil, err
	}
	var inside, among bool
	x.groups, inside = g.rows(groups)
	x.pairs, among = g.rowPairs(pairs)
	if (!inside || !among) && x.op.Kind != ir.OpSPMDAxisIndex {
		return g.options.Cross(x.op, in)
	}
	return collectives[x.op.Kind](x, in)
}

// rowPairs converts pairs of positions to pairs of rows, and leaves out pairs of two other
// processes' positions. inside is false, and rows nil, if only one member of a pair is in this
// process.
func (e *Executable) rowPairs(pairs [][2]int) (rows [][2]int, inside bool) {
	if e.options.At == nil {
		return pairs, true
	}
	for _, p := range pairs {
		from, hasFrom := slices.BinarySearch(e.local, p[0])
		to, hasTo := slices.BinarySearch(e.local, p[1])
		if hasFrom != hasTo {
			return nil, false
		}
		if hasFrom {
			rows = append(rows, [2]int{from, to})
		}
	}
	return rows, true
}

// rows converts groups of positions to groups of rows, and leaves out groups without a member in
// this process. inside is false, and rows nil, if a group has members both here and in other
// processes.
func (e *Executable) rows(groups [][]int) (rows [][]int, inside bool) {
	if e.options.At == nil {
		return groups, true
	}
	for _, group := range groups {
		var row []int
		for _, pos := range group {
			if i, ok := slices.BinarySearch(e.local, pos); ok {
				row = append(row, i)
			}
		}
		if len(row) > 0 && len(row) < len(group) {
			return nil, false
		}
		if len(row) > 0 {
			rows = append(rows, row)
		}
	}
	return rows, true
}

// prepare returns an error if op has groups that do not have each device once, or combines elements
// by more than one op, such as a body of two ops. Otherwise it registers op, if it is a collective,
// for Traffic.
func (e *Executable) prepare(op *ir.Op) error {
	groups, err := e.groups(op)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(groups, func(g []int) bool { return len(g) > 1 }) && len(op.Regions) > 0 {
		if _, ok := ir.ReductionOf(op); !ok {
			return fmt.Errorf("the Go engine combines by one op only, such as stablehlo.add: write the reduction that way")
		}
	}
	if op.Info().Is(ir.Collective) && e.traffic[op] == nil {
		e.traffic[op] = &Traffic{Op: op, Sent: make([]int, e.mesh.Size())}
		e.order = append(e.order, op)
	}
	return nil
}

// groups returns the devices that communicate with each other in op, as positions of the mesh. Each
// position is in one group. Empty replica_groups stand for one group of all positions. It returns
// nil if op has neither groups nor mesh axes. Groups that do not have each device once are an
// error.
func (e *Executable) groups(op *ir.Op) ([][]int, error) {
	size := e.mesh.Size()
	if axes, ok := op.Attrs.Get("axes").(ir.AxesAttr); ok && op.Info().Is(ir.OnMesh) {
		return e.mesh.ReplicaGroups(axes), nil
	}
	if !op.Has(ir.GroupsAttr) {
		return nil, nil
	}
	var out [][]int
	seen := make([]bool, size)
	for _, row := range op.Matrix(ir.GroupsAttr) {
		// shorter groups are padded with -1
		group := slices.DeleteFunc(slices.Clone(row), func(pos int) bool { return pos < 0 })
		for _, pos := range group {
			if pos >= size || seen[pos] {
				return nil, fmt.Errorf("replica_groups name device %d, want each of the %d devices once", pos, size)
			}
			seen[pos] = true
		}
		out = append(out, group)
	}
	if len(out) == 0 || len(out) == 1 && len(out[0]) == 0 {
		out = [][]int{make([]int, size)}
		for pos := range size {
			out[0][pos] = pos
		}
		return out, nil
	}
	if pos := slices.Index(seen, false); pos >= 0 {
		return nil, fmt.Errorf("replica_groups leave out device %d, want each of the %d devices once", pos, size)
	}
	return out, nil
}

// results returns an empty table for the results: a row for each row of in, with a place for each
// result of the op.
func (x *exchange) results(in [][]*interp.Tensor) [][]*interp.Tensor {
	out := make([][]*interp.Tensor, len(in))
	for pos := range out {
		out[pos] = make([]*interp.Tensor, len(x.op.Results))
	}
	return out
}

// reduction returns the kind of the op that a collective combines elements by; add if the
// collective does not say.
func (x *exchange) reduction() ir.OpKind {
	if x.op.Info().Is(ir.OnMesh) {
		return x.op.Reduction()
	}
	if kind, ok := ir.ReductionOf(x.op); ok {
		return kind
	}
	return ir.OpAdd // StableHLO's cross-replica-sum
}

// column returns operand i of each member of a group of rows, in the order of the group.
func column(in [][]*interp.Tensor, group []int, i int) []*interp.Tensor {
	out := make([]*interp.Tensor, len(group))
	for k, pos := range group {
		out[k] = in[pos][i]
	}
	return out
}

// allReduce combines the operands in the order of the group. It counts the bytes of a ring
// algorithm: the tensor has a part for each member, and parts may differ by one element. In n-1
// steps, partial results of each part pass from member to member until one member has the complete
// part. In n-1 more steps, the complete parts pass around. A member sends all parts but one in each
// of the two phases.
func allReduce(x *exchange, in [][]*interp.Tensor) ([][]*interp.Tensor, error) {
	out := x.results(in)
	for _, group := range x.groups {
		n := len(group)
		for i := range x.op.Operands {
			parts := column(in, group, i)
			sum := parts[0]
			if n > 1 {
				sum = interp.Combine(x.reduction(), parts)
			}
			size := sum.Type.Size()
			for k, pos := range group {
				if n > 1 {
					x.sent[pos] += (2*size - ringPart(size, n, k+1) - ringPart(size, n, k+2)) * ir.ElementBytes(sum.Type.DType)
				}
				out[pos][i] = sum
			}
		}
	}
	return out, nil
}

// ringPart returns the number of elements of part k modulo n, if a tensor of the given size is
// divided into n parts.
func ringPart(size, n, k int) int {
	if k%n < size%n {
		return size/n + 1
	}
	return size / n
}

// allGather is the collective all_gather: it joins the operands of the members of each group, in
// the order of the group. Each shard passes through the ring to all other members, and counts as
// sent by its own device.
func allGather(x *exchange, in [][]*interp.Tensor) ([][]*interp.Tensor, error) {
	out := x.results(in)
	_, dim := x.op.CollectiveDims()
	for _, group := range x.groups {
		for i := range x.op.Operands {
			shards := column(in, group, i)
			full := interp.Concatenate(shards, dim)
			for k, pos := range group {
				x.sent[pos] += (len(group) - 1) * len(shards[k].Data)
				out[pos][i] = full
			}
		}
	}
	return out, nil
}

// reduceScatter is the collective reduce_scatter: it gives member k of a group the combination of
// part k of all members' operands. Each member counts as sending all parts but one.
func reduceScatter(x *exchange, in [][]*interp.Tensor) ([][]*interp.Tensor, error) {
	out := x.results(in)
	d, _ := x.op.CollectiveDims()
	for _, group := range x.groups {
		for i := range x.op.Operands {
			parts := column(in, group, i)
			size := parts[0].Type.Dims[d] / len(group)
			for k, pos := range group {
				mine := make([]*interp.Tensor, len(parts))
				for p, part := range parts {
					mine[p] = interp.Slice(part, d, k*size, size)
				}
				out[pos][i] = mine[0]
				if len(mine) > 1 {
					out[pos][i] = interp.Combine(x.reduction(), mine)
				}
				x.sent[pos] += (len(group) - 1) * len(out[pos][i].Data)
			}
		}
	}
	return out, nil
}

// allToAll is the collective all_to_all: it gives member k of a group the parts k of all members'
// operands, joined in the order of the group. Parts for other members count as sent.
func allToAll(x *exchange, in [][]*interp.Tensor) ([][]*interp.Tensor, error) {
	out := x.results(in)
	from, to := x.op.CollectiveDims()
	for _, group := range x.groups {
		for i := range x.op.Operands {
			shards := column(in, group, i)
			size := shards[0].Type.Dims[from] / len(group)
			for k, pos := range group {
				parts := make([]*interp.Tensor, len(shards))
				for p, shard := range shards {
					parts[p] = interp.Slice(shard, from, k*size, size)
					if p != k {
						x.sent[group[p]] += len(parts[p].Data)
					}
				}
				out[pos][i] = interp.Concatenate(parts, to)
			}
		}
	}
	return out, nil
}

// permute is the collective collective_permute: it sends each device's operand to at most one other
// device. A device that receives nothing gets zeros. Pairs with a device that does not exist are an
// error.
func permute(x *exchange, in [][]*interp.Tensor) ([][]*interp.Tensor, error) {
	out := x.results(in)
	for _, pair := range x.pairs {
		from, to := pair[0], pair[1]
		if from < 0 || from >= len(in) || to < 0 || to >= len(in) {
			return nil, fmt.Errorf("source_target_pairs name devices %d and %d, want 0 to %d", from, to, len(in)-1)
		}
		out[to][0] = in[from][0]
		if from != to {
			x.sent[from] += len(in[from][0].Data)
		}
	}
	for pos := range out {
		if out[pos][0] == nil {
			out[pos][0] = interp.New(in[pos][0].Type)
		}
	}
	return out, nil
}

// pairsOf returns the pairs of a sending and a receiving position of op, a permutation, in groups
// of positions; none for other ops.
func pairsOf(op *ir.Op, groups [][]int) (pairs [][2]int, err error) {
	if c := ir.CollectiveOf(op.Kind); c != nil && c.Pairs != nil {
		return c.Pairs(op, groups)
	}
	if op.Has(ir.PairsAttr) {
		for _, row := range op.Matrix(ir.PairsAttr) {
			pairs = append(pairs, [2]int{row[0], row[1]})
		}
	}
	return pairs, nil
}

// broadcast is the collective collective_broadcast: it gives all members of a group the operand of
// the first one. Each member except the last counts as sending it to the next one.
func broadcast(x *exchange, in [][]*interp.Tensor) ([][]*interp.Tensor, error) {
	out := x.results(in)
	for _, group := range x.groups {
		for k, pos := range group {
			out[pos][0] = in[group[0]][0]
			if k+1 < len(group) {
				x.sent[pos] += len(in[pos][0].Data) // each member sends it to the next one
			}
		}
	}
	return out, nil
}

// number returns one result for each row: a scalar with the number that of returns for the row.
func (x *exchange) number(in [][]*interp.Tensor, of func(row int) int) [][]*interp.Tensor {
	out, t := x.results(in), x.op.Results[0].Type
	for pos := range out {
		data := binary.NativeEndian.AppendUint32(interp.Alloc(4)[:0], uint32(of(pos)))
		out[pos][0] = interp.FromBytes(t, data)
	}
	return out
}

func axisIndex(x *exchange, in [][]*interp.Tensor) ([][]*interp.Tensor, error) {
	return x.number(in, func(row int) int { return x.mesh.RefsCoordinate(x.positions[row], x.op.SPMDAxisIndex().Axes()) }), nil
}

func replicaID(x *exchange, in [][]*interp.Tensor) ([][]*interp.Tensor, error) {
	return x.number(in, func(row int) int { return x.positions[row] }), nil
}

func partitionID(x *exchange, in [][]*interp.Tensor) ([][]*interp.Tensor, error) {
	return x.number(in, func(int) int { return 0 }), nil
}

func identity(x *exchange, in [][]*interp.Tensor) ([][]*interp.Tensor, error) {
	if len(in) > 1 {
		return nil, fmt.Errorf("it is an op on global shapes, in a program for %d devices", len(in))
	}
	return in, nil
}
