package main

// This file makes a copy of GoMLX whose tests link package gomlxbackend.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/runtime/plugin"
)

const (
	gomlxPath = "github.com/gomlx/gomlx"
	goxlaPath = "github.com/gomlx/go-xla"
)

// workspace is a temporary directory with the copy of GoMLX, and with a home directory for go-xla's
// plugin.
type workspace struct {
	dir   string
	gomlx string // the copy
	env   []string
}

// newWorkspace copies GoMLX, as go.mod of the repository root names it, into a temporary directory,
// and makes a Go workspace of it and the gospmd module at root. The caller removes it.
func newWorkspace(ctx context.Context, root string) (w *workspace, err error) {
	dir, err := os.MkdirTemp("", "gospmd-gomlxtests-*")
	if err != nil {
		return nil, err
	}
	w = &workspace{dir: dir, gomlx: filepath.Join(dir, "gomlx")}
	defer func() {
		if err != nil {
			w.remove()
		}
	}()
	if root, err = filepath.Abs(root); err != nil {
		return nil, err
	}
	source, err := goCommand(ctx, root, "list", "-m", "-f", "{{.Dir}}", gomlxPath)
	if err != nil {
		return nil, err
	}
	if err := w.copy(source); err != nil {
		return nil, err
	}
	if err := w.importBackend(); err != nil {
		return nil, err
	}
	if _, err := goCommand(ctx, dir, "work", "init", w.gomlx, root); err != nil {
		return nil, err
	}
	return w, w.setHome(ctx, root)
}

func (w *workspace) remove() { os.RemoveAll(w.dir) }

// goCommand runs the go command with args in dir, and returns its standard output without spaces
// around it. The error has what it printed on standard error.
func goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "", fmt.Errorf("go %s: %w: %s", strings.Join(args, " "), err, exit.Stderr)
	}
	return strings.TrimSpace(string(out)), err
}

// copy copies GoMLX's source. The copied files are writable, unlike those of the module cache.
func (w *workspace) copy(source string) error {
	return filepath.WalkDir(source, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rest, err := filepath.Rel(source, path)
		if err != nil {
			return err
		}
		to := filepath.Join(w.gomlx, rest)
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o644)
	})
}

// packageClause matches the package clause of a test file; its group is the name of the package.
var packageClause = regexp.MustCompile(`(?m)^package (\w+)`)

// importBackend adds a test file with a blank import of package gomlxbackend to each package of
// GoMLX that has tests. A test file without a package clause is an error.
func (w *workspace) importBackend() error {
	return filepath.WalkDir(w.gomlx, func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		tests, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil || len(tests) == 0 {
			return err
		}
		text, err := os.ReadFile(tests[0])
		if err != nil {
			return err
		}
		clause := packageClause.FindSubmatch(text)
		if clause == nil {
			return fmt.Errorf("%s has no package clause", tests[0])
		}
		name := bytes.TrimSuffix(clause[1], []byte("_test"))
		file := fmt.Sprintf("package %s_test\n\nimport _ \"github.com/gospmd/gospmd/gomlxbackend\"\n", name)
		return os.WriteFile(filepath.Join(dir, "gospmd_backend_test.go"), []byte(file), 0o644)
	})
}

// cpuVersion matches the constant in go-xla's source that names the version of the plugin that it
// looks for. Its group is the version.
var cpuVersion = regexp.MustCompile(`DefaultCPUVersion = "([^"]+)"`)

// setHome makes a home directory in w.dir, in which go-xla finds gospmd's plugin for the CPU, which
// is installed first if it is missing. It sets w.env, the environment of commands that use this
// home; with it, Go and gospmd still use the caches of the user. root is the directory of gospmd's
// module. It is an error if go-xla's source does not say which version of the plugin it looks for.
func (w *workspace) setHome(ctx context.Context, root string) error {
	file, err := plugin.Find(ctx, plugin.Options{Platform: hardware.CPU})
	if err != nil {
		return err
	}
	goxla, err := goCommand(ctx, root, "list", "-m", "-f", "{{.Dir}}", goxlaPath)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(goxla, "internal", "utils", "utils.go"))
	if err != nil {
		return err
	}
	version := cpuVersion.FindSubmatch(text)
	if version == nil {
		return fmt.Errorf("%s: DefaultCPUVersion is not there: want the version of the plugin that go-xla installs", goxla)
	}
	home := filepath.Join(w.dir, "home")
	installed := filepath.Join(home, ".local", "lib", "go-xla")
	if err := os.MkdirAll(installed, 0o755); err != nil {
		return err
	}
	if err := os.Symlink(file, filepath.Join(installed, fmt.Sprintf("pjrt_c_api_cpu_%s_plugin.so", version[1]))); err != nil {
		return err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	w.env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+cache, "GOMLX_NO_AUTO_INSTALL=1")
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		value, err := goCommand(ctx, root, "env", name)
		if err != nil {
			return err
		}
		w.env = append(w.env, name+"="+value)
	}
	return nil
}
