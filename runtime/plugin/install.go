package plugin

// This file installs a release: the wheel is fetched into a temporary
// directory beside its place, checked, unpacked, checked again and renamed.

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/gospmd/gospmd/internal/download"
)

// Installer brings a release into a directory. It is safe that several processes
// and goroutines do so at once: one works, the others wait for it.
type Installer struct {
	Dir     string // receives <package>-<version>/<plugin>
	Release Release
	Sources []Source  // tried in order
	Output  io.Writer // sees the progress; nil for os.Stderr

	// Patience is how long to wait for another process that installs: 10 minutes if 0.
	Patience time.Duration
}

const defaultPatience = 10 * time.Minute

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

// Check returns an error that wraps fs.ErrNotExist if the plugin is not installed, and a
// *HashError if it is there and has been damaged since.
func (in *Installer) Check() error { return checkStamped(in.Path(), in.Release.File) }

// Install returns the path of the plugin, which it fetches unless it is there and whole.
func (in *Installer) Install(ctx context.Context) (string, error) {
	if in.Check() == nil {
		return in.Path(), nil
	}
	err := in.locked(ctx, func() error {
		err := in.Check()
		switch {
		case err == nil: // by whom we waited for
			return nil
		case !errors.Is(err, fs.ErrNotExist):
			in.printf("gospmd: XLA's CPU plugin is installed again: %v", err)
		}
		return in.fetch(ctx)
	})
	if err != nil {
		return "", in.advise(err)
	}
	return in.Path(), nil
}

func (in *Installer) printf(format string, args ...any) {
	w := in.Output
	if w == nil {
		w = os.Stderr
	}
	fmt.Fprintf(w, format+"\n", args...)
}

// locked runs f while no other process or goroutine holds the directory. The lock file
// holds the number of the process that has the lock.
func (in *Installer) locked(ctx context.Context, f func() error) error {
	if err := os.MkdirAll(filepath.Dir(in.Path()), 0o755); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(in.Dir, "lock"))
	got, err := lock.TryLock()
	if err == nil && !got {
		err = in.wait(ctx, lock)
	}
	if err != nil {
		return err
	}
	defer lock.Unlock()
	// Who waits names us by this; it is no part of the lock.
	_ = os.WriteFile(lock.Path(), []byte(strconv.Itoa(os.Getpid())+"\n"), 0o644)
	return f()
}

// wait waits until the lock is free, with a line that says so.
func (in *Installer) wait(ctx context.Context, lock *flock.Flock) error {
	patience := in.Patience
	if patience == 0 {
		patience = defaultPatience
	}
	in.printf("gospmd: waiting for %s, which installs XLA's CPU plugin, at most %s", holder(lock), patience)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := lock.TryLockContext(ctx, 100*time.Millisecond)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%s has not installed it within %s: end it if it hangs, and run this program again (the lock is %s)", holder(lock), patience, lock.Path())
	}
	if err != nil {
		return fmt.Errorf("waiting for another process: %w", err)
	}
	return nil
}

// holder names the process that has the lock.
func holder(lock *flock.Flock) string {
	text, err := os.ReadFile(lock.Path())
	pid := strings.TrimSpace(string(text))
	if _, bad := strconv.Atoi(pid); err != nil || bad != nil {
		return "another process"
	}
	if pid == strconv.Itoa(os.Getpid()) {
		return "another part of this process"
	}
	return "process " + pid
}

// fetch downloads and unpacks in a temporary directory, which is removed whatever
// happens.
func (in *Installer) fetch(ctx context.Context) (err error) {
	if err := in.removeStale(); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(in.Dir, temporaryPrefix)
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
	if err := os.Rename(so, in.Path()); err != nil {
		return err
	}
	return in.Check() // leaves a stamp
}

const temporaryPrefix = "tmp-"

// removeStale removes what a process left that was killed while it installed; the lock
// is ours.
func (in *Installer) removeStale() error {
	entries, err := os.ReadDir(in.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), temporaryPrefix) && e.IsDir() {
			os.RemoveAll(filepath.Join(in.Dir, e.Name()))
		}
	}
	return nil
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
