package trace

// This file adds the gradients that GoMLX lacks. It returns errors for gradients that GoMLX would
// silently leave out.
//
// The gradients are added to graph.VJPRegistration, if GoMLX has none or a worse one. They need the
// attributes of a node, which are private to GoMLX, and read them from the op that was recorded for
// the node. So these gradients work only for recorded graphs; on other backends they fail with an
// error that says so.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
)

// node is a short name for the type of the nodes that gradients are written with.
type node = *graph.Node

// vjp returns the gradient of each input of n, given v, the gradient of n's result; nil stands for
// zero. op is the op that was recorded for n.
type vjp func(n, v node, op *ir.Op) []node

// vjps are the gradients that GoMLX lacks, of operations with one output. Where a function is not
// differentiable, they are those of JAX.
var vjps = []struct {
	kind graph.NodeType
	vjp  vjp
}{
	{graph.NodeTypeIdentity, func(_, v node, _ *ir.Op) []node { return []node{v} }},
	{graph.NodeTypeRsqrt, rsqrtVJP},
	{graph.NodeTypeExpm1, expm1VJP},
	{graph.NodeTypeRem, remVJP},
	{graph.NodeTypeAtan2, atan2VJP},
	{graph.NodeTypeClamp, clampVJP},
	{graph.NodeTypePad, padVJP},
	{graph.NodeTypeReverse, reverseVJP},
	{graph.NodeTypeReduceProduct, reduceProductVJP},
	{graph.NodeTypeBatchNormForInference, batchNormForInferenceVJP},
}

// better lists the gradients that replace GoMLX's for nodes of recorded graphs, by the kind of
// node.
var better = []struct {
	kind graph.NodeType
	vjp  vjp
}{
	{graph.NodeTypeConvGeneral, convVJP},
}

// constantOps are operations whose gradient is zero: they are constant almost everywhere, or their
// results are not real numbers.
var constantOps = []graph.NodeType{
	graph.NodeTypeFloor, graph.NodeTypeCeil, graph.NodeTypeRound, graph.NodeTypeSign,
	graph.NodeTypeIsFinite, graph.NodeTypeIsNaN, graph.NodeTypeArgMinMax, graph.NodeTypeBitcast, graph.NodeTypeIota,
	graph.NodeTypeEqual, graph.NodeTypeNotEqual, graph.NodeTypeGreaterOrEqual, graph.NodeTypeGreaterThan,
	graph.NodeTypeLessOrEqual, graph.NodeTypeLessThan,
	graph.NodeTypeEqualTotalOrder, graph.NodeTypeNotEqualTotalOrder, graph.NodeTypeGreaterOrEqualTotalOrder,
	graph.NodeTypeGreaterThanTotalOrder, graph.NodeTypeLessOrEqualTotalOrder, graph.NodeTypeLessThanTotalOrder,
	graph.NodeTypeBitCount, graph.NodeTypeClz,
	graph.NodeTypeShiftLeft, graph.NodeTypeShiftRightArithmetic, graph.NodeTypeShiftRightLogical,
	graph.NodeTypeReduceBitwiseAnd, graph.NodeTypeReduceBitwiseOr, graph.NodeTypeReduceBitwiseXor,
	graph.NodeTypeReduceLogicalAnd, graph.NodeTypeReduceLogicalOr, graph.NodeTypeReduceLogicalXor,
	graph.NodeTypeRNGBitGenerator,
}

// noGradient lists operations without a gradient, and for each what a user can do instead.
var noGradient = []struct {
	kind graph.NodeType
	name string
	fix  string
}{
	{graph.NodeTypeWhile, "While", "use trace.Scan, or put graph.StopGradient on its results"},
	{graph.NodeTypeIf, "If", "use graph.Where, or put graph.StopGradient on its results"},
	{graph.NodeTypeCall, "Call", "call the Go function that builds the graph, instead of a graph.Function"},
	{graph.NodeTypeSelectAndScatterMax, "SelectAndScatterMax", "it is itself the gradient of a max pooling, and second derivatives of that are not supported"},
	{graph.NodeTypeSelectAndScatterMin, "SelectAndScatterMin", "it is itself the gradient of a min pooling, and second derivatives of that are not supported"},
	{graph.NodeTypeBatchNormGradient, "BatchNormGradient", "for second derivatives write the normalization with ReduceMean and Rsqrt"},
	{graph.NodeTypeSort, "Sort", "sort the indices (graph.StopGradient on the input) and gather by them"},
}

// init registers, in graph.VJPRegistration, the gradients that GoMLX lacks, better ones for
// recorded graphs, the error of operations without a gradient, and the gradient of the loops of
// scans. Operations with constant results get no gradient. The registration is a plain map that
// every graph.Gradient reads, so it is safe to change it only at the start of the program.
func init() {
	absent := func(kind graph.NodeType, f graph.VJP) {
		if _, ok := graph.VJPRegistration[kind]; !ok {
			graph.VJPRegistration[kind] = f
		}
	}
	for _, e := range vjps {
		absent(e.kind, func(n *graph.Node, v []*graph.Node, _ shapes.Shape) []*graph.Node {
			value := nodeValue(n)
			if value == nil {
				panic(fmt.Errorf("no gradient is known for %s on backend %q: gospmd supplies one for recorded graphs only",
					n.Type(), n.Graph().Backend().Name()))
			}
			return e.vjp(n, v[0], value.Def())
		})
	}
	for _, e := range better {
		old := graph.VJPRegistration[e.kind]
		graph.VJPRegistration[e.kind] = func(n *graph.Node, v []*graph.Node, s shapes.Shape) []*graph.Node {
			if value := nodeValue(n); value != nil {
				return e.vjp(n, v[0], value.Def())
			}
			return old(n, v, s)
		}
	}
	for _, kind := range constantOps {
		absent(kind, func(n *graph.Node, _ []*graph.Node, _ shapes.Shape) []*graph.Node {
			return make([]node, len(n.Inputs()))
		})
	}
	for _, e := range noGradient {
		absent(e.kind, func(n *graph.Node, _ []*graph.Node, _ shapes.Shape) []*graph.Node {
			panic(&Error{Op: e.name, Loc: nodeLocation(n), Err: fmt.Errorf("the operation has no gradient: %s", e.fix)})
		})
	}
	graph.VJPRegistration[graph.NodeTypeWhile] = whileVJP(graph.VJPRegistration[graph.NodeTypeWhile])
}

// unbroadcast sums v, a gradient with the shape of the result, to the shape of an input that was
// broadcast to the result.
func unbroadcast(v, input node) node {
	in := input.Shape()
	switch {
	case in.Equal(v.Shape()):
		return v
	case in.IsScalar():
		return graph.ReduceAllSum(v)
	}
	var axes []int
	for i, d := range in.Dimensions {
		if d != v.Shape().Dimensions[i] {
			axes = append(axes, i)
		}
	}
	return graph.ReshapeWithShape(graph.ReduceSum(v, axes...), in)
}

// rsqrtVJP is the vjp of x^-½, whose derivative is -½ x^-½ / x.
func rsqrtVJP(n, v node, _ *ir.Op) []node {
	return []node{graph.Mul(v, graph.MulScalar(graph.Div(n, n.Inputs()[0]), -0.5))}
}

// expm1VJP is the vjp of e^x - 1, whose derivative is e^x.
func expm1VJP(n, v node, _ *ir.Op) []node {
	return []node{graph.Mul(v, graph.AddScalar(n, 1))}
}

// remVJP is the vjp of the remainder of x / y. It uses rem(x, y) = x - y·trunc(x/y), where
// trunc(x/y) is constant almost everywhere.
func remVJP(n, v node, _ *ir.Op) []node {
	x, y := n.Inputs()[0], n.Inputs()[1]
	quotient := graph.Round(graph.Div(graph.Sub(x, n), y))
	return []node{unbroadcast(v, x), unbroadcast(graph.Neg(graph.Mul(v, quotient)), y)}
}

// atan2VJP is the vjp of atan2(y, x), whose differential is (x dy - y dx) / (x² + y²).
func atan2VJP(n, v node, _ *ir.Op) []node {
	y, x := n.Inputs()[0], n.Inputs()[1]
	w := graph.Div(v, graph.Add(graph.Square(x), graph.Square(y)))
	return []node{unbroadcast(graph.Mul(w, x), y), unbroadcast(graph.Neg(graph.Mul(w, y)), x)}
}

// clampVJP is the vjp of clamp. It sends the gradient to x where x is strictly between the bounds,
// and to a bound where x is strictly beyond it. Where x is equal to a bound, all gradients are 0.
func clampVJP(n, v node, _ *ir.Op) []node {
	lo, x, hi := n.Inputs()[0], n.Inputs()[1], n.Inputs()[2]
	zero := graph.ZerosLike(v)
	inside := graph.LogicalAnd(graph.GreaterThan(x, lo), graph.LessThan(x, hi))
	return []node{
		unbroadcast(graph.Where(graph.GreaterThan(lo, x), v, zero), lo),
		graph.Where(inside, v, zero),
		unbroadcast(graph.Where(graph.LessThan(hi, x), v, zero), hi),
	}
}

// padVJP is the vjp of pad: the gradient of the input is v without the padding, and that of the
// fill value is the sum of the padding's elements of v.
func padVJP(n, v node, op *ir.Op) []node {
	x, fill := n.Inputs()[0], n.Inputs()[1]
	if x.IsScalar() {
		return []node{v, nil} // nothing was padded
	}
	low, high, interior := op.Ints("edge_padding_low"), op.Ints("edge_padding_high"), op.Ints("interior_padding")
	padding := make([]graph.PadAxis, x.Rank())
	crop := make([]graph.PadAxis, x.Rank()) // elements that negative padding cut off get a zero gradient
	ranges := make([]graph.SliceAxisSpec, x.Rank())
	cropped := false
	for i, size := range x.Shape().Dimensions {
		padding[i] = graph.PadAxis{Start: low[i], End: high[i], Interior: interior[i]}
		crop[i] = graph.PadAxis{Start: max(0, -low[i]), End: max(0, -high[i])}
		cropped = cropped || crop[i] != graph.PadAxis{}
		from, step := max(0, low[i]), interior[i]+1
		ranges[i] = graph.AxisRange(from, from+max(0, (size-1)*step+1)).Stride(step)
	}
	zero := graph.ScalarZero(v.Graph(), v.DType())
	whole := v
	if cropped {
		whole = graph.Pad(v, zero, crop...)
	}
	no := graph.Const(v.Graph(), false)
	inside := graph.Pad(graph.BroadcastToDims(graph.Const(v.Graph(), true), x.Shape().Dimensions...), no, padding...)
	fillGradient := graph.ReduceAllSum(graph.Where(inside, zero, v))
	return []node{graph.Slice(whole, ranges...), unbroadcast(fillGradient, fill)}
}

// reverseVJP is the vjp of reverse: it returns v, reversed along the same axes.
func reverseVJP(_, v node, op *ir.Op) []node {
	if op == nil || op.Kind != ir.OpReverse {
		return []node{v} // no axis was reversed
	}
	return []node{graph.Reverse(v, op.Ints("dimensions")...)}
}

// batchNormForInferenceVJP returns the gradients of the inputs of n, a batch normalization with
// given statistics, scale·(x - mean)/√(variance + ε) + offset, for v, the gradient of its result.
func batchNormForInferenceVJP(n, v node, op *ir.Op) []node {
	x, scale, mean, variance := n.Inputs()[0], n.Inputs()[1], n.Inputs()[3], n.Inputs()[4]
	feature := op.Int("feature_index")
	dims := slices.Repeat([]int{1}, x.Rank())
	dims[feature] = x.Shape().Dimensions[feature]
	perFeature := func(p node) node { return graph.Reshape(p, dims...) }
	others := make([]int, 0, x.Rank())
	for i := range x.Rank() {
		if i != feature {
			others = append(others, i)
		}
	}
	sum := func(p node) node {
		if len(others) == 0 {
			return p
		}
		return graph.ReduceSum(p, others...)
	}
	epsilon := float64(op.Attrs.Get("epsilon").(ir.Float))
	inverse := graph.Rsqrt(graph.AddScalar(variance, epsilon))
	centered := graph.Sub(x, perFeature(mean))
	dx := graph.Mul(v, perFeature(graph.Mul(scale, inverse)))
	dScale := graph.Mul(sum(graph.Mul(v, centered)), inverse)
	dMean := graph.Neg(sum(dx))
	dVariance := graph.MulScalar(graph.Mul(graph.Mul(dScale, scale), graph.Square(inverse)), -0.5)
	return []node{dx, dScale, sum(v), dMean, dVariance}
}

// reduceProductVJP is the vjp of a product over axes. It differentiates the product as a tree of
// pairwise products. So the gradient is exact if elements are zero, and has a gradient itself.
func reduceProductVJP(n, v node, op *ir.Op) []node {
	x := n.Inputs()[0]
	if op == nil || op.Kind != ir.OpReduce {
		return []node{v} // no axis was reduced
	}
	reduced := op.Ints("dimensions")
	var order, kept []int // the kept axes, then the reduced ones
	for i := range x.Rank() {
		if !slices.Contains(reduced, i) {
			order = append(order, i)
			kept = append(kept, x.Shape().Dimensions[i])
		}
	}
	order = append(order, reduced...)
	inverse := make([]int, len(order))
	for to, from := range order {
		inverse[from] = to
	}
	moved := graph.TransposeAllAxes(x, order...)
	length, outer := 1, 1
	for _, axis := range reduced {
		length *= x.Shape().Dimensions[axis]
	}
	for _, d := range kept {
		outer *= d
	}
	if length*outer == 0 {
		return []node{graph.ZerosLike(x)}
	}
	d := productGradient(graph.Reshape(moved, outer, length), graph.Reshape(v, outer, 1))
	return []node{graph.TransposeAllAxes(graph.Reshape(d, moved.Shape().Dimensions...), inverse...)}
}

// productGradient returns the gradient of rows, a matrix of at least one column, given v, a matrix
// of one column that has the gradient of the product of each row.
func productGradient(rows, v node) node {
	outer, length := rows.Shape().Dimensions[0], rows.Shape().Dimensions[1]
	if length == 1 {
		return v
	}
	half := (length + 1) / 2
	padded := rows
	if length%2 != 0 {
		padded = graph.Pad(rows, graph.ScalarOne(rows.Graph(), rows.DType()), graph.PadAxis{}, graph.PadAxis{End: 1})
	}
	pairs := graph.Reshape(padded, outer, half, 2)
	left := graph.Slice(pairs, graph.AxisRange(), graph.AxisRange(), graph.AxisRange(0, 1))
	right := graph.Slice(pairs, graph.AxisRange(), graph.AxisRange(), graph.AxisRange(1, 2))
	products := graph.Reshape(graph.Mul(left, right), outer, half)
	d := graph.Reshape(productGradient(products, v), outer, half, 1)
	both := graph.Concatenate([]*graph.Node{graph.Mul(d, right), graph.Mul(d, left)}, 2)
	return graph.Slice(graph.Reshape(both, outer, 2*half), graph.AxisRange(), graph.AxisRange(0, length))
}

// Closures of If and While may use values from outside. GoMLX does not count these values as inputs
// of the node, so its backward pass silently leaves out the gradients that should flow through
// them.

// checkCaptures panics with an Error if a gradient of loss with respect to params would have to
// flow through a value that a closure of an If or While uses from outside.
func (r *Recorder) checkCaptures(loss *graph.Node, params []*graph.Node) {
	if !r.branches {
		return
	}
	wanted := dependence{}
	for _, p := range params {
		wanted[nodeValue(p)] = true
	}
	seen := make(map[*graph.Node]bool)
	var visit func(n *graph.Node)
	visit = func(n *graph.Node) {
		if seen[n] || n.StopGradient() {
			return
		}
		seen[n] = true
		for _, e := range noGradient {
			if n.Type() != e.kind || scanOf(n) != nil {
				continue
			}
			for _, v := range capturedValues(nodeValue(n).Def()) {
				if v.Type.DType.IsFloat() && wanted.dependsOn(v) {
					panic(&Error{Op: e.name, Loc: nodeLocation(n), Err: fmt.Errorf("the operation has no gradient: %s", e.fix)})
				}
			}
		}
		for _, in := range n.Inputs() {
			visit(in)
		}
	}
	visit(loss)
}

// capturedValues returns the values from outside that op's regions use, except tokens, in the order
// of the uses. A value may occur several times.
func capturedValues(op *ir.Op) []*ir.Value {
	inside := make(map[*ir.Block]bool)
	var out []*ir.Value
	op.Walk(func(o *ir.Op) {
		for _, b := range o.Regions {
			inside[b] = true
		}
		if o == op {
			return
		}
		for _, v := range o.Operands {
			if !inside[v.Block()] && v.Type.DType != dtypes.InvalidDType {
				out = append(out, v)
			}
		}
	})
	return out
}

// dependence caches which values depend on the chosen values, which are true from the start.
type dependence map[*ir.Value]bool

// dependsOn reports whether v depends on one of the chosen values, through operands or through
// values that regions use from outside.
func (d dependence) dependsOn(v *ir.Value) bool {
	if answer, ok := d[v]; ok {
		return answer
	}
	d[v] = false
	op := v.Def()
	if op == nil {
		if op = v.Block().Parent(); op == nil {
			return false
		}
	}
	for _, list := range [][]*ir.Value{op.Operands, capturedValues(op)} {
		for _, o := range list {
			if d.dependsOn(o) {
				d[v] = true
				return true
			}
		}
	}
	return false
}
