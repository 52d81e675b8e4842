//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package atomicfile

// This file locks files with flock: the lock belongs to the open file, so that it also excludes
// other goroutines.

import (
	"os"
	"syscall"
)

// lock locks the file until it is closed. If another open file has the lock, it returns an error,
// or waits if wait is true.
func lock(f *os.File, wait bool) error {
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var locked error
	if err := c.Control(func(fd uintptr) {
		for locked = syscall.EINTR; locked == syscall.EINTR; {
			locked = syscall.Flock(int(fd), how)
		}
	}); err != nil {
		return err
	}
	return locked
}

// place renames the temporary file f to name, and then closes it, which releases its lock. In the
// opposite order, another writer could remove it: it removes temporary files without a lock.
func place(f *os.File, name string) error {
	if err := os.Rename(f.Name(), name); err != nil {
		return err
	}
	return f.Close()
}
