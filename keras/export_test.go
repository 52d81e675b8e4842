package keras_test

// This file exports models, and runs the programs with package compile and with JAX.

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/peer"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/sharding"
)

// cells returns a tensor of these dimensions with float32 numbers in [0, 1], always the same ones.
func cells(dims ...int) *tensors.Tensor {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return tensors.FromFlatDataAndDimensions(tensors.MustCopyFlatData[float32](ramp(1, n)), dims...)
}

// exportedModels has, by name, functions that make a model and inputs of four samples for it:
// images has one input and output, sequences has two of each, and its first input has int32 words.
var exportedModels = map[string]func() (*keras.Model, []any){
	"images": func() (*keras.Model, []any) {
		x := keras.Input([]int{6, 5, 2}, layers.Name("image"))
		y := x.Call(layers.Conv2D(4, 3, layers.Activation("gelu")), layers.BatchNormalization(), layers.MaxPooling2D(), layers.Flatten(), layers.Dropout(0.5),
			layers.Dense(8, layers.Name("a"), layers.Activation("softmax")))
		return keras.Must(keras.Functional(x, y)), []any{cells(4, 6, 5, 2)}
	},
	"sequences": func() (*keras.Model, []any) {
		words, z := keras.Input([]int{5}, layers.Name("words"), layers.DType(dtypes.Int32)), keras.Input([]int{3}, layers.Name("z"))
		h := words.Call(layers.Embedding(12, 4, layers.MaskZero()), layers.LSTM(6, layers.DropoutRate(0.2)))
		y := layers.Apply(layers.Concatenate(), h, z).Call(layers.Dense(2, layers.Name("a")))
		ids := []int32{1, 2, 3, 0, 0, 4, 5, 6, 7, 0, 11, 10, 9, 8, 7, 1, 0, 0, 0, 0}
		return keras.Must(keras.Functional(keras.Tensors(words, z), keras.Tensors(y, h))), []any{tensors.FromFlatDataAndDimensions(ids, 4, 5), cells(4, 3)}
	},
}

// export compiles the model that make returns, with client, and writes its program for four samples
// to model.mlir in a new directory. It returns the file, the inputs that make returns, and the
// model's predictions for them.
func export(t *testing.T, make func() (*keras.Model, []any), client keras.CompileOption) (file string, inputs []any, want []*tensors.Tensor) {
	t.Helper()
	layers.ClearSession()
	m, inputs := make()
	require.NoError(t, m.Compile(client, quiet))
	want, err := m.Predict(t.Context(), inputs, keras.Verbose(0))
	require.NoError(t, err)
	file = filepath.Join(t.TempDir(), "model.mlir")
	require.NoError(t, m.Export(t.Context(), file, 4))
	return file, inputs, want
}

func requireNear(t *testing.T, want []*tensors.Tensor, got [][]float32) {
	t.Helper()
	require.Len(t, got, len(want))
	for i, w := range want {
		require.InDeltaSlice(t, tensors.MustCopyFlatData[float32](w), got[i], 1e-5)
	}
}

// TestExport exports models as programs, partitions these for other meshes than the models were
// made for, as examples/stablehlo does, and compares their results with the models' predictions.
func TestExport(t *testing.T) {
	for name, make := range exportedModels {
		for _, made := range []string{"", "data=2,model=4"} {
			t.Run(name+" of "+made, func(t *testing.T) {
				onEngine(t, false, made, func(client keras.CompileOption) {
					file, inputs, want := export(t, make, client)
					text, err := os.ReadFile(file)
					require.NoError(t, err)
					for _, on := range []string{"data=1,model=1", "data=2,model=2"} {
						requireNear(t, want, runText(t, string(text), mesh.MustParse(on), inputs))
					}
				})
			})
		}
	}
}

// runText parses the program text, shards the first dimension of its inputs along axis data of dm,
// and runs it with the engine in Go. inputs are tensors in the order of the program's. It returns
// the results in its order, as flat slices.
func runText(t *testing.T, text string, dm *mesh.DeviceMesh, inputs []any) (out [][]float32) {
	t.Helper()
	m, err := ir.Parse(text)
	require.NoError(t, err)
	require.NoError(t, sharding.Remesh(m, dm))
	layouts := layout.NewLayoutMap(dm)
	for _, p := range m.Main().Params() {
		axes := []string{"data"}
		for range p.Type.Dims[1:] {
			axes = append(axes, layout.None)
		}
		layouts.Set(p.Name, axes...)
	}
	require.NoError(t, sharding.Annotate(m, layouts))
	p, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	client, err := runtime.Open(t.Context(), runtime.Options{Devices: dm.Size(), Engine: runtime.EngineGo})
	require.NoError(t, err)
	defer client.Close()
	exe, err := client.Load(t.Context(), p)
	require.NoError(t, err)
	var args []*runtime.Array
	for i, in := range p.Inputs {
		require.NoError(t, inputs[i].(*tensors.Tensor).ConstFlatData(func(flat any) {
			a, err := client.Put(in.Type, in.Sharding, flat)
			require.NoError(t, err)
			args = append(args, a)
		}))
	}
	results, err := exe.Run(args...)
	require.NoError(t, err)
	for _, r := range results {
		flat, err := r.Get(t.Context())
		require.NoError(t, err)
		out = append(out, flat.([]float32))
	}
	return out
}

// JAX runs the exported files, and must compute the model's predictions. The test is skipped
// without a Python that has JAX.
func TestExportInJAX(t *testing.T) {
	python := peer.Python(t, "jax")
	for name, make := range exportedModels {
		t.Run(name, func(t *testing.T) {
			file, inputs, want := export(t, make, goEngine(t))
			var values []any
			for _, x := range inputs {
				values = append(values, x.(*tensors.Tensor).Value())
			}
			text, err := json.Marshal(values)
			require.NoError(t, err)
			given := filepath.Join(t.TempDir(), "inputs.json")
			require.NoError(t, os.WriteFile(given, text, 0o644))
			cmd := exec.Command(python, "../benchmarks/peers/stablehlo_run.py", file, given)
			cmd.Stderr = t.Output()
			answer, err := cmd.Output()
			require.NoError(t, err)
			var got [][][]float32
			require.NoError(t, json.Unmarshal(answer, &got))
			var flat [][]float32
			for _, rows := range got {
				var all []float32
				for _, row := range rows {
					all = append(all, row...)
				}
				flat = append(flat, all)
			}
			requireNear(t, want, flat)
		})
	}
}

func TestExportErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "model.mlir")
	open := keras.Input([]int{layers.None, 3}, layers.Name("open"))
	m := keras.Must(keras.Functional(open, open.Call(layers.Dense(1))))
	require.ErrorContains(t, m.Export(t.Context(), file, 2), "export to "+file+": open has the open shape (None, None, 3)")
	require.ErrorContains(t, m.Export(t.Context(), file, 0), "got a batch of 0 samples, want a positive number")
	unbuilt := keras.Must(keras.NewSequential(layers.Dense(1)))
	require.ErrorContains(t, unbuilt.Export(t.Context(), file, 2), "the model has no graph yet: call Build")
	require.NoFileExists(t, file)
}
