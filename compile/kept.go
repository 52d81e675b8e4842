package compile

// This file keeps Programs for later compilations of the same module.

import (
	"bytes"
	"fmt"
	"os"
	"time"

	"github.com/gospmd/gospmd/internal/build"
	"github.com/gospmd/gospmd/internal/cache"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/program"
)

// Kept finds the entry of the cache for m and these options. An earlier call may have put it there,
// in this process or in another one. kind is the kind of entry; more are inputs that it depends on
// besides m and the options. Nothing is kept without Options.Cache, or with Options.Debug or
// GOSPMD_DEBUG.
func (o Options) Kept(m *ir.Module, kind cache.Kind, more ...string) *Kept {
	k := &Kept{began: time.Now()}
	if o.Cache == nil || !o.Debug.IsZero() || os.Getenv(DebugVar) != "" || build.Code() == build.Unknown {
		return k
	}
	k.cache = o.Cache
	parts := [][]byte{[]byte(build.Code()), m.Text(ir.PrintOptions{Locations: true}), unprinted(m), []byte(o.identity())}
	for _, text := range more {
		parts = append(parts, []byte(text))
	}
	k.key = kind.KeyOf(parts...)
	return k
}

// Kept is an entry of the compilation cache, which may be there.
type Kept struct {
	cache cache.Cache // nil: nothing is kept
	key   cache.Key
	began time.Time
}

// Get reports whether there is an entry that read can read. It removes an entry that read cannot
// read.
func (k *Kept) Get(read func(content []byte) error) bool {
	if k.cache == nil {
		return false
	}
	content, err := k.cache.Get(k.key)
	if err == nil {
		if err = read(content); err != nil {
			k.cache.Remove(k.key)
		}
	}
	return err == nil
}

// Put keeps the bytes that write writes, if long enough has passed since Options.Kept was called.
func (k *Kept) Put(write func(*bytes.Buffer) error) {
	if k.cache == nil || time.Since(k.began) < cache.WorthKeeping {
		return
	}
	var content bytes.Buffer
	if write(&content) == nil {
		_ = k.cache.Put(k.key, content.Bytes()) // what is not kept is made again
	}
}

// identity has all options on which a Program depends. Compile holds it to the budget each time.
func (o Options) identity() string {
	return fmt.Sprintf("partitioner %d, sharded update %t, keep layouts %t, platform %q, memory limit %d, machine %s",
		o.Partitioner, o.ShardedUpdate, o.KeepLayouts, o.Platform, o.MemoryLimit, o.machine().Identity())
}

// unprinted returns the parts of m that its text lacks: positions in the source text, which
// messages name, and the names of values except parameters.
func unprinted(m *ir.Module) []byte {
	var b bytes.Buffer
	for _, f := range m.Funcs {
		b.WriteString(f.Pos.String())
		i := 0
		f.Walk(func(op *ir.Op) {
			i++
			if op.Pos != (ir.Position{}) {
				fmt.Fprintf(&b, "\n%d %s", i, op.Pos)
			}
			for _, v := range op.Results {
				if v.Name != "" {
					fmt.Fprintf(&b, "\n%d %q", i, v.Name)
				}
			}
		})
	}
	return b.Bytes()
}

// keptProgram returns the Program that was kept, or keeps the one that compiled returns.
func keptProgram(k *Kept, compiled func() (*program.Program, error)) (p *program.Program, err error) {
	found := k.Get(func(content []byte) (err error) {
		p, err = program.Read(bytes.NewReader(content), int64(len(content)))
		return err
	})
	if found {
		return p, nil
	}
	if p, err = compiled(); err != nil {
		return nil, err
	}
	k.Put(func(b *bytes.Buffer) error { return p.Write(b) })
	return p, nil
}
