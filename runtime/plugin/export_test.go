package plugin

// This file lets tests write the stamp of a checked file.

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// Stamp writes a stamp that says that the file had this SHA-256.
func Stamp(t *testing.T, path, sum string) {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	text, err := json.Marshal(stampOf(info, sum))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(stampName(path), text, 0o644))
}

// Names that are internal, exported to the tests of this package.
var (
	AllBundles = bundles
	BundleFor  = bundleFor
	PipFlags   = Release.pipFlags
	DevicesOf  = devicesOf
)
