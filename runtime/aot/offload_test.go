package aot_test

// This file tests offloads: whether a compiler that drops them is found out, and whether those for
// TPUs and GPUs keep them.

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/gospmd/gospmd/compile"
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
