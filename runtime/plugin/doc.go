// Package plugin finds a PJRT plugin, the shared library that holds XLA, and
// installs the CPU's when there is none.
//
// It loads nothing and needs no cgo: package runtime does the loading. Plugins
// for other platforms are found, never downloaded: they belong to a driver.
//
// Order of use: Find, which all else serves.
//
//	file         question it answers
//	find.go      where may a plugin lie, and who wins?
//	release.go   which file does gospmd install, and how is it known to be that one?
//	install.go   how does it get into the cache, once and whole?
//	source.go    where does the wheel come from?
package plugin
