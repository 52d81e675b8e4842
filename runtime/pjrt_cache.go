//go:build cgo

package runtime

// This file keeps what XLA has compiled for the next start.

import (
	"fmt"
	"strings"
	"time"

	"github.com/gospmd/gospmd/internal/cache"
	"github.com/gospmd/gospmd/runtime/pjrtapi"
)

// executableCache loads executables from the compilation cache, and stores new ones in it. A nil
// *executableCache does neither.
type executableCache struct {
	kept     *compilationCache
	compiler []byte // the plugin, the processor and the environment, for the keys
	devices  []byte // the kinds of the devices, for the keys
}

// newExecutableCache returns a cache in kept of the executables of c, a client of the plugin p. It
// is nil if kept is nil, if XLA must compile each time (dumps), or, with a warning, if the plugin's
// file cannot be read.
func newExecutableCache(kept *compilationCache, p *pjrtapi.Plugin, c *pjrtapi.Client) *executableCache {
	environment := compilerEnvironment()
	if kept == nil || dumps(environment) {
		return nil
	}
	file, err := fileIdentity(p.Path())
	if err != nil {
		kept.giveUp(err)
		return nil
	}
	major, minor := p.Version()
	compiler := append([]string{file, fmt.Sprintf("PJRT %d.%d", major, minor), c.Platform(), c.PlatformVersion(), processor()}, environment...)
	return &executableCache{kept, []byte(strings.Join(compiler, "\x00")), []byte(strings.Join(deviceKinds(c), "\x00"))}
}

// compile loads the program of call from the cache and returns true. If it is not there, compile
// compiles it, stores it if the compilation took long, and returns false. Errors of XLA stay in
// call. A nil c does nothing and returns false.
func (c *executableCache) compile(call *pjrtapi.Compilation) (cached bool) {
	if c == nil {
		return false
	}
	key := cache.Executable.KeyOf(plainText(call.Program()), call.Options(), c.compiler, c.devices)
	if c.load(call, key) {
		return true
	}
	start := time.Now()
	if call.Compile() && time.Since(start) >= cache.WorthKeeping && !c.kept.full.Load() {
		c.keep(call, key)
	}
	return false
}

// load loads the program of call from the cache. It returns false if there is no entry for key, or
// if XLA does not load it: then it removes the entry, with a warning.
func (c *executableCache) load(call *pjrtapi.Compilation, key cache.Key) bool {
	data, err := c.kept.Get(key)
	if err != nil {
		return false
	}
	if err := call.Load(data); err != nil {
		c.kept.Remove(key)
		c.kept.passOver(fmt.Errorf("XLA does not load it: %w", err))
		return false
	}
	return true
}

func (c *executableCache) keep(call *pjrtapi.Compilation, key cache.Key) {
	data, err := call.Serialize()
	if err != nil {
		c.kept.giveUp(fmt.Errorf("the plugin does not serialize them: %w", err))
		return
	}
	_ = c.kept.Put(key, data) // Put logs its error
}
