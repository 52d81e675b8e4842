package layers

// This file defines LoRA, the low-rank adaptation of kernels (Hu et al., 2021): the options of the
// layers that have it, EnableLora, and the kernel that such a layer computes with.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"

	"github.com/gospmd/gospmd/internal/option"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/variable"
)

// loraOptions holds the options of a layer whose kernel can be adapted: LoraRank and LoraAlpha, nil
// where they are not given.
type loraOptions struct {
	LoraRank  *int     `option:"lora_rank" want:"size"`
	LoraAlpha *float64 `option:"lora_alpha" want:"positive"`
}

// LoraRank makes a Dense, an EinsumDense, a Conv1D to Conv3D, an Embedding or a ReversibleEmbedding
// train two matrices of this rank in place of its kernel: the layer computes with kernel +
// alpha/rank · a·b, in which the kernel is frozen. EnableLora does the same for a layer that is
// built. A rank below 1, and a constraint on the kernel, are errors.
func LoraRank(rank int) Option { return set("LoraRank", rank) }

// LoraAlpha sets the strength of LoRA, a positive number; by default it is the rank. Without LoRA
// it is an error. (Dense and Embedding of Keras 3.15 ignore their argument lora_alpha, but not that
// of enable_lora.)
func LoraAlpha(alpha float64) Option { return set("LoraAlpha", alpha) }

// Adaptation is the low-rank adaptation of a kernel: the layer computes with Kernel + Scale·A·B.
type Adaptation struct {
	Kernel *variable.Variable // [..., outputs], frozen
	A      *variable.Variable // [..., rank], float32
	B      *variable.Variable // [rank, outputs], float32
	Scale  float64            // of A·B
}

// Adapted is a layer whose kernel can have an Adaptation: Dense, EinsumDense, Conv1D to Conv3D,
// Embedding, ReversibleEmbedding.
type Adapted interface {
	Layer
	// EnableLora adapts the kernel of a layer that is built: see LoraRank. Compile the model
	// afterwards. Options: LoraAlpha.
	EnableLora(rank int, opts ...Option) error
	// Adaptation returns the adaptation of the kernel, nil without LoRA.
	Adaptation() *Adaptation
}

// lora is the part of a layer that adapts its kernel; layers with the options LoraRank and
// LoraAlpha embed it.
type lora struct {
	layer      *Base // nil before Build
	kernel     *variable.Variable
	limits     *weightOptions // of the kernel
	options    *loraOptions
	adaptation *Adaptation
}

// build stores the kernel of a layer, and adapts it by LoRA if the option LoraRank is set. A
// layer's Build must call it at its end. LoraAlpha without LoraRank is an error.
func (l *lora) build(b *Builder, kernel *variable.Variable, limits *weightOptions, o *loraOptions) error {
	l.layer, l.kernel, l.limits, l.options = b.layer, kernel, limits, o
	switch {
	case o.LoraRank != nil:
		return l.enable(*o.LoraRank)
	case o.LoraAlpha != nil:
		return errors.New("got LoraAlpha without LoraRank: give both, or neither")
	}
	return nil
}

// EnableLora adds a low-rank adaptation of that rank to the kernel of a layer that is built: see
// Adapted. opts may have LoraAlpha. It is an error if the rank is below 1, or if the layer is not
// built, has LoRA already, or has a constraint on the kernel.
func (l *lora) EnableLora(rank int, opts ...Option) error {
	if l.layer == nil {
		return errors.New("EnableLora: the layer is not built: apply it first, or make it with the option LoraRank")
	}
	fail := func(err error) error {
		return fmt.Errorf("layer %s (%s): EnableLora: %w", l.layer.name, l.layer.class, err)
	}
	if l.adaptation != nil {
		return fail(errors.New("LoRA is enabled already"))
	}
	o := loraOptions{}
	if err := option.Assign("EnableLora", append([]Option{LoraRank(rank)}, opts...), &o); err != nil {
		return fail(err)
	}
	*l.options = o
	if err := l.enable(rank); err != nil {
		return fail(err)
	}
	return nil
}

// enable makes the two matrices of the adaptation, of this rank, and freezes the kernel. It sets
// l.adaptation and, if the option LoraAlpha is not given, that to the rank. A kernel with a
// constraint is an error.
func (l *lora) enable(rank int) (err error) {
	if l.limits.Constraint.Constraint != nil {
		return errors.New("LoRA cannot adapt a kernel with a constraint: leave one of them out")
	}
	o := l.options
	if o.LoraAlpha == nil {
		alpha := float64(rank)
		o.LoraAlpha = &alpha
	}
	b := &Builder{layer: l.layer, path: l.layer.path}
	d := &Adaptation{Kernel: l.kernel, Scale: *o.LoraAlpha / float64(rank)}
	shape, name := l.kernel.Shape(), "lora_"+l.kernel.Name()
	last := len(shape) - 1
	limits := l.limits.limits()
	if d.A, err = b.AddWeight(name+"_a", slices.Concat(shape[:last], []int{rank}), dtypes.Float32, initializers.HeUniform(), limits...); err != nil {
		return err
	}
	if d.B, err = b.AddWeight(name+"_b", []int{rank, shape[last]}, dtypes.Float32, initializers.Zeros(), limits...); err != nil {
		return err
	}
	l.layer.fixed = append(l.layer.fixed, l.kernel)
	l.kernel.SetTrainable(false)
	l.adaptation = d
	return nil
}

// Adaptation returns the adaptation of the kernel, nil without LoRA.
func (l *lora) Adaptation() *Adaptation { return l.adaptation }

// adapted returns the kernel that the layer computes with: the kernel plus the change by LoRA, or
// the kernel itself without LoRA. value returns the node of a variable.
func (l *lora) adapted(value func(*variable.Variable) *graph.Node) *graph.Node {
	kernel := value(l.kernel)
	if l.adaptation == nil {
		return kernel
	}
	a, b := value(l.adaptation.A), value(l.adaptation.B)
	change := graph.MulScalar(graph.DotGeneral(a, []int{a.Rank() - 1}, nil, b, []int{0}, nil), l.adaptation.Scale)
	if kernel.DType() == dtypes.Float64 {
		change = graph.ConvertDType(change, kernel.DType())
	}
	return graph.Add(graph.ConvertDType(kernel, change.DType()), change)
}
