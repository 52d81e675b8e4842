package runtime

// This file opens what keeps compiled programs from one start to the next.

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

// cacheLimit is the default of the bytes that all that is kept takes.
const cacheLimit = 1 << 30

// CompilationCache returns where the client keeps what was compiled, nil for nowhere. Package
// compile keeps its programs there if Options.Cache is it.
func (c *Client) CompilationCache() cache.Cache {
	if c.kept == nil {
		return nil
	}
	return c.kept
}

// compilationCache is a cache that says what is wrong with it in warnings.
type compilationCache struct {
	entries cache.Cache
	warn    func(text string)
	full    atomic.Bool // nothing more is kept: it could not be
}

// Get returns the content of an entry; all errors are cache.ErrNone.
func (c *compilationCache) Get(k cache.Key) ([]byte, error) {
	content, err := c.entries.Get(k)
	if err != nil && !errors.Is(err, cache.ErrNone) {
		c.passOver(err)
		err = cache.ErrNone
	}
	return content, err
}

// passOver warns of an entry that is not used.
func (c *compilationCache) passOver(why error) {
	c.warn(fmt.Sprintf("gospmd: a program is compiled again, what was kept of it is passed over: %v", why))
}

// Put keeps content, if it can.
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

// giveUp warns that nothing more is kept.
func (c *compilationCache) giveUp(why error) {
	if !c.full.Swap(true) {
		c.warn(fmt.Sprintf("gospmd: compiled programs are not kept: %v; %s=%s says so without this line", why, cacheVar, noCache))
	}
}

// Remove removes an entry.
func (c *compilationCache) Remove(k cache.Key) { c.entries.Remove(k) }

// openCompilationCache opens the directory that the options or the environment name, or else the
// user's. They may also ask for a cache in memory, or for none. A directory that cannot be used
// is a warning, and nil.
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
