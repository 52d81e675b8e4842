package build

import (
	"io"
	"runtime/debug"
)

// VersionOf and CodeOf return what Version and Code return for a binary with this build
// information, whose executable is identified by the given text.
func VersionOf(info *debug.BuildInfo, executable string) string {
	return versionOf(info, func() string { return executable })
}

func CodeOf(info *debug.BuildInfo, executable string) string {
	return codeOf(info, func() string { return executable })
}

// Identify is identify, for any file.
func Identify(file interface {
	io.Reader
	io.ReaderAt
}) (string, error) {
	return identify(file)
}
