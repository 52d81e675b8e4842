package runtime

// This file gives tests what programs do not need.

import "testing"

// KeepAll makes the compilation cache keep what compiles fast, too.
func KeepAll(t testing.TB) {
	before := worthKeeping
	worthKeeping = 0
	t.Cleanup(func() { worthKeeping = before })
}
