//go:build cgo

package runtime_test

// This file tests the collectives of devices that share memory. On PJRT they are custom calls
// (target.Share), and must compute what the Go engine computes.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/target"
)

// sharedCase is a test of one program on 4 devices: text of a collective among 4 replicas, or of
// some ops, which compute %0 from a shard of type in as one of type out.
type sharedCase struct {
	name, op, in, out string
	calls             int // the number of custom calls that the collective becomes
}

var sharedCases = []sharedCase{
	{"sum", `"stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({ADD}) : (IN) -> OUT`, "3x5xf32", "3x5xf32", 1},
	{"sums of pairs", `"stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>}> ({ADD}) : (IN) -> OUT`, "3x5xi32", "3x5xi32", 1},
	{"sum of many", `"stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({ADD}) : (IN) -> OUT`, "301x97xf32", "301x97xf32", 1},
	{"sum of none", `"stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({ADD}) : (IN) -> OUT`, "3x0xf32", "3x0xf32", 1},
	{"sum in 64 bits", `"stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({ADD}) : (IN) -> OUT`, "4xf64", "4xf64", 1},
	{"sum in 16 bits", `"stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({ADD}) : (IN) -> OUT`, "4xbf16", "4xbf16", 1},
	{"gather of rows", `"stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (IN) -> OUT`, "3x5xf32", "6x5xf32", 1},
	{"gather of columns", `"stablehlo.all_gather"(%x) {all_gather_dim = 1 : i64, replica_groups = dense<[[3, 1, 0, 2]]> : tensor<1x4xi64>} : (IN) -> OUT`, "3x5x2xbf16", "3x20x2xbf16", 1},
	{"scatter of rows", `"stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ADD}) : (IN) -> OUT`, "6x5xf32", "3x5xf32", 1},
	{"scatter of columns", `"stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({ADD}) : (IN) -> OUT`, "3x8x2xi32", "3x2x2xi32", 1},
	{"all to all", `"stablehlo.all_to_all"(%x) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>} : (IN) -> OUT`, "3x4x2xf32", "6x2x2xf32", 1},
	{"all to all, in place", `"stablehlo.all_to_all"(%x) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (IN) -> OUT`, "4x3xf32", "4x3xf32", 1},
	{"permute", `"stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 2], [2, 1]]> : tensor<2x2xi64>} : (IN) -> OUT`, "3x5xf32", "3x5xf32", 1},
	{"scatters of two values", `%1 = stablehlo.multiply %x, %x : IN
%2 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ADD}) : (IN) -> OUT
%3 = "stablehlo.reduce_scatter"(%1) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ADD}) : (IN) -> OUT
%0 = stablehlo.add %2, %3 : OUT`, "6x5xf32", "3x5xf32", 1},
	{"scatters of two values in 16 bits", `%1 = stablehlo.multiply %x, %x : IN
%2 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ADD}) : (IN) -> OUT
%3 = "stablehlo.reduce_scatter"(%1) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ADD}) : (IN) -> OUT
%0 = stablehlo.add %2, %3 : OUT`, "6x5xbf16", "3x5xbf16", 1},
	{"gathers of two types along two dimensions", `%n = stablehlo.negate %x : IN
%1 = stablehlo.compare LT, %x, %n : (IN, IN) -> tensor<3x4xi1>
%2 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (IN) -> OUT
%3 = "stablehlo.all_gather"(%1) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<3x4xi1>) -> tensor<3x8xi1>
%4 = stablehlo.reshape %3 : (tensor<3x8xi1>) -> tensor<6x4xi1>
%5 = stablehlo.negate %2 : OUT
%0 = stablehlo.select %4, %2, %5 : tensor<6x4xi1>, OUT`, "3x4xf32", "6x4xf32", 1},
	{"gathers among two groups of devices", `%2 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (IN) -> OUT
%3 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>} : (IN) -> OUT
%0 = stablehlo.subtract %2, %3 : OUT`, "3x4xf32", "6x4xf32", 2},
	{"scatters along two dimensions", `%1 = stablehlo.multiply %x, %x : IN
%2 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ADD}) : (IN) -> OUT
%3 = "stablehlo.reduce_scatter"(%1) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ADD}) : (IN) -> tensor<6x2xf32>
%4 = stablehlo.reshape %3 : (tensor<6x2xf32>) -> OUT
%0 = stablehlo.add %2, %4 : OUT`, "6x4xf32", "3x4xf32", 1},
	{"a scatter of a scatter", `%1 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ADD}) : (IN) -> tensor<4x5xf32>
%0 = "stablehlo.reduce_scatter"(%1) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> ({ADD}) : (tensor<4x5xf32>) -> OUT`, "8x5xf32", "2x5xf32", 2},
}

// sharedProgram compiles a program that runs the op on a shard of type in, with a result of type
// out. If times is not 0, it runs the op in a loop so many times, each time on the last result.
func sharedProgram(t *testing.T, op, in, out string, times int) *program.Program {
	t.Helper()
	in, out = "tensor<"+in+">", "tensor<"+out+">"
	elem := "tensor<" + in[strings.LastIndex(in, "x")+1:]
	op = strings.NewReplacer("IN", in, "OUT", out, "ADD", "\n^bb0(%u: E, %v: E):\n %w = stablehlo.add %u, %v : E\n stablehlo.return %w : E\n").Replace(op)
	op = strings.ReplaceAll(op, ": E", ": "+elem)
	if !strings.Contains(op, "%0 = ") {
		op = "%0 = " + op
	}
	body := fmt.Sprintf("%s\nreturn %%0 : %s", op, out)
	if times > 0 {
		body = fmt.Sprintf(`%%zero = stablehlo.constant dense<0> : tensor<i32>
%%0:2 = "stablehlo.while"(%%zero, %%a) ({
^bb0(%%i: tensor<i32>, %%c: %[1]s):
  %%n = stablehlo.constant dense<%[2]d> : tensor<i32>
  %%less = stablehlo.compare LT, %%i, %%n : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.return %%less : tensor<i1>
}, {
^bb0(%%i: tensor<i32>, %%x: %[1]s):
  %%one = stablehlo.constant dense<1> : tensor<i32>
  %%next = stablehlo.add %%i, %%one : tensor<i32>
  %[3]s
  stablehlo.return %%next, %%0 : tensor<i32>, %[1]s
}) : (tensor<i32>, %[1]s) -> (tensor<i32>, %[1]s)
return %%0#1 : %[1]s`, in, times, op)
	}
	param := map[bool]string{true: "%a", false: "%x"}[times > 0]
	m, err := ir.Parse(fmt.Sprintf("module @p {\n sdy.mesh @mesh = <[\"x\"=4]>\nfunc.func @main(%s: %s) -> %s {\n%s\n}\n}", param, in, out, body))
	require.NoError(t, err)
	require.NoError(t, ir.Verify(m))
	p := &program.Program{Name: "p", Form: program.PerDevice, Mesh: m.Meshes[0].Mesh, Module: m}
	rows := func(local ir.Type) program.TensorInfo {
		dims := append([]int{4 * local.Dims[0]}, local.Dims[1:]...)
		s := layout.Replicated(p.Mesh, local.Rank())
		s.Dims[0].Axes = mesh.FullAxes("x")
		return program.TensorInfo{Type: local.WithDims(dims), Local: local, Sharding: s}
	}
	p.Inputs = []program.Input{{TensorInfo: rows(m.Main().Params()[0].Type), Alias: -1}}
	p.Outputs = []program.Output{{TensorInfo: rows(m.Main().Results[0].Type)}}
	return p
}

// wholeNumbers returns the elements of a tensor of type t, of int32, float32, float64 or bfloat16,
// which are random whole numbers from -4 to 4, the same in each call. Their sums are exact.
func wholeNumbers(t ir.Type) any {
	random := rand.New(rand.NewPCG(1, 2))
	flat := dtypes.MakeAnySlice(t.DType, t.Size())
	for i := range t.Size() {
		switch v := random.IntN(9) - 4; to := flat.(type) {
		case []int32:
			to[i] = int32(v)
		case []float32:
			to[i] = float32(v)
		case []float64:
			to[i] = float64(v)
		case []bfloat16.BFloat16:
			to[i] = bfloat16.FromFloat32(float32(v))
		}
	}
	return flat
}

// openShared opens a client of the named engine with 4 devices of the CPU and no compilation cache.
func openShared(t *testing.T, engine string) *runtime.Client {
	return runtimetest.OpenWith(t, runtime.Options{Platform: "cpu", Engine: engine, Devices: 4, CompilationCache: "off"})
}

// runShared loads p on c, runs it so many times on the same whole numbers, and returns the elements
// of the first result in the last run.
func runShared(t *testing.T, c *runtime.Client, p *program.Program, runs int) any {
	t.Helper()
	e, err := c.Load(context.Background(), p)
	require.NoError(t, err)
	defer e.Close()
	in := p.Inputs[0]
	var out any
	for range runs {
		a, err := c.Put(in.Type, in.Sharding, wholeNumbers(in.Type))
		require.NoError(t, err)
		results, err := e.Run(a)
		require.NoError(t, err)
		out, err = results[0].Get(context.Background())
		require.NoError(t, err)
		a.Release()
		results[0].Release()
	}
	return out
}

func TestSharedCollectives(t *testing.T) {
	for _, e := range ir.SharedCollectives() {
		require.True(t, slices.ContainsFunc(sharedCases, func(tc sharedCase) bool { return strings.Contains(tc.op, e.Kind.String()) }), "%s needs a case", e.Kind)
	}
	goes, pjrt := openShared(t, runtime.EngineGo), openShared(t, runtime.EnginePJRT)
	for _, tc := range sharedCases {
		t.Run(tc.name, func(t *testing.T) {
			p := sharedProgram(t, tc.op, tc.in, tc.out, 0)
			shared := target.Share(p)
			require.Equal(t, tc.calls, strings.Count(string(shared.Text), target.SharedCall))
			require.Equal(t, tc.calls == 0, shared.Waits)
			require.Len(t, shared.Collectives, tc.calls)
			require.Equal(t, runShared(t, goes, p, 1), runShared(t, pjrt, p, 3))
		})
	}
}

// A collective in a loop is called many times in a run. Each call must meet only calls of the same
// iteration and the same run.
func TestSharedCollectivesInLoops(t *testing.T) {
	pjrt := openShared(t, runtime.EnginePJRT)
	in, out := "3x5xf32", "3x5xf32"
	p := sharedProgram(t, `"stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>} : (IN) -> OUT`, in, out, 400)
	text := target.Share(p).Text
	require.Contains(t, string(text), target.SharedCall)
	once := sharedProgram(t, `"stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 0], [1, 1], [2, 2], [3, 3]]> : tensor<4x2xi64>} : (IN) -> OUT`, in, out, 0)
	require.Equal(t, runShared(t, pjrt, once, 1), runShared(t, pjrt, p, 20), "400 steps around 4 devices")
}
