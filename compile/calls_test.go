package compile_test

// This file tests the limits of programs with calls.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
)

// chainOfCalls returns the text of a module of n functions, main and f1, f2, …. Each function calls
// the next one the given number of times; the last one has as many ops tanh in place of calls. All
// values are tensor<4xf32>.
func chainOfCalls(n, times int) string {
	var b strings.Builder
	b.WriteString("module @calls {\n")
	for i := range n {
		name := fmt.Sprintf("private @f%d", i)
		if i == 0 {
			name = "public @main"
		}
		fmt.Fprintf(&b, "  func.func %s(%%x0: tensor<4xf32>) -> tensor<4xf32> {\n", name)
		for j := range times {
			op := fmt.Sprintf("call @f%d(%%x%d) : (tensor<4xf32>) -> tensor<4xf32>", i+1, j)
			if i == n-1 {
				op = fmt.Sprintf("stablehlo.tanh %%x%d : tensor<4xf32>", j)
			}
			fmt.Fprintf(&b, "    %%x%d = %s\n", j+1, op)
		}
		fmt.Fprintf(&b, "    return %%x%d : tensor<4xf32>\n  }\n", times)
	}
	return b.String() + "}"
}

func TestCallLimits(t *testing.T) {
	for _, tc := range []struct {
		name     string
		n, times int
		want     string // part of the error; empty: it compiles
	}{
		{"twice, 8 deep", 8, 2, ""},
		{"twice, 40 deep", 40, 2, "has over 1048576 ops when its calls are inlined: want at most that many (compile.MaxInlinedOps)"},
		{"ten times, 60 deep", 60, 10, "compile.MaxInlinedOps"},
		{"once, 100 deep", 100, 1, ""},
		{"once, 2000 deep", 2000, 1, "calls stand 201 deep in each other, at @f201: want at most 200 (compile.MaxCallDepth)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := ir.Parse(chainOfCalls(tc.n, tc.times))
			require.NoError(t, err)
			p, err := compile.Compile(t.Context(), m, compile.Options{})
			if tc.want != "" {
				require.ErrorContains(t, err, tc.want)
				return
			}
			require.NoError(t, err)
			tanhs := 0
			p.Module.Main().Walk(func(op *ir.Op) {
				if op.Kind == ir.OpTanh {
					tanhs++
				}
			})
			want := 1
			for range tc.n {
				want *= tc.times
			}
			require.Equal(t, want, tanhs)
		})
	}
}
