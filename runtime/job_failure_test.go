package runtime_test

// This file tests how runs end when a process leaves in the middle of them.

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/coordination"
)

// TestJobFailsBeforeItConnects: if a process fails before the processes are connected, Open must
// not wait in the other one, but return an error with the failed process and its message.
func TestJobFailsBeforeItConnects(t *testing.T) {
	address := jobtest.FreeAddress(t)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	go func() {
		s, err := coordination.Join(ctx, coordination.Options{Address: address, NumProcesses: 2, ProcessID: 1})
		require.NoError(t, err)
		_, err = s.Exchange(ctx, "proposals", []byte("{}"))
		require.NoError(t, err)
		_, err = s.Exchange(ctx, "addresses", []byte("127.0.0.1:1"))
		require.NoError(t, err)
		s.Fail(errors.New("no memory for devices"))
	}()
	_, err := runtime.Open(ctx, runtime.Options{Devices: 1, Engine: runtime.EngineGo, JobAddresses: address, NumProcesses: 2, ProcessID: 0})
	require.ErrorContains(t, err, "process 1")
	require.ErrorContains(t, err, "no memory for devices")
	require.NoError(t, ctx.Err(), "it waits for ever")
}

// endless is a program with a loop without end, for three processes of two devices each. Each
// iteration sums over all devices.
const endless = `sdy.mesh @m = <["a"=3, "b"=2]>
func.func @main(%x: tensor<6000xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", "b"}]>}) -> (tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = stablehlo.while(%i = %zero, %s = %none) : tensor<i32>, tensor<f32>
    cond {
      %more = stablehlo.compare GE, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<6000xf32>
      %y = stablehlo.add %x, %b : tensor<6000xf32>
      %m = stablehlo.sine %y : tensor<6000xf32>
      %next = stablehlo.reduce(%m init: %none) applies stablehlo.add across dimensions = [0] : (tensor<6000xf32>, tensor<f32>) -> tensor<f32> loc("dense/loss")
      stablehlo.return %i, %next : tensor<i32>, tensor<f32>
    }
  return %0#1 : tensor<f32>
}`

// failInEndless runs the endless program in three processes. When all are in its loop, process 1
// calls fail. It returns the error of each process.
func failInEndless(t *testing.T, fail func(c *runtime.Client)) []error {
	t.Helper()
	m, err := ir.Parse(endless)
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{})
	require.NoError(t, err)
	clients := jobtest.Open(t, 3, 2)
	errs := make([]error, len(clients))
	var starts sync.WaitGroup
	starts.Add(len(clients))
	_ = jobtest.Together(clients, func(rank int, c *runtime.Client) (err error) {
		defer func() { errs[rank] = err }()
		started := sync.OnceFunc(starts.Done)
		defer started()
		e, err := c.Load(context.Background(), p)
		if err != nil {
			return err
		}
		x, err := c.Put(p.Inputs[0].Type, p.Inputs[0].Sharding, make([]float32, 6000))
		if err != nil {
			return err
		}
		out, err := e.Run(x)
		if err != nil {
			return err
		}
		started()
		if rank == 1 {
			starts.Wait()
			// the others are in the loop after this time, also on a busy machine
			time.Sleep(2 * time.Second)
			fail(c)
		}
		return out[0].Wait(context.Background())
	})
	for _, c := range clients {
		_ = c.Close() // of the process that failed: with its error
	}
	return errs
}

// A process that fails while the others are in a collective with it ends their
// runs, with an error that names it, the run, and the collective with its layer.
// Nothing crashes then or when the clients are closed.
func TestJobFailsInsideARun(t *testing.T) {
	for range longtest.Pick(1, 2) {
		errs := failInEndless(t, func(c *runtime.Client) { c.Fail(errors.New("the disk is full")) })
		for _, rank := range []int{0, 2} {
			require.ErrorContains(t, errs[rank], "run 1, ")
			require.ErrorContains(t, errs[rank], "the disk is full")
			require.ErrorContains(t, errs[rank], "spmd.all_reduce at dense/loss")
		}
	}
}

// Load refuses a program for XLA's own partitioner on several processes, because that partitioner
// works only for devices of one process.
func TestJobRefusesXLAsPartitioner(t *testing.T) {
	m, err := ir.Parse(endless)
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{Partitioner: compile.XLA})
	require.NoError(t, err)
	clients := jobtest.Open(t, 3, 2)
	require.ErrorContains(t, jobtest.Together(clients, func(rank int, c *runtime.Client) error {
		_, err := c.Load(context.Background(), p)
		return err
	}), "compile.SPMD")
}

// TestJobBlames checks which process is named as lost. Connections break some time before the loss
// is reported. The survivors must wait for that report, and name neither themselves nor another
// survivor.
func TestJobBlames(t *testing.T) {
	errs := failInEndless(t, func(c *runtime.Client) {
		runtime.BreakConnections(c)
		time.Sleep(2 * time.Second) // shorter than a lease
		c.Fail(errors.New("the machine is off"))
	})
	for _, rank := range []int{0, 2} {
		require.ErrorContains(t, errs[rank], "process 1 (")
		require.ErrorContains(t, errs[rank], "the machine is off")
		require.NotContains(t, errs[rank].Error(), "lost its connection", "process %d", rank)
	}
}
