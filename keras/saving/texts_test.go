package saving_test

// This file reads models of Keras whose inputs are texts, which
// benchmarks/peers/text_models_reference.py has written with Keras on TensorFlow. It also lets
// Keras read ours.

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/peer"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/internal/testing/tracetest"
	"github.com/gospmd/gospmd/keras"
	"github.com/gospmd/gospmd/keras/saving"
)

// textModels are the names of Keras' models in testdata/host, which have layers on the host.
var textModels = []string{"reviews", "tf_idf", "table", "nested"}

// textAnswer has what Keras computed with a file's model: predictions before and after further
// training, and its losses and accuracies.
type textAnswer struct {
	Before, After  []float32
	Loss, Accuracy []float64
}

type textCase struct {
	textAnswer
	Order []string
	X     map[string][]any
	Y     []float32
}

// data returns the inputs of the case, in the model's order: a column of texts or numbers for each.
func (tc textCase) data() (xs []any) {
	for _, name := range tc.Order {
		var texts []string
		var numbers []float32
		for _, v := range tc.X[name] {
			if s, ok := v.(string); ok {
				texts = append(texts, s)
			} else {
				numbers = append(numbers, float32(v.(float64)))
			}
		}
		if texts != nil {
			xs = append(xs, texts)
		} else {
			xs = append(xs, numbers)
		}
	}
	return xs
}

func (tc textCase) ask(t *testing.T, m *keras.Model) (a textAnswer) {
	t.Helper()
	predict := func() []float32 {
		out, err := m.Predict(t.Context(), tc.data(), keras.Verbose(0))
		require.NoError(t, err)
		return tensors.MustCopyFlatData[float32](out[0])
	}
	a.Before = predict()
	h, err := m.Fit(t.Context(), tc.data(), tc.Y, keras.BatchSize(8), keras.Epochs(2), keras.Shuffle(false), keras.Verbose(0))
	require.NoError(t, err)
	a.Loss, a.Accuracy, a.After = h.Logs["loss"], h.Logs["accuracy"], predict()
	return a
}

func (a textAnswer) equal(t *testing.T, got textAnswer) {
	t.Helper()
	require.InDeltaSlice(t, a.Before, got.Before, 1e-6)
	require.InDeltaSlice(t, a.Loss, got.Loss, 1e-6)
	require.InDeltaSlice(t, a.Accuracy, got.Accuracy, 1e-6)
	require.InDeltaSlice(t, a.After, got.After, 1e-6)
}

// TestTextModels loads models of texts that Keras has saved. They must predict and train as in
// Keras, and again after they were saved here: on an uneven mesh, and in the long form also on one
// device and another mesh.
func TestTextModels(t *testing.T) {
	for i, name := range textModels {
		client := keras.Client(runtimetest.OpenSample(t, 8, i == 0))
		want := tracetest.ReadJSON[textCase](t, "testdata/host/"+name+".json")
		for _, meshName := range longtest.Pick([]string{"data=3,model=2"}, []string{"", "data=3,model=2"}) {
			t.Run(name+" on "+meshName, func(t *testing.T) {
				on(t, meshName)
				m, err := saving.LoadModel(t.Context(), "testdata/host/"+name+".keras", client)
				require.NoError(t, err)
				again := filepath.Join(t.TempDir(), "again.keras")
				require.NoError(t, saving.SaveModel(t.Context(), m, again))
				want.equal(t, want.ask(t, m))
				back, err := saving.LoadModel(t.Context(), again, client)
				require.NoError(t, err)
				want.equal(t, want.ask(t, back))
			})
		}
	}
}

func TestKerasReadsOurTextModels(t *testing.T) {
	python := peer.Python(t, "keras", "tensorflow")
	client := keras.Client(runtimetest.Open(t, 1))
	on(t, "")
	args := []string{"../../benchmarks/peers/text_models_reference.py", "--ask"}
	var want []textCase
	for _, name := range textModels {
		m, err := saving.LoadModel(t.Context(), "testdata/host/"+name+".keras", client)
		require.NoError(t, err)
		args = append(args, filepath.Join(t.TempDir(), name+".keras"))
		require.NoError(t, saving.SaveModel(t.Context(), m, args[len(args)-1]))
		want = append(want, tracetest.ReadJSON[textCase](t, "testdata/host/"+name+".json"))
	}
	cmd := exec.Command(python, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s", stderr.String())
	var got []textAnswer
	require.NoError(t, json.Unmarshal(out, &got))
	require.Len(t, got, len(want))
	for i := range want {
		want[i].equal(t, got[i])
	}
}

// TestDamagedVocabularies loads archives with damaged vocabularies beside the config: a text in
// place of an integer, a token twice, no tokens. Each must be a short error that names the token,
// the line, or the weights that do not fit. The archive without a change must load.
func TestDamagedVocabularies(t *testing.T) {
	on(t, "")
	z, err := zip.OpenReader("testdata/host/table.keras")
	require.NoError(t, err)
	defer z.Close()
	with := func(name, text string) string {
		var files []string
		for _, f := range z.File {
			r, err := f.Open()
			require.NoError(t, err)
			content, err := io.ReadAll(r)
			require.NoError(t, err)
			if f.Name == name {
				content = []byte(text)
			}
			files = append(files, f.Name, string(content))
		}
		return zipOf(t, zip.Store, files...)
	}
	const integers, texts = "assets/layers/integer_lookup/vocabulary.txt", "assets/layers/string_lookup_1/vocabulary.txt"
	for _, tc := range []struct{ file, want string }{
		{with(integers, "-1\nseven\n3"), integers + ": line 2 is seven, want an integer"},
		{with(integers, "-1\n3\n3"), "the token 3 is there twice"},
		{with(texts, ""), "the file has the shape [18 1], want [15 1]"},
		{with(texts, strings.Repeat("a\n", 1<<16)), "the token a is there twice"},
	} {
		_, err := saving.LoadModel(t.Context(), tc.file)
		require.ErrorContains(t, err, tc.want)
		require.Less(t, len(err.Error()), 2000)
	}
	_, err = saving.LoadModel(t.Context(), with("", ""))
	require.NoError(t, err)
}
