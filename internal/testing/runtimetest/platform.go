package runtimetest

// This file makes tests run on the platform that the environment names.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/target"
)

// preallocate is JAX's environment variable that says whether a client takes most of a GPU's memory
// when it opens.
const preallocate = "XLA_PYTHON_CLIENT_PREALLOCATE"

// On GPUs, clients of tests do not preallocate memory, unless the user has set the variable: the
// tests of several packages run at the same time and share the GPUs.
func init() {
	if os.Getenv(runtime.PlatformVar) == hardware.CUDA && os.Getenv(preallocate) == "" {
		os.Setenv(preallocate, "false")
	}
}

// available returns the number of devices of a platform that has no virtual devices, by opening a
// client once.
var available = sync.OnceValues(func() (int, error) {
	c, err := runtime.Open(context.Background(), runtime.Options{Engine: Engine()})
	if err != nil {
		return 0, err
	}
	return len(c.Devices()), c.Close()
})

// Need skips a test that opens a client of n devices itself, if the platform has fewer; on TPUs, if
// it has another number. On the CPU it never skips. A client that does not open fails the test.
func Need(t testing.TB, n int) {
	t.Helper()
	o, err := runtime.Options{Engine: Engine()}.Complete()
	if err != nil {
		t.Fatal(err)
	}
	if o.Platform == hardware.CPU {
		return
	}
	have, err := available()
	if err != nil {
		t.Fatalf("opening a client: %v", err)
	}
	if have < n || o.Platform == hardware.TPU && have != n {
		skip(t, &runtime.DevicesError{Platform: o.Platform, Have: have, Want: n})
	}
}

// OnCPU makes all tests of a package run on the CPU, even if the environment names another
// platform. It is for tests of virtual devices, and of features that only XLA's plugin for CPUs
// has. Call it in TestMain.
func OnCPU() {
	if name := os.Getenv(runtime.PlatformVar); Accelerated() {
		fmt.Printf("%s=%s does not count here: the tests of this package are of the CPU's devices\n", runtime.PlatformVar, name)
		os.Setenv(runtime.PlatformVar, hardware.CPU)
	}
}

// Accelerated reports whether the environment names another platform than the CPU.
func Accelerated() bool {
	name := os.Getenv(runtime.PlatformVar)
	return name != "" && name != hardware.CPU
}

// AnyTarget makes p a program for no particular target, which all clients load, and returns it. So
// XLA on CPUs runs what was partitioned for an accelerator.
func AnyTarget(p *program.Program) *program.Program {
	p.Target = target.Any.Name
	return p
}

// Tolerance returns the difference that a test allows: tight, on the CPU, or what is usual on the
// platform that the environment names. XLA multiplies the float32 matrices of programs with 10 bits
// of their fractions on GPUs (TF32), and with 7 on TPUs (bfloat16).
func Tolerance(tight float64) float64 {
	return max(tight, map[string]float64{hardware.CUDA: 1e-2, hardware.TPU: 5e-2}[os.Getenv(runtime.PlatformVar)])
}

// SkipFewer skips the test if err is a *runtime.DevicesError: the platform has another number of
// devices than wanted. On the CPU it does not skip.
func SkipFewer(t testing.TB, err error) {
	t.Helper()
	var fewer *runtime.DevicesError
	if errors.As(err, &fewer) && fewer.Platform != hardware.CPU {
		skip(t, fewer)
	}
}

// skip skips a test that needs more devices than the platform has.
func skip(t testing.TB, err *runtime.DevicesError) {
	t.Helper()
	needs.Skip(t, fmt.Sprintf("%d devices of %s", err.Want, err.Platform), "run on a machine that has them", err)
}
