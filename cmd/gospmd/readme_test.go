package main

// This file runs the commands of README.md whose output stands there.

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/golden"
	"github.com/gospmd/gospmd/internal/needs"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/runtime/plugin"
)

var (
	// consoleBlock is a block with commands and their output.
	consoleBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
	// toldCommand is a command of gospmd and its output.
	toldCommand = regexp.MustCompile(`(?m)^\$ gospmd (.*)\n((?:[^$\n].*\n|\n)*)`)
	// elapsed is what differs from run to run.
	elapsed = regexp.MustCompile(`it took [0-9.]+ s`)
)

// TestReadme runs the commands of README.md that print something there. With -update it writes
// what they print.
func TestReadme(t *testing.T) {
	needs.Cgo(t, runtime.HasPJRT)
	if _, err := plugin.Locate(plugin.Options{Platform: "tpu"}); err != nil {
		needs.Plugin(t, "tpu", err)
	}
	t.Chdir("../..")
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	ran := 0
	for _, block := range consoleBlock.FindAllSubmatch(text, -1) {
		for _, command := range toldCommand.FindAllSubmatch(block[1], -1) {
			line, want := string(command[1]), command[2]
			if len(want) == 0 {
				continue
			}
			t.Run(line, func(t *testing.T) {
				var out, diag bytes.Buffer
				err := run(strings.Fields(line), strings.NewReader(""), &out, &diag)
				require.NoError(t, err, "%s", &diag)
				if golden.Update() && elapsed.ReplaceAllString(out.String(), "") != elapsed.ReplaceAllString(string(want), "") {
					text = bytes.Replace(text, want, out.Bytes(), 1)
					want = out.Bytes()
				}
				require.Equal(t, elapsed.ReplaceAllString(string(want), "it took … s"), elapsed.ReplaceAllString(out.String(), "it took … s"),
					"update README.md by go test ./cmd/gospmd -run TestReadme -update")
			})
			ran++
		}
	}
	require.GreaterOrEqual(t, ran, 2)
	if golden.Update() {
		require.NoError(t, os.WriteFile("README.md", text, 0o644))
	}
}
