package compile

// This file lets the external tests run one pass on a per-device module.

import (
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/program"
)

// RunSPMDPass runs the named pass on a copy of a per-device module, then drops
// dead ops. A parameter of main is sharded as it says.
func RunSPMDPass(m *ir.Module, name string) (*ir.Module, error) {
	c := &compilation{module: m.Clone(), mesh: m.Meshes[0].Mesh, options: Options{Partitioner: SPMD}}
	for _, p := range c.main().Params() {
		s := p.Sharding
		if s == nil {
			s = layout.Replicated(c.mesh, p.Type.Rank())
		}
		c.inputs = append(c.inputs, program.Input{TensorInfo: program.TensorInfo{Sharding: s}, Alias: -1})
	}
	for _, p := range passes {
		if p.name == name && p.in&spmd != 0 {
			err := c.run([]pipelinePass{p, {"dce", spmd, "", onMain(dce)}})
			return c.module, err
		}
	}
	return nil, fmt.Errorf("no pass %q", name)
}

// LocalShards returns, for each dynamic_slice of main, whether it computes the
// device's local shard.
func LocalShards(m *ir.Module) (out []bool) {
	m.Main().Walk(func(op *ir.Op) {
		if op.Kind == ir.OpDynamicSlice {
			_, ok := localShardOf(m.Meshes[0].Mesh, op)
			out = append(out, ok)
		}
	})
	return out
}
