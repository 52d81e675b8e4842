//go:build cgo

package runtime_test

// This file tests executions in which not all devices come to a collective, and queues that are
// longer than XLA's limit.

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/target"
)

// sumExcept returns a program on 4 devices in which devices 0 to 2 come to an all-reduce, while
// device 3 runs other instead: the text of ops that compute %%a from the argument %%v0 of type
// %[1]s.
func sumExcept(t testing.TB, random *rand.Rand, other string) *program.Program {
	shard := fmt.Sprintf("tensor<%dx%dxf32>", rowsOfShard, columns)
	m, err := ir.Parse(fmt.Sprintf(`module @partly {
sdy.mesh @mesh = <["x"=4]>
func.func @main(%%v0: %[1]s {tf.aliasing_output = 0 : i32}) -> %[1]s {
  %%r = stablehlo.replica_id : tensor<ui32>
  %%three = stablehlo.constant dense<3> : tensor<ui32>
  %%p = stablehlo.compare EQ, %%r, %%three : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
  %%y = "stablehlo.if"(%%p) ({
    %[2]s
    stablehlo.return %%a : %[1]s
  }, {
    %%b = "stablehlo.all_reduce"(%%v0) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
      ^bb0(%%u: tensor<f32>, %%w: tensor<f32>):
      %%z = stablehlo.add %%u, %%w : tensor<f32>
      stablehlo.return %%z : tensor<f32>
    }) : (%[1]s) -> %[1]s loc("dense_1/kernel")
    stablehlo.return %%b : %[1]s
  }) : (tensor<i1>) -> %[1]s
  return %%y : %[1]s
}
}`, shard, fmt.Sprintf(other, shard)))
	require.NoError(t, err)
	p := randomCollectives(t, random, 4) // its inputs and outputs are reused
	p.Name, p.Module = "partly", m
	return p
}

// openFour opens a client of 4 devices of XLA whose collectives may wait for the timeout; less than
// 0 is for ever.
func openFour(t *testing.T, timeout time.Duration) *runtime.Client {
	return runtimetest.OpenWith(t, runtime.Options{Platform: "cpu", Engine: runtime.EnginePJRT, Devices: 4, CompilationCache: "off", CollectiveTimeout: timeout})
}

// requireUsable checks that the client can still execute a correct program: it runs 20 steps of one
// with random collectives.
func requireUsable(t *testing.T, c *runtime.Client) {
	_, err := chain(c, load(t, c, randomCollectives(t, rand.New(rand.NewPCG(1, 1)), 4)), 20, 1)
	require.NoError(t, err)
}

// If a device never comes to a collective, the devices that wait for it get an error that says so.
// The client can be used afterwards.
func TestStuckCollective(t *testing.T) {
	c := openFour(t, 2*time.Second) // a correct program needs less, also on a busy machine
	random := rand.New(rand.NewPCG(1, 1))
	stuck := load(t, c, sumExcept(t, random, "%%a = stablehlo.negate %%v0 : %[1]s"))
	for range 2 {
		_, err := chain(c, stuck, 3, 1)
		require.ErrorContains(t, err, `program "partly" failed: no device has come to a collective for `)
		require.ErrorContains(t, err, `in stablehlo.all_reduce at dense_1/kernel devices 0, 1, 2 wait for device 3`)
		requireUsable(t, c)
	}
}

// The failure of one device ends the execution on all devices, at once.
func TestFailureOnOneDevice(t *testing.T) {
	c := openFour(t, -1)
	random := rand.New(rand.NewPCG(1, 1))
	other := `%%a = "stablehlo.custom_call"(%%v0, %%r) {api_version = 4 : i32, call_target_name = "` + target.SharedCall + `", has_side_effect = true, backend_config = {channel = 0 : i64, kind = 99 : i64, reduction = 0 : i64, size = 4 : i64, dims = array<i64: 0>, groups = array<i64: 0, 1, 2, 3>, to = array<i64: 0>}} : (%[1]s, tensor<ui32>) -> %[1]s`
	fails := load(t, c, sumExcept(t, random, other))
	for range 3 {
		_, err := chain(c, fails, 3, 1)
		require.ErrorContains(t, err, "on device 3: ")
		require.ErrorContains(t, err, "compiled by another version of gospmd")
		requireUsable(t, c)
	}
}

// All 300 executions in a queue of depth 1000 end within five minutes, on 1 to 32 devices, with the
// results that they have at depth 1. XLA would block the threads that it needs if it had more than
// 32 executions at once. The short form has 100 executions, on 2 and on 32 devices.
func TestDeepQueue(t *testing.T) {
	for _, devices := range longtest.Pick([]int{2, 32}, []int{1, 2, 16, 32}) {
		t.Run(fmt.Sprint(devices, " devices"), func(t *testing.T) {
			random := rand.New(rand.NewPCG(7, uint64(devices)))
			deep := clientCase{devices: devices, depth: 1000, programs: []*program.Program{randomCollectives(t, random, devices)},
				loops: []clientLoop{{times: longtest.Pick(100, 300), seed: 1}}}
			results := make(chan [][]float32, 1)
			go func() {
				got, err := deep.run(true)
				if err != nil {
					t.Error(err)
				}
				results <- got
			}()
			var got [][]float32
			select {
			case got = <-results:
			case <-time.After(5 * time.Minute):
				panic("the executions of a deep queue do not end")
			}
			deep.depth = 1
			want, err := deep.run(false)
			require.NoError(t, err)
			require.Equal(t, want, got)
		})
	}
}

// XLA does not start an execution on a device if its argument has the wrong size. After that it
// starts no execution on several devices. The client's errors say so.
func TestRefusedExecution(t *testing.T) {
	c := runtimetest.OpenWith(t, runtime.Options{Platform: "cpu", Engine: runtime.EnginePJRT, Devices: 2, CompilationCache: "off"})
	e := load(t, c, parse(t, `module @total {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}`))
	require.NoError(t, runtime.StartWith(e, 4, 4))
	require.ErrorContains(t, runtime.StartWith(e, 4, 5), "incompatible size")
	err := runtime.StartWith(e, 4, 4)
	require.ErrorContains(t, err, "the client cannot execute any more")
	require.ErrorContains(t, err, "open a new client")
}
