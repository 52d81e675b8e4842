package aot_test

// This file tests the errors that are made of the compilers' messages about programs that are too
// large.

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/aot"
)

func TestBinaryBytes(t *testing.T) {
	for text, want := range map[string]int{
		"0B": 0, "512": 512, "1.5K": 1536, "244.50M": 256_376_832, "15.75G": 16_911_433_728, "15.75GiB": 16_911_433_728, "2T": 2 << 40, "": 0, "many": 0,
	} {
		require.Equal(t, want, aot.BinaryBytes(text), text)
	}
}

func message(t *testing.T, name string) string {
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return string(text)
}

// OutOfMemory reads the message of libtpu 0.0.51, which names no tensors: the error lists the
// largest tensors by our estimate.
func TestOutOfMemoryTotal(t *testing.T) {
	p := compileFile(t, "testdata/quickstart.mlir", "")
	e := aot.OutOfMemory(message(t, "hbm_total.txt"), p, target(t, "v5e:2x4"), 16909332480)
	require.Equal(t, 42<<30, e.Required)
	require.Equal(t, 16909332480, e.Limit)
	require.True(t, e.Estimated)
	require.Equal(t, aot.Tensor{Bytes: 784 * 50 * 4, Shape: "784x50xf32", Layer: "input d1/kernel"}, e.Largest[0])
	require.ErrorContains(t, e, "out of memory: a device must hold 45.1 GB, and programs may use 16.9 GB of it; the largest tensors, by gospmd's estimate:\n"+
		"  156.8 kB     784x50xf32     input d1/kernel\n")
	require.Contains(t, e.Compiler, "CompileTimeHbmOom")
}

// OutOfMemory reads the message with a list of allocations, which users report of other versions.
// libtpu 0.0.51 still contains its words, but we have not seen it print them: this text is composed
// after the reports.
func TestOutOfMemoryAllocations(t *testing.T) {
	e := aot.OutOfMemory(message(t, "hbm_allocations.txt"), nil, target(t, "v5e:2x4"), 0)
	require.Equal(t, aot.BinaryBytes("19.22G"), e.Required)
	require.Equal(t, aot.BinaryBytes("15.48G"), e.Limit)
	require.Equal(t, []aot.Tensor{
		{Bytes: 4 << 30, Shape: "f32[32,8,2048,2048]", Layer: "block0/attention/dot_general"},
		{Bytes: 512 << 20, Shape: "bf16[2048,131072]"},
	}, e.Largest)
	require.False(t, e.Estimated)
	require.Nil(t, aot.OutOfMemory("Scoped Vmem out of memory", nil, target(t, "v5e:2x4"), 0))
}

// TooLargeError returns an error for a program that needs more memory than a device has, because
// the compiler for GPUs compiles such programs.
func TestTooLarge(t *testing.T) {
	p := compileFile(t, "testdata/quickstart.mlir", "")
	e := &aot.Executable{Target: target(t, "h100:8"), MemoryLimit: 80 << 30, Memory: aot.Memory{Arguments: 50 << 30, Outputs: 50 << 30, Aliases: 50 << 30, Temporary: 30 << 30}}
	require.Nil(t, e.TooLargeError(p))
	e.Memory.Temporary++
	oom := e.TooLargeError(p)
	require.Equal(t, 80<<30+1, oom.Required)
	require.ErrorContains(t, oom, "(the compiler for GPUs refuses no program; this is its own figure)")
}
