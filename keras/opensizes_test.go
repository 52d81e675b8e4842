package keras_test

// This file tests models whose inputs have open dimensions.

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/mesh"
)

// pixels returns n invented images of height x width pixels, [n, height, width, 3], with numbers in
// [0, 1).
func pixels(n, height, width int) *tensors.Tensor {
	flat := make([]float32, n*height*width*3)
	for i := range flat {
		flat[i] = float32(i%29) / 29
	}
	return tensors.FromFlatDataAndDimensions(flat, n, height, width, 3)
}

// imageModel returns a small convolutional model for images of this size, with None for open sizes,
// that distinguishes four classes. It is compiled with sgd on six devices. Its weights are the same
// in each call.
func imageModel(t *testing.T, height, width int) *keras.Model {
	t.Helper()
	layers.ClearSession()
	random.SetRandomSeed(3)
	x := keras.Input([]int{height, width, 3})
	y := x.Apply(layers.Conv2D(6, 3, layers.Strides(2), layers.Padding("same"), layers.Activation("relu")))
	y = y.Apply(layers.BatchNormalization())
	y = y.Apply(layers.MaxPooling2D(layers.PoolSize(2)))
	y = y.Apply(layers.GlobalAveragePooling2D())
	y = y.Apply(layers.Dense(4, layers.Activation("softmax")))
	m := model(t, x, y)
	require.NoError(t, m.Compile(keras.Optimizer("sgd"), keras.Loss("sparse_categorical_crossentropy"),
		keras.Client(runtimetest.Open(t, 6)), quiet))
	return m
}

// sized is a dataset that yields one batch of five images, with the numbers of their classes, for
// each size in it: height and width.
type sized [][2]int

func (s sized) Cardinality() int { return len(s) }

func (s sized) Batches(context.Context) iter.Seq2[data.Batch, error] {
	return func(yield func(data.Batch, error) bool) {
		for _, size := range s {
			y := tensors.FromFlatDataAndDimensions([]int32{0, 1, 2, 3, 0}, 5)
			if !yield(data.Batch{X: []*tensors.Tensor{pixels(5, size[0], size[1])}, Y: []*tensors.Tensor{y}}, nil) {
				return
			}
		}
	}
}

// TestOpenSizes predicts and trains on images of three sizes, without a mesh and on one. The
// predictions must be equal to those of a model that was made for the size. For each size there
// must be one program to predict and one to train, also after another epoch. The short form takes
// the mesh.
func TestOpenSizes(t *testing.T) {
	sizes := sized{{8, 8}, {12, 9}, {8, 8}, {31, 5}}
	for _, meshText := range longtest.Pick([]string{"data=3,model=2"}, []string{"", "data=3,model=2"}) {
		t.Run("mesh "+meshText, func(t *testing.T) {
			var d distribution.Distribution
			if meshText != "" {
				layouts := distribution.NewLayoutMap(mesh.MustParse(meshText))
				require.NoError(t, layouts.Set("conv2d/kernel", "", "", "", "model"))
				var err error
				d, err = distribution.NewModelParallel(layouts, "data")
				require.NoError(t, err)
			}
			require.NoError(t, distribution.Scope(d, func() error {
				open := imageModel(t, layers.None, layers.None)
				for i, size := range sizes[1:] {
					x := pixels(5, size[0], size[1])
					got, err := open.Predict(t.Context(), x, keras.Verbose(0))
					require.NoError(t, err)
					want, err := imageModel(t, size[0], size[1]).Predict(t.Context(), x, keras.Verbose(0))
					require.NoError(t, err)
					require.Equal(t, want[0].Value(), got[0].Value())
					require.Len(t, open.Programs(), i+1, "one program for each size")
				}
				for epoch := range 2 {
					h, err := open.Fit(t.Context(), sizes, nil, keras.Verbose(0))
					require.NoError(t, err)
					require.Positive(t, h.Logs["loss"][0])
					require.Len(t, open.Programs(), 6, "epoch %d: three to predict, three to train", epoch)
				}
				return nil
			}))
		})
	}
}

func TestOpenSizesSummary(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, imageModel(t, layers.None, 40).Summary(&out))
	for _, line := range []string{
		"input_layer (InputLayer)                           (None, None, 40, 3)  0",
		"conv2d (Conv2D)                                    (None, None, 20, 6)  168",
		"global_average_pooling2d (GlobalAveragePooling2D)  (None, 6)            0",
	} {
		require.Contains(t, out.String(), line)
	}
}

func TestOpenSizesErrors(t *testing.T) {
	const none = layers.None
	of := func(x *layers.Tensor, y *layers.Tensor) func(*testing.T) error {
		return func(*testing.T) error {
			_, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
			return err
		}
	}
	input := func(dims ...int) *layers.Tensor { return keras.Input(dims) }
	flat, channels, window := input(none, none, 3), input(8, 8, none), input(none, none, 3)
	predict := func(xs ...any) func(*testing.T) error {
		return func(t *testing.T) error {
			m := model(t, window, window.Apply(layers.AveragePooling2D(layers.PoolSize(9))))
			require.NoError(t, m.Compile(keras.Client(runtimetest.Open(t, 6))))
			for _, x := range xs {
				if _, err := m.Predict(t.Context(), x, keras.Verbose(0)); err != nil {
					return err
				}
			}
			return nil
		}
	}
	for _, tc := range []struct {
		name string
		do   func(*testing.T) error
		want string
	}{
		{"dense after flatten", of(flat, flat.Apply(layers.Flatten()).Apply(layers.Dense(10, layers.Name("d")))),
			"layer d (dense): weight d/kernel cannot have the shape (None, 10): a dimension of the input [(None, None) Float32] that it depends on is open; " +
				"give keras.Input a number for it, or reduce the open dimensions first, as GlobalAveragePooling2D does"},
		{"channels", of(channels, channels.Apply(layers.Conv2D(4, 3, layers.Name("c")))), "weight c/kernel cannot have the shape (3, 3, None, 4)"},
		{"another closed size", predict(pixels(2, 20, 20), tensors.FromFlatDataAndDimensions(make([]float32, 2*20*20), 2, 20, 20, 1)),
			"wants data of shape (None, None, None, 3), got (2, 20, 20, 1)"},
		{"too small when it runs", predict(pixels(2, 20, 20), pixels(2, 8, 20)),
			"the window is larger than the input (2, 8, 20, 3): its height is 9, the input's 8; make it smaller or use Padding(\"same\")"},
		{"sizes that do not join", predict(sized{{20, 20}, {10, 20}}),
			"output 0 has samples of shape [1 2 3] in batch 1 and of shape [2 2 3] before, so they do not fit into one tensor"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.ErrorContains(t, tc.do(t), tc.want)
		})
	}
}

// A model with open height and width is used with images of two sizes; a program is compiled for
// each size.
func ExampleInput_open() {
	layers.ClearSession()
	x := keras.Input([]int{layers.None, layers.None, 3})
	y := x.Apply(layers.Conv2D(8, 3)).Apply(layers.GlobalMaxPooling2D())
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{y})
	if err != nil {
		panic(err)
	}
	for _, size := range []int{16, 32, 16} {
		out, err := m.Predict(context.Background(), pixels(2, size, size), keras.Verbose(0))
		if err != nil {
			panic(err)
		}
		fmt.Println(out[0].Shape().Dimensions, len(m.Programs()))
	}
	// Output:
	// [2 8] 1
	// [2 8] 2
	// [2 8] 2
}
