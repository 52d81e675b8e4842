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
)

// cacheLimit is the default of the bytes that all compiled programs take.
const cacheLimit = 1 << 30

// worthKeeping is how long the compilation of a program takes at least that is kept:
// several times what keeping it and loading it take.
var worthKeeping = 50 * time.Millisecond

// openCompilationCache opens the directory that the options or the environment name, or
// else the one of the user. A directory that cannot be used is a warning, and nil.
func (o Options) openCompilationCache() (*execcache.Cache, error) {
	dir := o.CompilationCache
	if dir == "" {
		dir = os.Getenv(cacheVar)
	}
	if dir == noCache {
		return nil, nil
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
	var c *execcache.Cache
	if err == nil {
		c, err = execcache.Open(dir, int64(limit))
	}
	if err != nil {
		warn(o.Warnings, fmt.Sprintf("gospmd: compiled programs are not kept: %v; set %s to a directory, or to %s", err, cacheVar, noCache))
	}
	return c, nil
}
