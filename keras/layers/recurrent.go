package layers

// This file defines the recurrent layers RNN, SimpleRNN, LSTM and GRU, the loop over the steps of a
// sequence, and Cell, which computes one step.

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/trace"
)

// Cell is a layer that computes one step of a recurrent layer. Its Call takes the input of the step
// and the states, and returns the output and the new states. Any layer with a method StateSize is a
// Cell.
type Cell interface {
	Layer
	// StateSize returns the size of each state. A state is a tensor (batch, size), of zeros at
	// first unless the layer is given one.
	StateSize() []int
}

// recurrentClasses has the recurrent layers: by the name of the class in Keras, how a layer is made
// of its options.
var recurrentClasses = map[string]class{
	"RNN":        classOf(newCustomRNN),
	"SimpleRNN":  classOf(newSimpleRNN),
	"LSTM":       classOf(newLSTM),
	"GRU":        classOf(newGRU),
	"ConvLSTM1D": classOf(func(d declared, o *convLSTMOptions) Layer { return newConvLSTM(d, o, 1) }),
	"ConvLSTM2D": classOf(func(d declared, o *convLSTMOptions) Layer { return newConvLSTM(d, o, 2) }),
	"ConvLSTM3D": classOf(func(d declared, o *convLSTMOptions) Layer { return newConvLSTM(d, o, 3) }),
}

// loopOptions holds the options of the loop over the steps: what it returns, its direction, whether
// states continue in the next batch, whether it is unrolled, and what masked steps return.
type loopOptions struct {
	ReturnSequences   bool      `option:"return_sequences"`
	ReturnState       bool      `option:"return_state"`
	GoBackwards       bool      `option:"go_backwards"`
	Stateful          batchSize `option:"stateful"` // 0 for no
	Unroll            bool      `option:"unroll"`
	ZeroOutputForMask bool      `option:"zero_output_for_mask"`
}

// loop returns o. A struct of options that embeds loopOptions gives access to them by it.
func (o *loopOptions) loop() *loopOptions { return o }

// rnnOptions holds the options of RNN: the cell, and those of the loop.
type rnnOptions struct {
	Cell layerValue `argument:"cell"`
	loopOptions
}

// simpleRNNOptions holds the options of SimpleRNN: those of its cell and those of the loop.
type simpleRNNOptions struct {
	cellOptions
	loopOptions
}

// lstmOptions holds the options of LSTM: those of its cell and those of the loop.
type lstmOptions struct {
	lstmCellOptions
	loopOptions
}

// gruOptions holds the options of GRU: those of its cell and those of the loop.
type gruOptions struct {
	gruCellOptions
	loopOptions
}

// ReturnSequences makes a recurrent layer return the outputs of all steps, (batch, time,
// features), instead of the last one.
func ReturnSequences() Option { return set("ReturnSequences", true) }

// ReturnState makes a recurrent layer return the last states as further outputs, after its output.
func ReturnState() Option { return set("ReturnState", true) }

// GoBackwards makes a recurrent layer start with the last step. The outputs of all steps
// are returned in the order in which they were computed.
func GoBackwards() Option { return set("GoBackwards", true) }

// Stateful makes a recurrent layer start each batch, of batchSize samples, with the last states of
// the batch before. A batch of another size is an error, and so is a batchSize below 1. In Keras
// the batch size is an option of Input.
func Stateful(batchSize int) Option { return set("Stateful", batchSize) }

// Unroll traces the steps of a recurrent layer one after the other, without a loop in the program.
// An input with an unknown number of steps is then an error.
func Unroll() Option { return set("Unroll", true) }

// ZeroOutputForMask makes the outputs of a recurrent layer zero in masked steps. By default they
// are the output of the step before.
func ZeroOutputForMask() Option { return set("ZeroOutputForMask", true) }

// RNNLayer runs a cell over the steps of a sequence: keras.layers.RNN.
type RNNLayer struct {
	declared
	opts   *loopOptions
	Cell   Cell
	states []*variable.Variable // of a stateful layer
}

// RNN returns a layer that runs the cell over the steps of its first input, (batch, time, features
// …). Further inputs are the initial states. A nil cell is an error of the layer. Options: Name,
// ReturnSequences, ReturnState, GoBackwards, Stateful, Unroll, ZeroOutputForMask, DType.
//
// The steps are one loop of the program, also in the gradient (trace.Scan): the time to compile
// does not depend on their number.
func RNN(cell Cell, opts ...Option) *RNNLayer {
	return declare[*RNNLayer]("RNN", []Option{set("Cell", cell)}, opts)
}

func newCustomRNN(d declared, o *rnnOptions) Layer {
	cell, ok := o.Cell.Layer.(Cell)
	if !ok && !isNil(o.Cell.Layer) {
		d.fail("RNN: got the cell %T, want a layer with StateSize, such as LSTMCell(32)", o.Cell.Layer)
	}
	l := newRNN(d, &o.loopOptions, cell)
	return &l
}

func newRNN(d declared, o *loopOptions, cell Cell) RNNLayer {
	if isNil(cell) {
		d.fail("%s: got a cell that is nil, want a layer with StateSize, such as LSTMCell(32)", d.class)
	}
	return RNNLayer{declared: d, opts: o, Cell: cell}
}

// SimpleRNNLayer is a recurrent layer that adds products of the input and of the last output:
// keras.layers.SimpleRNN.
type SimpleRNNLayer struct{ RNNLayer }

// SimpleRNN returns a fully connected recurrent layer, whose state and output have units numbers.
// It returns the output of the last step, or of all with ReturnSequences. Options: those of
// SimpleRNNCell and of RNN, ActivityRegularizer.
func SimpleRNN(units int, opts ...Option) *SimpleRNNLayer {
	return declare[*SimpleRNNLayer]("SimpleRNN", []Option{set("Units", units)}, opts)
}

// LSTMLayer is a recurrent layer with a memory and four gates: keras.layers.LSTM.
type LSTMLayer struct{ RNNLayer }

// LSTM returns a recurrent layer with long short-term memory, whose output and two states have
// units numbers each. It returns the output of the last step, or of all with ReturnSequences.
// Options: those of LSTMCell and of RNN, ActivityRegularizer.
func LSTM(units int, opts ...Option) *LSTMLayer {
	return declare[*LSTMLayer]("LSTM", []Option{set("Units", units)}, opts)
}

// GRULayer is a recurrent layer with an update and a reset gate: keras.layers.GRU.
type GRULayer struct{ RNNLayer }

// GRU returns a recurrent layer with gated units, whose state and output have units numbers. It
// returns the output of the last step, or of all with ReturnSequences. Options: those of GRUCell
// and of RNN, ActivityRegularizer.
func GRU(units int, opts ...Option) *GRULayer {
	return declare[*GRULayer]("GRU", []Option{set("Units", units)}, opts)
}

func newSimpleRNN(d declared, o *simpleRNNOptions) Layer {
	cell := &SimpleRNNCellLayer{newGatedCell(d.makePart("SimpleRNNCell", &o.cellOptions), &o.cellOptions, 1)}
	return &SimpleRNNLayer{newRNN(d, &o.loopOptions, cell)}
}

func newLSTM(d declared, o *lstmOptions) Layer {
	return &LSTMLayer{newRNN(d, &o.loopOptions, newLSTMCell(d.makePart("LSTMCell", &o.lstmCellOptions), &o.lstmCellOptions))}
}

func newGRU(d declared, o *gruOptions) Layer {
	return &GRULayer{newRNN(d, &o.loopOptions, newGRUCell(d.makePart("GRUCell", &o.gruCellOptions), &o.gruCellOptions))}
}

// Build makes the variables of the cell, if it is not built, and the states of a stateful layer.
// Inputs are a sequence [batch, time, ...], of at least 3 dimensions, and perhaps all first states.
// Others, and Unroll without a known number of steps, are errors.
func (l *RNNLayer) Build(b *Builder, inputs []Spec) error {
	in := inputs[0]
	sizes := l.Cell.StateSize()
	if len(in.Shape) < 3 {
		return fmt.Errorf("got %s, want at least 3 dimensions: (batch, time, features)", in)
	}
	if n := len(inputs) - 1; n != 0 && n != len(sizes) {
		return fmt.Errorf("got %d inputs, want a sequence, or one and %d states to start with", len(inputs), len(sizes))
	}
	if l.opts.Unroll && in.Shape[1] == None {
		return fmt.Errorf("the option Unroll wants a known number of steps, but the input is %s: give keras.Input a number for it", in)
	}
	step := []Spec{{Shape: slices.Delete(slices.Clone(in.Shape), 1, 2), DType: in.DType}}
	states := l.stateShapes(step[0].Shape[1:])
	for _, shape := range states {
		step = append(step, Spec{Shape: append([]int{in.Shape[0]}, shape...), DType: l.ComputeDType()})
	}
	if !l.Cell.base().built {
		if err := build(l.Cell, b.path, step); err != nil {
			return err
		}
	}
	if l.opts.Stateful == 0 {
		return nil
	}
	for i, shape := range states {
		name := "rnn_state" // Keras names all of them rnn_state; paths must differ here
		if i > 0 {
			name = fmt.Sprintf("rnn_state_%d", i)
		}
		v, err := b.AddWeight(name, append([]int{int(l.opts.Stateful)}, shape...), l.DType(), initializers.Zeros(), variable.NonTrainable(), variable.As(ir.RoleState))
		if err != nil {
			return err
		}
		l.states = append(l.states, v)
	}
	return nil
}

// stateShapes returns the shape of each state, without the batch, for a step's input of the shape
// step, also without it. A state has one dimension unless the cell says otherwise.
func (l *RNNLayer) stateShapes(step []int) (shapes [][]int) {
	shaped, ok := l.Cell.(interface{ stateShape(step []int) []int })
	for _, n := range l.Cell.StateSize() {
		shape := []int{n}
		if ok && len(step) > 1 {
			shape = shaped.stateShape(step)
		}
		shapes = append(shapes, shape)
	}
	return shapes
}

// maskedCell is a cell whose dropout drops the same elements in all steps. dropMasks draws the
// masks for a sequence whose steps have the sizes dims.
type maskedCell interface {
	// dropMasks draws the masks for one sequence, and stores them in the cell. dims are the sizes
	// of a step, the batch first.
	dropMasks(c *Context, dims []int)
}

// Call runs the cell on each step of the input, in a loop, from the states in inputs, the stored
// ones or zeros. It returns the outputs, and the last states if they are asked for. A stateful
// layer stores the last states, and a cell with dropout the next state of its seed.
func (l *RNNLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x, o := inputs[0], l.opts
	states := l.start(c, x, inputs[1:])
	dims := x.Shape().Dimensions
	if cell, ok := l.Cell.(maskedCell); ok { // Keras draws masks in inference too
		cell.dropMasks(c, slices.Delete(slices.Clone(dims), 1, 2))
	}
	xs := []*graph.Node{timeFirst(x)}
	mask := c.Mask(x)
	if mask != nil {
		xs = append(xs, timeFirst(mask))
	}
	n := len(states)
	last := outputIsState(l.Cell) // which of the states the output is
	if last < 0 || mask != nil && (o.ZeroOutputForMask || o.Unroll) {
		last = n
		out := []int{outputSize(l.Cell)}
		if len(states) > 0 && outputIsState(l.Cell) >= 0 {
			out = states[outputIsState(l.Cell)].Shape().Dimensions[1:]
		}
		states = append(states, graph.Zeros(x.Graph(), shapeOf(l.ComputeDType(), append([]int{dims[0]}, out...)...)))
	}
	step := func(carry, xs []*graph.Node) (next, ys []*graph.Node) {
		next = c.ApplyAll(l.Cell, append(xs[:1:1], carry[:n]...)...)
		out, next := next[0], next[1:]
		if mask != nil {
			out = l.maskOutput(xs[1], out, carry)
			for i := range next {
				next[i] = whereMask(xs[1], next[i], carry[i])
			}
		}
		if len(carry) > n {
			next = append(next, out)
		}
		if o.ReturnSequences {
			ys = []*graph.Node{out}
		}
		return next, ys
	}
	carry, ys := trace.Scan(step, states, xs, trace.ScanOptions{Reverse: o.GoBackwards, Unroll: o.Unroll})
	if dims[0] == int(l.opts.Stateful) {
		for i, v := range l.states {
			c.Assign(v, graph.ConvertDType(carry[i], v.DType()))
		}
	}
	out := carry[last]
	if o.ReturnSequences {
		out = ys[0]
		if o.GoBackwards {
			out = graph.Reverse(out, 0)
		}
		out = timeFirst(out)
	}
	if o.ReturnState {
		return append([]*graph.Node{out}, carry[:n]...)
	}
	return []*graph.Node{out}
}

// start returns the initial states of the loop: those given as inputs, the last states of a
// stateful layer, or zeros. A batch of another size than that of a stateful layer panics, and while
// shapes are computed, with open sizes, it gets zeros.
func (l *RNNLayer) start(c *Context, x *graph.Node, given []*graph.Node) (states []*graph.Node) {
	batch := x.Shape().Dimensions[0]
	for i, shape := range l.stateShapes(x.Shape().Dimensions[2:]) {
		switch {
		case len(given) > 0:
			states = append(states, graph.ConvertDType(given[i], l.ComputeDType()))
		case l.states != nil && l.states[i].Shape()[0] == batch:
			states = append(states, c.Value(l.states[i]))
		case l.states != nil && c.open == 0:
			panic(fmt.Errorf("layer %s is stateful for batches of %d, and got one of %d", l.Name(), l.states[i].Shape()[0], batch))
		default:
			states = append(states, graph.Zeros(x.Graph(), shapeOf(l.ComputeDType(), append([]int{batch}, shape...)...)))
		}
	}
	return states
}

// maskOutput returns the output of a step: out for the samples that mask keeps. For the others it
// is zero with ZeroOutputForMask. Else, as in Keras on JAX, it is with Unroll the output of the
// step before, the last of carry, which is zero before the first step. In a loop it is the state in
// carry that is the cell's last output, and the first state of a cell that does not tell.
func (l *RNNLayer) maskOutput(mask, out *graph.Node, carry []*graph.Node) *graph.Node {
	var before *graph.Node
	switch {
	case l.opts.ZeroOutputForMask:
		before = graph.ZerosLike(out)
	case l.opts.Unroll:
		before = carry[len(carry)-1]
	default:
		before = carry[max(0, outputIsState(l.Cell))]
	}
	return whereMask(mask, out, before)
}

// whereMask returns x for the samples whose element of the mask, [batch], is true, and y for the
// others.
func whereMask(mask, x, y *graph.Node) *graph.Node {
	mask = graph.Reshape(mask, append([]int{x.Shape().Dimensions[0]}, slices.Repeat([]int{1}, x.Rank()-1)...)...)
	return graph.Where(graph.BroadcastToDims(mask, x.Shape().Dimensions...), x, y)
}

// timeFirst returns x with dimensions 0 and 1, batch and time, exchanged.
func timeFirst(x *graph.Node) *graph.Node { return graph.Transpose(x, 0, 1) }

// outputIsState returns the index of the state that is also the cell's output, or -1 if that is not
// known.
func outputIsState(cell Cell) int {
	if s, ok := cell.(interface{ outputState() int }); ok {
		return s.outputState()
	}
	return -1
}

// outputSize returns the size of a cell's output: what its method OutputSize returns, or else the
// size of its first state.
func outputSize(cell Cell) int {
	if s, ok := cell.(interface{ OutputSize() int }); ok {
		return s.OutputSize()
	}
	return cell.StateSize()[0]
}

// Config returns the options, as Keras' get_config names them. A stateful layer is an error.
func (l *RNNLayer) Config() (map[string]any, error) {
	if l.opts.Stateful > 0 {
		return nil, fmt.Errorf("it is stateful: Keras wants the batch size of the model's input in the file, which is open here; save the weights with SaveWeights instead")
	}
	return l.declared.Config()
}

// batchSize is the option Stateful: the batch size, 0 for a layer that is not stateful. In configs
// of Keras it is true or false; Assign and Read know only false.
type batchSize int

// Assign sets the batch size to v, an int; false and nil, which stand in configs, set 0. true and
// others are errors.
func (n *batchSize) Assign(v any) error {
	size, ok := v.(int)
	switch {
	case v == true:
		return fmt.Errorf("got true, want false: the batch size of the input is not read; make the layer with layers.Stateful and load its weights")
	case v == false || v == nil:
		size = 0
	case !ok || size < 1 || size > option.MaxSize:
		return fmt.Errorf("got %v, want a positive number of at most %d", v, option.MaxSize)
	}
	*n = batchSize(size)
	return nil
}

// Read returns false, for the config, which does not keep the batch size.
func (n *batchSize) Read() any { return false }
