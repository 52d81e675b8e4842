package main

// This file implements gospmd version.

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/gospmd/gospmd/internal/texttable"
	programs "github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// buildVersion is the output of gospmd version.
type buildVersion struct {
	Version  string          `json:"version"`            // v0.1.0; (devel) in a checkout
	Revision string          `json:"revision,omitempty"` // revision of the version control system
	Time     string          `json:"time,omitempty"`     // time of the revision
	Modified bool            `json:"modified,omitempty"` // the checkout had uncommitted changes
	Go       string          `json:"go"`
	System   string          `json:"system"` // linux/amd64
	Cgo      bool            `json:"cgo"`    // the binary can load plugins
	Plugins  []pluginVersion `json:"plugins,omitempty"`
}

// pluginVersion is a plugin's release that this version of gospmd installs.
type pluginVersion struct {
	Platform  string `json:"platform"`
	Package   string `json:"package"`
	Version   string `json:"version"`
	Installed bool   `json:"installed"`
}

// runVersion is the command version: it prints to out the version of gospmd, and the plugins that
// it installs, with whether they are installed; as JSON with -json. Arguments are errors.
func runVersion(args []string, _ io.Reader, out, diag io.Writer) error {
	fs := newFlags("version", "Says which version and revision of gospmd this is, what built it, and which plugins it installs.", diag, "", "-json")
	fs.arguments, fs.files = "", ""
	asJSON := fs.Bool("json", false, "print JSON")
	files, err := fs.parseFiles(args)
	if err != nil {
		return err
	}
	if len(files) > 0 {
		return fmt.Errorf("version: got %q, want flags only", files)
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	v := versionOf(info)
	for _, platform := range plugin.Platforms {
		b, err := plugin.BundleNamed(platform)
		if err != nil {
			continue // there is none for this system
		}
		_, missing := b.Check()
		v.Plugins = append(v.Plugins, pluginVersion{platform, b.Releases[0].Package, b.Releases[0].Version, missing == nil})
	}
	return printParts(out, nil, []part{{"version", v}}, *asJSON)
}

// versionOf returns the version in the information of a build: version, "unknown" if there is none,
// VCS revision and time, whether files were changed, Go version, system, and cgo.
func versionOf(info *debug.BuildInfo) buildVersion {
	v := buildVersion{Version: info.Main.Version, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, Cgo: programs.HasPJRT}
	if v.Version == "" {
		v.Version = "unknown"
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

func (v buildVersion) String() string {
	var text strings.Builder
	w := texttable.New(&text)
	fmt.Fprintf(w, "gospmd\t%s\n", v.Version)
	if v.Revision != "" {
		changed := ""
		if v.Modified {
			changed = ", and uncommitted changes"
		}
		fmt.Fprintf(w, "revision\t%s of %s%s\n", v.Revision, v.Time, changed)
	}
	cgo := "with cgo, which loads plugins"
	if !v.Cgo {
		cgo = "without cgo: programs run on the Go engine"
	}
	fmt.Fprintf(w, "built by\t%s for %s, %s\n", v.Go, v.System, cgo)
	for _, p := range v.Plugins {
		installed := "installed"
		if !p.Installed {
			installed = "not installed: gospmd doctor -install " + p.Platform
		}
		fmt.Fprintf(w, "plugin for %s\t%s %s, %s\n", p.Platform, p.Package, p.Version, installed)
	}
	w.Flush()
	return text.String()
}
