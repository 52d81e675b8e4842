package peer_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/internal/testing/peer"
)

// TestPython asks for a module that every Python has. If there is a Python, the test is not
// skipped.
func TestPython(t *testing.T) {
	needs.Tool(t, "python3", "python3")
	t.Run("found", func(t *testing.T) {
		t.Cleanup(func() { require.False(t, t.Skipped()) })
		out, err := exec.Command(peer.Python(t, "json"), "-c", "import json; print(json.dumps([1]))").Output()
		require.NoError(t, err)
		require.Equal(t, "[1]\n", string(out))
	})
}

// TestPythonLacks asks for a module that no Python has. The test must be skipped.
func TestPythonLacks(t *testing.T) {
	t.Run("skipped", func(t *testing.T) {
		t.Cleanup(func() { require.True(t, t.Skipped()) })
		peer.Python(t, "no_module_of_this_name")
	})
}
