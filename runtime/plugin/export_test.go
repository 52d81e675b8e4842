package plugin

// This file lets tests say that a file was checked.

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// Stamp says of a file that it had this SHA-256.
func Stamp(t *testing.T, path, sum string) {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	text, err := json.Marshal(stampOf(info, sum))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(stampName(path), text, 0o644))
}

// Names for the tests of this package.
var (
	AllBundles = bundles
	BundleFor  = bundleFor
	PipFlags   = Release.pipFlags
	DevicesOf  = devicesOf
)
