package pass_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/pass"
)

const addText = `module @add {
  func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %x, %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}`

// pipeline returns a pipeline of passes with these names, which do nothing except that each appends
// its name to ran. A pass called needed is Required.
func pipeline(ran *[]string, d pass.Debug, names ...string) pass.Pipeline[*ir.Module] {
	p := pass.Pipeline[*ir.Module]{Module: func(m *ir.Module) *ir.Module { return m }, Debug: d}
	for _, name := range names {
		p.Passes = append(p.Passes, pass.Pass[*ir.Module]{Name: name, Required: name == "needed", Run: func(*ir.Module) error {
			*ran = append(*ran, name)
			return nil
		}})
	}
	return p
}

func TestOff(t *testing.T) {
	var ran []string
	err := pipeline(&ran, pass.Debug{Off: []string{"b"}}, "a", "b", "c", "b").Run(ir.MustParse(addText))
	require.NoError(t, err)
	require.Equal(t, []string{"a", "c"}, ran)

	err = pipeline(&ran, pass.Debug{Off: []string{"needed"}}, "needed").Run(ir.MustParse(addText))
	require.ErrorContains(t, err, "pass needed cannot be switched off")
}

func TestDump(t *testing.T) {
	for _, tc := range []struct {
		name  string
		debug pass.Debug
		want  []string
	}{
		{"all", pass.Debug{}, []string{"00_input.mlir", "01_a.mlir", "02_b.mlir"}},
		{"after one", pass.Debug{After: []string{"b"}}, []string{"02_b.mlir"}},
		{"after the input", pass.Debug{After: []string{"input"}}, []string{"00_input.mlir"}},
		{"without one", pass.Debug{Off: []string{"a"}}, []string{"00_input.mlir", "01_b.mlir"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			tc.debug.Dump = filepath.Join(dir, "new", "%m")
			var ran []string
			require.NoError(t, pipeline(&ran, tc.debug, "a", "b").Run(ir.MustParse(addText)))
			files, err := os.ReadDir(filepath.Join(dir, "new", "add"))
			require.NoError(t, err)
			var got []string
			for _, f := range files {
				got = append(got, f.Name())
			}
			require.Equal(t, tc.want, got)
		})
	}
}

func TestDumpFails(t *testing.T) {
	var ran []string
	err := pipeline(&ran, pass.Debug{Dump: "doc.go"}, "a").Run(ir.MustParse(addText))
	require.ErrorContains(t, err, `cannot write the dump of pass input`)
	require.ErrorContains(t, err, `the directory of dumps is "doc.go"`)
}

func TestPrintAfter(t *testing.T) {
	var out bytes.Buffer
	var ran []string
	require.NoError(t, pipeline(&ran, pass.Debug{After: []string{"b"}, Output: &out}, "a", "b", "c").Run(ir.MustParse(addText)))
	require.Contains(t, out.String(), "// module add after pass b\nmodule @add {")
	require.NotContains(t, out.String(), "after pass a")
}

func TestErrors(t *testing.T) {
	refused := errors.New("not like this")
	for _, tc := range []struct {
		name string
		run  func(*ir.Module) error
		bug  bool
		want []string
	}{
		{"refuses", func(*ir.Module) error { return refused }, false, []string{"not like this"}},
		{"panics", func(*ir.Module) error { panic("ouch") }, true, []string{"BUG: pass damage panicked: ouch", "stablehlo.add"}},
		{"leaves an invalid module", func(m *ir.Module) error {
			m.Main().Results[0].Type.Dims = []int{5}
			return nil
		}, true, []string{"BUG: pass damage or one before it left an invalid module", "stablehlo.add"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := pass.Pipeline[*ir.Module]{Module: func(m *ir.Module) *ir.Module { return m }, Passes: []pass.Pass[*ir.Module]{{Name: "damage", Run: tc.run}}}
			err := p.Run(ir.MustParse(addText))
			var e *pass.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, "damage", e.Pass)
			require.Equal(t, tc.bug, e.Bug)
			require.Equal(t, !tc.bug, errors.Is(err, refused))
			for _, want := range tc.want {
				require.ErrorContains(t, err, want)
			}
		})
	}
}

// With verify=each, the error names the pass that made the module invalid. Without it, the module
// is verified once, after the last pass.
func TestVerify(t *testing.T) {
	run := func(d pass.Debug) (verified int, err error) {
		p := pass.Pipeline[*ir.Module]{Module: func(m *ir.Module) *ir.Module { return m }, Debug: d}
		p.Verify = func(m *ir.Module) error {
			verified++
			return ir.Verify(m)
		}
		for _, name := range []string{"keep", "damage", "after", "off"} {
			p.Passes = append(p.Passes, pass.Pass[*ir.Module]{Name: name, Run: func(m *ir.Module) error {
				if name == "damage" {
					m.Main().Results[0].Type.Dims = []int{5}
				}
				return nil
			}})
		}
		return verified, p.Run(ir.MustParse(addText))
	}
	const named = "BUG: pass damage left an invalid module"
	_, err := run(pass.Debug{VerifyEach: true})
	require.ErrorContains(t, err, named)
	_, err = run(pass.Debug{Off: []string{"off"}})
	require.ErrorContains(t, err, "BUG: pass after or one before it left an invalid module (debug option verify=each finds which)")
	verified, err := run(pass.Debug{Off: []string{"damage", "off"}})
	require.NoError(t, err)
	require.Equal(t, 1, verified)
}

func TestParseDebug(t *testing.T) {
	d, err := pass.ParseDebug("dump=out/x=y,after=a,off=b,after=c,verify=each")
	require.NoError(t, err)
	require.Equal(t, pass.Debug{Dump: "out/x=y", After: []string{"a", "c"}, Off: []string{"b"}, VerifyEach: true}, d)
	require.False(t, d.IsZero())
	d, err = pass.ParseDebug("")
	require.NoError(t, err)
	require.True(t, d.IsZero())
	for _, text := range []string{"dump", "off=", "verify=all", "of=cse", ",", "off=a,"} {
		_, err := pass.ParseDebug(text)
		require.ErrorContains(t, err, "want dump=DIR, after=PASS, off=PASS or verify=each", text)
	}
}

func TestDebugCheck(t *testing.T) {
	names := []string{"inline", "simplify"}
	require.NoError(t, pass.Debug{After: []string{"input", "inline"}, Off: []string{"simplify"}}.Check(names))
	require.ErrorContains(t, pass.Debug{Off: []string{"simplfy"}}.Check(names), `there is no pass "simplfy"`)
	require.ErrorContains(t, pass.Debug{Off: []string{"input"}}.Check(names), `there is no pass "input"`)
	require.ErrorContains(t, pass.Debug{After: []string{"x"}}.Check(names), "the passes are inline, simplify")
}

func TestCheckOrder(t *testing.T) {
	rules := []pass.Before{{"a", "b", "b reads what a makes"}, {"a", "c", ""}}
	require.NoError(t, pass.CheckOrder([]string{"a", "b", "c"}, rules))
	for _, tc := range []struct {
		names []string
		want  string
	}{
		{[]string{"b", "a", "c"}, "pass a must run before b: b reads what a makes"},
		{[]string{"a", "b"}, `there is no pass "c"`},
		{[]string{"b", "c"}, `there is no pass "a"`},
		{[]string{"a", "b", "c", "a"}, `there are two passes "a"`},
	} {
		require.ErrorContains(t, pass.CheckOrder(tc.names, rules), tc.want)
	}
}
