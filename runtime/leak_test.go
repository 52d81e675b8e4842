//go:build cgo && linux

package runtime_test

// This file tests that closed clients leave no threads and no memory.

import (
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime"
)

// status returns the number with the given name in /proc/self/status, such as "Threads", or "VmRSS"
// in kB. It ends the test if there is none.
func status(t *testing.T, name string) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			n, err := strconv.Atoi(strings.Fields(rest)[0])
			require.NoError(t, err)
			return n
		}
	}
	t.Fatalf("/proc/self/status has no %s", name)
	return 0
}

// TestClosedClients opens and closes clients in a process of its own. The executables stay open and
// reachable, and no array is released. After 20 more clients there may be 4 more threads and 40 MB
// more memory at most.
func TestClosedClients(t *testing.T) {
	needPJRT(t)
	const inner = "GOSPMD_TEST_CLOSED_CLIENTS"
	if os.Getenv(inner) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestClosedClients$", "-test.v")
		// A heap that may grow further between collections takes more memory.
		cmd.Env = append(os.Environ(), inner+"=1", runtime.PlatformVar+"=cpu", "GOGC=100")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return
	}
	var open []*runtime.Executable
	use := func() {
		c, err := runtime.Open(t.Context(), runtime.Options{Platform: "cpu", Engine: runtime.EnginePJRT, Devices: 4, CompilationCache: "off"})
		require.NoError(t, err)
		for rows := range 3 {
			p := compileFor(t, nil, strings.ReplaceAll(productSum, "ROWS", strconv.Itoa(8*(rows+1))))
			e, err := c.Load(t.Context(), p)
			require.NoError(t, err)
			open = append(open, e)
			args := make([]*runtime.Array, len(p.Inputs))
			for i, in := range p.Inputs {
				args[i], err = c.Put(in.Type, in.Sharding, make([]float32, in.Type.Size()))
				require.NoError(t, err)
			}
			out, err := e.Run(args...)
			require.NoError(t, err)
			_, err = runtime.Values[float32](t.Context(), out[0])
			require.NoError(t, err)
		}
		require.NoError(t, c.Close())
	}
	const first, more = 4, 20
	for range first {
		use()
	}
	measureRest := func() (threads, kilobytes int) {
		debug.FreeOSMemory() // also collects garbage
		return status(t, "Threads"), status(t, "VmRSS")
	}
	threads, kilobytes := measureRest()
	for range more {
		use()
	}
	require.Eventually(t, func() bool {
		n, _ := measureRest()
		return n <= threads+4 // 4 threads may be the Go runtime's
	}, time.Minute, 100*time.Millisecond, "threads of closed clients are left: there were %d", threads)
	_, after := measureRest()
	t.Logf("%d clients left %d kB", more, after-kilobytes)
	require.Less(t, after-kilobytes, 40<<10, "kB")
	require.Len(t, open, 3*(first+more))
}

const productSum = `sdy.mesh @m = <["a"=4]>
func.func @main(%x: tensor<ROWSx64xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}, {}]>}, %y: tensor<64x64xf32>) -> tensor<f32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<ROWSx64xf32>, tensor<64x64xf32>) -> tensor<ROWSx64xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<ROWSx64xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}`
