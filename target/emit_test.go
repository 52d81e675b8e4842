package target_test

// This file checks, for every collective, that all descriptions of it agree: its row in the table
// of package ir, the StableHLO op that is emitted for it, its two implementations in Go, and what
// it sends; and that it runs on CPUs.

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/collective"
	"github.com/gospmd/gospmd/runtime/goengine"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
	"github.com/gospmd/gospmd/target"
)

// collectiveProgram returns a program with one collective of kind c, of 4x6 numbers, along the axis
// y of a 2x2 mesh, and its op. It sets the attributes by their kinds: the collective cuts dimension
// 0 and joins along dimension 1.
func collectiveProgram(t *testing.T, c *ir.CollectiveInfo) (*program.Program, *ir.Op) {
	m, err := ir.Parse("sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>\nfunc.func @main(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {\n  return %a : tensor<4x6xf32>\n}")
	require.NoError(t, err)
	dm, f := m.Meshes[0].Mesh, m.Main()
	dims := []int{4, 6}
	var attrs ir.Attrs
	for _, spec := range c.Attrs {
		value, known := map[ir.AttrKind]ir.Attr{
			ir.KindInt: ir.Int(1), ir.KindAxes: ir.AxesAttr(mesh.FullAxes("y")), ir.KindEnum: ir.Enum("add"),
			ir.KindSharding: ir.ShardingAttr{Sharding: shardFirst(dm, map[string]string{"from": "x", "to": "y"}[spec.Name])},
		}[spec.Kind]
		require.True(t, known || spec.Optional, "give attribute %s a value here", spec.Name)
		switch spec.Name {
		case c.Dims.Cut:
			value = ir.Int(0)
			dims[0] /= 2
		case c.Dims.Join:
			dims[1] *= 2
		}
		if !spec.Optional {
			attrs = append(attrs, ir.NamedAttr{Name: spec.Name, Value: value})
		}
	}
	op := ir.NewOp(c.Kind, f.Params(), attrs, []ir.Type{ir.Tensor(dtypes.Float32, dims...)})
	op.InsertBefore(f.Body.Terminator())
	f.Body.Terminator().SetOperand(0, op.Result())
	f.Results[0].Type = op.Result().Type
	require.NoError(t, ir.Verify(m), "%s", m)
	whole := func(v ir.Type) program.TensorInfo {
		return program.TensorInfo{Type: v, Local: v, Sharding: layout.Replicated(dm, v.Rank())}
	}
	return &program.Program{Name: "p", Form: program.PerDevice, Mesh: dm, Module: m,
		Inputs: []program.Input{{TensorInfo: whole(f.Params()[0].Type), Alias: -1}}, Outputs: []program.Output{{TensorInfo: whole(op.Result().Type)}}}, op
}

// shardFirst returns the sharding of a matrix whose dimension 0 is sharded by axis, or by nothing
// if axis is empty.
func shardFirst(m *mesh.DeviceMesh, axis string) *layout.Sharding {
	s := layout.Replicated(m, 2)
	if axis != "" {
		s.Dims[0].Axes = mesh.FullAxes(axis)
	}
	return s
}

// TestEveryCollective runs each collective of the table on the Go engine, by package
// runtime/collective and on XLA for CPUs. If XLA for CPUs does not run it, its row must name a kind
// of C, and runtime/ffi must implement that.
func TestEveryCollective(t *testing.T) {
	cpu := runtimetest.OpenWith(t, runtime.Options{Platform: hardware.CPU, Engine: runtimetest.Engine(), Devices: 4})
	for i := range ir.Collectives() {
		c := &ir.Collectives()[i]
		t.Run(c.Name, func(t *testing.T) {
			p, op := collectiveProgram(t, c)
			in := make([][]*interp.Tensor, p.Mesh.Size())
			for pos := range in {
				x := interp.New(op.Operands[0].Type)
				for k := range interp.Flat(x).([]float32) {
					interp.Flat(x).([]float32)[k] = float32(100*pos + k) // sums of these are exact
				}
				in[pos] = []*interp.Tensor{x}
			}
			want := runByHost(t, p, op, in)

			e, err := goengine.Load(p, goengine.Options{})
			require.NoError(t, err)
			got, err := e.Run(in)
			require.NoError(t, err)
			require.Equal(t, want, data(got), "the Go engine")
			require.Equal(t, cost.SentBytes(p.Mesh, op), e.Traffic()[0].Most(), "what the row says is sent, and what the Go engine counts")

			emitted, _ := target.Emit(p.Module, nil, 0)
			require.Equal(t, []ir.OpKind{c.Becomes.Kind}, collectiveKinds(emitted), "%s", emitted)
			cut, join := op.CollectiveDims()
			emitted.Main().Walk(func(op *ir.Op) {
				if op.Kind == c.Becomes.Kind {
					gotCut, gotJoin := op.CollectiveDims()
					require.Equal(t, [2]int{cut, join}, [2]int{gotCut, gotJoin})
				}
			})
			e, err = goengine.Load(&program.Program{Name: "p", Form: program.PerDevice, Mesh: p.Mesh, Module: emitted, Inputs: p.Inputs, Outputs: p.Outputs}, goengine.Options{})
			require.NoError(t, err)
			got, err = e.Run(in)
			require.NoError(t, err)
			require.Equal(t, want, data(got), "the Go engine, what is emitted:\n%s", emitted)

			shared := target.Share(p)
			require.Equal(t, c.Becomes.C == "", shared.Waits)
			require.Equal(t, c.Becomes.C != "", strings.Contains(string(shared.Text), target.SharedCall), "%s", shared.Text)

			what, err := collective.Of(op, p.Mesh)
			require.NoError(t, err)
			for _, process := range [][]int{{0, 0, 1, 1}, {0, 1, 0, 1}} {
				at := &program.Placement{Process: process}
				module, crossings := target.Emit(p.Module, at, 1)
				require.Equal(t, what.Crosses(at), len(crossings) == 1, "processes %v:\n%s", process, module)
			}

			results, err := runByClient(t, cpu, p, in)
			require.NoError(t, err, "XLA for CPUs does not run %s: if it never does, name a kind of C in Becomes of the row (now %q), and implement it in runtime/ffi", c.Kind, c.Becomes.C)
			require.Equal(t, want, results, "XLA for CPUs")
		})
	}
}

// runByClient runs p, a program with one input and one result, on c. in has the operands of each
// device. It returns the bytes of each device's result, by position.
func runByClient(t *testing.T, c *runtime.Client, p *program.Program, in [][]*interp.Tensor) ([][]byte, error) {
	// The devices hold the shards of an input and of a result, along dimension 0.
	rows := func(local ir.Type) program.TensorInfo {
		s := layout.Replicated(p.Mesh, local.Rank())
		s.Dims[0].Axes = mesh.FullAxes(p.Mesh.AxisNames()...)
		dims := slices.Clone(local.Dims)
		dims[0] *= p.Mesh.Size()
		return program.TensorInfo{Type: local.WithDims(dims), Local: local, Sharding: s}
	}
	input, output := rows(p.Inputs[0].Local), rows(p.Outputs[0].Local)
	e, err := c.Load(t.Context(), &program.Program{Name: "p", Form: p.Form, Mesh: p.Mesh, Module: p.Module,
		Inputs: []program.Input{{TensorInfo: input, Alias: -1}}, Outputs: []program.Output{{TensorInfo: output}}})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	var flat []float32
	for _, x := range in {
		flat = append(flat, interp.Flat(x[0]).([]float32)...)
	}
	a, err := c.Put(input.Type, input.Sharding, flat)
	require.NoError(t, err)
	results, err := e.Run(a)
	if err != nil {
		return nil, err
	}
	got, err := runtime.Values[float32](t.Context(), results[0])
	if err != nil {
		return nil, err
	}
	var out [][]byte
	for part := range slices.Chunk(got, output.Local.Size()) {
		x := interp.New(output.Local)
		copy(interp.Flat(x).([]float32), part)
		out = append(out, x.Data)
	}
	return out, nil
}

// runByHost runs op, a collective of p, by package runtime/collective, with all devices in one
// process. in has the operands of each device; only the first one is used. It returns the bytes of
// each device's result, by position.
func runByHost(t *testing.T, p *program.Program, op *ir.Op, in [][]*interp.Tensor) [][]byte {
	what, err := collective.Of(op, p.Mesh)
	require.NoError(t, err)
	var operands, results [][]collective.Tensor
	var out [][]byte
	for _, x := range in {
		z := op.Result().Type
		out = append(out, interp.Alloc(z.MemoryBytes()))
		operands = append(operands, []collective.Tensor{{DType: x[0].Type.DType, Dims: x[0].Type.Dims, Data: x[0].Data}})
		results = append(results, []collective.Tensor{{DType: z.DType, Dims: z.Dims, Data: out[len(out)-1]}})
	}
	require.NoError(t, what.Run(context.Background(), nil, 1, nil, operands, results))
	return out
}

func data(results [][]*interp.Tensor) (out [][]byte) {
	for _, r := range results {
		out = append(out, r[0].Data)
	}
	return out
}

// collectiveKinds returns the kinds of the collectives in the module's function main, in order.
func collectiveKinds(m *ir.Module) (kinds []ir.OpKind) {
	m.Main().Walk(func(op *ir.Op) {
		if op.Info().Is(ir.Collective) {
			kinds = append(kinds, op.Kind)
		}
	})
	return kinds
}
