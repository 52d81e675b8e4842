// Package atomicfile writes files atomically: after a crash at any moment, the file is the complete
// new one or the old one.
//
// It does not lock the file: if two writers write one file, the later one wins. A writer removes
// the temporary files of killed writers.
//
//	err := atomicfile.Write("model.keras", func(f *os.File) error { … })
//
//	file             what it holds
//	atomicfile.go    Write, SyncDir
//	temporary.go     the temporary files of Write, RemoveLeft, Scratch
//	lock_flock.go    locks of files, which end with the process
//	lock_none.go     systems without such locks
package atomicfile

import (
	"fmt"
	"os"
	"path/filepath"
)

// Write creates or replaces the file of that name, which all users can read. It calls write with a
// temporary file beside it. When all of that file is on the disk, it takes the place of the named
// file. If write fails, or a step up to then, it removes the temporary file, and the old file
// stays. If only the flush of the directory fails, the new file is there. Write also removes the
// temporary files that killed processes have left for that name.
func Write(name string, write func(f *os.File) error) (err error) {
	dir, base := filepath.Dir(name), filepath.Base(name)
	f, err := createTemporary(dir, base)
	if err != nil {
		return fmt.Errorf("cannot write into the directory %s: %w", dir, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := RemoveLeft(dir, func(name string) bool { return name == base }); err != nil {
		return err
	}
	if err := write(f); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := place(f, name); err != nil {
		return err
	}
	return SyncDir(dir)
}

// SyncDir flushes the entries of a directory to the disk, so that files that were made, renamed or
// removed there stay so after a crash. A directory that does not exist is an error.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
