//go:build cgo && linux

package runtime_test

import (
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/runtime"
)

// TestSignals sends signals to all threads while XLA computes a matrix product, as Go's profiler
// does. It must not crash, and the products must be right: on processors with AVX-512 the stack
// pointer points into the heap during oneDNN's matrix products.
func TestSignals(t *testing.T) {
	needs.Cgo(t, runtime.HasPJRT)
	c := runtimetest.OpenWith(t, runtime.Options{Platform: "cpu", Engine: runtime.EnginePJRT, Devices: 2})
	p := compileFor(t, nil, `sdy.mesh @m = <["a"=2]>
  func.func @main(%x: tensor<32x784xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}, %y: tensor<784x512xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}]>}) -> (tensor<32x512xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}) {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<32x784xf32>, tensor<784x512xf32>) -> tensor<32x512xf32>
    return %0 : tensor<32x512xf32>
  }`)
	want := runFilled(t, []*runtime.Client{c}, p)[0]
	exe, err := c.Load(t.Context(), p)
	require.NoError(t, err)
	defer exe.Close()
	args := make([]*runtime.Array, len(p.Inputs))
	for i, in := range p.Inputs {
		flat := make([]float32, in.Type.Size())
		for k := range flat {
			flat[k] = float32(k*7%23) - 11 // as runFilled
		}
		args[i], err = c.Put(in.Type, in.Sharding, flat)
		require.NoError(t, err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for range 200 {
			threads, err := os.ReadDir("/proc/self/task")
			if err != nil {
				return
			}
			for _, thread := range threads {
				if id, err := strconv.Atoi(thread.Name()); err == nil {
					syscall.Syscall(syscall.SYS_TGKILL, uintptr(os.Getpid()), uintptr(id), uintptr(syscall.SIGURG))
				}
			}
			time.Sleep(time.Millisecond)
		}
	}()
	for running := true; running; {
		select {
		case <-ended:
			running = false
		default:
			out, err := exe.Run(args...)
			require.NoError(t, err)
			got, err := runtime.Values[float32](t.Context(), out[0])
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	}
}
