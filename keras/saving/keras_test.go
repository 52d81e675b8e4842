package saving_test

// This file reads files that Keras has written, and lets Keras read ours.

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/float16"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/peer"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/saving"
	"github.com/gospmd/gospmd/keras/variable"
)

func init() { runtimetest.CompileQuickly() }

// answer is what saving_reference.py prints about an archive: predictions, the losses of further
// training, and the predictions after it.
type answer struct {
	Predictions [][]float32
	Losses      []float64 // losses of three more epochs
	After       [][]float32
	Mixed       bool // half precision: different compilers round at different ops
}

// inputs returns 8 samples for each input of m: the numbers that saving_reference.py uses too.
func inputs(m *keras.Model) []any {
	var out []any
	for _, in := range m.Inputs() {
		dims := append([]int{8}, in.Shape()[1:]...)
		n := 1
		for _, d := range dims {
			n *= d
		}
		fractions, integers, booleans := make([]float32, n), make([]int32, n), make([]bool, n)
		for i := range n {
			k := i * 7 % 11
			fractions[i], integers[i], booleans[i] = float32(float64(k)/11), int32(k), k < 8
		}
		switch in.DType() {
		case dtypes.Int32:
			out = append(out, tensors.FromFlatDataAndDimensions(integers, dims...))
		case dtypes.Bool:
			out = append(out, tensors.FromFlatDataAndDimensions(booleans, dims...))
		default:
			out = append(out, tensors.FromFlatDataAndDimensions(fractions, dims...))
		}
	}
	return out
}

func labels(m *keras.Model) []int32 {
	classes := int32(m.Outputs()[0].Shape()[1])
	out := make([]int32, 8)
	for i := range out {
		out[i] = int32(i) % classes
	}
	return out
}

func predict(t *testing.T, m *keras.Model) [][]float32 {
	t.Helper()
	out, err := m.Predict(t.Context(), inputs(m), keras.Verbose(0))
	require.NoError(t, err)
	switch predictions := out[0].Value().(type) {
	case [][]float32:
		return predictions
	case [][]float16.Float16: // outputs of a model in half precision
		wide := make([][]float32, len(predictions))
		for i, row := range predictions {
			for _, x := range row {
				wide[i] = append(wide[i], x.Float32())
			}
		}
		return wide
	}
	require.Fail(t, "predictions of another type", out[0].Shape())
	return nil
}

// ask predicts with m, trains it if it has a loss, and predicts again. It returns the numbers that
// saving_reference.py gives for the same in Keras.
func ask(t *testing.T, m *keras.Model) (a answer) {
	t.Helper()
	a.Predictions = predict(t, m)
	if len(m.Losses()) > 0 {
		h, err := m.Fit(t.Context(), inputs(m), labels(m), keras.Epochs(3), keras.BatchSize(4), keras.Shuffle(false), keras.Verbose(0))
		require.NoError(t, err)
		a.Losses, a.After = h.Logs["loss"], predict(t, m)
	}
	return a
}

func requireClose(t *testing.T, want, got answer) {
	t.Helper()
	exact, trained := 1e-6, 1e-5
	if want.Mixed || got.Mixed {
		exact, trained = 1e-2, 2e-2
	}
	requireRows(t, want.Predictions, got.Predictions, exact, "predictions")
	require.Len(t, got.Losses, len(want.Losses))
	if len(want.Losses) > 0 {
		require.InDeltaSlice(t, want.Losses, got.Losses, trained, "losses of further training")
	}
	requireRows(t, want.After, got.After, trained, "predictions after further training")
}

func requireRows(t *testing.T, want, got [][]float32, delta float64, what string) {
	t.Helper()
	require.Len(t, got, len(want), what)
	for i := range want {
		require.InDeltaSlice(t, want[i], got[i], delta, what)
	}
}

func archives(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.keras")
	require.NoError(t, err)
	require.Len(t, files, 25)
	return files
}

// TestKerasArchives loads archives that Keras has saved. The predictions must be Keras', and
// training must continue as in Keras.
func TestKerasArchives(t *testing.T) {
	for i, name := range archives(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			client := keras.Client(runtimetest.OpenSample(t, 6, i%8 == 0))
			on(t, "")
			m, err := saving.LoadModel(t.Context(), name, client)
			require.NoError(t, err)
			text, err := os.ReadFile(strings.TrimSuffix(name, ".keras") + ".json")
			require.NoError(t, err)
			var want answer
			require.NoError(t, json.Unmarshal(text, &want))
			requireClose(t, want, ask(t, m))
		})
	}
}

// TestKerasArchivesOnMeshes loads models of operations and of many layers onto meshes: the
// predictions and the losses must be those of Keras on one device. The short form has the
// operations on the uneven mesh.
func TestKerasArchivesOnMeshes(t *testing.T) {
	client := keras.Client(runtimetest.OpenSample(t, 8, false))
	for _, name := range longtest.Pick([]string{"operators"}, []string{"operators", "volumes"}) {
		for _, meshText := range longtest.Pick([]string{"data=3,model=2"}, []string{"data=2,model=4", "data=3,model=2"}) {
			t.Run(name+" on "+meshText, func(t *testing.T) {
				on(t, meshText)
				m, err := saving.LoadModel(t.Context(), "testdata/"+name+".keras", client)
				require.NoError(t, err)
				text, err := os.ReadFile("testdata/" + name + ".json")
				require.NoError(t, err)
				var want answer
				require.NoError(t, json.Unmarshal(text, &want))
				requireClose(t, want, ask(t, m))
			})
		}
	}
}

// TestArchiveRoundTrip saves models that were loaded, and loads them again: names, config, and the
// values of variables and optimizers are bit-identical.
func TestArchiveRoundTrip(t *testing.T) {
	client := keras.Client(runtimetest.Open(t, 6))
	for _, name := range archives(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			on(t, "")
			m, err := saving.LoadModel(t.Context(), name, client)
			require.NoError(t, err)
			again := filepath.Join(t.TempDir(), "again.keras")
			require.NoError(t, saving.SaveModel(t.Context(), m, again))
			on(t, "")
			loaded, err := saving.LoadModel(t.Context(), again, client)
			require.NoError(t, err)
			require.Equal(t, m.Name(), loaded.Name())
			requireSame(t, m.Variables(), loaded.Variables())
			if m.Optimizer() != nil && len(m.Losses()) > 0 {
				require.NotEmpty(t, m.Optimizer().Variables())
				requireSame(t, m.Optimizer().Variables(), loaded.Optimizer().Variables())
			}
			again2 := filepath.Join(t.TempDir(), "again2.keras")
			require.NoError(t, saving.SaveModel(t.Context(), loaded, again2))
			require.Equal(t, configOf(t, again), configOf(t, again2))
		})
	}
}

func requireSame(t *testing.T, want, got []*variable.Variable) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		a, err := want[i].Value(t.Context())
		require.NoError(t, err)
		b, err := got[i].Value(t.Context())
		require.NoError(t, err)
		require.Equal(t, want[i].Path(), got[i].Path())
		if want[i].Name() != "seed_generator_state" {
			require.Equal(t, a, b, want[i].Path())
		}
	}
}

func configOf(t *testing.T, name string) string {
	t.Helper()
	z, err := zip.OpenReader(name)
	require.NoError(t, err)
	defer z.Close()
	f, err := z.Open("config.json")
	require.NoError(t, err)
	defer f.Close()
	text, err := io.ReadAll(f)
	require.NoError(t, err)
	return string(text)
}

// TestKerasReadsOurs lets Keras load archives that we have saved: every third archive, or all in
// the long form. Its predictions and losses must be ours.
func TestKerasReadsOurs(t *testing.T) {
	client := keras.Client(runtimetest.Open(t, 6))
	dir := t.TempDir()
	var files []string
	var want []answer
	for i, name := range archives(t) {
		if i%3 != 0 && !longtest.Enabled() {
			continue
		}
		on(t, "")
		m, err := saving.LoadModel(t.Context(), name, client)
		require.NoError(t, err)
		ours := filepath.Join(dir, filepath.Base(name))
		require.NoError(t, saving.SaveModel(t.Context(), m, ours))
		files = append(files, ours)
		want = append(want, ask(t, m))
	}
	var got []answer
	askKeras(t, &got, append([]string{"--ask"}, files...)...)
	require.Len(t, got, len(want))
	for i := range want {
		requireClose(t, want[i], got[i])
	}
}

// askKeras runs saving_reference.py in Keras with args, and sets answers to the JSON that it
// prints.
func askKeras(t *testing.T, answers any, args ...string) {
	t.Helper()
	cmd := exec.Command(peer.Python(t, "keras", "jax"), append([]string{"../../benchmarks/peers/saving_reference.py"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s", stderr.String())
	require.NoError(t, json.Unmarshal(out, answers))
	require.NotContains(t, stderr.String(), "Skipping variable loading", "Keras did not take the optimizer's variables")
}

// TestGuideModelBothWays loads the MNIST model of the tf.distribute guide, 784-256-256-10, trained
// in Keras: its predictions and losses here must be those of Keras, and again in Keras after it was
// saved here.
func TestGuideModelBothWays(t *testing.T) {
	dir := t.TempDir()
	theirs, ours := filepath.Join(dir, "theirs.keras"), filepath.Join(dir, "ours.keras")
	var want, back []answer
	askKeras(t, &want, "--guide", theirs)
	client := keras.Client(runtimetest.Open(t, 6))
	for _, meshText := range []string{"", "data=3,model=2"} {
		on(t, meshText)
		m, err := saving.LoadModel(t.Context(), theirs, client)
		require.NoError(t, err)
		require.NoError(t, saving.SaveModel(t.Context(), m, ours))
		requireClose(t, want[0], ask(t, m))
	}
	askKeras(t, &back, "--ask", ours)
	requireClose(t, want[0], back[0])
}

// TestArchiveOnMesh loads an archive onto an uneven mesh, saves it from there, and
// compares the values on one device.
func TestArchiveOnMesh(t *testing.T) {
	client := keras.Client(runtimetest.Open(t, 6))
	const name = "testdata/mnist.keras"
	on(t, "")
	one, err := saving.LoadModel(t.Context(), name, client)
	require.NoError(t, err)
	on(t, "data=3,model=2")
	m, err := saving.LoadModel(t.Context(), name, client)
	require.NoError(t, err)
	require.Equal(t, `[{}, {"model"}]`, m.Variable("sequential/second/kernel").Array().Sharding().String())
	again := filepath.Join(t.TempDir(), "again.keras")
	require.NoError(t, saving.SaveModel(t.Context(), m, again))
	requireClose(t, answer{Predictions: predict(t, one)}, answer{Predictions: predict(t, m)})
	on(t, "")
	back, err := saving.LoadModel(t.Context(), again, client)
	require.NoError(t, err)
	requireSame(t, one.Variables(), back.Variables())
	requireSame(t, one.Optimizer().Variables(), back.Optimizer().Variables())
}
