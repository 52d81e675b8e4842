package longtest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/longtest"
)

func TestEnabled(t *testing.T) {
	for value, want := range map[string]bool{"": false, "0": false, "1": true, "true": true, "please": false} {
		t.Setenv(longtest.Var, value)
		require.Equal(t, want, longtest.Asked(), value)
		require.Equal(t, want && !testing.Short(), longtest.Enabled(), value)
		require.Equal(t, longtest.Enabled(), longtest.Pick(1, 2) == 2, value)
	}
}
