//go:build cgo

package pjrtkv_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/go-xla/pjrt"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/runtime/pjrtapi"
	"github.com/gospmd/gospmd/runtime/pjrtkv"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// cpuChild is an environment variable that makes the test program load XLA's plugin for CPUs. A
// process can load one plugin only.
const cpuChild = "PJRTKV_TEST_CPU"

// tryCPU compiles, by the plugin at path, a program for device 1 of four, then the same program
// assigned to device 3 (pjrtkv.Assign), and then the first one again. It prints the device that
// each runs on.
func tryCPU(path string) error {
	p, err := pjrtapi.Load(path)
	if err != nil {
		return err
	}
	c, err := p.NewClient(pjrt.NamedValuesMap{"cpu_device_count": int64(4)})
	if err != nil {
		return err
	}
	const text = `func.func @main(%a: tensor<1xf32>) -> tensor<1xf32> {
  %0 = stablehlo.add %a, %a : tensor<1xf32>
  return %0 : tensor<1xf32>
}`
	config := func() *pjrt.CompileConfig {
		return c.Compile().WithStableHLO([]byte(text)).WithSPMD(1).WithDeviceAssignment([]int{1})
	}
	compile := func() (*pjrt.LoadedExecutable, error) { return config().Done() }
	for _, assigned := range []bool{false, true, false} {
		exe, err := compile()
		if assigned {
			var other error
			exe, err = pjrtapi.Compile(config(), func(call *pjrtapi.Compilation) {
				elsewhere := make(chan error)
				go func() { // a compilation in another thread is not assigned
					other, err := compile()
					if err == nil {
						err = runsOn(c.Client, other, 1)
					}
					elsewhere <- err
				}()
				other = <-elsewhere
				call.SetOptions(pjrtkv.Assign(call.Options(), []int{3}))
			})
			err = errors.Join(err, other)
		}
		if err != nil {
			return err
		}
		for device := range 4 {
			if runsOn(c.Client, exe, device) == nil {
				fmt.Println("assigned:", assigned, "device:", device)
			}
		}
	}
	return nil
}

func runsOn(c *pjrt.Client, exe *pjrt.LoadedExecutable, device int) error {
	b, err := c.BufferFromHost().FromRawData([]byte{0, 0, 128, 63}, dtypes.Float32, []int{1}).ToDeviceNum(device).Done()
	if err != nil {
		return err
	}
	out, err := exe.Execute(b).Done()
	if err != nil {
		return err
	}
	value, err := pjrt.BufferToScalar[float32](out[0])
	if err == nil && value != 2 {
		return fmt.Errorf("1 + 1 is %g", value)
	}
	return err
}

func TestAssign(t *testing.T) {
	path, err := plugin.Find(context.Background(), plugin.Options{Platform: "cpu"})
	if err != nil {
		needs.Plugin(t, "cpu", err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), cpuChild+"="+path, "TF_CPP_MIN_LOG_LEVEL=2")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "assigned: false device: 1\nassigned: true device: 3\nassigned: false device: 1\n", string(out))
}
