// Package plugin finds a PJRT plugin, the shared library that holds XLA, and
// installs the CPU's when there is none.
//
// It loads nothing and needs no cgo: package runtime does the loading. Plugins
// for other platforms are found, never downloaded: they belong to a driver.
//
// Order of use: Find, which calls the rest.
//
//	file        holds
//	find.go     the places where a plugin may be, in the order in which they win
//	install.go  the release to install, its checksums, and how it gets into the cache; where the wheel comes from: the package index, pip
package plugin
