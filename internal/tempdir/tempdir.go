// Package tempdir makes temporary directories for files that only the current process needs, such
// as keys and the files of a server. A directory that a killed process has left is removed by the
// next process that makes one with the same prefix.
package tempdir

import (
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Dir is a directory that is locked as long as its process runs. Other users cannot read it.
type Dir struct {
	path string
	lock *flock.Flock
}

// Make makes a directory whose name begins with prefix. It removes those with the same
// prefix whose processes have been killed.
func Make(prefix string) (*Dir, error) {
	left, err := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*"))
	if err != nil {
		return nil, err
	}
	for _, path := range left {
		if _, err := os.Stat(lockFile(path)); err != nil {
			continue // another user's directory, or one that is being made
		}
		old := &Dir{path: path, lock: flock.New(lockFile(path))}
		if free, err := old.lock.TryLock(); err == nil && free {
			old.Remove()
		}
	}
	path, err := os.MkdirTemp("", prefix)
	if err != nil {
		return nil, err
	}
	dir := &Dir{path: path, lock: flock.New(filepath.Join(path, "making"))}
	if err := dir.lock.Lock(); err != nil {
		dir.Remove()
		return nil, err
	}
	return dir, os.Rename(filepath.Join(path, "making"), lockFile(path))
}

func lockFile(dir string) string { return filepath.Join(dir, "lock") }

// Path returns the name of the directory.
func (d *Dir) Path() string { return d.path }

// Remove removes the directory and everything in it.
func (d *Dir) Remove() {
	os.RemoveAll(d.path)
	d.lock.Close()
}
