package build

// This file reads the build information that the go command stores in a program.

import (
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
)

// ModulePath is the path of this module.
const ModulePath = "github.com/gospmd/gospmd"

// Unknown is the result of Version and Code if the system does not show the program its own file.
const Unknown = "unknown"

// Version returns a text that identifies the source of this module that the program was built from.
var Version = sync.OnceValue(func() string { return describe(versionOf) })

// Code identifies the code of this module's packages and of the packages that they import. If that
// code may differ, the result differs. Mostly it also differs if only other packages of the program
// have changed.
var Code = sync.OnceValue(func() string { return describe(codeOf) })

// describe returns of's result for the build information of this executable. Without build
// information it returns executable's.
func describe(of func(info *debug.BuildInfo, executable func() string) string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return executable()
	}
	return of(info, executable)
}

// versionOf returns the version that the information of a build says:
//
//	a release, or a commit, that the go command has fetched    its version
//	built in a clean checkout                                  the revision
//	built in a changed checkout, or without either             the executable
//
// A revision does not contain changed files. Of such builds only the executable file identifies the
// source. Processes on one machine, image or shared directory run the same file.
func versionOf(info *debug.BuildInfo, executable func() string) string {
	m := &info.Main
	if m.Path != ModulePath {
		for _, dep := range info.Deps {
			if dep.Path == ModulePath {
				m = dep
			}
		}
		m = replacementOf(m)
	}
	setting := settingsOf(info)
	switch {
	case m.Sum != "": // the go command has fetched and verified it
		return m.Version
	case info.Main.Path == ModulePath && setting["vcs.revision"] != "" && setting["vcs.modified"] == "false":
		return "revision " + setting["vcs.revision"]
	}
	return executable()
}

// codeOf returns a text that identifies the code of a build. If the go command has fetched all
// modules except the main one, it lists them, with the options of the compilation. Otherwise, or if
// this module is the main one, it identifies the executable.
func codeOf(info *debug.BuildInfo, executable func() string) string {
	var b strings.Builder
	fmt.Fprintln(&b, info.GoVersion)
	found := false
	for _, dep := range info.Deps {
		found = found || dep.Path == ModulePath
		m := replacementOf(dep)
		if m.Sum == "" {
			return executable()
		}
		fmt.Fprintln(&b, dep.Path, m.Path, m.Version, m.Sum)
	}
	if !found {
		return executable()
	}
	for _, s := range info.Settings {
		if !strings.HasPrefix(s.Key, "vcs") {
			fmt.Fprintln(&b, s.Key, s.Value)
		}
	}
	return b.String()
}

// replacementOf returns the module that replaces m in the build, by a replace directive; m itself
// if there is none.
func replacementOf(m *debug.Module) *debug.Module {
	for m.Replace != nil {
		m = m.Replace
	}
	return m
}

func settingsOf(info *debug.BuildInfo) map[string]string {
	out := map[string]string{}
	for _, s := range info.Settings {
		out[s.Key] = s.Value
	}
	return out
}
