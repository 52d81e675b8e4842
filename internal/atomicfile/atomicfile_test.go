package atomicfile_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/atomicfile"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	text := func(s string) func(*os.File) error {
		return func(f *os.File) error { _, err := f.WriteString(s); return err }
	}
	require.NoError(t, atomicfile.Write(name, text("one")))
	require.NoError(t, atomicfile.Write(name, text("two")))
	broken := errors.New("broken")
	require.ErrorIs(t, atomicfile.Write(name, func(f *os.File) error {
		require.NoError(t, text("three")(f))
		return broken
	}), broken)
	got, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "two", string(got))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing is left behind")
	require.ErrorContains(t, atomicfile.Write(filepath.Join(dir, "absent", "x"), text("")), "cannot write into the directory")
}

// Several writers of one file do not use or remove each other's temporary files.
func TestWriteTogether(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	var writing sync.WaitGroup
	for range 8 {
		writing.Go(func() {
			for range 50 {
				if !assert.NoError(t, atomicfile.Write(name, func(f *os.File) error { _, err := f.WriteString("text"); return err })) {
					return
				}
			}
		})
	}
	writing.Wait()
	got, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "text", string(got))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

// TestLeft kills a process that writes a file. The next writer removes its temporary file, but not
// the files of living writers.
func TestLeft(t *testing.T) {
	dir := os.Getenv("ATOMICFILE_TEST_DIR")
	if dir != "" { // this is the process that is killed
		_ = atomicfile.Write(filepath.Join(dir, "x"), func(*os.File) error {
			fmt.Println("writing")
			select {}
		})
	}
	dir = filepath.Join(t.TempDir(), "run[1]*?")
	require.NoError(t, os.Mkdir(dir, 0o755))
	writer := exec.Command(os.Args[0], "-test.run=^TestLeft$")
	writer.Env = append(os.Environ(), "ATOMICFILE_TEST_DIR="+dir)
	out, err := writer.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, writer.Start())
	line := make([]byte, len("writing"))
	_, err = io.ReadFull(out, line)
	require.NoError(t, err)
	require.Equal(t, "writing", string(line))
	others := []string{".y.tmp123", ".x.tmp", ".x.tmp12a", "x.tmp1", ".xx.tmp1"}
	for _, name := range others {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	temporary := func() (names []string) {
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, e := range entries {
			if e.Name() != "x" && !slices.Contains(others, e.Name()) {
				names = append(names, e.Name())
			}
		}
		return names
	}
	write := func() {
		require.NoError(t, atomicfile.Write(filepath.Join(dir, "x"), func(f *os.File) error { _, err := f.WriteString("new"); return err }))
	}
	write()
	require.Len(t, temporary(), 1, "the writer lives")
	require.NoError(t, writer.Process.Kill())
	_ = writer.Wait()
	require.Len(t, temporary(), 1)
	write()
	require.Empty(t, temporary())
	for _, name := range others {
		require.FileExists(t, filepath.Join(dir, name))
	}
}

func TestScratch(t *testing.T) {
	dir := t.TempDir()
	f, err := atomicfile.Scratch(dir)
	require.NoError(t, err)
	_, err = f.WriteString("text")
	require.NoError(t, err)
	text := make([]byte, 4)
	_, err = f.ReadAt(text, 0)
	require.NoError(t, err)
	require.Equal(t, "text", string(text))
	require.NoError(t, f.Close())
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
	_, err = atomicfile.Scratch(filepath.Join(dir, "absent"))
	require.Error(t, err)
}
