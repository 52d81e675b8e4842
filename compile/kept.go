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

// Kept returns the cache entry for m and these options. It is empty unless an earlier call, of this
// process or another one, has filled it. kind is the kind of entry, and more holds inputs, besides
// m and the options, that the entry depends on. Without Options.Cache, with Options.Debug or
// GOSPMD_DEBUG, and in a binary whose code has no known version, nothing is kept.
func (o Options) Kept(m *ir.Module, kind cache.Kind, more ...string) *Kept {
	k := &Kept{began: time.Now()}
	if o.Cache == nil || !o.Debug.IsZero() || os.Getenv(DebugVar) != "" || build.Code() == build.Unknown {
		return k
	}
	k.cache = o.Cache
	parts := [][]byte{[]byte(build.Code()), m.Text(ir.PrintOptions{Locations: true}), unprintedParts(m), []byte(o.identity())}
	for _, text := range more {
		parts = append(parts, []byte(text))
	}
	k.key = kind.KeyOf(parts...)
	return k
}

// Kept is a possibly empty entry of the compilation cache.
type Kept struct {
	cache cache.Cache // nil: nothing is kept
	key   cache.Key
	began time.Time
}

// Get calls read with the content of the entry, and reports whether read succeeded. It returns
// false if the entry is empty or cannot be read from the cache. If read fails, it removes the
// entry.
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

// Put stores the bytes that write writes in the entry. It does not if making them took little time
// since Options.Kept (cache.WorthKeeping). Errors of write and of the cache are ignored.
func (k *Kept) Put(write func(*bytes.Buffer) error) {
	if k.cache == nil || time.Since(k.began) < cache.WorthKeeping {
		return
	}
	var content bytes.Buffer
	if write(&content) == nil {
		_ = k.cache.Put(k.key, content.Bytes()) // if it fails, the content is computed again
	}
}

// identity returns a text with all options that a Program depends on: equal texts mean equal
// Programs. The budget is not among them: Compile checks it each time.
func (o Options) identity() string {
	return fmt.Sprintf("partitioner %d, sharded update %t, fully sharded %t, offload optimizer %t, reduce dtype %s, keep layouts %t, platform %q, memory limit %d, keep placement %t, micro-batches %d, memory policies %q, machine %s",
		o.Partitioner, o.ShardedUpdate, o.FullySharded, o.OffloadOptimizer, o.ReduceDType, o.KeepLayouts, o.Platform, o.MemoryLimit, o.KeepPlacement, o.MicroBatches, o.MemoryPolicies.String(), o.machine().Identity())
}

// unprintedParts returns the parts of m that its text does not have: positions in the source text,
// which messages name, and the names of values other than parameters.
func unprintedParts(m *ir.Module) []byte {
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

// keptProgram returns the Program in the cache entry k. If there is none, or it cannot be read, it
// returns what compiled makes, and stores that in the entry. Its only errors are those of compiled.
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
