//go:build cgo

package difftest_test

// This file runs a sample of the random programs, and the programs that once had wrong results, on
// XLA.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/difftest"
	"github.com/gospmd/gospmd/internal/longtest"
)

func TestSampleOnXLA(t *testing.T) {
	h := open(t, "pjrt")
	n := longtest.Pick[uint64](10, 40)
	for seed := range n {
		p := difftest.New(seed, difftest.Options{AnyOrder: true})
		require.NoError(t, h.check(p), "seed %d\n%s", seed, p.Module)
	}
}

func TestFoundOnXLA(t *testing.T) { found(t, open(t, "pjrt")) }
