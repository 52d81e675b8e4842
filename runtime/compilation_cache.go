package runtime

// This file reads where compiled programs are kept from one start to the next.

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gospmd/gospmd/internal/texttable"
	"github.com/gospmd/gospmd/runtime/execcache"
)

const (
	cacheVar      = "GOSPMD_COMPILATION_CACHE"
	cacheLimitVar = "GOSPMD_COMPILATION_CACHE_LIMIT"
	noCache       = "off"
	memoryCache   = "memory"
)

// executables keeps compiled programs: in the files of an execcache.Cache, or in the
// process' memory.
type executables interface {
	Get(execcache.Key) ([]byte, error)
	Put(execcache.Key, []byte) error
	Remove(execcache.Key)
}

// inMemory is what clients with memoryCache share.
var inMemory executables = execcache.NewMemory(cacheLimit)

// cacheLimit is the default of the bytes that all compiled programs take.
const cacheLimit = 1 << 30

// worthKeeping is how long the compilation of a program takes at least that is kept:
// several times what keeping it and loading it take.
var worthKeeping = 50 * time.Millisecond

// openCompilationCache opens the directory that the options or the environment name, or else the
// user's. They may also ask for a cache in memory, or for none. A directory that cannot be used
// is a warning, and nil.
func (o Options) openCompilationCache() (executables, error) {
	dir := o.CompilationCache
	if dir == "" {
		dir = os.Getenv(cacheVar)
	}
	switch dir {
	case noCache:
		return nil, nil
	case memoryCache:
		return inMemory, nil
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
		var c *execcache.Cache
		if c, err = execcache.Open(dir, int64(limit)); err == nil {
			return c, nil
		}
	}
	warn(o.Logger, fmt.Sprintf("gospmd: compiled programs are not kept: %v; set %s to a directory, or to %s", err, cacheVar, noCache))
	return nil, nil
}
