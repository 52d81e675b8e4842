package pass

import "testing"

// OutsideTests verifies, until t ends, as in a process that is no test.
func OutsideTests(t *testing.T) {
	inTest = false
	t.Cleanup(func() { inTest = true })
}
