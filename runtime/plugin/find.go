package plugin

// This file finds a plugin. It searches a list of places, in order of precedence.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/hardware"
)

// PathVar is the environment variable that names the plugin to use. It is used for every platform,
// unless the file's name says that it is for another one: libtpu.so is no plugin for "cpu".
const PathVar = "GOSPMD_PJRT_PLUGIN"

// pathVars are the environment variables that name a plugin, each with the platform that it is for;
// "" is every platform. JAX and PyTorch read the second one too.
var pathVars = []struct{ name, platform string }{{PathVar, ""}, {"TPU_LIBRARY_PATH", hardware.TPU}}

// DirsVar is the environment variable with a list of directories to search for plugins, separated
// by colons. go-xla reads it too.
const DirsVar = "PJRT_PLUGIN_LIBRARY_PATH"

// Platforms are the platforms that have plugins.
var Platforms = []string{hardware.CPU, hardware.CUDA, hardware.TPU}

// ErrMissing is wrapped by the errors of Find and CUDAData if nothing was found. They say how to
// install it.
var ErrMissing = errors.New("not found")

// Options say which plugin to find.
type Options struct {
	Platform string // one of Platforms
	Path     string // the plugin's file, when the caller knows it

	// Logger gets warnings about plugins that are skipped. nil is slog.Default.
	Logger *slog.Logger
}

// NamesPlugin reports whether the caller or the environment names a plugin for o.Platform, so that
// no other one may take its place.
func (o Options) NamesPlugin() bool {
	_, path := o.namedPlugin()
	return path != ""
}

// namedPlugin returns the path of the plugin that the caller or an environment variable names for
// o.Platform, and the name of the option or the variable; both are empty if none does.
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

// PlatformOf returns the platform that the file name of a plugin stands for, "" for an unknown
// name.
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

// Find is Locate, but it installs the CPU's plugin if none was found, or if the one in gospmd's
// cache is damaged. It never downloads other plugins.
func Find(ctx context.Context, o Options) (string, error) {
	path, err := Locate(o)
	var damaged *HashError
	if o.Platform == hardware.CPU && (errors.Is(err, ErrMissing) || errors.As(err, &damaged)) {
		return Install(ctx, hardware.CPU, nil) // the error says why
	}
	return path, err
}

// Locate returns the absolute path of a plugin for the platform: the file that Options,
// $GOSPMD_PJRT_PLUGIN or $TPU_LIBRARY_PATH names; else the first in a directory of
// $PJRT_PLUGIN_LIBRARY_PATH, in gospmd's cache, among Python's packages or in go-xla's directories.
// It is an error if a given file or variable leads to no plugin, or if the plugin in the cache is
// damaged. If nothing is found, the error wraps ErrMissing.
//
// Locate refuses a plugin that users other than this one and root can change, and a truncated one.
// If the user has named it, that is an error. Otherwise Locate skips it with a warning.
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

// cachedPlugin returns the path of the platform's plugin in gospmd's cache. It is "" if there is
// none, and if this system has no cache directory or no plugin to install. A plugin that is damaged
// or unsafe is an error.
func cachedPlugin(platform string) (string, error) {
	b, err := BundleNamed(platform)
	if err != nil {
		return "", nil // there is no bundle for this system
	}
	all, err := b.Installers()
	if err != nil {
		return "", nil // there is no cache directory
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

// advice returns a text that says how to install the platform's plugin, or that this system has
// none to install.
func advice(platform string) string {
	b, err := BundleNamed(platform)
	if err != nil {
		return err.Error()
	}
	pip := map[string]string{hardware.CPU: "xla-cpu-pjrt", hardware.CUDA: "'jax-cuda13-plugin[with-cuda]'", hardware.TPU: "libtpu"}[platform]
	return fmt.Sprintf("install it with `gospmd doctor -install %s` (%.0f MB to download) or `pip install %s`, or set $%s to its .so file",
		platform, float64(b.Bytes())/1e6, pip, PathVar)
}

// absolutePath returns the absolute path of a plugin that the user named. by is how it was named,
// such as a variable, for errors. A directory, and a file that is missing, unsafe or no library,
// are errors.
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

// patterns are the patterns of the file names of plugins, by platform.
var patterns = map[string][]string{
	hardware.CPU:  {"xla_cpu_pjrt.so", "pjrt_c_api_cpu*_plugin.so", "pjrt[-_]plugin[-_]cpu*.so"},
	hardware.CUDA: {"xla_cuda_plugin.so", "pjrt_c_api_cuda*_plugin.so", "pjrt[-_]plugin[-_]cuda*.so"},
	hardware.TPU:  {"libtpu.so", "pjrt_c_api_tpu*_plugin.so", "pjrt[-_]plugin[-_]tpu*.so"},
}

// places are directories below a root. A pattern may have wildcards. The root comes from the user's
// environment, and has none.
type places struct{ root, pattern string }

// search returns the path of the first usable plugin in the places, or "" if there is none. If one
// directory has several, it takes the last one by name, which is the newest version. It logs a
// warning for each unusable one that it passes over.
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

// variableDirs returns the directories of $PJRT_PLUGIN_LIBRARY_PATH. An empty element is ignored:
// the current directory is searched only if it is named.
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

// packageDirs returns the directories in which the Python package of that name can be, as the
// active environment, the environment whose python3 is first in $PATH, and the Pythons of the user
// and of the system have them. name may have wildcards.
func packageDirs(name string) (dirs []places) {
	var roots []string
	for _, v := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if root := os.Getenv(v); root != "" {
			roots = append(roots, root)
		}
	}
	// Images of containers often have an environment in $PATH that is not activated.
	if python, err := exec.LookPath("python3"); err == nil && filepath.IsAbs(python) {
		roots = append(roots, filepath.Dir(filepath.Dir(python)))
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
