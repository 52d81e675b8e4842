package main

// This file runs the command with small settings.

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/benchmarks/internal/worker"
	"github.com/gospmd/gospmd/benchmarks/steps"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	oracle "github.com/gospmd/gospmd/internal/testing/peer"
	"github.com/gospmd/gospmd/runtime"
)

// TestMain makes the test binary usable as a worker that the command starts.
func TestMain(m *testing.M) {
	if slices.Contains(os.Args, "-worker") {
		main()
		return
	}
	os.Exit(m.Run())
}

// measure runs the benchmarks command with args, which must succeed. It returns the results that
// the command wrote as JSON, and its text output.
func measure(t *testing.T, args ...string) (r Results, out string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "results.json")
	var text bytes.Buffer
	require.NoError(t, run(t.Context(), append(args, "-json", file), &text), "%s", &text)
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &r))
	return r, text.String()
}

// find returns the ratio of a quantity between our worker ours and a peer on a mesh. The test fails
// unless the results have exactly one.
func find(t *testing.T, r Results, quantity, ours, peer, mesh string) Ratio {
	t.Helper()
	var found []Ratio
	for _, x := range r.Ratios {
		if x.Quantity == quantity && x.Worker == ours && x.Peer == peer && x.Mesh == mesh {
			found = append(found, x)
		}
	}
	require.Len(t, found, 1, "%s, %s / %s on %s", quantity, ours, peer, mesh)
	return found[0]
}

// The command runs all suites on a small model, and writes tables, JSON and readable plots. Ratios
// must be there and positive, losses near XLA's, and the predicted peak near the measured one. The
// short form has one mesh.
func TestSuites(t *testing.T) {
	needXLA(t)
	plots := t.TempDir()
	meshes := longtest.Pick([]string{"2x1"}, []string{"single", "2x1"})
	r, out := measure(t, "-suite", "step,frontend,memory", "-models", "quickstart", "-meshes", strings.Join(meshes, ","), "-peers", "xla", "-rounds", "2", "-steps", "2", "-plot", plots)
	require.Contains(t, out, "step: time of a training step")
	require.Contains(t, out, "targets")
	for _, quantity := range []string{"step", "fit"} {
		require.Positive(t, find(t, r, quantity, us, oneDevice, "2x1").Ratio.Median)
	}
	x := find(t, r, "step", us, "xla", "2x1")
	require.Positive(t, x.Theirs.Median)
	require.Less(t, x.Differs, lossTolerance)
	require.Positive(t, find(t, r, "trace and lower", us, "", meshes[0]).Ours.Median)
	require.InDelta(t, 1, find(t, r, "predicted peak", us, reported, "2x1").Ratio.Median, 0.05)
	for _, s := range r.Series {
		if s.Quantity == "step" {
			require.Len(t, s.Rounds, 2, "%+v", s.key)
		}
	}
	for _, suite := range []string{"step", "frontend", "memory"} {
		f, err := os.Open(filepath.Join(plots, suite+"_quickstart.png"))
		require.NoError(t, err)
		img, err := png.Decode(f)
		require.NoError(t, err)
		require.Greater(t, img.Bounds().Dx(), 400)
		f.Close()
	}
}

// On every mesh, or two in the short form, the quickstart's step sends fewer bytes than XLA's, or
// equally many in no more collectives.
func TestComm(t *testing.T) {
	needXLA(t)
	meshes := longtest.Pick([]string{"8x1", "2x4"}, []string{"8x1", "4x2", "2x4", "1x8"})
	r, out := measure(t, "-suite", "comm", "-models", "quickstart", "-meshes", strings.Join(meshes, ","), "-peers", "xla")
	for _, mesh := range meshes {
		sent, number := find(t, r, "bytes sent", us, "xla", mesh), find(t, r, "collectives", us, "xla", mesh)
		require.Positive(t, sent.Theirs.Median, mesh)
		require.True(t, sent.Ratio.Median < 1 || sent.Ratio.Median == 1 && number.Ratio.Median <= 1, "%s: %+v, %+v", mesh, sent, number)
	}
	require.Contains(t, out, "comm: bytes sent, ours / xla, largest")
}

// A worker that starts with a filled compilation cache needs less than half the CPU time, up to its
// first loss, of one with an empty cache. The losses of both are equal bit for bit; otherwise the
// run reports a failure.
func TestStart(t *testing.T) {
	needXLA(t)
	r, _ := measure(t, "-suite", "start", "-models", "quickstart", "-meshes", "2x4", "-peers", "xla", "-rounds", "2")
	x := find(t, r, "first loss, CPU", us+cached, us, "2x4")
	require.Less(t, x.Ratio.Median, 0.5)
	losses := map[float64]int{}
	for _, s := range r.Series {
		if s.Quantity == "loss" {
			for _, v := range s.Rounds {
				losses[v]++
			}
		}
	}
	require.Len(t, losses, 1, "%v", losses)
}

// JAX and Keras train the same model: their first losses are ours.
func TestPeers(t *testing.T) {
	needXLA(t)
	python := oracle.Python(t, "jax", "keras")
	r, out := measure(t, "-suite", "step,frontend,memory", "-models", "mlp", "-meshes", "2x1", "-peers", "jax,keras", "-rounds", "1", "-steps", "1", "-python", python)
	require.Less(t, find(t, r, "step", us, "jax", "2x1").Differs, 1e-5)
	require.Less(t, find(t, r, "fit", us, "keras", "2x1").Differs, 1e-5)
	require.Positive(t, find(t, r, "trace and lower", us, "jax", "2x1").Ratio.Median)
	require.Contains(t, out, "jax")
	require.NotEmpty(t, r.Versions["jax"]["jax"])
}

// Our step is compared with the fastest of JAX's whose peak is not higher, and computes the same.
func TestPolicies(t *testing.T) {
	needXLA(t)
	python := oracle.Python(t, "jax")
	all := policies
	policies = []policy{{}, {"nothing_saveable", true}}
	defer func() { policies = all }()
	r, out := measure(t, "-suite", "policies", "-models", "conv_net", "-meshes", "single", "-rounds", "1", "-steps", "1", "-python", python)
	for _, p := range policies {
		x := find(t, r, p.atPeak("step"), us, "jax", "single")
		require.Positive(t, x.Ratio.Median)
		require.LessOrEqual(t, find(t, r, p.peak(), us, "jax", "single").Ratio.Median, 1.0)
		s := r.find(key{"policies", "conv_net", "single", p.worker(), "loss differs"})
		require.Less(t, s.Rounds[0], 1e-5)
	}
	require.Contains(t, out, "policies: step at the peak of nothing_saveable per layer, ours / jax, largest")
}

// A worker of ours for a limit stays below it by XLA's figure, also where our prediction is lower.
func TestWithin(t *testing.T) {
	needXLA(t)
	at := place{model: "conv_net", dir: t.TempDir()}
	b := &bench{config: config{timeout: time.Minute}, results: newResults(), progress: newProgress(os.Stderr, 1), cache: "off"}
	group := &turns{bench: b, place: at}
	defer func() { group.close() }()
	free, err := group.join(t.Context(), us, us, at.open())
	require.NoError(t, err)
	same, err := group.within(t.Context(), free.peak, []fitted{free})
	require.NoError(t, err)
	require.Same(t, free.member, same.member)
	limit := free.peak * 7 / 10
	less, err := group.within(t.Context(), limit, []fitted{free})
	require.NoError(t, err)
	require.LessOrEqual(t, less.peak, limit)
	require.Len(t, group.members, 2)
	_, err = group.within(t.Context(), free.peak/100, []fitted{free, less})
	require.ErrorContains(t, err, "does not fit")
}

// A worker that leaves out a layout rule would win or lose by other layouts: JAX's worker refuses a
// rule that shards nothing, as our distribution does in TestRulesMatch of package steps.
func TestDeadRule(t *testing.T) {
	python := oracle.Python(t, "jax")
	m, err := steps.Find("mlp")
	require.NoError(t, err)
	m.Rules = append(slices.Clone(m.Rules), steps.Rule{Path: "d9/kernel", Axes: []string{"", "model"}})
	at := place{m.Name, []int{1, 2}, t.TempDir()}
	require.NoError(t, m.Export(t.Context(), at.dir))
	cmd, err := config{python: python}.command(findPeer("jax"), nil)
	require.NoError(t, err)
	p, err := worker.Start(cmd, time.Minute)
	require.NoError(t, err)
	defer p.Close()
	_, err = p.Ask(t.Context(), at.open())
	require.ErrorContains(t, err, "the layout rules ['d9/kernel'] match nothing")
}

// GoMLX's trainer must train the same models: its losses are ours.
func TestGoMLX(t *testing.T) {
	needXLA(t)
	names := longtest.Pick([]string{"quickstart"}, []string{"quickstart", "mlp", "conv_net"})
	r, _ := measure(t, "-suite", "step", "-models", strings.Join(names, ","), "-meshes", "single", "-peers", "gomlx", "-rounds", "1", "-steps", "1")
	models := map[string]bool{}
	for _, x := range r.Ratios {
		if x.Peer == "gomlx" {
			models[x.Model] = true
			require.Less(t, x.Differs, 1e-4, x.Model)
			require.Positive(t, x.Ratio.Median)
		}
	}
	require.Len(t, models, len(names))
	require.NotEmpty(t, r.Versions["gomlx"]["gomlx"])
}

// A peer that cannot start is a line of the table, and an error at the end. The others are
// measured.
func TestMissingPeer(t *testing.T) {
	needXLA(t)
	var out bytes.Buffer
	python := filepath.Join(t.TempDir(), "python")
	require.NoError(t, os.WriteFile(python, []byte("#!/bin/sh\necho no module named jax >&2\nexit 1\n"), 0o777))
	err := run(t.Context(), []string{"-suite", "step", "-models", "quickstart", "-meshes", "single", "-peers", "jax,xla", "-rounds", "1", "-steps", "1", "-python", python}, &out)
	require.EqualError(t, err, "1 measurements failed")
	require.Contains(t, out.String(), "no module named jax")
	require.Contains(t, out.String(), "xla")
}

// TestInterrupted interrupts a run of many rounds. It must end within a minute, with the error
// context.Canceled.
func TestInterrupted(t *testing.T) {
	needXLA(t)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(3*time.Second, cancel)
	began := time.Now()
	err := run(ctx, []string{"-suite", "step", "-models", "quickstart", "-meshes", "single", "-peers", "xla", "-rounds", "100000", "-seconds", "0.01"}, new(bytes.Buffer))
	require.ErrorIs(t, err, context.Canceled)
	require.Less(t, time.Since(began), time.Minute)
}

func TestFlags(t *testing.T) {
	for args, want := range map[string]string{
		"-rounds 0":            "want at least 1 round",
		"-models vgg":          `-models: got "vgg": want some of quickstart,mlp,conv_net,resnet50,transformer`,
		"-suite steps":         `-suite: got "steps": want some of step,frontend,comm,memory,start,scale,policies`,
		"-peers torch":         `-peers: got "torch": want some of `,
		"-meshes 2x4x1":        "-meshes: ",
		"-worker torch":        `-worker: got "torch": want one of `,
		"mlp":                  `got the argument "mlp": want flags only`,
		"-meshes 2x,":          "or single, for one device",
		"-seconds 0 -rounds 1": "no negative numbers",
	} {
		require.ErrorContains(t, run(t.Context(), strings.Fields(args), new(bytes.Buffer)), want, args)
	}
}

func needXLA(t *testing.T) {
	t.Helper()
	needs.Cgo(t, runtime.HasPJRT)
}
