package hdf5

// This file opens files: the superblock (section II.A), and cursors, which read fields, but never
// beyond the end.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/gospmd/gospmd/internal/budget"
)

// undefined is the address of a missing object.
const undefined = ^uint64(0)

const signature = "\x89HDF\r\n\x1a\n"

// ErrNotHDF5 is the error of a file with another format.
var ErrNotHDF5 = errors.New("not an HDF5 file")

// File is an open file. All methods, those of its groups and datasets too, may
// be called from several goroutines.
type File struct {
	r      io.ReaderAt
	base   int64 // the offset that addresses count from
	size   int64 // the size of the file from base
	root   *Group
	closer io.Closer
	budget *budget.Budget // the memory that reading may take

	// objects by their addresses in the file; nil for an object that is being read
	objects map[uint64]*object
	heapMu  sync.Mutex
	heaps   map[uint64]map[uint16][]byte // global heap collections by address
}

// Open opens the HDF5 file of that name and reads its structure. The caller closes the File. A file
// of another format is an ErrNotHDF5.
func Open(name string) (*File, error) {
	h, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("hdf5: %w", err)
	}
	info, err := h.Stat()
	var f *File
	if err == nil {
		f, err = read(h, info.Size(), budget.ForFile(info.Size()))
	}
	if err != nil {
		h.Close()
		return nil, fmt.Errorf("hdf5: %s: %w", name, err)
	}
	f.closer = h
	return f, nil
}

// Read opens the HDF5 file of the given size, which r reads. A file in another format, and a
// damaged one, is an error.
func Read(r io.ReaderAt, size int64) (*File, error) {
	return ReadWithin(r, size, budget.ForFile(size))
}

// ReadWithin is Read for a file that is part of another one, perhaps compressed. It uses the budget
// of that file.
func ReadWithin(r io.ReaderAt, size int64, b *budget.Budget) (*File, error) {
	f, err := read(r, size, b)
	if err != nil {
		return nil, fmt.Errorf("hdf5: %w", err)
	}
	return f, nil
}

// Close closes a file opened with Open. For a file of Read it does nothing.
func (f *File) Close() error {
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

// Root returns the group that holds everything.
func (f *File) Root() *Group { return f.root }

// Budget returns the budget of reading the file.
func (f *File) Budget() *budget.Budget { return f.budget }

func read(r io.ReaderAt, size int64, b *budget.Budget) (*File, error) {
	f := &File{r: r, size: size, budget: b, objects: make(map[uint64]*object), heaps: make(map[uint64]map[uint16][]byte)}
	if err := f.findSignature(); err != nil {
		return nil, err
	}
	address, err := f.superblock()
	if err != nil {
		return nil, err
	}
	o, err := f.object(address, "/", 0)
	if err != nil {
		return nil, err
	}
	if o.group == nil {
		return nil, damagedError(int64(address), "superblock", "its root is no group")
	}
	f.root = o.group
	return f, nil
}

// findSignature finds where HDF5's part of the file starts, at 0 or after a user block of 512,
// 1024, … bytes, and sets f.base and f.size accordingly. Without a signature the error is
// ErrNotHDF5.
func (f *File) findSignature() error {
	for start := int64(0); start+int64(len(signature)) <= f.size; start = max(512, 2*start) {
		b := make([]byte, len(signature))
		if _, err := f.r.ReadAt(b, start); err != nil && err != io.EOF {
			return err
		}
		if string(b) == signature {
			f.base = start
			f.size -= start
			return nil
		}
	}
	return fmt.Errorf("%w: it has %d bytes and no HDF5 signature", ErrNotHDF5, f.size)
}

// superblock reads the superblock of versions 0 to 3, and returns the address of the root group's
// object header. It fails if the file is cut off or uses other sizes of addresses.
func (f *File) superblock() (uint64, error) {
	c := f.cursorAt(0, uint64(min(f.size, 100)), "superblock")
	c.magic(signature)
	version := c.u8()
	var root, end uint64
	switch version {
	case 0, 1:
		c.skip(4)
		f.wantSizes(c)
		c.skip(1 + 2 + 2 + 4)
		if version == 1 {
			c.skip(4)
		}
		c.skip(8 + 8)
		end = c.u64()
		c.skip(8 + 8)
		root = c.u64()
	case 2, 3:
		f.wantSizes(c)
		c.skip(1 + 8 + 8)
		end = c.u64()
		root = c.u64()
	default:
		c.fail("version %d, want 0 to 3", version)
	}
	// The end counts from the start of the file, including the user block.
	if size := uint64(f.base + f.size); c.err == nil && end != undefined && end > size {
		c.fail("the file is cut off: it says that it has %d bytes, there are %d", end, size)
	}
	return root, c.err
}

func (f *File) wantSizes(c *cursor) {
	offsets, lengths := c.u8(), c.u8()
	if c.err == nil && (offsets != 8 || lengths != 8) {
		c.fail("offsets of %d and lengths of %d bytes, want 8 and 8: write the file again with h5py", offsets, lengths)
	}
}

// cursorCost is the memory of a cursor, without its bytes.
const cursorCost = 128

// cursorAt returns a cursor over n bytes of structure at an address; what names the structure in
// errors. Each call charges the budget, because blocks of a file may overlap. A range outside the
// file, and a spent budget, are the cursor's error.
func (f *File) cursorAt(address, n uint64, what string) *cursor {
	c := &cursor{off: int64(address), what: what}
	switch {
	case address == undefined:
		c.off = 0
		c.fail("it has no address")
	case address > uint64(f.size) || n > uint64(f.size)-address:
		c.fail("it should have %d bytes, the file ends at byte %d", n, f.size)
	default:
		if err := f.budget.Take(int64(n)+cursorCost, what); err != nil {
			c.fail("%w", err)
			break
		}
		c.data = make([]byte, n)
		if err := f.readAt(c.data, int64(address)); err != nil {
			c.data = nil
			c.fail("%w", err)
		}
	}
	return c
}

// readAt fills b with the bytes at an address, counted from the file's base address. Too few bytes
// are an error.
func (f *File) readAt(b []byte, address int64) error {
	if n, err := f.r.ReadAt(b, f.base+address); n < len(b) {
		return fmt.Errorf("reading %d bytes at byte %d: %w", len(b), address, err)
	}
	return nil
}

// cursor reads the fields of one block of a file one after the other. After the first error it
// keeps that error and returns zeros. So a parser checks err once, before it uses the fields.
type cursor struct {
	data []byte
	pos  int
	off  int64  // offset of data in the file
	what string // names the block in errors: B-tree node, object header of "layers"
	err  error
}

// fail sets the error, which format and args give, unless one is set.
func (c *cursor) fail(format string, args ...any) {
	if c.err == nil {
		c.err = damagedError(c.off+int64(c.pos), c.what, format, args...)
	}
}

// damagedError returns the error of a damaged file: what is the part at the offset off that is
// wrong, and format and args say how.
func damagedError(off int64, what, format string, args ...any) error {
	return fmt.Errorf("%s at byte %d: %w", what, off, fmt.Errorf(format, args...))
}

// bytesLeft returns the number of bytes not read yet, 0 after an error.
func (c *cursor) bytesLeft() int {
	if c.err != nil {
		return 0
	}
	return len(c.data) - c.pos
}

// bytes returns the next n bytes and moves the cursor behind them. It returns nil after an error,
// and if fewer are left, which is an error of the cursor.
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

// uint returns the next n bytes, at most 8, as a little-endian number, and moves the cursor behind
// them. It returns 0 after an error.
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

// text returns the bytes up to a zero byte, and moves the cursor behind it; "" after an error.
// Without a zero byte the cursor has an error.
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

// magic reads the signature s. Other bytes are an error.
func (c *cursor) magic(s string) {
	at := c.pos
	if got := c.bytes(len(s)); c.err == nil && string(got) != s {
		c.pos = at
		c.fail("found %q, want the signature %q", got, s)
	}
}

// sub returns a cursor over the next n bytes, and skips these. what names them in errors.
func (c *cursor) sub(n int, what string) *cursor {
	off := c.off + int64(c.pos)
	return &cursor{data: c.bytes(n), off: off, what: what, err: c.err}
}
