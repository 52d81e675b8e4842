//go:build cgo

package runtime_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/runtimetest"
)

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
	errs := make(chan error, 2)
	for rank := range 2 {
		go func() {
			_, err := runtime.Open(context.Background(), runtime.Options{Platform: "cuda", Plugin: path, Engine: runtime.EnginePJRT,
				JobAddresses: address, NumProcesses: 2, ProcessID: rank, JoinTimeout: time.Minute})
			errs <- err
		}()
	}
	var text strings.Builder
	for range 2 {
		err := <-errs
		require.Error(t, err)
		text.WriteString(err.Error())
	}
	for _, want := range []string{"node_id=0\n", "num_nodes=2\n", "get=two<0>nodes\n"} {
		require.Contains(t, text.String(), want)
	}
}
