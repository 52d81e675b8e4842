package main

// This file scores gospmd opt against Shardy's own tests.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/peer"
)

// asCommand is the environment variable that makes the test program behave as
// gospmd itself, so that the scorer can run it.
const asCommand = "GOSPMD_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	if file := os.Getenv(asDigest); file != "" {
		text, err := digests(file)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Print(text)
		return
	}
	os.Exit(m.Run())
}

// TestConformance runs Shardy's tests of propagation and of sharding rules:
// the results must be equal to Shardy's, text for text, after the real parser.
// No case is excepted.
//
// Package internal/peer tells where the cases, their scorer and a Python are
// looked for.
func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short")
	}
	python, script := peer.Python(t, "jaxlib"), filepath.Join(peer.Shardy(t, "conformance.py"), "conformance.py")
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(python, script, "--fail-list", "--", self, "opt")
	cmd.Env = append(os.Environ(), asCommand+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Logf("%s", out)
	require.Regexp(t, `(?m)^[1-9]\d* passed, 0 failed$`, string(out))
}
