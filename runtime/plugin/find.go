package plugin

// This file finds a plugin: the list of places, in the order in which they
// win.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/hardware"
)

// PathVar is the environment variable that names the plugin to use. It counts for
// every platform but those that the file's name tells it is not for: libtpu.so is no
// plugin for "cpu".
const PathVar = "GOSPMD_PJRT_PLUGIN"

// pathVars are the variables that name a plugin, with the platform that they are for.
// JAX and PyTorch read the second one too.
var pathVars = []struct{ name, platform string }{{PathVar, ""}, {"TPU_LIBRARY_PATH", hardware.TPU}}

// DirsVar is the environment variable with the directories to look for plugins in,
// separated by colons, as go-xla reads it.
const DirsVar = "PJRT_PLUGIN_LIBRARY_PATH"

// Platforms are the platforms that there are plugins for.
var Platforms = []string{hardware.CPU, hardware.CUDA, hardware.TPU}

// ErrMissing is wrapped by the errors of Find and CUDAData where nothing was found. They
// say what installs it.
var ErrMissing = errors.New("not found")

// Options say which plugin is wanted.
type Options struct {
	Platform string // one of Platforms
	Path     string // the plugin's file, when the caller knows it

	// Logger gets warnings: which plugins are passed over. nil is slog.Default.
	Logger *slog.Logger
}

// NamesPlugin reports whether the caller or the environment names a plugin, so that no other
// one may take its place.
func (o Options) NamesPlugin() bool {
	_, path := o.namedPlugin()
	return path != ""
}

// namedPlugin returns the plugin that the caller or a variable names, and the name of that option
// or variable.
func (o Options) namedPlugin() (by, path string) {
	if o.Path != "" {
		return "Options.Plugin", o.Path
	}
	for _, v := range pathVars {
		path := os.Getenv(v.name)
		of := PlatformOf(path)
		if path != "" && (v.platform == "" || v.platform == o.Platform) && (of == "" || o.Platform == "" || of == o.Platform) {
			return "$" + v.name, path
		}
	}
	return "", ""
}

// PlatformOf returns the platform that the name of a plugin's file tells, "" if it tells
// none.
func PlatformOf(file string) string {
	for _, platform := range Platforms {
		for _, pattern := range patterns[platform] {
			if ok, _ := path.Match(pattern, filepath.Base(file)); ok {
				return platform
			}
		}
	}
	return ""
}

// Find is Locate, but installs the CPU's plugin where there is none, or a damaged one in
// gospmd's cache. Others are never downloaded unasked.
func Find(ctx context.Context, o Options) (string, error) {
	path, err := Locate(o)
	var damaged *HashError
	if o.Platform == hardware.CPU && (errors.Is(err, ErrMissing) || errors.As(err, &damaged)) {
		return Install(ctx, hardware.CPU, nil) // says why
	}
	return path, err
}

// Locate returns the absolute path of a plugin for the platform: the file that
// Options, $GOSPMD_PJRT_PLUGIN or $TPU_LIBRARY_PATH names; else the first in a directory
// of $PJRT_PLUGIN_LIBRARY_PATH, in gospmd's cache, among Python's packages or
// in go-xla's directories. A file or a variable that is given but leads nowhere is an
// error; so is a plugin in the cache that was damaged. Where nothing is found, the error
// wraps ErrMissing.
//
// A plugin that others than the user and root can change, or that is cut off, is not
// loaded: it is an error where it was named, and is passed over with a warning elsewhere.
func Locate(o Options) (string, error) {
	if !slices.Contains(Platforms, o.Platform) {
		return "", fmt.Errorf("platform %q is not known: want one of %s", o.Platform, strings.Join(Platforms, ", "))
	}
	if by, path := o.namedPlugin(); path != "" {
		return absolutePath(by, path)
	}
	if path := o.search(variableDirs()); path != "" {
		return path, nil
	}
	if path, err := cachedPlugin(o.Platform); path != "" || err != nil {
		return path, err
	}
	if path := o.search(slices.Concat(pythonDirs(o.Platform), goxlaDirs())); path != "" {
		return path, nil
	}
	return "", fmt.Errorf("PJRT plugin for platform %q: %w: %s", o.Platform, ErrMissing, advice(o.Platform))
}

// cachedPlugin returns the plugin in gospmd's cache, "" if there is none.
func cachedPlugin(platform string) (string, error) {
	b, err := BundleNamed(platform)
	if err != nil {
		return "", nil // not for this system
	}
	all, err := b.Installers()
	if err != nil {
		return "", nil // no cache
	}
	plugin := all[0]
	switch err := plugin.Check(); {
	case err == nil:
		return plugin.Path(), checkUsable(plugin.Path())
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	default:
		return "", fmt.Errorf("%w; `gospmd doctor -install %s` installs it again", err, platform)
	}
}

// advice says how to come by a plugin.
func advice(platform string) string {
	b, err := BundleNamed(platform)
	if err != nil {
		return err.Error()
	}
	pip := map[string]string{hardware.CPU: "xla-cpu-pjrt", hardware.CUDA: "'jax-cuda13-plugin[with-cuda]'", hardware.TPU: "libtpu"}[platform]
	return fmt.Sprintf("install it with `gospmd doctor -install %s` (%.0f MB to download) or `pip install %s`, or set $%s to its .so file",
		platform, float64(b.Bytes())/1e6, pip, PathVar)
}

// absolutePath returns the absolute path of a file that the user named.
func absolutePath(by, path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", by, err)
	}
	info, err := os.Stat(abs)
	if err == nil && info.IsDir() {
		return "", fmt.Errorf("%s names the PJRT plugin %s, which is a directory: name the .so file in it", by, path)
	}
	if err == nil {
		err = checkUsable(abs)
	}
	if err != nil {
		return "", fmt.Errorf("%s names the PJRT plugin %s, which cannot be used: %w; correct it, or leave it empty to let gospmd find one", by, path, err)
	}
	return abs, nil
}

// patterns are the names that plugins have, by platform.
var patterns = map[string][]string{
	hardware.CPU:  {"xla_cpu_pjrt.so", "pjrt_c_api_cpu*_plugin.so", "pjrt[-_]plugin[-_]cpu*.so"},
	hardware.CUDA: {"xla_cuda_plugin.so", "pjrt_c_api_cuda*_plugin.so", "pjrt[-_]plugin[-_]cuda*.so"},
	hardware.TPU:  {"libtpu.so", "pjrt_c_api_tpu*_plugin.so", "pjrt[-_]plugin[-_]tpu*.so"},
}

// places are directories below a root. The pattern may have wildcards; the root, which
// comes from the user's environment, has none.
type places struct{ root, pattern string }

// search returns the first usable plugin in the places; of several in one directory the
// last by name, thus the newest version.
func (o Options) search(all []places) string {
	for _, in := range all {
		for _, pattern := range patterns[o.Platform] {
			found, err := fs.Glob(os.DirFS(in.root), path.Join(in.pattern, pattern))
			if err != nil {
				continue
			}
			for _, name := range slices.Backward(found) {
				file, err := filepath.Abs(filepath.Join(in.root, name))
				if err == nil {
					err = checkUsable(file)
				}
				if err == nil {
					return file
				}
				cmp.Or(o.Logger, slog.Default()).Warn(fmt.Sprintf("gospmd: a PJRT plugin is passed over: %v", err))
			}
		}
	}
	return ""
}

// variableDirs returns the directories of $PJRT_PLUGIN_LIBRARY_PATH. An empty element is not the
// current directory: nothing is loaded from there unasked.
func variableDirs() (dirs []places) {
	for _, dir := range filepath.SplitList(os.Getenv(DirsVar)) {
		if dir != "" {
			dirs = append(dirs, places{dir, "."})
		}
	}
	return dirs
}

// pythonDirs returns the directories in which pip puts a platform's plugin.
func pythonDirs(platform string) []places {
	return packageDirs(map[string]string{
		hardware.CPU:  "xla_plugins/xla_cpu_pjrt",
		hardware.CUDA: "jax_plugins/xla_cuda*",
		hardware.TPU:  "libtpu",
	}[platform])
}

// packageDirs returns where Python's packages have a directory, for the
// environment in use and for the Pythons of the user and of the system.
func packageDirs(name string) (dirs []places) {
	var roots []string
	for _, v := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if root := os.Getenv(v); root != "" {
			roots = append(roots, root)
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		roots = append(roots, filepath.Join(home, ".local"))
	}
	for _, root := range append(roots, "/usr/local", "/usr") {
		for _, packages := range []string{"site-packages", "dist-packages"} {
			dirs = append(dirs, places{root, path.Join("lib", "python3*", packages, name)})
		}
	}
	return dirs
}

// goxlaDirs returns the directories that go-xla's installer uses.
func goxlaDirs() (dirs []places) {
	var roots []string
	if home, err := os.UserHomeDir(); err == nil {
		roots = append(roots, filepath.Join(home, ".local", "lib", "go-xla"))
	}
	if runtime.GOOS != "windows" {
		roots = append(roots, "/usr/local/lib/go-xla")
	}
	for _, root := range roots {
		dirs = append(dirs, places{root, "."}, places{root, "nvidia"})
	}
	return dirs
}
