package plugin

// This file installs a release: the wheel is fetched into a temporary
// directory beside its place, checked, unpacked, checked again and renamed.
// Its sources are the package index that go-xla knows, and pip, which follows
// the configuration of closed networks.

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/gomlx/go-xla/installer"
	"github.com/gospmd/gospmd/internal/download"
)

// Installer brings a release into a directory. It is safe that several processes
// and goroutines do so at once: one works, the others wait for it.
type Installer struct {
	Dir     string // receives <package>-<version>/<plugin>
	Release Release
	Sources []Source  // tried in order
	Output  io.Writer // sees the progress; nil for os.Stderr
}

// DefaultInstaller installs this machine's release under the user's cache
// directory.
func DefaultInstaller() (*Installer, error) {
	r, err := ThisRelease()
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("there is no cache directory to install the CPU plugin in: %w; set $XDG_CACHE_HOME, or $%s to a plugin", err, PathVar)
	}
	return &Installer{Dir: filepath.Join(cache, "gospmd", "pjrt"), Release: r, Sources: DefaultSources()}, nil
}

// Path returns where the plugin is, or will be, installed.
func (in *Installer) Path() string {
	r := in.Release
	return filepath.Join(in.Dir, r.Package+"-"+r.Version, filepath.Base(r.Member))
}

// Installed reports whether the plugin is there. A plugin gets its name only
// when it is whole and checked, so there is nothing more to look at.
func (in *Installer) Installed() (path string, ok bool) {
	info, err := os.Stat(in.Path())
	return in.Path(), err == nil && info.Mode().IsRegular()
}

// Install returns the path of the plugin, which it fetches unless it is there.
func (in *Installer) Install(ctx context.Context) (string, error) {
	if path, ok := in.Installed(); ok {
		return path, nil
	}
	err := in.locked(ctx, func() error {
		if _, ok := in.Installed(); ok { // by whom we waited for
			return nil
		}
		return in.fetch(ctx)
	})
	if err != nil {
		return "", in.advise(err)
	}
	return in.Path(), nil
}

// locked runs f while no other process or goroutine holds the directory.
func (in *Installer) locked(ctx context.Context, f func() error) error {
	if err := os.MkdirAll(filepath.Dir(in.Path()), 0o755); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(in.Dir, "lock"))
	if _, err := lock.TryLockContext(ctx, 100*time.Millisecond); err != nil {
		return fmt.Errorf("waiting for another process that installs it (%s): %w", lock.Path(), err)
	}
	defer lock.Unlock()
	return f()
}

// fetch downloads and unpacks in a temporary directory, which is removed whatever
// happens.
func (in *Installer) fetch(ctx context.Context) (err error) {
	// Left behind by a process that was killed; the lock is ours.
	stale, _ := filepath.Glob(filepath.Join(in.Dir, "tmp-*"))
	for _, dir := range stale {
		os.RemoveAll(dir)
	}
	tmp, err := os.MkdirTemp(in.Dir, "tmp-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)

	r := in.Release
	wheel := filepath.Join(tmp, r.Wheel)
	if err := in.download(ctx, wheel); err != nil {
		return err
	}
	so := filepath.Join(tmp, filepath.Base(r.Member))
	if err := unzip(wheel, r.Member, so); err != nil {
		return err
	}
	if err := checkFile(so, r.File); err != nil {
		return err
	}
	return os.Rename(so, in.Path())
}

// download asks the sources one after the other for the wheel. A wheel with
// the wrong hash is as good as none.
func (in *Installer) download(ctx context.Context, wheel string) error {
	var errs []error
	for _, s := range in.Sources {
		show := &download.Progress{Output: in.Output, What: "installing XLA's CPU plugin, once: " + s.Name() + ": " + in.Release.Wheel}
		err := s.Fetch(ctx, in.Release, wheel, show)
		show.Finish()
		if err == nil {
			if err = checkFile(wheel, in.Release.SHA256); err == nil {
				return nil
			}
		}
		errs = append(errs, fmt.Errorf("%s: %w", s.Name(), err))
		os.Remove(wheel)
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(errs...)
}

func (in *Installer) advise(err error) error {
	r := in.Release
	return fmt.Errorf("cannot install XLA's CPU plugin: %w\n"+
		"Either set $%s to a plugin that you have, or fetch the wheel where there is a network with\n"+
		"    pip download --no-deps --only-binary :all: %s==%s\n"+
		"and put the file %s out of it (a zip file) at\n    %s",
		err, PathVar, r.Package, r.Version, r.Member, in.Path())
}

// unzip writes one member of a zip file to a new file.
func unzip(archive, member, to string) error {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return fmt.Errorf("opening %s: %w", archive, err)
	}
	defer z.Close()
	from, err := z.Open(member)
	if err != nil {
		return fmt.Errorf("in %s: %w", archive, err)
	}
	defer from.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, from)
	if err == nil {
		err = out.Sync() // the rename must not outlive the contents
	}
	return errors.Join(err, out.Close())
}

// Release is one wheel and the plugin in it, both known by their SHA-256.
type Release struct {
	Package string // the Python package
	Version string
	Wheel   string // its file name
	SHA256  string
	Member  string // the plugin's path in the wheel
	File    string // its SHA-256
}

// releases are OpenXLA's builds of the CPU plugin, by GOOS/GOARCH. Their PJRT
// API is 0.81, their StableHLO 1.13.3.
var releases = map[string]Release{
	"linux/amd64": {
		Package: "xla-cpu-pjrt", Version: "0.0.1",
		Wheel:  "xla_cpu_pjrt-0.0.1-py3-none-manylinux_2_27_x86_64.whl",
		SHA256: "55837b6b7b47daa717f2d9a5a03563ea0ceaa338d06a81a1e2d3f060d960decc",
		Member: "xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so",
		File:   "88c3f28c5900f48ad4a82cab9e79bba9537809743395e341485f8794268820dc",
	},
	"linux/arm64": {
		Package: "xla-cpu-pjrt", Version: "0.0.1",
		Wheel:  "xla_cpu_pjrt-0.0.1-py3-none-manylinux_2_27_aarch64.whl",
		SHA256: "8f613be6e891858f40d64f9799319502fff42689661944fc18a6ffd8210b30c9",
		Member: "xla_plugins/xla_cpu_pjrt/xla_cpu_pjrt.so",
		File:   "fcf411f3e8ff635c2b2cf87215aa7016f460e66d236c3db08309e7486583532d",
	},
}

func releaseFor(goos, goarch string) (Release, error) {
	r, ok := releases[goos+"/"+goarch]
	if !ok {
		return Release{}, fmt.Errorf("there is no CPU plugin to download for %s/%s (only linux/amd64 and linux/arm64): build one from OpenXLA and set $%s to it",
			goos, goarch, PathVar)
	}
	return r, nil
}

// ThisRelease returns the release for the machine that the program runs on.
func ThisRelease() (Release, error) { return releaseFor(runtime.GOOS, runtime.GOARCH) }

// checkFile compares a file with its SHA-256.
func checkFile(path, want string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		return &HashError{File: path, Got: got, Want: want}
	}
	return nil
}

// HashError says that a file is not the one it should be.
type HashError struct{ File, Got, Want string }

func (e *HashError) Error() string {
	return fmt.Sprintf("%s has the SHA-256 %s, want %s: the download was damaged or replaced", e.File, e.Got, e.Want)
}

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
