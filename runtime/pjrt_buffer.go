//go:build cgo

package runtime

// This file implements DriverBuffer on PJRT. A buffer that nobody frees is freed by
// the garbage collector.

import (
	"runtime"

	"github.com/gomlx/go-xla/pjrt"
)

// pjrtBuffer implements DriverBuffer by a buffer of a PJRT plugin.
type pjrtBuffer struct {
	ownedBuffer
	cleanup runtime.Cleanup
	donated bool // donated to an execution, and freed
	shared  bool // the memory is shared with other buffers
	onHost  bool // in the memory of the host, from which the device copies it
}

// ownedBuffer holds what is freed: a buffer of the plugin, and the number of its bytes.
type ownedBuffer struct {
	client *pjrtClient
	b      *pjrt.Buffer
	bytes  int
}

// own returns the DriverBuffer of b, a buffer of the plugin that takes so many bytes. It uses the
// client until it is freed, by Free or the garbage collector.
func (c *pjrtClient) own(b *pjrt.Buffer, bytes int) *pjrtBuffer {
	c.hold()
	out := &pjrtBuffer{ownedBuffer: ownedBuffer{c, b, bytes}}
	out.cleanup = runtime.AddCleanup(out, ownedBuffer.free, out.ownedBuffer)
	c.memory.add(bytes)
	return out
}

func (b *pjrtBuffer) Read(dst []byte) error {
	return guard(func() error { return b.b.ToHost(dst) })
}

func (b *pjrtBuffer) Free() {
	if b.donated {
		return // donated to an execution that failed
	}
	b.cleanup.Stop()
	b.free()
}

// give ends the buffer's use of the client when it was donated to an execution. go-xla has
// destroyed the buffer with the execution, unless it is shared: then give destroys it.
func (b *pjrtBuffer) give() {
	b.donated = true
	b.cleanup.Stop()
	if b.shared {
		b.free()
	} else {
		b.release()
	}
}

func (b ownedBuffer) free() {
	b.b.Destroy()
	b.release()
}

func (b ownedBuffer) release() {
	b.client.memory.sub(b.bytes)
	b.client.drop()
}
