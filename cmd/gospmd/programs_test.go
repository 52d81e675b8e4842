package main

// This file tests commands on program files.

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/aot"
)

// The command partition prints the same for a program file as for its module. Flags that come too
// late for a partitioned program, and damaged files, are errors.
func TestPrograms(t *testing.T) {
	dir := t.TempDir()
	module, file := filepath.Join(dir, "layer.mlir"), filepath.Join(dir, "layer.gospmd")
	require.NoError(t, os.WriteFile(module, []byte(dense), 0o666))
	output := func(args ...string) string {
		var out bytes.Buffer
		require.NoError(t, run(append([]string{"partition"}, args...), nil, &out, &bytes.Buffer{}))
		return out.String()
	}
	require.Empty(t, output("-o", file, module))
	for _, args := range [][]string{nil, {"-report"}, {"-json"}, {"-budget", "memory=1GB"}} {
		require.Equal(t, output(append(args, module)...), output(append(args, file)...), "%q", args)
	}
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	damaged := filepath.Join(dir, "damaged.gospmd")
	require.NoError(t, os.WriteFile(damaged, data[:len(data)/2], 0o666))
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"partition", "-mesh", "data=8", file}, "is a partitioned program, for which -mesh comes too late"},
		{[]string{"partition", "-suggest", file}, "for which -suggest comes too late"},
		{[]string{"partition", "-fully-sharded", file}, "for which -fully-sharded comes too late"},
		{[]string{"aot", "-target", "v5e:2x4", "-offload-optimizer", file}, "for which -offload-optimizer comes too late"},
		{[]string{"partition", "-budget", "memory=1kB", file}, "memory"},
		{[]string{"partition", damaged}, "damaged.gospmd: it is no program, or a damaged one"},
		{[]string{"partition", "-report", "-machine", "v5e:2x4", file}, "was partitioned for the target any, v5e:2x4 needs tpu: write it with gospmd partition -machine v5e:2x4 -o FILE"},
		{[]string{"aot", "-target", "v5e:2x4", file}, "was partitioned for the target any, v5e:2x4 needs tpu: write it with gospmd partition -machine v5e:2x4 -o FILE"},
		{[]string{"aot", "-target", "v5e:2x4", "-layout", "x=data", file}, "for which -layout comes too late"},
		{[]string{"aot", "-target", "v5e:2x4", "-partitioner", "xla", file}, "for which -partitioner comes too late"},
		{[]string{"fit", "-target", "v5e:2x4", file}, "was partitioned for the target any, v5e:2x4 needs tpu: partition its module for that machine"},
		{[]string{"fit", "-target", "v5e:2x4", "-mesh", "2x4", file}, "for which -mesh comes too late"},
		{[]string{"fit", file}, "no target is given"},
		{[]string{"fit", "-target", "v5e:2x4", damaged}, "damaged.gospmd: it is no program, or a damaged one"},
		{[]string{"explain", "-path", "x", file}, "explain: -path: " + file + " is a partitioned program, which does not hold the layouts that were asked for"},
		{[]string{"explain", "-value", "%0", file}, "explain: -value: "},
		{[]string{"explain", "-html", filepath.Join(dir, "page.html"), "-b-mesh", "data=8", file}, "for which -b-mesh comes too late"},
		{[]string{"explain", "-machine", "v5e:2x4", file}, "was partitioned for the target any, v5e:2x4 needs tpu"},
		{[]string{"diff", "-b-mesh", "data=8", file}, "for which -b-mesh comes too late"},
		{[]string{"diff", "-mesh", "data=8", module, file}, "for which -mesh comes too late"},
		{[]string{"diff", "-b-layout", "x=data", module, file}, "for which -b-layout comes too late"},
		{[]string{"diff", "-machine", "v5e:2x4", module, file}, "was partitioned for the target any, v5e:2x4 needs tpu"},
		{[]string{"explain", "-overrides", "-layout", "x=data", file}, "for which -layout comes too late"},
		{[]string{"explain", "-overrides", damaged}, "damaged.gospmd: it is no program, or a damaged one"},
	} {
		require.ErrorContains(t, run(tc.args, nil, &bytes.Buffer{}, &bytes.Buffer{}), tc.want, "%q", tc.args)
	}
}

// TestFitAndExplainPrograms requires that fit, and explain -overrides, print the same for a program
// file and for its module, and that explain prints the layouts of a program file.
func TestFitAndExplainPrograms(t *testing.T) {
	dir := t.TempDir()
	module := filepath.Join(dir, "layer.mlir")
	require.NoError(t, os.WriteFile(module, []byte(dense), 0o666))
	output := func(args ...string) string {
		var out bytes.Buffer
		require.NoError(t, run(args, nil, &out, &bytes.Buffer{}), "%q", args)
		return out.String()
	}
	for _, machine := range []string{"", "v5e:2x4", "h100:8"} {
		file := filepath.Join(dir, machine+".gospmd")
		flags := []string{"-o", file, module}
		if machine != "" {
			flags = append([]string{"-machine", machine}, flags...)
		}
		require.Empty(t, output(append([]string{"partition"}, flags...)...))
		if machine == "" {
			for _, form := range []string{"-overrides", "-json"} {
				require.Equal(t, output("explain", "-overrides", form, module), output("explain", "-overrides", form, file))
			}
			require.Contains(t, output("explain", file), "decided for default\nevery annotation holds\n")
			continue
		}
		for _, form := range []string{"", "-json"} {
			args := append([]string{"fit", "-target", machine}, strings.Fields(form)...)
			require.Equal(t, output(append(args, "-mesh", "data=2,model=4", module)...), output(append(args, file)...))
		}
		p, err := program.Open(file)
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("%sdecided for %s\nevery annotation holds\n", p, machine), output("explain", file))
		var layouts struct {
			Machine         string
			Inputs, Outputs []struct{ Name string }
			Overrides       []program.Override
		}
		require.NoError(t, json.Unmarshal([]byte(output("explain", "-json", file)), &layouts))
		require.Equal(t, machine, layouts.Machine)
		require.Len(t, layouts.Inputs, len(p.Inputs))
		require.Len(t, layouts.Outputs, len(p.Outputs))
		require.NotNil(t, layouts.Overrides)
		page := filepath.Join(dir, "page.html")
		require.Empty(t, output("explain", "-html", page, file))
		require.FileExists(t, page)
	}
}

// TestDiffOfPrograms requires that diff compares program files as it compares their modules, each for
// the machine that it was decided for, and that it names the machines if they differ.
func TestDiffOfPrograms(t *testing.T) {
	dir := t.TempDir()
	module := filepath.Join(dir, "layer.mlir")
	require.NoError(t, os.WriteFile(module, []byte(dense), 0o666))
	file := func(name string, args ...string) string {
		path := filepath.Join(dir, name)
		requireRun(t, "", append([]string{"partition", "-o", path}, append(args, module)...), nil, "")
		return path
	}
	v5e, replicated, v6e := file("a", "-machine", "v5e:2x4"), file("b", "-machine", "v5e:2x4", "-layout", ".*=-,-"), file("c", "-machine", "v6e:2x4")
	for _, form := range []string{"-json=false", "-json"} {
		want := requireRun(t, "", []string{"diff", form, "-machine", "v5e:2x4", "-b-layout", ".*=-,-", module}, nil, "")
		require.Equal(t, want, requireRun(t, "", []string{"diff", form, v5e, replicated}, nil, ""))
		require.Equal(t, want, requireRun(t, "", []string{"diff", form, "-machine", "v5e:2x4", module, replicated}, nil, ""))
	}
	require.Contains(t, requireRun(t, "", []string{"diff", v5e, v5e}, nil, ""), "nothing differs")
	requireRun(t, "", []string{"diff", v5e, v6e}, []string{", on v5e:2x4\n", ", on v6e:2x4\n", "predicted time"}, "")
	requireRun(t, "", []string{"diff", "-machine", "v5e:2x4", v5e, v6e}, []string{"predicted on v5e:2x4\n"}, "")
}

// TestReportsOfPrograms requires that partition -report tells the same of a program file as of its
// module: in the time on its machine, which depends on the order of the devices, and in the memory,
// which depends on the target. A machine of another platform is an error.
func TestReportsOfPrograms(t *testing.T) {
	dir := t.TempDir()
	module, file := filepath.Join(dir, "layer.mlir"), filepath.Join(dir, "layer.gospmd")
	ordered := strings.Replace(productText, `["a"=2, "b"=2]>`, `["a"=2, "b"=2], device_ids=[0, 5, 2, 7]>`, 1)
	require.NoError(t, os.WriteFile(module, []byte(ordered), 0o666))
	output := func(args ...string) string { return requireRun(t, "", append([]string{"partition"}, args...), nil, "") }
	output("-machine", "v5e:2x4", "-o", file, module)
	onMachine := output("-report", "-machine", "v5e:2x4", module)
	require.Equal(t, onMachine, output("-report", "-machine", "v5e:2x4", file))
	require.NotEqual(t, output("-report", "-machine", "v5e:2x4", "-mesh", "a=2,b=2", module), onMachine, "the order of the devices counts")
	_, memory, _ := strings.Cut(onMachine, "\nmemory: ")
	require.Equal(t, onMachine, output("-report", file), "the machine that it was decided for")

	requireRun(t, "", []string{"partition", "-report", "-machine", "h100:8", file}, nil,
		"was partitioned for the target tpu, h100:8 needs gpu: write it with gospmd partition -machine h100:8 -o FILE")
	measured := filepath.Join(dir, "measured.json")
	require.NoError(t, os.WriteFile(measured, []byte(`{"name": "slow", "flops": {"f32": 1e9}, "memory_bandwidth": 1e9, "links": [{"latency": 1, "bandwidth": 100}]}`), 0o600))
	require.Contains(t, output("-report", "-machine", measured, file), "\nmemory: "+memory, "a machine file without a platform is of the program's")
}

// TestMachineOfProgram requires that a program file knows the machine that it was decided for, and
// that aot names it, whatever the target.
func TestMachineOfProgram(t *testing.T) {
	dir := t.TempDir()
	module, file := filepath.Join(dir, "layer.mlir"), filepath.Join(dir, "layer.gospmd")
	require.NoError(t, os.WriteFile(module, []byte(dense), 0o666))
	requireRun(t, "", []string{"partition", "-machine", "v6e:2x4", "-o", file, module}, nil, "")
	p, err := program.Open(file)
	require.NoError(t, err)
	require.Equal(t, "v6e:2x4", p.Machine)

	var out bytes.Buffer
	err = run([]string{"aot", "-target", "v5e:2x4", file}, nil, &out, &bytes.Buffer{})
	if errors.Is(err, aot.ErrNoPlugin) {
		needs.Plugin(t, "tpu", err)
	}
	require.NoError(t, err)
	require.Contains(t, out.String(), " on v5e:2x4, decided for v6e:2x4\n")
}

// TestProgramsForModules requires that commands that take modules only say what a program file is,
// and which commands take it, and that the examples of the help work in turn.
func TestProgramsForModules(t *testing.T) {
	dir := t.TempDir()
	module, file := filepath.Join(dir, "layer.mlir"), filepath.Join(dir, "layer.gospmd")
	require.NoError(t, os.WriteFile(module, []byte(dense), 0o666))
	requireRun(t, "", []string{"partition", "-machine", "v5e:2x4", "-o", file, module}, nil, "")
	requireRun(t, "", []string{"partition", "-report", "-machine", "v5e:2x4", file}, nil, "")
	requireRun(t, "", []string{"fit", "-target", "v5e:2x4", file}, nil, "")
	const want = " is a program that gospmd partition -o wrote, want a module: gospmd partition, fit, aot, diff and explain take program files"
	for _, args := range [][]string{{"lint"}, {"opt"}} {
		requireRun(t, "", append(args, file), nil, file+want)
	}
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, args := range [][]string{{"lint"}, {"opt"}, {"partition"}, {"fit", "-target", "v5e:2x4"}, {"aot", "-target", "v5e:2x4"}, {"explain"}, {"diff", module, "-"}} {
		requireRun(t, string(data), args, nil, "standard input"+want)
	}
	for _, command := range []string{"partition", "aot"} {
		var diag bytes.Buffer
		require.ErrorIs(t, run([]string{command, "-h"}, nil, nil, &diag), flag.ErrHelp)
		require.Regexp(t, `-machine v5e:2x4 -o (step.gospmd|wrote)`, diag.String())
	}
}
