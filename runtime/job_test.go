package runtime_test

// This file tests jobs of several processes. The clients of a job are all in the test's own
// process. The tests cover arrays that span them, programs, agreement, and the loss of one.

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

func TestJobDevices(t *testing.T) {
	clients := jobtest.Open(t, 3, 2)
	for rank, c := range clients {
		require.Equal(t, rank, c.ProcessIndex())
		require.Equal(t, 3, c.ProcessCount())
		require.Len(t, c.Devices(), 6)
		require.Len(t, c.LocalDevices(), 2)
		require.Equal(t, 2*rank+1, c.LocalDevices()[1].ID)
		require.Equal(t, 1, c.Devices()[3].Process)
	}
	require.NoError(t, jobtest.Together(clients, func(rank int, c *runtime.Client) error {
		for i := range 20 {
			values, err := c.Exchange(context.Background(), "numbers", fmt.Append(nil, rank*i))
			if err != nil {
				return err
			}
			require.Equal(t, fmt.Append(nil, 2*i), values[2])
		}
		return c.Barrier(context.Background(), "end")
	}))
}

// Arrays of every sharding can be put and read back, in a job of two processes with three devices
// each. Gather must return the whole tensor in both, and VisitOwned must visit each element in one
// process only. The meshes have their devices in the order of the processes, and in another order.
func TestJobArrays(t *testing.T) {
	clients := jobtest.Open(t, 2, 3)
	typ := ir.Tensor(dtypes.Float32, 5, 4)
	flat := make([]float32, typ.Size())
	for i := range flat {
		flat[i] = float32(i)
	}
	for _, order := range [][]int{nil, {5, 3, 1, 0, 2, 4}} {
		m, err := mesh.New([]int{3, 2}, []string{"a", "b"}, order)
		require.NoError(t, err)
		for _, s := range []*layout.Sharding{nil, split(m, "", ""), split(m, "a", ""), split(m, "b", "a"), split(m, "", "b")} {
			require.NoError(t, jobtest.Together(clients, func(_ int, c *runtime.Client) error {
				a, err := c.Put(typ, s, flat)
				if err != nil {
					return err
				}
				defer a.Release()
				require.Equal(t, s == nil, a.IsFullyAddressable())
				got, err := a.Gather(context.Background())
				require.Equal(t, flat, got)
				return err
			}), "%s", s)
			owned := make([]int, typ.Size())
			for _, c := range clients {
				a, err := c.Put(typ, s, flat)
				require.NoError(t, err)
				require.NoError(t, a.VisitOwned(context.Background(), func(ranges []layout.Range, data []byte) error {
					for i := ranges[0].Start; i < ranges[0].Limit; i++ {
						for k := ranges[1].Start; k < ranges[1].Limit; k++ {
							owned[i*4+k]++
						}
					}
					return nil
				}))
				a.Release()
			}
			require.Equal(t, slices.Repeat([]int{1}, typ.Size()), owned, "each element is visited in one process: %s", s)
		}
	}
}

// Each process gives its own rows of an array by PutLocal, and of a stack of arrays by
// PutLocalStack. Gather must return all rows in all processes, and Get be an error that names
// Gather. Too few rows are an error that says which rows are the process's own.
func TestJobPutLocal(t *testing.T) {
	clients := jobtest.Open(t, 2, 2)
	m, err := mesh.New([]int{4}, []string{"a"}, nil)
	require.NoError(t, err)
	typ := ir.Tensor(dtypes.Int32, 7, 2)
	rows := [][]int32{{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13}}
	require.NoError(t, jobtest.Together(clients, func(rank int, c *runtime.Client) error {
		a, err := c.PutLocal(typ, split(m, "a", ""), rows[rank])
		if err != nil {
			return err
		}
		_, err = a.Get(context.Background())
		require.ErrorContains(t, err, "call Gather, in all processes")
		got, err := a.Gather(context.Background())
		require.Equal(t, slices.Concat(rows...), got)
		return err
	}))
	_, err = clients[0].PutLocal(typ, split(m, "a", ""), rows[1])
	require.ErrorContains(t, err, "rows 0 to 4 of tensor<7x2xi32> are this process'")

	stack, s := ir.Tensor(dtypes.Int32, 2, 7, 2), split(m, "", "a", "")
	elements := func(a, b []int32) iter.Seq2[any, error] {
		return func(yield func(any, error) bool) {
			_ = yield(a, nil) && yield(b, nil)
		}
	}
	require.NoError(t, jobtest.Together(clients, func(rank int, c *runtime.Client) error {
		other := slices.Clone(rows[rank])
		slices.Reverse(other)
		a, err := c.PutLocalStack(stack, s, elements(rows[rank], other))
		if err != nil {
			return err
		}
		got, err := a.Gather(context.Background())
		require.Equal(t, []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 7, 6, 5, 4, 3, 2, 1, 0, 13, 12, 11, 10, 9, 8}, got)
		return err
	}))
	_, err = clients[0].PutLocalStack(stack, s, elements(rows[0], rows[1]))
	require.ErrorContains(t, err, "element 1: rows 0 to 4 of tensor<7x2xi32> are this process'")
}

// A training step computes the same losses in jobs of 2, 3 and 4 processes as in one process, up to
// 1e-6.
func TestJobTrains(t *testing.T) {
	step := mlp{batch: 24, in: 16, hidden: 32, out: 4, donate: true, rate: 0.1}
	run := func(c *runtime.Client, m *mesh.DeviceMesh) (losses []float32, err error) {
		ctx := context.Background()
		p := step.compile(t, m)
		exe, err := c.Load(ctx, p)
		if err != nil {
			return nil, err
		}
		args := make([]*runtime.Array, len(p.Inputs))
		for i, in := range p.Inputs {
			flat := make([]float32, in.Type.Size())
			for k := range flat {
				flat[k] = float32((k*7+i)%13)/13 - 0.5
			}
			if args[i], err = c.Put(in.Type, in.Sharding, flat); err != nil {
				return nil, err
			}
		}
		for range 6 {
			out, err := exe.Run(args...)
			if err != nil {
				return nil, err
			}
			args[0], args[1] = out[0], out[1]
			loss, err := runtime.Values[float32](ctx, out[2])
			if err != nil {
				return nil, err
			}
			losses = append(losses, loss...)
		}
		return losses, nil
	}
	one, err := run(runtimetest.Open(t, 1), nil)
	require.NoError(t, err)
	for _, shape := range [][2]int{{2, 2}, {4, 1}, {3, 2}} {
		n := shape[0] * shape[1]
		m, err := mesh.New([]int{n}, []string{"data"}, nil)
		require.NoError(t, err)
		clients := jobtest.Open(t, shape[0], shape[1])
		require.NoError(t, jobtest.Together(clients, func(_ int, c *runtime.Client) error {
			losses, err := run(c, m)
			require.InDeltaSlice(t, one, losses, 1e-6, "%d processes of %d devices", shape[0], shape[1])
			return err
		}))
	}
}

// Programs with every kind of collective, along axes inside and across processes, compute in a job
// of two processes with three devices each what one process computes, up to 1e-5. In the mesh 2x3,
// axis a crosses processes. In 3x2, both axes do, and a group along a has two devices in one
// process and one in the other. The short form takes every other layout of x.
func TestJobCollectives(t *testing.T) {
	clients := jobtest.Open(t, 2, 3)
	one := []*runtime.Client{runtimetest.Open(t, 6)}
	layouts := []string{`[{}, {}]`, `[{"a"}, {}]`, `[{}, {"a"}]`, `[{"b"}, {"a"}]`, `[{"a", "b"}, {}]`, `[{}, {"b", "a"}]`, `[{"b"}, {}]`}
	bodies := map[string]string{
		"copy":   `%0 = stablehlo.add %x, %x : tensor<12x6xf32>`,
		"matmul": `%0 = stablehlo.dot_general %y, %x, contracting_dims = [1] x [0] : (tensor<12x12xf32>, tensor<12x6xf32>) -> tensor<12x6xf32>`,
		"halo": `%c = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%x, %c) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %s = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %s : tensor<f32>
    }) : (tensor<12x6xf32>, tensor<f32>) -> tensor<12x6xf32>`,
		"largest": `%c = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %m = stablehlo.reduce(%x init: %c) applies stablehlo.maximum across dimensions = [0] : (tensor<12x6xf32>, tensor<f32>) -> tensor<6xf32>
    %0 = stablehlo.broadcast_in_dim %m, dims = [1] : (tensor<6xf32>) -> tensor<12x6xf32>`,
	}
	kinds := map[ir.OpKind]bool{}
	noLatency := cost.Default() // without latency, the compiler uses reduce_scatter even in programs as small as these
	noLatency.Link.Latency = 0
	for _, axes := range []string{`"a"=2, "b"=3`, `"a"=3, "b"=2`} {
		for _, name := range slices.Sorted(maps.Keys(bodies)) {
			for i, from := range layouts {
				if i%2 == 0 && !longtest.Enabled() {
					continue
				}
				to := layouts[(i*3+1)%len(layouts)]
				p := compileFor(t, noLatency, fmt.Sprintf(`sdy.mesh @m = <[%s]>
  func.func @main(%%x: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, %s>}, %%y: tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@m, %s>}) -> (tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, %s>}) {
    %s
    return %%0 : tensor<12x6xf32>
  }`, axes, from, from, to, bodies[name]))
				p.Module.Main().Walk(func(op *ir.Op) { kinds[op.Kind] = true })
				want := runFilled(t, one, p)
				for _, got := range runFilled(t, clients, p) {
					require.InDeltaSlice(t, want[0], got, 1e-5, "%s from %s to %s on %s", name, from, to, axes)
				}
			}
		}
	}
	for _, kind := range []ir.OpKind{ir.OpSPMDAllReduce, ir.OpSPMDAllGather, ir.OpSPMDReduceScatter, ir.OpSPMDAllToAll, ir.OpSPMDPermute, ir.OpSPMDShift} {
		require.True(t, kinds[kind], "no program has %s", kind)
	}
}

func compileFor(t *testing.T, machine *cost.Machine, text string) *program.Program {
	m, err := ir.Parse(text)
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{Machine: machine})
	require.NoError(t, err)
	return p
}

// runFilled runs a program once on all clients, with the same inputs of small numbers, and returns
// the elements of the first result of each client. An error fails the test.
func runFilled(t *testing.T, clients []*runtime.Client, p *program.Program) [][]float32 {
	results := make([][]float32, len(clients))
	require.NoError(t, jobtest.Together(clients, func(rank int, c *runtime.Client) error {
		exe, err := c.Load(context.Background(), p)
		if err != nil {
			return err
		}
		defer exe.Close()
		var args []*runtime.Array
		for _, in := range p.Inputs {
			flat := make([]float32, in.Type.Size())
			for k := range flat {
				flat[k] = float32(k*7%23) - 11
			}
			a, err := c.Put(in.Type, in.Sharding, flat)
			if err != nil {
				return err
			}
			args = append(args, a)
		}
		out, err := exe.Run(args...)
		if err != nil {
			return err
		}
		got, err := out[0].Gather(context.Background())
		if err == nil {
			results[rank] = got.([]float32)
		}
		return err
	}))
	return results
}

// Processes that load different programs, or run programs in a different order, get an error within
// two minutes. In the first case both do, and it says where the programs differ; in the second case
// it names the run.
func TestJobDisagrees(t *testing.T) {
	m, err := mesh.New([]int{2}, []string{"data"}, nil)
	require.NoError(t, err)
	a, b := mlp{batch: 4, in: 2, hidden: 2, out: 2}, mlp{batch: 6, in: 2, hidden: 2, out: 2}
	clients := jobtest.Open(t, 2, 1)
	err = jobtest.Together(clients, func(rank int, c *runtime.Client) error {
		_, err := c.Load(context.Background(), []mlp{a, b}[rank].compile(t, m))
		return err
	})
	require.ErrorContains(t, err, `process 0: runtime: program "train": process 1 loads another program than process 0: input is "x" tensor<6x2xf32>`)
	require.ErrorContains(t, err, `process 1: runtime: program "train": process 1 loads another program`)

	clients = jobtest.Open(t, 2, 1)
	start := time.Now()
	err = jobtest.Together(clients, func(rank int, c *runtime.Client) error {
		var exes [2]*runtime.Executable
		for i, s := range []mlp{a, b} {
			e, err := c.Load(context.Background(), s.compile(t, m))
			if err != nil {
				return err
			}
			exes[i] = e
		}
		return runOnZeros(c, exes[rank])
	})
	require.ErrorContains(t, err, `run 1 of program 2, "train"`)
	require.Less(t, time.Since(start), 2*time.Minute)
}

// A process that fails ends the runs of the two others within two minutes: their errors name it,
// and have its message. The job stays failed: a later Exchange is an error too.
func TestJobFails(t *testing.T) {
	m, err := mesh.New([]int{3}, []string{"data"}, nil)
	require.NoError(t, err)
	p := mlp{batch: 6, in: 2, hidden: 2, out: 2}.compile(t, m)
	clients := jobtest.Open(t, 3, 1)
	start := time.Now()
	err = jobtest.Together(clients, func(rank int, c *runtime.Client) error {
		e, err := c.Load(context.Background(), p)
		if err != nil {
			return err
		}
		if rank == 2 {
			c.Fail(errors.New("the data set has ended"))
			return nil
		}
		return runOnZeros(c, e)
	})
	for rank := range 2 {
		require.Regexp(t, fmt.Sprintf(`(run 1, before its first collective, spmd\.all_reduce.*|comparing the program with the other processes'), in process %d: process 2 \(`, rank), err.Error())
	}
	require.ErrorContains(t, err, "failed: the data set has ended")
	require.Less(t, time.Since(start), 2*time.Minute)
	require.Error(t, clients[0].Err())
	_, err = clients[0].Exchange(context.Background(), "anything", nil)
	require.ErrorContains(t, err, "process 2")
}

// If a process announces a value that is longer than any memory, the exchange is an error in the
// others, and they do not allocate that length.
func TestJobBoundsValues(t *testing.T) {
	clients := jobtest.Open(t, 2, 1)
	err := jobtest.Together(clients, func(rank int, c *runtime.Client) error {
		if rank == 1 {
			return runtime.LieAboutLength(c, "numbers", math.MaxUint64)
		}
		_, err := c.Exchange(context.Background(), "numbers", []byte("mine"))
		return err
	})
	require.ErrorContains(t, err, "process 0: runtime: the exchange of numbers, in process 0: numbers: process 1 says that its value has 18446744073709551615 bytes, want at most 1073741824")
}

// runOnZeros runs e, a step of mlp, on zeros and waits for the loss. It returns the error of the
// run.
func runOnZeros(c *runtime.Client, e *runtime.Executable) error {
	var args []*runtime.Array
	for _, in := range e.Program().Inputs {
		arg, err := c.Put(in.Type, in.Sharding, make([]float32, in.Type.Size()))
		if err != nil {
			return err
		}
		args = append(args, arg)
	}
	out, err := e.Run(args...)
	if err != nil {
		return err
	}
	return out[2].Wait(context.Background())
}
