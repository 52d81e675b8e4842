package trace_test

// This file tests the names of a Builder's module.

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/trace"
)

// Two recordings whose names differ only in UUIDs have the same text: each UUID becomes a number.
func TestUUIDs(t *testing.T) {
	record := func(first, second string) string {
		b := trace.NewBuilder("step", nil)
		var values []compute.Value
		for _, name := range []string{"/loss_uuid_" + first + "/mean", "/loss_uuid_" + first + "/count", "/loss_uuid_" + second + "/mean", "/dense/weights"} {
			v, err := b.Main().Parameter(name, shapes.Make(dtypes.Float32), nil)
			require.NoError(t, err)
			values = append(values, v)
		}
		require.NoError(t, b.Main().Return(values, nil))
		m, err := b.Module()
		require.NoError(t, err)
		var names []string
		for _, p := range m.Main().Params() {
			names = append(names, p.Name)
		}
		require.Equal(t, []string{"/loss_uuid_0/mean", "/loss_uuid_0/count", "/loss_uuid_1/mean", "/dense/weights"}, names)
		return m.String()
	}
	require.Equal(t, record("14a0367c-b0c5-4e55-a99b-331a2f244baa", "d7bb57c8-ec88-42fa-b5f8-d6e53c25603c"),
		record("00000000-ffff-4e55-a99b-331a2f244bab", "00000000-ffff-4e55-a99b-331a2f244baa"))
}
