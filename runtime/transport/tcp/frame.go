package tcp

// This file defines frames, the units that the streams carry, and their encoding.

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"

	"google.golang.org/grpc/mem"
)

// buffers are the byte buffers that gRPC sends and receives.
type buffers = mem.BufferSlice

// frameKind is the kind of a frame. It determines the meaning of the numbers in its header.
type frameKind byte

const (
	frameEager    frameKind = iota + 1 // a whole message: tag, length
	frameAnnounce                      // a message waits for a grant: tag, length, id
	// the receiver is ready: tag, length, id; the id is 0 if the message was not announced yet
	frameGrant
	frameData   // part of a message: id, offset
	frameCredit // the receiver has taken eager messages: their bytes
	frameFail   // the sender gives up: its reason
)

// header is the size of a frame without its data, in bytes: the kind and three numbers.
const header = 1 + 3*8

// frame is one message of a stream, read or to be written. a, b and c are the numbers of its
// header, in the order that the constants of frameKind list.
type frame struct {
	kind    frameKind
	a, b, c uint64
	data    []byte          // of a frame to send
	send    *send           // the message that this frame completes; may be nil
	arrived mem.BufferSlice // header and data of a received frame
}

// free releases the memory of a received frame.
func (f *frame) free() { f.arrived.Free() }

// bytes returns the size of a received frame's data.
func (f *frame) bytes() int { return f.arrived.Len() - header }

// copyTo copies the data of a received frame to dst.
func (f *frame) copyTo(dst []byte) {
	skip := header
	for _, b := range f.arrived {
		data := b.ReadOnlyData()
		if skip >= len(data) {
			skip -= len(data)
			continue
		}
		dst = dst[copy(dst, data[skip:]):]
		skip = 0
	}
}

// text returns the data of a received frame as a string: at most its first maxReason bytes, and ?
// in place of bytes that are no UTF-8.
func (f *frame) text() string {
	data := make([]byte, min(f.bytes(), maxReason))
	f.copyTo(data)
	return strings.ToValidUTF8(string(data), "?")
}

// encode returns the frame in gRPC's buffers. It copies the data, so that the caller may change the
// data at once.
func (f *frame) encode() buffers {
	buf := pool.Get(header + len(f.data))
	b := *buf
	b[0] = byte(f.kind)
	binary.LittleEndian.PutUint64(b[1:], f.a)
	binary.LittleEndian.PutUint64(b[9:], f.b)
	binary.LittleEndian.PutUint64(b[17:], f.c)
	copy(b[header:], f.data)
	return buffers{mem.NewBuffer(buf, pool)}
}

// codec is gRPC's codec for frames. It passes bytes on as they are, because frames are encoded
// already.
type codec struct{}

func (codec) Name() string { return "gospmd-frame" }

func (codec) Marshal(v any) (mem.BufferSlice, error) {
	data, ok := v.(buffers)
	if !ok {
		return nil, fmt.Errorf("BUG: tcp sends a %T", v)
	}
	return data, nil
}

func (codec) Unmarshal(data mem.BufferSlice, v any) error {
	f, ok := v.(*frame)
	if !ok {
		return fmt.Errorf("BUG: tcp receives a %T", v)
	}
	if data.Len() < header {
		return fmt.Errorf("a frame has %d bytes, want at least %d", data.Len(), header)
	}
	var h [header]byte
	head := h[:]
	for _, b := range data {
		if head = head[copy(head, b.ReadOnlyData()):]; len(head) == 0 {
			break
		}
	}
	data.Ref()
	*f = frame{kind: frameKind(h[0]), arrived: data,
		a: binary.LittleEndian.Uint64(h[1:]), b: binary.LittleEndian.Uint64(h[9:]), c: binary.LittleEndian.Uint64(h[17:])}
	return nil
}

// pool holds the memory of frames and of gRPC's reads from its sockets.
var pool = &framePool{}

// framePool implements mem.BufferPool. Unlike gRPC's own it does not clear memory.
type framePool [len(frameSizes)]sync.Pool

// frameSizes are the sizes in bytes of short frames, of HTTP/2's frames and of full frames.
var frameSizes = [...]int{4 << 10, 16 << 10, header + chunk}

func (p *framePool) Get(n int) *[]byte {
	for i, size := range frameSizes {
		if n > size {
			continue
		}
		if buf, ok := p[i].Get().(*[]byte); ok {
			*buf = (*buf)[:n]
			return buf
		}
		buf := make([]byte, n, size)
		return &buf
	}
	buf := make([]byte, n)
	return &buf
}

func (p *framePool) Put(buf *[]byte) {
	if i := slices.Index(frameSizes[:], cap(*buf)); i >= 0 {
		p[i].Put(buf)
	}
}
