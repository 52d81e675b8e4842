package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
)

// The way of a batch through package keras has at most 8 files, returns at most 4 times to one that
// it has left, and includes the function place of placement.go.
func TestWayIsShort(t *testing.T) {
	longtest.Only(t, "it builds a copy of package keras")
	way, err := follow(t.Context(), "../..")
	require.NoError(t, err)
	var text strings.Builder
	show(&text, way)
	files, returns := count(way)
	require.LessOrEqual(t, files, 8, text.String())
	require.LessOrEqual(t, returns, 4, text.String())
	require.Contains(t, way, call{"placement.go", "place"})
}

func TestInstrument(t *testing.T) {
	const src = "package a\n\nfunc one(b data.Batch) int { return 1 }\n\nfunc two(n int) int { return n }\n"
	got, err := instrument("a.go", []byte(src))
	require.NoError(t, err)
	require.Equal(t, strings.Replace(src, "{ return 1", `{ pass("a.go", "one"); return 1`, 1), got)
}

func TestCount(t *testing.T) {
	files, returns := count([]call{{"a", "f"}, {"a", "g"}, {"b", "f"}, {"a", "f"}, {"c", "f"}, {"b", "f"}})
	require.Equal(t, []int{3, 2}, []int{files, returns})
}
