package build

// This file reads what the go command has noted of the build.

import (
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
)

// ModulePath is the path of this module.
const ModulePath = "github.com/gospmd/gospmd"

// Unknown is what Version and Code say where the system shows the program no file of its own.
const Unknown = "unknown"

// Version says which source of this module the program was built from.
var Version = sync.OnceValue(func() string { return describe(versionOf) })

// Code says which code the packages of this module and those that they import consist of. It
// differs wherever these may differ: mostly it does where only the program around them has
// changed, too.
var Code = sync.OnceValue(func() string { return describe(codeOf) })

// describe returns what of says of this build.
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
// Files that were changed are not part of a revision. All that is known of such builds
// is whether they are the same file: processes of one machine, image or shared
// directory run the same one.
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
	case m.Sum != "": // fetched by the go command, which has checked it
		return m.Version
	case info.Main.Path == ModulePath && setting["vcs.revision"] != "" && setting["vcs.modified"] == "false":
		return "revision " + setting["vcs.revision"]
	}
	return executable()
}

// codeOf returns what a build consists of beside its main module: the modules, if the go
// command has fetched all of them, with the options that they were compiled with. Else, and
// where this module is the main one, it is the executable.
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

// replacementOf returns what stands for the module in the build.
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
