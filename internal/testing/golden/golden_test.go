package golden_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/internal/testing/golden"
)

// TestRun runs golden.Run on a file with two sections. The section upper must be the section in, in
// capitals.
func TestRun(t *testing.T) {
	golden.Run(t, "testdata/*.txtar", 1, func(t *testing.T, a *txtar.Archive) map[string]string {
		return map[string]string{"upper": strings.ToUpper(string(a.Files[0].Data))}
	})
}
