package target_test

// This file checks the module in which each value has its own collective.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime/goengine"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
	"github.com/gospmd/gospmd/target"
)

// Three of four gathered values are small: an accelerator gets one gather for these three, with the
// same results as four gathers.
func TestGatherTogether(t *testing.T) {
	for _, dim := range []string{"0", "1"} {
		global := map[string][4]string{"0": {"8x3xf32", "4x5xf32", "4x2xf32", "4x4097xf32"}, "1": {"2x12xf32", "1x20xf32", "1x8xf32", "1x16388xf32"}}[dim]
		m, err := ir.Parse(`sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<2x3xf32>, %b: tensor<1x5xf32>, %c: tensor<1x2xf32>, %d: tensor<1x4097xf32>) -> (tensor<` + global[0] + `>, tensor<` + global[1] + `>, tensor<` + global[2] + `>, tensor<` + global[3] + `>) {
  %0:4 = spmd.all_gather %a, %b, %c, %d dim=` + dim + ` axes={"y"} : (tensor<2x3xf32>, tensor<1x5xf32>, tensor<1x2xf32>, tensor<1x4097xf32>) -> (tensor<` + global[0] + `>, tensor<` + global[1] + `>, tensor<` + global[2] + `>, tensor<` + global[3] + `>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<` + global[0] + `>, tensor<` + global[1] + `>, tensor<` + global[2] + `>, tensor<` + global[3] + `>
}`)
		require.NoError(t, err)
		dm, f := m.Meshes[0].Mesh, m.Main()
		p := &program.Program{Name: "gathers", Form: program.PerDevice, Mesh: dm, Module: m}
		info := func(v ir.Type) program.TensorInfo {
			return program.TensorInfo{Type: v, Local: v, Sharding: layout.Replicated(dm, v.Rank())}
		}
		for _, v := range f.Params() {
			p.Inputs = append(p.Inputs, program.Input{TensorInfo: info(v.Type), Alias: -1})
		}
		for _, r := range f.Results {
			p.Outputs = append(p.Outputs, program.Output{TensorInfo: info(r.Type)})
		}
		in := make([][]*interp.Tensor, dm.Size())
		for pos := range in {
			for _, v := range f.Params() {
				x := interp.New(v.Type)
				for k := range interp.Flat(x).([]float32) {
					interp.Flat(x).([]float32)[k] = float32(100000*pos + k)
				}
				in[pos] = append(in[pos], x)
			}
		}
		emitted, err := ir.Parse(string(target.TPU.Text(p)))
		require.NoError(t, err)
		require.Equal(t, []ir.OpKind{ir.OpAllGather, ir.OpAllGather}, collectiveKinds(emitted), "%s", emitted)
		var want [][]*interp.Tensor
		for _, module := range []*ir.Module{m, emitted} {
			e, err := goengine.Load(&program.Program{Name: "p", Form: program.PerDevice, Mesh: dm, Module: module, Inputs: p.Inputs, Outputs: p.Outputs}, goengine.Options{})
			require.NoError(t, err)
			got, err := e.Run(in)
			require.NoError(t, err)
			if want == nil {
				want = got
			}
			for pos := range want {
				for i := range want[pos] {
					require.Equal(t, want[pos][i].Data, got[pos][i].Data, "dim %s, device %d, result %d", dim, pos, i)
				}
			}
		}
	}
}
