// Vit is the example "Image classification with Vision Transformer": images are augmented and cut
// into patches, and a transformer reads the patches as a sequence.
//
//	go run ./examples/guides/vit [-mesh 2x4]
package main

import (
	"github.com/gospmd/gospmd/examples/guides/internal/guide"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/ops"
	"github.com/gospmd/gospmd/keras/optimizers"
)

const (
	samples, numClasses                     = 24, 5
	inputSize, imageSize, patchSize         = 10, 12, 4
	numPatches                              = (imageSize / patchSize) * (imageSize / patchSize)
	projectionDim, numHeads, numTransformer = 16, 2, 1
)

var transformerUnits, mlpHeadUnits = []int{projectionDim * 2, projectionDim}, []int{32, 16}

func main() { guide.Main(program) }

var program = &guide.Guide{
	Name: "vit", Batch: 12, Epochs: 2, Model: model, Data: photos,
	Layout: map[string][]string{"dense_2/kernel": {"", "model"}},
}

// Patches cuts images into patches.
type Patches struct {
	layers.Base
	patchSize int
}

// Compute returns the patches of images as sequences.
func (p *Patches) Compute(_ *layers.Context, images ...*layers.Tensor) *layers.Tensor {
	shape := images[0].Shape()
	numPatches := (shape[1] / p.patchSize) * (shape[2] / p.patchSize)
	patches := ops.ExtractPatches(images[0], []int{p.patchSize})
	return ops.Reshape(patches, shape[0], numPatches, p.patchSize*p.patchSize*shape[3])
}

// PatchEncoder projects patches and adds an embedding of their places.
type PatchEncoder struct {
	layers.Base
	Projection, PositionEmbedding layers.Layer
}

// NewPatchEncoder returns a PatchEncoder.
func NewPatchEncoder(numPatches, projectionDim int) *PatchEncoder {
	return &PatchEncoder{Projection: layers.Dense(projectionDim), PositionEmbedding: layers.Embedding(numPatches, projectionDim)}
}

// Compute encodes patches.
func (e *PatchEncoder) Compute(_ *layers.Context, patch ...*layers.Tensor) *layers.Tensor {
	projectedPatches := patch[0].Apply(e.Projection)
	positions := ops.ZerosLike(ops.Max(patch[0], ops.Axis(2))).Add(ops.Arange(patch[0].Shape()[1]))
	return projectedPatches.Add(positions.Apply(e.PositionEmbedding))
}

func mlp(x *layers.Tensor, hiddenUnits []int, dropoutRate float64) *layers.Tensor {
	for _, units := range hiddenUnits {
		x = x.Apply(layers.Dense(units, layers.Activation("gelu"))).Apply(layers.Dropout(dropoutRate))
	}
	return x
}

// dataAugmentation returns the layers that normalize images and, in training, change them.
func dataAugmentation() (*keras.Model, error) {
	images, _, err := photos()
	if err != nil {
		return nil, err
	}
	normalization := layers.Normalization()
	if err := normalization.Adapt(images); err != nil {
		return nil, err
	}
	return keras.NewSequential(
		normalization,
		layers.Resizing(imageSize, imageSize),
		layers.RandomFlip("horizontal"),
		layers.RandomRotation(.02),
		layers.RandomZoom(.2, layers.WidthFactor(.2)),
	)
}

func model() (*keras.Model, error) {
	augmentation, err := dataAugmentation()
	if err != nil {
		return nil, err
	}
	inputs := keras.Input([]int{inputSize, inputSize, 3})
	patches := augmentation.Apply(inputs).Apply(&Patches{patchSize: patchSize})
	encodedPatches := patches.Apply(NewPatchEncoder(numPatches, projectionDim))
	norm := func() layers.Layer { return layers.LayerNormalization(layers.Epsilon(1e-6)) }
	for range numTransformer {
		x1 := encodedPatches.Apply(norm())
		attentionOutput := x1.Apply(layers.MultiHeadAttention(numHeads, projectionDim, layers.DropoutRate(.1)))
		x2 := attentionOutput.Add(encodedPatches)
		x3 := mlp(x2.Apply(norm()), transformerUnits, .1)
		encodedPatches = x3.Add(x2)
	}
	representation := encodedPatches.Apply(norm()).Apply(layers.Flatten()).Apply(layers.Dropout(.5))
	features := mlp(representation, mlpHeadUnits, .5)
	logits := features.Apply(layers.Dense(numClasses))
	m, err := keras.NewModel(keras.Tensors(inputs), keras.Tensors(logits))
	if err != nil {
		return nil, err
	}
	return m, m.Compile(
		keras.Optimizer(optimizers.AdamW(optimizers.LearningRate(.001), optimizers.WeightDecay(.0001))),
		keras.Loss(losses.SparseCategoricalCrossentropy(losses.FromLogits())),
		keras.Metrics(
			metrics.SparseCategoricalAccuracy(metrics.Name("accuracy")),
			metrics.SparseTopKCategoricalAccuracy(metrics.K(3), metrics.Name("top-3-accuracy")),
		),
	)
}

func photos() (x, y any, err error) {
	images, err := data.FromFlat(guide.Fractions(samples*inputSize*inputSize*3, 1), samples, inputSize, inputSize, 3)
	return images, guide.Classes(samples, 2, numClasses), err
}
