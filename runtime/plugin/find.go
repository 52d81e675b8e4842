package plugin

// This file finds a plugin: the list of places, in the order in which they
// win.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
)

// PathVar is the environment variable that names the plugin to use.
const PathVar = "GOSPMD_PJRT_PLUGIN"

// DirsVar is the environment variable with the directories to look for plugins in,
// separated by colons, as go-xla reads it.
const DirsVar = "PJRT_PLUGIN_LIBRARY_PATH"

// Options say which plugin is wanted.
type Options struct {
	Platform string // "cpu", "cuda" or "tpu"
	Path     string // the plugin's file, when the caller knows it
}

// Named reports whether the caller or the environment names a plugin, so that no other
// one may take its place.
func (o Options) Named() bool { return o.Path != "" || os.Getenv(PathVar) != "" }

// Find returns the absolute path of a plugin for the platform: the file that
// Options or $GOSPMD_PJRT_PLUGIN names; else the first in a directory
// of $PJRT_PLUGIN_LIBRARY_PATH, in gospmd's cache, among Python's packages or
// in go-xla's directories; else, for the CPU, it downloads one into the cache. A
// file or a variable that is given but leads nowhere is an error.
//
// A plugin that others than the user and root can change, or that is cut off, is not
// loaded: it is an error where it was named, and is passed over with a line elsewhere. A
// plugin in the cache that was damaged is installed again.
func Find(ctx context.Context, o Options) (string, error) {
	if _, ok := patterns[o.Platform]; !ok {
		return "", fmt.Errorf("platform %q is not known: want \"cpu\", \"cuda\" or \"tpu\"", o.Platform)
	}
	if o.Path != "" {
		return named("Options.Plugin", o.Path)
	}
	if path := os.Getenv(PathVar); path != "" {
		return named("$"+PathVar, path)
	}
	if path := search(o.Platform, variableDirs()); path != "" {
		return path, nil
	}
	cache, cacheErr := DefaultInstaller()
	if cacheErr == nil && o.Platform == "cpu" {
		switch err := cache.Check(); {
		case err == nil:
			return cache.Path(), usable(cache.Path())
		case !errors.Is(err, fs.ErrNotExist):
			return cache.Install(ctx) // says why
		}
	}
	if path := search(o.Platform, pythonDirs(o.Platform)); path != "" {
		return path, nil
	}
	if path := search(o.Platform, goxlaDirs()); path != "" {
		return path, nil
	}
	if o.Platform != "cpu" {
		return "", fmt.Errorf("no PJRT plugin for platform %q found: install one (for cuda `pip install jax-cuda13-pjrt`, for tpu `pip install libtpu`) and set $%s to its .so file",
			o.Platform, PathVar)
	}
	if cacheErr != nil {
		return "", cacheErr
	}
	return cache.Install(ctx)
}

// named returns the absolute path of a file that the user named.
func named(by, path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", by, err)
	}
	info, err := os.Stat(abs)
	if err == nil && info.IsDir() {
		return "", fmt.Errorf("%s names the PJRT plugin %s, which is a directory: name the .so file in it", by, path)
	}
	if err == nil {
		err = usable(abs)
	}
	if err != nil {
		return "", fmt.Errorf("%s names the PJRT plugin %s, which cannot be used: %w; correct it, or leave it empty to let gospmd find one", by, path, err)
	}
	return abs, nil
}

// patterns are the names that plugins have, by platform.
var patterns = map[string][]string{
	"cpu":  {"xla_cpu_pjrt.so", "pjrt_c_api_cpu*_plugin.so", "pjrt[-_]plugin[-_]cpu*.so"},
	"cuda": {"xla_cuda_plugin.so", "pjrt_c_api_cuda*_plugin.so", "pjrt[-_]plugin[-_]cuda*.so"},
	"tpu":  {"libtpu.so", "pjrt_c_api_tpu*_plugin.so", "pjrt[-_]plugin[-_]tpu*.so"},
}

// places are directories below a root. The pattern may have wildcards; the root, which
// comes from the user's environment, has none.
type places struct{ root, pattern string }

// search returns the first usable plugin in the places; of several in one directory the
// last by name, thus the newest version.
func search(platform string, all []places) string {
	for _, in := range all {
		for _, pattern := range patterns[platform] {
			found, err := fs.Glob(os.DirFS(in.root), path.Join(in.pattern, pattern))
			if err != nil {
				continue
			}
			for _, name := range slices.Backward(found) {
				file, err := filepath.Abs(filepath.Join(in.root, name))
				if err == nil {
					err = usable(file)
				}
				if err == nil {
					return file
				}
				fmt.Fprintf(os.Stderr, "gospmd: a PJRT plugin is passed over: %v\n", err)
			}
		}
	}
	return ""
}

// variableDirs returns the directories of $PJRT_PLUGIN_LIBRARY_PATH. An empty element is
// not the current directory, from which nothing is loaded unasked.
func variableDirs() (dirs []places) {
	for _, dir := range filepath.SplitList(os.Getenv(DirsVar)) {
		if dir != "" {
			dirs = append(dirs, places{dir, "."})
		}
	}
	return dirs
}

// pythonDirs returns the directories in which pip puts a platform's plugin, for
// the environment in use and for the Pythons of the user and of the system.
func pythonDirs(platform string) (dirs []places) {
	inPackages := map[string]string{
		"cpu":  "xla_plugins/xla_cpu_pjrt",
		"cuda": "jax_plugins/xla_cuda*",
		"tpu":  "libtpu",
	}[platform]
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
			dirs = append(dirs, places{root, path.Join("lib", "python3*", packages, inPackages)})
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
