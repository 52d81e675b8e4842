//go:build cgo

package ffi_test

// This file runs the collectives in C under the sanitizers of the C compiler, without XLA.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/longtest"
	"github.com/gospmd/gospmd/internal/needs"
)

// TestSanitizers executes random programs on simulated devices of clients that execute at once,
// with devices that fail and executions that are aborted (testdata/stress.c). The program compares
// the results. The sanitizers find races, invalid accesses and leaks.
func TestSanitizers(t *testing.T) {
	for _, sanitizer := range []string{"thread", "address,undefined"} {
		t.Run(sanitizer, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "stress")
			args := []string{"-std=gnu11", "-O1", "-g", "-fsanitize=" + sanitizer, "-fno-sanitize-recover=all", "-pthread", "-o", program, "testdata/stress.c"}
			args = append(args, "shared.c", "shared_run.c", "shared_work.c", "shared_reduce.c", "shared_pool.c")
			empty := filepath.Join(t.TempDir(), "empty.c")
			require.NoError(t, os.WriteFile(empty, []byte("int main(void) { return 0; }\n"), 0o600))
			if out, err := exec.Command("cc", "-fsanitize="+sanitizer, "-o", filepath.Join(t.TempDir(), "empty"), empty).CombinedOutput(); err != nil {
				needs.Skip(t, "a C compiler with sanitizers", "apt-get install gcc", fmt.Errorf("%w: %s", err, out))
			}
			out, err := exec.Command("cc", args...).CombinedOutput()
			require.NoError(t, err, "%s", out)
			for seed := range longtest.Pick(1, 3) {
				out, err := exec.Command(program, fmt.Sprint(seed+1), fmt.Sprint(longtest.Pick(20, 60))).CombinedOutput()
				require.NoError(t, err, "seed %d: %s", seed+1, out)
				t.Logf("seed %d: %s", seed+1, out)
			}
		})
	}
}
