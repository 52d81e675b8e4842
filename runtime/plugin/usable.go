package plugin

// This file checks a plugin before it is loaded: that only the user and root can change
// it, and that it is whole. A program that loads a shared library runs its code, and one
// that loads a library that is cut off is ended by the system (SIGBUS).

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// usable returns an error for a plugin that is not to be loaded.
func usable(path string) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	for _, p := range []string{real, filepath.Dir(real)} {
		if err := trusted(p); err != nil {
			return err
		}
	}
	if runtime.GOOS != "linux" {
		return nil
	}
	return whole(real)
}

// othersWrite are the bits of a mode that let other users change a file.
const othersWrite = 0o022

// trusted returns an error if other users than this one and root can change the file or
// the directory.
func trusted(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if owner, known := ownerOf(info); known && owner != 0 && owner != os.Geteuid() {
		return fmt.Errorf("%s belongs to the user %d: want it to be yours or root's, because its code is run", path, owner)
	}
	if info.Mode()&othersWrite != 0 && !(info.IsDir() && info.Mode()&os.ModeSticky != 0) {
		return fmt.Errorf("%s can be changed by other users (%s), and its code is run: chmod go-w %s", path, info.Mode(), path)
	}
	return nil
}

// whole returns an error for a file that is no shared library, or lacks parts of it.
func whole(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file", path)
	}
	f, err := elf.Open(path)
	if err != nil {
		return fmt.Errorf("%s is no shared library, or is damaged: %w", path, err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD && p.Off+p.Filesz > uint64(info.Size()) {
			return fmt.Errorf("%s is cut off: it has %d bytes, want at least %d", path, info.Size(), p.Off+p.Filesz)
		}
	}
	return nil
}
