package compile

// This file writes per-device programs in the ops that XLA knows.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// expand returns m with the spmd ops in the terms of StableHLO:
//
//	sdy.mesh @mesh = <["x"=2, "y"=2]>
//	%0 = spmd.axis_index {"x"}
//	%1 = spmd.all_reduce %a axes={"y"} reduction=add
//	=>
//	module attributes {mhlo.num_replicas = 4}
//	%0 = convert (remainder (divide replica_id, 2), 2)
//	%1 = all_reduce %a {replica_groups = [[0, 1], [2, 3]]} by add
//
// Replica i is the device at position i of the mesh. This is the only place
// where a program grows with the number of devices.
func expand(m *ir.Module) *ir.Module {
	if len(m.Meshes) == 0 {
		return m
	}
	out := m.Clone()
	e := &expander{mesh: out.Meshes[0].Mesh, groups: map[string]*ir.Dense{}}
	out.Meshes = nil
	out.Attrs = append(out.Attrs[:len(out.Attrs):len(out.Attrs)],
		ir.NamedAttr{Name: "mhlo.num_partitions", Value: ir.Int32(1)},
		ir.NamedAttr{Name: "mhlo.num_replicas", Value: ir.Int32(e.mesh.Size())})
	by := map[*ir.Value]*ir.Value{}
	for _, f := range out.Funcs {
		e.block(f.Body, by)
		f.Replace(by)
	}
	return out
}

// expander replaces the ops of one module.
type expander struct {
	ir.Builder
	mesh   *mesh.DeviceMesh
	groups map[string]*ir.Dense // replica groups by axes
}

// expansions says what each kind of op becomes: the values that take the place
// of its results.
var expansions = map[ir.OpKind]func(e *expander, op *ir.Op) []*ir.Value{
	ir.OpSPMDAxisIndex:     (*expander).axisIndex,
	ir.OpSPMDAllReduce:     (*expander).allReduce,
	ir.OpSPMDAllGather:     (*expander).allGather,
	ir.OpSPMDReduceScatter: (*expander).reduceScatter,
	ir.OpSPMDAllToAll:      (*expander).allToAll,
	ir.OpSPMDPermute:       (*expander).permute,
	ir.OpSPMDShift:         (*expander).shift,
}

// block rebuilds b; by learns what stands for the results of replaced ops.
func (e *expander) block(b *ir.Block, by map[*ir.Value]*ir.Value) {
	old := slices.Collect(b.Ops())
	b.SetOps(nil)
	for _, op := range old {
		for _, r := range op.Regions {
			e.block(r, by)
		}
		do := expansions[op.Kind]
		if do == nil {
			b.Append(op)
			continue
		}
		for i, v := range op.Operands {
			for w, ok := by[v]; ok; w, ok = by[v] {
				v = w
			}
			op.SetOperand(i, v)
		}
		e.AtEnd(b).Loc = op.Loc
		for i, v := range do(e, op) {
			by[op.Results[i]] = v
		}
	}
}

// add appends an op with one result.
func (e *expander) add(kind ir.OpKind, attrs ir.Attrs, t ir.Type, operands ...*ir.Value) *ir.Value {
	return e.Typed(kind, attrs, []ir.Type{t}, operands...).Result()
}

func (e *expander) number(dtype dtypes.DType, n int) *ir.Value {
	d := ir.Scalar(dtype, float64(n))
	return e.add(ir.OpConstant, ir.Attrs{{Name: "value", Value: d}}, d.Type)
}

// axisIndex computes the coordinate from the replica's number: one division
// and one remainder for each axis.
func (e *expander) axisIndex(op *ir.Op) []*ir.Value {
	t := ir.Tensor(dtypes.Uint32)
	id := e.add(ir.OpReplicaID, nil, t)
	arith := func(kind ir.OpKind, v *ir.Value, n int) *ir.Value {
		return e.add(kind, nil, t, v, e.number(dtypes.Uint32, n))
	}
	sum := e.number(dtypes.Uint32, 0)
	for _, a := range op.Axes("axes") {
		// The coordinate of position p is p / stride mod size.
		size, stride := e.mesh.RefSize(a), e.mesh.RefStride(a)
		c := id
		if stride > 1 {
			c = arith(ir.OpDivide, c, stride)
		}
		if stride*size < e.mesh.Size() {
			c = arith(ir.OpRemainder, c, size)
		}
		sum = e.add(ir.OpAdd, nil, t, arith(ir.OpMultiply, sum, size), c)
	}
	return []*ir.Value{e.add(ir.OpConvert, nil, ir.Tensor(dtypes.Int32), sum)}
}

// replicaGroups returns the attribute for the groups along axes.
func (e *expander) replicaGroups(axes []mesh.AxisRef) ir.NamedAttr {
	key := fmt.Sprint(axes)
	if e.groups[key] == nil {
		groups := e.mesh.ReplicaGroups(axes)
		e.groups[key] = ir.IntMatrix(groups, len(groups[0]))
	}
	return ir.NamedAttr{Name: "replica_groups", Value: e.groups[key]}
}

// allReduce: StableHLO's has one body, so operands of one element type go
// together.
func (e *expander) allReduce(op *ir.Op) []*ir.Value {
	out := make([]*ir.Value, len(op.Operands))
	groups := e.replicaGroups(op.Axes("axes"))
	for i, v := range op.Operands {
		if out[i] != nil {
			continue
		}
		dtype := v.Type.DType
		var together []int
		var operands []*ir.Value
		for k, w := range op.Operands {
			if w.Type.DType == dtype {
				together, operands = append(together, k), append(operands, w)
			}
		}
		for k, r := range e.reduced(ir.OpAllReduce, ir.Attrs{groups}, op, operands, nil) {
			out[together[k]] = r
		}
	}
	return out
}

// allGather: XLA:CPU, asked for several matrices at once, mixes elements of the
// later ones in some programs (keras' TestAccumulationOnMeshes has one): its
// collectives put what the devices send one behind the other, which is right in
// one order of memory only. Vectors have but one: several are gathered as such.
func (e *expander) allGather(op *ir.Op) []*ir.Value {
	groups := e.replicaGroups(op.Axes("axes"))
	if len(op.Operands) == 1 {
		return []*ir.Value{e.add(ir.OpAllGather, ir.Attrs{{Name: "all_gather_dim", Value: ir.Int(op.Int("dim"))}, groups}, op.Result().Type, op.Operands[0])}
	}
	n := e.mesh.RefsSize(op.Axes("axes"))
	rows, types := make([]*ir.Value, len(op.Operands)), make([]ir.Type, len(op.Operands))
	for i, v := range op.Operands {
		rows[i] = e.add(ir.OpReshape, nil, ir.Tensor(v.Type.DType, v.Type.Size()), v)
		types[i] = ir.Tensor(v.Type.DType, n*v.Type.Size())
	}
	all := e.Typed(ir.OpAllGather, ir.Attrs{{Name: "all_gather_dim", Value: ir.Int(0)}, groups}, types, rows...)
	out := make([]*ir.Value, len(rows))
	for i, v := range all.Results {
		out[i] = e.joined(v, n, op.Int("dim"), op.Operands[i].Type, op.Results[i].Type)
	}
	return out
}

// joined puts the n parts that stand one behind the other in v beside each
// other along dim.
func (e *expander) joined(v *ir.Value, n, dim int, part, whole ir.Type) *ir.Value {
	if dim > 0 {
		parts := ir.Tensor(part.DType, slices.Insert(slices.Clone(part.Dims), 0, n)...)
		order := make(ir.Ints, len(parts.Dims)) // the first goes before dim
		for i := range order {
			order[i] = pick(i < dim, i+1, i)
		}
		order[dim] = 0
		beside := ir.Tensor(part.DType, slices.Insert(slices.Clone(part.Dims), dim, n)...)
		v = e.add(ir.OpTranspose, ir.Attrs{{Name: "permutation", Value: order}}, beside, e.add(ir.OpReshape, nil, parts, v))
	}
	return e.add(ir.OpReshape, nil, whole, v)
}

func (e *expander) reduceScatter(op *ir.Op) []*ir.Value {
	return e.reduced(ir.OpReduceScatter, ir.Attrs{
		{Name: "scatter_dimension", Value: ir.Int(op.Int("dim"))}, e.replicaGroups(op.Axes("axes")),
	}, op, op.Operands, op.Result().Type.Dims)
}

// reduced appends the collective of the given kind that does op's reduction of
// operands of one element type. The results have the sizes dims, or those of
// the operands.
func (e *expander) reduced(kind ir.OpKind, attrs ir.Attrs, op *ir.Op, operands []*ir.Value, dims []int) []*ir.Value {
	dtype := operands[0].Type.DType
	asIntegers := losesNaN(op.Reduction(), dtype)
	sent := make([]*ir.Value, len(operands))
	types := make([]ir.Type, len(operands))
	for i, v := range operands {
		sent[i] = v
		if asIntegers {
			sent[i] = e.ordered(v, op.Reduction())
		}
		types[i] = sent[i].Type
		if dims != nil {
			types[i].Dims = dims
		}
	}
	all := ir.NewOp(kind, sent, attrs, types, ir.ReductionBody(op.Reduction(), types[0].DType))
	all.Loc = op.Loc
	e.Insert(all)
	if !asIntegers {
		return all.Results
	}
	out := make([]*ir.Value, len(sent))
	for i, v := range all.Results {
		out[i] = e.unordered(v, ir.Tensor(dtype, v.Type.Dims...))
	}
	return out
}

func (e *expander) allToAll(op *ir.Op) []*ir.Value {
	return []*ir.Value{e.add(ir.OpAllToAll, ir.Attrs{
		{Name: "split_dimension", Value: ir.Int(op.Int("split_dim"))},
		{Name: "concat_dimension", Value: ir.Int(op.Int("concat_dim"))},
		{Name: "split_count", Value: ir.Int(e.mesh.RefsSize(op.Axes("axes")))},
		e.replicaGroups(op.Axes("axes")),
	}, op.Result().Type, op.Operands[0])}
}

// permute sends along the pairs that the two shardings make.
func (e *expander) permute(op *ir.Op) []*ir.Value {
	from, to := op.Attrs.Get("from").(ir.ShardingAttr), op.Attrs.Get("to").(ir.ShardingAttr)
	pairs, err := layout.PermutePairs(from.Sharding, to.Sharding)
	if err != nil {
		panic("BUG: " + err.Error()) // the verifier has checked it
	}
	return e.send(op, pairs)
}

// shift sends to each device the operand of the one that the op says; who gets
// nothing has zeros.
func (e *expander) shift(op *ir.Op) []*ir.Value {
	var pairs [][2]int
	for _, group := range e.mesh.ReplicaGroups(op.Axes("axes")) {
		for i, to := range group {
			if from := op.ShiftSource(i); from >= 0 && from < len(group) {
				pairs = append(pairs, [2]int{group[from], to})
			}
		}
	}
	return e.send(op, pairs)
}

func (e *expander) send(op *ir.Op, pairs [][2]int) []*ir.Value {
	rows := make([][]int, len(pairs))
	for i := range pairs {
		rows[i] = pairs[i][:]
	}
	return []*ir.Value{e.add(ir.OpCollectivePermute, ir.Attrs{
		{Name: "source_target_pairs", Value: ir.IntMatrix(rows, 2)},
	}, op.Result().Type, op.Operands[0])}
}
