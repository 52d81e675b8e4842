package ir_test

// This file keeps the table of files in doc.go true.

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDocListsEveryFile(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^//\t([a-z_]+\.go) `).FindAllStringSubmatch(string(doc), -1) {
		listed = append(listed, m[1])
	}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	var want []string
	for _, f := range files {
		if f != "doc.go" && !strings.HasSuffix(f, "_test.go") {
			want = append(want, f)
		}
	}
	require.ElementsMatch(t, want, listed)
}
