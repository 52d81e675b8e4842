//go:build cgo

package runtime

// This file keeps what XLA has compiled for the next start.

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gospmd/gospmd/runtime/execcache"
	"github.com/gospmd/gospmd/runtime/pjrtapi"
)

// compilationCache loads programs that were compiled before, and keeps those that are. A
// nil one does neither.
type compilationCache struct {
	files    executables
	compiler []byte // the plugin, the processor and the environment, for the keys
	devices  []byte // their kinds
	minimum  time.Duration
	warn     func(text string)
	full     atomic.Bool // nothing more is kept: it could not be
}

// newCompilationCache returns what keeps the programs of a client in files; nil where files
// is nil, or XLA must compile.
func newCompilationCache(files executables, p *pjrtapi.Plugin, c *pjrtapi.Client, o Options) *compilationCache {
	environment := compilerEnvironment()
	if files == nil || dumps(environment) {
		return nil
	}
	say := func(text string) { warn(o.Logger, "gospmd: "+text) }
	file, err := fileIdentity(p.Path())
	if err != nil {
		say(fmt.Sprintf("compiled programs are not kept: %v", err))
		return nil
	}
	major, minor := p.Version()
	compiler := append([]string{file, fmt.Sprintf("PJRT %d.%d", major, minor), c.Platform(), c.PlatformVersion(), processor()}, environment...)
	return &compilationCache{
		files: files, compiler: []byte(strings.Join(compiler, "\x00")), devices: []byte(strings.Join(deviceKinds(c), "\x00")), minimum: worthKeeping, warn: say,
	}
}

// compile loads the program if it was compiled before, and reports that; else it is
// compiled, and kept if that took long.
func (c *compilationCache) compile(call *pjrtapi.Compilation) (cached bool) {
	if c == nil {
		return false
	}
	key := execcache.KeyOf(plainText(call.Program()), call.Options(), c.compiler, c.devices)
	if c.load(call, key) {
		return true
	}
	start := time.Now()
	if call.Compile() && time.Since(start) >= c.minimum && !c.full.Load() {
		if err := c.keep(call, key); err != nil {
			c.full.Store(true)
			c.warn(fmt.Sprintf("compiled programs are not kept: %v; %s=%s says so without this line", err, cacheVar, noCache))
		}
	}
	return false
}

// load reports whether it has loaded a program that was kept.
func (c *compilationCache) load(call *pjrtapi.Compilation, key execcache.Key) bool {
	data, err := c.files.Get(key)
	if errors.Is(err, execcache.ErrNone) {
		return false
	}
	if err == nil {
		if err = call.Load(data); err == nil {
			return true
		}
		c.files.Remove(key)
		err = fmt.Errorf("XLA does not load it: %w", err)
	}
	c.warn(fmt.Sprintf("a program is compiled again, what was kept of it is passed over: %v", err))
	return false
}

func (c *compilationCache) keep(call *pjrtapi.Compilation, key execcache.Key) error {
	data, err := call.Serialize()
	if err != nil {
		return fmt.Errorf("the plugin does not serialize them: %w", err)
	}
	return c.files.Put(key, data)
}
