package trace

// This file defines Scan: a loop over the steps of a sequence, with a gradient.

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/ir"
)

// ScanOptions are the options of Scan.
type ScanOptions struct {
	// Length is the number of steps. It may be 0 if there are xs: then it is the size of their
	// first dimension.
	Length int
	// Reverse runs from the last step to the first. Each y has the index of the x that it comes
	// from.
	Reverse bool
	// Remat keeps only the carry of each step for the gradient, which computes all other values
	// again, like jax.checkpoint of the body. It saves memory and costs time.
	Remat bool
	// Unroll records the body once for each step, without a loop.
	Unroll bool
	// NoGradient says that no gradient of the loop is needed; recording it is then cheaper. If a
	// gradient is needed nevertheless, the loop is recorded once more, and runs twice. The body
	// itself may call Gradient.
	NoGradient bool
}

// ScanBody is one step of a Scan. Its arguments are the carry, and the step's slices of the xs,
// without their first dimension. It returns the next carry, whose number and types must be the
// same, and the step's slices of the ys. It may use nodes from outside.
type ScanBody func(carry, xs []*graph.Node) (next, ys []*graph.Node)

// Scan runs body for each index along the first dimension of the xs. Like jax.lax.scan, it returns
// the carry of the last step, and the ys of all steps, stacked along a new first dimension. It
// panics for wrong arguments, and in graphs that are no recordings. Unless Unroll is set or there
// is only one step, the recording is one loop:
//
//	next, ys = scan(init, xs)    =>    %1:3 = while(i = 0, carry = init, ys = zeros) …
//
// The gradient is a loop, too (scan_gradient.go). Values that do not change in the loop are
// computed before it. Matrix products that depend only on the xs and on such values are also
// computed before the loop, as one product for all steps.
func Scan(body ScanBody, init, xs []*graph.Node, o ScanOptions) (carry, ys []*graph.Node) {
	given := slices.Concat(init, xs)
	if len(given) == 0 {
		panic(&Error{Op: "Scan", Err: fmt.Errorf("got no carry and no xs, want at least one of them")})
	}
	b, ok := given[0].Graph().Backend().(*backend)
	if !ok {
		panic(&Error{Op: "Scan", Err: fmt.Errorf("the graph is of backend %q: only recordings have scans", given[0].Graph().Backend().Name())})
	}
	s := &scan{r: b.r, f: b.r.currentFunction(given[0]), body: body, init: init, xs: xs, o: o}
	if err := s.check(); err != nil {
		panic(b.r.errorf("Scan", "%w", err))
	}
	if o.Unroll || s.o.Length == 1 {
		return s.unroll()
	}
	return s.loop()
}

// IsRecorded reports whether x is a node of a recording. Only recordings have Scan.
func IsRecorded(x *graph.Node) bool {
	_, ok := x.Graph().Backend().(*backend)
	return ok
}

// scan is the state of a Scan: what is needed to record its loop, and then the loop of its
// gradient.
type scan struct {
	r        *Recorder
	f        *function
	body     ScanBody
	init, xs []*graph.Node
	o        ScanOptions

	step     *scanStep   // the step that the loop runs
	gradient *derivative // nil if o.NoGradient is set
	op       *ir.Op      // the loop
	taken    bool        // op already belongs to a node
	outputs  []*graph.Node
}

// check returns an error if the arguments are wrong: scalars as xs, xs of different lengths, or
// less than one step. It sets the length if it was 0.
func (s *scan) check() error {
	for i, x := range s.xs {
		switch {
		case x.Rank() == 0:
			return fmt.Errorf("xs[%d] is a scalar: its first dimension must be that of the steps", i)
		case s.o.Length == 0:
			s.o.Length = x.Shape().Dimensions[0]
		case s.o.Length != x.Shape().Dimensions[0]:
			return fmt.Errorf("xs[%d] has the shape %s, want a first dimension of %d, the number of steps", i, x.Shape(), s.o.Length)
		}
	}
	if s.o.Length < 1 {
		return fmt.Errorf("got %d steps, want at least one", s.o.Length)
	}
	return nil
}

// call calls the body with carry and xs and returns its results: the carry of the next step, and
// ys. It panics with an Error if next differs from carry in the number of values, or if a value has
// another shape or element type.
func (s *scan) call(carry, xs []*graph.Node) (next, ys []*graph.Node) {
	next, ys = s.body(carry, xs)
	if len(next) != len(carry) {
		panic(s.r.errorf("Scan", "the body takes %d values that it carries and returns %d: their number must not change", len(carry), len(next)))
	}
	for i, n := range next {
		if !n.Shape().Equal(carry[i].Shape()) {
			panic(s.r.errorf("Scan", "value %d that the body carries is %s, but becomes %s: its type must not change", i, carry[i].Shape(), n.Shape()))
		}
	}
	return next, ys
}

// unroll records the steps one after the other, without a loop. It returns the last carry, and for
// each of the ys the results of all steps, stacked in the order of the elements also if the scan is
// reversed.
func (s *scan) unroll() (carry, ys []*graph.Node) {
	carry = s.init
	var steps [][]*graph.Node // one list for each of the ys
	for i := range s.o.Length {
		if s.o.Reverse {
			i = s.o.Length - 1 - i
		}
		xs := make([]*graph.Node, len(s.xs))
		for k, x := range s.xs {
			at := graph.SliceAxis(x, 0, graph.AxisElem(i))
			xs[k] = graph.Reshape(at, x.Shape().Dimensions[1:]...)
		}
		var y []*graph.Node
		if carry, y = s.call(carry, xs); steps == nil {
			steps = make([][]*graph.Node, len(y))
		}
		for k, n := range y {
			steps[k] = append(steps[k], n)
		}
	}
	for _, list := range steps {
		if s.o.Reverse {
			slices.Reverse(list)
		}
		ys = append(ys, graph.Stack(list, 0))
	}
	return carry, ys
}

// loop records the loop, and returns its results: the carried values after the last step, and the
// stacks of ys. It sets s.step, s.op and s.outputs and, unless NoGradient is set, s.gradient.
func (s *scan) loop() (carry, ys []*graph.Node) {
	user := s.record()
	s.step = user.prepare()
	if !s.o.NoGradient {
		s.gradient = s.differentiate()
		s.step = s.gradient.forwardStep()
	}
	s.op = s.recordLoop()
	s.outputs = s.nodes()
	n := len(s.init)
	return s.outputs[:n], s.outputs[n : n+len(user.ys)]
}

// record calls the body once, on placeholders, and returns its step, which is recorded in a block
// outside of the program.
func (s *scan) record() *scanStep {
	u := &scanStep{s: s, block: s.r.scratchBlock(), stacks: s.xs}
	s.r.recordIn(s.f, u.block, func() {
		for _, c := range s.init {
			u.carry = append(u.carry, s.r.placeholder(u.block, c, c.Shape().Dimensions))
		}
		for _, x := range s.xs {
			u.xs = append(u.xs, s.r.placeholder(u.block, x, x.Shape().Dimensions[1:]))
		}
		u.next, u.ys = s.call(u.carry, u.xs)
	})
	return u
}

// recordLoop records the loop as a while of the step, and returns that op. It carries the number of
// the step, the carried values, and the stacks, which are 0 at first. It panics with the error of
// an op.
func (s *scan) recordLoop() *ir.Op {
	e := s.f.begin("Scan")
	operands := []*ir.Value{e.scalar(dtypes.Int32, 0)}
	for _, n := range s.init {
		operands = append(operands, e.value(nodeValue(n)))
	}
	for _, y := range s.step.ys {
		t := typeOfNode(y)
		zeros := ir.Splat(t.WithDims(append([]int{s.o.Length}, t.Dims...)), 0)
		operands = append(operands, e.opWithType(ir.OpConstant, ir.Attrs{{Name: "value", Value: zeros}}, zeros.Type))
	}
	if e.err != nil {
		panic(e.err)
	}
	types := typesOf(operands)
	cond := e.region(types, func(args []*ir.Value) []*ir.Value {
		less := ir.Attrs{{Name: "comparison_direction", Value: ir.Enum("LT")}, {Name: "compare_type", Value: ir.Enum("SIGNED")}}
		return []*ir.Value{e.op(ir.OpCompare, less, args[0], e.scalar(dtypes.Int32, float64(s.o.Length)))}
	})
	body := &ir.Block{}
	for _, t := range types {
		body.AddArg(t)
	}
	s.r.recordIn(s.f, body, s.recordBody)
	op := e.b.Build(ir.OpWhile, nil, types, []*ir.Block{cond, body}, operands...)
	return op
}

// recordBody records the body of the loop: it slices the xs, records one step, and puts the step's
// ys into their stacks. It panics with the error of an op.
func (s *scan) recordBody() {
	e := s.f.begin("Scan")
	args := s.f.block.Args
	index := args[0]
	if s.o.Reverse {
		index = e.op(ir.OpSubtract, nil, e.scalar(dtypes.Int32, float64(s.o.Length-1)), index)
	}
	xs := make([]*ir.Value, len(s.step.stacks))
	for i, stack := range s.step.stacks {
		xs[i] = e.sliceAt(e.value(nodeValue(stack)), index)
	}
	n := 1 + len(s.init)
	next, ys := s.step.recordAgain(args[1:n], xs)
	e = s.f.begin("Scan")
	results := []*ir.Value{e.op(ir.OpAdd, nil, args[0], e.scalar(dtypes.Int32, 1))}
	for _, v := range next {
		results = append(results, e.value(v))
	}
	for k, y := range ys {
		results = append(results, e.put(args[n+k], e.value(y), index))
	}
	e.ops(ir.OpReturn, nil, nil, results...)
	if e.err != nil {
		panic(e.err)
	}
}

// inputs returns the inputs of the loop's node: the first carry, the stacks of xs, and the captured
// values. Gradients can flow to these.
func (s *scan) inputs() []*graph.Node {
	return slices.Concat(s.init, s.step.stacks, s.step.captured)
}

// nodes returns the results of the loop as GoMLX nodes: the carry, then the stacks. GoMLX's While
// needs closures: they are empty and only identify the scan.
func (s *scan) nodes() []*graph.Node {
	inputs := s.inputs()
	s.r.closing = s
	handle := graph.NewClosure(inputs[0].Graph(), func(*graph.Graph) []*graph.Node { return inputs[:1] })
	return graph.While(handle, handle, inputs...)
}

// take returns the results of the loop, without the counter, for a node with the given inputs. The
// first call uses the loop that was recorded. If the loop is in the body of another loop, which is
// recorded again, later calls insert a copy by e. It notes in s.r.loops that the loop is one of s.
func (s *scan) take(e *emitter, inputs []*ir.Value) []*ir.Value {
	op := s.op
	if s.taken {
		copies := ir.Cloner{}
		for i, n := range s.inputs() {
			copies[nodeValue(n)] = inputs[i]
		}
		for _, v := range op.Operands {
			if _, ok := copies[v]; !ok {
				copies[v] = e.value(v) // constants: the counter, and the initial stacks of the ys
			}
		}
		op = e.b.Insert(copies.Op(op))
	}
	s.taken = true
	if s.r.loops == nil {
		s.r.loops = make(map[*ir.Op]*scan)
	}
	s.r.loops[op] = s
	return op.Results[1:]
}

// sliceAt emits the element of stack at index, a scalar, along the first dimension, and returns it
// without that dimension.
func (e *emitter) sliceAt(stack, index *ir.Value) *ir.Value {
	if e.err != nil {
		return nil
	}
	sizes := append([]int{1}, stack.Type.Dims[1:]...)
	at := e.op(ir.OpDynamicSlice, ir.Attrs{{Name: "slice_sizes", Value: ints(sizes)}}, append([]*ir.Value{stack}, e.startsAt(index, stack)...)...)
	if e.err != nil {
		return nil
	}
	return e.opWithType(ir.OpReshape, nil, stack.Type.WithDims(stack.Type.Dims[1:]), at)
}

// put emits stack with the element at index, a scalar, along the first dimension replaced by v, and
// returns it.
func (e *emitter) put(stack, v, index *ir.Value) *ir.Value {
	if e.err != nil {
		return nil
	}
	slice := e.opWithType(ir.OpReshape, nil, v.Type.WithDims(append([]int{1}, v.Type.Dims...)), v)
	return e.op(ir.OpDynamicUpdateSlice, nil, append([]*ir.Value{stack, slice}, e.startsAt(index, stack)...)...)
}

func (e *emitter) startsAt(index, stack *ir.Value) []*ir.Value {
	starts := []*ir.Value{index}
	for range stack.Type.Rank() - 1 {
		starts = append(starts, e.scalar(dtypes.Int32, 0))
	}
	return starts
}

// currentFunction returns the function that operations are currently recorded in. n may be any node
// of the graph.
func (r *Recorder) currentFunction(n *graph.Node) (f *function) {
	r.identity = func(e *emitter, v *ir.Value) *ir.Value {
		f = e.f
		return v
	}
	graph.Identity(n)
	return f
}

// adopt returns a node for v, a value that no GoMLX operation recorded. like may be any node of the
// graph.
func (r *Recorder) adopt(like *graph.Node, v *ir.Value) *graph.Node {
	r.identity = func(*emitter, *ir.Value) *ir.Value { return v }
	return graph.Identity(like)
}

// placeholder adds an argument to block, with the element type of n and the dimensions dims, and
// returns a node for it. n may be any node of the graph with that element type.
func (r *Recorder) placeholder(block *ir.Block, n *graph.Node, dims []int) *graph.Node {
	return r.adopt(n, block.AddArg(ir.Tensor(n.DType(), dims...)))
}

// scratchBlock returns a new block that is not part of the program. The recorder clears it with the
// closures that nothing uses.
func (r *Recorder) scratchBlock() *ir.Block {
	b := &ir.Block{}
	r.closures = append(r.closures, b)
	return b
}

// recordIn runs build. Meanwhile operations in f are recorded in block.
func (r *Recorder) recordIn(f *function, block *ir.Block, build func()) {
	outer, constants := f.block, f.constants
	f.block, f.constants = block, nil
	defer func() { f.block, f.constants = outer, constants }()
	build()
}
