package ir_test

// This file gives the texts that ir prints to MLIR's own parser, in jaxlib.

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/peer"
	"github.com/gospmd/gospmd/ir"
)

// onlyOurs are the files that MLIR's parser does not read: they have obsolete spellings, or the
// spmd dialect.
var onlyOurs = []string{"older.txtar", "spmd.txtar"}

// TestRealParserAgrees gives each module of testdata/text to MLIR's parser in four texts: as the
// file has it, and as ir prints it in pretty form, and in generic form without and with locations.
// The parser must read the same module from all four.
func TestRealParserAgrees(t *testing.T) {
	python := peer.Python(t, "jaxlib")
	const forms = 4
	var names, texts []string
	for file, a := range textFiles(t) {
		if slices.Contains(onlyOurs, filepath.Base(file)) {
			continue
		}
		in := section(a, "in.mlir")
		m := ir.MustParse(in)
		names = append(names, filepath.Base(file))
		texts = append(texts, in, m.String(),
			printModule(t, m, ir.PrintOptions{Generic: true}), printModule(t, m, ir.PrintOptions{Generic: true, Locations: true}))
	}
	answers := askOracle(t, python, texts)
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			of := answers[forms*i : forms*i+forms]
			for k, form := range []string{"in.mlir", "pretty", "generic", "generic with locations"} {
				require.Empty(t, of[k].Error, "%s:\n%s", form, texts[forms*i+k])
				require.Equal(t, of[0].Text, of[k].Text, form)
			}
		})
	}
}

type oracleAnswer struct{ Text, Error string }

func askOracle(t *testing.T, python string, texts []string) (answers []oracleAnswer) {
	t.Helper()
	in, err := json.Marshal(texts)
	require.NoError(t, err)
	cmd := exec.Command(python, "testdata/oracle.py")
	cmd.Stdin = bytes.NewReader(in)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s", stderr.String())
	require.NoError(t, json.Unmarshal(out, &answers))
	require.Len(t, answers, len(texts))
	return answers
}
