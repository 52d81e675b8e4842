// Package plugin finds a PJRT plugin, the shared library that holds XLA, and
// installs the CPU's when there is none.
//
// It loads nothing and needs no cgo: package runtime does the loading. Plugins
// for other platforms are found, never downloaded: they belong to a driver.
//
// Order of use: Find, which calls the rest.
//
//	file             holds
//	find.go          the places where a plugin may be, in the order in which they win
//	usable.go        what is checked before a plugin is loaded: its owner, its mode, that it is whole
//	install.go       Installer: how a release gets into the cache, and the lock
//	release.go       the releases, their checksums, and the stamp of a file that was checked
//	source.go        where a wheel comes from: the package index, pip
//	owner_unix.go    the owner of a file
//	owner_other.go   … on systems without
//	status_linux.go  the time of the last change of a file
//	status_other.go  … on systems without
package plugin
