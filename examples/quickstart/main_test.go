package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/exampletest"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/runtime"
)

// tolerance is the largest allowed difference of a loss from that of Keras on JAX. Between meshes,
// half of it is allowed.
const tolerance = 2e-6

type result struct {
	Mesh string    `json:"mesh"`
	Seed int       `json:"seed"`
	Loss []float64 `json:"loss"`
	Eval float64   `json:"eval"`
}

func (r result) losses() []float64 { return append(append([]float64{}, r.Loss...), r.Eval) }

// train runs the program with args and returns its result, which it prints as JSON.
func train(t *testing.T, args ...string) result {
	t.Helper()
	return exampletest.JSON[result](t, run, args...)
}

func difference(a, b result) float64 {
	worst := 0.0
	x, y := a.losses(), b.losses()
	for i := range x {
		worst = max(worst, math.Abs(x[i]-y[i]))
	}
	return worst
}

// TestKeras compares every mesh and seed of the reference file, made by
// benchmarks/peers/quickstart_reference.py, with our losses, and the meshes with each other. The
// short form takes the first seed.
func TestKeras(t *testing.T) {
	text, err := os.ReadFile("testdata/keras_reference.json")
	require.NoError(t, err)
	var reference struct{ Runs []result }
	require.NoError(t, json.Unmarshal(text, &reference))
	require.NotEmpty(t, reference.Runs)
	bySeed := make(map[int][]result)
	for _, want := range reference.Runs {
		if want.Seed != reference.Runs[0].Seed && !longtest.Enabled() {
			continue
		}
		t.Run(fmt.Sprintf("%s seed %d", want.Mesh, want.Seed), func(t *testing.T) {
			got := train(t, "-mesh", want.Mesh, "-seed", strconv.Itoa(want.Seed), "-epochs", strconv.Itoa(len(want.Loss)))
			require.Len(t, got.Loss, len(want.Loss))
			require.LessOrEqual(t, difference(got, want), tolerance, "got %v, Keras has %v", got.losses(), want.losses())
			for _, other := range bySeed[want.Seed] {
				require.LessOrEqual(t, difference(got, other), tolerance/2, "got %v, on mesh %s %v", got.losses(), other.Mesh, other.losses())
			}
			bySeed[want.Seed] = append(bySeed[want.Seed], got)
		})
	}
}

// TestXLA partitions the program with XLA's own partitioner. The losses must be those of one
// device.
func TestXLA(t *testing.T) {
	needs.Cgo(t, runtime.HasPJRT)
	want := train(t, "-mesh", "single")
	got := train(t, "-mesh", "2x4", "-partitioner", "xla")
	require.LessOrEqual(t, difference(got, want), tolerance/2)
}

func TestDataParallel(t *testing.T) {
	want := train(t, "-mesh", "single")
	for _, strategy := range []string{"data-parallel", "data-parallel-devices", "data-parallel-mesh"} {
		t.Run(strategy, func(t *testing.T) {
			got := train(t, "-strategy", strategy, "-mesh", "8x1")
			require.LessOrEqual(t, difference(got, want), tolerance/2)
		})
	}
}

func TestInterrupted(t *testing.T) {
	exampletest.Interrupted(t, run, "-epochs", "100000")
}

func TestBadFlags(t *testing.T) {
	for _, tc := range []struct {
		name, wantErr string
		args          []string
	}{
		{"no mesh", `mesh "2by4"`, []string{"-mesh", "2by4"}},
		{"mesh of no devices", `mesh "0x8"`, []string{"-mesh", "0x8"}},
		{"unknown partitioner", `partitioner "gspmd"`, []string{"-partitioner", "gspmd"}},
		{"unknown strategy", `strategy "pipeline"`, []string{"-strategy", "pipeline"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.ErrorContains(t, run(t.Context(), tc.args, &bytes.Buffer{}), tc.wantErr)
		})
	}
}
