package target

// This file implements emit, which replaces the spmd ops of a per-device program by StableHLO ops.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
)

// emit returns a copy of m with its spmd ops replaced by StableHLO ops:
//
//	sdy.mesh @mesh = <["x"=2, "y"=2]>
//	%0 = spmd.axis_index {"x"}
//	%1 = spmd.all_reduce %a axes={"y"} reduction=add
//	=>
//	module attributes {mhlo.num_replicas = 4}
//	%0 = convert (remainder (divide replica_id, 2), 2)
//	%1 = all_reduce %a {replica_groups = [[0, 1], [2, 3]]} by add
//
// Replica i is the device at position i of the mesh. With a placement, it is the i-th device of
// this process, and collectives that cross processes become custom calls, which name the program by
// the number. The second result lists these. A module without a mesh is returned as it is. Only
// here does the size of a program depend on the number of devices.
func emit(m *ir.Module, at *program.Placement, number int) (*ir.Module, []Crossing) {
	if len(m.Meshes) == 0 {
		return m, nil
	}
	out := m.Clone()
	e := &emitter{mesh: out.Meshes[0].Mesh, groups: map[string][][]int{}}
	replicas := e.mesh.Size()
	if at != nil {
		e.process = newProcess(at, number)
		replicas = len(e.process.positions)
	}
	out.Meshes = nil
	out.Attrs = append(out.Attrs[:len(out.Attrs):len(out.Attrs)],
		ir.NamedAttr{Name: "mhlo.num_partitions", Value: ir.Int32(1)},
		ir.NamedAttr{Name: "mhlo.num_replicas", Value: ir.Int32(replicas)})
	for i, f := range out.Funcs {
		e.replace(f, m.Funcs[i])
		e.orderAll(f)
	}
	if at == nil {
		return out, nil
	}
	return out, e.process.crossings
}

// emitter replaces the spmd ops of one module.
type emitter struct {
	ir.Builder
	mesh     *mesh.DeviceMesh
	groups   map[string][][]int // replica groups by axes
	*process                    // nil: one process has all devices
}

// replace replaces the spmd ops of f, a clone of the function original, by ops of StableHLO.
// Crossings name the ops of original.
func (e *emitter) replace(f, original *ir.Func) {
	var originals []*ir.Op
	original.Walk(func(op *ir.Op) {
		if replacements[op.Kind] != nil {
			originals = append(originals, op)
		}
	})
	f.Walk(func(op *ir.Op) {
		replacement := replacements[op.Kind]
		if replacement == nil {
			return
		}
		e.Before(op).Loc = op.Loc
		results := []*ir.Value(nil)
		if e.crosses(op) {
			results = e.emitCrossing(op, originals[0])
		} else {
			results = replacement(e, op)
		}
		if results != nil {
			op.ReplaceWith(results...)
		}
		originals = originals[1:]
	})
}

// replacements holds, by kind of op, a function that builds the values which replace the results of
// an op; it returns nil if the op stays. It has each kind of spmd op, and other kinds that
// compilers need in another form.
var replacements = map[ir.OpKind]func(e *emitter, op *ir.Op) []*ir.Value{
	ir.OpSPMDAxisIndex:     (*emitter).axisIndex,
	ir.OpSPMDAllReduce:     (*emitter).allReduce,
	ir.OpSPMDAllGather:     (*emitter).allGather,
	ir.OpSPMDReduceScatter: (*emitter).reduceScatter,
	ir.OpSPMDAllToAll:      (*emitter).allToAll,
	ir.OpSPMDPermute:       (*emitter).permute,
	ir.OpSPMDShift:         (*emitter).permute,
	ir.OpFFT:               (*emitter).fft,
	ir.OpScatter:           (*emitter).scatter,
}

func (e *emitter) number(dtype dtypes.DType, n int) *ir.Value {
	return e.Constant(ir.Scalar(dtype, float64(n)))
}

// axisIndex returns the coordinate of the device along the axes of op, an i32 scalar. It is
// computed from the device's position, by at most one division and one remainder for each axis.
func (e *emitter) axisIndex(op *ir.Op) []*ir.Value {
	id := e.position()
	sum := e.number(dtypes.Uint32, 0)
	for _, a := range op.SPMDAxisIndex().Axes() {
		// The coordinate of position p is p / stride mod size.
		size, stride := e.mesh.RefSize(a), e.mesh.RefStride(a)
		c := id
		if stride > 1 {
			c = e.Divide(c, e.number(dtypes.Uint32, stride))
		}
		if stride*size < e.mesh.Size() {
			c = e.Remainder(c, e.number(dtypes.Uint32, size))
		}
		sum = e.Add(e.Multiply(sum, e.number(dtypes.Uint32, size)), c)
	}
	return []*ir.Value{e.Convert(sum, ir.Tensor(dtypes.Int32))}
}

// positionGroups returns the groups of positions of the mesh that differ only along axes, as
// DeviceMesh.ReplicaGroups does. It keeps them for the next call.
func (e *emitter) positionGroups(axes []mesh.AxisRef) [][]int {
	key := fmt.Sprint(axes)
	if e.groups[key] == nil {
		e.groups[key] = e.mesh.ReplicaGroups(axes)
	}
	return e.groups[key]
}

// replicaGroups returns the groups of replicas that differ only along axes. With several processes
// it returns only the groups that are entirely in this one.
func (e *emitter) replicaGroups(axes []mesh.AxisRef) [][]int {
	return e.replicas(e.positionGroups(axes))
}

// allReduce returns the results of the all_reduce ops that replace op, one for the operands of each
// element type: StableHLO's all_reduce has one body for all its operands.
func (e *emitter) allReduce(op *ir.Op) []*ir.Value {
	groups := e.replicaGroups(op.SPMDAllReduce().Axes())
	return buildByType(op.Operands, func(operands []*ir.Value) []*ir.Value {
		return e.buildReduction(op.Reduction(), operands, func(operands []*ir.Value, body *ir.Block) []*ir.Value {
			return e.AllReduce(operands, groups, body).Results
		})
	})
}

// buildByType calls build once for the operands of each element type, and returns all its results
// in the order of operands.
func buildByType(operands []*ir.Value, build func(operands []*ir.Value) []*ir.Value) []*ir.Value {
	out := make([]*ir.Value, len(operands))
	for i, v := range operands {
		if out[i] != nil {
			continue
		}
		var indices []int
		var alike []*ir.Value
		for k, w := range operands {
			if w.Type.DType == v.Type.DType {
				indices, alike = append(indices, k), append(alike, w)
			}
		}
		for k, r := range build(alike) {
			out[indices[k]] = r
		}
	}
	return out
}

// reduceScatter returns the results of the reduce_scatter ops that replace op, one for each
// operand, because StableHLO's has only one. They are next to each other.
func (e *emitter) reduceScatter(op *ir.Op) []*ir.Value {
	scatter := op.SPMDReduceScatter()
	groups := e.replicaGroups(scatter.Axes())
	return buildByType(op.Operands, func(operands []*ir.Value) []*ir.Value {
		return e.buildReduction(op.Reduction(), operands, func(operands []*ir.Value, _ *ir.Block) []*ir.Value {
			var out []*ir.Value
			for _, v := range operands {
				out = append(out, e.ReduceScatter(v, scatter.Dim(), groups, ir.ReductionBody(op.Reduction(), v.Type.DType)))
			}
			return out
		})
	})
}

// buildReduction returns the results of the collective that build makes of operands, which have one
// element type, and of the body of the reduction. If XLA loses NaN in that reduction, the
// collective is on integers.
func (e *emitter) buildReduction(reduction ir.OpKind, operands []*ir.Value, build func(operands []*ir.Value, body *ir.Block) []*ir.Value) []*ir.Value {
	dtype := operands[0].Type.DType
	if !losesNaN(reduction, dtype) {
		return build(operands, ir.ReductionBody(reduction, dtype))
	}
	ordered := make([]*ir.Value, len(operands))
	for i, v := range operands {
		ordered[i] = e.encodeOrdered(v, reduction)
	}
	out := slices.Clone(build(ordered, ir.ReductionBody(reduction, ordered[0].Type.DType)))
	for i, v := range out {
		out[i] = e.decodeOrdered(v, dtype)
	}
	return out
}

// allGather returns the results of the all_gather that replaces op. It reshapes matrices to vectors
// if it gathers several. XLA:CPU puts the bytes of the devices one after the other, which is right
// for only one memory layout. If it gathers several matrices at once, it mixes elements of the
// later ones in some programs (keras' TestAccumulationOnMeshes has one). Vectors have only one
// layout.
func (e *emitter) allGather(op *ir.Op) []*ir.Value {
	gather := op.SPMDAllGather()
	groups := e.replicaGroups(gather.Axes())
	if len(op.Operands) == 1 {
		return e.AllGather(op.Operands, gather.Dim(), groups).Results
	}
	n := e.mesh.RefsSize(gather.Axes())
	vectors := make([]*ir.Value, len(op.Operands))
	for i, v := range op.Operands {
		vectors[i] = e.Reshape(v, ir.Tensor(v.Type.DType, v.Type.Size()))
	}
	out := slices.Clone(e.AllGather(vectors, 0, groups).Results)
	for i, v := range out {
		out[i] = concatenate(&e.Builder, v, n, gather.Dim(), op.Operands[i].Type, op.Results[i].Type)
	}
	return out
}

// concatenate returns a value of type full: n parts, each of type part, joined along dimension dim.
// v is a vector of the elements of one part after the other, each row-major. b appends the ops.
func concatenate(b *ir.Builder, v *ir.Value, n, dim int, part, full ir.Type) *ir.Value {
	if dim > 0 {
		v = b.Reshape(v, ir.Tensor(part.DType, slices.Insert(slices.Clone(part.Dims), 0, n)...))
		order := make([]int, part.Rank()+1) // moves the dimension of the parts to before dim
		for i := range order {
			order[i] = i
			if i < dim {
				order[i] = i + 1
			}
		}
		order[dim] = 0
		v = b.Transpose(v, order)
	}
	return b.Reshape(v, full)
}

// allToAll returns the results of the all_to_all that replaces op. Its operands are made row-major:
// XLA slices an operand into parts and may find that some of them are constants, such as padding.
// It gives these another memory layout, and then refuses parts of different layouts.
func (e *emitter) allToAll(op *ir.Op) []*ir.Value {
	a := op.SPMDAllToAll()
	operands := make([]*ir.Value, len(op.Operands))
	for i, v := range op.Operands {
		operands[i] = e.rowMajor(v)
	}
	return e.AllToAll(operands, a.SplitDim(), a.ConcatDim(), e.mesh.RefsSize(a.Axes()), e.replicaGroups(a.Axes())).Results
}

// permute returns the result of the collective_permute that replaces op, with the pairs that follow
// from op's two shardings.
func (e *emitter) permute(op *ir.Op) []*ir.Value {
	return []*ir.Value{e.CollectivePermute(op.Operands[0], e.replicas(e.pairs(op)))}
}

// groupsOf returns the groups of positions that communicate in op, or nil if op has no axes.
func (e *emitter) groupsOf(op *ir.Op) [][]int {
	axes, ok := op.Attrs.Get("axes").(ir.AxesAttr)
	if !ok {
		return nil
	}
	return e.positionGroups(axes)
}

// pairs returns, for a permute or shift, the pairs of a sending and a receiving position. A device
// that receives nothing gets zeros.
func (e *emitter) pairs(op *ir.Op) (pairs [][]int) {
	found, err := ir.CollectiveOf(op.Kind).Pairs(op, e.groupsOf(op))
	if err != nil {
		panic("BUG: " + err.Error()) // the verifier has checked it
	}
	for i := range found {
		pairs = append(pairs, found[i][:])
	}
	return pairs
}

// fft returns the result of the fft that replaces op, with a row-major memory layout for its
// operand and result. XLA on CPUs gives a result the layout that its user wants, such as an
// all_gather along an inner dimension, and then cannot transform it.
func (e *emitter) fft(op *ir.Op) []*ir.Value {
	x := e.rowMajor(op.Operands[0])
	return []*ir.Value{e.rowMajor(e.OpWithTypes(ir.OpFFT, op.Attrs, []ir.Type{op.Result().Type}, x).Result())}
}

// rowMajor returns v through a custom call that makes XLA give it a row-major memory layout.
func (e *emitter) rowMajor(v *ir.Value) *ir.Value {
	layouts := ir.RowMajorLayouts([]ir.Type{v.Type})
	return e.OpWithTypes(ir.OpCustomCall, ir.Attrs{
		{Name: "call_target_name", Value: ir.String("LayoutConstraint")},
		{Name: "operand_layouts", Value: layouts}, {Name: "result_layouts", Value: layouts},
	}, []ir.Type{v.Type}, v).Result()
}
