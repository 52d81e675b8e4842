// Package download brings files from the network into a folder, once: a file
// is whole and has the right checksum, or it is not there.
//
// It unpacks nothing and knows no mirrors; package runtime/plugin, which asks
// several sources for a wheel, uses its parts.
//
// Order of use: KerasHome for the folder that is shared with Keras, File.Get.
//
//	file          what it holds
//	file.go       File: the folder, the checksum
//	fetch.go      Fetch: one address over HTTP into one file
//	progress.go   Progress: what the user sees meanwhile
package download
