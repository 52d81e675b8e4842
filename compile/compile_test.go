package compile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
	"github.com/gospmd/gospmd/target"
)

const addText = `module @add {
  func.func public @main(%arg0: tensor<4xf32> loc("x")) -> tensor<4xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}`

func TestCompileErrors(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		options    compile.Options
		want       string
	}{
		{name: "no main", text: "func.func private @f() { return }", want: "no function main: name the entry function main"},
		{name: "unknown partitioner", text: addText, options: compile.Options{Partitioner: 7}, want: "Options.Partitioner is 7: want compile.XLA"},
		{name: "negative partitioner", text: addText, options: compile.Options{Partitioner: -1}, want: "Options.Partitioner is -1"},
		{name: "dump dir is a file", text: addText, options: compile.Options{Debug: pass.Debug{Dump: "compile_test.go"}}, want: `the directory of dumps is "compile_test.go"`},
		{name: "unknown pass", text: addText, options: compile.Options{Debug: pass.Debug{Off: []string{"simplfy"}}}, want: `Options.Debug: there is no pass "simplfy" (did you mean "simplify"?)`},
		{name: "required pass", text: addText, options: compile.Options{Debug: pass.Debug{Off: []string{"mesh"}}}, want: "pass mesh cannot be switched off"},
		{
			name: "token input",
			text: "func.func public @main(%arg0: !stablehlo.token) -> !stablehlo.token { return %arg0 : !stablehlo.token }",
			want: `input "arg0" is a token`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := ir.Parse(tc.text)
			require.NoError(t, err)
			_, err = compile.Compile(t.Context(), m, tc.options)
			require.ErrorContains(t, err, tc.want)
		})
	}
}

func TestBrokenPass(t *testing.T) {
	m := ir.MustParse(addText)
	for _, tc := range []struct {
		name   string
		damage func(*ir.Module) error
		want   []string
	}{
		{"panics", func(*ir.Module) error { panic("ouch") }, []string{"compile: BUG: pass damage panicked: ouch", "stablehlo.add"}},
		{"leaves an invalid module", func(m *ir.Module) error {
			m.Main().Body.First().Result().Type.Dims = []int{5}
			return nil
		}, []string{"compile: BUG: pass damage left an invalid module", "stablehlo.add"}},
		{"refuses", func(*ir.Module) error { return errors.New("not like this") }, []string{"compile: not like this"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := compile.CompileBroken(m, tc.damage)
			for _, want := range tc.want {
				require.ErrorContains(t, err, want)
			}
		})
	}
}

func TestDump(t *testing.T) {
	for _, by := range []compile.Partitioner{compile.XLA, compile.SPMD} {
		dir := filepath.Join(t.TempDir(), "new", "dumps")
		_, err := compile.Compile(t.Context(), ir.MustParse(addText), compile.Options{Partitioner: by, Debug: pass.Debug{Dump: dir}})
		require.NoError(t, err)
		files, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, files, len(compile.PassNamesFor(by, ""))+1)
		require.Equal(t, "00_input.mlir", files[0].Name())
		require.Equal(t, "01_"+compile.PassNamesFor(by, "")[0]+".mlir", files[1].Name())
	}
}

// Every pass except the required ones can be switched off: Compile still makes a program, and
// writes one dump less. To switch off a required one is an error.
func TestOff(t *testing.T) {
	m := ir.MustParse(transformer(1, 2, 2))
	for _, by := range []compile.Partitioner{compile.XLA, compile.SPMD} {
		for _, name := range compile.PassNamesFor(by, "") {
			dir := t.TempDir()
			p, err := compile.Compile(t.Context(), m, compile.Options{Partitioner: by, Debug: pass.Debug{Dump: dir, Off: []string{name}}})
			if slices.Contains(compile.RequiredPasses(), name) {
				require.ErrorContains(t, err, "cannot be switched off")
				continue
			}
			require.NoError(t, err, name)
			require.NotEmpty(t, target.CPU.Text(p), name)
			files, err := os.ReadDir(dir)
			require.NoError(t, err)
			// one pass is switched off, and there is a dump of the input
			require.Len(t, files, len(compile.PassNamesFor(by, "")), name)
		}
	}
}

func TestDebugVar(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(compile.DebugVar, "dump="+dir+"/%m,after=simplify,off=cse")
	_, err := compile.Compile(t.Context(), ir.MustParse(addText), compile.Options{})
	require.NoError(t, err)
	files, err := os.ReadDir(filepath.Join(dir, "add"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	nr := slices.Index(compile.PassNamesFor(compile.SPMD, ""), "simplify") + 1
	require.Equal(t, fmt.Sprintf("%02d_simplify.mlir", nr), files[0].Name())

	t.Setenv(compile.DebugVar, "dump")
	_, err = compile.Compile(t.Context(), ir.MustParse(addText), compile.Options{})
	require.ErrorContains(t, err, `compile: GOSPMD_DEBUG: debug option "dump" has no value`)
}
