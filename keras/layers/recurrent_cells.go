package layers

// This file defines the cells of recurrent layers: SimpleRNNCell, LSTMCell, GRUCell and
// StackedRNNCells; and their options.

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/variable"
	"github.com/gospmd/gospmd/layout"
)

// cellClasses has the cells of recurrent layers: by the name of the class in Keras, how a cell is
// made of its options.
var cellClasses = map[string]class{
	"SimpleRNNCell":   classOf(func(d declared, o *cellOptions) Layer { return &SimpleRNNCellLayer{newGatedCell(d, o, 1)} }),
	"LSTMCell":        classOf(func(d declared, o *lstmCellOptions) Layer { return newLSTMCell(d, o) }),
	"GRUCell":         classOf(func(d declared, o *gruCellOptions) Layer { return newGRUCell(d, o) }),
	"StackedRNNCells": classOf(newStackedRNNCells),
}

// gateOptions holds the options of all cells with gates: Activation, those of the kernels of input
// and state and of the bias, the rates of both dropouts, and Seed.
type gateOptions struct {
	Activation activation `option:"activation" default:"tanh"`
	kernelOptions
	Recurrent weightOptions `prefix:"recurrent" default:"orthogonal"`
	biasOptions
	DropoutRate      float64 `option:"dropout" want:"fraction"`
	RecurrentDropout float64 `option:"recurrent_dropout" want:"fraction"`
	seedOptions
}

// gates returns o. A struct of options that embeds gateOptions gives access to them by it.
func (o *gateOptions) gates() *gateOptions { return o }

// renew replaces the initializers of the kernels and the bias by clones, which draw other numbers
// unless they have a seed.
func (o *gateOptions) renew() {
	for _, w := range []*weightOptions{&o.Kernel, &o.Recurrent, &o.Bias} {
		w.Initializer.Initializer = initializers.Clone(w.Initializer.Initializer)
	}
}

// cellOptions holds the options of SimpleRNNCell: the number of units, and those in gateOptions.
type cellOptions struct {
	Units int `argument:"units" want:"size"`
	gateOptions
}

// lstmGateOptions holds the options of the gates of an LSTM: their activation, and whether the bias
// of the forget gate starts at 1.
type lstmGateOptions struct {
	RecurrentActivation activation `option:"recurrent_activation" default:"sigmoid"`
	UnitForgetBias      bool       `option:"unit_forget_bias" default:"true"`
}

// lstmCellOptions holds the options of LSTMCell: those of SimpleRNNCell, RecurrentActivation and
// UnitForgetBias.
type lstmCellOptions struct {
	cellOptions
	lstmGateOptions
}

// gruCellOptions holds the options of GRUCell: those of SimpleRNNCell, RecurrentActivation and
// ResetAfter.
type gruCellOptions struct {
	cellOptions
	RecurrentActivation activation `option:"recurrent_activation" default:"sigmoid"`
	ResetAfter          bool       `option:"reset_after" default:"true"`
}

// stackedOptions holds the only option of StackedRNNCells: its cells, in the order in which they
// run.
type stackedOptions struct {
	Cells layerList[Cell] `argument:"cells"`
}

// RecurrentActivation sets the activation of the gates of an LSTM, a ConvLSTM or a GRU, a name or
// an activations.Func: "sigmoid" by default.
func RecurrentActivation(a any) Option { return set("RecurrentActivation", a) }

// RecurrentInitializer sets the initializer of a recurrent layer's kernel of the states, a name or
// an initializer: "orthogonal" by default.
func RecurrentInitializer(init any) Option { return set("RecurrentInitializer", init) }

// RecurrentRegularizer adds to the loss a penalty on a recurrent layer's kernel of the states. r is
// a name or a regularizer; there is none by default.
func RecurrentRegularizer(r any) Option { return set("RecurrentRegularizer", r) }

// RecurrentConstraint projects a recurrent layer's kernel of the states after each step of the
// optimizer. c is a name or a constraint; there is none by default.
func RecurrentConstraint(c any) Option { return set("RecurrentConstraint", c) }

// RecurrentDropout sets the probability that a recurrent layer drops an element of its state while
// training: 0 by default. The same elements are dropped in all steps. A number outside [0, 1] is an
// error.
func RecurrentDropout(rate float64) Option { return set("RecurrentDropout", rate) }

// UnitForgetBias sets whether the bias of the forget gate of an LSTM or ConvLSTM starts at 1; by
// default it does.
func UnitForgetBias(unit bool) Option { return set("UnitForgetBias", unit) }

// ResetAfter sets whether a GRU applies its reset gate after the matrix product; by
// default it does.
func ResetAfter(after bool) Option { return set("ResetAfter", after) }

// gatedCell is the common part of the cells of SimpleRNN, LSTM and GRU: kernels with the columns of
// all gates side by side, and masks for dropout.
type gatedCell struct {
	declared
	opts            *gateOptions
	Units           int
	Kernel          *variable.Variable // [input features, gates·units]
	RecurrentKernel *variable.Variable // [units, gates·units]
	Bias            *variable.Variable // [gates·units]; nil without bias
	gates           int

	seed  *random.SeedGenerator
	state *variable.Variable
	// dropout masks of the sequence that is being traced: nil, one mask, or one for each gate
	inputMasks, stateMasks []*graph.Node
}

func newGatedCell(d declared, o *cellOptions, gates int) gatedCell {
	return startCell(d, &o.gateOptions, o.Units, gates)
}

// startCell returns the common part, not yet built, of a cell with gates, with these options and
// these numbers of units and gates.
func startCell(d declared, o *gateOptions, units, gates int) gatedCell {
	// Keras makes the generator also for a cell that drops nothing: the numbers of the next ones,
	// and the seeds that they draw, depend on it.
	return gatedCell{declared: d, opts: o, Units: units, gates: gates, seed: o.generator()}
}

// drops reports whether the cell drops elements of the input or of the state.
func (l *gatedCell) drops() bool { return l.opts.DropoutRate > 0 || l.opts.RecurrentDropout > 0 }

// build makes the variables of the cell for steps (batch, features): the kernels of input and
// state, and a bias of the given shape, filled by biasInit. A step of another rank is an error.
func (l *gatedCell) build(b *Builder, inputs []Spec, bias []int, biasInit variable.Filler) (err error) {
	in := inputs[0]
	if len(in.Shape) != 2 {
		return fmt.Errorf("got a step %s, want 2 dimensions: (batch, features); the layer's input is (batch, time, features)", in)
	}
	return l.addWeights(b, []int{in.Shape[1], l.gates * l.Units}, []int{l.Units, l.gates * l.Units}, bias, biasInit)
}

// addWeights makes the kernel, the recurrent kernel and, with UseBias, the bias, of these shapes,
// and sets the cell's fields. A cell with dropout also gets the state of a seed generator. Open
// sizes are an error.
func (l *gatedCell) addWeights(b *Builder, kernel, states, bias []int, biasInit variable.Filler) (err error) {
	if l.Kernel, err = l.opts.Kernel.add(b, "kernel", kernel, l.DType()); err != nil {
		return err
	}
	if l.RecurrentKernel, err = l.opts.Recurrent.add(b, "recurrent_kernel", states, l.DType()); err != nil {
		return err
	}
	if l.opts.UseBias {
		if l.Bias, err = b.AddWeight("bias", bias, l.DType(), biasInit, l.opts.Bias.limits()...); err != nil {
			return err
		}
	}
	if l.drops() {
		l.state, err = b.SeedGenerator(l.seed)
	}
	return err
}

// StateSize returns the sizes of the states: one state, with a number for each unit.
func (l *gatedCell) StateSize() []int { return []int{l.Units} }

// OutputSize returns the number of units, the size of the cell's output.
func (l *gatedCell) OutputSize() int { return l.Units }

func (l *gatedCell) outputState() int { return 0 }

// dropMasks draws the dropout masks of inputs, of the sizes dims, and of states, [dims[0], units],
// for one sequence, and stores them for Call. If the rate of either is 0, it has none. It moves the
// seed's state on for each. If the state has a dropout, there is a mask for each gate, as in Keras,
// else one for all.
func (l *gatedCell) dropMasks(c *Context, dims []int) {
	count := 1
	if l.opts.RecurrentDropout > 0 {
		count = l.gates
	}
	l.inputMasks = l.masks(c, l.opts.DropoutRate, count, dims)
	l.stateMasks = l.masks(c, l.opts.RecurrentDropout, count, []int{dims[0], l.Units})
}

// masks draws count dropout masks of the sizes dims: 0 where an element is dropped, 1/(1-rate)
// elsewhere. It returns none if rate is 0. It advances the cell's seed generator.
func (l *gatedCell) masks(c *Context, rate float64, count int, dims []int) (out []*graph.Node) {
	if rate == 0 {
		return nil
	}
	for range count {
		key, next := random.Next(c.Value(l.state))
		c.Assign(l.state, next)
		out = append(out, key.Dropout(graph.Ones(c.Recorder.Graph(), shapes.Make(l.ComputeDType(), dims...)), rate))
	}
	return out
}

// project returns x · kernel, [batch, gates·units], for all gates side by side. While training, it
// drops elements of x by the masks: none, one for all gates, or one for each.
func (l *gatedCell) project(c *Context, x *graph.Node, kernel *variable.Variable, masks []*graph.Node) *graph.Node {
	w := c.Value(kernel)
	if !c.Training {
		masks = nil
	}
	switch len(masks) {
	case 0:
		return graph.Dot(x, w).Product()
	case 1:
		return graph.Dot(graph.Mul(x, masks[0]), w).Product()
	}
	out := l.split(w)
	for i := range out {
		out[i] = graph.Dot(graph.Mul(x, masks[i]), out[i]).Product()
	}
	return graph.Concatenate(out, -1)
}

// split cuts the last dimension of x into equal parts, one for each gate.
func (l *gatedCell) split(x *graph.Node) []*graph.Node {
	if l.gates == 1 {
		return []*graph.Node{x}
	}
	out := make([]*graph.Node, l.gates)
	for i := range out {
		out[i] = lastRange(x, i*l.Units, (i+1)*l.Units)
	}
	return out
}

// lastRange returns the elements from .. to-1 of the last dimension of x.
func lastRange(x *graph.Node, from, to int) *graph.Node {
	return graph.SliceAxis(x, -1, graph.AxisRange(from, to))
}

// addBias returns x plus the bias, broadcast from the last dimension, or x if the bias is nil.
func addBias(x, bias *graph.Node) *graph.Node {
	if bias == nil {
		return x
	}
	return graph.Add(x, nodes.BroadcastLast(bias, x))
}

// SimpleRNNCellLayer computes one step of a SimpleRNN: keras.layers.SimpleRNNCell.
type SimpleRNNCellLayer struct{ gatedCell }

// SimpleRNNCell returns the cell that computes activation(x · kernel + bias + h · recurrent
// kernel), where h is its last output. Options: Name, Activation ("tanh"), UseBias,
// KernelInitializer, RecurrentInitializer, BiasInitializer, KernelRegularizer,
// RecurrentRegularizer, BiasRegularizer, KernelConstraint, RecurrentConstraint, BiasConstraint,
// DropoutRate, RecurrentDropout, Seed, DType.
func SimpleRNNCell(units int, opts ...Option) *SimpleRNNCellLayer {
	return declare[*SimpleRNNCellLayer]("SimpleRNNCell", []Option{set("Units", units)}, opts)
}

// Build makes the kernels of input and state, and the bias, for the features of a step (batch,
// features). Another rank is an error.
func (l *SimpleRNNCellLayer) Build(b *Builder, inputs []Spec) error {
	return l.build(b, inputs, []int{l.Units}, l.opts.Bias.Initializer.Initializer)
}

// Call returns the output of one step, and the next state, which is the same. in holds the input
// and the state before.
func (l *SimpleRNNCellLayer) Call(c *Context, in []*graph.Node) []*graph.Node {
	x := addBias(l.project(c, in[0], l.Kernel, l.inputMasks), l.biasValue(c))
	h := l.opts.Activation.Func(graph.Add(x, l.project(c, in[1], l.RecurrentKernel, l.stateMasks)))
	return []*graph.Node{h, h}
}

// biasValue returns the node of the bias, or nil if the cell has none.
func (l *gatedCell) biasValue(c *Context) *graph.Node {
	if l.Bias == nil {
		return nil
	}
	return c.Value(l.Bias)
}

// LSTMCellLayer computes one step of an LSTM (Hochreiter and Schmidhuber, 1997):
// keras.layers.LSTMCell.
type LSTMCellLayer struct{ lstmCell }

// lstmCell is the common part of the cells of LSTM and ConvLSTM.
type lstmCell struct {
	gatedCell
	lstm *lstmGateOptions
}

// LSTMCell returns the cell of an LSTM, with two states of units numbers: the output and the
// memory. Options: those of SimpleRNNCell, RecurrentActivation, UnitForgetBias.
func LSTMCell(units int, opts ...Option) *LSTMCellLayer {
	return declare[*LSTMCellLayer]("LSTMCell", []Option{set("Units", units)}, opts)
}

func newLSTMCell(d declared, o *lstmCellOptions) *LSTMCellLayer {
	return &LSTMCellLayer{lstmCell{newGatedCell(d, &o.cellOptions, 4), &o.lstmGateOptions}}
}

// StateSize returns the sizes of the two states, both the number of units: first the output, then
// the memory.
func (l *lstmCell) StateSize() []int { return []int{l.Units, l.Units} }

// Build makes the kernels of input and state, and the bias, for the four gates and the features of
// a step (batch, features). Another rank is an error.
func (l *LSTMCellLayer) Build(b *Builder, inputs []Spec) error {
	return l.build(b, inputs, []int{4 * l.Units}, l.forgetBias())
}

// forgetBias returns the initializer of an LSTM's bias: that of the option, with 1 for the forget
// gate unless UnitForgetBias is false.
func (l *lstmCell) forgetBias() variable.Filler {
	init := l.opts.Bias.Initializer.Initializer
	if l.lstm.UnitForgetBias {
		return forgetBias{init, l.Units}
	}
	return init
}

// Call returns the output of one step of an LSTM and its next states, output and memory. in holds
// the input and both states before. The gates are those of input, forgetting, memory and output.
func (l *LSTMCellLayer) Call(c *Context, in []*graph.Node) []*graph.Node {
	sum := graph.Add(l.project(c, in[0], l.Kernel, l.inputMasks), l.project(c, in[1], l.RecurrentKernel, l.stateMasks))
	return l.step(l.split(addBias(sum, l.biasValue(c))), in[2])
}

// step computes a step of an LSTM from its gates z (input, forget, new memory, output, before their
// activations) and the memory. It returns the output, and as states the output and the new memory.
func (l *lstmCell) step(z []*graph.Node, memory *graph.Node) []*graph.Node {
	gate := l.lstm.RecurrentActivation.Func
	i, f := gate(z[0]), gate(z[1])
	memory = graph.Add(graph.Mul(f, memory), graph.Mul(i, l.opts.Activation.Func(z[2])))
	h := graph.Mul(gate(z[3]), l.opts.Activation.Func(memory))
	return []*graph.Node{h, h, memory}
}

// GRUCellLayer computes one step of a GRU (Cho et al., 2014): keras.layers.GRUCell.
type GRUCellLayer struct {
	gatedCell
	opts *gruCellOptions
}

// GRUCell returns the cell of a GRU, with one state of units numbers, its output. Options: those of
// SimpleRNNCell, RecurrentActivation, ResetAfter.
func GRUCell(units int, opts ...Option) *GRUCellLayer {
	return declare[*GRUCellLayer]("GRUCell", []Option{set("Units", units)}, opts)
}

func newGRUCell(d declared, o *gruCellOptions) *GRUCellLayer {
	return &GRUCellLayer{newGatedCell(d, &o.cellOptions, 3), o}
}

// Build makes the kernels of input and state for the three gates, and the bias: with ResetAfter one
// for the inputs and one for the state. A step that is not (batch, features) is an error.
func (l *GRUCellLayer) Build(b *Builder, inputs []Spec) error {
	bias := []int{3 * l.Units}
	if l.opts.ResetAfter {
		bias = []int{2, 3 * l.Units}
	}
	return l.build(b, inputs, bias, l.opts.Bias.Initializer.Initializer)
}

// Call returns the output of one step of a GRU, and the next state, which is the same. in holds the
// input and the state before. The gates are those of update, reset and the new state.
func (l *GRUCellLayer) Call(c *Context, in []*graph.Node) []*graph.Node {
	h, after := in[1], l.opts.ResetAfter
	bias := [2]*graph.Node{l.biasValue(c)}
	if l.Bias != nil && after {
		bias = [2]*graph.Node{graph.Reshape(graph.Slice(bias[0], graph.AxisElem(0)), 3*l.Units), graph.Reshape(graph.Slice(bias[0], graph.AxisElem(1)), 3*l.Units)}
	}
	x := l.split(addBias(l.project(c, in[0], l.Kernel, l.inputMasks), bias[0]))
	gate := l.opts.RecurrentActivation.Func
	var update, reset, inner *graph.Node
	if after {
		r := l.split(addBias(l.project(c, h, l.RecurrentKernel, l.stateMasks), bias[1]))
		update, reset = gate(graph.Add(x[0], r[0])), gate(graph.Add(x[1], r[1]))
		inner = graph.Mul(reset, r[2])
	} else {
		w := l.split(c.Value(l.RecurrentKernel))
		state := func(i int) *graph.Node {
			if c.Training && len(l.stateMasks) > 0 {
				return graph.Mul(h, l.stateMasks[i])
			}
			return h
		}
		product := func(x *graph.Node, i int) *graph.Node { return graph.Dot(x, w[i]).Product() }
		update, reset = gate(graph.Add(x[0], product(state(0), 0))), gate(graph.Add(x[1], product(state(1), 1)))
		inner = product(graph.Mul(reset, state(2)), 2)
	}
	candidate := l.opts.Activation.Func(graph.Add(x[2], inner))
	h = graph.Add(graph.Mul(update, h), graph.Mul(graph.OneMinus(update), candidate))
	return []*graph.Node{h, h}
}

// StackedRNNCellsLayer runs cells one after the other in each step:
// keras.layers.StackedRNNCells.
type StackedRNNCellsLayer struct {
	declared
	Cells []Cell
}

// StackedRNNCells returns a cell that gives the output of each cell to the next one. Its states are
// those of all cells. No cells, and a nil one, are errors of the layer.
func StackedRNNCells(cells ...Cell) *StackedRNNCellsLayer {
	return declare[*StackedRNNCellsLayer]("StackedRNNCells", []Option{set("Cells", cells)})
}

func newStackedRNNCells(d declared, o *stackedOptions) Layer {
	cells := []Cell(o.Cells)
	if len(cells) == 0 || slices.ContainsFunc(cells, func(c Cell) bool { return isNil(c) }) {
		d.fail("StackedRNNCells: got cells %v, want at least one, and none that is nil", cells)
	}
	return &StackedRNNCellsLayer{declared: d, Cells: cells}
}

// StateSize returns the sizes of the states of all cells, in the order of the cells.
func (l *StackedRNNCellsLayer) StateSize() (sizes []int) {
	for _, c := range l.Cells {
		sizes = append(sizes, c.StateSize()...)
	}
	return sizes
}

// OutputSize returns the size of the output of the last cell.
func (l *StackedRNNCellsLayer) OutputSize() int { return outputSize(l.Cells[len(l.Cells)-1]) }

// outputState returns the index of the state that equals the output of the last cell; -1 if there
// is none.
func (l *StackedRNNCellsLayer) outputState() int {
	last := l.Cells[len(l.Cells)-1]
	if i := outputIsState(last); i >= 0 {
		return len(l.StateSize()) - len(last.StateSize()) + i
	}
	return -1
}

// Build builds the cells that are not built, each for the outputs of the one before it and its
// states.
func (l *StackedRNNCellsLayer) Build(b *Builder, inputs []Spec) error {
	step, states := inputs[0], inputs[1:]
	for _, c := range l.Cells {
		n := len(c.StateSize())
		if !c.base().built {
			if err := build(c, b.path, append([]Spec{step}, states[:n]...)); err != nil {
				return err
			}
		}
		step, states = Spec{Shape: []int{step.Shape[0], outputSize(c)}, DType: step.DType}, states[n:]
	}
	return nil
}

// Call runs the cells of one step one after the other, each on the output of the one before. in
// holds the input and the states of all cells. It returns the last output, then the next states of
// all cells.
func (l *StackedRNNCellsLayer) Call(c *Context, in []*graph.Node) []*graph.Node {
	x, states := in[0], in[1:]
	var next []*graph.Node
	for _, cell := range l.Cells {
		n := len(cell.StateSize())
		out := c.ApplyAll(cell, append([]*graph.Node{x}, states[:n]...)...)
		x, states, next = out[0], states[n:], append(next, out[1:]...)
	}
	return append([]*graph.Node{x}, next...)
}

func (l *StackedRNNCellsLayer) dropMasks(c *Context, dims []int) {
	for _, cell := range l.Cells {
		if m, ok := cell.(maskedCell); ok {
			m.dropMasks(c, dims)
		}
		dims = []int{dims[0], outputSize(cell)}
	}
}

func shapeOf(d dtypes.DType, dims ...int) shapes.Shape { return shapes.Make(d, dims...) }

// forgetBias is the initial bias of an LSTM: 1 for the forget gate, and the values of init for the
// others.
type forgetBias struct {
	init  initializers.Initializer
	units int
}

// Fill sets dst to the part of the bias that ranges select. Each of the bias' three parts is filled
// as a tensor of its own, as Keras does.
func (f forgetBias) Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error {
	wanted := ranges[0]
	for _, part := range []struct {
		init        initializers.Initializer
		start, size int
	}{{f.init, 0, f.units}, {initializers.Ones(), f.units, f.units}, {f.init, 2 * f.units, 2 * f.units}} {
		from, to := max(wanted.Start, part.start), min(wanted.Limit, part.start+part.size)
		if from >= to {
			continue
		}
		piece := reflect.ValueOf(dst).Slice(from-wanted.Start, to-wanted.Start).Interface()
		err := part.init.Fill(piece, dtype, []int{part.size}, []layout.Range{{Start: from - part.start, Limit: to - part.start}})
		if err != nil {
			return err
		}
	}
	return nil
}
