package hdf5

// This file defines cursor, which reads fields and never past the end.

import (
	"bytes"
	"fmt"
)

// cursor reads the fields of one block of a file in turn. After the first
// fault it keeps the error and gives zeros, so that a parser checks err once,
// before it relies on what it read.
type cursor struct {
	data []byte
	pos  int
	off  int64  // of data in the file
	what string // for messages: B-tree node, object header of "layers"
	err  error
}

// fail keeps the first fault.
func (c *cursor) fail(format string, args ...any) {
	if c.err == nil {
		c.err = damaged(c.off+int64(c.pos), c.what, format, args...)
	}
}

// damaged returns the error of a fault in the file.
func damaged(off int64, what, format string, args ...any) error {
	return fmt.Errorf("%s at byte %d: %s", what, off, fmt.Sprintf(format, args...))
}

// left returns the number of bytes not read yet, 0 after a fault.
func (c *cursor) left() int {
	if c.err != nil {
		return 0
	}
	return len(c.data) - c.pos
}

// bytes returns the next n bytes, nil after a fault.
func (c *cursor) bytes(n int) []byte {
	if c.err != nil {
		return nil
	}
	if n < 0 || n > len(c.data)-c.pos {
		c.fail("it ends after %d bytes, a field needs %d more", len(c.data), n-(len(c.data)-c.pos))
		return nil
	}
	b := c.data[c.pos : c.pos+n]
	c.pos += n
	return b
}

func (c *cursor) skip(n int) { c.bytes(n) }

// uint returns a little-endian number of n bytes, at most 8.
func (c *cursor) uint(n int) uint64 {
	var v uint64
	for i, b := range c.bytes(n) {
		v |= uint64(b) << (8 * i)
	}
	return v
}

func (c *cursor) u8() byte    { return byte(c.uint(1)) }
func (c *cursor) u16() uint16 { return uint16(c.uint(2)) }
func (c *cursor) u32() uint32 { return uint32(c.uint(4)) }
func (c *cursor) u64() uint64 { return c.uint(8) }

// text returns the bytes up to a zero, and passes that.
func (c *cursor) text() string {
	if c.err != nil {
		return ""
	}
	n := bytes.IndexByte(c.data[c.pos:], 0)
	if n < 0 {
		c.fail("a name has no end")
		return ""
	}
	s := string(c.data[c.pos : c.pos+n])
	c.pos += n + 1
	return s
}

// magic wants the next bytes to be the signature s.
func (c *cursor) magic(s string) {
	at := c.pos
	if got := c.bytes(len(s)); c.err == nil && string(got) != s {
		c.pos = at
		c.fail("found %q where %q should stand", got, s)
	}
}

// part returns a cursor over the next n bytes, which are passed.
func (c *cursor) part(n int, what string) *cursor {
	off := c.off + int64(c.pos)
	p := &cursor{data: c.bytes(n), off: off, what: what, err: c.err}
	return p
}
