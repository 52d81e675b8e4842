package measure_test

// This file tests what is measured on CPU devices, and the fit.

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime/measure"
)

func TestClient(t *testing.T) {
	r, err := measure.Client(t.Context(), runtimetest.Open(t, 4), measure.Options{Matrix: 64, Bytes: 1 << 16, Time: time.Millisecond})
	require.NoError(t, err)
	seen := map[string]int{}
	for _, m := range r.Measurements {
		require.Positive(t, m.Seconds, m.What)
		require.True(t, m.Bytes > 0 || m.Flops > 0, m.What)
		seen[m.What]++
	}
	for _, what := range []string{"product of f32", "product of f64", "copy"} {
		require.Equal(t, 1, seen[what], what)
	}
	for _, kind := range measure.Kinds() {
		for _, size := range []string{"2", "4"} {
			what := strings.ReplaceAll(string(kind), "_", "-") + " along " + size + " devices"
			require.Equal(t, 2, seen[what], "%s, of 4 and of 64 KiB; seen: %v", what, seen)
		}
	}
	require.Positive(t, r.Machine.Flops["f32"])
	require.False(t, r.Machine.Overlap)
	require.Equal(t, "cpu", r.Machine.Platform)

	file := filepath.Join(t.TempDir(), "machine.json")
	require.NoError(t, r.Machine.Write(file))
	m, err := cost.MachineNamed(file, mesh.MustParse("data=2,model=2"))
	require.NoError(t, err)
	require.Equal(t, r.Machine.Links[0].Bandwidth, m.Axes["data"].Bandwidth)
}

// A machine with one device has one link, with the speed of a copy.
func TestOneDevice(t *testing.T) {
	r, err := measure.Client(t.Context(), runtimetest.Open(t, 1), measure.Options{Matrix: 16, Bytes: 1 << 12, Time: time.Millisecond})
	require.NoError(t, err)
	require.Len(t, r.Machine.Links, 1)
	require.Positive(t, r.Machine.Links[0].Bandwidth)
}

func TestSeveralProcesses(t *testing.T) {
	clients := jobtest.Open(t, 2, 1)
	_, err := measure.Client(t.Context(), clients[0], measure.Options{})
	require.ErrorContains(t, err, "one of 2 processes")
}

// In the measured program of each kind of collective, a device sends the bytes that this kind sends
// among four devices that have, or sum, 1024 elements of f32 each.
func TestPrograms(t *testing.T) {
	sent, err := measure.SentBytes(t.Context(), runtimetest.Open(t, 4), 1024)
	require.NoError(t, err)
	require.Equal(t, map[cost.Kind]int{cost.AllGather: 3 * 4096, cost.AllToAll: 3 * 1024, cost.ReduceScatter: 3 * 1024, cost.AllReduce: 2 * 3 * 1024}, sent)
}

func TestAlphaBeta(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var samples [][2]float64
	for n := 1e3; n < 1e8; n *= 4 {
		samples = append(samples, [2]float64{n, (5e-6 + n/2e9) * (1 + .02*(r.Float64()-.5))})
	}
	latency, bandwidth := measure.AlphaBeta(samples)
	require.InEpsilon(t, 5e-6, latency, .05)
	require.InEpsilon(t, 2e9, bandwidth, .05)

	latency, bandwidth = measure.AlphaBeta([][2]float64{{1e3, 1e-6}})
	require.Zero(t, latency)
	require.InEpsilon(t, 1e9, bandwidth, 1e-9)
	for range 200 {
		var any [][2]float64
		for range 1 + r.IntN(5) {
			any = append(any, [2]float64{math.Exp(20 * r.Float64()), math.Exp(-20 * r.Float64())})
		}
		latency, bandwidth := measure.AlphaBeta(any)
		require.GreaterOrEqual(t, latency, 0.0)
		require.True(t, bandwidth > 0 && !math.IsInf(bandwidth, 0), "%v", any)
	}
}
