package main

// This file collects and prints the report of gospmd doctor.

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/internal/texttable"
	programs "github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/inspect"
	"github.com/gospmd/gospmd/runtime/plugin"
	"github.com/gospmd/gospmd/runtime/transport/gloo"
)

// diagnosis holds the findings of doctor.
type diagnosis struct {
	System    string           `json:"system"` // linux/amd64
	Cgo       bool             `json:"cgo"`
	Chosen    string           `json:"platform"` // the platform of programs
	Platforms []platformStatus `json:"platforms"`
	NoGloo    string           `json:"no_gloo,omitempty"` // why
	Cache     []cacheStatus    `json:"cache"`
}

// platformStatus holds the findings on a platform.
type platformStatus struct {
	inspect.Report
	Hardware  []string `json:"hardware,omitempty"`  // devices that the system shows
	CUDAData  string   `json:"cuda_data,omitempty"` // the directory with ptxas and libdevice
	Libraries int      `json:"libraries,omitempty"` // number of NVIDIA's libraries beside the plugin
	Mend      []mend   `json:"mend,omitempty"`
}

// mend is a command, and what it installs.
type mend struct {
	Command string `json:"command"`
	For     string `json:"for"`
}

// cacheStatus describes a directory of the cache.
type cacheStatus struct {
	Dir   string `json:"dir"`
	Bytes int    `json:"bytes"`
}

// diagnose collects the findings on platforms, in their order, and on what all share: Gloo and the
// caches. It loads the plugins in child processes. chosen is the platform of programs.
func diagnose(ctx context.Context, platforms []string, chosen string) diagnosis {
	d := diagnosis{System: runtime.GOOS + "/" + runtime.GOARCH, Cgo: programs.HasPJRT, Chosen: chosen, Platforms: make([]platformStatus, len(platforms))}
	var wait sync.WaitGroup
	for i, name := range platforms {
		wait.Go(func() { d.Platforms[i] = statusOf(inspect.Platform(ctx, name)) })
	}
	wait.Wait()
	if err := gloo.CheckAvailable(ctx, nil); err != nil {
		d.NoGloo = err.Error()
	}
	d.Cache = cacheStatuses()
	return d
}

// statusOf returns the report r on a platform, and doctor's additions: the devices that the system
// shows, for CUDA the compiler's data and the number of NVIDIA's libraries beside the plugin, and
// the commands that install what is missing.
func statusOf(r inspect.Report) platformStatus {
	p := platformStatus{Report: r, Hardware: plugin.Devices(r.Platform)}
	if r.Missing != "" {
		p.mend(r.Platform)
	}
	if r.Platform != hardware.CUDA {
		return p
	}
	dir, err := plugin.CUDAData()
	if p.CUDAData = dir; err != nil && r.Missing == "" {
		p.mend(hardware.CUDA)
	}
	if r.Plugin != "" {
		p.Libraries = len(plugin.Libraries(r.Plugin))
	}
	if p.Libraries == 0 && len(r.Devices) == 0 && p.Hardware != nil {
		p.mend(plugin.CUDALibraries)
	}
	return p
}

// mend adds the command that downloads and installs a bundle (a plugin, or NVIDIA's libraries) to
// p.Mend, if this machine has such a bundle.
func (p *platformStatus) mend(bundle string) {
	if b, err := plugin.BundleNamed(bundle); err == nil {
		p.Mend = append(p.Mend, mend{"gospmd doctor -install " + b.Name, fmt.Sprintf("to %s (%s to download)", b.What, texttable.Bytes(int(b.Bytes())))})
	}
}

// cacheStatuses returns the directories of gospmd's cache with the bytes of their files; nil if the
// user has no cache directory. Files that cannot be read count 0.
func cacheStatuses() (all []cacheStatus) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	dirs, _ := filepath.Glob(filepath.Join(cache, "gospmd", "*"))
	for _, dir := range dirs {
		s := cacheStatus{Dir: dir}
		_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
			if err != nil {
				return nil // the file was removed in the meantime
			}
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
				s.Bytes += int(info.Size())
			}
			return nil
		})
		all = append(all, s)
	}
	return all
}

// verdict returns an error if the platform of programs has no devices.
func (d diagnosis) verdict() error {
	for _, p := range d.Platforms {
		if p.Platform == d.Chosen && len(p.Devices) == 0 {
			return fmt.Errorf("doctor: programs cannot run on the platform %q: %s", p.Platform, p.why())
		}
	}
	return nil
}

// why returns the reason why the platform has no devices: what is missing, or what failed, or else
// that its plugin has none.
func (p platformStatus) why() string {
	switch {
	case p.Missing != "":
		return p.Missing
	case p.Failed != "":
		return p.Failed
	}
	return "its plugin has none"
}

// String returns the report for people: a table of the system, the platforms and the caches, with
// the commands that install what is missing.
func (d diagnosis) String() string {
	var b strings.Builder
	t := texttable.New(&b)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(t, "%s\t%s\n", name, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "\n\t"))
	}
	cgo := "with cgo, which loads plugins"
	if !d.Cgo {
		cgo = "without cgo: only the engine written in Go runs programs; build with CGO_ENABLED=1 and a C compiler"
	}
	row("system", "%s, %s", d.System, cgo)
	row("programs", "run on %s, unless they or $%s choose another platform", d.Chosen, programs.PlatformVar)
	for _, p := range d.Platforms {
		row("", "")
		p.write(row)
	}
	row("", "")
	if d.NoGloo == "" {
		row("several processes", "Gloo is there, which moves data between CPUs")
	} else {
		row("several processes", "the transport tcp moves data between CPUs; Gloo, which is faster, is not there: %s", d.NoGloo)
	}
	for _, c := range d.Cache {
		row("cache", "%s, %s", c.Dir, texttable.Bytes(c.Bytes))
	}
	t.Flush()
	return texttable.Trim(b.String())
}

// write calls row for each row of a platform: its devices, plugin, versions, CUDA libraries, and
// the commands that mend what is missing. row gets the row's name, and the format and arguments of
// its text.
func (p platformStatus) write(row func(name, format string, args ...any)) {
	row("platform "+p.Platform, "%s", p.devices())
	if p.Plugin != "" {
		row("  plugin", "%s", p.Plugin)
	}
	if p.API != "" {
		row("  versions", "PJRT %s%s", p.API, p.attributes())
		row("  extensions", "%s", strings.Join(p.Extensions, ", "))
	}
	if p.Platform == hardware.CUDA {
		row("  ptxas, libdevice", "%s", orNone(p.CUDAData))
		row("  NVIDIA's libraries", "%d beside the plugin; it looks for others in the system ($LD_LIBRARY_PATH)", p.Libraries)
	}
	for _, m := range p.Mend {
		row("  to mend it", "%s, %s", m.Command, m.For)
	}
}

// devices returns a text that lists the devices of the platform, or the reason why there are none.
func (p platformStatus) devices() string {
	shown := ""
	if len(p.Hardware) > 0 {
		shown = ", although the system shows " + strings.Join(p.Hardware, ", ")
	}
	switch {
	case p.Missing != "" && len(p.Mend) > 0:
		return "no plugin" + shown
	case len(p.Devices) == 0:
		return "no devices" + shown + ": " + p.why()
	case p.Platform == hardware.CPU:
		return "virtual devices, as many as programs ask for"
	}
	var lines []string
	for i := 0; i < len(p.Devices); {
		n := 1
		for i+n < len(p.Devices) && p.Devices[i+n] == p.Devices[i] {
			n++
		}
		line := fmt.Sprintf("%d × %s", n, p.Devices[i].Kind)
		if p.Devices[i].Memory > 0 {
			line += " with " + texttable.Bytes(p.Devices[i].Memory)
		}
		lines = append(lines, line)
		i += n
	}
	return strings.Join(lines, "\n")
}

// versions has what the report calls some of the attributes of plugins. It shows the others by
// their own names.
var versions = map[string]string{
	"stablehlo_current_version": "StableHLO", "stablehlo_minimum_version": "its oldest", "xla_version": "XLA's plugin interface", "cuda_version": "CUDA",
}

// attributes returns the plugin's attributes as text, each with its name and after a comma; "" if
// it has none.
func (p platformStatus) attributes() (text string) {
	for _, a := range p.Attributes {
		name, ok := versions[a.Name]
		if !ok {
			name = a.Name
		}
		text += ", " + name + " " + a.Value
	}
	return text
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
