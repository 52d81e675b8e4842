//go:build cgo

package gloo

// This file compiles the shim: once for each version of it and of the compiler, into the user's
// cache. If several processes need it at the same time, one of them compiles and the others wait. A
// process that has waited too long, because the other one is stopped, compiles too. All write the
// same file, by a rename.

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

//go:embed shim/shim.cc
var source []byte

// install is the advice in errors about missing parts of Gloo.
const install = "install libgloo-dev and g++ (Debian and Ubuntu: apt-get install libgloo-dev g++)"

// flags are the flags of the compiler, for a shared library.
var flags = []string{"-std=c++17", "-O3", "-fPIC", "-shared", "-fwrapv", "-fvisibility=hidden"}

// A process that compiles touches the lock file each beat. Others wait for it until the file has
// not been touched for patience.
const (
	beat     = 500 * time.Millisecond
	patience = 5 * time.Second
)

// library returns the file of the compiled shim, in the user's cache. It compiles the shim, and
// tells l, if there is no file for this compiler and source. A missing compiler, Gloo or cache
// directory is an error that says what to install.
func library(ctx context.Context, l *slog.Logger) (string, error) {
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
	if err := waitFor(ctx, lock, file); err != nil {
		return "", err
	}
	defer lock.Unlock()
	if exists(file) {
		return file, nil // compiled by the process that had the lock
	}
	compiling, done := context.WithCancel(ctx)
	defer done()
	go touch(compiling, lock.Path())
	cmp.Or(l, slog.Default()).Info(fmt.Sprintf("gospmd: compiling the shim of Gloo with %s into %s, once for this machine", compiler, file))
	return file, compile(ctx, compiler, file)
}

// touch touches the lock file regularly until ctx ends, to show that this process still compiles.
func touch(ctx context.Context, lock string) {
	for ctx.Err() == nil {
		now := time.Now()
		_ = os.Chtimes(lock, now, now) // if this fails, other processes compile too
		select {
		case <-ctx.Done():
		case <-time.After(beat):
		}
	}
}

// waitFor waits until this process has the lock, the file is there, or the process that has the
// lock seems to be stopped. The lock only saves work: processes that compile at the same time do no
// harm. It returns an error if ctx ends first.
func waitFor(ctx context.Context, lock *flock.Flock, file string) error {
	var touched, seen time.Time // the time of the lock file, and when this process saw that time first
	for {
		held, err := lock.TryLock()
		if err != nil {
			return fmt.Errorf("the lock %s of the compilation of Gloo's shim: %w", lock.Path(), err)
		}
		if info, err := os.Stat(lock.Path()); err == nil && !info.ModTime().Equal(touched) {
			touched, seen = info.ModTime(), time.Now()
		}
		if held || exists(file) || time.Since(seen) > patience {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for another process that compiles Gloo's shim (the lock is %s): %w", lock.Path(), context.Cause(ctx))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// findCompiler returns the path of $CXX, or of g++ without it. The error says how to install one.
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

// compile compiles the shim to the file. It writes the whole file or nothing. If the headers of
// Gloo are missing, the error says how to install them; another one has what the compiler said.
func compile(ctx context.Context, compiler, file string) error {
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
