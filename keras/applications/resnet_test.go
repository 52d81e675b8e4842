package applications_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/internal/testing/peer"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/applications"
	"github.com/gospmd/gospmd/keras/applications/resnet"
	"github.com/gospmd/gospmd/keras/distribute"
	"github.com/gospmd/gospmd/keras/distribution"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

func init() { runtimetest.CompileQuickly() }

// reference is what applications_reference.py asked Keras.
type reference struct {
	Seed uint32
	Top  struct {
		Layers    [][2]string
		Variables [][2]any
		Trainable []string
	}
	ResNet101, ResNet152 struct {
		Layers, Parameters int
		Last               string
	}
	Features []struct {
		Size         [2]int
		Preprocessed []float32
		Features     [][]float32
	}
}

func readReference(t *testing.T) (r reference) {
	t.Helper()
	text, err := os.ReadFile("testdata/resnet50.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &r))
	return r
}

// images returns n invented images of that size, the same as those of the script that computed the
// reference.
func images(n, height, width int) *tensors.Tensor {
	flat := make([]uint8, n*height*width*3)
	for i := range flat {
		flat[i] = uint8(i * 7 % 251)
	}
	return tensors.FromFlatDataAndDimensions(flat, n, height, width, 3)
}

// on makes the models of the test use one device, if meshText is empty, or the mesh of meshText,
// with batches sharded over its axis data and filters over model, until the test ends. It needs 8
// devices.
func on(t *testing.T, meshText string) {
	t.Helper()
	layers.ClearSession()
	runtimetest.Need(t, 8)
	require.NoError(t, distribution.Initialize(t.Context(), distribution.Options{Devices: 8}))
	distribution.SetDistribution(nil)
	if meshText == "" {
		return
	}
	layouts := distribution.NewLayoutMap(mesh.MustParse(meshText))
	require.NoError(t, layouts.Set("conv._block._._conv/kernel", "", "", "", "model"))
	d, err := distribution.NewModelParallel(layouts, "data")
	require.NoError(t, err)
	distribution.SetDistribution(d)
	t.Cleanup(func() { distribution.SetDistribution(nil) })
}

// TestStructure requires that a ResNet50 has the names, shapes and orders of layers and variables
// that Keras' has, and that a ResNet101 and a ResNet152 without the top have Keras' numbers of
// layers and parameters, and a layer with the name of Keras' last one.
func TestStructure(t *testing.T) {
	want := readReference(t)
	on(t, "")
	m, err := applications.ResNet50(t.Context(), applications.Weights("none"))
	require.NoError(t, err)
	var got [][2]string
	for _, n := range m.Nodes() {
		got = append(got, [2]string{n.Name(), layers.ShapeText(n.Outputs[0].Shape())})
	}
	require.Equal(t, want.Top.Layers, got)
	variables, trainable := make([][2]any, 0), make([]string, 0)
	for _, v := range m.Variables() {
		var shape []any
		for _, d := range v.Shape() {
			shape = append(shape, float64(d))
		}
		variables = append(variables, [2]any{v.Path(), shape})
	}
	for _, v := range m.TrainableVariables() {
		trainable = append(trainable, v.Path())
	}
	require.Equal(t, want.Top.Variables, variables)
	require.Equal(t, want.Top.Trainable, trainable)

	for _, tc := range []struct {
		name  string
		make  func() (*keras.Model, error)
		layer int
		size  int
		last  string
	}{
		{"resnet101", func() (*keras.Model, error) {
			return applications.ResNet101(t.Context(), applications.Weights(""), applications.IncludeTop(false))
		}, want.ResNet101.Layers, want.ResNet101.Parameters, want.ResNet101.Last},
		{"resnet152", func() (*keras.Model, error) {
			return applications.ResNet152(t.Context(), applications.Weights(""), applications.IncludeTop(false))
		}, want.ResNet152.Layers, want.ResNet152.Parameters, want.ResNet152.Last},
	} {
		t.Run(tc.name, func(t *testing.T) {
			on(t, "")
			m, err := tc.make()
			require.NoError(t, err)
			require.Equal(t, tc.name, m.Name())
			require.Len(t, m.Layers(), tc.layer)
			_, err = m.Layer(tc.last)
			require.NoError(t, err)
			size := 0
			for _, v := range m.Variables() {
				size += v.Type().Size()
			}
			require.Equal(t, tc.size, size)
		})
	}
}

// TestFeatures requires that the network without its top finds the same features in images of two
// sizes as Keras' network, whose random weights are of the same seed: on one device and on a mesh.
func TestFeatures(t *testing.T) {
	want := readReference(t)
	for _, meshText := range []string{"", "data=2,model=2"} {
		t.Run("mesh "+meshText, func(t *testing.T) {
			on(t, meshText)
			random.SetRandomSeed(want.Seed)
			m, err := applications.ResNet50(t.Context(), applications.Weights(""), applications.IncludeTop(false), applications.Pooling("avg"))
			require.NoError(t, err)
			for i, f := range want.Features {
				x, err := resnet.PreprocessInput(images(2, f.Size[0], f.Size[1]))
				require.NoError(t, err)
				require.Equal(t, f.Preprocessed, tensors.MustCopyFlatData[float32](x)[:3])
				out, err := m.Predict(t.Context(), x, keras.Verbose(0))
				require.NoError(t, err)
				rows := out[0].Value().([][]float32)
				for k, row := range rows {
					var some []float32
					for c := 0; c < len(row); c += 16 {
						some = append(some, row[c])
					}
					requireClose(t, f.Features[k], some, 1e-4)
				}
				require.Len(t, m.Programs(), i+1, "a program for each size")
			}
		})
	}
}

// requireClose fails the test if a number of got differs from want by more than tolerance times the
// largest absolute number of want.
func requireClose(t *testing.T, want, got []float32, tolerance float64) {
	t.Helper()
	largest := 0.0
	for _, x := range want {
		largest = max(largest, math.Abs(float64(x)))
	}
	require.InDeltaSlice(t, want, got, tolerance*largest)
}

// TestKerasWeights loads files in the layout of Keras' published files, and compares the
// predictions with Keras': on one device, on a mesh, and for a MirroredStrategy. Keras makes the
// files here, so that the test is long.
func TestKerasWeights(t *testing.T) {
	needs.Cgo(t, runtime.HasPJRT)
	longtest.SkipShort(t, "Keras writes 200 MB of weights for it")
	python := peer.Python(t, "keras", "jax", "h5py")
	dir := t.TempDir()
	out, err := exec.Command(python, "../../benchmarks/peers/applications_reference.py", "--weights", dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	text, err := os.ReadFile(filepath.Join(dir, "answers.json"))
	require.NoError(t, err)
	var want map[string][][]float32
	require.NoError(t, json.Unmarshal(text, &want))
	x, err := resnet.PreprocessInput(images(4, 64, 64))
	require.NoError(t, err)
	top := []applications.Option{applications.Classes(10), applications.InputShape(64, 64, 3)}
	notop := []applications.Option{applications.IncludeTop(false), applications.Pooling("max")}
	for _, tc := range []struct {
		mesh, file string
		opts       []applications.Option
		replicas   int  // of a strategy that the model is compiled for when it has its weights
		long       bool // only in the long form
	}{
		{mesh: "", file: "top", opts: top},
		{mesh: "data=4,model=2", file: "top", opts: top, long: true},
		{mesh: "", file: "notop", opts: notop, long: true},
		{mesh: "data=3,model=2", file: "notop", opts: notop},
		{mesh: "", file: "notop", opts: notop, replicas: 3, long: true},
	} {
		if tc.long && !longtest.Enabled() {
			continue
		}
		t.Run(fmt.Sprintf("%s mesh %s replicas %d", tc.file, tc.mesh, tc.replicas), func(t *testing.T) {
			on(t, tc.mesh)
			m, err := applications.ResNet50(t.Context(), append(tc.opts, applications.Weights(filepath.Join(dir, tc.file+".h5")))...)
			require.NoError(t, err)
			if tc.replicas > 0 {
				s, err := distribute.MirroredStrategy("cpu:0", "cpu:1", "cpu:2")
				require.NoError(t, err)
				require.Equal(t, tc.replicas, s.NumReplicasInSync())
				require.NoError(t, s.Scope(func() error { return m.Compile(keras.Logger(slog.New(slog.DiscardHandler))) }))
			}
			out, err := m.Predict(t.Context(), x, keras.Verbose(0))
			require.NoError(t, err)
			rows := out[0].Value().([][]float32)
			require.Len(t, rows, len(want[tc.file]))
			for i, row := range rows {
				requireClose(t, want[tc.file][i], row, 1e-4)
			}
		})
	}
}

// offline is a transport of HTTP that answers every request with the same contents, or with
// nothing.
type offline struct{ contents string }

func (o offline) RoundTrip(r *http.Request) (*http.Response, error) {
	w := &http.Response{StatusCode: http.StatusOK, Status: "200 OK", Request: r, ContentLength: int64(len(o.contents))}
	w.Body = http.NoBody
	if o.contents != "" {
		w.Body = readCloser{strings.NewReader(o.contents)}
	}
	return w, nil
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

func TestErrors(t *testing.T) {
	old := http.DefaultTransport
	http.DefaultTransport = offline{"not the weights"}
	defer func() { http.DefaultTransport = old }()
	home := t.TempDir()
	t.Setenv("KERAS_HOME", home)
	damaged := filepath.Join(t.TempDir(), "damaged.h5")
	require.NoError(t, os.WriteFile(damaged, []byte("not HDF5"), 0o644))
	const other = "../../internal/hdf5/testdata/keras_legacy.h5"
	var progress bytes.Buffer
	none, notop := applications.Weights(""), applications.IncludeTop(false)
	for _, tc := range []struct {
		name string
		opts []applications.Option
		want string
	}{
		{"another file", nil, "the weights of ImageNet: https://storage.googleapis.com/tensorflow/keras-applications/resnet/resnet50_weights_tf_dim_ordering_tf_kernels.h5 has the checksum 40f243443caa7b4034a3707dc627abcc, want 2cb95161c43110f7111970584f804107"},
		{"another file, without top", []applications.Option{notop},
			"resnet50_weights_tf_dim_ordering_tf_kernels_notop.h5 where there is a network and put it at " + filepath.Join(home, "models", "resnet50_weights_tf_dim_ordering_tf_kernels_notop.h5")},
		{"no such file", []applications.Option{applications.Weights("none.h5"), notop}, `got the weights "none.h5": want "imagenet", "" for random ones, or the path of a file`},
		{"damaged file", []applications.Option{applications.Weights(damaged), notop}, "not an HDF5 file"},
		{"weights of another model", []applications.Option{applications.Weights(other), notop},
			"the file holds 2 layers with weights (first to dense), the model has 106 (conv1_conv to conv5_block3_3_bn): it is another model's file"},
		{"classes of ImageNet", []applications.Option{applications.Classes(10)}, "got 10 classes with the weights of ImageNet, which have 1000"},
		{"activation of ImageNet", []applications.Option{applications.ClassifierActivation("relu")}, "got the classifier activation relu with the weights of ImageNet"},
		{"unknown activation", []applications.Option{none, applications.ClassifierActivation("rely")}, `unknown activation "rely"`},
		{"size of ImageNet", []applications.Option{applications.InputShape(64, 64, 3)}, "got the input shape (64, 64, 3), the weights of ImageNet with the top want (224, 224, 3)"},
		{"grey, ImageNet", []applications.Option{applications.InputShape(64, 64, 1), notop}, "the weights of ImageNet want 3 channels"},
		{"small", []applications.Option{none, applications.InputShape(31, 64, 3)}, "got the input shape (31, 64, 3), want images of at least 32x32"},
		{"open, with top", []applications.Option{none, applications.InputShape(layers.None, 64, 3)}, "got the input shape (None, 64, 3): with the top height and width cannot be open"},
		{"open channels", []applications.Option{none, notop, applications.InputShape(64, 64, layers.None)}, "the number of channels cannot be open"},
		{"pooling", []applications.Option{none, notop, applications.Pooling("mean")}, `Pooling: got "mean", want one of ["" "avg" "max"]`},
		{"classes", []applications.Option{none, applications.Classes(0)}, "Classes: got 0, want a positive number"},
		{"name", []applications.Option{none, applications.Name("a/b")}, `got "a/b", want a name without "/"`},
		{"input tensor", []applications.Option{none, notop, applications.InputTensor(keras.Input([]int{64, 64}))}, "got an input of shape (64, 64), want height, width and channels"},
		{"input tensor and shape", []applications.Option{none, notop, applications.InputTensor(keras.Input([]int{64, 64, 3})), applications.InputShape(32, 32, 3)},
			"got an input tensor of shape (64, 64, 3) beside the input shape (32, 32, 3)"},
		{"broken input tensor", []applications.Option{none, notop, applications.InputTensor(keras.Input([]int{0}))}, "dimension 0 of shape [0] cannot be used"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			on(t, "")
			_, err := applications.ResNet50(t.Context(), append(tc.opts, applications.Output(&progress))...)
			require.ErrorContains(t, err, tc.want)
			require.ErrorContains(t, err, "applications: ")
		})
	}
	require.Contains(t, progress.String(), "gospmd: downloading https://storage.googleapis.com/tensorflow/keras-applications/resnet/")
}

// With InputTensor a ResNet50 continues the layers of a tensor: the model begins with that tensor's
// input, and has the given name.
func TestInputTensor(t *testing.T) {
	on(t, "")
	x := keras.Input([]int{layers.None, layers.None, 3}, layers.Name("pixels"))
	m, err := applications.ResNet50(t.Context(), applications.Weights(""), applications.IncludeTop(false), applications.Pooling("avg"),
		applications.InputTensor(x.Apply(layers.Rescaling(2))), applications.Name("features"))
	require.NoError(t, err)
	require.Equal(t, "features", m.Name())
	require.Equal(t, "pixels", m.Layers()[0].Name())
	require.Equal(t, []int{layers.None, 2048}, m.Outputs()[0].Shape())
}
