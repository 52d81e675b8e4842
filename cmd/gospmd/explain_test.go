package main

// This file tests gospmd explain by what it prints.

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const annotatedLayer = `sdy.mesh @mesh = <["data"=2, "model"=2]>
func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
                %k: tensor<4x8xf32> {gospmd.layout_rule = "\22d1/kernel\22: [model, *]", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>})
    -> (tensor<8x8xf32> {jax.result_info = "out"}) {
  %0 = stablehlo.dot_general %x, %k, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.tanh %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
`

func TestExplain(t *testing.T) {
	for _, tc := range []struct {
		name    string
		flags   []string
		want    []string // parts of the output
		not     string
		wantErr string
	}{
		{name: "all", want: []string{"parameter %arg1: ", `annotated on parameter %arg1 by rule "d1/kernel": [model, *]`, "%1 stablehlo.tanh", "result out:"}},
		{name: "value", flags: []string{"-value", "%0"}, want: []string{"through stablehlo.dot_general at text:5 from dim 0 of parameter %arg0"}, not: "tanh"},
		{name: "conflict", flags: []string{"-value", "arg0"}, want: []string{
			`dim 1 is not sharded by "model" as parameter %arg1 is`, "the dimension is closed"}},
		{name: "path", flags: []string{"-path", "out"}, want: []string{"result out:"}, not: "parameter %arg1"},
		{name: "no such value", flags: []string{"-value", "%9"}, wantErr: `has no such value (did you mean`},
		{name: "no such path", flags: []string{"-path", "oit"}, wantErr: `no parameter or result of that name (did you mean "out"?)`},
		{name: "both", flags: []string{"-value", "%0", "-path", "out"}, wantErr: "want one of them"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out := requireRun(t, annotatedLayer, append([]string{"explain"}, tc.flags...), tc.want, tc.wantErr)
			if tc.not != "" {
				require.NotContains(t, out, tc.not)
			}
		})
	}
}

// requireRun runs a command on the module and demands the parts of its output,
// or of its error, and returns the output.
func requireRun(t *testing.T, module string, args, want []string, wantErr string) string {
	t.Helper()
	var out, diag bytes.Buffer
	err := run(args, strings.NewReader(module), &out, &diag)
	if wantErr != "" {
		require.ErrorContains(t, err, wantErr)
		return out.String()
	}
	require.NoError(t, err)
	for _, part := range want {
		require.Contains(t, out.String(), part)
	}
	return out.String()
}

// The page needs no other file, colours axes and marks the collective that the
// product needs with its bytes.
func TestExplainPage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.html")
	var out, diag bytes.Buffer
	require.NoError(t, run([]string{"explain", "-html", file}, strings.NewReader(annotatedLayer), &out, &diag), diag.String())
	require.Empty(t, out.String())
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	page := string(data)
	require.Contains(t, page, `<span class="axis" style="background:#E69F00">data=2</span>`)
	require.Contains(t, page, `d1/kernel`)
	require.Regexp(t, `stablehlo.dot_general.*<span class="move" title="[^"]+">\w+ over model, \d+ bytes`, page)
	require.NotContains(t, page, "http")
}

// A program without locations has many ops of one kind: each collective stands
// beside the one that it is for.
func TestExplainPageMarksOneOp(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.html")
	var out, diag bytes.Buffer
	require.NoError(t, run([]string{"explain", "-html", file, "testdata/jax/transformer_grad.mlir"}, nil, &out, &diag), diag.String())
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, strings.Count(string(page), "<li>"), strings.Count(string(page), `<span class="move"`))
}
