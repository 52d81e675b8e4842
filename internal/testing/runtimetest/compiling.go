package runtimetest

// This file says how the programs of tests are compiled: the checks, how often, and the
// effort.

import (
	"fmt"
	"os"
	"testing"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/runtime"
)

const (
	cacheVar = "GOSPMD_COMPILATION_CACHE"
	inMemory = "memory"
	flagsVar = "XLA_FLAGS"
	debugVar = "GOSPMD_DEBUG" // package compile's
)

// Tests verify the module after each pass of ours. XLA compiles each program once in a process.
// Nothing is kept from one run to the next. In the short form LLVM does not optimize XLA's code,
// which would take half of the time; XLA's own passes run as always. The environment has
// precedence.
func init() {
	if os.Getenv(debugVar) == "" {
		os.Setenv(debugVar, "verify=each")
	}
	if os.Getenv(cacheVar) == "" {
		os.Setenv(cacheVar, inMemory)
	}
	if os.Getenv(flagsVar) == "" && onCPU() && !longtest.Asked() {
		os.Setenv(flagsVar, "--xla_backend_optimization_level=0")
	}
}

// OpenSample returns a client like Open, for one of many small programs. XLA takes most of their
// time to compile them. In the short form only those with onXLA run on XLA, and the others run on
// the engine written in Go.
func OpenSample(t testing.TB, devices int, onXLA bool) *runtime.Client {
	t.Helper()
	if onXLA || longtest.Enabled() || !onCPU() {
		return Open(t, devices)
	}
	return open(t, kind{runtime.EngineGo, devices})
}

// onCPU reports whether tests run on the CPU's devices.
func onCPU() bool {
	name := os.Getenv(runtime.PlatformVar)
	return name == "" || name == hardware.CPU
}

// Main is m.Run for tests that start processes: in the short form these find what others
// of them have compiled.
func Main(m *testing.M) int {
	if os.Getenv(cacheVar) != inMemory || longtest.Asked() {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "gospmd-executables-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	os.Setenv(cacheVar, dir)
	return m.Run()
}
