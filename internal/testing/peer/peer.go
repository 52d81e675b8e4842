// Package peer finds the programs of other projects that tests compare with.
//
// Order of use: Python for a Python with the modules that a test needs, Shardy for the directory
// with Shardy's test cases and driver.
//
//	function   finds
//	Python     a Python with given modules: $GOSPMD_ORACLE_PYTHON, else python3
//	Shardy     the directory: $GOSPMD_SHARDY_DIR, else ../shared/shardy beside the checkout
package peer

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gospmd/gospmd/internal/testing/needs"
)

// Python returns $GOSPMD_ORACLE_PYTHON, or python3 without it, if that has the modules. Otherwise
// it skips the test and says what to install. benchmarks/peers/requirements.txt lists the packages.
func Python(t testing.TB, modules ...string) string {
	t.Helper()
	python := os.Getenv("GOSPMD_ORACLE_PYTHON")
	if python == "" {
		python = "python3"
	}
	const find = "import importlib.util as u, sys; lacks = [m for m in sys.argv[1:] if not u.find_spec(m)]; sys.exit('no module ' + ', '.join(lacks) if lacks else 0)"
	out, err := exec.Command(python, append([]string{"-c", find}, modules...)...).CombinedOutput()
	if err != nil {
		needs.Skip(t, "the peers' Python", "pip install -r benchmarks/peers/requirements.txt, and name this Python by $GOSPMD_ORACLE_PYTHON",
			python, ": ", err, " ", string(bytes.TrimSpace(out)))
	}
	return python
}

// Shardy returns the directory with Shardy's cases: $GOSPMD_SHARDY_DIR, or else shared/shardy
// beside the repository. It skips the test if the directory does not hold the file.
func Shardy(t testing.TB, file string) string {
	t.Helper()
	dir := os.Getenv("GOSPMD_SHARDY_DIR")
	if dir == "" {
		dir = filepath.Join(root(t), "..", "shared", "shardy")
	}
	if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
		needs.Skip(t, "Shardy's cases", "name their directory by $GOSPMD_SHARDY_DIR", err)
	}
	return dir
}

// root returns the directory of go.mod, above the current directory. Without one the test fails.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the test's directory")
		}
		dir = parent
	}
}
