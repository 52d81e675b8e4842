package main

// This file runs the program as several processes.

import (
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/testing/jobtest"
	"github.com/gospmd/gospmd/internal/testing/longtest"
	"github.com/gospmd/gospmd/internal/testing/needs"
)

func TestMain(m *testing.M) { jobtest.Main(m, main) }

// TestProcesses trains as 1, 2 and 4 processes that have eight devices together: the losses must be
// those of one device. It trains on a few invented images and, in the long form, on the first
// images of MNIST. On all of MNIST, Adam would amplify rounding differences over thousands of
// steps, also on meshes of one process (TestMNIST). Then two processes resume a training that four
// have begun.
func TestProcesses(t *testing.T) {
	t.Run("invented", func(t *testing.T) { testProcesses(t, smallData(t, 240, 40), 1) })
	t.Run("MNIST", func(t *testing.T) {
		dir := needs.MNIST(t)
		longtest.Only(t, "the short form takes invented images")
		testProcesses(t, firstImages(t, dir, 500, 100), 3)
	})
}

// firstImages copies the first images of the MNIST in dir to a new directory, so many to train and
// to test. It returns the new directory.
func firstImages(t *testing.T, dir string, train, test int) string {
	t.Helper()
	out := t.TempDir()
	for split, n := range map[string]int{"train": train, "t10k": test} {
		for name, header := range map[string]struct{ size, each int }{"images-idx3": {16, pixels}, "labels-idx1": {8, 1}} {
			file := split + "-" + name + "-ubyte"
			f, err := os.Open(filepath.Join(dir, file+".gz"))
			require.NoError(t, err)
			unzipped, err := gzip.NewReader(f)
			require.NoError(t, err)
			part := make([]byte, header.size+n*header.each)
			_, err = io.ReadFull(unzipped, part)
			require.NoError(t, err)
			require.NoError(t, f.Close())
			binary.BigEndian.PutUint32(part[4:], uint32(n))
			require.NoError(t, os.WriteFile(filepath.Join(out, file), part, 0o644))
		}
	}
	return out
}

// testProcesses trains on the files in dir as so many jobs of several processes.
func testProcesses(t *testing.T, dir string, jobs int) {
	const batch = "25"
	start := func(processes, devices int, args ...string) *jobtest.Job {
		return jobtest.Start(t, processes, devices, nil, func(int) []string { return append([]string{"-data", dir, "-batch", batch, "-json"}, args...) })
	}
	one := jobtest.Results[result](start(1, 1, "-mesh", "single", "-epochs", "2", "-checkpoints", t.TempDir()))[0]
	for _, tc := range []struct {
		processes, devices int
		mesh               string
	}{{2, 4, "2x4"}, {1, 8, "8x1"}, {4, 2, "2x4"}}[:jobs] {
		t.Run(fmt.Sprintf("%dx%d %s", tc.processes, tc.devices, tc.mesh), func(t *testing.T) {
			checkpoints := t.TempDir()
			for rank, got := range jobtest.Results[result](start(tc.processes, tc.devices, "-mesh", tc.mesh, "-epochs", "2", "-checkpoints", checkpoints)) {
				require.InDeltaSlice(t, one.losses(), got.losses(), 1e-6, "process %d", rank)
				require.Equal(t, one.ValAccuracy, got.ValAccuracy)
			}
			require.FileExists(t, filepath.Join(checkpoints, "ckpt-2.keras"))
		})
	}
	t.Run("resumed by two", func(t *testing.T) {
		checkpoints := t.TempDir()
		jobtest.Results[result](start(4, 2, "-mesh", "8x1", "-epochs", "1", "-checkpoints", checkpoints))
		for rank, got := range jobtest.Results[result](start(2, 2, "-mesh", "2x2", "-epochs", "2", "-resume", "-checkpoints", checkpoints)) {
			require.InDeltaSlice(t, one.losses(), got.losses(), 1e-5, "process %d", rank)
		}
	})
}
