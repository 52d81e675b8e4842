package compile_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
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
		{name: "dump dir is a file", text: addText, options: compile.Options{DumpDir: "compile_test.go"}, want: `Options.DumpDir is "compile_test.go"`},
		{
			name: "token input",
			text: "func.func public @main(%arg0: !stablehlo.token) -> !stablehlo.token { return %arg0 : !stablehlo.token }",
			want: `input "arg0" is a token`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := ir.Parse(tc.text)
			require.NoError(t, err)
			_, err = compile.Compile(m, tc.options)
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

func TestDumpDir(t *testing.T) {
	for _, by := range []compile.Partitioner{compile.XLA, compile.SPMD} {
		dir := filepath.Join(t.TempDir(), "new", "dumps")
		_, err := compile.Compile(ir.MustParse(addText), compile.Options{Partitioner: by, DumpDir: dir})
		require.NoError(t, err)
		files, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, files, len(compile.PassNamesFor(by))+1)
		require.Equal(t, "00_input.mlir", files[0].Name())
		require.Equal(t, "01_inline.mlir", files[1].Name())
	}
}
