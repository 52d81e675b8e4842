// Package atomicfile writes files that are either whole or not there: a crash
// at any moment leaves what was there before.
//
// It is no lock: of two writers of one file the later one wins. A writer removes the temporary
// files of killed ones.
//
//	err := atomicfile.Write("model.keras", func(f *os.File) error { … })
//
//	file             what it holds
//	atomicfile.go    Write, SyncDir
//	temporary.go     the temporary files of Write, RemoveLeft, Scratch
//	lock_flock.go    locks of files, which end with the process
//	lock_none.go     systems without them
package atomicfile

import (
	"fmt"
	"os"
	"path/filepath"
)

// Write makes or replaces the file of that name. write writes to f, a file beside it, which takes
// its place when all of it is on the disk.
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

// SyncDir brings the names in a directory to the disk.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
