package buffers

// This file lowers the collectives, in the form in which package target emits them for an engine.
// Devices that share memory write parts directly to their places (target.Share): no dimension is
// moved before or after.

import (
	"reflect"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// neighbours returns op and the collectives after it that become one call with it (target.Share).
// They are of op's kind, run among the same devices, do not read each other's results, and have no
// other ops between them in the module that package target emits. On accelerators, and if op is not
// alone (see isAlone), it returns only op.
func (l *lowering) neighbours(op *ir.Op) []*ir.Op {
	out := []*ir.Op{op}
	if l.model.accelerator() || !isAlone(op) {
		return out
	}
	for next := op.Next(); isAlone(next) && sameDevices(op, next); next = next.Next() {
		if slices.ContainsFunc(next.Operands, func(v *ir.Value) bool { return slices.Contains(out, v.Def()) }) {
			break
		}
		out = append(out, next)
	}
	return out
}

// isAlone reports whether op is emitted as one collective without any other ops.
func isAlone(op *ir.Op) bool {
	switch op.Kind {
	case ir.OpSPMDAllGather:
		return len(op.Operands) == 1
	case ir.OpSPMDAllReduce, ir.OpSPMDReduceScatter:
		return op.Reduction() == ir.OpAdd && !slices.ContainsFunc(op.Operands, func(v *ir.Value) bool { return short[v.Type.DType] })
	}
	return false
}

// sameDevices reports whether two collectives are of the same kind and along the same axes.
func sameDevices(a, b *ir.Op) bool {
	return a.Kind == b.Kind && reflect.DeepEqual(a.Attrs.Get("axes"), b.Attrs.Get("axes"))
}

// call adds one instruction for the collectives ops, which become one call, and records the nodes
// of their results.
func (l *lowering) call(ops []*ir.Op) {
	var operands []*node
	var types []ir.Type
	var results []*ir.Value
	for _, op := range ops {
		operands, types, results = append(operands, l.operands(op.Operands)...), append(types, ir.TypesOf(op.Results)...), append(results, op.Results...)
	}
	for i, n := range l.addTogether(ops[0], types, operands) {
		l.values[results[i]] = n
	}
}

// reduceTogether lowers an all_reduce and returns the node of each result: operands of the same
// element type are reduced together, in one instruction.
func (l *lowering) reduceTogether(op *ir.Op) []*node {
	out := make([]*node, len(op.Results))
	for i, v := range op.Operands {
		if out[i] != nil {
			continue
		}
		var at []int
		var operands []*node
		var types []ir.Type
		for k, w := range op.Operands {
			if w.Type.DType == v.Type.DType {
				x := l.encodeOrdered(op, l.value(w))
				at, operands, types = append(at, k), append(operands, x), append(types, op.Results[k].Type.WithDType(x.typ().DType))
			}
		}
		for k, r := range l.addTogether(op, types, operands) {
			out[at[k]] = l.decodeOrdered(op, r, v.Type.DType)
		}
	}
	return out
}

// asIntegers maps the float types whose minima and maxima over devices are computed on integers to
// the integer type.
var asIntegers = map[dtypes.DType]dtypes.DType{
	dtypes.Float64: dtypes.Int64, dtypes.Float32: dtypes.Int32, dtypes.Float16: dtypes.Int16, dtypes.BFloat16: dtypes.Int16,
}

// encodeOrdered returns what an all_reduce op reduces instead of its operand x: for a minimum or
// maximum of some float types integers in the same order, and otherwise x in the type that it is
// computed in.
func (l *lowering) encodeOrdered(op *ir.Op, x *node) *node {
	to, ok := asIntegers[x.typ().DType]
	if !ok || op.Reduction() != ir.OpMinimum && op.Reduction() != ir.OpMaximum {
		return l.widen(op, x)
	}
	return l.g.addOne(element, op, x.typ().WithDType(to), x)
}

// decodeOrdered adds the instructions that convert x, the result of a reduction, back to the type
// to, and returns the last one. If x has that type, it returns x.
func (l *lowering) decodeOrdered(op *ir.Op, x *node, to dtypes.DType) *node {
	if x.typ().DType == to {
		return x
	}
	return l.g.addOne(element, op, x.typ().WithDType(to), x)
}

// allGather lowers an all_gather and returns the node of each result. If it has several operands,
// they are gathered as vectors, and the results reshaped.
func (l *lowering) allGather(op *ir.Op) []*node {
	operands := l.operands(op.Operands)
	if len(operands) == 1 {
		return []*node{l.g.addOne(kernel, op, op.Results[0].Type, operands[0])}
	}
	types := ir.TypesOf(op.Results)
	for i, o := range operands {
		operands[i] = l.reshapeTo(op, o, ir.Tensor(o.typ().DType, o.elements()))
		types[i] = ir.Tensor(o.typ().DType, types[i].Size())
	}
	out := l.parts(l.g.add(kernel, op, types, operands...))
	dim := op.SPMDAllGather().Dim()
	for i, n := range out {
		part, full := op.Operands[i].Type, op.Results[i].Type
		if dim > 0 {
			n = l.reshapeTo(op, n, part.WithDims(slices.Insert(slices.Clone(part.Dims), 0, full.Dims[dim]/part.Dims[dim])))
			order := make([]int, part.Rank()+1)
			for k := range order {
				order[k] = k
				if k < dim {
					order[k] = k + 1
				}
			}
			order[dim] = 0
			n = l.transposeTo(op, l.widen(op, n), order)
		}
		out[i] = l.reshapeTo(op, n, full.WithDType(n.typ().DType))
	}
	return out
}

// addTogether adds one kernel for op that reads the operands and makes a result of each type, and
// returns the nodes of the results.
func (l *lowering) addTogether(op *ir.Op, types []ir.Type, operands []*node) []*node {
	if len(types) == 1 {
		return []*node{l.g.addOne(kernel, op, types[0], operands...)}
	}
	return l.parts(l.g.add(kernel, op, types, operands...))
}
