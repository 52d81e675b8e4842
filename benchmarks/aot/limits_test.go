package main

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/aot"
)

// The table says for each program whether it fits and why not, and how many fit.
func TestLimitsTable(t *testing.T) {
	list := []limited{
		{Program: "a", Target: "h100:8", Part: 0.7, Limit: 70, Free: 100, Predicted: 60, Peak: 65, Tries: 1},
		{Program: "a", Target: "h100:8", Part: 0.5, Limit: 50, Free: 100, Predicted: 45, Peak: 48, Tries: 2, Placement: &program.StatePlacement{Sharded: true}},
		{Program: "b", Target: "h100:8", Part: 0.7, Limit: 70, Free: 100, Fixed: 80, Error: "80 of them are there for the whole run"},
		{Program: "b", Target: "h100:8", Part: 0.5, Limit: 50, Free: 100, Predicted: 45, Peak: 90, Error: "the compiler needs 90"},
		{Program: "c", Target: "h100:8", Part: 0.5, Limit: 50, Free: 100, Error: "does not fit"},
		{Program: "d", Target: "h100:8", Part: 0.5, Limit: 50, Free: 100, Predicted: 45, Error: "it computes values once", Dropped: true},
	}
	var out bytes.Buffer
	require.NoError(t, writeLimits(&out, list, false))
	for _, want := range []string{
		"  fits\n", "  fits with a sharded update\n", "arguments and results alone are larger", "the compiler needs more than predicted", "no choice found",
		"the compiler drops a part of what made it fit",
		"h100:8  0.70  2         1\n", "h100:8  0.50  4         1\n",
	} {
		require.Contains(t, out.String(), want)
	}
}

// The compiler's own peak is below the limit of each program that we say fits. It takes the long
// form.
func TestLimits(t *testing.T) {
	longtest.Only(t, "it compiles a step several times")
	on, err := hardware.ParseTarget("h100:8")
	require.NoError(t, err)
	parts, err := parseParts("0.7,0.5")
	require.NoError(t, err)
	list, err := limit(t.Context(), "keras:mlp", on, parts, compiler{})
	if errors.Is(err, aot.ErrNoPlugin) {
		needs.Plugin(t, on.Chip.Platform, err)
	}
	require.NoError(t, err)
	requireWithin(t, parts, list)
}

// requireWithin requires that list has one element for each of parts, that the program fits into
// the first, largest limit, and that the compiler's peak is at most the limit of each program that
// we say fits.
func requireWithin(t *testing.T, parts []float64, list []limited) {
	t.Helper()
	require.Len(t, list, len(parts))
	require.Empty(t, list[0].Error)
	for _, r := range list {
		if r.Error == "" {
			require.LessOrEqual(t, r.Peak, r.Limit)
		}
	}
}

// On virtual devices, XLA's peak is below the limit of each program that we say fits, and the
// programs run. The short form makes the program fit once.
func TestLimitsOnHost(t *testing.T) {
	needs.Cgo(t, runtime.HasPJRT)
	on, err := parseTarget("cpu:8")
	require.NoError(t, err)
	require.Equal(t, "cpu:8", on.String())
	parts, err := parseParts(longtest.Pick("0.7", usualParts))
	require.NoError(t, err)
	list, err := limit(t.Context(), "conv_net", on, parts, compiler{})
	require.NoError(t, err)
	requireWithin(t, parts, list)
	for _, r := range list {
		if r.Error == "" {
			require.NotZero(t, r.More)
			require.Equal(t, 1, r.Tries)
		}
	}
	_, err = parseTarget("cpu:0")
	require.ErrorContains(t, err, `target "cpu:0"`)
	require.ErrorContains(t, run(t.Context(), []string{"-target", "cpu:8"}, io.Discard), "virtual devices are for -limits alone")
}

// Programs for less memory compute the results of the step as it is. Micro-batches and a sharded
// update go together: of tables, whose gradients are sharded over the axis of the batch in another
// dimension, and of a loop over layers, which selects what to keep of sums over the micro-batches. In
// the long form, the gradient of a convolution of patches is added up over the micro-batches before
// devices exchange parts of it, and loops gather the weights that they read.
func TestResultsInLessMemory(t *testing.T) {
	needs.Cgo(t, runtime.HasPJRT)
	on, err := parseTarget("cpu:8")
	require.NoError(t, err)
	h, err := openHost(t.Context(), on)
	require.NoError(t, err)
	defer h.close()
	const exact, halves = 1e-5, 2e-3 // tolerances of float32 and bfloat16
	type testCase struct {
		name      string
		options   compile.Options
		tolerance float64
		gathers   bool // loops gather the weights that they read
	}
	cases := []testCase{
		{"recommender", compile.Options{MicroBatches: 4, ShardedUpdate: true}, exact, false},
		{"keras:scan", compile.Options{MicroBatches: 4, ShardedUpdate: true}, exact, false},
		{"keras:conv_net", compile.Options{FullySharded: true}, exact, false},
		{"keras:lstm12", compile.Options{MicroBatches: 2, FullySharded: true}, exact, false},
	}
	if longtest.Enabled() {
		cases = append(cases,
			testCase{"resnet50_blocks", compile.Options{MicroBatches: 2}, halves, false},
			testCase{"gpt_scan", compile.Options{MicroBatches: 8, ShardedUpdate: true, MemoryLimit: 7_390_000}, halves, true},
			testCase{"llama", compile.Options{MicroBatches: 8, ShardedUpdate: true, MemoryLimit: 5_160_000}, halves, true})
	}
	for _, tc := range cases {
		name := tc.name
		m, dm, err := recorded(t.Context(), name, on)
		require.NoError(t, err)
		var results [2][]*runtime.Array
		for i, o := range []compile.Options{{}, tc.options} {
			p, err := compileOn(m.Clone(), dm, on, o)
			require.NoError(t, err, name)
			text := "loops gather the weights that they read"
			require.Equal(t, i == 1 && tc.gathers, strings.Contains(report.New(p).String(), text), name)
			_, err = h.compile(t.Context(), p, on)
			require.NoError(t, err)
			args, err := h.arguments(p)
			require.NoError(t, err)
			results[i], err = h.loaded[p].Run(args...)
			require.NoError(t, err)
		}
		for i, a := range results[0] {
			want, err := a.Get(t.Context())
			require.NoError(t, err)
			got, err := results[1][i].Get(t.Context())
			require.NoError(t, err)
			if list, ok := want.([]float32); ok {
				require.InDeltaSlice(t, want, got, tc.tolerance*math.Max(1, float64(slices.Max(list))), "%s, result %d", name, i)
			}
		}
	}
}

// Layouts for the whole batch may need several micro-batches at once. The limit then finds others: an
// MLP fits into .35 of its memory on GPUs, in micro-batches and with sharded weights.
func TestLayoutsInMicroBatches(t *testing.T) {
	longtest.Only(t, "it compiles a step ten times")
	on, err := parseTarget("h100:8")
	require.NoError(t, err)
	m, dm, err := recorded(t.Context(), "keras:mlp", on)
	require.NoError(t, err)
	free, err := compileOn(m.Clone(), dm, on, compile.Options{})
	require.NoError(t, err)
	limit := report.New(free).Memory.Peak * 35 / 100
	p, err := compileOn(m.Clone(), dm, on, compile.Options{MemoryLimit: limit})
	require.NoError(t, err)
	require.LessOrEqual(t, p.Fitting.After, limit)
	require.Greater(t, p.Fitting.MicroBatches, 1)
	require.True(t, p.Fitting.Placement.Weights)
}

// Parts are numbers between 0 and 1; other text is an error that names it.
func TestParts(t *testing.T) {
	parts, err := parseParts("0.7,.35")
	require.NoError(t, err)
	require.Equal(t, []float64{0.7, 0.35}, parts)
	for _, text := range []string{"", "0.7,", "0", "1", "half", "NaN"} {
		_, err := parseParts(text)
		require.ErrorContains(t, err, "-parts "+text+": ", text)
		require.ErrorContains(t, err, "is no number between 0 and 1", text)
	}
}

// The name of an unknown program is an error that lists all programs.
func TestUnknownProgram(t *testing.T) {
	on, err := hardware.ParseTarget("h100:8")
	require.NoError(t, err)
	_, _, err = recorded(t.Context(), "keras:none", on)
	require.ErrorContains(t, err, `program "keras:none": want one of`)
}
