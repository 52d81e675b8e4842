package gomlxbackend_test

// This file tests invalid graphs, buffers and configurations. Each is an error, which GoMLX throws.

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/gobackend"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/gomlxbackend"
	"github.com/gospmd/gospmd/runtime/coordination"
)

// goBackend returns a backend with the configuration, such as "mesh=2x2", on the engine written in
// Go. It is finalized when the test ends.
func goBackend(t *testing.T, config string) *gomlxbackend.Backend {
	b, err := gomlxbackend.New(config + ",engine=go")
	require.NoError(t, err)
	t.Cleanup(b.Finalize)
	return b
}

func TestBadGraphs(t *testing.T) {
	b := goBackend(t, "mesh=2x2")
	double := func(x *graph.Node) *graph.Node { return graph.Add(x, x) }
	for _, tc := range []struct {
		name string
		call func() error
		want string
	}{
		{"dynamic shapes", func() error {
			_, err := graph.MustNewExec(b, double).WithDynamicAxes([]string{"batch", ""}).Call([][]float32{{1}, {2}})
			return err
		}, "has a dynamic axis: gospmd compiles for fixed shapes"},
		{"shapes that do not go together", func() error {
			_, err := graph.MustNewExec(b, func(x, y *graph.Node) *graph.Node { return graph.Add(x, y) }).Call([]float32{1, 2}, []float32{1, 2, 3})
			return err
		}, "shapes"},
		{"an axis that is not there", func() error {
			_, err := graph.MustNewExec(b, func(x *graph.Node) *graph.Node { return graph.ReduceSum(x, 3) }).Call([]float32{1, 2})
			return err
		}, "axis"},
		{"an input on another backend", func() error {
			other, err := gobackend.New("")
			require.NoError(t, err)
			x, err := other.BufferFromFlatData(0, []float32{1}, shapes.Make(dtypes.Float32, 1))
			require.NoError(t, err)
			g := graph.NewGraph(b, "other")
			require.NoError(t, g.Compile(double(graph.Parameter(g, "x", shapes.Make(dtypes.Float32, 1)))))
			g.RunWithBuffers([]compute.Buffer{x}, []bool{false}, 0)
			return nil
		}, `input "x": it is a *gobackend.Buffer of another backend`},
		{"an input of another type", func() error {
			x, err := b.BufferFromFlatData(0, []int32{1}, shapes.Make(dtypes.Int32, 1))
			require.NoError(t, err)
			g := graph.NewGraph(b, "types")
			require.NoError(t, g.Compile(double(graph.Parameter(g, "x", shapes.Make(dtypes.Float32, 1)))))
			g.RunWithBuffers([]compute.Buffer{x}, []bool{false}, 0)
			return nil
		}, `input "x": got tensor<1xi32>, want tensor<1xf32>`},
		{"another device", func() error {
			_, _, err := graph.MustNewExec(b, double).CallWithGraphOnDevice(1, float32(1))
			return err
		}, "there is no device 1: want device 0, which stands for the whole mesh"},
		{"a finalized tensor", func() error {
			x, err := graph.MustNewExec(b, double).Call(float32(1))
			require.NoError(t, err)
			buffer, err := x[0].Buffer(b, 0)
			require.NoError(t, err)
			require.NoError(t, buffer.Finalize())
			return buffer.ToFlatData(make([]float32, 1))
		}, "the buffer was finalized: use it before Finalize"},
		{"a donated tensor", func() error {
			x := tensors.FromValue([]float32{1, 2})
			buffer, err := x.Buffer(b, 0)
			require.NoError(t, err)
			g := graph.NewGraph(b, "donated")
			require.NoError(t, g.Compile(double(graph.Parameter(g, "x", x.Shape()))))
			g.RunWithBuffers([]compute.Buffer{buffer}, []bool{true}, 0)
			g.RunWithBuffers([]compute.Buffer{buffer}, []bool{false}, 0)
			return nil
		}, "the buffer was donated to a graph: use what the graph returns"},
		{"elements of another type", func() error {
			_, err := b.BufferFromFlatData(0, []float64{1}, shapes.Make(dtypes.Float32, 1))
			return err
		}, "got []float64 of 1 elements, want []float32 of the 1 elements of tensor<1xf32>"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var err error
			if thrown := tryCatch(func() { err = tc.call() }); thrown != nil {
				err = thrown
			}
			require.ErrorContains(t, err, tc.want)
		})
	}
}

// After Finalize every call must be an error that says so, and a second Finalize must do nothing.
func TestFinalized(t *testing.T) {
	b, err := gomlxbackend.New("mesh=2x1,engine=go")
	require.NoError(t, err)
	b.Finalize()
	require.True(t, b.IsFinalized())
	b.Finalize()
	_, err = b.BufferFromFlatData(0, []float32{1}, shapes.Make(dtypes.Float32, 1))
	require.ErrorContains(t, err, "the backend is finalized: make a new one")
	_, err = graph.MustNewExec(b, func(x *graph.Node) *graph.Node { return graph.Neg(x) }).Call(float32(1))
	require.ErrorContains(t, err, "finalized")
}

// A mesh is an error if it is larger than the devices, or if it cannot have equally many devices in
// each process. devices=N is an error with several processes.
func TestBadMeshes(t *testing.T) {
	_, err := compute.NewWithConfig("gospmd:mesh=1000x1000,platform=cuda")
	require.ErrorContains(t, err, `configuration "mesh=1000x1000,platform=cuda"`)
	t.Setenv(coordination.VariableNumProcesses, "2")
	t.Setenv(coordination.VariableProcessID, "0")
	t.Setenv(coordination.VariableCoordinator, "127.0.0.1:1")
	_, err = compute.NewWithConfig("gospmd:mesh=3x1")
	require.ErrorContains(t, err, "the mesh has 3 devices, and there are 2 processes: want a multiple")
	_, err = compute.NewWithConfig("gospmd:devices=2")
	require.ErrorContains(t, err, "GoMLX reaches the devices of one process only, and there are 2: give mesh instead of devices")
}
