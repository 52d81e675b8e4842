package runtimetest

// This file says how often XLA compiles what tests run, and with which effort: most of
// their time is its.

import (
	"fmt"
	"os"
	"testing"

	"github.com/gospmd/gospmd/internal/longtest"
	"github.com/gospmd/gospmd/runtime"
)

const (
	cacheVar = "GOSPMD_COMPILATION_CACHE"
	inMemory = "memory"
	flagsVar = "XLA_FLAGS"
)

// What tests run is compiled, once in a process: it is not kept from one run to the next.
// In their short form LLVM does not optimize what XLA makes of a program, which takes
// half of the time; XLA's own passes are those of other programs. Where the environment
// says otherwise, it has its way.
func init() {
	if os.Getenv(cacheVar) == "" {
		os.Setenv(cacheVar, inMemory)
	}
	onCPU := os.Getenv(runtime.PlatformVar) == "" || os.Getenv(runtime.PlatformVar) == "cpu"
	if os.Getenv(flagsVar) == "" && onCPU && !longtest.Asked() {
		os.Setenv(flagsVar, "--xla_backend_optimization_level=0")
	}
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
