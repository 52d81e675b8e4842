package steps_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/testing/peer"
	"github.com/gospmd/gospmd/keras/distribution"
)

func initialize(t *testing.T) {
	require.NoError(t, distribution.Initialize(t.Context(), distribution.Options{Platform: "cpu", Devices: steps.Devices}))
}

// Each layout rule of Models and Perceptrons matches a variable or an output: building them on the
// mesh 2x4 with strict distributions, which return an error for a rule without a match, succeeds.
func TestRulesMatch(t *testing.T) {
	initialize(t)
	for _, m := range append(steps.Models, steps.Perceptrons...) {
		d, err := m.ModelParallel([]int{2, 4}, distribution.Strict())
		require.NoError(t, err)
		require.NoError(t, distribution.Scope(d, func() error {
			_, err := m.Build(compile.Options{})
			return err
		}), m.Name)
	}
}

// For a small transformer, the shardings that auto-sharding revises must cost less than those of
// propagation.
func TestRevisedShardings(t *testing.T) {
	initialize(t)
	small := steps.Transformer{Blocks: 1, Features: 64, Heads: 8, Sequence: 32, Words: 64, Batch: 16}.Model("small")
	recorded, err := small.Record([]int{2, 4})
	require.NoError(t, err)
	costs := map[bool]int{}
	for _, keep := range []bool{false, true} {
		p, err := compile.Compile(t.Context(), recorded.Clone(), compile.Options{KeepLayouts: keep})
		require.NoError(t, err)
		r := report.New(p)
		costs[keep] = cost.Default().SendCost(nil, r.Bytes, len(r.Collectives)) + r.Flops
	}
	require.Less(t, costs[false], costs[true])
}

// NumPy reads the weights and the data that Export writes, with the right names, types and sums;
// the JSON file has the model's settings.
func TestExport(t *testing.T) {
	python := peer.Python(t, "numpy")
	m, err := steps.Find("mlp")
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, m.Export(context.Background(), dir))
	const script = `
import json, sys, numpy
dir = sys.argv[1]
out = json.load(open(dir + "/model.json"))
for name in ("weights", "data"):
    out[name] = {k: [str(v.dtype), list(v.shape), float(v.sum())] for k, v in numpy.load(dir + "/" + name + ".npz").items()}
print(json.dumps(out))`
	text, err := exec.Command(python, "-c", script, dir).Output()
	require.NoError(t, err)
	var got struct {
		Name          string
		Batch         int
		Input         []int
		Rules         []steps.Rule
		Weights, Data map[string][3]any
	}
	require.NoError(t, json.Unmarshal(text, &got))
	require.Equal(t, "mlp", got.Name)
	require.Equal(t, m.Rules, got.Rules)
	require.Equal(t, []int{784}, got.Input)
	require.Equal(t, "[float32 [784 256]", fmt.Sprint(got.Weights["d1/kernel"])[:18])
	require.Len(t, got.Weights, 6)
	// each label is one-hot
	require.Equal(t, [3]any{"float32", []any{1024.0, 10.0}, 1024.0}, got.Data["y"])
	x, _, err := m.Data(steps.Batches)
	require.NoError(t, err)
	sum := 0.0
	require.NoError(t, x.ConstFlatData(func(flat any) {
		for _, v := range flat.([]float32) {
			sum += float64(v)
		}
	}))
	require.InDelta(t, sum, got.Data["x"][2], 0.5)
}

func TestFind(t *testing.T) {
	_, err := steps.Find("vgg")
	require.EqualError(t, err, `got the model "vgg": want one of quickstart, mlp, conv_net, resnet50, transformer, lstm12, lstm400, scan`)
	require.Error(t, steps.Models[0].Export(t.Context(), filepath.Join(os.DevNull, "x")))
}
