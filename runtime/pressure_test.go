//go:build cgo

package runtime_test

// This file tests that results which nobody releases do not pile up.

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/runtimetest"
)

// residentBytes returns the memory of this process.
func residentBytes(t *testing.T) int {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("no /proc on this machine: " + err.Error())
	}
	pages, err := strconv.Atoi(strings.Fields(string(data))[1])
	require.NoError(t, err)
	return pages * os.Getpagesize()
}

// 600 runs whose results of 8 MiB are not released: 5 GB, of which the garbage
// collector, told of them, leaves a tenth.
func TestUnreleasedResults(t *testing.T) {
	c := runtimetest.Open(t, 1)
	m := ir.MustParse(`func.func @main(%x: tensor<f32>) -> tensor<2097152xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<2097152xf32>
  %1 = stablehlo.add %0, %0 : tensor<2097152xf32>
  return %1 : tensor<2097152xf32>
}`)
	p, err := compile.Compile(m, compile.Options{})
	require.NoError(t, err)
	e := load(t, c, p)
	x, err := c.Put(ir.Tensor(dtypes.Float32), nil, []float32{1})
	require.NoError(t, err)
	before, most := residentBytes(t), 0
	for range 600 {
		r, err := e.Run(x)
		require.NoError(t, err)
		require.NoError(t, r[0].Wait(context.Background()))
		most = max(most, residentBytes(t)-before)
	}
	t.Logf("at most %d MB more than before", most>>20)
	require.Less(t, most, 1<<30)
}
