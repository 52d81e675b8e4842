package cost_test

// This file tests how often the ops in loops and branches count.

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
)

// loop counts i and reduces in each iteration. Its verbs are the constants %start, %limit and
// %step, the initial value of i, the direction in which i is compared, and what it is compared to.
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

// TestTripCountOfLargeNumbers requires counts next to the largest int64, and none if they overflow.
func TestTripCountOfLargeNumbers(t *testing.T) {
	const least, largest = "-9223372036854775808", "9223372036854775807"
	for _, tc := range []struct {
		start, limit, step, direction string
		want                          int // -1: not known
	}{
		{"0", largest, "1", "LE", -1},
		{"0", largest, "1", "LT", math.MaxInt},
		{"1", largest, "9223372036854775806", "LT", 1},
		{"0", largest, "9223372036854775807", "LT", 1},
		{least, largest, "1", "LT", -1},
		{largest, least, "1", "LT", 0},
		{largest, least, "1", "NE", -1},
	} {
		text := fmt.Sprintf(loop, tc.start, tc.limit, tc.step, "%start", tc.direction, "%limit")
		_, f := parse(t, strings.ReplaceAll(text, "i32", "i64"))
		f.Walk(func(op *ir.Op) {
			if op.Kind == ir.OpWhile {
				n, ok := cost.TripCount(op)
				require.Equal(t, tc.want >= 0, ok, "%+v", tc)
				require.Equal(t, max(tc.want, 0), n, "%+v", tc)
			}
		})
	}
}

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
		{"passed", "8", "2", "1", "%start", "NE", "%limit", -1},
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
				require.Equal(t, runs*(1+8)+runs+1, flops) // the add, the abs and the comparisons
			}
		})
	}
}

// A branch costs as much as its most expensive region: collectives of the other regions have zero
// Runs, and do not count in Traffic.
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

// In nested branches each block is weighed once, which keeps 20 levels feasible. 12 levels of an if
// in both branches of an if have 8190 blocks and the function's body.
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
	require.Equal(t, 1+2*(1<<12-1), cost.CountWeighed(m.Main()))
}

// The trip counts of nested loops are multiplied, with 10 for an unknown one, up to a limit. A
// loop's condition runs once more than its body.
func TestRunsInLoop(t *testing.T) {
	const bound = 1 << 16
	for _, tc := range []struct {
		name         string
		outer, inner string // limits of the loops; "%n" is not known
		want         int    // number of runs of the abs in the inner loop
		condition    int    // number of runs of the inner condition
	}{
		{"known in known", "5", "3", 15, 20},
		{"known in unknown", "%n", "3", 30, 40},
		{"unknown in known", "5", "%n", 50, 55},
		{"2^62 in 10", "10", "4611686018427387904", bound, bound},
		{"2^63-1 in 10", "10", "9223372036854775807", bound, bound},
		{"2 in 2^62", "4611686018427387904", "2", bound, bound},
		{"none in 2^62", "4611686018427387904", "0", 0, bound},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, f := parse(t, nestedLoops(tc.outer, tc.inner))
			var whiles []*ir.Op
			f.Walk(func(op *ir.Op) {
				if op.Kind == ir.OpWhile {
					whiles = append(whiles, op)
				}
			})
			require.Len(t, whiles, 2)
			outer, inner := whiles[0], whiles[1]
			if outer.Regions[1] != inner.Block() {
				outer, inner = inner, outer
			}
			runs := cost.RunsInLoop(outer, outer.Regions[1], 1)
			require.Equal(t, tc.want, cost.RunsInLoop(inner, inner.Regions[1], runs))
			require.Equal(t, tc.condition, cost.RunsInLoop(inner, inner.Regions[0], runs))
		})
	}
}

// nestedLoops returns the text of a function main with a loop in a loop, which count to the limits
// outer and inner; "%n" is a limit that is not known. The body of the inner loop is a branch that
// has an abs of 8 elements in each region.
func nestedLoops(outer, inner string) string {
	limit := func(name, value string) string {
		if value == "%n" {
			return fmt.Sprintf("%%%s = stablehlo.add %%n, %%zero : tensor<i64>", name)
		}
		return fmt.Sprintf("%%%s = stablehlo.constant dense<%s> : tensor<i64>", name, value)
	}
	return fmt.Sprintf(`func.func @main(%%a: tensor<8xf32>, %%n: tensor<i64>, %%p: tensor<i1>) -> tensor<8xf32> {
  %%zero = stablehlo.constant dense<0> : tensor<i64>
  %%one = stablehlo.constant dense<1> : tensor<i64>
  %s
  %s
  %%r:2 = stablehlo.while(%%i = %%zero, %%v = %%a) : tensor<i64>, tensor<8xf32>
  cond {
    %%c = stablehlo.compare LT, %%i, %%outer : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %%c : tensor<i1>
  } do {
    %%s:2 = stablehlo.while(%%j = %%zero, %%w = %%v) : tensor<i64>, tensor<8xf32>
    cond {
      %%d = stablehlo.compare LT, %%j, %%inner : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %%d : tensor<i1>
    } do {
      %%k = stablehlo.add %%j, %%one : tensor<i64>
      %%x = "stablehlo.if"(%%p) ({
        %%y = stablehlo.abs %%w : tensor<8xf32>
        "stablehlo.return"(%%y) : (tensor<8xf32>) -> ()
      }, {
        %%z = stablehlo.abs %%w : tensor<8xf32>
        "stablehlo.return"(%%z) : (tensor<8xf32>) -> ()
      }) : (tensor<i1>) -> tensor<8xf32>
      stablehlo.return %%k, %%x : tensor<i64>, tensor<8xf32>
    }
    %%next = stablehlo.add %%i, %%one : tensor<i64>
    stablehlo.return %%next, %%s#1 : tensor<i64>, tensor<8xf32>
  }
  return %%r#1 : tensor<8xf32>
}`, limit("outer", outer), limit("inner", inner))
}

// A branch in a loop counts one of its regions in each iteration. If the trip count is not known,
// Ops counts 10 iterations, and a report counts one.
func TestBranchInLoop(t *testing.T) {
	for _, tc := range []struct {
		outer, inner string
		flops, ops   int
	}{
		// An iteration has 8 FLOPs for the branch and 1 for the counter. Then there are the
		// comparisons, and the add that makes the limit for %n.
		{"5", "3", 5*(3*9+4+1) + 6, 5*(3*9+4+1) + 6},
		{"%n", "3", 1*(3*9+4+1) + 1 + 1, 10*(3*9+4+1) + 11 + 1},
		{"5", "%n", 5*(1*9+1+1) + 6 + 1, 5*(10*9+11+1) + 6 + 1},
	} {
		m, f := parse(t, nestedLoops(tc.outer, tc.inner))
		n, unknown := cost.Flops(f)
		require.Equal(t, strings.Contains(tc.outer+tc.inner, "n"), unknown)
		require.Equal(t, tc.flops, n, "%s of %s", tc.outer, tc.inner)
		require.Equal(t, tc.ops, cost.Default().Ops(m.Meshes[0].Mesh, f), "%s of %s", tc.outer, tc.inner)
	}
}
