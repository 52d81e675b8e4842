package cost_test

// This file tests what loops and branches count.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
)

// loop counts i from start as long as it stands to limit as direction says,
// and reduces each time.
const loop = `func.func @main(%%a: tensor<8xf32>, %%n: tensor<i32>) -> tensor<8xf32> {
  %%start = stablehlo.constant dense<%s> : tensor<i32>
  %%limit = stablehlo.constant dense<%s> : tensor<i32>
  %%step = stablehlo.constant dense<%s> : tensor<i32>
  %%r:3 = stablehlo.while(%%i = %s, %%v = %%a, %%carried = %%limit) : tensor<i32>, tensor<8xf32>, tensor<i32>
  cond {
    %%c = stablehlo.compare %s, %%i, %s : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %%c : tensor<i1>
  } do {
    %%next = stablehlo.add %%i, %%step : tensor<i32>
    %%s = spmd.all_reduce %%v axes={"x"} reduction=add : tensor<8xf32>
    %%h = stablehlo.abs %%s : tensor<8xf32>
    stablehlo.return %%next, %%h, %%carried : tensor<i32>, tensor<8xf32>, tensor<i32>
  }
  return %%r#1 : tensor<8xf32>
}`

func TestTripCount(t *testing.T) {
	for _, tc := range []struct {
		name                                     string
		start, limit, step, init, direction, end string
		want                                     int // -1: not known
	}{
		{"below", "0", "5", "1", "%start", "LT", "%limit", 5},
		{"carried limit", "0", "5", "1", "%start", "LT", "%carried", 5},
		{"at most", "0", "5", "1", "%start", "LE", "%limit", 6},
		{"other than", "2", "8", "2", "%start", "NE", "%limit", 3},
		{"never met", "2", "9", "2", "%start", "NE", "%limit", -1},
		{"steps of three", "-1", "7", "3", "%start", "LT", "%limit", 3},
		{"no iteration", "5", "5", "1", "%start", "LT", "%limit", 0},
		{"from an argument", "0", "5", "1", "%n", "LT", "%limit", -1},
		{"to an argument", "0", "5", "1", "%start", "LT", "%n", -1},
		{"backwards", "5", "0", "-1", "%start", "GT", "%limit", -1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text := fmt.Sprintf(loop, tc.start, tc.limit, tc.step, tc.init, tc.direction, tc.end)
			m, f := parse(t, text)
			var n int
			var ok bool
			f.Walk(func(op *ir.Op) {
				if op.Kind == ir.OpWhile {
					n, ok = cost.TripCount(op)
				}
			})
			require.Equal(t, tc.want >= 0, ok)
			runs := 1
			if ok {
				require.Equal(t, tc.want, n)
				runs = n
			}
			dm := m.Meshes[0].Mesh
			list := cost.Collectives(dm, f)
			require.Len(t, list, 1)
			require.Equal(t, runs, list[0].Runs)
			require.Equal(t, !ok, list[0].Unknown)
			require.Equal(t, 2*16, list[0].Bytes)
			require.Equal(t, runs*32, list[0].Total())
			require.Equal(t, runs*32, cost.Traffic(dm, f))
			flops, unknown := cost.Flops(f)
			require.Equal(t, !ok, unknown)
			if ok {
				require.Equal(t, runs*(1+8)+runs+1, flops) // the add and the abs, the comparisons
			}
		})
	}
}

// A branch costs what its most expensive region does.
func TestBranch(t *testing.T) {
	m, f := parse(t, `func.func @main(%p: tensor<i1>, %a: tensor<8xf32>) -> tensor<8xf32> {
  %r = "stablehlo.if"(%p) ({
    %s = spmd.all_reduce %a axes={"x"} reduction=add : tensor<8xf32>
    "stablehlo.return"(%s) : (tensor<8xf32>) -> ()
  }, {
    %s = spmd.all_reduce %a axes={"y"} reduction=add : tensor<8xf32>
    "stablehlo.return"(%s) : (tensor<8xf32>) -> ()
  }) : (tensor<i1>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}`)
	dm := m.Meshes[0].Mesh
	list := cost.Collectives(dm, f)
	require.Len(t, list, 2)
	require.Equal(t, []int{0, 1}, []int{list[0].Runs, list[1].Runs})
	require.Equal(t, 2*3*8, cost.Traffic(dm, f))
}

// Each block of branches that stand in each other is weighed once: 20 levels of an
// if in both branches of an if have two million blocks, 12 levels 8190.
func TestNestedBranches(t *testing.T) {
	var text func(depth int) string
	text = func(depth int) string {
		if depth == 0 {
			return `%x = stablehlo.tanh %a : tensor<4xf32> stablehlo.return %x : tensor<4xf32>`
		}
		inner := text(depth - 1)
		return fmt.Sprintf(`%%x = "stablehlo.if"(%%p) ({ %s }, { %s }) : (tensor<i1>) -> tensor<4xf32> stablehlo.return %%x : tensor<4xf32>`, inner, inner)
	}
	body := strings.TrimSuffix(text(12), "stablehlo.return %x : tensor<4xf32>")
	m, err := ir.Parse("func.func @main(%a: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {" + body + "return %x : tensor<4xf32> }")
	require.NoError(t, err)
	n, unknown := cost.Flops(m.Main())
	require.Equal(t, 4, n, "of each if one branch counts")
	require.False(t, unknown)
	require.Equal(t, 1+2*(1<<12-1), cost.Weighed(m.Main()))
}
