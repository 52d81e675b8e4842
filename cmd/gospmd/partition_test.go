package main

// This file tests gospmd partition by what it prints.

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const dense = `sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%x: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("x"), %w: tensor<32x8xf32> loc("d1/kernel")) -> (tensor<16x8xf32> {jax.result_info = "y"}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
`

func TestPartition(t *testing.T) {
	for _, tc := range []struct {
		name    string
		args    []string
		want    []string // parts of the output
		wantErr string
	}{
		{name: "module", want: []string{`"data"=2, "model"=4`, "tensor<8x32xf32>"}},
		{name: "report", args: []string{"-report"}, want: []string{"collectives: none", "flops: 4,096", "d1/kernel"}},
		{name: "suggestions", args: []string{"-suggest", "-layout", "d1/kernel=model,-"}, want: []string{`"d1/kernel": {"", "model"}`, "removes it"}},
		{name: "suggestions as JSON", args: []string{"-suggest", "-json"}, want: []string{`"tried": 0`}},
		{name: "JSON", args: []string{"-json"}, want: []string{`"partitioned": true`, `"flops": 4096`}},
		{name: "other mesh", args: []string{"-mesh", "data=4,model=1"}, want: []string{"tensor<4x32xf32>"}},
		{name: "layout", args: []string{"-layout", ".*/kernel=-,model"}, want: []string{"tensor<32x2xf32>"}},
		{name: "summed over model", args: []string{"-layout", "d1/kernel=model,-", "-report"}, want: []string{"all_reduce  model"}},
		{name: "output", args: []string{"-layout", "y=data,model"}, want: []string{"-> (tensor<8x2xf32>"}},
		{name: "off", args: []string{"-layout", "d1/kernel=model,-", "-debug", "off=dce_local,off=simplify"}, want: []string{"all_reduce"}},
		{name: "no such pass", args: []string{"-debug", "off=simplfy"}, wantErr: `(did you mean "simplify"?)`},
		{name: "bad debug option", args: []string{"-debug", "dump"}, wantErr: "want dump=DIR, after=PASS or off=PASS"},
		{name: "mesh without an axis of the file", args: []string{"-mesh", "batch=8"}, wantErr: `unknown axis "data"`},
		{name: "bad mesh", args: []string{"-mesh", "data"}, wantErr: "want axes as name=size"},
		{name: "rule without axes", args: []string{"-layout", "d1/kernel"}, wantErr: "want 'pattern=axes'"},
		{name: "dead rule", args: []string{"-layout", "d1/kernal=-,model"}, wantErr: "d1/kernel"},
		{name: "unknown axis", args: []string{"-layout", "d1/kernel=-,modle"}, wantErr: `"model"`},
		{name: "rank", args: []string{"-layout", "d1/kernel=model"}, wantErr: "d1/kernel"},
		{name: "two files", args: []string{"a.mlir", "b.mlir"}, wantErr: "got 2 files"},
		{name: "no such file", args: []string{"a.mlir"}, wantErr: "a.mlir"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			requireRun(t, dense, append([]string{"partition"}, tc.args...), tc.want, tc.wantErr)
		})
	}
	require.ErrorContains(t, run([]string{"partition"}, strings.NewReader(""), nil, &bytes.Buffer{}), "standard input is empty")
}

// Flags may follow the file, as the usage shows them.
func TestPartitionFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "layer.mlir")
	require.NoError(t, os.WriteFile(file, []byte(dense), 0o666))
	var out bytes.Buffer
	require.NoError(t, run([]string{"partition", file, "-report", "-mesh", "data=2,model=4"}, nil, &out, &bytes.Buffer{}))
	require.Contains(t, out.String(), "8 devices")
}

func TestPartitionDebug(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "layer.mlir")
	require.NoError(t, os.WriteFile(file, []byte(dense), 0o666))
	var out, diag bytes.Buffer
	require.NoError(t, run([]string{"partition", "-debug", "dump=" + dir + ",after=mesh", file}, nil, &out, &diag))
	require.FileExists(t, filepath.Join(dir, "09_mesh.mlir"))
	require.NoError(t, run([]string{"partition", "-debug", "after=partition", file}, nil, &out, &diag))
	require.Contains(t, diag.String(), "after pass partition")
}
