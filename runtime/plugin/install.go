package plugin

// This file installs a release. It fetches the wheel into a temporary directory, checks it, unpacks
// it, checks the files, and renames the directory.

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/gospmd/gospmd/internal/download"
)

// Installer brings one wheel's files into a directory. Several processes and goroutines may do so
// at the same time: one works, and the others wait for it.
type Installer struct {
	Dir     string // the parent of the release's directory
	Release Release
	Sources []Source  // tried in order
	Output  io.Writer // gets messages about the progress; nil for os.Stderr

	// Patience is how long to wait for another process that installs; 0 means 10 minutes.
	Patience time.Duration
}

const defaultPatience = 10 * time.Minute

// Path returns the path of the release's first file, which need not be installed yet.
func (in *Installer) Path() string { return in.path(in.Release.Members[0]) }

func (in *Installer) path(m Member) string {
	return filepath.Join(in.Dir, in.Release.dir(), filepath.FromSlash(m.place()))
}

// Check returns an error that wraps fs.ErrNotExist if a file is missing, and a *HashError if a file
// was damaged. It reads only files that have changed since the last check, and writes a stamp
// beside each that it finds undamaged.
func (in *Installer) Check() error {
	for _, m := range in.Release.Members {
		if err := checkStamped(in.path(m), m.SHA256); err != nil {
			return err
		}
	}
	return nil
}

// Install returns the path of the first file. It fetches the wheel, unless all files exist and are
// undamaged. If another process is installing, it waits for that one, for at most in.Patience.
func (in *Installer) Install(ctx context.Context) (string, error) {
	if in.Check() == nil {
		return in.Path(), nil
	}
	err := in.withLock(ctx, func() error {
		err := in.Check()
		switch {
		case err == nil: // installed by the process that this one has waited for
			return nil
		case !errors.Is(err, fs.ErrNotExist):
			in.printf("gospmd: %s is installed again: %v", in.Release.What, err)
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

// withLock makes the directory, and runs f while no other process or goroutine holds it. The lock
// file holds the number of the process that has the lock.
func (in *Installer) withLock(ctx context.Context, f func() error) error {
	if err := os.MkdirAll(in.Dir, 0o755); err != nil {
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
	// A waiting process prints this PID. The lock does not depend on it.
	_ = os.WriteFile(lock.Path(), []byte(strconv.Itoa(os.Getpid())+"\n"), 0o644)
	return f()
}

// wait waits until lock is free and takes it. It prints who holds it, and returns an error that
// says so when the patience or ctx ends.
func (in *Installer) wait(ctx context.Context, lock *flock.Flock) error {
	patience := in.Patience
	if patience == 0 {
		patience = defaultPatience
	}
	in.printf("gospmd: waiting for %s, which installs %s, at most %s", holder(lock), in.Release.What, patience)
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

// holder returns a text that names the process that holds the lock, such as "process 12", for
// messages.
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

// fetch downloads the wheel into a temporary directory, unpacks the members of the release, and
// moves them to their paths. It removes that directory in every case, and those that killed
// processes left.
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
	for i, m := range r.Members {
		if err := unzip(wheel, m, part(tmp, i, m)); err != nil {
			return err
		}
	}
	for i, m := range r.Members {
		if err := os.MkdirAll(filepath.Dir(in.path(m)), 0o755); err != nil {
			return err
		}
		if err := os.Rename(part(tmp, i, m), in.path(m)); err != nil {
			return err
		}
	}
	return in.Check() // writes stamps
}

// part returns the temporary path, in directory tmp, of file m of the wheel, its file number i,
// until all files are complete.
func part(tmp string, i int, m Member) string {
	return filepath.Join(tmp, strconv.Itoa(i)+"-"+path.Base(m.Path))
}

const temporaryPrefix = "tmp-"

// removeStale removes the temporary files of processes that were killed during an installation. The
// caller has the lock.
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

// download writes the wheel to the file wheel, from the first of the sources that has it. A wheel
// with the wrong hash counts as a failure. The error joins those of all sources that were tried.
// The end of ctx ends the attempts.
func (in *Installer) download(ctx context.Context, wheel string) error {
	var errs []error
	for _, s := range in.Sources {
		show := &download.Progress{Output: in.Output, What: "installing " + in.Release.What + ", once: " + s.Name() + ": " + in.Release.Wheel}
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
	var places strings.Builder
	for _, m := range r.Members {
		fmt.Fprintf(&places, "\n    %s at %s", m.Path, in.path(m))
	}
	return fmt.Errorf("cannot install %s: %w\n"+
		"Either set $%s to a plugin that you have, or fetch the wheel where there is a network with\n"+
		"    pip download %s %s==%s\n"+
		"and put out of it (a zip file)%s",
		r.What, err, PathVar, strings.Join(r.pipFlags(), " "), r.Package, r.Version, places.String())
}

// unzip writes the member m of the zip file archive to the new file to, and returns an error if it
// has another hash than m says.
func unzip(archive string, m Member, to string) error {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return fmt.Errorf("opening %s: %w", archive, err)
	}
	defer z.Close()
	from, err := z.Open(m.Path)
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
		err = out.Sync() // the contents must be on the disk before the rename
	}
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	return checkFile(to, m.SHA256)
}
