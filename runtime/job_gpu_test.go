//go:build cgo

package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/reexec"
	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/runtime"
)

// joining runs a process of TestJobTellsPlugin, which returns the error of its Open. Two processes
// are necessary: a process makes one client at a time, and the two clients wait for each other.
var joining = reexec.Child[member, string]{Name: "process of a job"}

// member is one process of the job.
type member struct {
	Plugin, Address string
	Size, Rank      int
}

func init() { // only in a test program: no other package imports it
	joining.Serve(func(m member, answer func(string)) {
		_, err := runtime.Open(context.Background(), runtime.Options{Platform: "cuda", Plugin: m.Plugin, Engine: runtime.EnginePJRT,
			JobAddresses: m.Address, NumProcesses: m.Size, ProcessID: m.Rank, JoinTimeout: time.Minute})
		answer(fmt.Sprint(err))
	})
}

// A plugin for GPUs gets the number of its process and the number of processes, and can put and get
// values of the job. The plugin of the test makes no client; its error says what it was told.
func TestJobTellsPlugin(t *testing.T) {
	header := needs.PJRTHeader(t)
	path := filepath.Join(t.TempDir(), "pjrt_fake.so")
	out, err := exec.Command("cc", "-shared", "-fPIC", "-I", header, "-o", path, filepath.Join("pjrtkv", "testdata", "fake.c")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	address := jobtest.FreeAddress(t)
	var processes sync.WaitGroup
	var said [2]string
	var errs [2]error
	for rank := range said {
		processes.Go(func() {
			said[rank], errs[rank] = joining.Ask(t.Context(), member{path, address, len(said), rank}, os.Environ())
		})
	}
	processes.Wait()
	require.NoError(t, errors.Join(errs[:]...))
	// The process that ends first also ends the waiting of the other one.
	for _, want := range []string{"node_id=0\n", "num_nodes=2\n", "get=two<0>nodes\n"} {
		require.Contains(t, said[0]+said[1], want)
	}
}
