//go:build cgo

package trace_test

// This file runs recorded modules on the CPU through package runtime.

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

var openClient = sync.OnceValues(func() (*runtime.Client, error) {
	return runtime.Open(context.Background(), runtime.Options{})
})

// load compiles a recorded module as it stands, without gospmd's compiler, for
// one device and returns a function that runs it.
func load(t *testing.T, m *ir.Module) func(in ...tensor) []tensor {
	t.Helper()
	client, err := openClient()
	require.NoError(t, err)
	one, err := mesh.New(nil, nil, nil)
	require.NoError(t, err)
	p := &compile.Program{Name: m.Name, Form: compile.PerDevice, Mesh: one, Module: m}
	port := func(name string, typ ir.Type) compile.Port {
		return compile.Port{Name: name, Type: typ, Local: typ, Sharding: layout.Replicated(one, typ.Rank())}
	}
	for _, v := range m.Main().Params() {
		p.Inputs = append(p.Inputs, compile.Input{Port: port(v.Name, v.Type), Alias: -1})
	}
	for _, r := range m.Main().Results {
		p.Outputs = append(p.Outputs, compile.Output{Port: port(r.Name, r.Type)})
	}
	exe, err := client.Load(context.Background(), p)
	require.NoError(t, err, "%s", m)
	t.Cleanup(func() { require.NoError(t, exe.Close()) })
	return func(in ...tensor) []tensor {
		args := make([]*runtime.Array, len(in))
		for i, x := range in {
			args[i], err = client.Put(x.irType(), p.Inputs[i].Sharding, x.flat)
			require.NoError(t, err)
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
		for _, a := range args {
			a.Release()
		}
		return out
	}
}
