//go:build !linux

package plugin

// This file returns no status time, on systems other than Linux.

import "io/fs"

func statusTime(fs.FileInfo) int64 { return 0 }
