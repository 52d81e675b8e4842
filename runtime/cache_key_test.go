package runtime

// This file tests the parts of the key of a compiled program.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/ir"
)

func TestPlainText(t *testing.T) {
	for text, want := range map[string]string{
		``: ``,
		`%0 = a %1 : t loc("layer"("net.go":7:0))` + "\n":                                      "%0 = a %1 : t\n",
		`%0 = a %1 {s = "x loc(y) \" loc(z"} loc("a)\"(b")`:                                    `%0 = a %1 {s = "x loc(y) \" loc(z"}`,
		`(%a: t loc("a"), %b: t loc(unknown)) {`:                                               `(%a: t, %b: t) {`,
		`a_loc(b) loc("cut off`:                                                                `a_loc(b)`,
		`-> (t {jax.result_info = "dense_1/kernel"}, t {jax.result_info = "a\"", x = 1}, t) {`: `-> (t {}, t {, x = 1}, t) {`,
		`%0 = a {s = "jax.result_info = \"x\""}`:                                               `%0 = a {s = "jax.result_info = \"x\""}`,
		`jax.result_info = "cut off`:                                                           ``,
		`"cut off loc(a`:                                                                       `"cut off loc(a`,
	} {
		require.Equal(t, want, string(plainText([]byte(text))))
	}
}

// FuzzPlainText: plainText of a module printed with locations must be the module printed without
// locations.
func FuzzPlainText(f *testing.F) {
	for _, name := range []string{`layer`, `a "b" \`, `loc(`, ` loc("x")`, `)`, "\x00\xff"} {
		f.Add(name, `x) loc("`)
	}
	f.Fuzz(func(t *testing.T, name, attr string) {
		quote := func(s string) string { return fmt.Sprintf(`"%s"`, hexEscapes(s)) }
		if name == "" || attr == "" {
			t.Skip()
		}
		m, err := ir.Parse(fmt.Sprintf(`func.func @main(%%a: tensor<2xf32> loc(%[2]s)) -> tensor<2xf32> {
  %%0 = stablehlo.custom_call @f(%%a) {backend_config = %[1]s} : (tensor<2xf32>) -> tensor<2xf32> loc(%[2]s("n.go":7:0))
  return %%0 : tensor<2xf32>
}
`, quote(attr), quote(name)))
		require.NoError(t, err)
		var with, without strings.Builder
		require.NoError(t, ir.Print(&with, m, ir.PrintOptions{Locations: true}))
		require.NoError(t, ir.Print(&without, m, ir.PrintOptions{}))
		require.NotEqual(t, without.String(), with.String())
		require.Equal(t, without.String(), string(plainText([]byte(with.String()))))
	})
}

// hexEscapes writes each byte as two digits.
func hexEscapes(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, `\%02X`, s[i])
	}
	return b.String()
}

func TestFileIdentity(t *testing.T) {
	file := filepath.Join(t.TempDir(), "plugin.so")
	data := make([]byte, 1<<20)
	seen := map[string]bool{}
	see := func() {
		id, err := fileIdentity(file)
		require.NoError(t, err)
		again, err := fileIdentity(file)
		require.NoError(t, err)
		require.Equal(t, id, again)
		seen[id] = true
	}
	write := func(b []byte) {
		old, before := os.Stat(file)
		require.NoError(t, os.WriteFile(file, b, 0o600))
		if before == nil { // some systems install all files with the same time
			require.NoError(t, os.Chtimes(file, old.ModTime(), old.ModTime()))
		}
	}
	write(data)
	see()
	data[len(data)/2] = 1
	write(data)
	see()
	write(data[:len(data)-1])
	see()
	require.NoError(t, os.Chtimes(file, info(t, file).ModTime(), info(t, file).ModTime().Add(1000)))
	see()
	write(nil)
	see()
	require.Len(t, seen, 5)
	_, err := fileIdentity(file + "x")
	require.Error(t, err)
}

func info(t *testing.T, file string) os.FileInfo {
	t.Helper()
	i, err := os.Stat(file)
	require.NoError(t, err)
	return i
}

func TestDescribedCPU(t *testing.T) {
	const amd = "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC\ncpu MHz\t: 2595\nflags\t\t: avx2 fpu avx512f\n\n"
	const later = "processor\t: 1\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC\ncpu MHz\t: 3000\nflags\t\t: fpu avx2 avx512f\n\n"
	require.Equal(t, "flags=avx2 avx512f fpu\nmodel name=AMD EPYC\nvendor_id=AuthenticAMD", describeCPU(amd))
	require.Equal(t, describeCPU(amd), describeCPU(amd+later), "neither the clock nor the number of a core tells processors apart")
	require.NotEqual(t, describeCPU(amd), describeCPU("flags : fpu avx2\nmodel name : AMD EPYC\nvendor_id : AuthenticAMD"))
	require.Equal(t, "CPU part=0xd40\nFeatures=asimd fp sve", describeCPU("Features : fp asimd sve\nCPU part : 0xd40\n"))
	require.Empty(t, describeCPU("no processor"))
	require.Contains(t, processor(), "CPUs, ")
}

func TestDumps(t *testing.T) {
	for value, want := range map[string]bool{"": false, "--xla_cpu_use_xnnpack=false": false, "--a=1 --xla_dump_to=/tmp": true, " flags.txt": true} {
		require.Equal(t, want, dumps([]string{"NPROC=4", "XLA_FLAGS=" + value}), value)
	}
	require.False(t, dumps([]string{"NPROC=4"}))
}
