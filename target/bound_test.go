package target_test

// This file tests how much memory compilers should plan to use.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/program"
	"github.com/gospmd/gospmd/target"
)

// A program with a limit bounds the compiler for GPUs. One that moves values to the host bounds all
// compilers, also without a limit: by its peak.
func TestMemoryBound(t *testing.T) {
	moved := []program.Crossing{{Action: program.Offload}}
	for _, c := range []struct {
		fitting *program.Fitting
		gpu     int
		tpu     int
	}{
		{nil, 0, 0},
		{&program.Fitting{After: 5}, 0, 0},
		{&program.Fitting{Limit: 7, After: 5}, 7, 0},
		{&program.Fitting{Limit: 7, After: 5, Values: moved}, 7, 7},
		{&program.Fitting{Limit: 7, Asked: 6, After: 5, Values: moved}, 6, 6},
		{&program.Fitting{After: 5, Values: moved}, 5, 5},
	} {
		p := &program.Program{Fitting: c.fitting}
		require.Equal(t, c.gpu, target.GPU.MemoryBound(p), "%+v", c.fitting)
		require.Equal(t, c.tpu, target.TPU.MemoryBound(p), "%+v", c.fitting)
	}
}
