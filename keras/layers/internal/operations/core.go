package operations

// This file computes operations that take Go functions of tensors: loops, branches, maps, and
// gradients of one's own.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/trace"
)

// These are the Go functions of nodes that operations take as arguments.
type (
	// Function computes tensors from tensors.
	Function = func(xs []*graph.Node) []*graph.Node
	// StepFunction computes a step of a loop. It returns the values for the next step, and the
	// values that are added to the results.
	StepFunction = func(carry, xs []*graph.Node) (next, ys []*graph.Node)
	// ConditionFunction computes a boolean from tensors.
	ConditionFunction = func(xs []*graph.Node) *graph.Node
	// GradientFunction computes ys from xs, and returns the function that computes the gradients
	// of xs from those of ys.
	GradientFunction = func(xs []*graph.Node) (ys []*graph.Node, gradient Function)
)

// arrays reports whether all tensors of the operation have known elements, so that it is computed
// at once and not recorded in a model.
func (o operands) arrays() bool { return o.recorder == nil }

// optional returns argument i, a list of tensors, or nil if the list is empty. It panics for
// anything else, also if the argument is nil or not given.
func (o operands) optional(i int) []*graph.Node {
	if vs, ok := o.arg(i).([]any); ok && len(vs) == 0 {
		return nil
	}
	return o.list(i)
}

// repeatSteps applies f n times to a state, and returns the last state. f gets the number of the
// step, an int32 scalar from 0 on, and the state before it. The loop has no gradient. state must
// not be empty, and its elements are overwritten.
func repeatSteps(n int, state []*graph.Node, f func(i *graph.Node, state []*graph.Node) []*graph.Node) []*graph.Node {
	g := state[0].Graph()
	for i, x := range state {
		state[i] = graph.StopGradient(x)
	}
	if !trace.IsRecorded(state[0]) {
		for i := range n {
			state = f(graph.Scalar(g, dtypes.Int32, i), state)
		}
		return state
	}
	at := graph.Iota(g, shapes.Make(dtypes.Int32, n), 0)
	out, _ := trace.Scan(func(carry, xs []*graph.Node) (next, ys []*graph.Node) { return f(xs[0], carry), nil },
		state, []*graph.Node{at}, trace.ScanOptions{Length: n, NoGradient: true})
	for i, x := range out {
		out[i] = graph.StopGradient(x)
	}
	return out
}

// runScan is the operation scan: it runs argument 0, a StepFunction, over the first dimension of
// the tensors of argument 2, from the initial carry, argument 1. Without tensors it runs as often
// as the attribute length says. If the attribute reverse is true, it begins with the last element;
// an unroll above 1 traces the steps one after the other. It returns the last carry, then the
// results of all steps, stacked.
func runScan(o operands) []*graph.Node {
	f, _ := o.arg(0).(StepFunction)
	init, xs := o.optional(1), o.optional(2)
	length, _ := o.attrs["length"].(int)
	unroll, _ := o.attrs["unroll"].(int)
	return o.scan(f, init, xs, trace.ScanOptions{Length: length, Reverse: o.attrs["reverse"] == true, Unroll: unroll > 1})
}

func (o operands) scan(f StepFunction, init, xs []*graph.Node, options trace.ScanOptions) []*graph.Node {
	body := func(carry, xs []*graph.Node) (next, ys []*graph.Node) {
		next, ys = f(carry, xs)
		for i, x := range next { // a number beside a tensor may have widened the type
			if i < len(carry) && x.DType() != carry[i].DType() {
				panic(fmt.Errorf("the step carries on %s, want %s as it got: convert it with Cast", x.Shape(), carry[i].Shape()))
			}
		}
		return next, ys
	}
	if !o.arrays() {
		carry, ys := trace.Scan(body, init, xs, options)
		return append(carry, ys...)
	}
	n := options.Length
	if len(xs) > 0 {
		n = xs[0].Shape().Dimensions[0]
	}
	var steps [][]*graph.Node
	for i := range n {
		if options.Reverse {
			i = n - 1 - i
		}
		var at, ys []*graph.Node
		for _, x := range xs {
			at = append(at, graph.Squeeze(graph.SliceAxis(x, 0, graph.AxisElem(i)), 0))
		}
		init, ys = body(init, at)
		steps = append(steps, ys)
	}
	if options.Reverse {
		slices.Reverse(steps)
	}
	for k := range steps[0] {
		var all []*graph.Node
		for _, ys := range steps {
			all = append(all, ys[k])
		}
		init = append(init, graph.Stack(all, 0))
	}
	return init
}

// mapElements returns an operation that applies a Function to each element of the first dimension
// of tensors, and stacks the results. functionAt is the number of the argument that is the
// function: 0 or 1.
func mapElements(functionAt int) func(o operands) []*graph.Node {
	return func(o operands) []*graph.Node {
		f, _ := o.arg(functionAt).(Function)
		xs := o.list(1 - functionAt)
		step := func(_, xs []*graph.Node) (next, ys []*graph.Node) { return nil, f(xs) }
		return o.scan(step, nil, xs, trace.ScanOptions{})
	}
}

// forLoop is the operation fori_loop: it applies argument 0, a Function, to the number of the step
// and the state, and returns the last state. The steps are lower to upper-1, arguments 1 and 2,
// which are known when the model is traced; if there are none, it returns the state as given,
// argument 3.
func forLoop(o operands) []*graph.Node {
	f, _ := o.arg(0).(Function)
	lower, upper := int(number(o.arg(1))), int(number(o.arg(2)))
	state := o.list(3)
	if upper <= lower {
		return state
	}
	at := graph.AddScalar(graph.Iota(o.g, shapes.Make(dtypes.Int32, upper-lower), 0), float64(lower))
	return o.scan(func(carry, xs []*graph.Node) (next, ys []*graph.Node) { return f(slices.Concat(xs, carry)), nil },
		state, []*graph.Node{at}, trace.ScanOptions{})[:len(state)]
}

// whileLoop runs the body, operand 1, on the loop's state, operand 2, as long as the condition,
// operand 0, is true, and at most maximum_iterations times if that is given. It returns the last
// state. The loop has no gradient. It panics outside a model, if the condition is not one element,
// or if the body returns other shapes than it got.
func whileLoop(o operands) []*graph.Node {
	condition, _ := o.arg(0).(ConditionFunction)
	body, _ := o.arg(1).(Function)
	state := o.list(2)
	limit := o.ints("maximum_iterations")
	if limit != nil {
		state = append(state, graph.Scalar(o.g, dtypes.Int32, 0))
	}
	n := len(state)
	if limit != nil {
		n--
	}
	// Both functions run once before the loop. That checks their results, and GoMLX, which keeps
	// the constants of a graph, then has them from where both closures may use them.
	limits := func(xs []*graph.Node) *graph.Node {
		y := truth(condition(xs[:n]))
		if y.Rank() > 0 && y.Shape().Size() != 1 {
			panic(fmt.Errorf("the condition is %s, want one truth: reduce it with All or Any", y.Shape()))
		}
		if y = graph.Reshape(y); limit != nil {
			y = graph.LogicalAnd(y, graph.LessThan(xs[n], graph.Scalar(o.g, dtypes.Int32, limit[0])))
		}
		return y
	}
	step := func(xs []*graph.Node) []*graph.Node {
		out := body(xs[:n])
		if len(out) != n {
			panic(fmt.Errorf("the body returns %d tensors, want %d as it got", len(out), n))
		}
		for i, y := range out {
			if !y.Shape().Equal(xs[i].Shape()) {
				panic(fmt.Errorf("the body returns %s, want %s as it got", y.Shape(), xs[i].Shape()))
			}
		}
		if limit != nil {
			out = append(out, graph.AddScalar(xs[n], 1))
		}
		return out
	}
	limits(state)
	step(state)
	if o.arrays() {
		panic(fmt.Errorf("it is a loop on devices: give it a tensor of a model, or write a loop in Go"))
	}
	// A closure has parameters for the state.
	closure := func(f func(xs []*graph.Node) []*graph.Node) *graph.Function {
		return graph.NewClosure(o.g, func(g *graph.Graph) []*graph.Node {
			xs := make([]*graph.Node, len(state))
			for i, x := range state {
				xs[i] = graph.Parameter(g, fmt.Sprintf("state%d", i), x.Shape())
			}
			return f(xs)
		})
	}
	goesOn := closure(func(xs []*graph.Node) []*graph.Node { return []*graph.Node{limits(xs)} })
	return graph.While(goesOn, closure(step), state...)[:n]
}

// withGradient returns the ys as functions of the xs with a gradient of their own: f gets the ys
// and their gradients, zeros for a y without one, and returns the gradients of all xs. Values that
// are not floats have no gradient.
func withGradient(xs []*graph.Node, ys []*graph.Node, f func(ys, vs []*graph.Node) []*graph.Node) []*graph.Node {
	vs := make([]*graph.Node, len(ys)) // gradients of the ys, once they are known
	used := false                      // by the xs: what comes then is of another gradient
	var results []*graph.Node
	// Zeros with all xs behind them: their gradient goes on to the xs.
	zero := graph.ScalarZero(ys[0].Graph(), ys[0].DType())
	for i, x := range xs {
		if !x.DType().IsFloat() {
			continue
		}
		x = graph.IdentityWithCustomGradient(x, func(x, _ *graph.Node) *graph.Node {
			used = true
			for k, v := range vs {
				if v == nil {
					vs[k] = graph.ZerosLike(ys[k])
				}
			}
			return f(results, vs)[i]
		})
		nothing := graph.Where(graph.Equal(graph.ZerosLike(x), graph.ZerosLike(x)), graph.ZerosLike(x), x)
		zero = graph.Add(zero, graph.ConvertDType(graph.ReduceAllSum(nothing), zero.DType()))
	}
	for k, y := range ys {
		if !y.DType().IsFloat() {
			results = append(results, graph.StopGradient(y))
			continue
		}
		carrier := graph.BroadcastToShape(graph.ConvertDType(zero, y.DType()), y.Shape())
		results = append(results, graph.IdentityWithCustomGradient(graph.Add(graph.StopGradient(y), carrier), func(_, v *graph.Node) *graph.Node {
			if used {
				clear(vs)
				used = false
			}
			vs[k] = v
			return v
		}))
	}
	return results
}

// customGradient is the operation custom_gradient: it calls a GradientFunction, argument 0, on the
// tensors of argument 1, and gives its results the gradients that the function computes. Taking the
// gradient panics unless the function returns one for each tensor.
func customGradient(o operands) []*graph.Node {
	f, _ := o.arg(0).(GradientFunction)
	xs := o.list(1)
	ys, gradient := f(xs)
	return withGradient(xs, ys, func(_, vs []*graph.Node) []*graph.Node {
		out := gradient(vs)
		if len(out) != len(xs) {
			panic(fmt.Errorf("the gradient has %d tensors, want one for each of the %d arguments", len(out), len(xs)))
		}
		return out
	})
}

// jacobianProduct returns the results of argument 0, a Function, for the tensors of argument 1, and
// then, for each result, the product of its Jacobian and the tangents, argument 2, one for each
// tensor. It computes a product as a derivative: of the gradient's product with the tangents.
// Outside a model it panics.
func jacobianProduct(o operands) []*graph.Node {
	f, _ := o.arg(0).(Function)
	xs, tangents := o.list(1), o.list(2)
	if o.arrays() {
		panic(fmt.Errorf("it takes gradients, which only a recording has: call it on tensors of a model"))
	}
	inner := make([]*graph.Node, len(xs))
	for i, x := range xs {
		inner[i] = graph.Identity(x)
	}
	ys := f(inner)
	out := slices.Clone(ys)
	for _, y := range ys {
		w := graph.Identity(graph.OnesLike(y))
		product := graph.ScalarZero(o.g, y.DType())
		for i, gradient := range o.recorder.Gradient(graph.ReduceAllSum(graph.Mul(y, w)), inner...) {
			product = graph.Add(product, graph.ReduceAllSum(graph.Mul(gradient, tangents[i])))
		}
		out = append(out, o.recorder.Gradient(product, w)...)
	}
	return out
}
