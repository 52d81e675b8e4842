//go:build !unix

package trusted

// This file stands for owners of files on systems that have no such numbers.

import "io/fs"

func ownerOf(fs.FileInfo) (user int, known bool) { return 0, false }
