package utils_test

// This file tests datasets of text files.

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/utils"
)

// textDirectory writes five texts and a file of another kind into a new directory, and returns it.
// The classes are neg with two texts and pos with three: one is empty, and one is in a directory
// below.
func textDirectory(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"neg/a.txt": "bad", "neg/b.txt": "very bad", "neg/notes.md": "no text", "pos/c.txt": "good", "pos/deep/d.txt": "größer", "pos/e.txt": "",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return dir
}

// read returns the texts of one epoch of p, and their labels, all batches together. An error fails
// the test.
func read[T int32 | float32](t *testing.T, p data.Dataset) (texts []string, labels []T) {
	t.Helper()
	for b, err := range p.Batches(t.Context()) {
		require.NoError(t, err)
		require.Len(t, data.Dims(b.X[0]), 1)
		more, err := data.Texts(b.X[0])
		require.NoError(t, err)
		texts = append(texts, more...)
		for _, y := range b.Y {
			labels = append(labels, tensors.MustCopyFlatData[T](y)...)
		}
	}
	return texts, labels
}

func TestTextDatasetFromDirectory(t *testing.T) {
	dir := textDirectory(t)
	var out bytes.Buffer
	d, err := utils.TextDatasetFromDirectory(dir, utils.Unshuffled(), utils.BatchSize(2), utils.Output(&out))
	require.NoError(t, err)
	require.Equal(t, "Found 5 files belonging to 2 classes.\n", out.String())
	require.Equal(t, []string{"neg", "pos"}, d.ClassNames)
	require.Len(t, d.FilePaths, 5)
	require.Equal(t, 3, d.Cardinality())
	texts, labels := read[int32](t, d)
	require.Equal(t, []string{"bad", "very bad", "good", "größer", ""}, texts)
	require.Equal(t, []int32{0, 0, 1, 1, 1}, labels)

	quiet := utils.Output(&out)
	d, err = utils.TextDatasetFromDirectory(dir, utils.Seed(3), quiet, utils.MaxLength(3), utils.LabelMode("categorical"))
	require.NoError(t, err)
	texts, oneHot := read[float32](t, d)
	require.Len(t, oneHot, 10)
	slices.Sort(texts)
	require.Equal(t, []string{"", "bad", "goo", "gr\xc3", "ver"}, texts)

	var both []string
	for _, subset := range []string{"training", "validation"} {
		d, err := utils.TextDatasetFromDirectory(dir, utils.Seed(3), quiet, utils.ValidationSplit(0.4), utils.Subset(subset), utils.LabelMode("binary"))
		require.NoError(t, err)
		texts, labels := read[float32](t, d)
		require.Len(t, labels, len(texts))
		both = append(both, texts...)
	}
	slices.Sort(both)
	require.Equal(t, []string{"", "bad", "good", "größer", "very bad"}, both)

	d, err = utils.TextDatasetFromDirectory(filepath.Join(dir, "pos"), quiet, utils.LabelMode("none"), utils.Unshuffled())
	require.NoError(t, err)
	texts, labels = read[int32](t, d)
	require.Equal(t, "good größer ", strings.Join(texts, " "))
	require.Empty(t, labels)
}

func TestTextDirectoryErrors(t *testing.T) {
	dir := textDirectory(t)
	for _, tc := range []struct {
		name string
		dir  string
		opts []utils.Option
		want string
	}{
		{"label mode", dir, []utils.Option{utils.LabelMode("ints")}, `utils: TextDatasetFromDirectory: LabelMode: got "ints" (did you mean "int"?), want one of ["int" "categorical" "binary" "none"]`},
		{"no texts", t.TempDir(), nil, "found no texts in"},
		{"no directory", filepath.Join(dir, "none"), nil, "no such file or directory"},
		{"an option of another function", dir, []utils.Option{utils.Shuffled()}, "TextDatasetFromDirectory takes no option Shuffled"},
		{"half a split", dir, []utils.Option{utils.ValidationSplit(0.5)}, "want both or none"},
		{"a split without a seed", dir, []utils.Option{utils.ValidationSplit(0.5), utils.Subset("training")}, "so that they share no text"},
	} {
		_, err := utils.TextDatasetFromDirectory(tc.dir, append(tc.opts, utils.Output(&bytes.Buffer{}))...)
		require.ErrorContains(t, err, tc.want, tc.name)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "neg", "a.txt"), []byte("bad\x00"), 0o644))
	d, err := utils.TextDatasetFromDirectory(dir, utils.Unshuffled(), utils.Output(&bytes.Buffer{}))
	require.NoError(t, err)
	for _, err := range d.Batches(t.Context()) {
		require.ErrorContains(t, err, "a.txt: text 0 ends with a zero byte")
	}
}
