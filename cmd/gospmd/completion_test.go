package main

// This file tests completion in the shells themselves.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/needs"
)

// askShell has, for each shell, the commands that print the completions of $LINE. $FILE is the
// script. zsh completes only interactively, so its functions are replaced by echoes.
var askShell = map[string]string{
	"bash": `source "$FILE"; read -ra COMP_WORDS <<< "$LINE"; [[ $LINE != *" " ]] || COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _gospmd; printf '%s\n' "${COMPREPLY[@]}"`,
	"zsh": `compdef() { : }; compadd() { print -l -- $words_of }; _files() { : }; _describe() { print -l -- ${described%%:*} }
source "$FILE"; words=(${=LINE}); [[ $LINE != *" " ]] || words+=(""); CURRENT=$#words; _gospmd`,
	"fish": `source "$FILE"; complete -C "$LINE" | cut -f1`,
}

func TestCompletion(t *testing.T) {
	for _, shell := range shells {
		t.Run(shell.name, func(t *testing.T) {
			path := needs.Tool(t, shell.name, shell.name)
			var script bytes.Buffer
			require.NoError(t, run([]string{"completion", shell.name}, nil, &script, &script))
			file := filepath.Join(t.TempDir(), "script")
			require.NoError(t, os.WriteFile(file, script.Bytes(), 0o644))
			for _, tc := range []struct {
				line      string
				want, not string
			}{
				{"gospmd par", "partition", "-report"},
				{"gospmd partition -", "-report", "-target"},
				{"gospmd fit -tar", "-target", "-html"},
				{"gospmd help lay", "layouts", "bash"},
				{"gospmd completion ", "zsh", "layouts"},
			} {
				command := exec.Command(path, "-c", askShell[shell.name])
				command.Env = append(os.Environ(), "FILE="+file, "LINE="+tc.line, "HOME="+t.TempDir())
				out, err := command.CombinedOutput()
				require.NoError(t, err, "%s", out)
				words := strings.Fields(string(out))
				require.Contains(t, words, tc.want, tc.line)
				require.NotContains(t, words, tc.not, tc.line)
			}
		})
	}
}

// The scripts contain all commands and flags, even if a shell is not installed.
func TestCompletionScripts(t *testing.T) {
	for _, shell := range shells {
		var script bytes.Buffer
		require.NoError(t, run([]string{"completion", shell.name}, nil, &script, &script))
		for _, c := range commands() {
			require.Contains(t, script.String(), c.name)
			for _, f := range flagsOf(c) {
				require.Contains(t, script.String(), f.name, "%s of %s", f.name, c.name)
			}
		}
	}
	require.NotEmpty(t, flagsOf(commands()[0]))
	require.ErrorContains(t, run([]string{"completion", "fisch"}, nil, nil, nil), `the shell "fisch" (did you mean "fish"?): want one of bash, zsh, fish`)
	require.ErrorContains(t, run([]string{"completion"}, nil, nil, nil), "got 0 shells")
}
