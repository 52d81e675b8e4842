package coordination

// This file says which build of this module a program is.

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"
)

const modulePath = "github.com/gospmd/gospmd"

// version returns what all processes of a job must have in common: which source of
// this module the program was built from.
var version = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return executable()
	}
	return versionOf(info, executable)
})

// versionOf returns the version that the information of a build says:
//
//	a release, or a commit, that the go command has fetched    its version
//	built in a clean checkout                                  the revision
//	built in a changed checkout, or without either             the hash of the executable
//
// Files that were changed are not part of a revision. All that is known of such builds
// is whether they are the same file: processes of one machine, image or shared
// directory run the same one.
func versionOf(info *debug.BuildInfo, executable func() string) string {
	main := info.Main.Path == modulePath
	m := &info.Main
	if !main {
		for _, dep := range info.Deps {
			if dep.Path == modulePath {
				m = dep
			}
		}
		for m.Replace != nil {
			m = m.Replace
		}
	}
	setting := map[string]string{}
	for _, s := range info.Settings {
		setting[s.Key] = s.Value
	}
	switch {
	case m.Sum != "": // fetched by the go command, which has checked it
		return m.Version
	case main && setting["vcs.revision"] != "" && setting["vcs.modified"] == "false":
		return "revision " + setting["vcs.revision"]
	}
	return executable()
}

// executable identifies the file of the program by its content.
func executable() string {
	file, err := os.Open("/proc/self/exe") // also where it has been removed, as go run does
	if err != nil {
		var path string
		if path, err = os.Executable(); err == nil {
			file, err = os.Open(path)
		}
	}
	if err != nil {
		return "unknown"
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "unknown"
	}
	return fmt.Sprintf("executable %x", hash.Sum(nil)[:8])
}
