package runtime

// This file opens the compilation cache, which keeps compiled programs from one start to the next.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/gospmd/gospmd/internal/cache"
	"github.com/gospmd/gospmd/internal/texttable"
)

const (
	cacheVar      = "GOSPMD_COMPILATION_CACHE"
	cacheLimitVar = "GOSPMD_COMPILATION_CACHE_LIMIT"
	noCache       = "off"
	memoryCache   = "memory"
)

// inMemory is the cache that clients with memoryCache share.
var inMemory cache.Cache = cache.NewMemory(cacheLimit)

// cacheLimit is the default limit of the bytes in the cache.
const cacheLimit = 1 << 30

// CompilationCache returns the client's compilation cache, nil if it has none. Package compile
// keeps its programs in the cache that compile.Options.Cache names.
func (c *Client) CompilationCache() cache.Cache {
	if c.kept == nil {
		return nil
	}
	return c.kept
}

// compilationCache is a cache that logs its errors as warnings.
type compilationCache struct {
	entries cache.Cache
	warn    func(text string)
	full    atomic.Bool // a Put has failed: nothing more is kept
}

// Get returns the content of an entry. If there is none, or it cannot be read, the error is
// cache.ErrNone; it warns of one that cannot be read.
func (c *compilationCache) Get(k cache.Key) ([]byte, error) {
	content, err := c.entries.Get(k)
	if err != nil && !errors.Is(err, cache.ErrNone) {
		c.passOver(err)
		err = cache.ErrNone
	}
	return content, err
}

// passOver warns of an entry of the cache that is not used, and why.
func (c *compilationCache) passOver(why error) {
	c.warn(fmt.Sprintf("gospmd: a program is compiled again, what was kept of it is passed over: %v", why))
}

// Put stores content under k. It returns the first error, and warns of it; afterwards it stores
// nothing more and returns nil.
func (c *compilationCache) Put(k cache.Key, content []byte) error {
	if c.full.Load() {
		return nil
	}
	err := c.entries.Put(k, content)
	if err != nil {
		c.giveUp(err)
	}
	return err
}

// giveUp stops Put from storing anything, and warns of that with the reason why, once.
func (c *compilationCache) giveUp(why error) {
	if !c.full.Swap(true) {
		c.warn(fmt.Sprintf("gospmd: compiled programs are not kept: %v; %s=%s says so without this line", why, cacheVar, noCache))
	}
}

// Remove removes an entry.
func (c *compilationCache) Remove(k cache.Key) { c.entries.Remove(k) }

// openCompilationCache opens the cache directory that the options or the environment name, or the
// user's. "memory" is a cache in memory, and "off" none (nil). If the directory cannot be used, it
// logs a warning and returns nil. A limit of the size that cannot be read is an error.
func (o Options) openCompilationCache() (*compilationCache, error) {
	say := func(text string) { warn(o.Logger, text) }
	dir := o.CompilationCache
	if dir == "" {
		dir = os.Getenv(cacheVar)
	}
	switch dir {
	case noCache:
		return nil, nil
	case memoryCache:
		return &compilationCache{entries: inMemory, warn: say}, nil
	}
	limit := cacheLimit
	if text := os.Getenv(cacheLimitVar); text != "" {
		var err error
		if limit, err = texttable.ParseBytes(text); err != nil {
			return nil, fmt.Errorf("%s: %w", cacheLimitVar, err)
		}
	}
	var err error
	if dir == "" {
		dir, err = os.UserCacheDir()
		dir = filepath.Join(dir, "gospmd", "executables")
	}
	if err == nil {
		var c *cache.Disk
		if c, err = cache.Open(dir, int64(limit)); err == nil {
			return &compilationCache{entries: c, warn: say}, nil
		}
	}
	say(fmt.Sprintf("gospmd: compiled programs are not kept: %v; set %s to a directory, or to %s", err, cacheVar, noCache))
	return nil, nil
}
