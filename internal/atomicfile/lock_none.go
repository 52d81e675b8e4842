//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package atomicfile

// This file replaces locks on systems on which they would keep the writer itself
// from the file. Temporary files that a killed process left stay there.

import (
	"errors"
	"os"
)

func lock(*os.File, bool) error { return errors.ErrUnsupported }

// place closes a temporary file, as some systems want, and gives it its name.
func place(f *os.File, name string) error {
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
