package checkpoint

// This file writes past the page cache of Linux (O_DIRECT). The page cache costs CPU time: a new
// page for each 4 KiB, and a copy. Beside a training on the CPU that time is the training's.

import (
	"os"
	"syscall"
)

// setDirect turns direct writes of a file on or off. It returns an error if its file system has
// none. A direct write has a place in memory, a position in the file and a length that are
// multiples of directBlock.
func setDirect(f *os.File, on bool) error {
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed syscall.Errno
	err = c.Control(func(fd uintptr) {
		var flags uintptr
		if flags, _, failed = syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_GETFL, 0); failed != 0 {
			return
		}
		flags &^= syscall.O_DIRECT
		if on {
			flags |= syscall.O_DIRECT
		}
		_, _, failed = syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_SETFL, flags)
	})
	if err == nil && failed != 0 {
		err = failed
	}
	return err
}
