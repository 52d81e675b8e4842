package plugin

// This file checks a plugin before it is loaded: that only the user and root can change it and its
// directory, and that it is a complete shared library. A program that loads a shared library runs
// its code. If the library is truncated, the system ends the program (SIGBUS).

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/gospmd/gospmd/internal/trusted"
)

// checkUsable returns an error for the file of a plugin that is not to be loaded: others can change
// it or its directory, or, which is checked on Linux only, it is cut off or no library. It follows
// links.
func checkUsable(path string) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	for _, p := range []string{real, filepath.Dir(real)} {
		info, err := os.Stat(p)
		if err == nil {
			err = trusted.Check(p, info)
		}
		if err != nil {
			return err
		}
	}
	if runtime.GOOS != "linux" {
		return nil
	}
	return checkWhole(real)
}

// checkWhole returns an error for a file that is no shared library, or lacks parts of it.
func checkWhole(path string) error {
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
