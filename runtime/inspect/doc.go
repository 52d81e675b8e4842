// Package inspect reports what this machine has of a platform: the plugin with its versions and
// extensions, and the devices.
//
// A child process loads the plugin, because a broken plugin may end its process. It installs
// nothing and opens no client in this process.
//
// Order of use: Serve, first in main; Platform.
//
//	file            holds
//	inspect.go      Serve, Platform, Report; the question to the child
//	plugin.go       loads the plugin, in the child
//	plugin_none.go  the replacement of plugin.go in binaries without cgo
package inspect
