package trace_test

// This file runs recorded modules through package runtime.

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/runtimetest"
)

// load hands a recorded module to the engine as it stands, without gospmd's
// compiler, for one device, and returns a function that runs it. The test is
// skipped where there is no engine.
func load(t *testing.T, m *ir.Module) func(in ...tensor) []tensor {
	t.Helper()
	client := runtimetest.Open(t, 1)
	device, err := mesh.New(nil, nil, nil)
	require.NoError(t, err)
	port := func(name string, typ ir.Type) program.TensorInfo {
		return program.TensorInfo{Name: name, Type: typ, Local: typ, Sharding: layout.Replicated(device, typ.Rank())}
	}
	p := &program.Program{Name: m.Name, Form: program.PerDevice, Mesh: device, Module: m}
	for _, v := range m.Main().Params() {
		p.Inputs = append(p.Inputs, program.Input{TensorInfo: port(v.Name, v.Type), Alias: -1})
	}
	for _, r := range m.Main().Results {
		p.Outputs = append(p.Outputs, program.Output{TensorInfo: port(r.Name, r.Type)})
	}
	exe, err := client.Load(context.Background(), p)
	require.NoError(t, err, "%s", m)
	t.Cleanup(func() { require.NoError(t, exe.Close()) })
	return func(in ...tensor) []tensor {
		args := make([]*runtime.Array, len(in))
		for i, x := range in {
			args[i], err = client.Put(x.irType(), p.Inputs[i].Sharding, x.flat)
			require.NoError(t, err)
			defer args[i].Release()
		}
		results, err := exe.Run(args...)
		require.NoError(t, err)
		out := make([]tensor, len(results))
		for i, r := range results {
			flat, err := r.Get(context.Background())
			require.NoError(t, err)
			out[i] = tensor{r.Type().Dims, flat}
			r.Release()
		}
		return out
	}
}
