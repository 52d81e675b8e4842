package main

// This file runs the program as several processes.

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/internal/testing/longtest"
)

func TestMain(m *testing.M) { jobtest.Main(m, main) }

// TestProcesses trains with each distribution, as 1, 2 and 4 processes with eight devices together.
// All processes must have the losses of one device. The short form has two of them.
func TestProcesses(t *testing.T) {
	one := jobtest.Results[result](jobtest.Start(t, 1, 1, nil, func(int) []string { return []string{"-mesh", "single", "-json"} }))[0]
	for _, tc := range []struct {
		processes, devices int
		args               []string
		long               bool // only in the long form
	}{
		{1, 8, []string{"-mesh", "2x4"}, true},
		{2, 4, []string{"-mesh", "2x4"}, true},
		{4, 2, []string{"-mesh", "2x4"}, false},
		{4, 2, []string{"-mesh", "8x1", "-strategy", "data-parallel"}, true},
		{2, 4, []string{"-mesh", "4x1", "-strategy", "data-parallel-devices"}, false},
	} {
		if tc.long && !longtest.Enabled() {
			continue
		}
		t.Run(fmt.Sprintf("%dx%d %v", tc.processes, tc.devices, tc.args), func(t *testing.T) {
			j := jobtest.Start(t, tc.processes, tc.devices, nil, func(int) []string { return append(tc.args, "-json") })
			for rank, got := range jobtest.Results[result](j) {
				require.InDeltaSlice(t, one.losses(), got.losses(), 1e-6, "process %d", rank)
				if rank > 0 {
					require.NotContains(t, j.Processes[rank].Output(), "Epoch")
				}
			}
		})
	}
}
