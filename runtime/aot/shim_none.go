//go:build !cgo

package aot

// This file replaces shim.go in binaries without cgo.

const hasCgo = false

func compileHere(question) answer { panic("BUG: aot: a plugin is loaded without cgo") }
