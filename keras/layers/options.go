package layers

// This file defines Option, and the options that layers of several families have: structs that the
// structs of the families embed.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/activations"
	"github.com/gospmd/gospmd/keras/constraints"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/keras/regularizers"
	"github.com/gospmd/gospmd/keras/variable"
)

// Option configures a layer, such as Name("d1"). A layer takes the options that its doc comment
// names, and those of all layers: Name, ActivityRegularizer, DTypePolicy, DType. Any other is an
// error.
type Option struct{ given }

// given is the name of an option and the value that it sets.
type given = option.Given

// Name returns the name of the option's constructor, such as Strides.
func (o Option) Name() string { return o.given.Name }

// set returns an Option that sets the field called name in a layer's struct of options to value.
func set(name string, value any) Option { return Option{given{Name: name, Value: value}} }

// common holds the options that all layers have. Of these, only the regularizer is in the configs
// of layers.
type common struct {
	Name label `option:""`
	activityOptions
	Policy policy `option:"" names:"DTypePolicy DType"`
}

// activityOptions holds the option ActivityRegularizer, a penalty on the output. It is in common,
// and again in the options of layers whose config always has it.
type activityOptions struct {
	ActivityRegularizer regularizer `option:"activity_regularizer"`
}

// activity returns the regularizer that the option ActivityRegularizer has set, nil for none.
func (o *activityOptions) activity() *regularizers.Regularizer {
	return o.ActivityRegularizer.Regularizer
}

// label is the option Name: the name of a layer.
type label string

// Assign sets the name to v. It returns an error unless v is a string that is not empty and has no
// "/".
func (n *label) Assign(v any) error {
	name, ok := v.(string)
	if !ok || name == "" || strings.Contains(name, "/") {
		return fmt.Errorf("got %q, want a name without \"/\"", v)
	}
	*n = label(name)
	return nil
}

// Read returns the name. No config has it.
func (n *label) Read() any { return string(*n) }

// weightOptions holds the options of a variable, such as KernelInitializer, KernelRegularizer and
// KernelConstraint of a kernel.
type weightOptions struct {
	Initializer initializer `option:"initializer"`
	Regularizer regularizer `option:"regularizer"`
	Constraint  constraint  `option:"constraint"`
}

// limits returns the regularizer and the constraint as options of the variable; it leaves out those
// that are not set.
func (o *weightOptions) limits() (out []variable.Option) {
	if r := o.Regularizer.Regularizer; r != nil {
		out = append(out, variable.Regularized(r))
	}
	if c := o.Constraint.Constraint; c != nil {
		out = append(out, variable.Constrained(c))
	}
	return out
}

// add makes a variable of that name, shape and type, with the initializer, regularizer and
// constraint of the options, and adds it to the layer that is built.
func (o *weightOptions) add(b *Builder, name string, shape []int, dtype dtypes.DType) (*variable.Variable, error) {
	return b.AddWeight(name, shape, dtype, o.Initializer.Initializer, o.limits()...)
}

// weight returns the description of a variable with the options' initializer and limits, which
// addAll makes, if it is wanted, and sets in to.
func (o *weightOptions) weight(to **variable.Variable, wanted bool, name string) weight {
	return weight{to, wanted, name, o.Initializer.Initializer, o.limits()}
}

// noOptions is the struct of options of layers that have only the options of all layers.
type noOptions struct{}

// kernelOptions holds the initializer, the regularizer and the constraint of a kernel.
type kernelOptions struct {
	Kernel weightOptions `prefix:"kernel" default:"glorot_uniform"`
}

// biasOptions holds UseBias, true by default, and the initializer, regularizer and constraint of
// the bias.
type biasOptions struct {
	UseBias bool          `option:"use_bias" default:"true"`
	Bias    weightOptions `prefix:"bias" default:"zeros"`
}

// activationOptions holds the option Activation of Dense, EinsumDense and convolutions: a function
// that is applied to the output, the identity by default.
type activationOptions struct {
	Activation activation `option:"activation" default:"linear"`
}

// axisOptions holds the option Axis: the dimensions that a layer works on, the last by default.
type axisOptions struct {
	Axis option.Ints `option:"axis" default:"-1"`
}

// resolve returns the dimensions that the option Axis selects of the only input, in ascending order
// and with negative ones counted from the end, and their sizes. It returns an error for the batch
// dimension, for one that does not exist or is listed twice, for an input without dimensions after
// the batch, and for several inputs.
func (o *axisOptions) resolve(inputs []Spec) (axes, shape []int, err error) {
	if err := checkOne(inputs, 2); err != nil {
		return nil, nil, err
	}
	rank := len(inputs[0].Shape)
	for _, a := range o.Axis {
		if a < 0 {
			a += rank
		}
		if a < 1 || a >= rank || slices.Contains(axes, a) {
			return nil, nil, fmt.Errorf("got axes %v for an input of shape %s, want different dimensions after the batch", []int(o.Axis), ShapeText(inputs[0].Shape))
		}
		axes = append(axes, a)
	}
	slices.Sort(axes)
	for _, a := range axes {
		shape = append(shape, inputs[0].Shape[a])
	}
	return axes, shape, nil
}

// seedOptions holds the option Seed of layers that draw random numbers; nil if it is not given.
type seedOptions struct {
	Seed *int `option:"seed"`
}

// generator returns a new generator with the seed of the option Seed, or, without the option, with
// a new seed of its own.
func (o *seedOptions) generator() *random.SeedGenerator {
	if o.Seed != nil {
		return random.NewSeedGenerator(*o.Seed)
	}
	return random.NewSeedGenerator(random.MakeDefaultSeed())
}

// formatOptions holds the option DataFormat of layers of windows and of whole images; see
// channelsFirst.
type formatOptions struct {
	DataFormat string `option:"data_format" default:"channels_last" oneof:"channels_first channels_last"`
}

// lastFormatOptions holds the option DataFormat of layers that take only one value.
type lastFormatOptions struct {
	DataFormat string `option:"data_format" default:"channels_last" oneof:"channels_last"`
}

// Name names the layer. Names must be unique within a model: the paths of its variables, which a
// LayoutMap matches, begin with them. An empty name, and one with "/", are errors.
func Name(name string) Option { return set("Name", name) }

// Activation sets the function that a layer applies to its output, and a recurrent layer to its new
// state: a name, such as "relu", or an activations.Func. The default is "linear", the identity, and
// "tanh" for recurrent layers. An unknown name is an error.
func Activation(a any) Option { return set("Activation", a) }

// UseBias sets whether a bias is added, by layers such as Dense, convolutions, attention with
// projections and recurrent ones; by default it is.
func UseBias(use bool) Option { return set("UseBias", use) }

// KernelInitializer sets the initializer of the kernel of Dense, EinsumDense, convolutions,
// attention with projections and recurrent layers: the name of one, such as "glorot_uniform" (the
// default), or an initializers.Initializer.
func KernelInitializer(init any) Option { return set("KernelInitializer", init) }

// BiasInitializer sets the initializer of the bias, a name or an initializers.Initializer: "zeros"
// by default.
func BiasInitializer(init any) Option { return set("BiasInitializer", init) }

// KernelRegularizer adds a penalty on the kernel to the loss: the name of a regularizer, such as
// "l2", a regularizers.Regularizer, or a function that computes it, func(x *layers.Tensor)
// *layers.Tensor. There is none by default. An unknown name is an error.
func KernelRegularizer(r any) Option { return set("KernelRegularizer", r) }

// BiasRegularizer adds a penalty on the bias to the loss. r is as for KernelRegularizer.
func BiasRegularizer(r any) Option { return set("BiasRegularizer", r) }

// ActivityRegularizer adds a penalty on the layer's output to the loss, divided by the size of the
// batch. r is as for KernelRegularizer, and there is none by default. All layers take this option.
func ActivityRegularizer(r any) Option { return set("ActivityRegularizer", r) }

// KernelConstraint projects the kernel after each step of the optimizer: the name of a constraint,
// such as "non_neg", or a constraints.Constraint. There is none by default. An unknown name is an
// error.
func KernelConstraint(c any) Option { return set("KernelConstraint", c) }

// BiasConstraint projects the bias after each step of the optimizer. c is as for KernelConstraint.
func BiasConstraint(c any) Option { return set("BiasConstraint", c) }

// Seed fixes the random numbers of the layer: layers with the same seed draw the same numbers. By
// default each layer gets a seed from random.MakeDefaultSeed. A seed outside [0, 2³²) is an error
// when the layer is built or used.
func Seed(seed int) Option { return set("Seed", seed) }

// DataFormat sets the order of dimensions: "channels_last", the default, or "channels_first" for
// inputs (batch, channels, ...). Augmentations, CenterCrop, Resizing, spectrograms and ConvLSTM
// take only the default. Others are errors.
func DataFormat(kind string) Option { return set("DataFormat", kind) }

// Axis sets the dimensions that a layer works on: -1, the last one, by default. LayerNormalization,
// RMSNormalization, UnitNormalization and Softmax take several, and work over all together.
// BatchNormalization and GroupNormalization take one, that of the channels. Concatenate joins along
// it. In Normalization, each element of these dimensions has its own mean. No axis, and axes that
// the input lacks, are errors.
func Axis(axis ...int) Option {
	if len(axis) == 0 {
		return set("Axis", errors.New("got no axis, want at least one"))
	}
	return set("Axis", axis)
}

// initializer is an option that is an initializer, such as KernelInitializer.
type initializer struct{ initializers.Initializer }

// Assign sets the initializer to v: a name, or an initializers.Initializer. Others are errors.
func (f *initializer) Assign(v any) (err error) {
	f.Initializer, err = initializers.Get(v)
	return err
}

// Read returns the initializer, for the layer's config.
func (f *initializer) Read() any { return f.Initializer }

// regularizer is the value of an option that takes a regularizer. It embeds nil if none is set.
type regularizer struct{ *regularizers.Regularizer }

// Assign sets the regularizer to v: a name, a regularizers.Regularizer or a function of Tensors. A
// nil v changes nothing; others are errors.
func (f *regularizer) Assign(v any) error {
	if call, ok := v.(func(x *Tensor) *Tensor); ok {
		on := OnNodes(func(xs ...*Tensor) *Tensor { return call(xs[0]) })
		v = regularizers.New(func(x *graph.Node) *graph.Node { return on(x) })
	}
	r, err := regularizers.Get(v)
	if r != nil {
		f.Regularizer = r
	}
	return err
}

// Read returns the regularizer, for the layer's config, nil if there is none.
func (f *regularizer) Read() any {
	if f.Regularizer == nil {
		return nil
	}
	return f.Regularizer
}

// constraint is the value of an option that is a constraint, or nil.
type constraint struct{ *constraints.Constraint }

// Assign sets the constraint to v: a name, or a constraints.Constraint. A nil v changes nothing;
// others are errors.
func (f *constraint) Assign(v any) error {
	c, err := constraints.Get(v)
	if c != nil {
		f.Constraint = c
	}
	return err
}

// Read returns the constraint, for the layer's config, nil if there is none.
func (f *constraint) Read() any {
	if f.Constraint == nil {
		return nil
	}
	return f.Constraint
}

// activation is an option that is an activation function, and its name if it was given by one.
type activation struct {
	activations.Func
	given any // its name, or the function
}

// Assign sets the activation to v: a name, or an activations.Func. nil is "linear"; others are
// errors.
func (f *activation) Assign(v any) (err error) {
	if v == nil {
		v = "linear"
	}
	f.given = v
	f.Func, err = activations.Get(v)
	return err
}

// Read returns the name of the activation. Without a name it returns the function; no file can hold
// it.
func (f *activation) Read() any { return f.given }

// layerValue is the value of an option that is a layer, or nil.
type layerValue struct{ Layer }

// Assign sets the layer to v, a Layer or nil. Others are errors.
func (f *layerValue) Assign(v any) error {
	l, ok := v.(Layer)
	if !ok && v != nil {
		return fmt.Errorf("got %v, want a layer", v)
	}
	f.Layer = l
	return nil
}

// Read returns the layer, for the config, nil if there is none.
func (f *layerValue) Read() any {
	if isNil(f.Layer) {
		return nil
	}
	return f.Layer
}

// layerList is an option that is a list of layers of the type L, which may be nil.
type layerList[L Layer] []L

// Assign sets the layers to v, a []L, which it copies, or a []any of Ls. Other values are errors.
func (f *layerList[L]) Assign(v any) error {
	if given, ok := v.([]L); ok {
		*f = slices.Clone(given)
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		return fmt.Errorf("got %v, want a list of layers", v)
	}
	*f = nil
	for _, x := range list {
		l, ok := x.(L)
		if !ok {
			return fmt.Errorf("got a %T, want a %T", x, *new(L))
		}
		*f = append(*f, l)
	}
	return nil
}

// Read returns the layers, for the config.
func (f *layerList[L]) Read() any {
	out := make([]Layer, len(*f))
	for i, l := range *f {
		out[i] = l
	}
	return out
}

// openShape is an option that is a shape. A dimension None is null in configs.
type openShape []int

// Assign sets the sizes to v: a number, or a list of numbers in which nil is None. A nil v is no
// shape. Sizes that are not positive integers are errors.
func (f *openShape) Assign(v any) error {
	*f = nil
	if v == nil {
		return nil
	}
	if n, ok := v.([]int); ok {
		*f = slices.Clone(n)
	} else {
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		for _, x := range list {
			n, ok := x.(float64)
			if x == nil {
				n, ok = None, true
			}
			if !ok || n != float64(int(n)) {
				return fmt.Errorf("got %v, want sizes", v)
			}
			*f = append(*f, int(n))
		}
	}
	for _, n := range *f {
		if n != None && (n < 1 || n > option.MaxSize) {
			return fmt.Errorf("got %v, want positive sizes of at most %d, or None", []int(*f), option.MaxSize)
		}
	}
	return nil
}

// Read returns the sizes, for the config, with nil for each open one; nil if no shape was given.
func (f *openShape) Read() any {
	if *f == nil {
		return nil
	}
	out := make([]any, len(*f))
	for i, n := range *f {
		if n != None {
			out[i] = n
		}
	}
	return out
}

// optional is the value of an option that is a text. In configs "" is null.
type optional string

// Assign sets the text to v, a text or nil, which is "". Others are errors.
func (f *optional) Assign(v any) error {
	text, ok := v.(string)
	if !ok && v != nil {
		return fmt.Errorf("got %v, want a text", v)
	}
	*f = optional(text)
	return nil
}

// Read returns the text, for the layer's config, or nil for "".
func (f *optional) Read() any {
	if *f == "" {
		return nil
	}
	return string(*f)
}
