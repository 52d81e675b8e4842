package main

// This file scores gospmd opt against Shardy's own tests.

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// asCommand is the environment variable that makes the test program behave as
// gospmd itself, so that the scorer can run it.
const asCommand = "GOSPMD_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestConformance runs Shardy's tests of propagation and of sharding rules:
// the results must be equal to Shardy's, text for text, after the real parser.
// No case is excepted.
//
// The cases and their scorer lie in the folder GOSPMD_SHARDY_DIR, else in
// ../shared/shardy beside the checkout; GOSPMD_ORACLE_PYTHON, else python3,
// names a Python with jaxlib.
func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short")
	}
	python, dir := os.Getenv("GOSPMD_ORACLE_PYTHON"), os.Getenv("GOSPMD_SHARDY_DIR")
	if python == "" {
		python = "python3"
	}
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "shardy")
	}
	script := filepath.Join(dir, "conformance.py")
	if _, err := os.Stat(script); err != nil {
		t.Skipf("skipped: no conformance corpus: %v; name its folder by GOSPMD_SHARDY_DIR", err)
	}
	if err := exec.Command(python, "-c", "import jaxlib.mlir").Run(); err != nil {
		t.Skipf("skipped: %s can not import jaxlib (%v); pip install jaxlib==0.10.2 numpy ml_dtypes, or name a Python by GOSPMD_ORACLE_PYTHON", python, err)
	}
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(python, script, "--fail-list", "--", self, "opt")
	cmd.Env = append(os.Environ(), asCommand+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Logf("%s", out)
	require.Regexp(t, `(?m)^[1-9]\d* passed, 0 failed$`, string(out))
}
