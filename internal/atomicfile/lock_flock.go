//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package atomicfile

// This file locks files with flock: the lock is of the open file, so that it also
// holds against other goroutines.

import (
	"os"
	"syscall"
)

// lock locks the file until it is closed. It returns an error if another one holds
// the lock, unless it is to wait for it.
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

// place gives a temporary file its name and closes it. Without its lock, another writer
// would take it for one that was left, so that goes last.
func place(f *os.File, name string) error {
	if err := os.Rename(f.Name(), name); err != nil {
		return err
	}
	return f.Close()
}
