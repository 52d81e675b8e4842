// Package cache keeps results that took long to compute, as bytes by key. Entries are written
// atomically and read without a lock. If all together are larger than a limit, the least recently
// used ones are removed.
//
// It does not interpret the contents. The caller must choose unique keys.
//
// Order of use: Kind.KeyOf; Open a directory; Get, and if there is no entry, Put. Several processes
// may use the directory at the same time. It may be removed at any time. A Memory is the same for
// one process, without a directory.
//
//	file          holds
//	cache.go      Cache; Disk: Open, Get, Put
//	memory.go     Memory: entries in the memory of the process
//	key.go        Kind, Key
//	entry.go      the file of one entry: how it is written, read and checked
//	evict.go      removing entries when the directory is over its limit
package cache
