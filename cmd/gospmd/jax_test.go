package main

// This file takes programs that JAX exported (testdata/jax, made by
// benchmarks/peers/jax_programs.py) through the whole of gospmd: parser, verifier, propagation,
// partitioner, and the Go engine. The results must be JAX's.

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/runtime"
)

// TestJAXPrograms parses and verifies each program, and prints it: the parsed text must be the same
// program. The commands opt and explain must print no notice. The sums over each result on eight
// devices of the Go engine must be JAX's, within 1e-3 of them or of 1.
func TestJAXPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/jax/*.mlir")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	text, err := os.ReadFile("testdata/jax/numbers.json")
	require.NoError(t, err)
	var numbers map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(text, &numbers))
	require.Len(t, numbers, len(files)+1, "one entry for each program, and JAX's version")
	client, err := runtime.Open(t.Context(), runtime.Options{Engine: "go", Devices: 8})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".mlir")
		t.Run(name, func(t *testing.T) {
			m, err := parseModule(file, nil)
			require.NoError(t, err)
			require.NoError(t, ir.Verify(m))
			again, err := ir.Parse(m.String())
			require.NoError(t, err)
			require.Equal(t, m.String(), again.String())
			for _, args := range [][]string{{"opt", "-passes=propagation-pipeline", file}, {"explain", file}, {"partition", "-report", file}} {
				var out, diag bytes.Buffer
				require.NoError(t, run(args, nil, &out, &diag))
				require.NotEmpty(t, out.String())
				if args[0] != "partition" { // partition prints notices
					require.Empty(t, diag.String())
				}
			}
			var want [][2]float64
			require.NoError(t, json.Unmarshal(numbers[name], &want))
			p, err := compile.Compile(t.Context(), m, compile.Options{})
			require.NoError(t, err)
			require.Equal(t, 8, p.Mesh.Size())
			got := runJAX(t, client, p)
			require.Len(t, got, len(want))
			for i := range want {
				for k := range want[i] {
					require.InDelta(t, want[i][k], got[i][k], 1e-3*(1+math.Abs(want[i][k])), "output %d, sum %d", i, k)
				}
			}
		})
	}
}

// runJAX runs p on the inputs of jax_programs.py. It returns two sums over each output, as the
// script does: of the elements, and of each element k times cos(k).
func runJAX(t *testing.T, c *runtime.Client, p *program.Program) [][2]float64 {
	exe, err := c.Load(t.Context(), p)
	require.NoError(t, err)
	defer func() { require.NoError(t, exe.Close()) }()
	var args []*runtime.Array
	for i, in := range p.Inputs {
		a, err := c.Put(in.Type, in.Sharding, jaxElements(i, in.Type))
		require.NoError(t, err)
		args = append(args, a)
	}
	out, err := exe.Run(args...)
	require.NoError(t, err)
	var sums [][2]float64
	for _, a := range out {
		flat, err := a.Get(t.Context())
		require.NoError(t, err)
		v := reflect.ValueOf(flat)
		var s [2]float64
		for k := range v.Len() {
			x := number(v.Index(k))
			s[0] += x
			s[1] += x * math.Cos(float64(k))
		}
		sums = append(sums, s)
	}
	return sums
}

// jaxElements makes the elements of parameter i, whose type is t, as a slice of t's Go type. They
// are those that elements() of benchmarks/peers/jax_programs.py makes.
func jaxElements(i int, t ir.Type) any {
	out := reflect.MakeSlice(reflect.SliceOf(t.DType.GoType()), t.Size(), t.Size())
	for k := range t.Size() {
		x := float64((k*37+i*11)%101)/64 - 0.75
		switch e := out.Index(k); {
		case t.DType == dtypes.BFloat16:
			e.Set(reflect.ValueOf(bfloat16.FromFloat32(float32(x))))
		case e.CanInt():
			e.SetInt(int64((k*7 + i*3) % 5))
		default:
			e.SetFloat(x)
		}
	}
	return out.Interface()
}

func number(v reflect.Value) float64 {
	switch {
	case v.CanInt():
		return float64(v.Int())
	case v.CanUint():
		return float64(v.Uint())
	}
	return v.Float()
}
