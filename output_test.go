package gospmd_test

// This file enforces that libraries log to a logger. Only programs may use the standard streams and
// the default logger of package log, and change the environment.

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// reserved are names of the standard library that only programs may use. A name with a star stands
// for all names with that beginning.
var reserved = map[string][]string{
	"os":  {"Stderr", "Stdout", "Setenv"},
	"log": {"Default", "Print*"},
}

// excepted is a file that may use some of the reserved names.
type excepted struct {
	file, names, reason string
}

// exceptions lists the files of libraries that use reserved names.
var exceptions = []excepted{
	{"keras/trainer.go", "os.Stdout", "Fit, Evaluate and Predict show their progress there, as Keras does"},
	{"keras/images/directory.go", "os.Stdout", "the number of images found is printed, as Keras does"},
	{"keras/utils/texts.go", "os.Stdout", "the number of texts found is printed, as Keras does"},
	{"keras/callbacks/messages.go", "os.Stdout", "callbacks with Verbose, and TerminateOnNaN, print what they do, as in Keras"},
	{"runtime/plugin/install.go", "os.Stderr", "default output of the progress of an installation"},
	{"internal/download/progress.go", "os.Stderr", "default output of the progress of a download"},
	{"ir/pass/pass.go", "os.Stderr", "default output of the modules that $GOSPMD_DEBUG prints"},
	{"internal/reexec/reexec.go", "os.Stderr", "a child process says to its parent why it ends"},
	{"internal/testing/testsummary/main.go", "os.Stdout os.Stderr", "it is a command"},
	{"internal/testing/runtimetest/compiling.go", "os.Setenv os.Stderr", "Main and init are those of test binaries"},
	{"internal/testing/runtimetest/platform.go", "os.Setenv", "OnCPU is called in TestMain"},
}

// programs are the folders of commands, and of packages that only commands use.
var programs = []string{"cmd/", "examples/", "benchmarks/"}

// isLibrary reports whether a file is part of a library. path is relative to the root.
func isLibrary(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !strings.Contains("/"+name, "/testdata/") &&
		!slices.ContainsFunc(programs, func(dir string) bool { return strings.HasPrefix(name, dir) })
}

// TestLibrariesLeaveOutput reads all libraries. A file may use a reserved name only with a row of
// exceptions, and each row must be used.
func TestLibrariesLeaveOutput(t *testing.T) {
	files := 0
	rows := map[string]string{} // the rows that were not used yet
	for _, e := range exceptions {
		require.NotEmpty(t, e.reason, e.file)
		rows[e.file] = e.names
	}
	require.NoError(t, filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		name = filepath.ToSlash(name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case d.IsDir() || !isLibrary(name):
			return nil
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		used := reservedUses(f)
		if want := rows[name]; want != strings.Join(used, " ") {
			t.Errorf("%s uses %q, the row of exceptions says %q: return errors, take a *slog.Logger for warnings, or correct the row in output_test.go",
				name, strings.Join(used, " "), want)
		}
		delete(rows, name)
		return nil
	}))
	require.Empty(t, rows, "rows of files that are not there")
	require.Greater(t, files, 100, "the test must run at the root of the module")
}

// reservedUses returns the reserved names that a file uses, each once, in the order of the file.
func reservedUses(f *ast.File) (uses []string) {
	imported := map[string]string{} // import path, by the name in the file
	for _, spec := range f.Imports {
		pkg, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser has verified it
		}
		name := path.Base(pkg)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = pkg
	}
	ast.Inspect(f, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := s.X.(*ast.Ident)
		if !ok {
			return true
		}
		for _, name := range reserved[imported[x.Name]] {
			prefix, all := strings.CutSuffix(name, "*")
			use := imported[x.Name] + "." + s.Sel.Name
			if (s.Sel.Name == name || all && strings.HasPrefix(s.Sel.Name, prefix)) && !slices.Contains(uses, use) {
				uses = append(uses, use)
			}
		}
		return true
	})
	return uses
}

// This tests the test of reserved names: reservedUses must find all uses of the standard streams,
// of the default logger and of Setenv, under any import name, and no others.
func TestReservedUses(t *testing.T) {
	for _, tc := range []struct{ imports, code, want string }{
		{`"os"`, `var _ = os.Stderr`, "os.Stderr"},
		{`"os"`, `func f() { os.Stdout.Close(); os.Stdout.Sync(); os.Setenv("A", "b") }`, "os.Stdout os.Setenv"},
		{`system "os"`, `var _ = system.Stdout`, "os.Stdout"},
		{`"log"`, `func f() { log.Printf("a"); log.Println("a") }`, "log.Printf log.Println"},
		{`"log"`, `var _ = log.Default()`, "log.Default"},
		{`"log/slog"`, `var _ = slog.Default()`, ""},
		{`"os"`, `var _ = os.Getenv("A") // os.Stderr`, ""},
		{`log "log/slog"`, `var _ = log.Default()`, ""},
	} {
		t.Run(tc.code, func(t *testing.T) {
			f, err := parser.ParseFile(token.NewFileSet(), "a.go", fmt.Sprintf("package a\nimport %s\n%s", tc.imports, tc.code), 0)
			require.NoError(t, err)
			require.Equal(t, tc.want, strings.Join(reservedUses(f), " "))
		})
	}
	require.False(t, isLibrary("cmd/gospmd/main.go"))
	require.False(t, isLibrary("keras/a_test.go"))
	require.True(t, isLibrary("keras/a.go"))
}
