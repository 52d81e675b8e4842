package execcache

// This file defines Cache, which keeps entries in a directory.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gospmd/gospmd/internal/atomicfile"
	"github.com/gospmd/gospmd/internal/trusted"
)

// ErrNone is the error of Get for a key that there is no entry of.
var ErrNone = errors.New("no entry")

// Cache is a directory of entries. Its methods may be called from several goroutines.
type Cache struct {
	dir   string
	limit int64
}

// Open returns the cache in a directory, which is made if it is not there and must be one
// that no other user can change. limit bounds the bytes of its files.
func Open(dir string, limit int64) (*Cache, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if err := trusted.Check(dir, info); err != nil {
		return nil, err
	}
	return &Cache{dir, limit}, nil
}

// Dir returns the directory.
func (c *Cache) Dir() string { return c.dir }

// file returns the name of the file of an entry.
func (c *Cache) file(k Key) string { return filepath.Join(c.dir, k.String()+suffix) }

// Get returns the content of an entry, ErrNone if there is none, and another error if it
// cannot be read, or is not what was put; it is removed then.
func (c *Cache) Get(k Key) ([]byte, error) {
	content, err := c.read(k)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrNone
	case err != nil:
		c.Remove(k)
		return nil, fmt.Errorf("%s is not used: %w", c.file(k), err)
	}
	now := time.Now()
	_ = os.Chtimes(c.file(k), now, now) // where that is not allowed, it is removed sooner
	return content, nil
}

func (c *Cache) read(k Key) ([]byte, error) {
	name := c.file(k)
	info, err := os.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("it is no file, its mode is %s", info.Mode())
	case info.Size() > c.limit:
		return nil, fs.ErrNotExist // kept under another limit: the next Put removes it
	}
	if err := trusted.Check(name, info); err != nil {
		return nil, err
	}
	file, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return parse(k, file)
}

// Remove removes an entry, if it can: a directory that cannot be written keeps it.
func (c *Cache) Remove(k Key) { _ = os.Remove(c.file(k)) }

// Put keeps content, unless it alone is larger than the limit, and removes what was not used
// for longest if all is larger.
func (c *Cache) Put(k Key, content []byte) error {
	if int64(headerSize+len(content)) > c.limit {
		return nil
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil { // somebody has removed it
		return err
	}
	if err := atomicfile.Write(c.file(k), func(f *os.File) error { return write(f, k, content) }); err != nil {
		return err
	}
	return c.evict(k)
}
