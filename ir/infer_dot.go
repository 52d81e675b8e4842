package ir

// This file holds the shape rules of dot_general and dot.

import (
	"fmt"
	"slices"
)

// inferDotGeneral: batch dimensions, then what is left of lhs, then what is
// left of rhs. The element type is that of lhs where nothing else is said.
func inferDotGeneral(op *Op) ([]Type, error) {
	lhs, rhs, d := op.Operands[0].Type, op.Operands[1].Type, op.DotGeneral().DotDimensionNumbers()
	for i := range op.Operands {
		if err := checkOperandClass(op, i, anyElement); err != nil {
			return nil, err
		}
	}
	if c, rc := classOf(lhs.DType), classOf(rhs.DType); c != rc && !(c&integer != 0 && rc&integer != 0) {
		return nil, fmt.Errorf("lhs has type %s, rhs has type %s: want elements of one class", lhs, rhs)
	}
	if err := checkDotSide("lhs batch dims", "lhs contracting dims", lhs, d.LHSBatch, d.LHSContracting); err != nil {
		return nil, err
	}
	if err := checkDotSide("rhs batch dims", "rhs contracting dims", rhs, d.RHSBatch, d.RHSContracting); err != nil {
		return nil, err
	}
	for _, p := range []struct {
		role     string
		lhs, rhs []int
	}{{"batch", d.LHSBatch, d.RHSBatch}, {"contracting", d.LHSContracting, d.RHSContracting}} {
		if len(p.lhs) != len(p.rhs) {
			return nil, fmt.Errorf("lhs has %d %s dims, rhs has %d: want pairs", len(p.lhs), p.role, len(p.rhs))
		}
		for i := range p.lhs {
			if l, r := lhs.Dims[p.lhs[i]], rhs.Dims[p.rhs[i]]; l != r {
				return nil, fmt.Errorf("lhs %s dim %d has size %d, rhs %s dim %d has size %d: want the same size", p.role, p.lhs[i], l, p.role, p.rhs[i], r)
			}
		}
	}
	dims := make([]int, 0, lhs.Rank()+rhs.Rank()-len(d.LHSBatch)-2*len(d.LHSContracting))
	for _, b := range d.LHSBatch {
		dims = append(dims, lhs.Dims[b])
	}
	dims = appendOthers(dims, lhs.Dims, d.LHSBatch, d.LHSContracting)
	dims = appendOthers(dims, rhs.Dims, d.RHSBatch, d.RHSContracting)
	return []Type{lhs.WithDims(dims)}, nil
}

func checkDotSide(batchName, contractingName string, t Type, batch, contracting []int) error {
	if err := checkDimList(batchName, batch, t.Rank()); err != nil {
		return err
	}
	if err := checkDimList(contractingName, contracting, t.Rank()); err != nil {
		return err
	}
	for _, b := range batch {
		if slices.Contains(contracting, b) {
			return fmt.Errorf("dim %d is among both the %s and the %s, want it in one", b, batchName, contractingName)
		}
	}
	return nil
}

// appendOthers appends the sizes of the dimensions that are in neither list.
func appendOthers(out, dims, a, b []int) []int {
	for i, d := range dims {
		if !slices.Contains(a, i) && !slices.Contains(b, i) {
			out = append(out, d)
		}
	}
	return out
}

// inferDot is the older dot: vectors and matrices, the last dimension of lhs
// with the first of rhs.
func inferDot(op *Op) ([]Type, error) {
	lhs, rhs := op.Operands[0].Type, op.Operands[1].Type
	for i, v := range op.Operands {
		if err := checkOperandClass(op, i, anyElement); err != nil {
			return nil, err
		}
		if r := v.Type.Rank(); r != 1 && r != 2 {
			return nil, fmt.Errorf("operand %d has type %s, want rank 1 or 2", i, v.Type)
		}
	}
	if lhs.DType != rhs.DType {
		return nil, fmt.Errorf("lhs has type %s, rhs has type %s: want the same element type", lhs, rhs)
	}
	if l, r := lhs.Dims[lhs.Rank()-1], rhs.Dims[0]; l != r {
		return nil, fmt.Errorf("the last dim of lhs %s has size %d, the first of rhs %s has size %d: want the same size", lhs, l, rhs, r)
	}
	return []Type{lhs.WithDims(append(slices.Clone(lhs.Dims[:lhs.Rank()-1]), rhs.Dims[1:]...))}, nil
}
