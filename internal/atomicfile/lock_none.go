//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package atomicfile

// This file replaces locks on systems where a lock would also exclude the writer itself. There,
// temporary files of killed processes are not removed.

import (
	"errors"
	"os"
)

func lock(*os.File, bool) error { return errors.ErrUnsupported }

// place closes a temporary file, because some systems require that, and then renames it.
func place(f *os.File, name string) error {
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
