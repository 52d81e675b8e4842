package lapack_test

import (
	"os"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/lapack"
)

// RATIONALE.md lists the routines of the table.
func TestTableInRationale(t *testing.T) {
	text, err := os.ReadFile("../../RATIONALE.md")
	require.NoError(t, err)
	require.Contains(t, string(text), lapack.Table())
}

// Find has each of the LAPACK routines that jaxlib 0.10.2 registers for the CPU, with its element
// type, and All has no others.
func TestRoutinesOfJaxlib(t *testing.T) {
	for letter, names := range map[string][]string{
		"sd": {"gees", "geev", "gehrd", "geqp3", "geqrf", "gesdd", "gesvd", "getrf", "gtsv", "orgqr", "ormqr", "potrf", "syevd", "sytrd", "trsm"},
		"cz": {"gees", "geev", "gehrd", "geqp3", "geqrf", "gesdd", "gesvd", "getrf", "gtsv", "heevd", "hetrd", "potrf", "trsm", "ungqr", "unmqr"},
	} {
		for _, l := range letter {
			for _, name := range names {
				r, ok := lapack.Find("lapack_" + string(l) + name + "_ffi")
				require.True(t, ok, "%c%s", l, name)
				require.Equal(t, map[rune]dtypes.DType{'s': dtypes.Float32, 'd': dtypes.Float64, 'c': dtypes.Complex64, 'z': dtypes.Complex128}[l], r.DType)
			}
		}
	}
	require.Len(t, lapack.All(), 60)
}
