//go:build cgo

package runtime_test

// This file tests that the memory of unreleased results does not grow without end.

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
)

// residentBytes returns the bytes of memory of this process. On other systems than Linux the test
// is skipped.
func residentBytes(t *testing.T) int {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		needs.Skip(t, "/proc", "run on Linux", err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(data))[1])
	require.NoError(t, err)
	return pages * os.Getpagesize()
}

// largeProgram returns a program loaded on c, whose result takes 8 MiB, and its argument, a scalar.
func largeProgram(t *testing.T, c *runtime.Client) (*runtime.Executable, *runtime.Array) {
	t.Helper()
	m := ir.MustParse(`func.func @main(%x: tensor<f32>) -> tensor<2097152xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<2097152xf32>
  %1 = stablehlo.add %0, %0 : tensor<2097152xf32>
  return %1 : tensor<2097152xf32>
}`)
	p, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	x, err := c.Put(ir.Tensor(dtypes.Float32), nil, []float32{1})
	require.NoError(t, err)
	return load(t, c, p), x
}

// openLimited opens a client of XLA's plugin for CPUs whose arrays may take so many bytes
// (Options.MemoryLimit). It skips the test where the tests run on another engine.
func openLimited(t *testing.T, bytes int) *runtime.Client {
	t.Helper()
	needPJRT(t)
	return runtimetest.OpenWith(t, runtime.Options{Platform: "cpu", Engine: runtime.EnginePJRT, MemoryLimit: bytes})
}

// The results of 600 runs take 8 MiB each, 5 GB together, and are not released. The garbage
// collector must free them in the meantime, even if the loop waits for no result: the process may
// grow by less than 2 GiB, and with a limit of 64 MiB by less than 512 MiB. In the short form the
// results take a quarter more than that.
func TestUnreleasedResults(t *testing.T) {
	for _, tc := range []struct {
		name  string
		limit int // Options.MemoryLimit
		waits bool
		most  int
	}{
		{"waits for each", 0, true, 2 << 30},
		{"waits for none", 0, false, 2 << 30},
		{"limit", 64 << 20, false, 512 << 20},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e, x := largeProgram(t, openLimited(t, tc.limit))
			before, most := residentBytes(t), 0
			for range longtest.Pick(tc.most>>23*5/4, 600) {
				r, err := e.Run(x)
				require.NoError(t, err)
				if tc.waits {
					require.NoError(t, r[0].Wait(context.Background()))
				}
				most = max(most, residentBytes(t)-before)
			}
			t.Logf("at most %d MB more than before", most>>20)
			require.Less(t, most, tc.most)
		})
	}
}

// Arrays that are in use count towards the limit. At the limit, Put and Run return errors until
// some arrays are released.
func TestMemoryLimit(t *testing.T) {
	c := openLimited(t, 64<<20)
	e, x := largeProgram(t, c)
	var kept []*runtime.Array
	var err error
	for range 20 {
		var r []*runtime.Array
		if r, err = e.Run(x); err != nil {
			break
		}
		kept = append(kept, r...)
	}
	const want = "and Options.MemoryLimit is 67108864: release arrays that are not needed, or raise the limit"
	require.ErrorContains(t, err, want)
	require.GreaterOrEqual(t, len(kept), 8)
	require.LessOrEqual(t, len(kept), 14, "executions in flight may exceed it")
	_, err = c.Put(ir.Tensor(dtypes.Float32), nil, []float32{1})
	require.ErrorContains(t, err, want)
	for _, a := range kept {
		a.Release()
	}
	r, err := e.Run(x)
	require.NoError(t, err)
	r[0].Release()
}
