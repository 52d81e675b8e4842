package trace_test

// This file records graphs that GoMLX itself distributes, and tests the errors for distributions
// that are refused.

import (
	"fmt"
	"log"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/trace"
)

// ExampleBuilder_DistributedSPMD records a graph that is written for one of two devices: it becomes
// a manual computation on both.
func ExampleBuilder_DistributedSPMD() {
	b := trace.NewBuilder("sum", nil)
	if err := b.DistributedSPMD(2); err != nil {
		log.Fatal(err)
	}
	main := b.Main()
	x, err := main.Parameter("x", shapes.Make(dtypes.Float32, 3), nil)
	if err != nil {
		log.Fatal(err)
	}
	sums, err := main.AllReduce([]compute.Value{x}, compute.ReduceOpSum, [][]int{{0, 1}})
	if err != nil {
		log.Fatal(err)
	}
	if err := main.Return(sums, nil); err != nil {
		log.Fatal(err)
	}
	m, err := b.Module()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m)
	// Output:
	// module @sum {
	//   sdy.mesh @mesh = <["device"=2]>
	//   func.func @main(%arg0: tensor<2x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"device"}, {}]>}) -> (tensor<2x3xf32> {jax.result_info = "output0", sdy.sharding = #sdy.sharding<@mesh, [{"device"}, {}]>}) {
	//     %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"device"}, {}]>] out_shardings=[<@mesh, [{"device"}, {}]>] manual_axes={"device"} (%arg1: tensor<1x3xf32>) {
	//       %1 = stablehlo.reshape %arg1 : (tensor<1x3xf32>) -> tensor<3xf32>
	//       %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
	//       ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
	//         %3 = stablehlo.add %arg2, %arg3 : tensor<f32>
	//         stablehlo.return %3 : tensor<f32>
	//       }) : (tensor<3xf32>) -> tensor<3xf32>
	//       %3 = stablehlo.reshape %2 : (tensor<3xf32>) -> tensor<1x3xf32>
	//       sdy.return %3 : tensor<1x3xf32>
	//     } : (tensor<2x3xf32>) -> tensor<2x3xf32>
	//     return %0 : tensor<2x3xf32>
	//   }
	// }
}

// ExampleBuilder_DistributedAutoSharding records a graph with sharding specs: it becomes a program
// on GoMLX's mesh.
func ExampleBuilder_DistributedAutoSharding() {
	b := trace.NewBuilder("double", nil)
	if err := b.DistributedAutoSharding(compute.Mesh{Name: "m", AxesSizes: []int{2, 2}, AxesNames: []string{"data", "model"}}); err != nil {
		log.Fatal(err)
	}
	if err := b.DeviceAssignment(3, 2, 1, 0); err != nil {
		log.Fatal(err)
	}
	main := b.Main()
	x, err := main.Parameter("x", shapes.Make(dtypes.Float32, 4, 6), &compute.ShardingSpec{Mesh: "m", Axes: [][]string{{"data"}}})
	if err != nil {
		log.Fatal(err)
	}
	y, err := main.Add(x, x)
	if err != nil {
		log.Fatal(err)
	}
	if err := main.Return([]compute.Value{y, x}, []*compute.ShardingSpec{{Mesh: "m", Axes: [][]string{nil, {"model"}}}}); err != nil {
		log.Fatal(err)
	}
	m, err := b.Module()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m)
	// Output:
	// module @double {
	//   sdy.mesh @mesh = <["data"=2, "model"=2], device_ids=[3, 2, 1, 0]>
	//   func.func @main(%arg0: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<4x6xf32> {jax.result_info = "output0", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<4x6xf32> {jax.result_info = "output1", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
	//     %0 = stablehlo.add %arg0, %arg0 : tensor<4x6xf32>
	//     return %0, %arg0 : tensor<4x6xf32>, tensor<4x6xf32>
	//   }
	// }
}

func TestDistributionErrors(t *testing.T) {
	scalar := shapes.Make(dtypes.Float32)
	auto := compute.Mesh{Name: "m", AxesSizes: []int{2}, AxesNames: []string{"x"}}
	reduceAmong := func(groups ...[]int) func(b trace.Builder) error {
		return func(b trace.Builder) error {
			require.NoError(t, b.DistributedSPMD(2))
			x, err := b.Main().Parameter("x", scalar, nil)
			require.NoError(t, err)
			_, err = b.Main().AllReduce([]compute.Value{x}, compute.ReduceOpSum, groups)
			return err
		}
	}
	for _, tc := range []struct {
		name string
		do   func(b trace.Builder) error
		want string
	}{
		{"a device twice", reduceAmong([]int{0, 0}), "replica group 0 holds device 0, which is listed before"},
		{"a negative device", reduceAmong([]int{0}, []int{-1}), "got the groups [[0] [-1]], want device numbers from 0 to 1"},
		{"a device too many", reduceAmong([]int{0, 2}), "want device numbers from 0 to 1"},
		{"groups of different sizes", reduceAmong([]int{0, 1}, nil), "got the groups [[0 1] []], want groups of one size"},
		{"twice", func(b trace.Builder) error {
			require.NoError(t, b.DistributedSPMD(2))
			return b.DistributedAutoSharding(auto)
		}, "is distributed already"},
		{"too late", func(b trace.Builder) error {
			_, err := b.Main().Parameter("x", scalar, nil)
			require.NoError(t, err)
			return b.DistributedSPMD(2)
		}, "before they are recorded"},
		{"no device", func(b trace.Builder) error { return b.DistributedSPMD(0) }, "got 0 devices, want at least one"},
		{"no mesh", func(b trace.Builder) error { return b.DistributedAutoSharding() }, "got 0 meshes, want one"},
		{"bad mesh", func(b trace.Builder) error {
			return b.DistributedAutoSharding(compute.Mesh{Name: "m", AxesSizes: []int{2, 2}, AxesNames: []string{"x", "x"}})
		}, `"x"`},
		{"devices", func(b trace.Builder) error {
			require.NoError(t, b.DistributedAutoSharding(auto))
			return b.DeviceAssignment(1, 2, 3)
		}, "got 3 devices, want 2"},
		{"spec without a mesh", func(b trace.Builder) error {
			_, err := b.Main().Parameter("x", scalar, &compute.ShardingSpec{Mesh: "m"})
			return err
		}, "has a GoMLX sharding"},
		{"AllReduce of all", func(b trace.Builder) error {
			require.NoError(t, b.DistributedAutoSharding(auto))
			x, err := b.Main().Parameter("x", scalar, nil)
			require.NoError(t, err)
			_, err = b.Main().AllReduce([]compute.Value{x}, compute.ReduceOpSum, [][]int{{0, 1}})
			return err
		}, "write the program for one device"},
		{"reduction", func(b trace.Builder) error {
			require.NoError(t, b.DistributedSPMD(2))
			x, err := b.Main().Parameter("x", scalar, nil)
			require.NoError(t, err)
			_, err = b.Main().AllReduce([]compute.Value{x}, compute.ReduceOpUndefined, [][]int{{0, 1}})
			return err
		}, "got reduction Undefined, want a sum"},
		{"spec", func(b trace.Builder) error {
			require.NoError(t, b.DistributedAutoSharding(auto))
			x, err := b.Main().Parameter("x", scalar, &compute.ShardingSpec{Mesh: "n"})
			require.NoError(t, err)
			require.NoError(t, b.Main().Return([]compute.Value{x}, nil))
			_, err = b.Module()
			return err
		}, `parameter "x": it is tensor<f32>, and its spec has 0 axes on mesh "n": want at most 0 on mesh "m"`},
		{"axis", func(b trace.Builder) error {
			require.NoError(t, b.DistributedAutoSharding(auto))
			x, err := b.Main().Parameter("x", shapes.Make(dtypes.Float32, 2), nil)
			require.NoError(t, err)
			require.NoError(t, b.Main().Return([]compute.Value{x}, []*compute.ShardingSpec{{Mesh: "m", Axes: [][]string{{"y"}}}}))
			_, err = b.Module()
			return err
		}, `result 0: `},
	} {
		require.ErrorContains(t, tc.do(trace.NewBuilder("g", nil)), tc.want, tc.name)
	}
}
