package cache_test

// This file tests a cache on a full disk and on a read-only one. Only root can mount them, and only
// on Linux.

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/cache"
	"github.com/gospmd/gospmd/internal/testing/needs"
)

// mount mounts a file system in memory (tmpfs) at dir. It skips the test if the process may not
// mount.
func mount(t *testing.T, dir string, flags uintptr, options string) {
	t.Helper()
	err := syscall.Mount("gospmd", dir, "tmpfs", flags, options)
	needs.Root(t, err)
	require.NoError(t, err)
}

func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	mount(t, dir, 0, "size=64k,mode=0700")
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, 0)) })
	c := open(t, dir, 1<<20)
	require.NoError(t, c.Put(key(0), make([]byte, 20_000)))
	require.ErrorIs(t, c.Put(key(1), make([]byte, 60_000)), syscall.ENOSPC)
	_, err := c.Get(key(1))
	require.ErrorIs(t, err, cache.ErrNone)
	_, err = c.Get(key(0))
	require.NoError(t, err)
	require.Len(t, files(t, dir), 1, "what was written of the other is removed")
}

// Get reads entries of a read-only disk. A damaged entry is an error each time, because it cannot
// be removed. Put, and Open of a new directory, fail with EROFS.
func TestReadOnlyDisk(t *testing.T) {
	dir := t.TempDir()
	mount(t, dir, 0, "size=64k,mode=0700")
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, 0)) })
	c := open(t, dir, 1<<20)
	for i := range 2 {
		require.NoError(t, c.Put(key(i), []byte(strings.Repeat("x", 100))))
	}
	require.NoError(t, os.Truncate(filepath.Join(dir, key(1).File()), 50))
	mount(t, dir, syscall.MS_REMOUNT|syscall.MS_RDONLY, "size=64k")
	got, err := open(t, dir, 1<<20).Get(key(0))
	require.NoError(t, err)
	require.Len(t, got, 100)
	for range 2 {
		_, err = c.Get(key(1))
		require.ErrorContains(t, err, "it has 50 bytes")
	}
	require.ErrorIs(t, c.Put(key(2), nil), syscall.EROFS)
	_, err = cache.Open(filepath.Join(dir, "new"), 1<<20)
	require.ErrorIs(t, err, syscall.EROFS)
}
