package compile

// This file implements emit: it writes per-device programs in the ops that
// StableHLO has.

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// emit returns m with the spmd ops in the terms of StableHLO:
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
func emit(m *ir.Module) *ir.Module {
	if len(m.Meshes) == 0 {
		return m
	}
	out := m.Clone()
	e := &emitter{mesh: out.Meshes[0].Mesh, groups: map[string][][]int{}}
	out.Meshes = nil
	out.Attrs = append(out.Attrs[:len(out.Attrs):len(out.Attrs)],
		ir.NamedAttr{Name: "mhlo.num_partitions", Value: ir.Int32(1)},
		ir.NamedAttr{Name: "mhlo.num_replicas", Value: ir.Int32(e.mesh.Size())})
	for _, f := range out.Funcs {
		f.Walk(func(op *ir.Op) {
			if replacement := replacements[op.Kind]; replacement != nil {
				e.Before(op).Loc = op.Loc
				op.ReplaceWith(replacement(e, op)...)
			}
		})
	}
	return out
}

// emitter replaces the spmd ops of one module.
type emitter struct {
	ir.Builder
	mesh   *mesh.DeviceMesh
	groups map[string][][]int // replica groups by axes
}

// replacements builds, for each kind of spmd op, and for those that need something
// beside collectives, the values that replace its results.
var replacements = map[ir.OpKind]func(e *emitter, op *ir.Op) []*ir.Value{
	ir.OpSPMDAxisIndex:     (*emitter).axisIndex,
	ir.OpSPMDAllReduce:     (*emitter).allReduce,
	ir.OpSPMDAllGather:     (*emitter).allGather,
	ir.OpSPMDReduceScatter: (*emitter).reduceScatter,
	ir.OpSPMDAllToAll:      (*emitter).allToAll,
	ir.OpSPMDPermute:       (*emitter).permute,
	ir.OpSPMDShift:         (*emitter).shift,
	ir.OpFFT:               (*emitter).fft,
}

func (e *emitter) number(dtype dtypes.DType, n int) *ir.Value {
	return e.Constant(ir.Scalar(dtype, float64(n)))
}

// axisIndex computes the coordinate from the replica's number: one division
// and one remainder for each axis.
func (e *emitter) axisIndex(op *ir.Op) []*ir.Value {
	id := e.ReplicaID()
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

// replicaGroups returns the groups of replicas along axes.
func (e *emitter) replicaGroups(axes []mesh.AxisRef) [][]int {
	key := fmt.Sprint(axes)
	if e.groups[key] == nil {
		e.groups[key] = e.mesh.ReplicaGroups(axes)
	}
	return e.groups[key]
}

// allReduce makes one op for the operands of each element type: StableHLO's has
// one body for all its operands.
func (e *emitter) allReduce(op *ir.Op) []*ir.Value {
	groups := e.replicaGroups(op.SPMDAllReduce().Axes())
	out := make([]*ir.Value, len(op.Operands))
	for i, v := range op.Operands {
		if out[i] != nil {
			continue
		}
		var indices []int
		var operands []*ir.Value
		for k, w := range op.Operands {
			if w.Type.DType == v.Type.DType {
				indices, operands = append(indices, k), append(operands, w)
			}
		}
		results := e.reduced(op.Reduction(), operands, func(operands []*ir.Value, body *ir.Block) []*ir.Value {
			return e.AllReduce(operands, groups, body).Results
		})
		for k, r := range results {
			out[indices[k]] = r
		}
	}
	return out
}

func (e *emitter) reduceScatter(op *ir.Op) []*ir.Value {
	scatter := op.SPMDReduceScatter()
	return e.reduced(op.Reduction(), op.Operands, func(operands []*ir.Value, body *ir.Block) []*ir.Value {
		return []*ir.Value{e.ReduceScatter(operands[0], scatter.Dim(), e.replicaGroups(scatter.Axes()), body)}
	})
}

// reduced builds a collective that reduces operands of one element type.
func (e *emitter) reduced(reduction ir.OpKind, operands []*ir.Value, build func(operands []*ir.Value, body *ir.Block) []*ir.Value) []*ir.Value {
	dtype := operands[0].Type.DType
	if !losesNaN(reduction, dtype) {
		return build(operands, ir.ReductionBody(reduction, dtype))
	}
	ordered := make([]*ir.Value, len(operands))
	for i, v := range operands {
		ordered[i] = e.ordered(v, reduction)
	}
	out := slices.Clone(build(ordered, ir.ReductionBody(reduction, ordered[0].Type.DType)))
	for i, v := range out {
		out[i] = e.unordered(v, dtype)
	}
	return out
}

// allGather gathers several matrices as vectors. XLA:CPU, asked for several
// matrices at once, mixes elements of the later ones in some programs (keras'
// TestAccumulationOnMeshes has one): its collectives put what the devices send
// one behind the other, which is right in one order of memory only. Vectors have
// but one.
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
		out[i] = e.concatenated(v, n, gather.Dim(), op.Operands[i].Type, op.Results[i].Type)
	}
	return out
}

// concatenated returns the n parts that stand one behind the other in v, each
// of type part, concatenated along dim to type full.
func (e *emitter) concatenated(v *ir.Value, n, dim int, part, full ir.Type) *ir.Value {
	if dim > 0 {
		v = e.Reshape(v, ir.Tensor(part.DType, slices.Insert(slices.Clone(part.Dims), 0, n)...))
		order := make([]int, part.Rank()+1) // the dimension of parts goes before dim
		for i := range order {
			order[i] = i
			if i < dim {
				order[i] = i + 1
			}
		}
		order[dim] = 0
		v = e.Transpose(v, order)
	}
	return e.Reshape(v, full)
}

func (e *emitter) allToAll(op *ir.Op) []*ir.Value {
	a := op.SPMDAllToAll()
	return e.AllToAll(op.Operands, a.SplitDim(), a.ConcatDim(), e.mesh.RefsSize(a.Axes()), e.replicaGroups(a.Axes())).Results
}

// permute sends along the pairs that the two shardings make.
func (e *emitter) permute(op *ir.Op) []*ir.Value {
	p := op.SPMDPermute()
	pairs, err := layout.PermutePairs(p.From(), p.To())
	if err != nil {
		panic("BUG: " + err.Error()) // the verifier has checked it
	}
	return e.send(op, pairs)
}

// shift sends to each device the operand of the device that the op names; a
// device that is sent nothing has zeros.
func (e *emitter) shift(op *ir.Op) []*ir.Value {
	var pairs [][2]int
	for _, group := range e.mesh.ReplicaGroups(op.SPMDShift().Axes()) {
		for i, to := range group {
			if from := op.ShiftSource(i); from >= 0 && from < len(group) {
				pairs = append(pairs, [2]int{group[from], to})
			}
		}
	}
	return e.send(op, pairs)
}

func (e *emitter) send(op *ir.Op, pairs [][2]int) []*ir.Value {
	rows := make([][]int, len(pairs))
	for i := range pairs {
		rows[i] = pairs[i][:]
	}
	return []*ir.Value{e.CollectivePermute(op.Operands[0], rows)}
}

// StableHLO's minima and maxima are NaN where an operand is, but the collectives
// of XLA's CPU, and NCCL's, leave NaN out. To keep it, the devices compare
// integers of the same order instead, as many bytes.

// sameSize maps each float type to the integer type of its size, with the
// largest and the least number of that.
var sameSize = map[dtypes.DType]struct {
	dtype   dtypes.DType
	largest any // a slice of one
	least   any
}{
	dtypes.Float64:  {dtypes.Int64, []int64{math.MaxInt64}, []int64{math.MinInt64}},
	dtypes.Float32:  {dtypes.Int32, []int32{math.MaxInt32}, []int32{math.MinInt32}},
	dtypes.Float16:  {dtypes.Int16, []int16{math.MaxInt16}, []int16{math.MinInt16}},
	dtypes.BFloat16: {dtypes.Int16, []int16{math.MaxInt16}, []int16{math.MinInt16}},
}

// losesNaN reports whether a reduction of numbers of that type is done on
// integers.
func losesNaN(reduction ir.OpKind, dtype dtypes.DType) bool {
	_, ok := sameSize[dtype]
	return ok && (reduction == ir.OpMinimum || reduction == ir.OpMaximum)
}

// ordered returns x as integers in the same order. The bits of a float that is
// not negative are such; those of a negative one with all but the sign flipped.
// NaN becomes the integer that wins the reduction.
func (e *emitter) ordered(x *ir.Value, reduction ir.OpKind) *ir.Value {
	to := sameSize[x.Type.DType]
	winner := to.least
	if reduction == ir.OpMaximum {
		winner = to.largest
	}
	nan := e.Compare(x, x, "NE")
	bits := e.BitcastConvert(x, x.Type.WithDType(to.dtype))
	return e.Select(nan, e.integer(bits.Type, winner), e.flipped(bits, to.largest))
}

// unordered undoes ordered; the winners are the bits of NaNs.
func (e *emitter) unordered(bits *ir.Value, dtype dtypes.DType) *ir.Value {
	return e.BitcastConvert(e.flipped(bits, sameSize[dtype].largest), bits.Type.WithDType(dtype))
}

// flipped flips all bits but the sign of negative numbers.
func (e *emitter) flipped(bits *ir.Value, mask any) *ir.Value {
	other := e.Xor(bits, e.integer(bits.Type, mask))
	zero := e.BroadcastInDim(e.number(bits.Type.DType, 0), []int{}, bits.Type)
	return e.Select(e.Compare(bits, zero, "LT"), other, bits)
}

// integer returns a tensor of the one number in flat.
func (e *emitter) integer(t ir.Type, flat any) *ir.Value {
	d, err := ir.DenseFromFlat(ir.Tensor(t.DType), flat)
	if err != nil {
		panic(fmt.Sprint("BUG: ", err))
	}
	return e.BroadcastInDim(e.Constant(d), []int{}, t)
}

// fft lays operand and result out in memory row by row. XLA on CPUs lays a result
// out as the collective that reads it wants it, such as an all_gather along an
// inner dimension, and then fails to transform it.
func (e *emitter) fft(op *ir.Op) []*ir.Value {
	x := e.rowMajor(op.Operands[0])
	return []*ir.Value{e.rowMajor(e.Typed(ir.OpFFT, op.Attrs, []ir.Type{op.Result().Type}, x).Result())}
}

// rowMajor returns v, in memory with the last dimension innermost.
func (e *emitter) rowMajor(v *ir.Value) *ir.Value {
	order := make([]string, v.Type.Rank())
	for i := range order {
		order[i] = strconv.Itoa(len(order) - 1 - i)
	}
	minorToMajor := ir.Raw(fmt.Sprintf("dense<[%s]> : tensor<%dxindex>", strings.Join(order, ", "), len(order)))
	return e.Typed(ir.OpCustomCall, ir.Attrs{
		{Name: "call_target_name", Value: ir.String("LayoutConstraint")},
		{Name: "operand_layouts", Value: ir.Array{minorToMajor}}, {Name: "result_layouts", Value: ir.Array{minorToMajor}},
	}, []ir.Type{v.Type}, v).Result()
}
