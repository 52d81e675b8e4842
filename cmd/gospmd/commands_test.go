package main

// This file tests the commands by their output.

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/ir"
)

const programText = `sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
`

func TestOpt(t *testing.T) {
	for _, tc := range []struct {
		name, passes, want string // want is a part of the output
		wantErr            string
	}{
		{name: "no pass", passes: "", want: "stablehlo.transpose %arg0, dims = [1, 0] :"},
		{name: "propagation", passes: "basic-propagate", want: `[{"b", ?}, {"a", ?}]`},
		{name: "options", passes: "aggressive-propagate{propagation-strategy=basic conservative-propagation=true}", want: `[{"b", ?}, {"a", ?}]`},
		{name: "rules", passes: "add-data-flow-edges,populate-op-sharding-rules", want: "#sdy.op_sharding_rule<([j, i])->([i, j]) {i=8, j=8}>"},
		{name: "unknown pass", passes: "propagate", wantErr: `unknown pass "propagate": the nearest is "basic-propagate"`},
		{name: "misspelt pass", passes: "basic-propagat", wantErr: `the nearest is "basic-propagate"`},
		{name: "option without a value", passes: "basic-propagate{conservative-propagation}", want: `[{"b", ?}, {"a", ?}]`},
		{name: "option of a wrong value", passes: "basic-propagate{conservative-propagation=maybe}", wantErr: `is "maybe", want true or false`},
		{name: "unknown option", passes: "basic-propagate{fast=true}", wantErr: `has no option "fast"`},
		{name: "unknown strategy", passes: "basic-propagate{propagation-strategy=fast}", wantErr: `propagation-strategy is "fast", want one of`},
		{name: "open braces", passes: "basic-propagate{a=b", wantErr: "are not closed"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			requireRun(t, programText, []string{"opt", "-passes=" + tc.passes}, []string{tc.want}, tc.wantErr)
		})
	}
}

// -debug must dump the module after the pass that it names, and switch off those that it names.
func TestOptDebug(t *testing.T) {
	dir := t.TempDir()
	requireRun(t, programText, []string{"opt", "-passes=propagation-pipeline", "-debug=dump=" + dir + ",after=user-priority-propagate"}, []string{`[{"b"}, {"a"}]`}, "")
	files, err := filepath.Glob(filepath.Join(dir, "*_user-priority-propagate.mlir"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.Contains(t, string(text), `[{"b", ?}, {"a", ?}]`)
	out := requireRun(t, programText, []string{"opt", "-passes=propagation-pipeline", "-debug=off=user-priority-propagate"}, nil, "")
	require.NotContains(t, out, `[{"b"}, {"a"}]`)
	requireRun(t, programText, []string{"opt", "-passes=propagation-pipeline", "-debug=off=propagate"}, nil, `there is no pass "propagate"`)
	requireRun(t, programText, []string{"opt", "-debug=of=x"}, nil, "unknown debug option")
}

func TestCommands(t *testing.T) {
	var diag bytes.Buffer
	require.ErrorContains(t, run(nil, nil, nil, &diag), "no command given")
	require.ErrorContains(t, run([]string{"dance"}, nil, nil, &diag), `unknown command "dance"`)
	require.ErrorContains(t, run([]string{"partitoin"}, nil, nil, &diag), `did you mean "partition"?`)
	require.Contains(t, diag.String(), "opt")
	require.ErrorIs(t, run([]string{"-h"}, nil, nil, &diag), flag.ErrHelp)
}

// Each command has a help text with flags and examples. An unknown or invalid flag gives an error
// that says what is wrong.
func TestHelp(t *testing.T) {
	for _, c := range commands() {
		t.Run(c.name, func(t *testing.T) {
			var diag bytes.Buffer
			require.ErrorIs(t, run([]string{c.name, "-h"}, nil, nil, &diag), flag.ErrHelp)
			require.Regexp(t, "usage: gospmd "+c.name+` \[flags\] ((A.mlir )?\[\w+.mlir\]|-- PROGRAM ARGS|\[TOPIC\]|SHELL|\n)`, diag.String())
			require.Contains(t, diag.String(), "examples:\n  gospmd "+c.name+" ")
			err := run([]string{c.name, "-jsn", "x.mlir"}, nil, nil, &diag)
			require.ErrorContains(t, err, c.name+": flag provided but not defined: -jsn")
			require.ErrorContains(t, err, "gospmd "+c.name+" -h lists the flags")
		})
	}
}

// Errors in a file have its name, line and column, in all commands that read a module.
func TestErrorsNameThePlace(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"syntax", "func.func @main() {\n  %0 = stablehlo.tanhh %x : tensor<4xf32>\n}", ":2:8: got stablehlo.tanhh"},
		{"meaning", "func.func @main(%x: tensor<4xf32>) -> tensor<5xf32> {\n  return %x : tensor<4xf32>\n}", ":2:3: @main: func.return"},
	} {
		for _, c := range commands() {
			if slices.Contains([]string{"doctor", "launch", "coordinator", "version", "help", "completion"}, c.name) {
				continue // commands that read no module
			}
			t.Run(tc.name+" "+c.name, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "bad.mlir")
				require.NoError(t, os.WriteFile(file, []byte(tc.text), 0o666))
				args := []string{c.name, file}
				switch c.name {
				case "diff":
					args = append(args, file)
				case "aot":
					args = append(args, "-target", "v5e:2x2")
				}
				err := run(args, nil, io.Discard, io.Discard)
				require.ErrorContains(t, err, file+tc.want)
			})
		}
	}
}

// A printed module keeps the names of parameters, because rules of layouts refer to them.
func TestPrintedNames(t *testing.T) {
	named := strings.Replace(annotatedLayer, "{}]>})\n", "{}]>} loc(\"d1/kernel\"))\n", 1)
	for _, command := range []string{"opt", "partition"} {
		text := requireRun(t, named, []string{command}, nil, "")
		m, err := ir.Parse(text)
		require.NoError(t, err)
		require.Equal(t, "d1/kernel", m.Main().Params()[1].Name)
		requireRun(t, text, []string{"opt"}, []string{`loc("d1/kernel")`}, "")
	}
}

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
		want    []string // parts that the output must contain
		not     string
		wantErr string
	}{
		{name: "all", want: []string{"%arg1 parameter", `annotated on parameter %arg1 by rule "d1/kernel": [model, *]`, "%1 stablehlo.tanh", "result out "}},
		{name: "value", flags: []string{"-value", "%0"}, want: []string{"through stablehlo.dot_general at text:5 from dim 0 of parameter %arg0"}, not: "tanh"},
		{name: "conflict", flags: []string{"-value", "arg0"}, want: []string{
			`dim 1 is not sharded by "model" as parameter %arg1 is`, "the dimension is closed"}},
		{name: "path", flags: []string{"-path", "out"}, want: []string{"result out "}, not: "%arg1 parameter"},
		{name: "no such value", flags: []string{"-value", "%9"}, wantErr: `there is no value %9 (did you mean`},
		{name: "no such path", flags: []string{"-path", "oit"}, wantErr: `there is no parameter or result "oit" (did you mean "out"?)`},
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

// A sum that is annotated as replicated becomes a reduce_scatter, unless layouts are binding.
func TestKeepLayoutsFlag(t *testing.T) {
	const overridden = `sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %arg1: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {}]> : tensor<512x512xf32>
  %2 = stablehlo.tanh %1 : tensor<512x512xf32>
  return %2 : tensor<512x512xf32>
}`
	const override = `is annotated [{}, {}]`
	requireRun(t, overridden, []string{"explain", "-overrides"}, []string{override, `and runs as [{"x"}, {}]`}, "")
	requireRun(t, overridden, []string{"explain", "-overrides", "-keep-layouts"}, []string{"every annotation holds"}, "")
	requireRun(t, overridden, []string{"explain", "-json", "-value", "%1"}, []string{`"overridden": true`, `"runs_as"`}, "")
	requireRun(t, overridden, []string{"partition", "-report"}, []string{"annotations that do not hold", override}, "")
	requireRun(t, overridden, []string{"partition", "-keep-layouts"}, []string{"spmd.all_reduce %0"}, "")
	requireRun(t, overridden, []string{"partition", "-layout-cost"}, []string{"as asked for", override}, "")
}

// requireRun runs the command args[0], with its flags, on the text of a module as standard input.
// If wantErr is "", the run must succeed; otherwise its error must contain wantErr. The output must
// contain each text of want. It returns the output.
func requireRun(t *testing.T, module string, args, want []string, wantErr string) string {
	t.Helper()
	var out, diag bytes.Buffer
	err := run(args, strings.NewReader(module), &out, &diag)
	if wantErr != "" {
		require.ErrorContains(t, err, wantErr)
	} else {
		require.NoError(t, err)
	}
	for _, part := range want {
		require.Contains(t, out.String(), part)
	}
	return out.String()
}

// explain -html writes a page that contains its data: the per-device program with its bytes. With
// -b-mesh it contains both programs. A file that cannot be written is an error.
func TestExplainPage(t *testing.T) {
	module := longtest.Pick("testdata/jax/mlp_step.mlir", "testdata/jax/transformer_grad.mlir")
	file := filepath.Join(t.TempDir(), "page.html")
	var out, diag bytes.Buffer
	require.NoError(t, run([]string{"explain", "-html", file, module}, nil, &out, &diag), diag.String())
	require.Empty(t, out.String())
	html, err := os.ReadFile(file)
	require.NoError(t, err)
	_, data, found := strings.Cut(string(html), `<script id="data" type="text/plain">`)
	require.True(t, found)
	data, _, _ = strings.Cut(data, "</script>")
	unpacked, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data)))
	require.NoError(t, err)
	var page struct {
		Mesh struct{ Axes []struct{ Name string } }
		Ops  struct{ Kind, Bytes []int }
	}
	require.NoError(t, json.NewDecoder(unpacked).Decode(&page))
	require.Equal(t, "data", page.Mesh.Axes[0].Name)
	require.Greater(t, len(page.Ops.Kind), 50)
	require.Positive(t, slices.Max(page.Ops.Bytes))
	require.ErrorContains(t, run([]string{"explain", "-html", filepath.Join(file, "x.html"), module}, nil, &out, &diag), "-html")

	require.NoError(t, run([]string{"explain", "-html", file, "-b-mesh", "data=4,model=2", module}, nil, &out, &diag), diag.String())
	both, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Greater(t, len(both), len(html)+len(data)/2, "the page of both programs")
	require.ErrorContains(t, run([]string{"explain", "-b-mesh", "data=4,model=2", module}, nil, &out, &diag), "without -html")
}

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
		want    []string // parts that the output must contain
		wantErr string
	}{
		{name: "module", want: []string{`"data"=2, "model"=4`, "tensor<8x32xf32>"}},
		{name: "report", args: []string{"-report"}, want: []string{"collectives: none", "flops: 4,096", "d1/kernel"}},
		{name: "suggestions", args: []string{"-suggest", "-layout", "d1/kernel=model,-"}, want: []string{`-layout 'd1/kernel=-,model'`, `layouts.Override("d1/kernel", "", "model")`}},
		{name: "suggestions as JSON", args: []string{"-suggest", "-json"}, want: []string{`"flags": [`}},
		{name: "report and suggestions", args: []string{"-suggest", "-report", "-layout", "d1/kernel=model,-"}, want: []string{"report of ", "all_reduce  model", "\nsuggestions for "}},
		{name: "report and suggestions as JSON", args: []string{"-suggest", "-report", "-json"}, want: []string{`"report": {`, `"suggestions": {`}},
		{name: "standard input", args: []string{"-report", "-"}, want: []string{"collectives: none"}},
		{name: "over budget", args: []string{"-budget", "memory=1kB", "-layout", "d1/kernel=model,-"}, wantErr: "is over budget: a device needs"},
		{name: "JSON", args: []string{"-json"}, want: []string{`"partitioned": true`, `"flops": 4096`}},
		{name: "other mesh", args: []string{"-mesh", "data=4,model=1"}, want: []string{"tensor<4x32xf32>"}},
		{name: "layout", args: []string{"-layout", ".*/kernel=-,model"}, want: []string{"tensor<32x2xf32>"}},
		{name: "summed over model", args: []string{"-layout", "d1/kernel=model,-", "-report"}, want: []string{"all_reduce  model"}},
		{name: "output", args: []string{"-layout", "y=data,model"}, want: []string{"-> (tensor<8x2xf32>"}},
		{name: "off", args: []string{"-layout", "d1/kernel=model,-", "-debug", "off=dce_local,off=simplify"}, want: []string{"all_reduce"}},
		{name: "no such pass", args: []string{"-debug", "off=simplfy"}, wantErr: `(did you mean "simplify"?)`},
		{name: "bad debug option", args: []string{"-debug", "dump"}, wantErr: "want dump=DIR, after=PASS, off=PASS or verify=each"},
		{name: "mesh without an axis of the file", args: []string{"-mesh", "batch=8"}, wantErr: `unknown axis "data"`},
		{name: "bad mesh", args: []string{"-mesh", "data"}, wantErr: "want axes as name=size"},
		{name: "rule without axes", args: []string{"-layout", "d1/kernel"}, wantErr: "want 'pattern=axes'"},
		{name: "dead rule", args: []string{"-layout", "d1/kernal=-,model"}, wantErr: "d1/kernel"},
		{name: "unknown axis", args: []string{"-layout", "d1/kernel=-,modle"}, wantErr: `"model"`},
		{name: "rank", args: []string{"-layout", "d1/kernel=-,-,model"}, wantErr: "d1/kernel"},
		{name: "two files", args: []string{"a.mlir", "b.mlir"}, wantErr: "got 2 files"},
		{name: "no such file", args: []string{"a.mlir"}, wantErr: "a.mlir"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			requireRun(t, dense, append([]string{"partition"}, tc.args...), tc.want, tc.wantErr)
		})
	}
	require.ErrorContains(t, run([]string{"partition"}, strings.NewReader(""), nil, &bytes.Buffer{}), "standard input is empty")
}

// The flags of partition may follow the file, as in the usage.
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
	dumped, err := filepath.Glob(filepath.Join(dir, "*_mesh.mlir"))
	require.NoError(t, err)
	require.Len(t, dumped, 1)
	require.NoError(t, run([]string{"partition", "-debug", "after=partition", file}, nil, &out, &diag))
	require.Contains(t, diag.String(), "after pass partition")
}

// TestEmptyJSON requires that results without elements are empty lists in JSON, and that figures
// that were not computed are missing.
func TestEmptyJSON(t *testing.T) {
	const quickstart = "../../runtime/aot/testdata/quickstart.mlir"
	const empty = "sdy.mesh @mesh = <[\"a\"=2]>\nfunc.func @main() {\n  return\n}"
	best := requireRun(t, programText, []string{"partition", "-suggest", "-json"}, nil, "")
	require.Contains(t, best, `"best": []`)
	require.Equal(t, "[]\n", requireRun(t, empty, []string{"explain", "-json"}, nil, ""))
	require.NotContains(t, requireRun(t, "", []string{"lint", "-json", "-mesh", "data=8,model=1", quickstart}, []string{`"mends": []`}, ""), "before")
}
