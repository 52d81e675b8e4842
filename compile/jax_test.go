//go:build cgo

package compile_test

// This file compiles programs that JAX exported (testdata/jax, made by
// benchmarks/peers/compile_programs.py). It compares the results on a mesh of 4x2 with those on one
// device: floats to within 1e-3, other numbers exactly.

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/internal/testing/runtimetest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/target"
)

func TestJAXPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/jax/*.mlir")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	client := runtimetest.Open(t, 8)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".mlir"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			const mesh, one = `<["data"=4, "model"=2]>`, `<["data"=1, "model"=1]>`
			require.Contains(t, string(text), mesh)

			m, err := ir.Parse(string(text))
			require.NoError(t, err)
			sharded, err := compile.Compile(t.Context(), m, compile.Options{})
			require.NoError(t, err)
			require.Equal(t, 8, sharded.Mesh.Size())
			require.Empty(t, sharded.Diagnostics)

			m, err = ir.Parse(strings.ReplaceAll(string(text), mesh, one))
			require.NoError(t, err)
			single, err := compile.Compile(t.Context(), m, compile.Options{Debug: pass.Debug{Off: []string{"simplify", "cse", "split"}}})
			require.NoError(t, err)
			require.NotContains(t, string(target.CPU.Text(single)), "sdy")

			rng := rand.New(rand.NewPCG(1, 2))
			var inputs []any
			for _, in := range sharded.Inputs {
				inputs = append(inputs, randomElements(in.Type, rng))
			}
			want, got := runOn(t, client, single, inputs), runOn(t, client, sharded, inputs)
			for i, out := range sharded.Outputs {
				w, g := reflect.ValueOf(want[i]), reflect.ValueOf(got[i])
				require.Equal(t, w.Len(), g.Len())
				for k := range w.Len() {
					if w.Index(k).CanFloat() {
						require.InDelta(t, w.Index(k).Float(), g.Index(k).Float(), 1e-3, "%s, element %d", out.Name, k)
					} else {
						require.Equal(t, w.Index(k).Interface(), g.Index(k).Interface(), "%s, element %d", out.Name, k)
					}
				}
			}
		})
	}
}

// randomElements returns a slice of t's Go type with the elements of t: normally distributed
// floats, or integers from 0 to 99.
func randomElements(t ir.Type, rng *rand.Rand) any {
	out := reflect.MakeSlice(reflect.SliceOf(t.DType.GoType()), t.Size(), t.Size())
	for i := range t.Size() {
		if out.Index(i).CanFloat() {
			out.Index(i).SetFloat(rng.NormFloat64())
		} else {
			out.Index(i).SetInt(rng.Int64N(100))
		}
	}
	return out.Interface()
}
