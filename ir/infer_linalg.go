package ir

// This file holds the shape rules of dot products, linear algebra, random numbers,
// the Fourier transform and batch normalization.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
)

// inferDotGeneral is the shape rule of dot_general: the result has the batch dimensions, then the
// remaining dimensions of lhs, then those of rhs. The element type is that of lhs; the op may have
// another one, which Check allows. Dimension numbers that do not pair dimensions of one size, and
// operands of different classes of elements, are errors.
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

// appendOthers returns out with the sizes in dims appended of those dimensions that are neither in
// a nor in b.
func appendOthers(out, dims, a, b []int) []int {
	for i, d := range dims {
		if !slices.Contains(a, i) && !slices.Contains(b, i) {
			out = append(out, d)
		}
	}
	return out
}

// inferDot is the shape rule of dot, the predecessor of dot_general. It is for vectors and matrices
// of one element type, and contracts the last dimension of lhs with the first one of rhs. Other
// ranks, element types and sizes are errors.
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

// rngStates lists, for each RNG algorithm, the numbers of ui64 elements that its state may have.
// Others have any state.
var rngStates = map[string][]int{"THREE_FRY": {2}, "PHILOX": {2, 3}}

// checkRngBitGenerator verifies an rng_bit_generator: operand initial_state, and the results
// output_state, of the same type, and output, integers or floats.
func checkRngBitGenerator(op *Op) error {
	state, after, out := op.Operands[0].Type, op.Results[0].Type, op.Results[1].Type
	if err := checkOperandClass(op, 0, integer|floating); err != nil {
		return err
	}
	if state.Rank() != 1 {
		return fmt.Errorf("state has type %s, want rank 1", state)
	}
	if sizes := rngStates[op.Enum("rng_algorithm")]; sizes != nil && bitWidth(state.DType) == 64 && !slices.Contains(sizes, state.Dims[0]) {
		return fmt.Errorf("state has type %s, want %v elements for %s", state, sizes, op.Enum("rng_algorithm"))
	}
	if !after.Equal(state) {
		return fmt.Errorf("result 0 has type %s, want that of the state, %s", after, state)
	}
	return checkClass("result 1", out, integer|floating)
}

// checkRng verifies an rng: the operands a and b are scalars of the result's type, and shape has an
// integer for each of the result's dimensions. A normal distribution has floats.
func checkRng(op *Op) error {
	out, shape := op.Results[0].Type, op.Operands[2].Type
	allowed := boolean | integer | floating
	if op.Enum("rng_distribution") == "NORMAL" {
		allowed = floating
	}
	if err := checkClass("result", out, allowed); err != nil {
		return err
	}
	for i := range 2 {
		if err := checkScalar(op, i, out.DType); err != nil {
			return err
		}
	}
	if classOf(shape.DType)&integer == 0 || !slices.Equal(shape.Dims, []int{out.Rank()}) {
		return fmt.Errorf("shape (operand 2) has type %s, want %s for result %s", shape, Tensor(dtypes.Int64, out.Rank()), out)
	}
	return nil
}

// checkSquare returns an error, in which what names the operand, unless t is a square matrix or a
// batch of them.
func checkSquare(what string, t Type) error {
	if r := t.Rank(); r < 2 || t.Dims[r-1] != t.Dims[r-2] {
		return fmt.Errorf("%s has type %s, want square matrices in the last two dimensions", what, t)
	}
	return nil
}

func inferCholesky(op *Op) ([]Type, error) {
	if err := checkOperandClass(op, 0, inexact); err != nil {
		return nil, err
	}
	t := op.Operands[0].Type
	return []Type{t}, checkSquare("operand", t)
}

// inferTriangularSolve is the shape rule of triangular_solve, which solves a·x = b, or x·a = b if
// left_side is false. The result has the type of b. An a without square matrices, and a b that does
// not fit it, are errors.
func inferTriangularSolve(op *Op) ([]Type, error) {
	a, b := op.Operands[0].Type, op.Operands[1].Type
	if err := checkOperandClass(op, 0, inexact); err != nil {
		return nil, err
	}
	if err := checkSquare("a", a); err != nil {
		return nil, err
	}
	r := a.Rank()
	if b.DType != a.DType || b.Rank() != r || !slices.Equal(a.Dims[:r-2], b.Dims[:r-2]) {
		return nil, fmt.Errorf("a has type %s, b has type %s: want the same element type and batch dimensions", a, b)
	}
	side := r - 1
	if op.Bool("left_side") {
		side = r - 2
	}
	if b.Dims[side] != a.Dims[r-1] {
		return nil, fmt.Errorf("b has size %d in dimension %d, want %d, the size of a", b.Dims[side], side, a.Dims[r-1])
	}
	return []Type{b}, nil
}

// inferFFT is the shape rule of fft, which transforms the last len(fft_length) dimensions, 1 to 3.
// In RFFT and IRFFT the last dimension of the real tensor has the given length, and that of the
// complex tensor has length/2+1. An operand of another element type or other sizes is an error.
func inferFFT(op *Op) ([]Type, error) {
	t, length, kind := op.Operands[0].Type, op.Ints("fft_length"), op.Enum("fft_type")
	allowed := complexes
	if kind == "RFFT" {
		allowed = floating
	}
	if err := checkOperandClass(op, 0, allowed); err != nil {
		return nil, err
	}
	n := len(length)
	if n < 1 || n > 3 || n > t.Rank() {
		return nil, fmt.Errorf("fft_length has %d entries, want 1 to %d for %s", n, min(3, t.Rank()), t)
	}
	last := length[n-1]
	half := last/2 + 1
	if last == 0 {
		half = 0
	}
	in := slices.Clone(t.Dims[:t.Rank()-n])
	in = append(in, length...)
	out := t.WithDims(slices.Clone(in))
	switch kind {
	case "RFFT":
		if t.DType != dtypes.Float32 && t.DType != dtypes.Float64 {
			return nil, fmt.Errorf("operand has type %s, want elements of f32 or f64", t)
		}
		out.DType = dtypes.Complex64
		if t.DType == dtypes.Float64 {
			out.DType = dtypes.Complex128
		}
		out.Dims[len(out.Dims)-1] = half
	case "IRFFT":
		out = realPart(out)
		in[len(in)-1] = half
	}
	if !slices.Equal(t.Dims, in) {
		return nil, fmt.Errorf("operand has type %s, want %s for %s of length %v", t, t.WithDims(in), kind, length)
	}
	return []Type{out}, nil
}

// batchNorm checks op, a batch normalization, whose operands with the indices in vectors have one
// element for each feature. It returns the types of the first operand and of such a vector.
// Elements that are no floats, a feature_index out of range, and vectors of another type are
// errors.
func batchNorm(op *Op, vectors ...int) (operand, vector Type, err error) {
	operand = op.Operands[0].Type
	if err := checkOperandClass(op, 0, floating); err != nil {
		return operand, vector, err
	}
	f := op.Int("feature_index")
	if err := checkDim("feature_index", f, operand.Rank()); err != nil {
		return operand, vector, err
	}
	vector = Tensor(operand.DType, operand.Dims[f])
	for _, i := range vectors {
		if got := op.Operands[i].Type; !got.Equal(vector) {
			return operand, vector, fmt.Errorf("operand %d has type %s, want %s: one element for each feature (dimension %d of %s)", i, got, vector, f, operand)
		}
	}
	return operand, vector, nil
}

// inferBatchNormInference is the shape rule of batch_norm_inference, whose operands are operand,
// scale, offset, mean and variance. The result has the type of operand. Its errors are those of
// batchNorm.
func inferBatchNormInference(op *Op) ([]Type, error) {
	t, _, err := batchNorm(op, 1, 2, 3, 4)
	return []Type{t}, err
}

// inferBatchNormTraining is the shape rule of batch_norm_training: (operand, scale, offset) ->
// (output, mean, variance). output has the type of operand, the others one element for each
// feature. Its errors are those of batchNorm.
func inferBatchNormTraining(op *Op) ([]Type, error) {
	t, v, err := batchNorm(op, 1, 2)
	return []Type{t, v, v}, err
}

// inferBatchNormGrad is the shape rule of batch_norm_grad: (operand, scale, mean, variance,
// grad_output) -> the gradients of operand, scale and offset, each with the same type as operand,
// scale or offset. Its errors are those of batchNorm, and a grad_output of another type than
// operand.
func inferBatchNormGrad(op *Op) ([]Type, error) {
	t, v, err := batchNorm(op, 1, 2, 3)
	if g := op.Operands[4].Type; err == nil && !g.Equal(t) {
		err = fmt.Errorf("grad_output has type %s, want that of the operand, %s", g, t)
	}
	return []Type{t, v, v}, err
}
