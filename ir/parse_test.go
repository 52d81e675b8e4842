package ir_test

// This file tests the parser: the modules that it returns, its errors, and programs that JAX
// exported.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// wrapInMain returns the text of a function main with these ops and the parameters %a (4x8 f32), %i
// (i32) and %s (f32).
func wrapInMain(ops string) string {
	return "func.func @main(%a: tensor<4x8xf32>, %i: tensor<i32>, %s: tensor<f32>) {\n" + ops + "\nreturn\n}\n"
}

// parseErrors are invalid texts, with a part of the error that each must give.
var parseErrors = []struct{ name, text, want string }{
	{"empty op", wrapInMain("%0 ="), "2:1: got names for 1 results, want 0: as many as the types of func.return say"},
	{"unknown op", wrapInMain("%0 = stablehlo.foo %a : tensor<4x8xf32>"), "2:6: got stablehlo.foo, which is not in the op table: want a known op, or the generic form"},
	{"no pretty form", wrapInMain("%0 = stablehlo.sort %a : tensor<4x8xf32>"), "2:6: got stablehlo.sort, which has no pretty form"},
	{"undefined value", wrapInMain("%0 = stablehlo.abs %b : tensor<4x8xf32>"), "2:23: got %b, which is not defined here"},
	{"value of an inner region", wrapInMain(`%0 = "stablehlo.if"(%p) ({ }) : () -> ()`), "got %p, which is not defined here"},
	{"defined twice", wrapInMain("%0 = stablehlo.abs %a : tensor<4x8xf32>\n%0 = stablehlo.abs %a : tensor<4x8xf32>"), "3:1: got a second definition of %0"},
	{"result index", wrapInMain("%0:2 = stablehlo.optimization_barrier %a, %s : tensor<4x8xf32>, tensor<f32>\n%1 = stablehlo.abs %0#2 : tensor<f32>"), "3:25: got %0#2, but %0 names 2 values"},
	{"result count", wrapInMain("%0:2 = stablehlo.abs %a : tensor<4x8xf32>"), "2:1: got names for 2 results, want 1"},
	{"operand type", wrapInMain("%0 = stablehlo.abs %a : tensor<4xf32>"), "2:25: got type tensor<4xf32> for operand 0 of stablehlo.abs, want tensor<4x8xf32>"},
	{"operand count", wrapInMain(`%0 = "stablehlo.abs"(%a) : () -> tensor<4xf32>`), "got 0 operand types for the 1 operands of stablehlo.abs"},
	{"dynamic dimension", wrapInMain("%0 = stablehlo.iota dim = 0 : tensor<?xf32>"), "2:38: got a dynamic dimension `?`"},
	{"unranked", wrapInMain("%0 = stablehlo.iota dim = 0 : tensor<*xf32>"), "got an unranked tensor"},
	{"quantized", wrapInMain("%0 = stablehlo.iota dim = 0 : tensor<4x!quant.uniform<i8:f32, 1.0>>"), "2:40: got"},
	{"element type", wrapInMain("%0 = stablehlo.iota dim = 0 : tensor<4xi7>"), "got the element type `i7`, want one of i1, i2"},
	{"encoding", wrapInMain("%0 = stablehlo.iota dim = 0 : tensor<4xf32, #x.y>"), "tensor types with an encoding"},
	{"tuple", wrapInMain("%0 = stablehlo.create_token : tuple<>"), "got `tuple`, want a type"},
	{"huge tensor", wrapInMain("%0 = stablehlo.iota dim = 0 : tensor<4294967296x4294967296xf32>"), "want a tensor of at most 2^56 elements"},
	{"one element too many", wrapInMain("%0 = stablehlo.iota dim = 0 : tensor<72057594037927937xi8>"), "want a tensor of at most 2^56 elements"},
	{"attribute kind", wrapInMain(`%0 = "stablehlo.iota"() <{iota_dimension = 0 : i32}> : () -> tensor<4xf32>`), "got attribute iota_dimension = 0 : i32 of stablehlo.iota, want an i64"},
	{"attribute twice", wrapInMain(`%0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> {iota_dimension = 0 : i64} : () -> tensor<4xf32>`), "got attribute iota_dimension of stablehlo.iota twice"},
	{"elided constant", wrapInMain("%0 = stablehlo.constant dense_resource<__elided__> : tensor<4xf32>"), "got attribute value = dense_resource<__elided__>"},
	{"literal too short", wrapInMain("%0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<3xf32>"), "got a list of 2 elements in dimension 0 of a literal of tensor<3xf32>, want 3"},
	{"literal too deep", wrapInMain("%0 = stablehlo.constant dense<[[1.0]]> : tensor<1xf32>"), "more brackets than dimensions"},
	{"literal out of range", wrapInMain("%0 = stablehlo.constant dense<300> : tensor<ui8>"), "2:31: got 300 in a literal of tensor<ui8>, want an unsigned integer of 8 bits"},
	{"literal nan", wrapInMain("%0 = stablehlo.constant dense<nan> : tensor<f32>"), "got nan in a literal of tensor<f32>, want a number, or 8 hexadecimal digits"},
	{"literal inf", wrapInMain("%0 = stablehlo.constant dense<[1.0, -inf]> : tensor<2xf32>"), "got -inf in a literal of tensor<2xf32>"},
	{"literal infinity", wrapInMain("%0 = stablehlo.constant dense<(infinity, 1.0)> : tensor<complex<f32>>"), "got infinity in a literal of tensor<complex<f32>>"},
	{"literal bytes", wrapInMain(`%0 = stablehlo.constant dense<"0x00"> : tensor<3xf32>`), "got 1 bytes in a literal of tensor<3xf32>, want 12, or 4"},
	{"literal text", wrapInMain(`%0 = stablehlo.constant dense<x> : tensor<f32>`), "got x in a literal of tensor<f32>, want a number, or 8 hexadecimal digits"},
	{"branch", wrapInMain(`"cf.br"()[^bb1] : () -> ()`), "only ops with regions are supported, not branches"},
	{"two blocks", wrapInMain(`"stablehlo.case"(%i) ({ stablehlo.return ^bb1: stablehlo.return }) : (tensor<i32>) -> ()`), "only one block is supported"},
	{"reducer", wrapInMain("%0 = stablehlo.reduce(%a init: %s) applies stablehlo.tanh across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>"), "got `applies stablehlo.tanh`"},
	{"unknown mesh", "func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}) { return }", "1:65: got mesh @m, which the module does not define"},
	{"bad mesh", `sdy.mesh @m = <["x"=0]>`, `1:15: mesh: axis "x" has size 0`},
	{"mesh twice", `sdy.mesh @m = <["x"=2]> sdy.mesh @m = <["x"=2]>`, "got a second sdy.mesh @m"},
	{"function twice", "func.func @f() { return } func.func @f() { return }", "got a second function @f"},
	{"unknown alias", wrapInMain("%0 = stablehlo.abs %a : !t"), "got !t, which is not defined: want a line !t = …"},
	{"aliases that double", doublingAliases(60), "want at most 64 times (ir.MaxAliasGrowth)"},
	{"alias of itself", "#a = [#a]\nmodule attributes {x.y = #a} {}", "levels of nesting"},
	{"unclosed", "module {", "1:9: got the end of the text, want func.func, sdy.mesh or module"},
	{"unclosed string", "module @\"x {\n}", "got a string without an end"},
	{"strange character", "module ;", "1:8: got the character ';'"},
	{"after the module", "module {} module {}", "1:11: got `module`, want the end of the text"},
	{"nested module", "module { module {} }", "modules within modules are not supported"},
	{"sharding count", "sdy.mesh @m = <[\"x\"=2]>\n" + wrapInMain(`%0 = stablehlo.abs %a {sdy.sharding = #sdy.sharding_per_value<[]>} : tensor<4x8xf32>`), "no list of 1 shardings"},
}

func TestParseErrors(t *testing.T) {
	for _, tc := range parseErrors {
		t.Run(tc.name, func(t *testing.T) {
			_, err := ir.Parse(tc.text)
			require.ErrorContains(t, err, tc.want)
			var syntax *ir.SyntaxError
			require.ErrorAs(t, err, &syntax)
			require.Positive(t, syntax.Line)
		})
	}
}

func TestParseFileNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.mlir")
	require.NoError(t, os.WriteFile(path, []byte("module {\n  bad"), 0o666))
	_, err := ir.ParseFile(path)
	require.ErrorContains(t, err, "m.mlir:2:3: got `bad`")
	_, err = ir.ParseFile(path + ".missing")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestParsedFields(t *testing.T) {
	m := ir.MustParse(`
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func private @main(%w: tensor<4x8xf32> {tf.aliasing_output = 0 : i32, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y":(1)2, ?}p1], replicated={"y":(2)2}>} loc("d1/kernel")) -> (tensor<4x8xf32> {jax.result_info = "out"}) {
  %0 = stablehlo.add %w, %w {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<4x8xf32> loc("d1"("model.go":7:0))
  return %0 : tensor<4x8xf32>
}`)
	f := m.Main()
	require.True(t, f.Private)
	w := f.Params()[0]
	require.Equal(t, "d1/kernel", w.Name)
	require.Same(t, m.Meshes[0].Mesh, w.Sharding.Mesh)
	require.Equal(t, `[{"x"}, {"y":(1)2, ?}p1], replicated={"y":(2)2}`, w.Sharding.String())
	require.Equal(t, mesh.AxisRef{Name: "y", Sub: true, Pre: 1, Size: 2}, w.Sharding.Dims[1].Axes[0])
	require.Equal(t, ir.Attrs{{Name: "tf.aliasing_output", Value: ir.Int32(0)}}, f.ArgAttrs[0])
	require.Equal(t, "out", f.Results[0].Name)
	require.Empty(t, f.Results[0].Attrs)
	add := f.Body.First()
	require.Equal(t, ir.Location{Path: "d1", File: "model.go", Line: 7}, add.Loc)
	require.Empty(t, add.Attrs)
	require.Equal(t, `[{}, {"x"}]`, add.Result().Sharding.String())
}

// TestJAXPrograms parses the modules that benchmarks/peers/ir_programs.py exported from JAX. They
// must be valid, and each printed form must parse to the same module.
func TestJAXPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/jax/*.mlir")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			m, err := ir.ParseFile(file)
			require.NoError(t, err)
			require.NoError(t, ir.Verify(m))
			for _, opts := range []ir.PrintOptions{{}, {Generic: true}, {Locations: true}, {Generic: true, Locations: true}} {
				text := printModule(t, m, opts)
				again, err := ir.Parse(text)
				require.NoError(t, err)
				require.Equal(t, text, printModule(t, again, opts))
				require.Equal(t, m.String(), again.String())
			}
		})
	}
}

// If several parameters have the same location, its name is not used for any of them.
func TestSharedNamesAreNone(t *testing.T) {
	m, err := ir.Parse(`#loc = loc("helper")
func.func @main(%a: tensor<f32> loc(#loc), %b: tensor<f32> loc(#loc), %c: tensor<f32> loc("c")) {
  return
}`)
	require.NoError(t, err)
	require.NoError(t, ir.Verify(m))
	var names []string
	for _, v := range m.Main().Params() {
		names = append(names, v.Name)
	}
	require.Equal(t, []string{"", "", "c"}, names)
}

// doublingAliases returns a text with n aliases of attributes, #a0 to #a(n-1). Each names the one
// before it twice. A module has the last one as its attribute.
func doublingAliases(n int) string {
	var b strings.Builder
	b.WriteString("#a0 = [1 : i64]\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "#a%d = [#a%d, #a%d]\n", i, i-1, i-1)
	}
	fmt.Fprintf(&b, "module attributes {x.y = #a%d} {}", n-1)
	return b.String()
}

// An attribute that occurs twice in a dictionary is an error, also among many attributes.
func TestAttributeTwice(t *testing.T) {
	for _, n := range []int{2, 100} {
		var entries []string
		for i := range n {
			entries = append(entries, fmt.Sprintf("my.a%d = %d : i32", i, i))
		}
		text := func(more string) string {
			return fmt.Sprintf("func.func public @main(%%x: tensor<f32> {%s%s}) -> tensor<f32> {\n  return %%x : tensor<f32>\n}", strings.Join(entries, ", "), more)
		}
		m, err := ir.Parse(text(""))
		require.NoError(t, err)
		require.Len(t, m.Main().ArgAttrs[0], n)
		_, err = ir.Parse(text(fmt.Sprintf(", my.a%d = 1 : i32", n/2)))
		require.ErrorContains(t, err, fmt.Sprintf("got attribute my.a%d twice", n/2))
	}
}
