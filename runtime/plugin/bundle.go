package plugin

// This file installs bundles, and checks which are installed.

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// CacheDir returns the directory in which plugins are installed, gospmd/pjrt in the user's cache.
// It may not exist. Without a user's cache directory it is an error.
func CacheDir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("there is no cache directory to install plugins in: %w; set $XDG_CACHE_HOME, or $%s to a plugin", err, PathVar)
	}
	return filepath.Join(cache, "gospmd", "pjrt"), nil
}

// Installers returns, for each release of the bundle, the Installer that brings it into CacheDir.
// Without a user's cache directory it is an error.
func (b Bundle) Installers() ([]*Installer, error) {
	dir, err := CacheDir()
	if err != nil {
		return nil, err
	}
	var all []*Installer
	for _, r := range b.Releases {
		all = append(all, &Installer{Dir: dir, Release: r, Sources: DefaultSources()})
	}
	return all, nil
}

// Check returns the path of the first file if all files are installed and undamaged. Its errors are
// those of Installer.Check.
func (b Bundle) Check() (string, error) {
	all, err := b.Installers()
	if err != nil {
		return "", err
	}
	for _, in := range all {
		if err := in.Check(); err != nil {
			return "", err
		}
	}
	return all[0].Path(), nil
}

// Install brings the bundle with the given name into CacheDir and returns the path of its first
// file, the plugin if it has one. It does not fetch installed wheels again, so that an interrupted
// Install continues. out gets messages about the progress; nil for os.Stderr. A name that
// BundleNamed does not know is an error.
func Install(ctx context.Context, name string, out io.Writer) (string, error) {
	b, err := BundleNamed(name)
	if err != nil {
		return "", err
	}
	all, err := b.Installers()
	if err != nil {
		return "", err
	}
	for _, in := range all {
		in.Output = out
		if _, err := in.Install(ctx); err != nil {
			return "", err
		}
	}
	return all[0].Path(), nil
}
