//go:build cgo

package pjrtapi_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/go-xla/pjrt"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/pjrtapi"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// cc compiles a C file of testdata with go-xla's header of PJRT.
func cc(t *testing.T, args ...string) {
	t.Helper()
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/gomlx/go-xla").Output()
	if err != nil {
		t.Skip("the go command does not find go-xla's header: ", err)
	}
	out, err := exec.Command("cc", append([]string{"-I", filepath.Join(strings.TrimSpace(string(module)), "pjrt")}, args...)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func TestLayout(t *testing.T) {
	cc(t, "-fsyntax-only", filepath.Join("testdata", "layout.c"))
}

// open returns a client of XLA's plugin for CPUs.
func open(t *testing.T, devices int) *pjrt.Client {
	t.Helper()
	path, err := plugin.Find(context.Background(), plugin.Options{Platform: "cpu"})
	if err != nil {
		t.Skip("there is no plugin: ", err)
	}
	p, err := pjrtapi.Load(path)
	require.NoError(t, err)
	again, err := pjrtapi.Load(path)
	require.NoError(t, err)
	require.Same(t, p, again)
	require.Equal(t, path, p.Path())
	p.KeepMemory()
	c, err := p.NewClient(pjrt.NamedValuesMap{"cpu_device_count": int64(devices)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Destroy()) })
	require.Len(t, c.Devices, devices)
	require.Equal(t, "cpu", c.Devices[0].Kind)
	return c.Client
}

func TestMain(m *testing.M) {
	os.Setenv("TF_CPP_MIN_LOG_LEVEL", "3") // what XLA says of damaged executables
	os.Exit(m.Run())
}

// text is of a program in which each device adds what the others have.
const text = `func.func @main(%a: tensor<2xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2xf32> {
  %0 = stablehlo.tanh %a : tensor<2xf32>
  %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}`

func config(c *pjrt.Client, text string) *pjrt.CompileConfig {
	return c.Compile().WithStableHLO([]byte(text)).WithSPMD(2).WithDeviceAssignment([]int{2, 1})
}

// execute runs a program on devices 2 and 1 of a client and returns all elements.
func execute(t *testing.T, c *pjrt.Client, exe *pjrt.LoadedExecutable) (values []float32) {
	t.Helper()
	var args []*pjrt.Buffer
	for i, device := range []int{2, 1} {
		b, err := c.BufferFromHost().FromFlatDataWithDimensions([]float32{float32(i), 0.3}, []int{2}).ToDeviceNum(device).Done()
		require.NoError(t, err)
		args = append(args, b)
	}
	outs, err := exe.Execute(args...).Donate(0, 1).Done()
	require.NoError(t, err)
	for _, out := range outs {
		flat, _, err := pjrt.BufferToArray[float32](out)
		require.NoError(t, err)
		values = append(values, flat...)
	}
	return values
}

// An execution is started although what is donated to it is still computed, and is there when
// both have ended.
func TestStart(t *testing.T) {
	const size = 4096 // what computes much less runs in the thread of the caller
	const count = `func.func @main(%x: tensor<4096xf32> {tf.aliasing_output = 0 : i32}, %n: tensor<i64>) -> tensor<4096xf32> {
  %one = stablehlo.constant dense<1> : tensor<i64>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %ones = stablehlo.constant dense<1.0> : tensor<4096xf32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i64>, tensor<4096xf32>
    cond {
      %1 = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %i, %one : tensor<i64>
      %2 = stablehlo.add %y, %ones : tensor<4096xf32>
      stablehlo.return %1, %2 : tensor<i64>, tensor<4096xf32>
    }
  return %0#1 : tensor<4096xf32>
}`
	c := open(t, 1)
	exe, err := c.Compile().WithStableHLO([]byte(count)).Done()
	require.NoError(t, err)
	put := func(flat any, dims ...int) *pjrt.Buffer {
		b, err := c.BufferFromHost().FromFlatDataWithDimensions(flat, dims).Done()
		require.NoError(t, err)
		return b
	}
	goesOn := false
	for n := int64(1000); !goesOn && n < 1<<24; n *= 4 {
		first, one, err := pjrtapi.Start(exe.Execute(put(make([]float32, size), size), put([]int64{n})).Donate(0))
		require.NoError(t, err)
		second, other, err := pjrtapi.Start(exe.Execute(first[0], put([]int64{3})).Donate(0))
		require.NoError(t, err)
		goesOn = !one.Ended() && !other.Ended()
		require.NoError(t, other.Wait())
		require.NoError(t, one.Wait())
		flat, _, err := pjrt.BufferToArray[float32](second[0])
		require.NoError(t, err)
		require.Equal(t, slices.Repeat([]float32{float32(n + 3)}, size), flat)
	}
	require.True(t, goesOn, "the second execution was started when the first had ended")
}

// What was serialized is loaded by another client of as many devices, and computes the
// same in as much memory.
func TestLoad(t *testing.T) {
	c := open(t, 3)
	var stored []byte
	fresh, err := pjrtapi.Compile(config(c, text), func(call *pjrtapi.Compilation) {
		require.Equal(t, text, string(call.Program()))
		require.NotEmpty(t, call.Options())
		require.True(t, call.Compile())
		var err error
		stored, err = call.Serialize()
		require.NoError(t, err)
	})
	require.NoError(t, err)
	want := execute(t, c, fresh)

	other := open(t, 3)
	loaded, err := pjrtapi.Compile(config(other, text), func(call *pjrtapi.Compilation) {
		require.NoError(t, call.Load(stored))
	})
	require.NoError(t, err)
	require.Equal(t, want, execute(t, other, loaded))
	require.Equal(t, fresh.OnDeviceMemoryUsageStats, loaded.OnDeviceMemoryUsageStats)
	require.Positive(t, fresh.OnDeviceMemoryUsageStats.Aliases)
}

// A program that cannot be loaded is compiled, as is one for which nothing is done.
func TestLoadFails(t *testing.T) {
	c := open(t, 3)
	for _, how := range []func(*pjrtapi.Compilation){
		func(*pjrtapi.Compilation) {},
		func(call *pjrtapi.Compilation) { require.Error(t, call.Load([]byte("no executable"))) },
		func(call *pjrtapi.Compilation) { require.Error(t, call.Load(nil)) },
	} {
		exe, err := pjrtapi.Compile(config(c, text), how)
		require.NoError(t, err)
		require.Len(t, execute(t, c, exe), 4)
	}
}

// What the plugin says of a program that it does not compile reaches the caller.
func TestCompileFails(t *testing.T) {
	c := open(t, 3)
	_, err := pjrtapi.Compile(config(c, "no module"), func(call *pjrtapi.Compilation) {
		require.False(t, call.Compile())
		require.PanicsWithValue(t, "BUG: pjrtapi: a program is serialized that was not compiled", func() { _, _ = call.Serialize() })
		require.PanicsWithValue(t, "BUG: pjrtapi: a program is compiled twice", func() { call.Compile() })
		require.PanicsWithValue(t, "BUG: pjrtapi: a program is loaded that is compiled already", func() { _ = call.Load(nil) })
	})
	require.ErrorContains(t, err, "custom op 'no' is unknown")
	_, direct := config(c, "no module").Done()
	require.EqualError(t, err, direct.Error())
}

// What a library takes and gives back comes from the blocks that are kept, however the
// library refers to malloc's functions.
func TestBlocks(t *testing.T) {
	main := filepath.Join(t.TempDir(), "blocks")
	cc(t, "-g", "-O1", "-o", main, filepath.Join("testdata", "blocks.c"), "blocks.c", "-ldl", "-lpthread")
	for _, binding := range []string{"lazy", "now"} {
		library := main + "." + binding
		cc(t, "-shared", "-fPIC", "-O1", "-Wl,-z,relro,-z,"+binding, "-o", library, filepath.Join("testdata", "library.c"))
		out, err := exec.Command(main, library).CombinedOutput()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 2 {
			t.Skip("no blocks are kept on this system")
		}
		require.NoError(t, err, "%s: %s", binding, out)
	}
}

// A run takes the memory that the one before it gave back: its pages are not new, of which
// even huge ones would be more.
func TestKeepMemory(t *testing.T) {
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "MALLOC_") || strings.HasPrefix(v, "GLIBC_TUNABLES=") {
			t.Skip("memory is left to glibc: ", v)
		}
	}
	c := open(t, 1)
	exe, err := c.Compile().WithStableHLO([]byte(`func.func @main() -> tensor<32000000xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<32000000xf32>
  return %0 : tensor<32000000xf32>
}`)).Done()
	require.NoError(t, err)
	faults := func(runs int) int64 {
		var before, after syscall.Rusage
		require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &before))
		for range runs {
			results, err := exe.Execute().Done()
			require.NoError(t, err)
			require.NoError(t, results[0].Destroy())
		}
		require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &after))
		return after.Minflt - before.Minflt
	}
	faults(10)
	require.Less(t, faults(20), int64(600), "new pages; there are 62 huge pages in a block, 31,250 others")
}

// Plugins need not serialize.
func TestPluginDoesNotSerialize(t *testing.T) {
	file := filepath.Join(t.TempDir(), "old.so")
	cc(t, "-shared", "-fPIC", "-o", file, filepath.Join("testdata", "old.c"))
	p, err := pjrtapi.Load(file)
	require.NoError(t, err)
	c, err := p.NewClient(nil)
	require.NoError(t, err)
	require.Equal(t, []pjrtapi.Device{{Kind: "abacus", Memory: 1 << 20}, {Kind: "tape"}, {Kind: "slate"}}, c.Devices)
	exe, err := pjrtapi.Compile(c.Compile().WithStableHLO([]byte(text)), func(call *pjrtapi.Compilation) {
		require.EqualError(t, call.Load(nil), "it has no PJRT_Executable_DeserializeAndLoad")
		require.True(t, call.Compile())
		_, err = call.Serialize()
		require.EqualError(t, err, "it has no PJRT_Executable_Serialize")
	})
	require.NoError(t, err)
	require.Equal(t, "nothing", exe.Name)
	_, err = pjrtapi.Compile(c.Compile().WithStableHLO([]byte("\n")), func(*pjrtapi.Compilation) {})
	require.ErrorContains(t, err, "it is empty")
}

func TestLoadRefuses(t *testing.T) {
	_, err := pjrtapi.Load("absent.so")
	require.ErrorContains(t, err, "absent.so")
	file := filepath.Join(t.TempDir(), "none.so")
	source := file + ".c"
	require.NoError(t, os.WriteFile(source, []byte("int nothing;\n"), 0o644))
	cc(t, "-shared", "-fPIC", "-o", file, source)
	_, err = pjrtapi.Load(file)
	require.EqualError(t, err, file+" is no PJRT plugin: it has no GetPjrtApi")
}

// A program that was compiled before is loaded from bytes.
func ExampleCompile() {
	path, err := plugin.Find(context.Background(), plugin.Options{Platform: "cpu"})
	if err != nil {
		panic(err)
	}
	p, err := pjrtapi.Load(path)
	if err != nil {
		panic(err)
	}
	c, err := p.NewClient(nil)
	if err != nil {
		panic(err)
	}
	const double = `func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %a : tensor<f32>
  return %0 : tensor<f32>
}`
	var stored []byte
	_, err = pjrtapi.Compile(c.Compile().WithStableHLO([]byte(double)), func(call *pjrtapi.Compilation) {
		if call.Compile() {
			stored, err = call.Serialize()
		}
	})
	if err != nil {
		panic(err)
	}
	exe, err := pjrtapi.Compile(c.Compile().WithStableHLO([]byte(double)), func(call *pjrtapi.Compilation) {
		err = call.Load(stored)
	})
	if err != nil {
		panic(err)
	}
	x, err := c.BufferFromHost().FromRawData([]byte{0, 0, 128, 63}, dtypes.Float32, nil).Done() // 1
	if err != nil {
		panic(err)
	}
	out, err := exe.Execute(x).Done()
	if err != nil {
		panic(err)
	}
	value, err := pjrt.BufferToScalar[float32](out[0])
	fmt.Println(value, err)
	// Output: 2 <nil>
}
