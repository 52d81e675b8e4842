package autoshard

import "testing"

// SetMaxOps makes groups of more than n ops be decided in parts, until t ends.
func SetMaxOps(t testing.TB, n int) {
	old := maxOps
	maxOps = n
	t.Cleanup(func() { maxOps = old })
}
