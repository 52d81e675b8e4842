//go:build cgo

package ffi_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/go-xla/pjrt"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/ffi"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// openXLA returns a PJRT client with two devices, the same in each call. It first lets package
// runtime open a client, as for programs: that sets the environment variables that XLA reads.
var openXLA = sync.OnceValues(func() (*pjrt.Client, error) {
	c, err := runtime.Open(context.Background(), runtime.Options{Platform: "cpu", Engine: runtime.EnginePJRT})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	path, err := plugin.Find(context.Background(), plugin.Options{Platform: "cpu"})
	if err != nil {
		return nil, err
	}
	p, err := pjrt.GetPlugin(path)
	if err != nil {
		return nil, err
	}
	return p.NewClient(pjrt.NamedValuesMap{"cpu_device_count": int64(2)})
})

// loadTogether loads a module for two devices whose collectives c executes, with its number in
// place of %d. It is destroyed when the test ends.
func loadTogether(t *testing.T, c *ffi.Collectives, body string) *pjrt.LoadedExecutable {
	client, err := openXLA()
	require.NoError(t, err)
	text := "module attributes {mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 1 : i32} {\n" + fmt.Sprintf(body, c.Number()) + "\n}"
	exe, err := client.Compile().WithStableHLO([]byte(text)).WithSPMD(2).WithDeviceAssignment([]int{1, 0}).Done()
	require.NoError(t, err)
	t.Cleanup(func() { _ = exe.Destroy() })
	return exe
}

// call runs exe on two replicas, which are on devices 1 and 0, with the vectors first and second,
// and returns both results.
func call(t *testing.T, exe *pjrt.LoadedExecutable, first, second []float32) ([][]float32, error) {
	client, err := openXLA()
	require.NoError(t, err)
	var in []*pjrt.Buffer
	for i, v := range [][]float32{first, second} {
		b, err := client.BufferFromHost().ToDeviceNum(1-i).FromFlatDataWithDimensions(v, []int{len(v)}).Done()
		require.NoError(t, err)
		in = append(in, b)
	}
	type results struct {
		buffers []*pjrt.Buffer
		err     error
	}
	done := make(chan results, 1)
	go func() {
		out, err := exe.Execute(in...).Done()
		done <- results{out, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return nil, r.err
		}
		var out [][]float32
		for _, b := range r.buffers {
			flat, _, err := b.ToFlatDataAndDimensions()
			require.NoError(t, err)
			out = append(out, flat.([]float32))
		}
		return out, nil
	case <-time.After(2 * time.Minute):
		t.Fatal("the run hangs")
		return nil, nil
	}
}

// A collective in a loop must run once in each of three iterations, between XLA's own collectives.
// It doubles the sum of both devices' operands.
func TestCollectiveInALoop(t *testing.T) {
	var calls, channels int
	c := ffi.NewCollectives([]int{1, 0}, func(c *ffi.Call) error {
		calls++ // calls of one channel do not overlap, so no lock is needed
		channels += c.Channel
		for i := range c.In {
			x, n := c.In[i][0], c.In[i][1]
			if x.DType != dtypes.Float32 || fmt.Sprint(x.Dims) != "[4]" || n.DType != dtypes.BFloat16 || len(n.Dims) != 0 || len(n.Data) != 2 {
				return fmt.Errorf("operands %v %v and %v %v", x.DType, x.Dims, n.DType, n.Dims)
			}
			copy(c.Out[i][1].Data, n.Data)
			for k := 0; k < len(x.Data); k += 4 {
				v := math.Float32frombits(binary.LittleEndian.Uint32(x.Data[k:]))
				binary.LittleEndian.PutUint32(c.Out[i][0].Data[k:], math.Float32bits(2*v))
			}
		}
		return nil
	})
	defer c.Close()
	exe := loadTogether(t, c, `func.func @main(%%a: tensor<4xf32>) -> tensor<4xf32> {
  %%zero = stablehlo.constant dense<0> : tensor<i32>
  %%three = stablehlo.constant dense<3> : tensor<i32>
  %%n = stablehlo.constant dense<1.0> : tensor<bf16>
  %%0:2 = stablehlo.while(%%i = %%zero, %%x = %%a) : tensor<i32>, tensor<4xf32>
    cond {
      %%less = stablehlo.compare LT, %%i, %%three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %%less : tensor<i1>
    } do {
      %%one = stablehlo.constant dense<1> : tensor<i32>
      %%next = stablehlo.add %%i, %%one : tensor<i32>
      %%sum = "stablehlo.all_reduce"(%%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
        ^bb0(%%u: tensor<f32>, %%v: tensor<f32>):
          %%w = stablehlo.add %%u, %%v : tensor<f32>
          stablehlo.return %%w : tensor<f32>
        }) : (tensor<4xf32>) -> tensor<4xf32>
      %%y:2 = stablehlo.custom_call @gospmd_collective(%%sum, %%n) {api_version = 4 : i32, backend_config = {channel = 5 : i64, program = %d : i64}, has_side_effect = true} : (tensor<4xf32>, tensor<bf16>) -> (tensor<4xf32>, tensor<bf16>)
      stablehlo.return %%next, %%y#0 : tensor<i32>, tensor<4xf32>
    }
  return %%0#1 : tensor<4xf32>
}`)
	for run := 1; run <= 20; run++ {
		out, err := call(t, exe, []float32{1, 1, 2, 8}, []float32{3, 3, 6, 24})
		require.NoError(t, err)
		require.Equal(t, [][]float32{{128, 128, 256, 1024}, {128, 128, 256, 1024}}, out)
		require.Equal(t, 3*run, calls)
		require.Equal(t, 15*run, channels)
	}
}

const simple = `func.func @main(%%a: tensor<2xf32>) -> tensor<2xf32> {
  %%0 = stablehlo.custom_call @gospmd_collective(%%a) {api_version = 4 : i32, backend_config = {channel = 0 : i64, program = %d : i64}, has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
  return %%0 : tensor<2xf32>
}`

// The operands are in the order of the given devices, and so are the results.
func TestCollectiveOrder(t *testing.T) {
	c := ffi.NewCollectives([]int{1, 0}, func(c *ffi.Call) error {
		copy(c.Out[0][0].Data, c.In[1][0].Data)
		copy(c.Out[1][0].Data, c.In[0][0].Data)
		return nil
	})
	defer c.Close()
	out, err := call(t, loadTogether(t, c, simple), []float32{1, 2}, []float32{3, 4})
	require.NoError(t, err)
	require.Equal(t, [][]float32{{3, 4}, {1, 2}}, out)
}

// The run returns the error of its collective. The program can be run again, until its Collectives
// is closed: then a run is an error.
func TestCollectiveFails(t *testing.T) {
	fault := errors.New("process 3 is lost")
	c := ffi.NewCollectives([]int{1, 0}, func(c *ffi.Call) error {
		if fault == nil {
			copy(c.Out[0][0].Data, c.In[0][0].Data)
			copy(c.Out[1][0].Data, c.In[1][0].Data)
		}
		return fault
	})
	exe := loadTogether(t, c, simple)
	_, err := call(t, exe, []float32{1, 2}, []float32{3, 4})
	require.ErrorContains(t, err, "process 3 is lost")
	fault = nil
	out, err := call(t, exe, []float32{1, 2}, []float32{3, 4})
	require.NoError(t, err)
	require.Equal(t, [][]float32{{1, 2}, {3, 4}}, out)
	c.Close()
	_, err = call(t, exe, []float32{1, 2}, []float32{3, 4})
	require.ErrorContains(t, err, "which is closed")
}

func TestCollectivePanics(t *testing.T) {
	c := ffi.NewCollectives([]int{1, 0}, func(*ffi.Call) error { panic("no reason") })
	defer c.Close()
	_, err := call(t, loadTogether(t, c, simple), []float32{1, 2}, []float32{3, 4})
	require.ErrorContains(t, err, "BUG: collective: no reason")
}

func lostError(channel int) error { return fmt.Errorf("channel %d: process 2 is lost", channel) }

// Abort ends a call that one device has made and the other never makes. It also ends all later
// calls.
func TestAbortEndsIncompleteCalls(t *testing.T) {
	c := ffi.NewCollectives([]int{1, 0}, func(*ffi.Call) error { return errors.New("the call is complete") })
	defer c.Close()
	exe := loadTogether(t, c, `func.func @main(%%a: tensor<2xf32>) -> tensor<2xf32> {
  %%id = stablehlo.replica_id : tensor<ui32>
  %%i = stablehlo.convert %%id : (tensor<ui32>) -> tensor<i32>
  %%0 = "stablehlo.case"(%%i) ({
    %%1 = stablehlo.custom_call @gospmd_collective(%%a) {api_version = 4 : i32, backend_config = {channel = 0 : i64, program = %d : i64}, has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %%1 : tensor<2xf32>
  }, {
    stablehlo.return %%a : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %%0 : tensor<2xf32>
}`)
	time.AfterFunc(200*time.Millisecond, func() { c.Abort(lostError) })
	_, err := call(t, exe, []float32{1, 2}, []float32{3, 4})
	require.ErrorContains(t, err, "channel 0: process 2 is lost")
	_, err = call(t, loadTogether(t, c, simple), []float32{1, 2}, []float32{3, 4})
	require.ErrorContains(t, err, "channel 0: process 2 is lost")
}

// Abort does not end a call that is being executed, because its memory is in use. The call ends
// when the function returns.
func TestAbortWaitsForRunningCalls(t *testing.T) {
	started, aborted := make(chan bool), make(chan bool)
	c := ffi.NewCollectives([]int{1, 0}, func(c *ffi.Call) error {
		close(started)
		<-aborted
		time.Sleep(100 * time.Millisecond)
		for i := range c.Out {
			copy(c.Out[i][0].Data, c.In[i][0].Data)
		}
		return errors.New("the transport is closed")
	})
	defer c.Close()
	go func() {
		<-started
		c.Abort(lostError)
		close(aborted)
	}()
	_, err := call(t, loadTogether(t, c, simple), []float32{1, 2}, []float32{3, 4})
	require.ErrorContains(t, err, "the transport is closed")
}
