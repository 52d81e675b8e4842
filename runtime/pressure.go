//go:build cgo

package runtime

// This file tells the garbage collector of memory on devices, which it does not
// see: to it an array of any size is a few words.

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// leastPressure is how much device memory may be in use without a collection.
const leastPressure = 256 << 20

// deviceMemory counts the device memory of buffers that have not been freed. When
// it has doubled since the last collection, it runs one, as the collector does for
// the memory that it sees: buffers that nobody refers to are freed.
type deviceMemory struct {
	used  atomic.Int64
	limit atomic.Int64 // at which a collection is run; 0 is leastPressure
	mu    sync.Mutex   // held by the collection
}

// add counts the bytes of a new buffer.
func (m *deviceMemory) add(bytes int) {
	if m.used.Add(int64(bytes)) <= max(m.limit.Load(), leastPressure) {
		return
	}
	m.mu.Lock() // who comes meanwhile waits, so that no more is made
	defer m.mu.Unlock()
	if m.used.Load() > max(m.limit.Load(), leastPressure) {
		collect()
		m.limit.Store(2 * m.used.Load())
	}
}

// sub counts the bytes of a buffer that has been freed.
func (m *deviceMemory) sub(bytes int) { m.used.Add(-int64(bytes)) }

// collect runs the garbage collector and waits until it has freed what nobody
// refers to: cleanups run behind it.
func collect() {
	done := make(chan struct{})
	runtime.AddCleanup(new([16]int64), func(done chan struct{}) { close(done) }, done)
	runtime.GC()
	select {
	case <-done:
	case <-time.After(100 * time.Millisecond):
	}
	time.Sleep(time.Millisecond) // cleanups of one collection run side by side
}
