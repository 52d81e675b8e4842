//go:build !cgo

package aot

// This file stands in where plugins cannot be loaded.

const hasCgo = false

func compileHere(question) answer { panic("BUG: aot: a plugin is loaded without cgo") }
