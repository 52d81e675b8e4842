//go:build cgo

package runtime

// This file bounds the memory of arrays that are not released. The garbage collector frees
// them, but it does not see memory on devices: to it an array of any size is a few words.

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// leastPressure is the device memory, in bytes, that may always be in use without a garbage
// collection.
const leastPressure = 256 << 20

// deviceMemory counts the device memory of buffers that have not been freed. When this memory has
// doubled since the last garbage collection, it starts a collection, as Go's collector does for the
// memory that it sees. Making a buffer never waits for a collection; admit does.
type deviceMemory struct {
	explicit int64        // Options.MemoryLimit
	used     atomic.Int64 // bytes of buffers that have not been freed
	made     atomic.Int64 // bytes of all buffers ever made
	left     atomic.Int64 // bytes that the last collection has left
	asked    atomic.Bool  // whether a collection was asked for that has not ended
}

// softLimit returns the bytes that may be in use without a collection: twice those that the last
// one has left, but at least leastPressure, and at most Options.MemoryLimit.
func (m *deviceMemory) softLimit() int64 {
	soft := max(2*m.left.Load(), leastPressure)
	if m.explicit > 0 {
		soft = min(soft, m.explicit)
	}
	return soft
}

// hardLimit returns the bytes that may be in use before work waits: Options.MemoryLimit, or twice
// the soft limit without one.
func (m *deviceMemory) hardLimit() int64 {
	if m.explicit > 0 {
		return m.explicit
	}
	return 2 * m.softLimit()
}

// add counts the bytes of a new buffer. Above the soft limit it collects garbage in the background.
func (m *deviceMemory) add(bytes int) {
	m.made.Add(int64(bytes))
	if m.used.Add(int64(bytes)) > m.softLimit() && m.asked.CompareAndSwap(false, true) {
		go func() {
			m.collect()
			m.asked.Store(false)
		}()
	}
}

// sub counts the bytes of a buffer that has been freed.
func (m *deviceMemory) sub(bytes int) { m.used.Add(-int64(bytes)) }

// collect waits for a garbage collection, and sets left. Buffers that are made during the
// collection do not count.
func (m *deviceMemory) collect() {
	before := m.made.Load()
	<-requestCollection()
	m.left.Store(max(0, m.used.Load()-(m.made.Load()-before)))
}

// admit lets new work begin. While too much memory is in use, it first calls settle, which waits
// until executions in flight give back what they hold, and waits for collections. The caller holds
// no locks. If too much memory is still in use, admit returns an error only if the user has set a
// limit.
func (m *deviceMemory) admit(settle func()) error {
	for range 2 { // the first collection may have begun before the last arrays were dropped
		if m.used.Load() <= m.hardLimit() {
			return nil
		}
		settle()
		m.collect()
	}
	if used := m.used.Load(); m.explicit > 0 && used > m.explicit {
		return fmt.Errorf("arrays take %d bytes, and Options.MemoryLimit is %d: release arrays that are not needed, or raise the limit", used, m.explicit)
	}
	return nil
}

// collection is the garbage collection in progress. There is at most one in this process.
var collection struct {
	sync.Mutex
	ended chan struct{} // nil while none runs
}

// requestCollection starts a garbage collection, unless one is in progress. ended is closed at its
// end.
func requestCollection() (ended <-chan struct{}) {
	collection.Lock()
	defer collection.Unlock()
	if collection.ended == nil {
		collection.ended = make(chan struct{})
		go func() {
			collect()
			collection.Lock()
			defer collection.Unlock()
			close(collection.ended)
			collection.ended = nil
		}()
	}
	return collection.ended
}

// collect runs the garbage collector, and waits until the cleanups of unreachable objects have run,
// but at most about a second.
func collect() {
	done := make(chan struct{})
	runtime.AddCleanup(new([16]int64), func(done chan struct{}) { close(done) }, done)
	runtime.GC()
	select {
	case <-done:
	case <-time.After(time.Second):
	}
	time.Sleep(time.Millisecond) // cleanups of one collection run side by side
}

// admit implements admitter: it lets new work begin once the client's memory of arrays allows that
// (deviceMemory.admit).
func (d *pjrtDriver) admit(settle func()) error { return d.client.memory.admit(settle) }
