package main

// This file tests gospmd fit.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/fit"
)

func TestFit(t *testing.T) {
	requireRun(t, productText, []string{"fit", "-target", "v5e:2x2"},
		[]string{"the target's compiler was not asked", "a=4,b=1", "a=2,b=2", "a=1,b=4", "ICI along a", "a device gives programs 16.9 GB"}, "")
	out := requireRun(t, productText, []string{"fit", "-target", "h100:8", "-mesh", "2x2,8x1", "-json"}, nil, "")
	var table fit.Table
	require.NoError(t, json.Unmarshal([]byte(out), &table))
	require.Len(t, table.Rows, 2)
	require.Equal(t, "h100:8", table.Target)

	// For a file without a mesh, a layout on the command line names the axis.
	const plain = "func.func @main(%x: tensor<8x8xf32> loc(\"x\")) -> tensor<8x8xf32> {\n%0 = stablehlo.negate %x : tensor<8x8xf32>\nreturn %0 : tensor<8x8xf32>\n}"
	requireRun(t, plain, []string{"fit", "-target", "v5e:2x2", "-mesh", "rows=4", "-layout", "x=rows,-"}, []string{"rows=4  yes   3,072 bytes"}, "")
	requireRun(t, plain, []string{"fit", "-target", "v5e:2x2"}, []string{"data=4  yes   "}, "")

	file := filepath.Join(t.TempDir(), "machine.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"name": "slow", "memory": 100, "flops": {"f32": 1e9}, "memory_bandwidth": 1e9, "links": [{"latency": 1, "bandwidth": 100}]}`), 0o600))
	requireRun(t, productText, []string{"fit", "-machine", file, "-mesh", "4x1"}, []string{"on slow", "link along a", "it fits on none of them"}, "")
}

func TestFitErrors(t *testing.T) {
	for _, tc := range []struct {
		args []string
		want string
	}{
		{nil, "fit: no target is given"},
		{[]string{"-target", "v5e:5x5"}, `fit: -target: target "v5e:5x5": there is no such torus`},
		{[]string{"-target", "v5e:2x2", "-mesh", "2x2x2"}, `-mesh: fit: mesh "2x2x2" of the axes a, b`},
		{[]string{"-machine", "m.json"}, "-machine says not how many devices there are"},
		{[]string{"-machine", "m.json", "-mesh", "2x2", "-compiler"}, "a machine file has no compiler"},
	} {
		requireRun(t, productText, append([]string{"fit"}, tc.args...), nil, tc.want)
	}
}
