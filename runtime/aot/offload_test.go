package aot_test

// This file tests offloads: whether a compiler that drops them is found out, and whether those for
// TPUs and GPUs keep them.

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/aot"
)

// slotStep is a step whose slot of 256 KiB is its only state of the optimizer.
const slotStep = `
sdy.mesh @mesh = <["data"=8]>
func.func @main(%g: tensor<256x256xf32> {gospmd.role = "data"}, %m: tensor<256x256xf32> {tf.aliasing_output = 0 : i32, gospmd.role = "optimizer"}) -> tensor<256x256xf32> {
  %0 = stablehlo.add %m, %g : tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}`

func offloaded(t *testing.T, platform string) *program.Program {
	m, err := ir.Parse(slotStep)
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{OffloadOptimizer: true, Platform: platform})
	require.NoError(t, err)
	return p
}

// signature returns the HloModuleProto of a module with two parameters and one result, which are in
// the memories with these numbers.
func signature(first, second, result uint64) []byte {
	shape := func(space uint64) []byte {
		return field(5, protowire.AppendVarint(protowire.AppendTag(nil, 8, protowire.VarintType), space)) // layout.memory_space
	}
	var out []byte
	out = append(out, field(1, shape(first))...)
	out = append(out, field(1, shape(second))...)
	return field(4, append(out, field(2, shape(result))...))
}

// A compiler's module that has the slot, or its new value, in the memory of the device is an error
// that names them; so is one without a signature.
func TestDroppedOffload(t *testing.T) {
	p := offloaded(t, hardware.TPU)
	require.NoError(t, aot.DroppedOffload(p, signature(0, 5, 5)))
	for _, tc := range []struct {
		hlo  []byte
		want []string
	}{
		{signature(0, 0, 5), []string{`input "arg1"`}},
		{signature(0, 5, 0), []string{`output "result0"`}},
		{signature(5, 1, 0), []string{`input "arg1"`, `output "result0"`}},
		{nil, []string{`input "arg1"`, `output "result0"`}},
	} {
		err := aot.DroppedOffload(p, tc.hlo)
		var dropped *aot.OffloadError
		require.ErrorAs(t, err, &dropped)
		require.Equal(t, tc.want, dropped.Names)
		require.ErrorContains(t, err, "the compiler has dropped offloads: it keeps "+tc.want[0])
	}
}

// The compilers for TPUs and GPUs keep the slot on the host: the arguments in the memory of a
// device are about one tensor, the gradient, and the outputs there less than an eighth of one. The
// peak leaves out the slot on the host: besides the gradient it has room for the slot's copies.
func TestOffload(t *testing.T) {
	for _, name := range []string{"v5e:2x4", "h100:8"} {
		t.Run(name, func(t *testing.T) {
			e, err := compileFor(t, offloaded(t, target(t, name).Chip.Platform), name)
			require.NoError(t, err)
			const tensor = 256 * 256 * 4
			require.InDelta(t, tensor, e.Memory.Arguments, tensor/8) // the gradient
			require.Less(t, e.Memory.Outputs, tensor/8)
			require.Less(t, e.Memory.Peak, e.Memory.Arguments+2*tensor+tensor/8)
		})
	}
}

// movingStep moves a value to the host, and reads it again later.
const movingStep = `
func.func @main(%x: tensor<256x256xf32>, %w: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32> loc("net/b0")
  %y = stablehlo.tanh %h : tensor<256x256xf32> loc("net/b0")
  %z = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32> loc("net/b1")
  %a = stablehlo.tanh %z : tensor<256x256xf32> loc("net/b1")
  %g = stablehlo.dot_general %a, %w, contracting_dims = [1] x [1] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32> loc("grad(net/b1)")
  %d = stablehlo.multiply %g, %y : tensor<256x256xf32> loc("grad(net/b0)")
  %n = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32> loc("grad(net/b0)")
  return %n : tensor<256x256xf32>
}`

// moving returns the program of movingStep for a platform, with a policy that moves the first
// layer's value to the host.
func moving(t *testing.T, platform string) *program.Program {
	m, err := ir.Parse(movingStep)
	require.NoError(t, err)
	policies := memory.NewPolicies()
	require.NoError(t, policies.Set("net/b0", memory.Offload))
	p, err := compile.Compile(t.Context(), m, compile.Options{Platform: platform, MemoryPolicies: policies})
	require.NoError(t, err)
	require.True(t, p.Fitting.Has(program.Offload))
	return p
}

// instruction returns a computation of an HloModuleProto with one instruction: the opcode, with a
// result of two parts, the first in the memory with that number.
func instruction(opcode string, space uint64) []byte {
	layout := protowire.AppendVarint(protowire.AppendTag(nil, 8, protowire.VarintType), space)
	shape := append(field(4, field(5, layout)), field(4, nil)...)
	return field(3, field(2, append(field(2, []byte(opcode)), field(3, shape)...)))
}

// A compiler's module that moves no value to the host, where the program moves one, is an error that
// tells both numbers. A copy from the host is no such move.
func TestDroppedMoves(t *testing.T) {
	p := moving(t, hardware.TPU)
	require.NoError(t, aot.DroppedOffload(p, instruction("copy-start", 5)))
	for name, hlo := range map[string][]byte{"empty": nil, "from the host": instruction("copy-start", 0), "another op": instruction("add", 5)} {
		t.Run(name, func(t *testing.T) {
			err := aot.DroppedOffload(p, hlo)
			var dropped *aot.OffloadError
			require.ErrorAs(t, err, &dropped)
			require.Equal(t, &aot.OffloadError{Values: 1}, dropped)
			require.ErrorContains(t, err, "the compiler has dropped offloads: it moves 0 values to the host, and the program 1")
		})
	}
}

// The compilers for TPUs and GPUs move the value to the host: Compile finds the copy in their
// modules.
func TestMoves(t *testing.T) {
	for _, name := range []string{"v5e:2x4", "h100:8"} {
		t.Run(name, func(t *testing.T) {
			_, err := compileFor(t, moving(t, target(t, name).Chip.Platform), name)
			require.NoError(t, err)
		})
	}
}
