package steps

// This file finds the Python of the peers.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// PythonUsage describes the flag -python of benchmarks.
const PythonUsage = "the Python of the peers (default $GOSPMD_PEERS_PYTHON, $GOSPMD_ORACLE_PYTHON, or where benchmarks/peers/setup.sh installs it)"

// FindPython returns a Python that has the peers: the one that the flag -python names, or if that
// is empty, the default that PythonUsage tells. It does not check what that Python has. A Python
// that does not exist is an error. For the Python of setup.sh the error says how to make it.
func FindPython(named string) (string, error) {
	for _, python := range []string{named, os.Getenv("GOSPMD_PEERS_PYTHON"), os.Getenv("GOSPMD_ORACLE_PYTHON")} {
		if python != "" {
			return exec.LookPath(python)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	python := filepath.Join(cache, "gospmd", "peers", "bin", "python")
	if _, err := os.Stat(python); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no %s: run benchmarks/peers/setup.sh, which makes it; name a Python that has JAX and Keras by -python", python)
	}
	return python, nil
}
