package difftest_test

// This file holds programs of issues in which users of JAX and XLA reported wrong numbers only when
// a program was sharded (PAINS, row 5). Each program runs with its layouts on our partitioner, on
// both engines. Every shard on every device must be what one device computes, and what the issue
// says is right.

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/internal/testing/randprog"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// thread is a program with its inputs and the right results, as one list of numbers. Those in
// threads are from public issues about wrong numbers; other tests use the type for programs of
// their own.
type thread struct {
	name string
	text string // the program
	in   []any
	want []float64
}

func ints(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

func ones(n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

// digits returns n whole numbers from -3 to 3, as floats: element i is i·step modulo 7, minus 3.
// Products of matrices of them are exact in any order.
func digits(n, step int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(i*step%7 - 3)
	}
	return out
}

// product returns the product of a, an 8x16 matrix, and b, a 16x4 matrix, both row-major.
func product(a, b []float32) []float64 {
	out := make([]float64, 8*4)
	for i := range out {
		for k := range 16 {
			out[i] += float64(a[i/4*16+k] * b[k*4+i%4])
		}
	}
	return out
}

var threads = []thread{
	{
		// openxla/xla#49122: a dynamic_slice of 6 of 8 columns, from column 7, is clamped to column
		// 2; when the columns of the result were sharded, each device clamped for itself, and both
		// got the last columns, 5 to 7.
		name: "xla#49122, the result split",
		text: `module @thread {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<2x8xi32>, %start: tensor<i32>) -> (tensor<2x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %x, %zero, %start, sizes = [2, 6] : (tensor<2x8xi32>, tensor<i32>, tensor<i32>) -> tensor<2x6xi32>
    return %0 : tensor<2x6xi32>
  }
}`,
		in: []any{ints(16), []int32{7}}, want: []float64{2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15},
	},
	{
		name: "xla#49122, operand and result split",
		text: `module @thread {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<2x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %start: tensor<i32>) -> (tensor<2x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %x, %zero, %start, sizes = [2, 6] : (tensor<2x8xi32>, tensor<i32>, tensor<i32>) -> tensor<2x6xi32>
    return %0 : tensor<2x6xi32>
  }
}`,
		in: []any{ints(16), []int32{7}}, want: []float64{2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15},
	},
	{
		// openxla/xla#49118: a dynamic_update_slice at column 2 of 2 is clamped to column 1; when
		// the columns were sharded, no device owned column 2, and the update was lost.
		name: "xla#49118",
		text: `module @thread {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<2x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %update: tensor<2x1xi32>, %start: tensor<i32>) -> (tensor<2x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_update_slice %x, %update, %zero, %start : (tensor<2x2xi32>, tensor<2x1xi32>, tensor<i32>, tensor<i32>) -> tensor<2x2xi32>
    return %0 : tensor<2x2xi32>
  }
}`,
		in: []any{ints(4), []int32{99, 99}, []int32{2}}, want: []float64{0, 99, 2, 99},
	},
	{
		// openxla/xla#40034: the gradient of a kernel is a product whose contracted dimension, the
		// batch, is sharded over two axes. The result is sharded by one axis and replicated along
		// the other. So the sum over the other axis is an all-reduce. It was missing: the replicas
		// differed by up to 0.36.
		name: "xla#40034",
		text: `module @thread {
  sdy.mesh @mesh = <["replica"=2, "fsdp"=4]>
  func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"replica", "fsdp"}]>}, %dy: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"replica", "fsdp"}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}) {
    %0 = stablehlo.dot_general %x, %dy, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}`,
		in: []any{digits(8*16, 3), digits(16*4, 5)}, want: product(digits(8*16, 3), digits(16*4, 5)),
	},
	{
		name: "xla#40034, the sum written as unreduced",
		text: `module @thread {
  sdy.mesh @mesh = <["replica"=2, "fsdp"=4]>
  func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"replica", "fsdp"}]>}, %dy: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"replica", "fsdp"}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}) {
    %0 = stablehlo.dot_general %x, %dy, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}], unreduced={"replica", "fsdp"}>]>} : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"fsdp"}, {}]> : tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
}`,
		in: []any{digits(8*16, 3), digits(16*4, 5)}, want: product(digits(8*16, 3), digits(16*4, 5)),
	},
	{
		// jax-ml/jax#24576: on a mesh of 4x2, vectors of 4 and 12 ones, sharded by the first axis,
		// gave 16 twos when they were concatenated: the replicas along the second axis were summed.
		name: "jax#24576",
		text: `module @thread {
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, %b: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}) -> tensor<16xf32> {
    %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<4xf32>, tensor<12xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}`,
		in: []any{ones(4), ones(12)}, want: []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
	},
	{
		name: "jax#24576, the result split",
		text: `module @thread {
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, %b: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}) -> (tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}) {
    %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<4xf32>, tensor<12xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}`,
		in: []any{digits(4, 1), digits(12, 5)}, want: []float64{-3, -2, -1, 0, -3, 2, 0, -2, 3, 1, -1, -3, 2, 0, -2, 3},
	},
}

func TestThreads(t *testing.T) {
	for _, name := range []string{"go", "pjrt"} {
		t.Run(name, func(t *testing.T) {
			if name == "pjrt" {
				needs.Cgo(t, runtime.HasPJRT)
			}
			h := open(t, name)
			for _, tc := range threads {
				t.Run(tc.name, func(t *testing.T) { h.thread(t, tc) })
			}
		})
	}
}

// thread runs the program of a public issue on one device and on its mesh. It fails the test unless
// every shard in both runs has the numbers that tc says are right.
func (h *harness) thread(t *testing.T, tc thread) {
	m, err := ir.Parse(tc.text)
	require.NoError(t, err)
	p := &randprog.Program{Module: m}
	one, err := compile.Compile(t.Context(), p.Single(), compile.Options{Partitioner: compile.XLA})
	require.NoError(t, err)
	many, err := compile.Compile(t.Context(), m, compile.Options{Partitioner: compile.SPMD})
	require.NoError(t, err)
	for _, program := range []*program.Program{one, many} {
		exe, err := h.client.Load(context.Background(), program)
		require.NoError(t, err)
		defer exe.Close()
		var args []*runtime.Array
		for i, in := range tc.in {
			a, err := h.client.Put(program.Inputs[i].Type, program.Inputs[i].Sharding, in)
			require.NoError(t, err)
			defer a.Release()
			args = append(args, a)
		}
		results, err := exe.Run(args...)
		require.NoError(t, err)
		defer results[0].Release()
		checkShards(t, results[0], tc.want, many.Module)
	}
}

// checkShards requires that every shard of a, also each replica, has the elements of want, row by
// row. It ignores padding. m is for messages.
func checkShards(t *testing.T, a *runtime.Array, want []float64, m *ir.Module) {
	shards := a.Shards()
	require.NotEmpty(t, shards)
	for _, s := range shards {
		data := make([]byte, s.Local.Bytes())
		require.NoError(t, s.Buffer.Read(context.Background(), data))
		for i := range s.Local.Size() {
			global, rest, padding := 0, i, false
			for d := range s.Ranges {
				inner := 1
				for _, n := range s.Local.Dims[d+1:] {
					inner *= n
				}
				at := s.Ranges[d].Start + rest/inner
				padding = padding || at >= a.Type().Dims[d]
				global = global*a.Type().Dims[d] + at
				rest %= inner
			}
			if padding {
				continue
			}
			bits := binary.LittleEndian.Uint32(data[4*i:])
			got := float64(int32(bits))
			if s.Local.DType.IsFloat() {
				got = float64(math.Float32frombits(bits))
			}
			require.Equal(t, want[global], got, "device %d, element %d\n%s", s.Device, global, m)
		}
	}
}
