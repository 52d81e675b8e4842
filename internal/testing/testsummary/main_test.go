package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/gospmd/gospmd/internal/testing/golden"
)

func TestGolden(t *testing.T) {
	golden.Run(t, "testdata/*.txtar", 1, func(t *testing.T, a *txtar.Archive) map[string]string {
		var out bytes.Buffer
		ok, err := run(bytes.NewReader(a.Files[0].Data), &out)
		require.NoError(t, err)
		verdict := "passed\n"
		if !ok {
			verdict = "failed\n"
		}
		return map[string]string{"out": out.String(), "verdict": verdict}
	})
}
