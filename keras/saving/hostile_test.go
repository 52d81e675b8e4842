package saving_test

// This file loads archives that are made to do harm: in some, values of a good config are replaced
// by others; others are small files that ask for much memory. The archives have right checksums, so
// that the changes reach the readers of the members.

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/budget"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/memtest"
	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/saving"
)

// replacements are the values that replace each value of a config.
var replacements = []any{
	nil, true, 0.0, -1.0, 0.5, 1e9, 1 << 31, 9.3e18, -9.3e18, 1e300, -1e300, "", "x", strings.Repeat("long", 1000),
	[]any{}, []any{1e300}, []any{nil, "x"}, []any{[]any{[]any{}}}, map[string]any{}, map[string]any{"class_name": "Dense", "config": nil},
}

// load loads an archive of this config and these weights, and returns the error. It fails the test
// if that panics, or if the error is too long or says BUG.
func load(t testing.TB, config string, weights string) error {
	t.Helper()
	file := zipOf(t, zip.Deflate, "config.json", config, "model.weights.h5", weights)
	layers.ClearSession()
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("%v: %.3000s", p, config)
		}
	}()
	_, err := saving.LoadModel(t.Context(), file)
	if err != nil {
		require.NotContains(t, err.Error(), "BUG", "%.3000s", config)
		require.Less(t, len(err.Error()), 2*len(file)+brief.ErrorLimit+100, "%.3000s", config)
	}
	return err
}

var oneOf = flag.Int("oneof", 0, "of how many replaced values TestEveryValue tries one; 0: as a normal test does")

// TestEveryValue replaces values of each config by each replacement: loading must return a model or
// an error, without a panic or BUG, and an error in at least a quarter of the cases. It tries a
// sample, or everything with -oneof 1.
func TestEveryValue(t *testing.T) {
	on(t, "")
	stride := cmp.Or(*oneOf, longtest.Pick(1009, 211))
	n, failed := 0, 0
	for _, files := range kerasArchives(t) {
		var config any
		require.NoError(t, json.Unmarshal([]byte(files[0]), &config))
		for _, at := range nodes(config) {
			for _, v := range replacements {
				if n++; n%stride != 0 {
					continue
				}
				at.set(v)
				text, err := json.Marshal(config)
				require.NoError(t, err)
				if load(t, string(text), files[1]) != nil {
					failed++
				}
			}
			at.set(at.value)
		}
	}
	t.Logf("%d of %d replaced values are errors", failed, n/stride)
	require.Greater(t, failed, n/stride/4)
}

// many returns n texts, format with the numbers from 0 to n-1, separated by commas.
func many(n int, format string) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(texts, ",")
}

func TestHostileConfigs(t *testing.T) {
	on(t, "")
	weights := kerasArchives(t)[0][1]
	deep := func(n int) string {
		text := `{"class_name": "Dense", "config": {"name": "d", "units": -1}}`
		for i := range n {
			text = fmt.Sprintf(`{"class_name": "Sequential", "config": {"name": "%s%d", "layers": [%s]}}`, strings.Repeat("n", 80), i, text)
		}
		return text
	}
	for _, tc := range []struct{ name, config, want string }{
		{"nested models", deep(1000), "models are nested deeper than 64"},
		{"names of nested models", deep(60), "layer d (Dense)"},
		{"values", `{"class_name": "Sequential", "config": {"layers": [` + strings.Repeat("[],", 1<<20) + `[]]}}`, "the values of config.json needs"},
		{"layers", `{"class_name": "Sequential", "config": {"build_input_shape": [null, 2], "layers": [` + many(20000, `{"class_name":"Dense","config":{"name":"d%d","units":1,"kernel_initializer":"zeros","bias_initializer":"zeros"}}`) + `]}}`, "one more layer needs"},
		{"inputs", `{"class_name": "Functional", "config": {"layers": [` + many(20000, `{"class_name":"InputLayer","name":"i%d","config":{"batch_shape":[null,4],"dtype":"float32"}}`) + `]}}`, "one more input needs"},
		{"long config", `{"class_name": "Sequential", "config": {"layers": "` + strings.Repeat(" ", 60<<20) + `"}}`, "config.json needs 62.9 MB, but a file of"},
		{"wide value", `{"class_name": "Sequential", "config": {"layers": [{"class_name": "Dense", "config": {"name": "d", "units": [` + strings.Repeat(`"abc",`, 10000) + `1]}}]}}`, "Units: got [abc abc"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var err error
			memtest.Within(t, len(weights), func() { err = load(t, tc.config, weights) })
			require.ErrorContains(t, err, tc.want)
		})
	}
}

// weightsOf returns the content of model.weights.h5 in the archive with this file name.
func weightsOf(t testing.TB, name string) string {
	t.Helper()
	z, err := zip.OpenReader(name)
	require.NoError(t, err)
	defer z.Close()
	weights, err := fs.ReadFile(z, "model.weights.h5")
	require.NoError(t, err)
	return string(weights)
}

// TestIndices loads configs in which the indices of tensors are no valid indices, such as 1e300 and
// "0". Each must be an error.
func TestIndices(t *testing.T) {
	on(t, "")
	const name = "testdata/branches.keras"
	config, weights := configOf(t, name), weightsOf(t, name)
	require.NoError(t, load(t, config, weights))
	for _, bad := range []string{"1e300", "9.3e18", "-9.3e18", "-1", "0.5", "null", `"0"`, "[0]", "{}", "true", "9007199254740993"} {
		for _, tc := range []struct{ old, new string }{
			{`("keras_history": \["[^"]*", )\d+`, "${1}" + bad},
			{`("keras_history": \["[^"]*", \d+, )\d+`, "${1}" + bad},
			{`("input_layers": \[\["[^"]*", )\d+`, "${1}" + bad},
			{`("output_layers": \["[^"]*", \d+, )\d+`, "${1}" + bad},
			{`("batch_shape": \[null, )\d+`, "${1}" + strings.Replace(bad, "null", "{}", 1)},
		} {
			old := regexp.MustCompile(tc.old)
			require.Regexp(t, old, config)
			require.Error(t, load(t, old.ReplaceAllString(config, tc.new), weights), tc.new)
		}
	}
}

// TestNoConfig loads layers without a config, whose classes take options of Keras' call. The error
// must name the layer.
func TestNoConfig(t *testing.T) {
	on(t, "")
	var o any
	const name = "testdata/attention.keras"
	require.NoError(t, json.Unmarshal([]byte(configOf(t, name)), &o))
	for _, at := range nodes(o) {
		if m, ok := at.value.(map[string]any); ok && m["class_name"] == "MultiHeadAttention" {
			m["config"] = nil
		}
	}
	changed, err := json.Marshal(o)
	require.NoError(t, err)
	require.NotContains(t, string(changed), `"num_heads"`)
	require.ErrorContains(t, load(t, string(changed), weightsOf(t, name)), "layer ")
}

// TestHostileWeights loads small archives whose compressed weights take too much memory: as a file,
// or when they are read. Loading must fail with budget.ErrExceeded, stay within the memory for a
// file of the archive's size, and leave no temporary file.
func TestHostileWeights(t *testing.T) {
	on(t, "")
	config := configOf(t, "testdata/mnist.keras")
	for name, weights := range map[string]string{
		"zeros":          string(make([]byte, 60<<20)),
		"empty messages": emptyMessages(40 << 20),
	} {
		t.Run(name, func(t *testing.T) {
			file := zipOf(t, zip.Deflate, "config.json", config, "model.weights.h5", weights)
			info, err := os.Stat(file)
			require.NoError(t, err)
			require.Less(t, info.Size(), int64(1<<20))
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			memtest.Within(t, int(info.Size()), func() {
				layers.ClearSession()
				_, err := saving.LoadModel(t.Context(), file)
				require.ErrorIs(t, err, budget.ErrExceeded)
			})
			left, err := os.ReadDir(temp)
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}

// emptyMessages returns an HDF5 file of n bytes, nearly all of them messages of a group
// without content.
func emptyMessages(n int) string {
	var b bytes.Buffer
	body := n - 64
	for _, field := range []any{[]byte("\x89HDF\r\n\x1a\n\x02\x08\x08\x00"), uint64(0), ^uint64(0), uint64(n), uint64(48), uint32(0),
		[]byte("OHDR\x02\x02"), uint32(body / 4 * 4), bytes.Repeat([]byte{10, 0, 0, 0}, body/4)} {
		if err := binary.Write(&b, binary.LittleEndian, field); err != nil {
			panic(err)
		}
	}
	b.Write(make([]byte, n-b.Len()))
	return b.String()
}

// Saving removes temporary files that a killed process has left in the directory, and no other
// files.
func TestLeft(t *testing.T) {
	on(t, "")
	m := dense(t, 2)
	dir := filepath.Join(t.TempDir(), "run[1]")
	require.NoError(t, os.Mkdir(dir, 0o755))
	others := []string{".notes.txt.tmp1", "m.weights.h5.tmp1", ".m.weights.h5.tmp"}
	for _, save := range []func() error{
		func() error { return saving.SaveWeights(t.Context(), m, filepath.Join(dir, "m_02.weights.h5")) },
		func() error { return saving.SaveModel(t.Context(), m, filepath.Join(dir, "m_02.keras")) },
		func() error { return saving.SaveWeights(t.Context(), m, filepath.Join(dir, "m_02.safetensors")) },
	} {
		for _, name := range append(others, ".m_01.safetensors.tmp123", ".m_01.weights.h5.tmp123", ".m_01.keras.tmp123", ".m_02.weights.h5.tmp5") {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
		}
		require.NoError(t, save())
		left, err := filepath.Glob(filepath.Join(strings.ReplaceAll(dir, "[1]", `\[1]`), ".m*tmp?*"))
		require.NoError(t, err)
		require.Empty(t, left)
		for _, name := range others {
			require.FileExists(t, filepath.Join(dir, name))
		}
	}
}
