package atomicfile

// This file implements the temporary files of Write. The temporary file of the file x is .x.tmp123.
// Its writer holds a lock on it. The system releases the lock when the process ends in any way. So
// a temporary file without a lock belongs to a process that was killed.

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const marker = ".tmp"

// createTemporary creates and locks a temporary file in dir for the file base, with base in its
// name.
func createTemporary(dir, base string) (*os.File, error) {
	for {
		f, err := os.CreateTemp(dir, "."+base+marker+"*")
		if err != nil {
			return nil, err
		}
		lock(f, true) // without locks, no process removes temporary files
		// Another process may have removed it before it was locked.
		if _, err := os.Lstat(f.Name()); err == nil {
			return f, nil
		}
		f.Close()
	}
}

// baseOf returns the name of the file that the temporary file name is for; ok is false if it is no
// temporary file of this package.
func baseOf(name string) (base string, ok bool) {
	at := strings.LastIndex(name, marker)
	if at < 1 || name[0] != '.' {
		return "", false
	}
	number := name[at+len(marker):]
	return name[1:at], number != "" && strings.Trim(number, "0123456789") == ""
}

// RemoveLeft removes the temporary files in dir that killed processes have left, if owned is true
// for the name of their file. It does not remove the files of running processes.
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
			continue // the file has been removed, or belongs to another user
		}
		err = lock(f, false)
		if err == nil {
			err = os.Remove(path)
		} else {
			err = nil // its writer is running
		}
		f.Close()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// ScratchFile is a temporary file that no other process uses. It is removed at the latest when the
// process ends; on systems that cannot remove open files, only by Close.
type ScratchFile struct {
	*os.File
	name string // the name that Close removes; empty if it is removed already
}

// Scratch makes a ScratchFile in dir, or in the system's directory for temporary files if dir is
// empty. A directory that does not exist is an error.
func Scratch(dir string) (*ScratchFile, error) {
	f, err := os.CreateTemp(dir, ".scratch"+marker+"*")
	if err != nil {
		return nil, err
	}
	s := &ScratchFile{File: f}
	if os.Remove(f.Name()) != nil { // some systems cannot remove open files
		s.name = f.Name()
	}
	return s, nil
}

// Close closes and removes the file.
func (s *ScratchFile) Close() error {
	err := s.File.Close()
	if s.name != "" {
		err = errors.Join(err, os.Remove(s.name))
	}
	return err
}
