package needs

// This file finds files that are not in the repository, and skips the tests that lack them.

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// PJRTHeader returns the directory of go-xla's header of PJRT. It skips the test if there is no C
// compiler for it, or no go command.
func PJRTHeader(t testing.TB) string {
	t.Helper()
	Tool(t, "gcc", "cc")
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/gomlx/go-xla").Output()
	if err != nil {
		Skip(t, "the go command", "add it to $PATH", err)
	}
	return filepath.Join(strings.TrimSpace(string(module)), "pjrt")
}

// MNISTVar is the environment variable that names the directory with the files of MNIST.
const MNISTVar = "GOSPMD_MNIST_DIR"

// MNIST returns the directory with the files of MNIST that the environment names (MNISTVar), or
// skips the test if it names none.
func MNIST(t testing.TB) string {
	t.Helper()
	dir := os.Getenv(MNISTVar)
	if dir == "" {
		Skip(t, "MNIST", "set $"+MNISTVar+" to a directory with its files")
	}
	return dir
}

// Plugin skips the test because the plugin of a platform is not installed; err says what was
// missing.
func Plugin(t testing.TB, platform string, err error) {
	t.Helper()
	Skip(t, "the plugin for "+platform, "gospmd doctor -install "+platform, err)
}
