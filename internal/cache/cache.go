package cache

// This file defines Cache, and Disk, which keeps entries in a directory.

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

// ErrNone is the error of Get if there is no entry for the key.
var ErrNone = errors.New("no entry")

// Cache keeps results that took long to compute. Its methods may be called from several goroutines.
type Cache interface {
	// Get returns the content of an entry, which the caller must not change. The error is ErrNone
	// if there is no entry, or else says why the entry is not usable.
	Get(k Key) ([]byte, error)
	// Put stores content under k. The caller must not change content afterwards. Content that is
	// larger than the cache's limit is not stored, and no error.
	Put(k Key, content []byte) error
	// Remove removes an entry.
	Remove(k Key)
}

// WorthKeeping is the shortest computation whose result should be kept. It is several times as long
// as storing and loading a result. Only tests change it.
var WorthKeeping = 50 * time.Millisecond

// Disk is a directory of entries. limit is the largest size of all its files together, in bytes.
type Disk struct {
	dir   string
	limit int64
}

// Open returns the cache in a directory, which it creates if necessary. A directory that other
// users can change is an error. limit is the largest size of all files together, in bytes.
func Open(dir string, limit int64) (*Disk, error) {
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
	return &Disk{dir, limit}, nil
}

// Dir returns the directory.
func (c *Disk) Dir() string { return c.dir }

// file returns the path of the file of an entry.
func (c *Disk) file(k Key) string { return filepath.Join(c.dir, k.File()) }

// Get returns the content of an entry, and notes the time of this use. It returns ErrNone if there
// is no entry, or one that is larger than the limit. An entry that cannot be read, is damaged or
// can be changed by other users is another error, and is removed.
func (c *Disk) Get(k Key) ([]byte, error) {
	content, err := c.read(k)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrNone
	case err != nil:
		c.Remove(k)
		return nil, fmt.Errorf("%s is not used: %w", c.file(k), err)
	}
	now := time.Now()
	_ = os.Chtimes(c.file(k), now, now) // on an error the entry is evicted sooner
	return content, nil
}

func (c *Disk) read(k Key) ([]byte, error) {
	name := c.file(k)
	info, err := os.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("it is no file, its mode is %s", info.Mode())
	case info.Size() > c.limit:
		return nil, fs.ErrNotExist // it was stored with a larger limit: the next Put removes it
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

// Remove removes an entry. It does nothing if the directory is not writable.
func (c *Disk) Remove(k Key) { _ = os.Remove(c.file(k)) }

// Put stores content, unless it alone is larger than the limit. If all entries together are larger,
// it removes the least recently used ones.
func (c *Disk) Put(k Key, content []byte) error {
	if int64(k.headerSize()+len(content)) > c.limit {
		return nil
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil { // it may have been removed
		return err
	}
	if err := atomicfile.Write(c.file(k), func(f *os.File) error { return write(f, k, content) }); err != nil {
		return err
	}
	return c.evict(k)
}
