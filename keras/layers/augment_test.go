package layers_test

// This file tests what layers of image augmentation do on a mesh, and their errors. Their
// numbers are compared with Keras' in reference_test.go.

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/plainlog"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/mesh"
)

// augmentations has a constructor for each class of layers whose output for an image depends on
// that image alone.
var augmentations = map[string]func() layers.Layer{
	"RandomFlip":              func() layers.Layer { return layers.RandomFlip("horizontal_and_vertical") },
	"RandomRotation":          func() layers.Layer { return layers.RandomRotation(0.1) },
	"RandomTranslation":       func() layers.Layer { return layers.RandomTranslation(0.1, 0.2, layers.FillMode("constant")) },
	"RandomZoom":              func() layers.Layer { return layers.RandomZoom(0.2) },
	"RandomShear":             func() layers.Layer { return layers.RandomShear(layers.XFactor(0.2)) },
	"RandomCrop":              func() layers.Layer { return layers.RandomCrop(5, 5) },
	"RandomContrast":          func() layers.Layer { return layers.RandomContrast(0.2) },
	"RandomBrightness":        func() layers.Layer { return layers.RandomBrightness(0.2) },
	"RandomHue":               func() layers.Layer { return layers.RandomHue(0.2) },
	"RandomSaturation":        func() layers.Layer { return layers.RandomSaturation(0.2) },
	"RandomGrayscale":         func() layers.Layer { return layers.RandomGrayscale(0.2) },
	"RandomInvert":            func() layers.Layer { return layers.RandomInvert(0.2) },
	"RandomPosterization":     func() layers.Layer { return layers.RandomPosterization(5) },
	"RandomColorDegeneration": func() layers.Layer { return layers.RandomColorDegeneration(0.2) },
	"Solarization":            func() layers.Layer { return layers.Solarization(layers.ThresholdFactor(0.2)) },
	"AutoContrast":            func() layers.Layer { return layers.AutoContrast() },
	"RandomSharpness":         func() layers.Layer { return layers.RandomSharpness(0.2) },
	"RandomGaussianBlur":      func() layers.Layer { return layers.RandomGaussianBlur(0.5) },
	"RandomPerspective":       func() layers.Layer { return layers.RandomPerspective(0.5) },
	"RandomElasticTransform":  func() layers.Layer { return layers.RandomElasticTransform(0.5) },
	"RandomColorJitter": func() layers.Layer {
		return layers.RandomColorJitter(layers.HueFactor(0.1), layers.ContrastFactor(0.2))
	},
	"ContrastLimitedAdaptiveHistogramEqualization": func() layers.Layer {
		return layers.ContrastLimitedAdaptiveHistogramEqualization(layers.TileGridSize(2, 3))
	},
	"RandomErasing": func() layers.Layer { return layers.RandomErasing(0.5) },
}

func zeros(dims ...int) *tensors.Tensor {
	return tensors.FromShape(shapes.Make(dtypes.Float32, dims...))
}

// collectives trains a small model for one step on images of size x size x 3, sharded over the
// eight devices of the mesh batch=8. Layer l stands behind a convolution, so that gradients pass
// through it; nil is no layer. It returns the collectives of the step, such as "all_reduce along
// [batch]", and the bytes that a device sends.
func collectives(t *testing.T, l layers.Layer, size int) (sent []string, bytes int) {
	t.Helper()
	layers.ClearSession()
	d, err := distribution.NewDataParallel(distribution.Mesh(mesh.MustParse("batch=8")))
	require.NoError(t, err)
	require.NoError(t, distribution.Scope(d, func() error {
		x := keras.Input([]int{size, size, 3})
		y := x.Apply(layers.Conv2D(3, []int{1, 1}))
		if l != nil {
			y = y.Apply(l)
		}
		m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y.Apply(layers.GlobalAveragePooling2D())})
		require.NoError(t, err)
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Optimizer("sgd"), keras.Client(openGo(t, 8)), keras.Logger(plainlog.New(t.Output()))))
		_, err = m.TrainOnBatch(t.Context(), zeros(8, size, size, 3), zeros(8, 3))
		require.NoError(t, err)
		for _, c := range report.New(m.Programs()[0]).Collectives {
			sent = append(sent, fmt.Sprintf("%s along %v", c.Kind, c.Axes))
			bytes += c.Total()
		}
		return nil
	}))
	return sent, bytes
}

// A batch of images stays sharded: a step with an augmentation has the collectives of a step
// without one, an all-reduce, and sends at most as many bytes, in the forward pass and in the
// gradient.
func TestAugmentationIsLocal(t *testing.T) {
	want, most := collectives(t, nil, 6)
	require.Equal(t, []string{"all_reduce along [batch]"}, want)
	for name, l := range augmentations {
		t.Run(name, func(t *testing.T) {
			sent, bytes := collectives(t, l(), 6)
			require.Equal(t, want, sent)
			require.LessOrEqual(t, bytes, most) // no gradient passes through RandomPosterization
		})
	}
}

// All augmentation layers in one model take images in bf16. The result is bf16, and a step of
// training must succeed.
func TestAugmentationInBFloat16(t *testing.T) {
	require.NoError(t, layers.SetDTypePolicy("bfloat16"))
	defer layers.SetDTypePolicy("float32")
	x := layers.Input([]int{6, 6, 3}, layers.DType(dtypes.BFloat16))
	y := x
	for _, name := range slices.Sorted(maps.Keys(augmentations)) {
		y = y.Apply(augmentations[name]())
	}
	for _, l := range []layers.Layer{layers.Equalization(), layers.RandAugment(0.3), layers.AugMix(), layers.MixUp(0.2), layers.CutMix(1)} {
		y = y.Apply(l)
	}
	require.NoError(t, y.Err())
	m, err := keras.NewModel(keras.Tensors(x), keras.Tensors(y))
	require.NoError(t, err)
	require.NoError(t, m.Compile(keras.Loss("mse"), keras.Client(openGo(t, 1))))
	_, err = m.TrainOnBatch(t.Context(), tensors.FromShape(shapes.Make(dtypes.BFloat16, 2, 6, 6, 3)), zeros(2, 5, 5, 3))
	require.NoError(t, err)
	require.Equal(t, dtypes.BFloat16, y.DType())
}

// Equalization and RandAugment add up the histograms of a batch over the devices, and send no
// image.
func TestEqualizationSendsCounts(t *testing.T) {
	for _, l := range []layers.Layer{layers.Equalization(), layers.RandAugment(0.3, layers.NumOps(1))} {
		sent, _ := collectives(t, l, 16)
		require.Equal(t, []string{"all_reduce along [batch]", "all_reduce along [batch]"}, sent)
	}
}

// mixingLoss returns the loss, mse, of one training step on the mesh onMesh, such as "batch=4".
// Layer l mixes 8 images of one pixel each, whose value is the image's number, and their one-hot
// labels, [8, 8]. out computes predictions, [8, width], from the results of l. The targets are 0.
func mixingLoss(t *testing.T, onMesh string, l layers.Layer, width int, out func(images, labels *layers.Tensor) *layers.Tensor) float64 {
	t.Helper()
	const batch = 8
	dm := mesh.MustParse(onMesh)
	d, err := distribution.NewDataParallel(distribution.Mesh(dm), distribution.Logger(plainlog.New(t.Output())))
	require.NoError(t, err)
	images, labels := make([][][][]float32, batch), make([][]float32, batch)
	for i := range images {
		images[i], labels[i] = [][][]float32{{{float32(i)}}}, make([]float32, batch)
		labels[i][i] = 1
	}
	var loss float64
	require.NoError(t, distribution.Scope(d, func() error {
		x, y := keras.Input([]int{1, 1, 1}), keras.Input([]int{batch})
		mixed := layers.ApplyAll(l, x, y)
		m, err := keras.NewModel(keras.Tensors(x, y), keras.Tensors(out(mixed[0], mixed[1])))
		require.NoError(t, err)
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Client(openGo(t, dm.Size())), keras.Logger(plainlog.New(t.Output()))))
		logs, err := m.TrainOnBatch(t.Context(), []any{images, labels}, zeros(batch, width))
		loss, _ = logs.Get("loss")
		return err
	}))
	return loss
}

// MixUp mixes images and labels in the same way. The labels that MixUp and CutMix mix have a
// smaller mean square than one-hot ones, and the same loss on every mesh.
func TestMixedLabels(t *testing.T) {
	numbers := func(images, labels *layers.Tensor) *layers.Tensor {
		number := labels.Apply(layers.Lambda(func(x *graph.Node) *graph.Node {
			of := graph.Mul(x, graph.IotaFull(x.Graph(), shapes.Make(x.DType(), 1, 8)))
			return graph.ReduceAndKeep(of, graph.ReduceSum, 1)
		}))
		return number.Sub(images.Apply(layers.Flatten()))
	}
	onlyLabels := func(_, labels *layers.Tensor) *layers.Tensor { return labels }
	require.InDelta(t, 0, mixingLoss(t, "batch=1", layers.MixUp(0.5, layers.Seed(3)), 1, numbers), 1e-10)
	for _, l := range []func() layers.Layer{
		func() layers.Layer { return layers.MixUp(0.5, layers.Seed(3)) },
		func() layers.Layer { return layers.CutMix(1, layers.Seed(3)) },
	} {
		want := mixingLoss(t, "batch=1", l(), 8, onlyLabels)
		require.Less(t, want, 1./8-1e-3) // of labels that are one-hot it is 1/8
		for _, onMesh := range longtest.Pick([]string{"data=3,model=2"}, []string{"data=2,model=4", "data=3,model=2"}) {
			require.InDelta(t, want, mixingLoss(t, onMesh, l(), 8, onlyLabels), 1e-7, onMesh)
		}
	}
}

// Layers that draw numbers without need while predicting, as Keras does, go on to the next state of
// their seed then; the other layers keep it.
func TestAugmentationDrawsAsKeras(t *testing.T) {
	for l, want := range map[*layers.AugmentationLayer]uint32{
		layers.RandomFlip("horizontal", layers.Seed(7)): 0, layers.RandomHue(0.1, layers.Seed(7)): 2, layers.RandomGrayscale(0.5, layers.Seed(7)): 1,
	} {
		x := layers.Input([]int{4, 4, 3})
		m, err := keras.NewModel(keras.Tensors(x), keras.Tensors(x.Apply(l)))
		require.NoError(t, err)
		require.NoError(t, m.Compile(keras.Loss("mse"), keras.Client(openGo(t, 1))))
		_, err = m.Predict(t.Context(), zeros(2, 4, 4, 3), keras.Verbose(0))
		require.NoError(t, err)
		state, err := l.Variables()[0].Value(t.Context())
		require.NoError(t, err)
		require.Equal(t, []uint32{7, want}, state)
	}
}

// MaxNumBoundingBoxes must cut boxes and labels off at its number, or fill them up with -1, as
// Keras does.
func TestMaxNumBoundingBoxes(t *testing.T) {
	boxes := [][][]float32{{{1, 2, 3, 4}, {5, 6, 7, 8}}}
	for n, want := range map[int][]any{
		1: {[][][]float32{{{1, 2, 3, 4}}}, [][]int32{{7}}},
		3: {[][][]float32{{{1, 2, 3, 4}, {5, 6, 7, 8}, {-1, -1, -1, -1}}}, [][]int32{{7, 9, -1}}},
	} {
		x, y := layers.Input([]int{2, 4}), layers.Input([]int{2}, layers.DType(dtypes.Int32))
		m, err := keras.NewModel(keras.Tensors(x, y), layers.ApplyAll(layers.MaxNumBoundingBoxes(n, layers.BoundingBoxFormat("xyxy")), x, y))
		require.NoError(t, err)
		require.NoError(t, m.Compile(keras.Client(openGo(t, 1))))
		out, err := m.PredictOnBatch(t.Context(), []any{boxes, [][]int32{{7, 9}}})
		require.NoError(t, err)
		require.Equal(t, want, []any{out[0].Value(), out[1].Value()})
	}
}

func TestAugmentationErrors(t *testing.T) {
	for _, tc := range []struct {
		name  string
		layer layers.Layer
		want  string
	}{
		{"mode", layers.RandomFlip("sideways"), "RandomFlip: Mode: got \"sideways\""},
		{"factor", layers.RandomRotation(1.5), "want numbers between -1 and 1"},
		{"factor of three", layers.RandomContrast([]float64{0, 0.1, 0.2}), "want a number, or two"},
		{"text", layers.RandomBrightness("much"), "want a number, or two"},
		{"interpolation", layers.RandomZoom(0.1, layers.Interpolation("bicubic")), "got \"bicubic\", want one of"},
		{"fill mode", layers.RandomShear(layers.FillMode("mirror")), "FillMode"},
		{"value range", layers.RandomInvert(1, layers.ValueRange(1, 0)), "black below white"},
		{"a part's factor", layers.RandomColorJitter(layers.HueFactor(-0.5)), "HueFactor: got -0.5, want numbers between 0 and 1"},
		{"even size", layers.RandomGaussianBlur(0.5, layers.BlurSize(4)), "want odd numbers"},
		{"many operations", layers.RandAugment(0.3, layers.NumOps(1000)), "NumOps: got 1000, want a number between 1 and 64"},
		{"many chains", layers.AugMix(layers.NumChains(100)), "NumChains: got 100, want a number between 1 and 64"},
		{"tiles", layers.ContrastLimitedAdaptiveHistogramEqualization(layers.TileGridSize(0, 3)), "TileGridSize: got [0 3], want two numbers between 1 and 1024"},
		{"boxes", layers.MaxNumBoundingBoxes(3), "want boxes (batch, boxes, 4) and their labels (batch, boxes)"},
		{"no bins", layers.Equalization(layers.Bins(0)), "Bins: got 0"},
		{"three sizes", layers.RandomGaussianBlur(0.5, layers.BlurSize(3, 3, 3)), "want one number, or two"},
		{"no such option", layers.RandomFlip("vertical", layers.ValueRange(0, 1)), "takes no option ValueRange"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.ErrorContains(t, layers.Input([]int{4, 4, 3}).Apply(tc.layer).Err(), tc.want)
		})
	}
	require.ErrorContains(t, layers.Input([]int{4}).Apply(layers.RandomFlip("vertical")).Err(), "(batch, height, width, channels)")
}
