//go:build cgo

package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/reexec"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/runtimetest"
)

// joining is a process of TestJobTellsPlugin, which answers with the error of its Open. A process
// makes one client at a time, so that two clients which wait for each other are of two processes.
var joining = reexec.Child[runtime.Options, string]{Name: "process of a job"}

func init() {
	joining.Serve(func(o runtime.Options, answer func(string)) {
		_, err := runtime.Open(context.Background(), o)
		answer(fmt.Sprint(err))
	})
}

// A plugin that is not for CPUs is told which process of how many it is in, and
// can put and get values of the job. The plugin of the test makes no client; its
// error says what it was told.
func TestJobTellsPlugin(t *testing.T) {
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/gomlx/go-xla").Output()
	if err != nil {
		t.Skip("the go command does not find go-xla's header: ", err)
	}
	path := filepath.Join(t.TempDir(), "pjrt_fake.so")
	out, err := exec.Command("cc", "-shared", "-fPIC", "-I", filepath.Join(strings.TrimSpace(string(module)), "pjrt"), "-o", path, filepath.Join("pjrtkv", "testdata", "fake.c")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	address := runtimetest.FreeAddress(t)
	var processes sync.WaitGroup
	var said [2]string
	var errs [2]error
	for rank := range said {
		processes.Go(func() {
			said[rank], errs[rank] = joining.Ask(t.Context(), runtime.Options{Platform: "cuda", Plugin: path, Engine: runtime.EnginePJRT,
				JobAddresses: address, NumProcesses: len(said), ProcessID: rank, JoinTimeout: time.Minute}, os.Environ())
		})
	}
	processes.Wait()
	require.NoError(t, errors.Join(errs[:]...))
	// The one that ends first ends the other's waiting.
	for _, want := range []string{"node_id=0\n", "num_nodes=2\n", "get=two<0>nodes\n"} {
		require.Contains(t, said[0]+said[1], want)
	}
}
