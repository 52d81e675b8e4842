package compile

// This file lets the external tests run one pass on a per-device module.

import (
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/program"
)

// RunSPMDPass runs the named pass on a copy of a per-device module, then drops
// dead ops. A parameter of main lies as its sharding says.
func RunSPMDPass(m *ir.Module, name string) (*ir.Module, error) {
	u := &unit{m: m.Clone(), mesh: m.Meshes[0].Mesh}
	for _, p := range u.main().Params() {
		s := p.Sharding
		if s == nil {
			s = layout.Replicated(u.mesh, p.Type.Rank())
		}
		u.inputs = append(u.inputs, program.Input{TensorInfo: program.TensorInfo{Sharding: s}, Alias: -1})
	}
	for _, p := range passes {
		if p.name != name || p.tail&spmd == 0 {
			continue
		}
		if err := u.run(p); err != nil {
			return nil, err
		}
		return u.m, u.run(pass{name: "dce", run: dce})
	}
	return nil, fmt.Errorf("no pass %q", name)
}

// OwnShards returns, for each dynamic_slice of main, whether it cuts out the
// device's own shard.
func OwnShards(m *ir.Module) (out []bool) {
	m.Main().Walk(func(op *ir.Op) {
		if op.Kind == ir.OpDynamicSlice {
			_, ok := ownShardOf(m.Meshes[0].Mesh, op)
			out = append(out, ok)
		}
	})
	return out
}
