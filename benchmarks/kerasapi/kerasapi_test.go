package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/golden"
)

// keras/API.md is the output of the command, and each name in the table others stands for a name of
// Keras.
func TestTable(t *testing.T) {
	const file = "../../keras/API.md"
	if golden.Update() {
		require.NoError(t, run(context.Background(), []string{"-C", "../..", "-o", file}, nil))
	}
	var out bytes.Buffer
	require.NoError(t, run(context.Background(), []string{"-C", "../.."}, &out))
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), out.String(), "write it again: go run ./benchmarks/kerasapi -o keras/API.md")

	modules, _, err := kerasNames()
	require.NoError(t, err)
	known := map[string]bool{}
	for _, m := range modules {
		for _, n := range m.Names {
			known[m.Module+"."+n.Name] = true
		}
	}
	for key := range others {
		require.True(t, known[key], "%s is no name of Keras", key)
	}
}

// TestGoName: goName finds a name of Keras as the same Go name, an alias, CamelCase or a registered
// string. It returns "" if the Go package does not export the name, even if the table others lists
// it.
func TestGoName(t *testing.T) {
	e := exports{"layers": {"Dense": true, "Add": true}, "losses": {}, "saving": {}}
	require.Equal(t, "`Dense`", name{Name: "Dense", Class: true}.goName("layers", e))
	require.Equal(t, "`add` (`layers.Add`)", name{Name: "add"}.goName("layers", e))
	require.Equal(t, "`Thick`", name{Name: "Thick", Aliases: []string{"Dense"}, Class: true}.goName("layers", e))
	require.Empty(t, name{Name: "Dot", Class: true}.goName("layers", e))
	require.Empty(t, name{Name: "serialize"}.goName("layers", e))
	require.Contains(t, name{Name: "ctc"}.goName("losses", e), `losses.Get("ctc")`)
	require.Empty(t, name{Name: "no_such_loss"}.goName("losses", e))
	_, err := exportedNames(t.TempDir(), "layers")
	require.ErrorContains(t, err, "run it in its directory")
}

func TestWriteFile(t *testing.T) {
	file := t.TempDir() + "/API.md"
	require.NoError(t, run(context.Background(), []string{"-C", "../..", "-o", file}, nil))
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(b), "# Names of Keras 3."))
}
