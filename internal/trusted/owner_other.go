//go:build !unix

package trusted

// This file replaces ownerOf on systems without user ids.

import "io/fs"

func ownerOf(fs.FileInfo) (user int, known bool) { return 0, false }
