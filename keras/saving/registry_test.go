package saving_test

// This file saves and loads layers, losses and metrics of users. saving_reference.py registers
// those in the file registered.keras in Keras under the same names.

import (
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	g "github.com/gomlx/gomlx/core/graph"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/losses"
	"github.com/gospmd/gospmd/keras/metrics"
	"github.com/gospmd/gospmd/keras/saving"
	"github.com/gospmd/gospmd/keras/variable"
)

// Scale is a layer of a user's own that multiplies its input by a trained vector, scale, and by the
// number factor.
type Scale struct {
	layers.Base
	factor float64
	scale  *variable.Variable
}

func (s *Scale) Build(b *layers.Builder, inputs []layers.Spec) (err error) {
	last := inputs[0].Shape[len(inputs[0].Shape)-1]
	s.scale, err = b.AddWeight("scale", []int{last}, dtypes.Float32, initializers.Ones())
	return err
}

func (s *Scale) Call(c *layers.Context, inputs []*g.Node) []*g.Node {
	x := inputs[0]
	return []*g.Node{g.MulScalar(g.Mul(x, g.ExpandLeftToRank(c.Value(s.scale), x.Rank())), s.factor)}
}

func (s *Scale) Config() (map[string]any, error) { return map[string]any{"factor": s.factor}, nil }

// Unregistered is a layer whose type no test registers.
type Unregistered struct{ Scale }

// cubed is a loss of the tests: for each sample the mean cube of the distances, |d|³, from the
// one-hot label to the predictions. yTrue holds class numbers. largest is a metric: the largest
// prediction of each sample.
func cubed(yTrue, yPred *g.Node) *g.Node {
	y := g.OneHot(g.ConvertDType(g.Reshape(yTrue, yTrue.Shape().Size()), dtypes.Int32), yPred.Shape().Dimensions[1], yPred.DType())
	d := g.Abs(g.Sub(y, yPred))
	return g.ReduceMean(g.Mul(d, g.Mul(d, d)), -1)
}

func largest(_, yPred *g.Node) *g.Node { return g.ReduceMax(yPred, -1) }

func init() {
	for _, err := range []error{
		saving.RegisterLayer("tests>Scale", func(config map[string]any) (*Scale, error) {
			factor, ok := config["factor"].(float64)
			if !ok {
				return nil, errors.New("factor: want a number")
			}
			return &Scale{factor: factor}, nil
		}),
		saving.RegisterLoss("tests>cubed", func(map[string]any) (*losses.Loss, error) { return losses.New("cubed", cubed), nil }),
		saving.RegisterMetric("tests>largest", func(map[string]any) (*metrics.Metric, error) { return metrics.New("largest", largest), nil }),
	} {
		if err != nil {
			panic(err)
		}
	}
}

// TestRegistered loads an archive of Keras with a registered layer, loss and metric. The layers
// must have their type, factor and trainability. The archive that is saved must have the registered
// names.
func TestRegistered(t *testing.T) {
	on(t, "")
	m, err := saving.LoadModel(t.Context(), "testdata/registered.keras")
	require.NoError(t, err)
	half := keras.Must(m.Layer("half"))
	require.IsType(t, &Scale{}, half)
	require.Equal(t, .5, half.(*Scale).factor)
	require.True(t, half.Trainable())
	require.False(t, keras.Must(m.Layer("scale")).Trainable())
	again := filepath.Join(t.TempDir(), "again.keras")
	require.NoError(t, saving.SaveModel(t.Context(), m, again))
	config := configOf(t, again)
	for _, want := range []string{`"registered_name":"tests\u003eScale"`, `"config":"tests\u003ecubed"`, `"config":"tests\u003elargest"`} {
		require.Contains(t, config, want)
	}
}

// A registered layer that was made under one policy keeps it where another one is the default: in
// LoadModel, CloneModel and DeserializeLayer. A layer that has none yet gets the default.
func TestRegisteredPolicy(t *testing.T) {
	on(t, "")
	x := keras.Input(4)
	half := &Scale{factor: 2}
	half.SetDTypePolicy("mixed_bfloat16")
	m := keras.Must(keras.NewModel(keras.Tensors(x), keras.Tensors(x.Apply(half))))
	require.Equal(t, dtypes.BFloat16, m.Outputs()[0].DType())
	file := filepath.Join(t.TempDir(), "half.keras")
	require.NoError(t, saving.SaveModel(t.Context(), m, file))
	require.NoError(t, keras.SetDTypePolicy("float64"))
	defer func() { require.NoError(t, keras.SetDTypePolicy("float32")) }()
	for _, again := range []*keras.Model{keras.Must(saving.LoadModel(t.Context(), file)), keras.Must(saving.CloneModel(m))} {
		require.Equal(t, "mixed_bfloat16", again.Layers()[1].DTypePolicy())
		require.Equal(t, dtypes.BFloat16, again.Outputs()[0].DType())
		require.Equal(t, dtypes.Float32, again.Variables()[0].DType())
	}
	object := keras.Must(saving.SerializeLayer(half))
	require.Equal(t, "mixed_bfloat16", keras.Must(saving.DeserializeLayer(object)).DTypePolicy())
	object["config"].(map[string]any)["dtype"] = "float31"
	_, err := saving.DeserializeLayer(object)
	require.ErrorContains(t, err, `unknown dtype policy "float31"`)
	unbuilt := keras.Must(saving.DeserializeLayer(keras.Must(saving.SerializeLayer(&Scale{factor: 2}))))
	require.Empty(t, unbuilt.DTypePolicy())
	require.Equal(t, dtypes.Float64, x.Apply(unbuilt).DType())
	half.SetDTypePolicy("float32")
	require.ErrorContains(t, x.Apply(half).Err(), `cannot get the dtype policy "float32": its variables have their types already`)
	other := &Scale{}
	other.SetDTypePolicy("half")
	require.ErrorContains(t, x.Apply(other).Err(), `SetDTypePolicy: unknown dtype policy "half"`)
}

// A layer whose policy is a type has it in the loaded model.
func TestTypeAsPolicy(t *testing.T) {
	on(t, "")
	l := layers.Dense(2, layers.DType("int32"))
	again, err := saving.DeserializeLayer(keras.Must(saving.SerializeLayer(l)))
	require.NoError(t, err)
	require.Equal(t, "int32", again.DTypePolicy())
}

func TestRegisterErrors(t *testing.T) {
	of := func(map[string]any) (*Unregistered, error) { return nil, nil }
	for _, tc := range []struct {
		err  error
		want string
	}{
		{saving.RegisterLayer("Scale", of), `got the name "Scale", want a package and a name, such as my_package>Scale`},
		{saving.RegisterLayer("a>b>c", of), "want a package and a name"},
		{saving.RegisterLayer("tests>Scale", of), "tests>Scale is registered already"},
		{saving.RegisterLayer[*Unregistered]("tests>New", nil), "got a nil function"},
		{saving.RegisterLayer("tests>Other", func(map[string]any) (*Scale, error) { return nil, nil }), "the type *saving_test.Scale is registered as tests>Scale"},
		{saving.RegisterLayer("tests>Any", func(map[string]any) (layers.Configured, error) { return nil, nil }), "want that of the layer"},
		{saving.RegisterLoss("tests>cubed", nil), "got a nil function"},
	} {
		require.ErrorContains(t, tc.err, tc.want)
	}
	on(t, "")
	x := keras.Input([]int{2})
	m, err := keras.NewModel([]*layers.Tensor{x}, []*layers.Tensor{x.Apply(&Unregistered{})})
	require.NoError(t, err)
	require.ErrorContains(t, saving.SaveModel(t.Context(), m, filepath.Join(t.TempDir(), "m.keras")), "register its type with RegisterLayer")
}

// LoadModel's one error names every unknown layer and loss in a file, each with its path in the
// config.
func TestAllUnknown(t *testing.T) {
	on(t, "")
	config := configOf(t, "testdata/registered.keras")
	for _, change := range [][2]string{
		{`"tests>Scale"`, `"tests>Scaled"`}, {`"class_name": "Dense"`, `"class_name": "Danse"`}, {`"tests>cubed"`, `"others>cubed"`},
	} {
		require.Contains(t, config, change[0])
		config = strings.ReplaceAll(config, change[0], change[1])
	}
	weights, err := os.ReadFile("../../internal/hdf5/testdata/keras.h5")
	require.NoError(t, err)
	file := zipOf(t, zip.Store, "config.json", config, "model.weights.h5", string(weights))
	_, err = saving.LoadModel(t.Context(), file)
	for _, want := range []string{
		`config.layers[1]: the layer Danse is not known here (did you mean "Dense"?)`,
		`config.layers[2]: the layer tests>Scaled is a class of the user that is not registered here: register it with saving.RegisterLayer`,
		`config.layers[3]: the layer Danse`, `config.layers[4]: the layer tests>Scaled`,
		`compile_config: loss: the loss others>cubed is a class of the user that is not registered here`,
	} {
		require.ErrorContains(t, err, want)
	}
}

// With WithoutCompile the loaded model has the variables of the archive, but is not compiled,
// unless options of Compile are given.
func TestWithoutCompile(t *testing.T) {
	on(t, "")
	const name = "testdata/registered.keras"
	m, err := saving.LoadModel(t.Context(), name, saving.WithoutCompile())
	require.NoError(t, err)
	require.False(t, m.IsCompiled())
	other, err := saving.LoadModel(t.Context(), name, saving.WithoutCompile(), keras.Optimizer("sgd"), keras.Loss("mae"))
	require.NoError(t, err)
	require.Equal(t, "sgd", other.Optimizer().Name())
	require.Equal(t, "mean_absolute_error", other.Losses()[0].Name())
	whole, err := saving.LoadModel(t.Context(), name)
	require.NoError(t, err)
	requireSame(t, whole.Variables(), m.Variables())
}
