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

// Patches is a layer that cuts images into square patches.
type Patches struct {
	layers.Base
	patchSize int
}

// Compute returns the patches of each image as a sequence of vectors, row by row: [batch, patches,
// patchSize²·channels].
func (p *Patches) Compute(images *layers.Tensor) *layers.Tensor {
	shape := images.Shape()
	numPatches := (shape[1] / p.patchSize) * (shape[2] / p.patchSize)
	patches := ops.ExtractPatches(images, []int{p.patchSize})
	return ops.Reshape(patches, shape[0], numPatches, p.patchSize*p.patchSize*shape[3])
}

// PatchEncoder is a layer that projects patches to vectors and adds an embedding of their places.
type PatchEncoder struct {
	layers.Base
	Projection, PositionEmbedding layers.Layer

	numPatches int
}

// NewPatchEncoder returns a PatchEncoder for numPatches patches in an image, with vectors of
// projectionDim numbers.
func NewPatchEncoder(numPatches, projectionDim int) *PatchEncoder {
	return &PatchEncoder{
		Projection:        layers.Dense(projectionDim),
		PositionEmbedding: layers.Embedding(numPatches, projectionDim),
		numPatches:        numPatches,
	}
}

// Compute returns the projections of patch, [batch, numPatches, numbers], plus the embeddings of
// their places: [batch, numPatches, projectionDim].
func (e *PatchEncoder) Compute(patch *layers.Tensor) *layers.Tensor {
	positions := ops.ExpandDims(ops.Arange(e.numPatches), 0)
	projectedPatches := patch.Call(e.Projection)
	return projectedPatches.Add(positions.Call(e.PositionEmbedding))
}

func mlp(x *layers.Tensor, hiddenUnits []int, dropoutRate float64) *layers.Tensor {
	for _, units := range hiddenUnits {
		x = x.Call(layers.Dense(units, layers.Activation("gelu")), layers.Dropout(dropoutRate))
	}
	return x
}

// dataAugmentation returns a model of the layers that normalize and resize images and, in training,
// change them at random.
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
	inputs := keras.Input([]int{inputSize, inputSize, 3})
	augmented := keras.Must(dataAugmentation()).Apply(inputs)
	encodedPatches := augmented.Call(&Patches{patchSize: patchSize}, NewPatchEncoder(numPatches, projectionDim))
	for range numTransformer {
		x1 := encodedPatches.Call(layers.LayerNormalization(layers.Epsilon(1e-6)))
		attentionOutput := x1.Call(layers.MultiHeadAttention(numHeads, projectionDim, layers.DropoutRate(.1)))
		x2 := attentionOutput.Add(encodedPatches)
		x3 := x2.Call(layers.LayerNormalization(layers.Epsilon(1e-6)))
		x3 = mlp(x3, transformerUnits, .1)
		encodedPatches = x3.Add(x2)
	}
	representation := encodedPatches.Call(
		layers.LayerNormalization(layers.Epsilon(1e-6)),
		layers.Flatten(),
		layers.Dropout(.5),
	)
	features := mlp(representation, mlpHeadUnits, .5)
	m := keras.Must(keras.Functional(inputs, features.Call(layers.Dense(numClasses))))
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
