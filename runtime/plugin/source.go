package plugin

// This file defines the sources of a wheel: the package index that go-xla
// knows, and pip, which follows the configuration of closed networks.

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gomlx/go-xla/installer"

	"github.com/gospmd/gospmd/internal/download"
)

// Source is a place to fetch wheels from.
type Source interface {
	// Name says in a few words what it is.
	Name() string
	// Fetch writes the release's wheel to the file to, and tells show about
	// it. The caller checks what arrived.
	Fetch(ctx context.Context, r Release, to string, show *download.Progress) error
}

// DefaultSources returns the package index first and then pip; pip first where
// the user's environment tells it to use another index or none.
func DefaultSources() []Source {
	index := &Index{Lookup: installer.GetPipInfo}
	pip := &Pip{}
	for _, v := range []string{"PIP_INDEX_URL", "PIP_NO_INDEX"} {
		if os.Getenv(v) != "" {
			return []Source{pip, index}
		}
	}
	return []Source{index, pip}
}

// Index downloads over HTTP from the public package index.
type Index struct {
	// Lookup returns what the index knows of a package.
	Lookup func(name string) (*installer.PipPackageInfo, error)
	Client *http.Client // nil for http.DefaultClient
}

// Name returns "package index".
func (s *Index) Name() string { return "package index" }

// Fetch looks the wheel's address up and downloads it.
func (s *Index) Fetch(ctx context.Context, r Release, to string, show *download.Progress) error {
	url, err := s.address(ctx, r)
	if err != nil {
		return err
	}
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	err = download.Fetch(ctx, s.Client, url, f, show)
	return errors.Join(err, f.Close())
}

// address looks up the URL of the wheel. The look-up itself cannot be
// interrupted, so it is left behind when ctx ends.
func (s *Index) address(ctx context.Context, r Release) (string, error) {
	type answer struct {
		info *installer.PipPackageInfo
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		info, err := s.Lookup(r.Package)
		answers <- answer{info, err}
	}()
	var a answer
	select {
	case a = <-answers:
	case <-ctx.Done():
		a.err = ctx.Err()
	}
	if a.err != nil {
		return "", fmt.Errorf("looking up %s: %w", r.Package, a.err)
	}
	for _, file := range a.info.Releases[r.Version] {
		if file.Filename == r.Wheel {
			return file.URL, nil
		}
	}
	return "", fmt.Errorf("it does not list %s", r.Wheel)
}

// Pip runs pip, which knows the user's index, proxy and certificates.
type Pip struct {
	Python string // the interpreter; empty for python3 or python in $PATH
}

// Name returns "pip".
func (s *Pip) Name() string { return "pip" }

// Fetch runs pip download.
func (s *Pip) Fetch(ctx context.Context, r Release, to string, show *download.Progress) error {
	python, err := s.python()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(to), "pip-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	show.Start(-1)
	cmd := exec.CommandContext(ctx, python, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
		"--only-binary", ":all:", "--platform", platformTag(r.Wheel), "--dest", dir, r.Package+"=="+r.Version)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s -m pip download: %w: %s", python, err, lastLine(string(out)))
	}
	return os.Rename(filepath.Join(dir, r.Wheel), to)
}

func (s *Pip) python() (string, error) {
	if s.Python != "" {
		return s.Python, nil
	}
	for _, name := range []string{"python3", "python"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no python3 in $PATH")
}

// platformTag returns the last part of a wheel's name: manylinux_2_27_x86_64.
func platformTag(wheel string) string {
	parts := strings.Split(strings.TrimSuffix(wheel, ".whl"), "-")
	return parts[len(parts)-1]
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}
