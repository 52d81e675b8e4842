package main

// This file tests gospmd opt by what it prints.

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const programText = `sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
`

func TestOpt(t *testing.T) {
	for _, tc := range []struct {
		name, passes, want string // want: a part of the output
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

// -debug dumps the module after a pass, and switches passes off.
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

// Each command has a help text with flags and examples, and says what is wrong
// with a flag.
func TestHelp(t *testing.T) {
	for _, c := range commands {
		t.Run(c.name, func(t *testing.T) {
			var diag bytes.Buffer
			require.ErrorIs(t, run([]string{c.name, "-h"}, nil, nil, &diag), flag.ErrHelp)
			require.Contains(t, diag.String(), "usage: gospmd "+c.name+" [flags] [FILE.mlir]")
			require.Contains(t, diag.String(), "examples:\n  gospmd "+c.name+" ")
			err := run([]string{c.name, "-jsn", "x.mlir"}, nil, nil, &diag)
			require.ErrorContains(t, err, c.name+": flag provided but not defined: -jsn")
			require.ErrorContains(t, err, "gospmd "+c.name+" -h lists the flags")
		})
	}
}

// What is wrong with a file is told with its name, line and column.
func TestErrorsNameThePlace(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"syntax", "func.func @main() {\n  %0 = stablehlo.tanhh %x : tensor<4xf32>\n}", ":2:8: got stablehlo.tanhh"},
		{"meaning", "func.func @main(%x: tensor<4xf32>) -> tensor<5xf32> {\n  return %x : tensor<4xf32>\n}", ":2:3: @main: func.return"},
	} {
		for _, c := range commands {
			t.Run(tc.name+" "+c.name, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "bad.mlir")
				require.NoError(t, os.WriteFile(file, []byte(tc.text), 0o666))
				err := run([]string{c.name, file}, nil, io.Discard, io.Discard)
				require.ErrorContains(t, err, file+tc.want)
			})
		}
	}
}
