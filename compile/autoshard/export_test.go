package autoshard

import "testing"

// SetMaxOps decides groups of more than n ops in parts, until t ends.
func SetMaxOps(t testing.TB, n int) {
	old := maxOps
	maxOps = n
	t.Cleanup(func() { maxOps = old })
}
