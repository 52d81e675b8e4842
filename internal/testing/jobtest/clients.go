package jobtest

// This file opens clients of one job, as if each were in a process of its own.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/runtime"
	_ "github.com/gospmd/gospmd/runtime/coordination/embedded"
	"github.com/gospmd/gospmd/runtime/transport/gloo"
)

// Transport returns the name of the transport that tests of PJRT use between processes: Gloo if it
// is installed, as for users, and otherwise tcp, with a log message.
func Transport(t testing.TB) string {
	t.Helper()
	if runtimetest.Engine() == runtime.EngineGo || os.Getenv("GOSPMD_ENGINE") == runtime.EngineGo {
		return "tcp"
	}
	if err := gloo.CheckAvailable(context.Background(), nil); err != nil {
		t.Logf("between processes, tcp stands in for Gloo: %v", err)
		return "tcp"
	}
	return "gloo"
}

// Open returns the clients of a job of n processes with the given number of virtual CPU devices
// each, by rank. All are in this process. change may change the options of each client before it is
// opened. The job ends with the test. The clients must work at the same time: call Together.
func Open(t testing.TB, n, devices int, change ...func(*runtime.Options)) []*runtime.Client {
	t.Helper()
	address, transport := FreeAddress(t), Transport(t)
	clients := make([]*runtime.Client, n)
	errs := make([]error, n)
	var wait sync.WaitGroup
	for rank := range n {
		o := runtime.Options{
			Platform: hardware.CPU, Devices: devices, Engine: runtimetest.Engine(), JobAddresses: address, NumProcesses: n, ProcessID: rank, JoinTimeout: time.Minute, Transport: transport,
		}
		for _, c := range change {
			c(&o)
		}
		wait.Go(func() { clients[rank], errs[rank] = runtime.Open(context.Background(), o) })
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatalf("opening a job of %d processes: %v", n, err)
	}
	t.Cleanup(func() {
		_ = Together(clients, func(_ int, c *runtime.Client) error { return c.Close() })
	})
	return clients
}

// Together calls do for all clients at the same time, and returns their errors joined, each with
// the number of its process.
func Together(clients []*runtime.Client, do func(rank int, c *runtime.Client) error) error {
	errs := make([]error, len(clients))
	var wait sync.WaitGroup
	for rank, c := range clients {
		wait.Go(func() {
			if err := do(rank, c); err != nil {
				errs[rank] = fmt.Errorf("process %d: %w", rank, err)
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}
