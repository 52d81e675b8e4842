package main

// This file tests the benchmark on one program.

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime"
)

// The test program is also the process that is measured.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "-process" {
		if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// A start with a filled cache takes less than half the CPU time of one with an empty cache,
// up to the first loss, which is the same to the bit.
func TestStart(t *testing.T) {
	if !runtime.HasPJRT {
		t.Skip("this binary has no PJRT engine, which has the compilation cache")
	}
	r, err := measure(t.Context(), "quickstart", 2)
	require.NoError(t, err)
	require.Less(t, r.filled.CPU, r.empty.CPU/2)
	require.Less(t, r.filled.Parts.Load, r.empty.Parts.Load/2)
	require.Equal(t, r.empty.Loss, r.filled.Loss)
}

func TestFlags(t *testing.T) {
	for args, want := range map[string]string{"-rounds 0": "want at least 1", "-programs resnet": `got the program "resnet": want some of mlp, quickstart, transformer`} {
		require.ErrorContains(t, run(t.Context(), strings.Fields(args), new(bytes.Buffer)), want)
	}
}
