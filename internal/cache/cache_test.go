package cache_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/cache"
)

func open(t *testing.T, dir string, limit int64) *cache.Disk {
	t.Helper()
	c, err := cache.Open(dir, limit)
	require.NoError(t, err)
	return c
}

func key(i int) cache.Key { return cache.Executable.KeyOf(fmt.Append(nil, i)) }

// files returns the names in a directory.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range all {
		names = append(names, f.Name())
	}
	return names
}

func Example() {
	dir, err := os.MkdirTemp("", "executables")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	c, err := cache.Open(dir, 1<<20)
	if err != nil {
		panic(err)
	}
	k := cache.Executable.KeyOf([]byte("module"), []byte("options"), []byte("plugin"))
	_, err = c.Get(k)
	fmt.Println(err)
	err = c.Put(k, []byte("machine code"))
	got, _ := c.Get(k)
	fmt.Println(string(got), err)
	// Output:
	// no entry
	// machine code <nil>
}

func TestKeyOf(t *testing.T) {
	keys := map[cache.Key]bool{}
	for _, parts := range [][]string{{}, {""}, {"", ""}, {"ab"}, {"a", "b"}, {"", "ab"}, {"ab", ""}, {"b", "a"}} {
		var all [][]byte
		for _, p := range parts {
			all = append(all, []byte(p))
		}
		keys[cache.Executable.KeyOf(all...)] = true
	}
	require.Len(t, keys, 8)
}

// An entry is found by its key, also in another process, until another one replaces it.
func TestPutGet(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	c := open(t, dir, 1<<20)
	require.Equal(t, dir, c.Dir())
	for i := range 3 {
		require.NoError(t, c.Put(key(i), bytes.Repeat([]byte{byte(i)}, i*1000)))
	}
	require.NoError(t, c.Put(key(1), []byte("new")))
	for i, want := range []string{"", "new", strings.Repeat("\x02", 2000)} {
		got, err := open(t, dir, 1<<20).Get(key(i))
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
	c.Remove(key(1))
	_, err := c.Get(key(1))
	require.ErrorIs(t, err, cache.ErrNone)
	require.Len(t, files(t, dir), 2)
}

// Every changed byte and every cut of an entry's file is noticed: the first Get returns an error
// that names the file, which is removed, and then there is no entry.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	c := open(t, dir, 1<<20)
	content := []byte("some machine code")
	require.NoError(t, c.Put(key(0), content))
	file := filepath.Join(dir, files(t, dir)[0])
	good, err := os.ReadFile(file)
	require.NoError(t, err)
	check := func(damaged []byte, what string) {
		require.NoError(t, os.WriteFile(file, damaged, 0o600))
		_, err := c.Get(key(0))
		require.ErrorContains(t, err, file+" is not used: it", what)
		_, err = c.Get(key(0))
		require.ErrorIs(t, err, cache.ErrNone, what)
	}
	for i := range good {
		flipped := bytes.Clone(good)
		flipped[i] ^= 1 << (i % 8)
		check(flipped, fmt.Sprintf("bit flipped in byte %d", i))
		check(good[:i], fmt.Sprintf("cut off after %d bytes", i))
	}
	check(append(bytes.Clone(good), 0), "longer")
	require.NoError(t, c.Put(key(1), content))
	other, err := os.ReadFile(filepath.Join(dir, files(t, dir)[0]))
	require.NoError(t, err)
	check(other, "the entry of another key")
	require.NoError(t, os.Mkdir(file, 0o700))
	_, err = c.Get(key(0))
	require.ErrorContains(t, err, "it is no file, its mode is drwx")
}

// Put removes the least recently used entries, but never the new one, and no file that is not an
// entry. It does not store an entry that is larger than the limit alone.
func TestLimit(t *testing.T) {
	dir := t.TempDir()
	content := make([]byte, 1000)
	c := open(t, dir, 3500)
	foreign := []string{"notes.txt", strings.Repeat("g", 64) + ".executable", strings.TrimSuffix(key(9).File(), ".executable"), strings.Repeat("0", 64) + ".other"}
	for _, name := range foreign {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), make([]byte, 5000), 0o600))
	}
	for i := range 3 {
		require.NoError(t, c.Put(key(i), content))
		old := time.Now().Add(time.Duration(i-10) * time.Hour)
		require.NoError(t, os.Chtimes(filepath.Join(dir, key(i).File()), old, old))
	}
	_, err := c.Get(key(0)) // makes it the most recently used
	require.NoError(t, err)
	require.NoError(t, c.Put(key(3), content))
	for i, there := range []bool{true, false, true, true} {
		_, err := c.Get(key(i))
		require.Equal(t, there, err == nil, "entry %d: %v", i, err)
	}
	require.NoError(t, c.Put(key(4), make([]byte, 3500)))
	_, err = c.Get(key(4))
	require.ErrorIs(t, err, cache.ErrNone)
	require.Len(t, files(t, dir), 3+len(foreign))

	small := open(t, dir, 1150)
	_, err = small.Get(key(2))
	require.NoError(t, err)
	require.NoError(t, small.Put(key(5), []byte("small")))
	require.Len(t, files(t, dir), 1+len(foreign))
	require.NoError(t, c.Put(key(6), make([]byte, 2000)))
	_, err = small.Get(key(6))
	require.ErrorIs(t, err, cache.ErrNone, "larger than this process' limit")
}

// If the directory of a cache is removed, Get must find nothing, and Put must create it again.
func TestRemovedDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "x")
	c := open(t, dir, 1<<20)
	require.NoError(t, os.RemoveAll(dir))
	_, err := c.Get(key(0))
	require.ErrorIs(t, err, cache.ErrNone)
	require.NoError(t, c.Put(key(0), []byte("x")))
	_, err = c.Get(key(0))
	require.NoError(t, err)
}

// Directories and entries that other users can change are errors of Open and Get, and so is a
// symbolic link in place of an entry.
func TestTrust(t *testing.T) {
	if os.PathSeparator == '\\' {
		t.Skip("files have no modes on Windows")
	}
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o777))
	_, err := cache.Open(dir, 1<<20)
	require.ErrorContains(t, err, "can be changed by other users")
	require.NoError(t, os.Chmod(dir, 0o700))
	c := open(t, dir, 1<<20)
	require.NoError(t, c.Put(key(0), []byte("x")))
	require.NoError(t, os.Chmod(filepath.Join(dir, files(t, dir)[0]), 0o666))
	_, err = c.Get(key(0))
	require.ErrorContains(t, err, "can be changed by other users")
	target := filepath.Join(t.TempDir(), "target")
	require.NoError(t, os.WriteFile(target, nil, 0o600))
	require.NoError(t, os.Symlink(target, filepath.Join(dir, key(1).File())))
	_, err = c.Get(key(1))
	require.ErrorContains(t, err, "it is no file")
	require.FileExists(t, target)
}

func TestOpenFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := cache.Open(file, 1<<20)
	require.ErrorContains(t, err, "not a directory")
	dir := t.TempDir()
	c := open(t, dir, 1<<20)
	require.NoError(t, os.Remove(dir))
	require.NoError(t, os.WriteFile(dir, nil, 0o600))
	require.ErrorContains(t, c.Put(key(0), nil), "not a directory")
}

const hammerVar = "EXECCACHE_TEST_HAMMER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(hammerVar); dir != "" {
		if err := hammer(dir); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// hammer puts, gets and removes entries of the cache in dir by several goroutines, while other
// processes do the same. It returns an error if Get finds an entry with another content than was
// put.
func hammer(dir string) error {
	var working sync.WaitGroup
	errs := make([]error, 4)
	for g := range errs {
		working.Go(func() {
			c, err := cache.Open(dir, 20_000)
			for i := 0; i < 30 && err == nil; i++ {
				k := (i*7 + g) % 30
				want := bytes.Repeat([]byte{byte(k)}, 1000+k)
				if err = c.Put(key(k), want); err != nil {
					break
				}
				var got []byte
				got, err = c.Get(key((k + 1) % 30))
				switch {
				case errors.Is(err, cache.ErrNone):
					err = nil
				case err == nil && !bytes.Equal(got, bytes.Repeat([]byte{byte((k + 1) % 30)}, 1000+(k+1)%30)):
					err = fmt.Errorf("entry %d is not what was put", (k+1)%30)
				}
				if i%10 == 9 {
					c.Remove(key(k))
				}
			}
			errs[g] = err
		})
	}
	working.Wait()
	return errors.Join(errs...)
}

// Several processes with several goroutines each use one directory. Get returns only complete
// entries, and in the end there are only entries within the limit.
func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	var running []*exec.Cmd
	var outs []*bytes.Buffer
	for range 3 {
		cmd, out := exec.Command(os.Args[0]), new(bytes.Buffer)
		cmd.Env = append(os.Environ(), hammerVar+"="+dir)
		cmd.Stdout, cmd.Stderr = out, out
		require.NoError(t, cmd.Start())
		running, outs = append(running, cmd), append(outs, out)
	}
	require.NoError(t, hammer(dir))
	for i, cmd := range running {
		require.NoError(t, cmd.Wait(), "%s", outs[i])
	}
	require.NoError(t, open(t, dir, 20_000).Put(key(99), nil))
	total := int64(0)
	for _, name := range files(t, dir) {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.True(t, strings.HasSuffix(name, ".executable"), name)
		total += info.Size()
	}
	require.LessOrEqual(t, total, int64(20_000))
}

// FuzzGet writes any bytes as an entry's file. Get must return an error, or content that Put has
// written.
func FuzzGet(f *testing.F) {
	dir := f.TempDir()
	c, err := cache.Open(dir, 1<<20)
	if err != nil {
		f.Fatal(err)
	}
	k := key(0)
	file := filepath.Join(dir, k.File())
	for _, content := range []string{"", "x", strings.Repeat("machine code", 100)} {
		if err := c.Put(k, []byte(content)); err != nil {
			f.Fatal(err)
		}
		good, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(good)
		f.Add(good[:len(good)/2])
	}
	f.Add([]byte("gospmd executable 1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		require.NoError(t, os.WriteFile(file, data, 0o600))
		got, err := c.Get(k)
		if err != nil {
			return
		}
		require.NoError(t, c.Put(k, got))
		written, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, data, written)
	})
}
