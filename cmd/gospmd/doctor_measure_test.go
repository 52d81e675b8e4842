package main

// This file tests gospmd doctor -measure.

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/internal/longtest"
)

// The machine file that is measured on two CPU devices is valid for -machine.
func TestDoctorMeasure(t *testing.T) {
	longtest.SkipShort(t, "it measures for seconds")
	file := filepath.Join(t.TempDir(), "machine.json")
	requireRun(t, "", []string{"doctor", "-platform", "cpu", "-devices", "2", "-measure", file}, []string{"product of f32", "copy: ", "all-reduce along 2 devices", "written to " + file}, "")
	f, err := cost.ReadMachineFile(file)
	require.NoError(t, err)
	require.Positive(t, f.MemoryBandwidth)
	requireRun(t, productText, []string{"partition", "-report", "-machine", file, "-mesh", "a=2,b=1"}, []string{"predicted time on 2 "}, "")
	requireRun(t, "", []string{"doctor", "-platform", "cpu", "-devices", "1", "-measure", "/nowhere/machine.json"}, nil, "doctor: -measure: stat /nowhere: no such file or directory")
}
