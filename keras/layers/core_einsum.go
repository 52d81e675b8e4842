package layers

// This file defines EinsumDense, a dense layer over any dimensions.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/keras/layers/internal/nodes"
	"github.com/gospmd/gospmd/keras/variable"
)

// einsumOptions holds the options of EinsumDense: the equation, the output shape, Activation,
// BiasAxes ("" for no bias), those of kernel and bias, ActivityRegularizer, and those of LoRA.
type einsumOptions struct {
	Equation    string    `argument:"equation"`
	OutputShape openShape `argument:"output_shape"`
	activationOptions
	BiasAxes optional `option:"bias_axes"`
	kernelOptions
	Bias weightOptions `prefix:"bias" default:"zeros"`
	activityOptions
	loraOptions
}

// EinsumDenseLayer computes an einsum of its input and a kernel: keras.layers.EinsumDense.
type EinsumDenseLayer struct {
	declared
	lora
	opts   *einsumOptions
	Kernel *variable.Variable // in the shape of the equation's second term
	Bias   *variable.Variable // nil without BiasAxes
}

// EinsumDense returns a layer that computes activation(einsum(equation, x, kernel) + bias). An
// equation is, for example, "abc,cd->abd". "..." at the start or at the end of input and output
// stands for any dimensions. outputShape is the shape of the output without the batch and the
// dimensions of "..."; None is a dimension of unknown size. Options: Name, Activation, BiasAxes,
// KernelInitializer, BiasInitializer, KernelRegularizer, BiasRegularizer, ActivityRegularizer,
// KernelConstraint, BiasConstraint, LoraRank, LoraAlpha, DType.
func EinsumDense[S Sizes](equation string, outputShape S, opts ...Option) *EinsumDenseLayer {
	return declare[*EinsumDenseLayer]("EinsumDense", []Option{set("Equation", equation), set("OutputShape", sizesOf(outputShape))}, opts)
}

// BiasAxes sets the dimensions of EinsumDense's bias, by their letters in the output of the
// equation, such as "d" or "bc". By default there is no bias. A letter that the output lacks is an
// error.
func BiasAxes(letters string) Option { return set("BiasAxes", letters) }

// equations are the forms that an equation of EinsumDense may have; ... stands before or after the
// other dimensions, or is absent.
var equations = []*regexp.Regexp{
	regexp.MustCompile(`^()([a-zA-Z]+)(),([a-zA-Z]+)->([a-zA-Z]+)$`),
	regexp.MustCompile(`^(\.\.\.)([a-zA-Z]+)(),([a-zA-Z]+)->\.\.\.([a-zA-Z]+)$`),
	regexp.MustCompile(`^()([a-zA-Z]{2,})(\.\.\.),([a-zA-Z]+)->([a-zA-Z]+)\.\.\.$`),
}

// einsum is the equation of an EinsumDense for an input of known rank: the letters of each
// dimension of input, kernel and output, the size of each letter, and the shape of the bias. Digits
// stand for the dimensions of "...".
type einsum struct {
	input, kernel, output string
	sizes                 map[rune]int
	bias                  []int // shape, nil for none
}

// equation parses the option Equation for an input of this shape, the batch included. An equation
// of another form is an error, and so is one that does not fit the rank of the input, the output
// shape, their sizes, or BiasAxes.
func (l *EinsumDenseLayer) equation(shape []int) (e einsum, err error) {
	var m []string
	for _, form := range equations {
		if m = form.FindStringSubmatch(l.opts.Equation); m != nil {
			break
		}
	}
	if m == nil {
		return e, fmt.Errorf("got the equation %q, want one as \"ab,bc->ac\", \"...a,ab->...b\" or \"ab...,bc->ac...\"", l.opts.Equation)
	}
	elided := len(shape) - len(m[2])
	if elided < 0 || elided > 10 || elided > 0 && m[1] == "" && m[3] == "" {
		return e, fmt.Errorf("got an input of shape %s for the equation %q, whose input has %d dimensions", ShapeText(shape), l.opts.Equation, len(m[2]))
	}
	rest := "0123456789"[:elided]
	e = einsum{input: m[2], kernel: m[4], output: m[5], sizes: make(map[rune]int)}
	out := slices.Concat([]int{shape[0]}, []int(l.opts.OutputShape))
	switch {
	case m[1] != "":
		e.input, e.output = rest+e.input, rest+e.output
		out = slices.Concat(shape[:elided], []int(l.opts.OutputShape))
	case m[3] != "":
		e.input, e.output = e.input+rest, e.output+rest
		out = append(out, shape[len(shape)-elided:]...)
	}
	if len(out) != len(e.output) {
		return e, fmt.Errorf("got the output shape %v for the equation %q, whose output has %d dimensions", []int(l.opts.OutputShape), l.opts.Equation, len(e.output))
	}
	if err := e.measure(shape, out); err != nil {
		return e, err
	}
	return e, e.biasShape(string(l.opts.BiasAxes), m[5], len(m[1]) > 0, elided)
}

// measure stores the size of each letter in e.sizes, from the shapes in of the input and out of the
// output. It returns an error if the shapes give a letter different known sizes, or if a letter of
// the output or of the kernel is in neither of the other two operands.
func (e *einsum) measure(in, out []int) error {
	for i, letter := range e.input {
		e.sizes[letter] = in[i]
	}
	for i, letter := range e.output {
		size, known := e.sizes[letter]
		if known && size != out[i] && size >= 0 && out[i] >= 0 {
			return fmt.Errorf("the input has size %d at %q, the output shape %d: want equal sizes", size, letter, out[i])
		}
		if !known && !strings.ContainsRune(e.kernel, letter) {
			return fmt.Errorf("the output has the dimension %q, which neither the input nor the kernel has", letter)
		}
		if !known {
			e.sizes[letter] = out[i]
		}
	}
	for _, letter := range e.kernel {
		if _, ok := e.sizes[letter]; !ok {
			return fmt.Errorf("the kernel has the dimension %q, which neither the input nor the output has", letter)
		}
	}
	return nil
}

// biasShape sets e.bias, the shape of the bias, which is broadcast to the last dimensions of the
// output. axes are the letters that the bias has, letters those of the output without "...". left
// tells that "..." stands before them, for elided dimensions. Without axes there is no bias; an
// axis that the output does not have is an error.
func (e *einsum) biasShape(axes, letters string, left bool, elided int) error {
	if axes == "" {
		return nil
	}
	first := len(letters)
	for _, a := range axes {
		at := strings.IndexRune(letters, a)
		if at < 0 {
			return fmt.Errorf("got bias axes %q, of which the output has no %q", axes, a)
		}
		first = min(first, at)
	}
	for _, letter := range letters[first:] {
		size := 1
		if strings.ContainsRune(axes, letter) {
			size = e.sizes[letter]
		}
		e.bias = append(e.bias, size)
	}
	if !left {
		e.bias = append(e.bias, slices.Repeat([]int{1}, elided)...)
	}
	return nil
}

// Build makes the kernel, with the shape that the equation gives for the input, the bias, if there
// is one, and with LoraRank the adaptation of the kernel. An equation that does not suit the input,
// and LoraAlpha without LoraRank, are errors.
func (l *EinsumDenseLayer) Build(b *Builder, inputs []Spec) error {
	if err := checkOne(inputs, 2); err != nil {
		return err
	}
	e, err := l.equation(inputs[0].Shape)
	if err != nil {
		return err
	}
	var shape []int
	for _, letter := range e.kernel {
		shape = append(shape, e.sizes[letter])
	}
	if l.Kernel, err = l.opts.Kernel.add(b, "kernel", shape, l.DType()); err != nil {
		return err
	}
	if e.bias != nil {
		if l.Bias, err = l.opts.Bias.add(b, "bias", e.bias, l.DType()); err != nil {
			return err
		}
	}
	return l.lora.build(b, l.Kernel, &l.opts.Kernel, &l.opts.loraOptions)
}

// Call returns one node: the layer's einsum of the input and the kernel, plus the bias if the layer
// has one, with the activation applied. An input that does not suit the equation panics.
func (l *EinsumDenseLayer) Call(c *Context, inputs []*graph.Node) []*graph.Node {
	x := graph.ConvertDType(inputs[0], l.ComputeDType())
	e, err := l.equation(x.Shape().Dimensions)
	if err != nil {
		panic(err)
	}
	y := e.product(x, l.adapted(c.Value))
	if l.Bias != nil {
		y = graph.Add(y, nodes.BroadcastLast(c.Value(l.Bias), y))
	}
	return []*graph.Node{c.activate(l.opts.Activation, y)}
}

// product returns the einsum of x and the kernel, with the dimensions in the order of e.output.
// Letters in both and in the output are batch dimensions. Letters that are not in the output are
// summed over.
func (e *einsum) product(x, kernel *graph.Node) *graph.Node {
	x, in := e.sumAlone(x, e.input, e.kernel)
	kernel, k := e.sumAlone(kernel, e.kernel, e.input)
	var summed, batch [2][]int
	letters, free := "", "" // of the product: batch, those of x, those of the kernel
	for i, letter := range in {
		j := strings.IndexRune(k, letter)
		switch {
		case j < 0:
			free += string(letter)
		case strings.ContainsRune(e.output, letter):
			batch[0], batch[1] = append(batch[0], i), append(batch[1], j)
			letters += string(letter)
		default:
			summed[0], summed[1] = append(summed[0], i), append(summed[1], j)
		}
	}
	for _, letter := range k {
		if !strings.ContainsRune(in, letter) {
			free += string(letter)
		}
	}
	letters += free
	y := graph.DotGeneral(x, summed[0], batch[0], kernel, summed[1], batch[1])
	order := make([]int, 0, len(letters))
	for _, letter := range e.output {
		order = append(order, strings.IndexRune(letters, letter))
	}
	return graph.TransposeAllAxes(y, order...)
}

// sumAlone sums x, whose dimensions have these letters, over those that are neither in other, the
// letters of the other operand, nor in the output. It returns the sum and the letters of its
// dimensions.
func (e *einsum) sumAlone(x *graph.Node, letters, other string) (*graph.Node, string) {
	var alone []int
	rest := ""
	for i, letter := range letters {
		if strings.ContainsRune(other, letter) || strings.ContainsRune(e.output, letter) {
			rest += string(letter)
		} else {
			alone = append(alone, i)
		}
	}
	if len(alone) == 0 {
		return x, letters
	}
	return graph.ReduceSum(x, alone...), rest
}
