// Package inspect says what there is of a platform on this machine: its plugin, the
// versions and extensions of that, and its devices.
//
// A child process loads the plugin, because one that does not work may end its process. It
// installs nothing and opens no client in this process.
//
// Order of use: Serve, first in main; Platform.
//
//	file            holds
//	inspect.go      Serve, Platform, Report; what the child is asked
//	plugin.go       what the child does
//	plugin_none.go  its replacement in binaries without cgo
package inspect
