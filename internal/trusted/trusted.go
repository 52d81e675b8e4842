// Package trusted checks that only the user and root can change a file whose code is run: a plugin,
// a compiled program.
//
// It does not check the contents, nor the directories above the file's.
//
//	file             holds
//	trusted.go       Check
//	owner_unix.go    the owner of a file
//	owner_other.go   systems without user ids
package trusted

import (
	"fmt"
	"io/fs"
	"os"
)

// othersWrite are the mode bits that let other users change a file.
const othersWrite = 0o022

// Check returns an error if users other than this one and root can change the file or the directory
// path. info is path's FileInfo. A directory that others may write to passes if it is sticky, such
// as /tmp: there they cannot remove the user's files. Where the system does not tell the owner,
// only the mode counts.
func Check(path string, info fs.FileInfo) error {
	if owner, known := ownerOf(info); known && owner != 0 && owner != os.Geteuid() {
		return fmt.Errorf("%s belongs to the user %d: want it to be yours or root's, because its code is run", path, owner)
	}
	if info.Mode()&othersWrite != 0 && !(info.IsDir() && info.Mode()&os.ModeSticky != 0) {
		return fmt.Errorf("%s can be changed by other users (%s), and its code is run: chmod go-w %s", path, info.Mode(), path)
	}
	return nil
}
