package atomicfile

// This file implements the temporary files of Write. The one of the file x is
// .x.tmp123; its writer holds a lock on it, which the system takes back when the
// process ends, however that is. A temporary file without a lock is thus left of a
// process that was killed.

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const marker = ".tmp"

// createTemporary makes the temporary file of the file base in dir.
func createTemporary(dir, base string) (*os.File, error) {
	for {
		f, err := os.CreateTemp(dir, "."+base+marker+"*")
		if err != nil {
			return nil, err
		}
		lock(f, true) // without locks, nobody takes it for one that was left
		// Before the lock somebody may have done so.
		if _, err := os.Lstat(f.Name()); err == nil {
			return f, nil
		}
		f.Close()
	}
}

// baseOf returns the name of the file whose temporary file has the given name.
func baseOf(name string) (base string, ok bool) {
	at := strings.LastIndex(name, marker)
	if at < 1 || name[0] != '.' {
		return "", false
	}
	number := name[at+len(marker):]
	return name[1:at], number != "" && strings.Trim(number, "0123456789") == ""
}

// RemoveLeft removes the temporary files in dir that processes left which were killed
// while they wrote a file whose name satisfies owned. Those of processes that still
// run stay.
func RemoveLeft(dir string, owned func(name string) bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		base, ok := baseOf(e.Name())
		if !ok || !e.Type().IsRegular() || !owned(base) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			continue // it is gone, or another user's
		}
		err = lock(f, false)
		if err == nil {
			err = os.Remove(path)
		} else {
			err = nil // its writer lives
		}
		f.Close()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// ScratchFile is a file that no other process sees and that does not outlive the
// process.
type ScratchFile struct {
	*os.File
	name string // to be removed by Close; empty where it is removed already
}

// Scratch makes one in dir, or in the system's directory for temporary files if dir
// is empty.
func Scratch(dir string) (*ScratchFile, error) {
	f, err := os.CreateTemp(dir, ".scratch"+marker+"*")
	if err != nil {
		return nil, err
	}
	s := &ScratchFile{File: f}
	if os.Remove(f.Name()) != nil { // some systems keep the names of open files
		s.name = f.Name()
	}
	return s, nil
}

// Close ends the use of the file.
func (s *ScratchFile) Close() error {
	err := s.File.Close()
	if s.name != "" {
		err = errors.Join(err, os.Remove(s.name))
	}
	return err
}
