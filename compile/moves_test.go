package compile_test

// This file tests values that are moved to the host, or kept in fewer bits, until the backward pass
// reads them.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/memory"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// layered returns a training step of so many layers net/b0, net/b1, …, each a product and a tanh.
// main gets the batch x and a weight of each layer; its results are the new weights.
func layered(t *testing.T, layers, batch, width int) *ir.Module {
	x, w := fmt.Sprintf("tensor<%dx%dxf32>", batch, width), fmt.Sprintf("tensor<%dx%dxf32>", width, width)
	var params, body, results, types strings.Builder
	line := func(path, format string, args ...any) {
		fmt.Fprintf(&body, format+" loc(%q)\n", append(args, path)...)
	}
	h := "x"
	for i := range layers {
		path := fmt.Sprint("net/b", i)
		fmt.Fprintf(&params, ", %%w%d: %s", i, w)
		line(path, "%%a%d = stablehlo.dot_general %%%s, %%w%d, contracting_dims = [1] x [0] : (%s, %s) -> %s", i, h, i, x, w, x)
		h = fmt.Sprint("h", i)
		line(path, "%%%s = stablehlo.tanh %%a%d : %s", h, i, x)
	}
	g := h
	for i := layers - 1; i >= 0; i-- {
		path, before := fmt.Sprintf("grad(net/b%d)", i), "x"
		if i > 0 {
			before = fmt.Sprint("h", i-1)
		}
		line(path, "%%s%d = stablehlo.multiply %%h%d, %%h%d : %s", i, i, i, x)
		line(path, "%%e%d = stablehlo.multiply %%s%d, %%%s : %s", i, i, g, x)
		line(path, "%%d%d = stablehlo.dot_general %%%s, %%e%d, contracting_dims = [0] x [0] : (%s, %s) -> %s", i, before, i, x, x, w)
		g = fmt.Sprint("g", i)
		line(path, "%%%s = stablehlo.dot_general %%e%d, %%w%d, contracting_dims = [1] x [1] : (%s, %s) -> %s", g, i, i, x, w, x)
		line("sgd", "%%n%d = stablehlo.subtract %%w%d, %%d%d : %s", i, i, i, w)
	}
	for i := range layers {
		fmt.Fprintf(&results, ", %%n%d", i)
		fmt.Fprintf(&types, ", %s", w)
	}
	list := types.String()[2:]
	m, err := ir.Parse(fmt.Sprintf("func.func @main(%%x: %s%s) -> (%s) {\n%sreturn %s : %s\n}", x, params.String(), list, body.String(), results.String()[2:], list))
	require.NoError(t, err)
	return m
}

// onChip returns the options of a program for one device of the target.
func onChip(t *testing.T, name string) compile.Options {
	on, err := hardware.ParseTarget(name)
	require.NoError(t, err)
	one, err := mesh.New(nil, nil, nil)
	require.NoError(t, err)
	machine, err := cost.MachineFor(on, one)
	require.NoError(t, err)
	return compile.Options{Platform: on.Chip.Platform, Machine: machine, MicroBatches: 1}
}

func policies(t *testing.T, key string, action program.Action) *memory.Policies {
	p := memory.NewPolicies()
	require.NoError(t, p.Set(key, action))
	return p
}

// moves returns how many values p moves to the host, and how many from there.
func moves(p *program.Program) (stored, fetched int) {
	p.Module.Main().Walk(func(op *ir.Op) {
		if kind, ok := op.Placement(); ok && kind.OnHost() {
			stored++
		} else if ok {
			fetched++
		}
	})
	return stored, fetched
}

// values returns the values of p with the action.
func values(p *program.Program, action program.Action) (list []program.Crossing) {
	for _, v := range p.Fitting.Values {
		if v.Action == action {
			list = append(list, v)
		}
	}
	return list
}

// requireSameRun requires that two programs compute the same bits, on the Go engine.
func requireSameRun(t *testing.T, want, got *program.Program) {
	t.Helper()
	client := openInterpreted(t, 1)
	inputs := numbersFor(want)
	require.Equal(t, runOn(t, client, want, inputs), runOn(t, client, got, inputs))
}

// A policy of Offload moves the layers' values to the host and back, once each, on TPUs and GPUs.
// The peak falls, the report names the values with the time of their moves, files keep them, and
// the results are the same bits.
func TestOffloadByPolicy(t *testing.T) {
	for _, name := range []string{"v5e:2x4", "h100:8"} {
		t.Run(name, func(t *testing.T) {
			o := onChip(t, name)
			free, err := compile.Compile(t.Context(), layered(t, 8, 2048, 64), o)
			require.NoError(t, err)
			o.MemoryPolicies = policies(t, "net/b[0-5]", memory.Offload)
			p, err := compile.Compile(t.Context(), layered(t, 8, 2048, 64), o)
			require.NoError(t, err)
			require.Empty(t, p.Diagnostics)
			stored, fetched := moves(p)
			require.Equal(t, []int{6, 6}, []int{stored, fetched})
			list := values(p, memory.Offload)
			require.Len(t, list, 6)
			for i, v := range list {
				require.Equal(t, fmt.Sprint("net/b", i), v.Layer)
				require.Equal(t, `policy "net/b[0-5]"`, v.By)
				require.Positive(t, v.Seconds)
			}
			require.Less(t, p.Fitting.After, p.Fitting.Before)
			require.Positive(t, p.Fitting.Seconds)
			require.Contains(t, report.NewFor(p, o.Machine).String(), "  offload ")

			var file bytes.Buffer
			require.NoError(t, p.Write(&file))
			read, err := program.Read(bytes.NewReader(file.Bytes()), int64(file.Len()))
			require.NoError(t, err)
			require.Equal(t, p.Fitting, read.Fitting)
			requireSameRun(t, free, p)
		})
	}
}

// Where devices compute in the memory of the host, a policy of Offload changes nothing, which is a
// warning.
func TestOffloadWithoutHostMemory(t *testing.T) {
	m := layered(t, 3, 1024, 64)
	p, err := compile.Compile(t.Context(), m, compile.Options{Platform: hardware.CPU, MemoryPolicies: policies(t, "net/b0", memory.Offload)})
	require.NoError(t, err)
	require.Contains(t, p.Diagnostics[0].String(), "memory policies: offload has no effect for the target cpu")
	stored, _ := moves(p)
	require.Zero(t, stored)
}

// A limit moves values to the host if their moves are hidden behind other work, or are faster than
// computing the values again, and computes values again on a machine with a slow link. Both compute
// the same bits.
func TestLimitChoosesTheCheaperAction(t *testing.T) {
	for _, tc := range []struct {
		name string
		link float64 // a part of the usual bandwidth
		want program.Action
	}{{"fast link", 100, memory.Offload}, {"slow link", 0.001, memory.Recompute}} {
		t.Run(tc.name, func(t *testing.T) {
			o := onChip(t, "h100:8")
			machine := *o.Machine
			machine.Host.Bandwidth *= tc.link
			machine.Host.Latency = 0
			o.Machine = &machine
			free, err := compile.Compile(t.Context(), layered(t, 8, 1024, 64), o)
			require.NoError(t, err)
			o.MemoryLimit = report.NewFor(free, o.Machine).Memory.Peak * 7 / 10
			p, err := compile.Compile(t.Context(), layered(t, 8, 1024, 64), o)
			require.NoError(t, err)
			require.NotEmpty(t, values(p, tc.want))
			require.Equal(t, p.Fitting.After, report.NewFor(p, o.Machine).Memory.Peak)
			stored, _ := moves(p)
			require.Equal(t, len(values(p, memory.Offload)), stored)
			requireSameRun(t, free, p)
		})
	}
}

// A policy of Compress lowers the peak, by XLA's own figures too, and changes the gradients by no
// more than bfloat16's rounding.
func TestCompressByPolicy(t *testing.T) {
	m := layered(t, 6, 1024, 64)
	free, err := compile.Compile(t.Context(), m.Clone(), compile.Options{})
	require.NoError(t, err)
	p, err := compile.Compile(t.Context(), m, compile.Options{MemoryPolicies: policies(t, "net/.*", memory.Compress)})
	require.NoError(t, err)
	require.NotEmpty(t, values(p, memory.Compress))
	require.Less(t, p.Fitting.After, p.Fitting.Before)
	client := runtimetest.Open(t, 1)
	required := func(p *program.Program) (n int) {
		exe, err := client.Load(t.Context(), runtimetest.AnyTarget(p))
		require.NoError(t, err)
		defer func() { require.NoError(t, exe.Close()) }()
		if xla, err := exe.Memory(); err == nil && runtimetest.Engine() != runtime.EngineGo {
			n = xla.Required()
		}
		return n
	}
	if before, after := required(free), required(p); before > 0 {
		t.Logf("XLA needs %d bytes in place of %d, predicted %d and %d", after, before, p.Fitting.After, p.Fitting.Before)
		require.Less(t, after, before)
	}
	inputs := numbersFor(free)
	requireWithin(t, runOn(t, client, free, inputs), runOn(t, client, p, inputs), 1.0/128)
}

// A policy of Compress computes what JAX does with the same conversions
// (benchmarks/peers/compress_reference.py), to within 1e-6.
func TestCompressIsJAXs(t *testing.T) {
	var want struct {
		Layers, Batch, Width int
		Results              [][]float32
	}
	text, err := os.ReadFile("testdata/memory/compress.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &want))
	p, err := compile.Compile(t.Context(), layered(t, want.Layers, want.Batch, want.Width), compile.Options{MemoryPolicies: policies(t, "net/.*", memory.Compress)})
	require.NoError(t, err)
	require.Len(t, values(p, memory.Compress), want.Layers-1, "the backward pass reads the last layer at once")
	var inputs, results []any
	for i, in := range p.Inputs {
		flat := make([]float32, in.Type.Size())
		for k := range flat {
			flat[k] = float32((7*k+3*k*k+i+1)%13-6) / 8
		}
		inputs = append(inputs, flat)
	}
	for _, r := range want.Results {
		results = append(results, r)
	}
	client := runtimetest.Open(t, 1)
	requireClose(t, results, runOn(t, client, p, inputs))

	exact, err := compile.Compile(t.Context(), layered(t, want.Layers, want.Batch, want.Width), compile.Options{})
	require.NoError(t, err)
	if !runtimetest.Accelerated() {
		require.Greater(t, farthest(results, runOn(t, client, exact, inputs)), 1e-5, "the reference tells rounding from none")
	}
}

// farthest returns the largest difference between two lists of []float32 of equal lengths.
func farthest(a, b []any) (most float64) {
	for i := range a {
		for k, x := range a[i].([]float32) {
			most = max(most, math.Abs(float64(x-b[i].([]float32)[k])))
		}
	}
	return most
}
