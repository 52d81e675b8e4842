package main

import (
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/exampletest"
	"github.com/gospmd/gospmd/keras"
)

// losses returns all losses of the run, of training, validation and test: the numbers that may
// differ between meshes only by rounding.
func (r result) losses() []float64 {
	return append(append(append([]float64{}, r.Loss...), r.ValLoss...), r.TestLoss)
}

// spread returns the largest difference between two runs of one of their losses.
func spread(runs []result) (worst float64) {
	for _, a := range runs {
		for _, b := range runs {
			for i, x := range a.losses() {
				worst = max(worst, math.Abs(x-b.losses()[i]))
			}
		}
	}
	return worst
}

// smallData writes a small data set in MNIST's format, with so many images to train and to test, to
// a new directory, and returns the directory. Each class is a bright rectangle at another place,
// with noise.
func smallData(t *testing.T, train, test int) string {
	t.Helper()
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	for split, n := range map[string]int{"train": train, "t10k": test} {
		images, labels := binary.BigEndian.AppendUint32([]byte{0, 0, 8, 3}, uint32(n)), binary.BigEndian.AppendUint32([]byte{0, 0, 8, 1}, uint32(n))
		images = append(images, 0, 0, 0, 28, 0, 0, 0, 28)
		for range n {
			class := r.IntN(10)
			labels = append(labels, byte(class))
			for i := range pixels {
				b := r.IntN(100)
				if i/28/6 == class/3 && i%28/9 == class%3 {
					b += 100
				}
				images = append(images, byte(b))
			}
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, split+"-images-idx3-ubyte"), images, 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, split+"-labels-idx1-ubyte"), labels, 0o644))
	}
	return dir
}

// train runs the program with args and returns its result, which it prints as JSON.
func train(t *testing.T, args ...string) result {
	t.Helper()
	return exampletest.JSON[result](t, run, args...)
}

// TestMeshes trains on a few invented images: the losses must be the same on each mesh. The
// validation must count each sample once, also in the last batch, whose size is not divisible by
// the number of devices.
func TestMeshes(t *testing.T) {
	const samples, batch = 240, 25
	data := smallData(t, samples, batch)
	var runs []result
	for _, mesh := range []string{"single", "8x1", "2x4"} {
		c := config{mesh: mesh, strategy: "auto", data: data, checkpoints: t.TempDir(), epochs: 2, batch: batch, seed: 1}
		runs = append(runs, requireExact(t, c, samples/6))
	}
	require.LessOrEqual(t, spread(runs), 1e-5, "%v", runs)
}

// requireExact trains with the config c, and requires that the reported accuracy of the validation
// is exactly the number of correct predictions divided by n, the number of its samples. It returns
// the result.
func requireExact(t *testing.T, c config, n int) result {
	t.Helper()
	r, model, err := c.train(t.Context(), io.Discard)
	require.NoError(t, err)
	d, err := c.load(t.Context(), io.Discard)
	require.NoError(t, err)
	out, err := model.Predict(t.Context(), d.validation, keras.Verbose(0))
	require.NoError(t, err)
	logits := tensors.MustCopyFlatData[float32](out[0])
	require.Len(t, logits, 10*n)
	right, i := 0, 0
	for b, err := range d.validation.Batches(t.Context()) {
		require.NoError(t, err)
		for _, class := range tensors.MustCopyFlatData[float32](b.Y[0]) {
			best := 0
			for k := range 10 {
				if logits[10*i+k] > logits[10*i+best] {
					best = k
				}
			}
			if best == int(class) {
				right++
			}
			i++
		}
	}
	require.Equal(t, n, i)
	require.InDelta(t, float64(right)/float64(n), r.ValAccuracy[len(r.ValAccuracy)-1], 1e-7)
	return *r
}

// TestResume trains one epoch, and resumes with a second one on another mesh. The losses must be
// those of two epochs without a break. Without -resume a training starts from the beginning.
func TestResume(t *testing.T) {
	data, dir := smallData(t, 120, 20), t.TempDir()
	args := []string{"-data", data, "-batch", "20", "-mesh"}
	want := train(t, append(args, "single", "-checkpoints", t.TempDir())...)
	first := train(t, append(args, "single", "-checkpoints", dir, "-epochs", "1")...)
	require.Equal(t, want.Loss[:1], first.Loss)
	require.FileExists(t, filepath.Join(dir, "ckpt-1.keras"))
	second := train(t, append(args, "8x1", "-checkpoints", dir, "-resume")...)
	require.Len(t, second.Loss, 2, "the history continues")
	require.LessOrEqual(t, spread([]result{want, second}), 1e-5)
	require.FileExists(t, filepath.Join(dir, "ckpt-2.keras"))
	again := train(t, append(args, "single", "-checkpoints", dir, "-epochs", "1")...)
	require.Equal(t, first.Loss, again.Loss, "without -resume it starts from the beginning")
}

func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	exampletest.Interrupted(t, run, "-data", smallData(t, 120, 20), "-batch", "20", "-checkpoints", dir, "-epochs", "100000")
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestStrategies(t *testing.T) {
	data := smallData(t, 60, 10)
	args := []string{"-data", data, "-batch", "10", "-epochs", "1", "-checkpoints", t.TempDir()}
	runs := []result{train(t, append(args, "-mesh", "single")...)}
	for _, strategy := range []string{"multi-worker", "multi-gpu"} {
		runs = append(runs, train(t, append(args, "-strategy", strategy)...))
	}
	require.LessOrEqual(t, spread(runs), 1e-5)
}

func TestBadFlags(t *testing.T) {
	data := smallData(t, 60, 10)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for _, tc := range []struct {
		name, wantErr string
		args          []string
	}{
		{"no mesh", `mesh "8by1"`, []string{"-mesh", "8by1"}},
		{"unknown strategy", `strategy "zero"`, []string{"-strategy", "zero"}},
		{"mirrored over two axes", "strategy mirrored shards batches only: want a mesh such as 8x1", []string{"-mesh", "4x2", "-strategy", "mirrored"}},
		{"batch of 0", "Batch: got batch size 0, want a positive number", []string{"-batch", "0"}},
		{"no data", "has neither train-images-idx3-ubyte nor", []string{"-data", t.TempDir()}},
		{"checkpoints that cannot be written", file, []string{"-checkpoints", filepath.Join(file, "ckpt")}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			args := append([]string{"-data", data, "-checkpoints", t.TempDir()}, tc.args...)
			require.ErrorContains(t, run(t.Context(), args, io.Discard), tc.wantErr)
		})
	}
}
