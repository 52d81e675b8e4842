package gloo

// This file compiles the shim: once for each version of it and of the compiler, into
// the user's cache. Processes that need it at the same time wait for the one that
// compiles.

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

//go:embed shim/shim.cc
var source []byte

// install is the advice where something of Gloo is missing.
const install = "install libgloo-dev and g++ (Debian and Ubuntu: apt-get install libgloo-dev g++)"

// flags are those of the compiler, for a shared library.
var flags = []string{"-std=c++17", "-O3", "-fPIC", "-shared", "-fwrapv", "-fvisibility=hidden"}

// patience is how long to wait for another process that compiles.
const patience = 5 * time.Minute

// Available returns nil where Open can find Gloo, and else why not. It compiles the
// shim if that has not been done on this machine.
func Available(ctx context.Context) error {
	if !hasCgo {
		return errNoCgo
	}
	if _, err := library(ctx); err != nil {
		return fmt.Errorf("gloo: %w", err)
	}
	return nil
}

var errNoCgo = errors.New("gloo: this program was built without cgo (CGO_ENABLED=0): build it with cgo, or use the transport tcp")

// library returns the file of the compiled shim, which it compiles if it is not
// there.
func library(ctx context.Context) (string, error) {
	compiler, err := findCompiler()
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("there is no cache directory to compile Gloo's shim in: %w; set $XDG_CACHE_HOME", err)
	}
	version, err := exec.CommandContext(ctx, compiler, "-v").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s -v: %w: %s", compiler, err, version)
	}
	hash := sha256.New()
	for _, part := range [][]byte{source, []byte(strings.Join(flags, " ")), version} {
		fmt.Fprintf(hash, "%d ", len(part))
		hash.Write(part)
	}
	dir := filepath.Join(cache, "gospmd", "gloo")
	file := filepath.Join(dir, fmt.Sprintf("shim-%x.so", hash.Sum(nil)[:8]))
	if exists(file) {
		return file, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if _, err := lock.TryLockContext(waiting, 50*time.Millisecond); err != nil {
		return "", fmt.Errorf("waiting for another process that compiles Gloo's shim, for at most %s (the lock is %s): %w", patience, lock.Path(), err)
	}
	defer lock.Unlock()
	if exists(file) {
		return file, nil // by whom we waited for
	}
	return file, compile(ctx, compiler, file)
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// findCompiler returns $CXX, or g++.
func findCompiler() (string, error) {
	name := os.Getenv("CXX")
	if name == "" {
		name = "g++"
	}
	path, err := exec.LookPath(name)
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no C++ compiler %q, which Gloo's shim needs: %s", name, install)
	}
	return path, err
}

// compile makes the file, all of it or nothing.
func compile(ctx context.Context, compiler, file string) error {
	fmt.Fprintf(os.Stderr, "gospmd: compiling the shim of Gloo with %s into %s, once for this machine\n", compiler, file)
	dir, err := os.MkdirTemp(filepath.Dir(file), "build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	text, out := filepath.Join(dir, "shim.cc"), filepath.Join(dir, "shim.so")
	if err := os.WriteFile(text, source, 0o644); err != nil {
		return err
	}
	args := append(append([]string(nil), flags...), "-o", out, text, "-lgloo", "-pthread")
	message, err := exec.CommandContext(ctx, compiler, args...).CombinedOutput()
	switch said := string(message); {
	case err == nil:
		return os.Rename(out, file)
	case strings.Contains(said, "gloo/") && strings.Contains(said, "No such file") || strings.Contains(said, "-lgloo"):
		return fmt.Errorf("there is no Gloo: %s; %s said:\n%s", install, compiler, said)
	default:
		return fmt.Errorf("%s cannot compile Gloo's shim: %w:\n%s", compiler, err, said)
	}
}
