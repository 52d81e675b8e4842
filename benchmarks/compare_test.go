package main

// This file tests the statistics on given results.

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// results returns the compared results of a made-up suite: the step times of two models, of us and
// of JAX, a difference of losses, and one failure.
func results() *Results {
	r := &Results{}
	for _, s := range []struct {
		model, mesh, worker string
		rounds              []float64
	}{
		{"mlp", "2x4", us, []float64{1, 2, 3}}, {"mlp", "2x4", "jax", []float64{2, 4, 4}},
		{"mlp", "8x1", us, []float64{8, 8, 8}}, {"mlp", "8x1", "jax", []float64{4, 4, 4}},
		{"conv_net", "2x4", us, []float64{1}},
	} {
		for _, v := range s.rounds {
			r.add(key{"step", s.model, s.mesh, s.worker, "step"}, v)
		}
	}
	r.add(key{"step", "mlp", "2x4", "jax", "loss differs"}, 2e-7)
	r.Failures = []Failure{{"step", "conv_net", "2x4", "jax", "it ended\nlast words"}}
	r.compare([]string{"step"})
	return r
}

// A ratio divides measurements of the same round. The table has the median of ratios, not the ratio
// of medians.
func TestRatios(t *testing.T) {
	r := results()
	require.Len(t, r.Ratios, 3)
	first := r.Ratios[0]
	require.Equal(t, spread{0.5, 0.5, 0.75}, first.Ratio)
	require.Equal(t, spread{1, 2, 3}, first.Ours)
	require.Equal(t, 2e-7, first.Differs)
	require.Empty(t, r.Ratios[2].Peer)
	require.Equal(t, Reached{Target: "step: step, ours / jax, geometric mean", Most: 0.65, Value: 1, Of: 2, Worst: "mlp on 8x1"}, r.Targets[0])
	require.Equal(t, 2.0, r.Targets[2].Value, "the largest")
	require.Zero(t, r.Targets[1].Of)
}

func TestReached(t *testing.T) {
	two := []Ratio{{Suite: "comm", Quantity: "bytes sent", Worker: us, Peer: "xla", Ratio: spread{Median: 0.4}}, {Suite: "comm", Quantity: "bytes sent", Worker: us, Peer: "xla", Ratio: spread{Median: 1}}}
	for _, target := range targets {
		if target.suite == "comm" {
			require.True(t, target.check(two).Reached)
			two[1].Ratio.Median = 1.01
			require.False(t, target.check(two).Reached)
		}
	}
	seconds := target{suite: "s", absolute: true, each: true, most: 1}
	require.False(t, seconds.check([]Ratio{{Suite: "s", Ours: spread{Median: 2}, Ratio: spread{Median: 0.1}}}).Reached)
}

func TestTables(t *testing.T) {
	var text, markdown bytes.Buffer
	require.NoError(t, results().print(&text, []string{"step"}, false))
	for _, want := range []string{
		"mlp       2x4   step      2.00 s  1.00 s–3.00 s  jax   4.00 s  2.00 s–4.00 s  0.50   0.50–0.75  2e-07",
		"not reached", "not measured", "conv_net  2x4   jax  it ended\n",
	} {
		require.Contains(t, text.String(), want)
	}
	require.NoError(t, results().print(&markdown, []string{"step"}, true))
	require.Contains(t, markdown.String(), "| quantity | model | ours / peer | 2x4 | 8x1 |\n| --- | --- | --- | --- | --- |\n| step | mlp | ours / jax | 0.50 (0.50–0.75) | 2.00 |\n")
}
