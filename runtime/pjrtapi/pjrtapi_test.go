//go:build cgo

package pjrtapi_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/go-xla/pjrt"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/runtime/pjrtapi"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// cc runs the C compiler with args, for a file of testdata, and go-xla's PJRT header in its path.
// It fails the test if the compiler does.
func cc(t *testing.T, args ...string) {
	t.Helper()
	header := needs.PJRTHeader(t)
	out, err := exec.Command("cc", append([]string{"-I", header}, args...)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func TestLayout(t *testing.T) {
	cc(t, "-fsyntax-only", filepath.Join("testdata", "layout.c"))
}

// open returns a new client of XLA's plugin for CPUs, with so many devices. It is destroyed at the
// end of the test. It skips the test if there is no plugin.
func open(t *testing.T, devices int) *pjrt.Client {
	t.Helper()
	path, err := plugin.Find(context.Background(), plugin.Options{Platform: "cpu"})
	if err != nil {
		needs.Plugin(t, "cpu", err)
	}
	p, err := pjrtapi.Load(path)
	require.NoError(t, err)
	again, err := pjrtapi.Load(path)
	require.NoError(t, err)
	require.Same(t, p, again)
	require.Equal(t, path, p.Path())
	c, err := p.NewClient(pjrt.NamedValuesMap{"cpu_device_count": int64(devices)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Destroy()) })
	require.Len(t, c.Devices, devices)
	require.Equal(t, "cpu", c.Devices[0].Kind)
	return c.Client
}

func TestMain(m *testing.M) {
	os.Setenv("TF_CPP_MIN_LOG_LEVEL", "3") // hides XLA's log lines about damaged executables
	os.Exit(m.Run())
}

// text is a program for two devices, in which each device adds tanh of the vectors of two elements
// that both devices have. The argument is donated.
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

// execute runs exe, a program of one vector of two elements on devices 2 and 1 of c, on the vectors
// 0, 0.3 and 1, 0.3, which are donated. It returns the elements of the results of devices 2 and 1.
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

// An execution can be started although its donated argument is still being computed. Its result
// must be right when both executions have ended.
func TestStart(t *testing.T) {
	const size = 4096 // smaller computations run in the caller's thread
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
	launch := func(id int32) pjrtapi.Launch {
		return pjrtapi.Launch{ID: id, Tell: true, Failed: func(device int, err error) { t.Errorf("device %d: %v", device, err) }}
	}
	goesOn := false
	for n := int64(1000); !goesOn && n < 1<<24; n *= 4 {
		first, one, err := pjrtapi.Start(exe.Execute(put(make([]float32, size), size), put([]int64{n})).Donate(0), launch(1))
		require.NoError(t, err)
		second, other, err := pjrtapi.Start(exe.Execute(first[0], put([]int64{3})).Donate(0), launch(2))
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

// Another client with the same number of devices loads a serialized program. It computes the same
// results, and uses the same memory.
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

// If Load of the Compilation fails, or the function given to Compile does nothing, the plugin
// compiles the program.
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

// The error of a program that the plugin does not compile has the plugin's message.
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

// With a plugin that lacks serialization, Compile works, and Load and Serialize return an error
// that names the function it lacks.
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

// ExampleCompile loads and runs a program that was compiled and serialized before.
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
