package compile_test

// This file tests inputs and outputs in the memory of the host.

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// momentumStep is a training step of a kernel of 256 KiB and a bias, with a momentum for each.
const momentumStep = `
sdy.mesh @mesh = <["data"=4]>
func.func @main(%x: tensor<8x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>, gospmd.role = "data"},
    %w: tensor<256x256xf32> {tf.aliasing_output = 0 : i32, gospmd.role = "parameter"},
    %m: tensor<256x256xf32> {tf.aliasing_output = 1 : i32, gospmd.role = "optimizer"},
    %b: tensor<256xf32> {tf.aliasing_output = 2 : i32, gospmd.role = "parameter"},
    %n: tensor<256xf32> {tf.aliasing_output = 3 : i32, gospmd.role = "optimizer"}) ->
    (tensor<256x256xf32>, tensor<256x256xf32>, tensor<256xf32>, tensor<256xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x256xf32>, tensor<256x256xf32>) -> tensor<8x256xf32>
  %bias = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<256xf32>) -> tensor<8x256xf32>
  %z = stablehlo.add %y, %bias : tensor<8x256xf32>
  %g = stablehlo.dot_general %x, %z, contracting_dims = [0] x [0] : (tensor<8x256xf32>, tensor<8x256xf32>) -> tensor<256x256xf32>
  %h = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x256xf32>, tensor<f32>) -> tensor<256xf32>
  %m2 = stablehlo.add %m, %g : tensor<256x256xf32>
  %n2 = stablehlo.add %n, %h : tensor<256xf32>
  %w2 = stablehlo.subtract %w, %m2 : tensor<256x256xf32>
  %b2 = stablehlo.subtract %b, %n2 : tensor<256xf32>
  return %w2, %m2, %b2, %n2 : tensor<256x256xf32>, tensor<256x256xf32>, tensor<256xf32>, tensor<256xf32>
}`

func compileStep(t *testing.T, text string, o compile.Options) (*program.Program, error) {
	m, err := ir.Parse(text)
	require.NoError(t, err)
	return compile.Compile(t.Context(), m, o)
}

// hostMomentum is the program of momentumStep for GPUs with Options.OffloadOptimizer: its large
// momentum is in the host's memory.
func hostMomentum(t *testing.T) *program.Program {
	p, err := compileStep(t, momentumStep, compile.Options{OffloadOptimizer: true, Platform: hardware.CUDA})
	require.NoError(t, err)
	return p
}

// Only the large slot moves. It is fetched and stored once. Reports count it in the memory of the
// host instead of the devices', and its moves over the link to the host. Program files keep its
// memory.
func TestOffloadOptimizer(t *testing.T) {
	p := hostMomentum(t)
	require.Empty(t, p.Diagnostics)
	var memories []ir.MemoryKind
	for i, in := range p.Inputs {
		memories = append(memories, in.Memory)
		if in.Donated() {
			require.Equal(t, in.Memory, p.Outputs[in.Alias].Memory)
		}
		require.Equal(t, in.Memory, p.Module.Main().ParamMemory(i))
	}
	require.Equal(t, []ir.MemoryKind{"", "", ir.PinnedHost, "", ""}, memories)
	moves := map[ir.MemoryKind]int{}
	p.Module.Main().Walk(func(op *ir.Op) {
		if kind, ok := op.Placement(); ok {
			moves[kind]++
		}
	})
	require.Equal(t, map[ir.MemoryKind]int{ir.DeviceMemory: 1, ir.PinnedHost: 1}, moves)

	var file bytes.Buffer
	require.NoError(t, p.Write(&file))
	read, err := program.Read(bytes.NewReader(file.Bytes()), int64(file.Len()))
	require.NoError(t, err)
	require.Equal(t, ir.PinnedHost, read.Inputs[2].Memory)
	require.Equal(t, ir.PinnedHost, read.Outputs[1].Memory)

	gpus, err := hardware.ParseTarget("h100:8")
	require.NoError(t, err)
	machine, err := cost.MachineFor(gpus, p.Mesh)
	require.NoError(t, err)
	plain, err := compileStep(t, momentumStep, compile.Options{Platform: hardware.CUDA})
	require.NoError(t, err)
	of, on := report.NewFor(p, machine), report.NewFor(plain, machine)
	const slot = 256 * 256 * 4
	require.Equal(t, slot, of.Memory.Host)
	require.Zero(t, on.Memory.Host)
	require.Zero(t, of.Memory.Moved, "the slot stays on the host")
	require.Equal(t, on.Memory.Optimizer-slot, of.Memory.Optimizer)
	require.Greater(t, of.Prediction.Seconds, on.Prediction.Seconds)
	require.Contains(t, of.Prediction.Links, cost.LinkTime{Kind: "PCIe", Bytes: 2 * slot, Count: 2, Seconds: 2 * (machine.Host.Latency + slot/machine.Host.Bandwidth)})
}

// Three steps give the bits of the program without the option, the first from momenta in the memory
// of devices. XLA for CPUs has pinned memory of the host too, but not the ops that move values
// there and back; without them it computes the same.
func TestOffloadedRuns(t *testing.T) {
	plain, err := compileStep(t, momentumStep, compile.Options{Platform: hardware.CUDA})
	require.NoError(t, err)
	runtimetest.Need(t, 4)
	engines := []string{runtime.EngineGo}
	if runtime.HasPJRT { // built with cgo
		engines = append(engines, runtime.EnginePJRT)
	}
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			c := runtimetest.OpenWith(t, runtime.Options{Devices: 4, Engine: engine})
			p := hostMomentum(t)
			if engine == runtime.EnginePJRT {
				p.Module.Main().Walk(func(op *ir.Op) {
					if _, ok := op.Placement(); ok {
						op.ReplaceWith(op.Operands[0])
					}
				})
			}
			require.Equal(t, threeSteps(t, c, plain), threeSteps(t, c, p))
		})
	}
}

// manySlots is a training step of four kernels, each with a momentum. The momenta decay before the
// gradients are there, as XLA's simplifications may order them, and all updates are at the end. If
// looped is true, a loop reads the second momentum as well.
func manySlots(looped bool) string {
	const kernel = "tensor<256x256xf32>"
	var params, body, results []string
	for i := range 4 {
		params = append(params, fmt.Sprintf(`%%w%d: %s {tf.aliasing_output = %d : i32, gospmd.role = "parameter"}, %%m%d: %s {tf.aliasing_output = %d : i32, gospmd.role = "optimizer"}`,
			i, kernel, 2*i, i, kernel, 2*i+1))
		body = append(body, fmt.Sprintf("%%d%d = stablehlo.multiply %%m%d, %%beta : %s", i, i, kernel))
		results = append(results, fmt.Sprintf("%%v%d, %%n%d", i, i))
	}
	if looped {
		body = append(body, fmt.Sprintf(`%%c = stablehlo.constant dense<1> : tensor<i32>
%%r:2 = stablehlo.while(%%i = %%c, %%s = %%x) : tensor<i32>, tensor<8x256xf32>
cond {
  %%go = stablehlo.compare LT, %%i, %%c : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.return %%go : tensor<i1>
} do {
  %%k = stablehlo.add %%i, %%c : tensor<i32>
  %%t = stablehlo.dot_general %%s, %%d1, contracting_dims = [1] x [0] : (tensor<8x256xf32>, %[1]s) -> tensor<8x256xf32>
  stablehlo.return %%k, %%t : tensor<i32>, tensor<8x256xf32>
}`, kernel))
	}
	read := "%x"
	if looped {
		read = "%r#1"
	}
	for i := range 4 {
		body = append(body, fmt.Sprintf(`%%y%[1]d = stablehlo.dot_general %[3]s, %%w%[1]d, contracting_dims = [1] x [0] : (tensor<8x256xf32>, %[2]s) -> tensor<8x256xf32>
%%g%[1]d = stablehlo.dot_general %%x, %%y%[1]d, contracting_dims = [0] x [0] : (tensor<8x256xf32>, tensor<8x256xf32>) -> %[2]s`, i, kernel, read))
	}
	for i := range 4 {
		body = append(body, fmt.Sprintf("%%n%[1]d = stablehlo.add %%d%[1]d, %%g%[1]d : %[2]s\n%%v%[1]d = stablehlo.subtract %%w%[1]d, %%n%[1]d : %[2]s", i, kernel))
	}
	types := strings.TrimSuffix(strings.Repeat(kernel+", ", 8), ", ")
	return fmt.Sprintf(`sdy.mesh @mesh = <["data"=4]>
func.func @main(%%x: tensor<8x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>, gospmd.role = "data"}, %s) -> (%s) {
%%beta = stablehlo.constant dense<0.9> : %s
%s
return %s : %s
}`, strings.Join(params, ", "), types, kernel, strings.Join(body, "\n"), strings.Join(results, ", "), types)
}

// Slots on the host take turns: a fetch stands behind the gradient and behind the store of the slot
// before the last. A fetch whose value something else reads earlier stays where it is. The bits are
// those of the program without the option.
func TestSlotsTakeTurns(t *testing.T) {
	for _, looped := range []bool{false, true} {
		t.Run(fmt.Sprint("looped ", looped), func(t *testing.T) {
			plain, err := compileStep(t, manySlots(looped), compile.Options{Platform: hardware.CUDA})
			require.NoError(t, err)
			p, err := compileStep(t, manySlots(looped), compile.Options{OffloadOptimizer: true, Platform: hardware.CUDA})
			require.NoError(t, err)
			var fetches, stores []*ir.Op
			for op := range p.Module.Main().Body.Ops() {
				if kind, ok := op.Placement(); ok && kind == ir.DeviceMemory {
					fetches = append(fetches, op)
				} else if ok {
					stores = append(stores, op)
				}
			}
			require.Len(t, fetches, 4)
			require.Len(t, stores, 4)
			require.True(t, stores[0].IsBefore(fetches[2]))
			require.True(t, stores[1].IsBefore(fetches[3]))
			for i, f := range fetches {
				require.Equal(t, looped && i == 0, f.Operands[0].IsArg(), "fetch %d waits for nothing", i)
			}
			runtimetest.Need(t, 4)
			c := runtimetest.OpenWith(t, runtime.Options{Devices: 4, Engine: runtime.EngineGo})
			require.Equal(t, threeSteps(t, c, plain), threeSteps(t, c, p))
		})
	}
}

// threeSteps runs p, a program of momentumStep, three times on c, each time on the results of the
// run before. It returns flat slices: of x, the first input, and of the last results. The first
// inputs are small fixed numbers.
func threeSteps(t *testing.T, c *runtime.Client, p *program.Program) (out []any) {
	exe, err := c.Load(t.Context(), runtimetest.AnyTarget(p))
	require.NoError(t, err)
	defer func() { require.NoError(t, exe.Close()) }()
	args := make([]*runtime.Array, len(p.Inputs))
	for i, in := range p.Inputs {
		flat := make([]float32, in.Type.Size())
		for j := range flat {
			flat[j] = float32((i+7*j)%13) / 64
		}
		args[i], err = c.Put(in.Type, in.Sharding, flat)
		require.NoError(t, err)
	}
	for range 3 {
		results, err := exe.Run(args...)
		require.NoError(t, err)
		copy(args[1:], results)
	}
	for _, a := range args {
		flat, err := a.Get(t.Context())
		require.NoError(t, err)
		out = append(out, flat)
		a.Release()
	}
	return out
}

// jaxStep is what JAX 0.10.2 exports for a step whose slot has memory_kind "pinned_host".
const jaxStep = `
sdy.mesh @mesh = <["data"=2]>
func.func public @main(%arg0: tensor<8xf32> {mhlo.memory_kind = "device", sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, %arg1: tensor<8xf32> {mhlo.memory_kind = "pinned_host", sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, %arg2: tensor<8xf32> {mhlo.memory_kind = "device", sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}) -> (tensor<8xf32> {jax.result_info = "result[0]", mhlo.memory_kind = "device", sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, tensor<8xf32> {jax.result_info = "result[1]", mhlo.memory_kind = "pinned_host", sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}) {
  %cst = stablehlo.constant dense<0.899999976> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.multiply %arg1, %0 : tensor<8xf32>
  %2 = stablehlo.add %1, %arg2 : tensor<8xf32>
  %5 = stablehlo.subtract %arg0, %2 : tensor<8xf32>
  %6 = stablehlo.custom_call @annotate_device_placement(%5) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<8xf32>) -> tensor<8xf32>
  %7 = stablehlo.custom_call @annotate_device_placement(%2) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<8xf32>) -> tensor<8xf32>
  return %6, %7 : tensor<8xf32>, tensor<8xf32>
}`

// The memories that JAX states are kept for targets that have them. JAX's own moves are not
// doubled, and the argument gets the one that JAX leaves out.
func TestMemoryKindsOfJAX(t *testing.T) {
	for platform, want := range map[string]ir.MemoryKind{hardware.CUDA: ir.PinnedHost, hardware.TPU: ir.PinnedHost, hardware.CPU: ir.DeviceMemory} {
		p, err := compileStep(t, jaxStep, compile.Options{Platform: platform})
		require.NoError(t, err)
		require.Equal(t, []ir.MemoryKind{"", want, ""}, []ir.MemoryKind{p.Inputs[0].Memory, p.Inputs[1].Memory, p.Inputs[2].Memory})
		require.Equal(t, []ir.MemoryKind{"", want}, []ir.MemoryKind{p.Outputs[0].Memory, p.Outputs[1].Memory})
		moves := 0
		if want == ir.PinnedHost {
			moves = 3
		}
		require.Equal(t, moves, strings.Count(string(p.Module.Text(ir.PrintOptions{})), "@annotate_device_placement"), "%s", p.Module)
	}
}

// OffloadOptimizer on CPUs, or without a state of the optimizer, gives a warning. It is an error
// with XLA's partitioner. So are an unknown memory, a donated input in another memory than its
// output, and the host's memory with XLA's partitioner.
func TestOffloadRefused(t *testing.T) {
	p, err := compileStep(t, momentumStep, compile.Options{OffloadOptimizer: true, Platform: hardware.CPU})
	require.NoError(t, err)
	require.Len(t, p.Diagnostics, 1)
	require.Contains(t, p.Diagnostics[0].String(), "OffloadOptimizer: it has no effect for the target cpu")
	p, err = compileStep(t, strings.ReplaceAll(momentumStep, `"optimizer"`, `"state"`), compile.Options{OffloadOptimizer: true, Platform: hardware.CUDA})
	require.NoError(t, err)
	require.Contains(t, p.Diagnostics[0].String(), "no donated input has the role optimizer")
	_, err = compileStep(t, momentumStep, compile.Options{OffloadOptimizer: true, Partitioner: compile.XLA})
	require.ErrorContains(t, err, "Options.OffloadOptimizer is set, but XLA's partitioner")

	stated := strings.Replace(momentumStep, "%m: tensor<256x256xf32> {", `%m: tensor<256x256xf32> {mhlo.memory_kind = "KIND", `, 1)
	for _, tc := range []struct {
		kind string
		o    compile.Options
		want string
	}{
		{"hbm", compile.Options{}, `input "arg2" has mhlo.memory_kind = hbm: want "device", "pinned_host" or "unpinned_host"`},
		{"pinned_host", compile.Options{Platform: hardware.CUDA}, `input "arg2" is in the memory pinned_host, and output "result1", which takes it over, in device`},
		{"pinned_host", compile.Options{Platform: hardware.CUDA, Partitioner: compile.XLA}, "the partitioner xla keeps all in the device's"},
	} {
		_, err := compileStep(t, strings.Replace(stated, "KIND", tc.kind, 1), tc.o)
		require.ErrorContains(t, err, tc.want)
	}
}
