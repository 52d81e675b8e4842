package main

// This file tests the flag -machine.

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/fit"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
)

// productText is a matrix product on a mesh a=2, b=2, whose partial results are summed along the
// axis a. The result is replicated.
const productText = `sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>}, %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
`

func TestMachineFlag(t *testing.T) {
	const name = "predicted time on v5e:2x2: "
	requireRun(t, productText, []string{"partition", "-report", "-machine", "v5e:2x2"}, []string{name, "bound by ICI along a"}, "")
	out := requireRun(t, productText, []string{"partition", "-report"}, nil, "")
	require.NotContains(t, out, "predicted time", "the default machine stands for none")
	out = requireRun(t, productText, []string{"partition", "-json", "-machine", "h100:4"}, nil, "")
	var r report.Report
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	require.Equal(t, "NVLink along a", r.Prediction.Bound)

	file := filepath.Join(t.TempDir(), "machine.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"name": "slow", "flops": {"f32": 1e9}, "memory_bandwidth": 1e9, "links": [{"latency": 1, "bandwidth": 100}]}`), 0o600))
	requireRun(t, productText, []string{"partition", "-report", "-machine", file}, []string{"predicted time on slow: 3.56 s, bound by link along a"}, "")
	requireRun(t, productText, []string{"diff", "-", "-b-mesh", "a=4,b=1", "-machine", file}, []string{"predicted time, ns"}, "")
	requireRun(t, programText, []string{"explain", "-machine", file, "-value", "%0"}, []string{"%0"}, "")
	requireRun(t, programText, []string{"lint", "-machine", file}, nil, "")
}

func TestMachineFlagErrors(t *testing.T) {
	for _, command := range []string{"partition", "explain", "lint"} {
		requireRun(t, programText, []string{command, "-machine", "v5e:2x3"}, nil, command+`: -machine: target "v5e:2x3": there is no such torus`)
		requireRun(t, programText, []string{command, "-machine", "v5e:1x1"}, nil, "has device 1, the target v5e:1x1 has 1 devices")
		requireRun(t, programText, []string{command, "-machine", "nowhere.json"}, nil, "machine file: open nowhere.json")
	}
}

// TestOneProgram requires that partition, fit and aot predict the same time for the same module,
// target and mesh, partition and fit the same peak of memory, and that partition prints the program
// that aot compiles.
func TestOneProgram(t *testing.T) {
	const file, target, shape = "../../runtime/aot/testdata/quickstart.mlir", "v5e:2x4", "data=2,model=4"
	out := requireRun(t, "", []string{"partition", "-json", "-machine", target, "-mesh", shape, file}, nil, "")
	var r report.Report
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	out = requireRun(t, "", []string{"fit", "-json", "-target", target, "-mesh", shape, file}, nil, "")
	var table fit.Table
	require.NoError(t, json.Unmarshal([]byte(out), &table))
	require.Equal(t, target, table.Machine)
	require.Equal(t, r.Prediction, table.Best().Prediction)
	require.Equal(t, r.Memory.Peak, table.Best().Memory.Peak)
	requireRun(t, "", []string{"partition", "-report", "-machine", target, "-mesh", shape, file}, []string{"predicted time on " + target + ": " + report.Duration(r.Prediction.Seconds)}, "")

	fs := newFlags("aot", "", io.Discard)
	fs.mesh = shape
	on, err := hardware.ParseTarget(target)
	require.NoError(t, err)
	m, err := fs.module(file, nil)
	require.NoError(t, err)
	p, machine, err := fs.compileFor(on, m, compile.SPMD, 0)
	require.NoError(t, err)
	require.Equal(t, target, machine.Name)
	require.Equal(t, r.Prediction, machine.Predict(p.Mesh, p.Module.Main()))
	require.Equal(t, requireRun(t, "", []string{"partition", "-machine", target, "-mesh", shape, file}, nil, ""), string(p.Module.Text(ir.PrintOptions{Names: true})))
}

// TestPlatformOfTarget requires that a machine file changes the speed of a target's devices and not
// their platform: fit predicts the program that aot compiles. A file of another platform, and
// another target in place of a file, are errors.
func TestPlatformOfTarget(t *testing.T) {
	const module, target, shape = "../../runtime/aot/testdata/quickstart.mlir", "v5e:2x4", "data=2,model=4"
	measured := func(platform string) string {
		file := filepath.Join(t.TempDir(), "machine.json")
		require.NoError(t, os.WriteFile(file, []byte(`{"name": "measured", `+platform+`"flops": {"f32": 4.9e13, "bf16": 1.97e14}, "memory": 16900000000, "memory_bandwidth": 8.1e11, "overlap": true, "links": [{"latency": 1e-6, "bandwidth": 4.5e10}]}`), 0o600))
		return file
	}
	fitted := func(args ...string) fit.Row {
		var table fit.Table
		out := requireRun(t, "", append(append([]string{"fit", "-json", "-mesh", shape}, args...), module), nil, "")
		require.NoError(t, json.Unmarshal([]byte(out), &table))
		require.NotNil(t, table.Best())
		return *table.Best()
	}
	unnamed, named := measured(""), measured(`"platform": "tpu", `)
	row := fitted("-target", target, "-machine", unnamed)
	require.Equal(t, row, fitted("-target", target, "-machine", named))
	require.Equal(t, row, fitted("-machine", named), "the platform of the file, without a target")
	require.Equal(t, fitted("-target", target).Memory.Peak, row.Memory.Peak, "a TPU's memory")
	require.NotEqual(t, row.Memory.Peak, fitted("-machine", unnamed).Memory.Peak)

	fs := newFlags("aot", "", io.Discard)
	fs.mesh, fs.machine = shape, unnamed
	on, err := hardware.ParseTarget(target)
	require.NoError(t, err)
	m, err := fs.module(module, nil)
	require.NoError(t, err)
	p, machine, err := fs.compileFor(on, m, compile.SPMD, 0)
	require.NoError(t, err)
	require.Equal(t, row.Prediction, machine.Predict(p.Mesh, p.Module.Main()))

	for _, command := range []string{"fit", "aot"} {
		requireRun(t, "", []string{command, "-target", "h100:8", "-machine", named, "-mesh", shape, module}, nil, "the machine measured has devices of the platform tpu: want one of the platform cuda, as the target")
		requireRun(t, "", []string{command, "-target", "h100:8", "-machine", "v5e:2x4", "-mesh", shape, module}, nil, "the machine v5e:2x4 has devices of the platform tpu")
	}
	requireRun(t, "", []string{"partition", "-machine", measured(`"platform": "tpus", `), module}, nil, `"platform" is "tpus" (did you mean "tpu"?): want one of cpu, cuda, tpu`)
}

// TestNoScale requires that without a scale of time, as without -machine and with a machine file
// without the bandwidth of memory, times are told in percent, and none in seconds.
func TestNoScale(t *testing.T) {
	const convNet, quickstart = "../../compile/testdata/memory/conv_net.mlir", "../../runtime/aot/testdata/quickstart.mlir"
	limited := []string{"partition", "-report", "-memory", "500kB", "-micro-batches", "1"}
	out := requireRun(t, "", append(limited, convNet), []string{" % longer\n"}, "")
	require.NotContains(t, out, "µs")
	program := filepath.Join(t.TempDir(), "step.gospmd")
	requireRun(t, "", append([]string{"partition", "-o", program}, append(limited[2:], convNet)...), nil, "")
	require.Equal(t, out, requireRun(t, "", []string{"partition", "-report", program}, nil, ""))

	file := filepath.Join(t.TempDir(), "machine.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"name": "no bandwidth", "flops": {"f32": 6e13}, "links": [{"latency": 2e-6, "bandwidth": 3e11}]}`), 0o600))
	out = requireRun(t, "", []string{"fit", "-machine", file, "-mesh", "2x4,8x1", quickstart}, []string{"  least\n", " %\n"}, "")
	require.NotContains(t, out, "µs")
	out = requireRun(t, "", []string{"fit", "-json", "-machine", file, "-mesh", "2x4,8x1", quickstart}, []string{`"relative_time": 1`}, "")
	require.NotContains(t, out, "seconds")
	var table fit.Table
	require.NoError(t, json.Unmarshal([]byte(out), &table))
	require.Contains(t, table.String(), "  least\n")
}

// TestMachineNamed requires that each command that takes -machine names it once, and that pages get
// suggestions for the program of the flags.
func TestMachineNamed(t *testing.T) {
	const named = "v5e:2x2"
	for _, args := range [][]string{
		{"explain"}, {"partition", "-suggest"}, {"partition", "-layout-cost"}, {"partition", "-report"}, {"partition", "-report", "-suggest"},
		{"diff", "-", "-b-mesh", "a=4,b=1"},
	} {
		require.Equal(t, 1, strings.Count(requireRun(t, productText, append(args, "-machine", named), nil, ""), " "+named), "%q", args)
		if args[0] != "explain" {
			require.Equal(t, 1, strings.Count(requireRun(t, productText, append(args, "-machine", named, "-json"), nil, ""), `"machine": "`+named+`"`), "%q", args)
		}
		require.NotContains(t, requireRun(t, productText, append(args, "-json"), nil, ""), `"machine"`, "%q", args)
	}
	for flag, want := range map[string]string{"-json=true": `"machine": "` + named + `"`, "-json=false": "predicted on " + named + "\n"} {
		var out strings.Builder
		err := run([]string{"lint", flag, "-machine", named}, strings.NewReader(productText), &out, io.Discard)
		require.ErrorContains(t, err, "layouts are mistakes")
		require.Contains(t, out.String(), want)
	}
}
