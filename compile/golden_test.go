package compile_test

// This file checks each pass against the golden files in testdata.
//
// A file starts with prose. The section in.mlir is the input; go test -update writes the other
// sections. A section named after a pass holds the module after that pass, "program" the table of
// the Program, "text" the text for the engine, and "error" the error of Compile.

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/testing/golden"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/target"
)

func TestGolden(t *testing.T) {
	golden.Run(t, "testdata/*.txtar", 1, func(t *testing.T, a *txtar.Archive) map[string]string {
		require.Equal(t, "in.mlir", a.Files[0].Name)
		return sections(t, string(a.Files[0].Data))
	})
}

// sections compiles the text for XLA's partitioner, and returns all sections that a golden file may
// have, by name. Compile must not change its input.
func sections(t *testing.T, text string) map[string]string {
	m, err := ir.Parse(text)
	require.NoError(t, err)
	before := m.String()
	dir := t.TempDir()
	p, err := compile.Compile(t.Context(), m, compile.Options{Partitioner: compile.XLA, Debug: pass.Debug{Dump: dir}})
	require.Equal(t, before, m.String(), "Compile changed its input")

	got := map[string]string{}
	if err != nil {
		got["error"] = err.Error() + "\n"
	} else {
		got["program"], got["text"] = p.String(), string(target.CPU.Text(p))
	}
	readDumps(t, dir, got)
	return got
}

// readDumps reads the modules that a compilation has dumped into dir, and stores their texts in the
// map to, by the names of the passes.
func readDumps(t *testing.T, dir string, to map[string]string) {
	dumps, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, d := range dumps {
		data, err := os.ReadFile(filepath.Join(dir, d.Name()))
		require.NoError(t, err)
		_, name, _ := strings.Cut(strings.TrimSuffix(d.Name(), ".mlir"), "_")
		to[name] = string(data)
	}
}

// TestGoldenSPMD compares the passes for our own partitioner with the golden files in
// testdata/spmd.
//
// There are two kinds of files. The first section is in.mlir, a module to compile, or local.mlir, a
// per-device module for single passes. After in.mlir, the other sections are "report",
// "report.json", "error" and the dumps of passes; the comment may end in a line that sets an
// option: "budget:" with bytes, memory and a forbidden kind, "memory limit:" with bytes,
// "micro-batches:" with their number, "sharded update", or "virtual devices". After local.mlir,
// each section is the module after the pass of its name.
func TestGoldenSPMD(t *testing.T) {
	golden.Run(t, "testdata/spmd/*.txtar", 1, func(t *testing.T, a *txtar.Archive) map[string]string {
		in := string(a.Files[0].Data)
		if a.Files[0].Name == "in.mlir" {
			return spmdSections(t, in, string(a.Comment))
		}
		require.Equal(t, "local.mlir", a.Files[0].Name)
		return passSections(t, in, a.Files[1:])
	})
}

// spmdSections compiles the text with our own partitioner, as the flags in comment say, and returns
// the sections of the golden file.
func spmdSections(t *testing.T, text, comment string) map[string]string {
	m, err := ir.Parse(text)
	require.NoError(t, err)
	dir := t.TempDir()
	o := compile.Options{Partitioner: compile.SPMD, Debug: pass.Debug{Dump: dir}}
	o.ShardedUpdate, o.FullySharded = strings.Contains(comment, "\nsharded update\n"), strings.Contains(comment, "\nfully sharded\n")
	if strings.Contains(comment, "\nvirtual devices\n") {
		o.Machine = cost.Host()
	}
	if _, limit, ok := strings.Cut(comment, "memory limit:"); ok {
		fmt.Sscan(limit, &o.MemoryLimit)
		o.MicroBatches = 1
	}
	if _, n, ok := strings.Cut(comment, "micro-batches:"); ok {
		fmt.Sscan(n, &o.MicroBatches)
	}
	if _, budget, ok := strings.Cut(comment, "budget:"); ok {
		var forbid string
		fmt.Sscan(budget, &o.Budget.Bytes, &o.Budget.Memory, &forbid)
		if forbid != "" {
			o.Budget.Forbid = []cost.Kind{cost.Kind(forbid)}
		}
	}
	p, err := compile.Compile(t.Context(), m, o)
	got := map[string]string{}
	if err != nil {
		got["error"] = err.Error() + "\n"
	} else {
		r := report.New(p)
		got["report"] = r.String()
		text, err := json.MarshalIndent(r, "", "  ")
		require.NoError(t, err)
		got["report.json"] = string(text) + "\n"
	}
	readDumps(t, dir, got)
	return got
}

// passSections runs the pass that each section names on the module in text, and returns the
// resulting text, after a line with the bytes sent before and after, by the name of the section. A
// pass must not make the program send more.
func passSections(t *testing.T, text string, sections []txtar.File) map[string]string {
	got := map[string]string{}
	for _, s := range sections {
		m, err := ir.Parse(text)
		require.NoError(t, err)
		before := cost.Traffic(m.Meshes[0].Mesh, m.Main())
		out, err := compile.RunSPMDPass(m, s.Name, nil)
		require.NoError(t, err)
		after := cost.Traffic(m.Meshes[0].Mesh, out.Main())
		require.LessOrEqual(t, after, before, "pass %s sends more", s.Name)
		got[s.Name] = fmt.Sprintf("// %d bytes before, %d after\n%s", before, after, out)
	}
	return got
}

func TestLocalShard(t *testing.T) {
	m := ir.MustParse(`sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x8xf32>, %n: tensor<i32>) {
  %i = spmd.axis_index {"x"} : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %start = stablehlo.multiply %i, %four : tensor<i32>
  %other = stablehlo.multiply %i, %three : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %start, %zero, sizes = [4, 8] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  %1 = stablehlo.dynamic_slice %a, %start, %n, sizes = [4, 8] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  %2 = stablehlo.dynamic_slice %a, %other, %zero, sizes = [4, 8] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  %3 = stablehlo.dynamic_slice %a, %start, %zero, sizes = [3, 8] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<3x8xf32>
  %4 = stablehlo.dynamic_slice %a, %start, %start, sizes = [4, 4] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
  %5 = stablehlo.dynamic_slice %a, %n, %zero, sizes = [4, 8] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
  return
}`)
	require.Equal(t, []bool{true, true, false, false, false, false}, compile.LocalShards(m))
}
