package main

// This file tests gospmd aot.

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/needs"
	"github.com/gospmd/gospmd/runtime/aot"
)

func TestAOT(t *testing.T) {
	saved := filepath.Join(t.TempDir(), "step.aot")
	var out bytes.Buffer
	err := run([]string{"aot", "-target", "v5e:2x4", "-o", saved, "-json", filepath.Join("testdata", "jax", "mlp_step.mlir")}, nil, &out, io.Discard)
	if errors.Is(err, aot.ErrNoPlugin) {
		needs.Plugin(t, "tpu", err)
	}
	require.NoError(t, err)
	var figures struct {
		Target string
		Memory aot.Memory
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &figures))
	require.Equal(t, "v5e:2x4", figures.Target)
	require.Positive(t, figures.Memory.Arguments)

	out.Reset()
	alone := strings.NewReader("func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n  return %a : tensor<4xf32>\n}")
	require.NoError(t, run([]string{"aot", "-target", "v5e:1x1", "-json", "-"}, alone, &out, io.Discard))
	require.Contains(t, out.String(), `"collectives": []`)

	out.Reset()
	require.NoError(t, run([]string{"aot", saved}, nil, &out, io.Discard))
	require.Contains(t, out.String(), "target                  v5e:2x4\n")
	require.Contains(t, out.String(), "all-reduce")
}

func TestAOTErrors(t *testing.T) {
	for args, want := range map[string]string{
		"aot":             "no target is given: want -target v5e:2x4",
		"aot aot_test.go": "aot_test.go is no saved executable",
		"aot -target v5e:3x3 testdata/groups.mlir": "there is no such torus",
		"aot -target v5e:2x4 -partitioner jax":     `-partitioner "jax" is not known: want gospmd or xla`,
	} {
		require.ErrorContains(t, run(strings.Fields(args), strings.NewReader(""), io.Discard, io.Discard), want, args)
	}
}
