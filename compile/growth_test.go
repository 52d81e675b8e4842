package compile_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/compile/report"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/ir"
)

const growthRow = "tensor<8x16xf32>"

// moduleOf returns the text of a module on 8 devices, data=2,model=4, whose main has these
// parameters and the given body, and returns result, a row. attrs is text before the mesh, such as
// aliases.
func moduleOf(attrs, params, body, result string) string {
	return fmt.Sprintf("module @growth {\n%s  sdy.mesh @mesh = <[\"data\"=2, \"model\"=4]>\n  func.func public @main(%s) -> %s {\n%s    return %s : %s\n  }\n}\n",
		attrs, params, growthRow, body, result, growthRow)
}

// repeat returns the texts for 0 to n-1, concatenated.
func repeat(n int, text func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(text(i))
	}
	return b.String()
}

const shardedX = `%v0: ` + growthRow + ` {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}`

// chain returns n additions to %v0, which make %v1 to %vN. Each adds another value, whose name
// other returns, to the result of the one before.
func chain(n int, other func(i int) string) string {
	return repeat(n, func(i int) string {
		return fmt.Sprintf("    %%v%d = stablehlo.add %%v%d, %s : %s\n", i+1, i, other(i), growthRow)
	})
}

// large holds programs that are large in one respect, by a number n.
var large = []struct {
	name string
	text func(n int) string
}{
	{"ops", func(n int) string {
		return moduleOf("", shardedX, chain(n, func(int) string { return "%v0" }), fmt.Sprintf("%%v%d", n))
	}},
	{"operands of a concatenation", func(n int) string {
		list := strings.TrimSuffix(repeat(n, func(i int) string { return fmt.Sprintf("%%p%d, ", i) }), ", ")
		types := strings.TrimSuffix(strings.Repeat(growthRow+", ", n), ", ")
		all := fmt.Sprintf("tensor<%dx16xf32>", 8*n)
		body := fmt.Sprintf("    %%c = stablehlo.concatenate %s, dim = 0 : (%s) -> %s\n    %%s = stablehlo.slice %%c [8:16, 0:16] : (%s) -> %s\n    %%t = stablehlo.tanh %%c : %s\n    %%u = stablehlo.slice %%t [0:8, 0:16] : (%s) -> %s\n    %%r = stablehlo.add %%s, %%u : %s\n",
			list, types, all, all, growthRow, all, all, growthRow, growthRow)
		return moduleOf("", strings.TrimSuffix(repeat(n, func(i int) string {
			return fmt.Sprintf(`%%p%d: %s {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, `, i, growthRow)
		}), ", "), body, "%r")
	}},
	{"a chain of constants, each used", func(n int) string {
		constants := repeat(n, func(i int) string {
			return fmt.Sprintf("    %%c%d = stablehlo.tanh %%c%d : %s\n", i+1, i, growthRow)
		})
		return moduleOf("", shardedX, "    %c0 = stablehlo.iota dim = 0 : "+growthRow+"\n"+constants+chain(n, func(i int) string { return fmt.Sprintf("%%c%d", i+1) }), fmt.Sprintf("%%v%d", n))
	}},
	{"meshes", func(n int) string {
		return moduleOf(repeat(n, func(i int) string { return fmt.Sprintf("  sdy.mesh @m%d = <[\"a\"=%d]>\n", i, 2+i%7) }), shardedX, chain(9, func(int) string { return "%v0" }), "%v9")
	}},
	{"entries of an attribute", func(n int) string {
		entries := strings.TrimSuffix(repeat(n, func(i int) string { return fmt.Sprintf("k%d = \"%d\", ", i, i) }), ", ")
		body := repeat(9, func(i int) string {
			return fmt.Sprintf("    %%v%d = stablehlo.add %%v%d, %%v0 {mhlo.frontend_attributes = {%s}} : %s\n", i+1, i, entries, growthRow)
		})
		return moduleOf("", shardedX, body, "%v9")
	}},
	{"letters of a name", func(n int) string {
		name := strings.Repeat("n", 100*n)
		body := repeat(9, func(i int) string {
			return fmt.Sprintf("    %%v%d = stablehlo.add %%v%d, %%%s : %s loc(\"%s/%d\")\n", i+1, i, name, growthRow, name, i)
		})
		return moduleOf("", shardedX+fmt.Sprintf(`, %%%s: %s loc("%s")`, name, growthRow, name), body, "%v9")
	}},
	{"loops", func(n int) string {
		body := repeat(n, func(i int) string {
			return fmt.Sprintf("    %%v%d = stablehlo.while(%%a%d = %%v%d) : %s\n    cond {\n      stablehlo.return %%p : tensor<i1>\n    } do {\n      %%b%d = stablehlo.add %%a%d, %%v0 : %s\n      stablehlo.return %%b%d : %s\n    }\n",
				i+1, i, i, growthRow, i, i, growthRow, i, growthRow)
		})
		return moduleOf("", shardedX+", %p: tensor<i1>", body, fmt.Sprintf("%%v%d", n))
	}},
	{"branches of a case", func(n int) string {
		branches := strings.TrimSuffix(repeat(n, func(i int) string {
			return fmt.Sprintf("{\n      %%a%d = stablehlo.add %%v0, %%v0 : %s\n      stablehlo.return %%a%d : %s\n    }, ", i, growthRow, i, growthRow)
		}), ", ")
		return moduleOf("", shardedX+", %p: tensor<i32>", fmt.Sprintf("    %%r = \"stablehlo.case\"(%%p) (%s) : (tensor<i32>) -> %s\n", branches, growthRow), "%r")
	}},
	{"sums that are combined", func(n int) string { return independentSums(n) }},
}

// The memory that the compiler and the report allocate, and so their time, grows almost linearly in
// each kind of size: less than 6 times for 4 times the size.
func TestGrowth(t *testing.T) {
	measureBytes := func(text string) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := ir.Parse(text)
		require.NoError(t, err)
		p, err := compile.Compile(t.Context(), m, compile.Options{})
		require.NoError(t, err)
		require.NotEmpty(t, report.New(p).String())
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	for _, tc := range large {
		t.Run(tc.name, func(t *testing.T) {
			n := longtest.Pick(200, 400)
			few, many := measureBytes(tc.text(n)), measureBytes(tc.text(4*n))
			require.Less(t, float64(many)/float64(few), 6., "%d bytes for %d, %d for %d", few, n, many, 4*n)
		})
	}
}

// Regions, attributes and locations that are nested too deeply are an error of ir.Parse that names
// the limit, 200.
func TestTooDeep(t *testing.T) {
	for _, tc := range []struct{ name, text string }{
		{"regions", func() string {
			const depth = 300
			body := repeat(depth, func(i int) string { return fmt.Sprintf("    %%r%d = \"stablehlo.if\"(%%p) ({\n", i) })
			body += "    stablehlo.return %v0 : " + growthRow + "\n"
			for i := depth - 1; i >= 0; i-- {
				body += fmt.Sprintf("    }, {\n    stablehlo.return %%v0 : %s\n    }) : (tensor<i1>) -> %s\n", growthRow, growthRow)
				if i > 0 {
					body += fmt.Sprintf("    stablehlo.return %%r%d : %s\n", i, growthRow)
				}
			}
			return moduleOf("", shardedX+", %p: tensor<i1>", body, "%r0")
		}()},
		{"an attribute", moduleOf("", shardedX, "    %r = stablehlo.add %v0, %v0 {my.a = "+strings.Repeat("[", 300)+strings.Repeat("]", 300)+"} : "+growthRow+"\n", "%r")},
		{"a location", moduleOf("", shardedX, "    %r = stablehlo.add %v0, %v0 : "+growthRow+" loc("+strings.Repeat(`callsite("a" at `, 300)+`"b"`+strings.Repeat(")", 300)+")\n", "%r")},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := ir.Parse(tc.text)
			require.ErrorContains(t, err, "more than 200 levels of nesting")
		})
	}
}
