// Package cache keeps what took long to make: a key's bytes, written whole or not at all, read
// without a lock, the least recently used removed when all together are larger than a limit.
//
// It knows nothing of the contents. The caller chooses keys that find nothing else.
//
// Order of use: Kind.KeyOf; Open a directory; Get, and where there is nothing Put. Processes may
// use the directory at the same time, and it may be removed at any time. A Memory is the same
// for one process, without a directory.
//
//	file          holds
//	cache.go      Cache; Disk: Open, Get, Put
//	memory.go     Memory: entries that go with the process
//	key.go        Kind, Key
//	entry.go      the file of one entry: how it is written, read and checked
//	evict.go      what is removed when the directory is over its limit
package cache
