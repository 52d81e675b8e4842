package runtimetest

// This file sets how the programs of tests are compiled: the verification, the cache, and XLA's
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
	debugVar = "GOSPMD_DEBUG" // package compile reads it
)

// quick are flags of XLA's compiler for CPUs that save more than half of its time. LLVM does not
// optimize. MLIR does not make the code of fusions: it starts for each program, and the start
// takes longer than the code. XLA's own passes run as always.
const quick = "--xla_backend_optimization_level=0 --xla_cpu_use_fusion_emitters=false --xla_cpu_parallel_codegen_split_count=1"

// These are the settings of tests. Our compiler verifies the module after each pass. XLA compiles
// each program once in a process, and executables are not kept for later runs. In the short form
// XLA compiles quickly. Variables that the user has set take precedence.
func init() {
	if os.Getenv(debugVar) == "" {
		os.Setenv(debugVar, "verify=each")
	}
	if os.Getenv(cacheVar) == "" {
		os.Setenv(cacheVar, inMemory)
	}
	if !longtest.Asked() {
		CompileQuickly()
	}
}

// CompileQuickly lets XLA compile quickly in the long form, too. It is for packages whose tests
// compare the results of many small programs, or of large ones that run a few times. Call it in an
// init function, or before the first client opens: XLA reads its flags once. Tests of packages
// runtime, checkpoint and internal/testing/difftest, and of examples/quickstart and examples/mnist
// do not call it: in the long form their programs are compiled as users' are.
func CompileQuickly() {
	if os.Getenv(flagsVar) == "" && onCPU() {
		os.Setenv(flagsVar, quick)
	}
}

// OpenSample returns a client like Open, for one of many small programs. Most of the time of such
// tests is XLA's compilation. So in the short form only programs with onXLA run on XLA, and the
// others run on the engine written in Go.
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

// Main is m.Run, for tests that start processes. In the short form these processes share a
// compilation cache.
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
