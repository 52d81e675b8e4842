package needs

// This file finds programs, and checks whether Gloo, cgo and the rights of root are there. Tests
// that lack them are skipped.

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// Tool returns the path of the first of the programs names that is installed. If none is, it skips
// the test, and names the Debian package that contains one.
func Tool(t testing.TB, debian string, names ...string) string {
	t.Helper()
	var err error
	for _, name := range names {
		var path string
		if path, err = exec.LookPath(name); err == nil {
			return path
		}
	}
	Skip(t, names[0], "apt-get install "+debian, err)
	return ""
}

// installGloo is the fix if Gloo is missing.
const installGloo = "apt-get install libgloo-dev g++"

// Gloo skips the test, with the reason, if the compiler of $CXX or g++ cannot compile Gloo's
// headers.
func Gloo(t testing.TB) {
	t.Helper()
	compiler := "g++"
	if name := os.Getenv("CXX"); name != "" {
		compiler = name
	}
	out, err := exec.Command(compiler, "-E", "-x", "c++", "-include", "gloo/allreduce.h", os.DevNull).CombinedOutput()
	if err == nil {
		return
	}
	why := err.Error()
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "error") {
			why = strings.TrimSpace(line)
			break
		}
	}
	Skip(t, "Gloo", installGloo, why)
}

// Cgo skips the test unless has is true: whether the program was built with cgo, such as
// runtime.HasPJRT.
func Cgo(t testing.TB, has bool) {
	t.Helper()
	if !has {
		Skip(t, "cgo", "install a C compiler, and do not set CGO_ENABLED=0")
	}
}

// Root skips the test if err says that the process lacks a right of root.
func Root(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		Skip(t, "root", "run the tests as root", err)
	}
}
