package plugin

// This file implements the sources of wheels: the public package index, and pip, which follows the
// configuration of closed networks. Neither waits forever.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gomlx/go-xla/installer"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/budget"
	"github.com/gospmd/gospmd/internal/download"
)

// Source is a place to fetch wheels from: Index and Pip implement it.
type Source interface {
	// Name returns a short name, for messages.
	Name() string
	// Fetch writes the release's wheel to the file to, and reports the progress to show. The caller
	// checks the file.
	Fetch(ctx context.Context, r Release, to string, show *download.Progress) error
}

// DefaultSources returns the package index and then pip. If the user's environment configures
// another index, or none, pip comes first.
func DefaultSources() []Source {
	index := &Index{Lookup: lookUp}
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
	// Lookup returns the index' answer about a package.
	Lookup func(ctx context.Context, name string, show *download.Progress) (*installer.PipPackageInfo, error)
	Client *http.Client // nil for http.DefaultClient
}

// maxWheel and maxIndex are the largest sizes of a wheel and of the index' answer about a
// package.
const (
	maxWheel = 1 << 30
	maxIndex = 16 << 20
)

// addressOf returns the address of the public index' answer about a package.
func addressOf(name string) *url.URL {
	return (&url.URL{Scheme: "https", Host: "pypi.org", Path: "/pypi"}).JoinPath(name, "json")
}

// lookUp asks the public package index for the package with the given name, and returns its answer:
// the files of all its releases.
func lookUp(ctx context.Context, name string, show *download.Progress) (*installer.PipPackageInfo, error) {
	var text bytes.Buffer
	r := download.Request{URL: addressOf(name).String(), Bytes: maxIndex}
	if err := r.Fetch(ctx, &text, show.Quiet()); err != nil {
		return nil, err
	}
	if err := budget.ForFile(int64(text.Len())).JSON(text.Bytes(), budget.Any, "the answer"); err != nil {
		return nil, err
	}
	info := new(installer.PipPackageInfo)
	if err := json.Unmarshal(text.Bytes(), info); err != nil {
		return nil, fmt.Errorf("%s: %w", r.URL, brief.Error(err))
	}
	return info, nil
}

// Name returns "package index".
func (s *Index) Name() string { return "package index" }

// Fetch looks the address of r's wheel up in the index, downloads the wheel to the file to, and
// reports the progress to show.
func (s *Index) Fetch(ctx context.Context, r Release, to string, show *download.Progress) error {
	address, err := s.address(ctx, r, show)
	if err != nil {
		return err
	}
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	err = download.Request{URL: address, Client: s.Client, Bytes: maxWheel}.Fetch(ctx, f, show)
	return errors.Join(err, f.Close())
}

// address asks the index for r's package and returns the URL of r's wheel. show gets the progress.
// A wheel that the index does not list is an error.
func (s *Index) address(ctx context.Context, r Release, show *download.Progress) (string, error) {
	info, err := s.Lookup(ctx, r.Package, show)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return "", fmt.Errorf("looking up %s: %w", r.Package, err)
	}
	for _, file := range info.Releases[r.Version] {
		if file.Filename == r.Wheel {
			// mirrors may give addresses without a host
			address, err := addressOf(r.Package).Parse(file.URL)
			if err != nil {
				return "", fmt.Errorf("the address of %s: %w", r.Wheel, err)
			}
			return address.String(), nil
		}
	}
	return "", fmt.Errorf("it does not list %s", r.Wheel)
}

// Pip runs pip, which is configured with the user's index, proxy and certificates.
type Pip struct {
	Python string        // the interpreter; empty for python3 or python in $PATH
	Limit  time.Duration // time limit; 0 means 10 minutes
}

const pipLimit = 10 * time.Minute

// Name returns "pip".
func (s *Pip) Name() string { return "pip" }

// Fetch runs pip download for r, for at most s.Limit, and moves the wheel to the file to. show
// tells that it runs. The error has pip's last line.
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
	limit := s.Limit
	if limit == 0 {
		limit = pipLimit
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	show.Start(-1)
	defer show.ShowWait("pip", limit)()
	args := append([]string{"-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--timeout", "20", "--retries", "1"}, r.pipFlags()...)
	cmd := exec.CommandContext(ctx, python, append(args, "--dest", dir, r.Package+"=="+r.Version)...)
	cmd.WaitDelay = time.Second // for processes that pip has started
	out, err := cmd.CombinedOutput()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("it did not end within %s", limit)
	}
	if err != nil {
		return fmt.Errorf("%s -m pip download: %w: %s", python, err, brief.Text(lastLine(string(out))))
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

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}
