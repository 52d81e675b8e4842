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

// executableCache loads programs that were compiled before, and keeps those that are. A
// nil one does neither.
type executableCache struct {
	kept     *compilationCache
	compiler []byte // the plugin, the processor and the environment, for the keys
	devices  []byte // their kinds
}

// newExecutableCache returns what keeps the executables of a client in kept; nil where kept
// is nil, or XLA must compile.
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

// compile loads the program if it was compiled before, and reports that; else it is
// compiled, and kept if that took long.
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

// load reports whether it has loaded a program that was kept.
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
	_ = c.kept.Put(key, data) // it warns
}
