package goengine_test

// This file tests collectives, and loops and branches that contain collectives: their values,
// errors, and the bytes that are counted. The bytes must be those that package compile/cost
// predicts.

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/internal/testing/randprog"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/goengine"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
)

// perDeviceProgram returns a Program of a per-device module. meshText has the axes, such as "x"=2,
// and main the text of the function main, which takes one tensor.
func perDeviceProgram(t testing.TB, meshText, main string) *program.Program {
	t.Helper()
	m, err := ir.Parse("module @p {\n  sdy.mesh @mesh = <" + meshText + ">\n" + main + "\n}")
	require.NoError(t, err)
	require.NoError(t, ir.Verify(m))
	p := &program.Program{Name: "p", Form: program.PerDevice, Mesh: m.Meshes[0].Mesh, Module: m}
	for _, v := range m.Main().Params() {
		p.Inputs = append(p.Inputs, program.Input{TensorInfo: program.TensorInfo{Type: v.Type, Local: v.Type, Sharding: layout.Replicated(p.Mesh, v.Type.Rank())}, Alias: -1})
	}
	for _, r := range m.Main().Results {
		p.Outputs = append(p.Outputs, program.Output{TensorInfo: program.TensorInfo{Type: r.Type, Local: r.Type, Sharding: layout.Replicated(p.Mesh, r.Type.Rank())}})
	}
	return p
}

// TestObserve requires that Observe gets the results of each op on each of two devices, those of a
// collective too, in the order of the program.
func TestObserve(t *testing.T) {
	p := perDeviceProgram(t, `["x"=2]`, `func.func public @main(%arg0: tensor<2xi32>) -> tensor<2xi32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<2xi32>
    %1 = spmd.all_reduce %0 axes={"x"} reduction=add : tensor<2xi32>
    %2 = stablehlo.negate %1 : tensor<2xi32>
    return %2 : tensor<2xi32>
  }`)
	told := make(map[int][]string)
	e, err := goengine.Load(p, goengine.Options{Observe: func(position int, op *ir.Op, results []*interp.Tensor) {
		told[position] = append(told[position], fmt.Sprint(op.FullName(), (&ir.Dense{Type: results[0].Type, Data: results[0].Data}).Int64s()))
	}})
	require.NoError(t, err)
	_, err = e.Run(numberedInputs(p))
	require.NoError(t, err)
	require.Equal(t, map[int][]string{
		0: {"stablehlo.add[0 2]", "spmd.all_reduce[20 24]", "stablehlo.negate[-20 -24]"},
		1: {"stablehlo.add[20 22]", "spmd.all_reduce[20 24]", "stablehlo.negate[-20 -24]"},
	}, told)
}

// numberedInputs returns the inputs of p for each device: those of device d have the elements 10·d,
// 10·d+1, …
func numberedInputs(p *program.Program) [][]*interp.Tensor {
	out := make([][]*interp.Tensor, p.Mesh.Size())
	for d := range out {
		for _, in := range p.Inputs {
			values := make([]int32, in.Type.Size())
			for i := range values {
				values[i] = int32(10*d + i)
			}
			dense, err := ir.DenseFromFlat(in.Type, values)
			if err != nil {
				panic(err)
			}
			out[d] = append(out[d], interp.FromDense(dense))
		}
	}
	return out
}

func values(t *interp.Tensor) []int64 { return (&ir.Dense{Type: t.Type, Data: t.Data}).Int64s() }

func TestCollectives(t *testing.T) {
	const four = `["x"=2, "y"=2]`
	for _, tc := range []struct {
		name, mesh, op string
		in, out        string // types
		want           [][]int64
		sent           []int
	}{
		{"axis index", four, `"spmd.axis_index"() {axes = #sdy<axis_ref_list{"y", "x"}>} : () -> OUT`, "2xi32", "i32", [][]int64{{0}, {2}, {1}, {3}}, nil},
		{"all reduce", four, `spmd.all_reduce %x axes={"y"} reduction=add : IN`, "2xi32", "2xi32",
			[][]int64{{10, 12}, {10, 12}, {50, 52}, {50, 52}}, []int{8, 8, 8, 8}},
		{"all reduce, not divisible", `["x"=4]`, `spmd.all_reduce %x axes={"x"} reduction=maximum : IN`, "5xi32", "5xi32",
			slices.Repeat([][]int64{{30, 31, 32, 33, 34}}, 4), []int{32, 32, 28, 28}},
		{"all gather", four, `"spmd.all_gather"(%x) {dim = 1, axes = #sdy<axis_ref_list{"x"}>} : (IN) -> OUT`, "2x1xi32", "2x2xi32",
			[][]int64{{0, 20, 1, 21}, {10, 30, 11, 31}, {0, 20, 1, 21}, {10, 30, 11, 31}}, []int{8, 8, 8, 8}},
		{"reduce scatter", four, `spmd.reduce_scatter %x dim=0 axes={"x"} reduction=add : (IN) -> OUT`, "4xi32", "2xi32",
			[][]int64{{20, 22}, {40, 42}, {24, 26}, {44, 46}}, []int{8, 8, 8, 8}},
		{"all to all", `["x"=2]`, `"spmd.all_to_all"(%x) {split_dim = 1, concat_dim = 0, axes = #sdy<axis_ref_list{"x"}>} : (IN) -> OUT`, "1x4xi32", "2x2xi32",
			[][]int64{{0, 1, 10, 11}, {2, 3, 12, 13}}, []int{8, 8}},
		{"permute", four, `"spmd.permute"(%x) {from = #sdy.sharding<@mesh, [{"x", "y"}]>, to = #sdy.sharding<@mesh, [{"y", "x"}]>} : (IN) -> OUT`, "2xi32", "2xi32",
			[][]int64{{0, 1}, {20, 21}, {10, 11}, {30, 31}}, []int{0, 8, 8, 0}},
		{"shift", `["x"=3]`, `"spmd.shift"(%x) {axes = #sdy<axis_ref_list{"x"}>, offset = 1} : (IN) -> OUT`, "2xi32", "2xi32",
			[][]int64{{10, 11}, {20, 21}, {0, 0}}, []int{0, 8, 8}},
		{"shift back", `["x"=3]`, `"spmd.shift"(%x) {axes = #sdy<axis_ref_list{"x"}>, offset = -2} : (IN) -> OUT`, "2xi32", "2xi32",
			[][]int64{{0, 0}, {0, 0}, {0, 1}}, []int{8, 0, 0}},
		{"shift mirrored", `["x"=3]`, `"spmd.shift"(%x) {axes = #sdy<axis_ref_list{"x"}>, offset = 1, mirrored = true} : (IN) -> OUT`, "2xi32", "2xi32",
			[][]int64{{10, 11}, {0, 1}, {0, 0}}, []int{8, 8, 0}},
		{"StableHLO's permute", `["x"=3]`, `"stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 2], [2, 1]]> : tensor<2x2xi64>} : (IN) -> OUT`, "2xi32", "2xi32",
			[][]int64{{0, 0}, {20, 21}, {0, 1}}, []int{8, 0, 8}},
		{"StableHLO's broadcast", `["x"=3]`, `"stablehlo.collective_broadcast"(%x) {replica_groups = dense<[[2, 0, 1]]> : tensor<1x3xi64>} : (IN) -> OUT`, "2xi32", "2xi32",
			[][]int64{{20, 21}, {20, 21}, {20, 21}}, []int{8, 0, 8}},
		{"replica id", `["x"=3]`, `"stablehlo.replica_id"() : () -> OUT`, "2xi32", "ui32", [][]int64{{0}, {1}, {2}}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in, out := "tensor<"+tc.in+">", "tensor<"+tc.out+">"
			op := strings.NewReplacer("IN", in, "OUT", out).Replace(tc.op)
			p := perDeviceProgram(t, tc.mesh, fmt.Sprintf("func.func @main(%%x: %s) -> %s {\n %%0 = %s\n return %%0 : %s\n}", in, out, op, out))
			e, err := goengine.Load(p, goengine.Options{})
			require.NoError(t, err)
			for run := 1; run <= 2; run++ {
				results, err := e.Run(numberedInputs(p))
				require.NoError(t, err)
				for d, want := range tc.want {
					require.Equal(t, want, values(results[d][0]), "device %d", d)
				}
				if tc.sent == nil {
					require.Empty(t, e.Traffic())
					continue
				}
				traffic := e.Traffic()
				require.Len(t, traffic, 1)
				require.Equal(t, run, traffic[0].Runs)
				for d, n := range tc.sent {
					require.Equal(t, run*n, traffic[0].Sent[d], "device %d", d)
				}
				require.Equal(t, run*slices.Max(tc.sent), traffic[0].Most())
			}
		})
	}
}

// doubling is a loop that all devices run together: three times, the integer x becomes its sum over
// the devices along the mesh axis "x".
const doubling = `
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = "stablehlo.while"(%zero, %x) ({
  ^bb0(%i: tensor<i32>, %v: tensor<i32>):
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %v: tensor<i32>):
    %next = stablehlo.add %i, %one : tensor<i32>
    %s = func.call @sum(%v) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %next, %s : tensor<i32>, tensor<i32>
  }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %0#1 : tensor<i32>
}
func.func private @sum(%x: tensor<i32>) -> tensor<i32> {
  %0 = spmd.all_reduce %x axes={"x"} reduction=add : tensor<i32>
  return %0 : tensor<i32>
}`

func TestCollectivesInLoops(t *testing.T) {
	p := perDeviceProgram(t, `["x"=4]`, doubling)
	e, err := goengine.Load(p, goengine.Options{})
	require.NoError(t, err)
	results, err := e.Run(numberedInputs(p))
	require.NoError(t, err)
	for d := range results {
		require.Equal(t, []int64{60 * 16}, values(results[d][0]))
	}
	require.Equal(t, 3, e.Traffic()[0].Runs)
}

// branching is a conditional on the integer x: for x ≠ 0 the result is its sum over the devices
// along the mesh axis "x", for 0 it is x.
const branching = `
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %p = stablehlo.compare NE, %x, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = "stablehlo.if"(%p) ({
    %1 = spmd.all_reduce %x axes={"x"} reduction=add : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }, {
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return %0 : tensor<i32>
}`

// Devices that take different branches, of which one has a collective, would wait for each other
// forever: that is an error that names the op, the positions and the values. Devices that take the
// same branch run.
func TestDevicesMustAgree(t *testing.T) {
	p := perDeviceProgram(t, `["x"=2]`, branching)
	e, err := goengine.Load(p, goengine.Options{})
	require.NoError(t, err)
	_, err = e.Run(numberedInputs(p))
	require.ErrorContains(t, err, "stablehlo.if")
	require.ErrorContains(t, err, "positions 0 and 1 of the mesh have different values of the branch's index, 1 and 0")
	args := numberedInputs(p)
	args[0] = args[1]
	results, err := e.Run(args)
	require.NoError(t, err)
	require.Equal(t, []int64{20}, values(results[0][0]))
}

func TestLoadErrors(t *testing.T) {
	for _, tc := range []struct {
		name, main, want string
		change           func(p *program.Program)
	}{
		{name: "custom call", main: `func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.custom_call @lapack(%x) : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}`, want: `the Go engine does not have the target "lapack": compute the value by ordinary ops`},
		{name: "global shapes", main: doubling, change: func(p *program.Program) { p.Form = program.Annotated },
			want: "it is a program of global shapes for 4 devices, which only XLA can partition: compile it with Options.Partitioner compile.SPMD"},
		{name: "groups", main: `func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.collective_broadcast"(%x) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}`, want: "replica_groups leave out device 2, want each of the 4 devices once"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := perDeviceProgram(t, `["x"=4]`, tc.main)
			if tc.change != nil {
				tc.change(p)
			}
			_, err := goengine.Load(p, goengine.Options{})
			require.ErrorContains(t, err, tc.want)
		})
	}
}

// The bits of a sum over devices do not depend on which device arrives first: in 20 runs, the last
// device has the bits that the first had in the run before.
func TestReductionsAreDeterministic(t *testing.T) {
	p := perDeviceProgram(t, `["x"=8]`, `func.func @main(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %0 = spmd.all_reduce %x axes={"x"} reduction=add : tensor<1000xf32>
  return %0 : tensor<1000xf32>
}`)
	e, err := goengine.Load(p, goengine.Options{})
	require.NoError(t, err)
	args := make([][]*interp.Tensor, 8)
	for d := range args {
		x := interp.New(ir.Tensor(dtypes.Float32, 1000))
		for i := range interp.Flat(x).([]float32) {
			interp.Flat(x).([]float32)[i] = 1 / float32(1+d*1000+i)
		}
		args[d] = []*interp.Tensor{x}
	}
	first, err := e.Run(args)
	require.NoError(t, err)
	for range 20 {
		again, err := e.Run(args)
		require.NoError(t, err)
		require.Equal(t, first[0][0].Data, again[7][0].Data)
	}
}

// TestTrafficIsAsPredicted runs 400 random programs on zeros, because the values do not change what
// collectives send. For each collective, the largest number of bytes that a device has sent must be
// exactly cost.SentBytes for each of its runs. More than 100 collectives must have run.
func TestTrafficIsAsPredicted(t *testing.T) {
	compared := 0
	for seed := uint64(1); seed <= 400; seed++ {
		random := randprog.New(seed, randprog.Options{})
		p, err := compile.Compile(t.Context(), random.Module, compile.Options{Partitioner: compile.SPMD})
		require.NoError(t, err, "seed %d", seed)
		e, err := goengine.Load(p, goengine.Options{})
		require.NoError(t, err, "seed %d", seed)
		args := make([][]*interp.Tensor, p.Mesh.Size())
		for pos := range args {
			for _, in := range p.Inputs {
				args[pos] = append(args[pos], interp.New(in.Local))
			}
		}
		_, err = e.Run(args)
		require.NoError(t, err, "seed %d", seed)
		for _, sent := range e.Traffic() {
			if sent.Runs > 0 {
				require.Equal(t, sent.Runs*cost.SentBytes(p.Mesh, sent.Op), sent.Most(), "seed %d: %s\n%s", seed, sent.Op.FullName(), p.Module)
				compared++
			}
		}
	}
	require.Greater(t, compared, 100)
}
