//go:build cgo

package runtime_test

// This file tests the compilation cache on PJRT. A program from the cache computes what the
// compiled one computes. Faults of the cache's files only cause warnings.

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/cache"
	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// openCached returns a client of 4 devices with a compilation cache in dir, which keeps programs
// that compile fast too, and where its warnings go.
func openCached(t *testing.T, dir string) (*runtime.Client, *bytes.Buffer) {
	t.Helper()
	needPJRT(t)
	runtimetest.Need(t, 4)
	runtime.KeepAll(t)
	warnings := new(bytes.Buffer)
	c := runtimetest.OpenWith(t, runtime.Options{Devices: 4, Engine: runtime.EnginePJRT, CompilationCache: dir, Logger: slog.New(slog.NewTextHandler(warnings, nil))})
	return c, warnings
}

// entries returns the files of a cache.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.executable"))
	require.NoError(t, err)
	return files
}

var cachedStep = mlp{batch: 64, in: 32, hidden: 64, out: 16, rate: 0.1, donate: true}

// A program is compiled once. Other clients load it from the cache. They compute the same bits, use
// the same memory, and donate the same arguments.
func TestCompilationCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "executables")
	var losses [][]float32
	var memory []runtime.MemoryStats
	for i := range 3 {
		c, warnings := openCached(t, dir)
		e := load(t, c, cachedStep.compile(t, mesh.MustParse("data=4")))
		require.Equal(t, i > 0, e.FromCache())
		losses = append(losses, cachedStep.losses(t, c, e, 20, 7))
		m, err := e.Memory()
		require.NoError(t, err)
		memory = append(memory, m)
		require.Empty(t, warnings.String())
		require.Len(t, entries(t, dir), 1)
	}
	require.Equal(t, losses[0], losses[1])
	require.Equal(t, losses[0], losses[2])
	require.Equal(t, memory[0], memory[1])
	require.Positive(t, memory[0].Aliases)
	require.Less(t, losses[0][19], losses[0][0])
}

// A program that differs in its devices, in a constant or in donation is not taken from the cache,
// nor is one by a client with other devices. A program that differs only in line numbers, or in the
// names of its results, is.
func TestCompilationCacheKeys(t *testing.T) {
	dir := t.TempDir()
	c, _ := openCached(t, dir)
	reordered, err := mesh.New([]int{4}, []string{"data"}, []int{3, 2, 1, 0})
	require.NoError(t, err)
	other, kept := cachedStep, cachedStep
	other.rate, kept.donate = 0.2, false
	for i, p := range []*program.Program{
		cachedStep.compile(t, mesh.MustParse("data=4")), cachedStep.compile(t, mesh.MustParse("data=2")), cachedStep.compile(t, nil),
		cachedStep.compile(t, reordered), other.compile(t, nil), kept.compile(t, nil),
	} {
		require.False(t, load(t, c, p).FromCache(), "program %d", i)
		require.True(t, load(t, c, p).FromCache(), "program %d", i)
	}
	const text = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  %0 = stablehlo.tanh %a : tensor<2xf32> loc(\"net.go\":LINE:0)\n  return %0 : tensor<2xf32>\n}"
	require.False(t, load(t, c, parse(t, strings.ReplaceAll(text, "LINE", "7"))).FromCache())
	require.True(t, load(t, c, parse(t, strings.ReplaceAll(text, "LINE", "8"))).FromCache())
	const named = "func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32> {jax.result_info = \"LAYER/kernel\"}) {\n  %0 = stablehlo.sine %a : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}"
	require.False(t, load(t, c, parse(t, strings.ReplaceAll(named, "LAYER", "dense"))).FromCache())
	require.True(t, load(t, c, parse(t, strings.ReplaceAll(named, "LAYER", "dense_1"))).FromCache())
	runtimetest.Need(t, 8)
	eight := runtimetest.OpenWith(t, runtime.Options{Devices: 8, Engine: runtime.EnginePJRT, CompilationCache: dir})
	require.False(t, load(t, eight, cachedStep.compile(t, mesh.MustParse("data=4"))).FromCache(), "a client with other devices")
}

// A program from the compilation cache finds the handlers of LAPACK's custom calls, and computes
// the same as when it was compiled.
func TestCompilationCacheCustomCalls(t *testing.T) {
	dir := t.TempDir()
	const text = `func.func @main(%a: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {api_version = 4 : i32, backend_config = {uplo = 76 : ui8}, mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
  return %0#0 : tensor<3x3xf32>
}`
	var want []float32
	for i := range 2 {
		c, _ := openCached(t, dir)
		p := parse(t, text)
		e := load(t, c, p)
		require.Equal(t, i > 0, e.FromCache())
		a, err := c.Put(p.Inputs[0].Type, p.Inputs[0].Sharding, []float32{4, 2, 2, 2, 5, 3, 2, 3, 6})
		require.NoError(t, err)
		out, err := e.Run(a)
		require.NoError(t, err)
		got, err := runtime.Values[float32](context.Background(), out[0])
		require.NoError(t, err)
		require.InDelta(t, 2, got[0], 1e-6)
		require.InDelta(t, 1, got[3], 1e-6)
		if i > 0 {
			require.Equal(t, want, got)
		}
		want = got
	}
}

// An entry of the compilation cache that is damaged, or that others can write, is compiled again,
// with one warning, and stored again; the losses stay the same.
func TestCompilationCacheDamaged(t *testing.T) {
	dir := t.TempDir()
	c, _ := openCached(t, dir)
	p := cachedStep.compile(t, nil)
	want := cachedStep.losses(t, c, load(t, c, p), 3, 1)
	file := entries(t, dir)[0]
	good, err := os.ReadFile(file)
	require.NoError(t, err)
	key, ok := cache.KeyOfFile(file)
	require.True(t, ok)
	for what, damage := range map[string]func() error{
		"its header says": func() error {
			return os.WriteFile(file, append(good[:len(good)-1:len(good)-1], good[len(good)-1]^1), 0o600)
		},
		"want a header":      func() error { return os.Truncate(file, 10) },
		"other users":        func() error { return os.Chmod(file, 0o666) },
		"XLA does not load ": func() error { return putInstead(dir, key, []byte("no executable")) },
	} {
		require.NoError(t, damage())
		c, warnings := openCached(t, dir)
		e := load(t, c, p)
		require.False(t, e.FromCache(), what)
		require.Contains(t, warnings.String(), "gospmd: a program is compiled again, what was kept of it is passed over: ")
		require.Contains(t, warnings.String(), what)
		require.Equal(t, 1, strings.Count(warnings.String(), "\n"))
		require.Equal(t, want, cachedStep.losses(t, c, e, 3, 1))
		require.True(t, load(t, c, p).FromCache(), what)
	}
}

// putInstead replaces the entry with the key k of the cache in dir by content.
func putInstead(dir string, k cache.Key, content []byte) error {
	c, err := cache.Open(dir, 1<<30)
	if err != nil {
		return err
	}
	return c.Put(k, content)
}

// If the directory is not writable, programs run, and one warning says why they are not cached.
func TestCompilationCacheNotWritable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	c, warnings := openCached(t, file)
	require.False(t, load(t, c, cachedStep.compile(t, nil)).FromCache())
	require.Contains(t, warnings.String(), "gospmd: compiled programs are not kept: ")
	require.Contains(t, warnings.String(), "set GOSPMD_COMPILATION_CACHE to a directory, or to off")

	dir := filepath.Join(t.TempDir(), "x")
	c, warnings = openCached(t, dir)
	require.NoError(t, os.Remove(dir))
	require.NoError(t, os.WriteFile(dir, nil, 0o600))
	for range 2 {
		require.False(t, load(t, c, cachedStep.compile(t, nil)).FromCache())
	}
	require.Equal(t, 1, strings.Count(warnings.String(), "gospmd: compiled programs are not kept: "), "%s", warnings)
}

// The directory of the options is used before that of the environment, and this before the user's
// cache; "off" turns the cache off. A limit that is no number is an error.
func TestCompilationCacheDirectory(t *testing.T) {
	needPJRT(t)
	runtime.KeepAll(t)
	plugin := pluginPath(t)
	options, environment, user := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", user)
	users := filepath.Join(user, "gospmd", "executables")
	for i, tc := range []struct {
		option, variable string
		want             []int // number of entries in each directory
	}{
		{"off", environment, []int{0, 0, 0}}, {"", "off", []int{0, 0, 0}}, {options, "off", []int{1, 0, 0}}, {"", environment, []int{1, 1, 0}}, {"", "", []int{1, 1, 1}},
	} {
		t.Setenv("GOSPMD_COMPILATION_CACHE", tc.variable)
		c, err := runtime.Open(context.Background(), runtime.Options{Engine: runtime.EnginePJRT, CompilationCache: tc.option, Plugin: plugin})
		require.NoError(t, err)
		require.False(t, load(t, c, cachedStep.compile(t, nil)).FromCache())
		require.NoError(t, c.Close())
		var have []int
		for _, dir := range []string{options, environment, users} {
			have = append(have, len(entries(t, dir)))
		}
		require.Equal(t, tc.want, have, "case %d", i)
	}
	t.Setenv("GOSPMD_COMPILATION_CACHE_LIMIT", "much")
	_, err := runtime.Open(context.Background(), runtime.Options{Engine: runtime.EnginePJRT, Plugin: plugin})
	require.ErrorContains(t, err, `GOSPMD_COMPILATION_CACHE_LIMIT: got size "much", want a number of bytes`)
	t.Setenv("GOSPMD_COMPILATION_CACHE_LIMIT", "1kB")
	c, err := runtime.Open(context.Background(), runtime.Options{Engine: runtime.EnginePJRT, CompilationCache: options, Plugin: plugin})
	require.NoError(t, err)
	require.False(t, load(t, c, cachedStep.compile(t, nil)).FromCache(), "it is larger than the limit")
	require.NoError(t, c.Close())
}

// The clients of a process must share what they keep in memory.
func TestCompilationCacheInMemory(t *testing.T) {
	made := cachedStep
	inMemoryRuns++
	made.rate += 1e-4 * float64(inMemoryRuns) // a program that no earlier run of this test has stored: entries stay until the process ends
	var losses [][]float32
	for i := range 2 {
		c, warnings := openCached(t, "memory")
		e := load(t, c, made.compile(t, mesh.MustParse("data=4")))
		require.Equal(t, i > 0, e.FromCache())
		losses = append(losses, made.losses(t, c, e, 20, 7))
		require.Empty(t, warnings.String())
	}
	require.Equal(t, losses[0], losses[1])
}

var inMemoryRuns int

// Four clients load and compile the same programs at the same time, through one cache: all compute
// the same, without warnings, and one entry for each program is left.
func TestCompilationCacheTogether(t *testing.T) {
	dir := t.TempDir()
	steps := []mlp{cachedStep, {batch: 32, in: 8, hidden: 16, out: 4, rate: 0.1}}
	programs := []*program.Program{steps[0].compile(t, nil), steps[1].compile(t, nil)}
	results := make([][2][]float32, 4)
	var running sync.WaitGroup
	for i := range results {
		c, warnings := openCached(t, dir)
		running.Go(func() {
			for k, p := range programs {
				e, err := c.Load(context.Background(), p)
				if assert.NoError(t, err) {
					results[i][k] = steps[k].losses(t, c, e, 3, 1)
				}
			}
			assert.Empty(t, warnings.String())
		})
	}
	running.Wait()
	for _, r := range results {
		require.Equal(t, results[0], r)
	}
	require.Len(t, entries(t, dir), 2)
}

// jobVar is an environment variable. It holds the address of the job and the rank of a process of
// TestCompilationCacheAcrossProcesses.
const jobVar = "GOSPMD_TEST_CACHE_JOB"

// A program from the cache, on a mesh that spans processes, calls the collectives of the process
// that loads it. Its results equal the compiled program's.
func TestCompilationCacheAcrossProcesses(t *testing.T) {
	needPJRT(t)
	if os.Getenv(jobVar) != "" {
		beProcess(t)
		return
	}
	dir := t.TempDir()
	var results []string
	for range 2 {
		address := jobtest.FreeAddress(t)
		var outs [2][]byte
		var running sync.WaitGroup
		for rank := range outs {
			cmd := exec.Command(os.Args[0], "-test.run=^TestCompilationCacheAcrossProcesses$", "-test.v")
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d", jobVar, address, rank), "GOSPMD_COMPILATION_CACHE="+dir)
			running.Go(func() {
				var err error
				outs[rank], err = cmd.CombinedOutput()
				assert.NoError(t, err, "%s", outs[rank])
			})
		}
		running.Wait()
		var lines []string
		for _, out := range outs {
			for line := range strings.Lines(string(out)) {
				if rest, ok := strings.CutPrefix(line, "RESULT "); ok {
					lines = append(lines, rest)
				}
			}
		}
		require.Len(t, lines, 4)
		results = append(results, strings.Join(lines, ""))
	}
	require.Contains(t, results[0], "false")
	require.Equal(t, strings.ReplaceAll(results[0], "false", "true"), results[1])
}

// beProcess is what each of two processes does: it joins the job that jobVar names, trains two
// programs on four devices, and prints whether each came from the cache, and its losses.
func beProcess(t *testing.T) {
	runtime.KeepAll(t)
	var address string
	var rank int
	_, err := fmt.Sscan(os.Getenv(jobVar), &address, &rank)
	require.NoError(t, err)
	c, err := runtime.Open(context.Background(), runtime.Options{
		Platform: "cpu", Devices: 2, Engine: runtime.EnginePJRT, JobAddresses: address, NumProcesses: 2, ProcessID: rank, Transport: jobtest.Transport(t),
	})
	require.NoError(t, err)
	for _, rate := range []float64{0.1, 0.3} {
		s := cachedStep
		s.rate = rate
		e := load(t, c, s.compile(t, mesh.MustParse("data=4")))
		fmt.Println("RESULT", e.FromCache(), s.losses(t, c, e, 5, 3))
	}
	require.NoError(t, c.Close())
}
