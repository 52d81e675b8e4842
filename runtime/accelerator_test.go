//go:build cgo

package runtime_test

// This file opens the real plugins for GPUs and TPUs on a machine where they are installed but
// their hardware is missing. They must fail soon, with an error that says so. A child process loads
// each plugin.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/needs"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// accelerator is the environment variable that names the platform which the child process opens.
const accelerator = "RUNTIME_TEST_ACCELERATOR"

func TestNoAccelerator(t *testing.T) {
	if platform := os.Getenv(accelerator); platform != "" {
		_, err := runtime.Open(context.Background(), runtime.Options{Platform: platform})
		fmt.Println("error:", err)
		_, err = runtime.Open(context.Background(), runtime.Options{Devices: 2, Platform: "cpu"})
		fmt.Println("cpu:", err)
		return
	}
	for platform, want := range map[string]string{
		"cuda": "no NVIDIA GPU is in this machine, or its driver is not loaded: neither /proc/driver/nvidia nor /dev/nvidia0 is there; " +
			"gospmd fit and package runtime/aot compile for GPUs that are elsewhere: ",
		"tpu": "no TPU is in this machine: there is none on its PCI bus; gospmd fit and package runtime/aot compile for TPUs that are elsewhere: ",
	} {
		t.Run(platform, func(t *testing.T) {
			t.Setenv(plugin.PathVar, "")
			if found := plugin.Devices(platform); found != nil {
				t.Skipf("this machine has %s", found)
			}
			_, err := plugin.Find(t.Context(), plugin.Options{Platform: platform})
			if errors.Is(err, plugin.ErrMissing) {
				_, opened := runtime.Open(t.Context(), runtime.Options{Platform: platform})
				require.ErrorContains(t, opened, "install it with `gospmd doctor -install "+platform+"`")
				needs.Plugin(t, platform, err)
			}
			require.NoError(t, err)
			start := time.Now()
			cmd := exec.Command(os.Args[0], "-test.run=^TestNoAccelerator$")
			cmd.Env = append(os.Environ(), accelerator+"="+platform, "GOSPMD_ENGINE=", runtime.PlatformVar+"=")
			out, err := cmd.Output()
			require.NoError(t, err)
			require.Contains(t, string(out), want)
			require.Contains(t, string(out), "cpu: <nil>", "the CPU's plugin is not told of the other's flags")
			require.Less(t, time.Since(start), time.Minute)
		})
	}
}
