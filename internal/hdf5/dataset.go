package hdf5

// This file reads elements: where they lie (section IV.A.2.i, Data Layout
// Message), and any part of them.

import (
	"fmt"
)

// storage says where the elements of a dataset lie.
type storage struct {
	class   byte
	address uint64 // of the elements, or of the index of the chunks
	size    uint64 // contiguous only
	compact []byte
	chunk   []int // the shape of a chunk
}

const (
	storeCompact    = 0
	storeContiguous = 1
	storeChunked    = 2
)

// decodeStorage reads a data layout message, or says why what it describes
// cannot be read.
func decodeStorage(c *cursor) (s storage, reason string) {
	version := c.u8()
	if c.err != nil {
		return s, ""
	}
	if version < 3 {
		return s, fmt.Sprintf("its layout has version %d, of before HDF5 1.6", version)
	}
	s.class = c.u8()
	switch {
	case s.class == storeCompact:
		s.compact = c.bytes(int(c.u16()))
	case s.class == storeContiguous:
		s.address, s.size = c.u64(), c.u64()
	case s.class == storeChunked && version == 3:
		rank := int(c.u8()) // one more than the dataset's, for the element size
		s.address = c.u64()
		if rank < 2 || rank > maxRank+1 {
			c.fail("chunks of %d dimensions", rank-1)
			return s, ""
		}
		s.chunk = make([]int, rank-1)
		for i := range s.chunk {
			s.chunk[i] = int(c.u32())
			if s.chunk[i] == 0 && c.err == nil {
				c.fail("dimension %d of its chunks is 0", i)
			}
		}
	case s.class == storeChunked:
		return s, "its chunks have an index of HDF5 1.10 or later: write the file anew without libver=\"latest\""
	case s.class == 3:
		return s, "it is a view of other datasets (virtual)"
	default:
		c.fail("a storage of class %d", s.class)
	}
	return s, ""
}

// checkStorage says whether the elements that are stored can be those of the
// dataset.
func (d *Dataset) checkStorage(what string) error {
	s := &d.storage
	if d.reason != "" || d.bytes == 0 {
		return nil
	}
	switch s.class {
	case storeCompact:
		if int64(len(s.compact)) < d.bytes {
			return damaged(0, what, "it stores %d bytes, its shape %v of %s needs %d", len(s.compact), d.shape, d.elem.Type, d.bytes)
		}
	case storeContiguous:
		if s.address == undefined {
			return nil // never written
		}
		if s.size < uint64(d.bytes) {
			return damaged(int64(s.address), what, "it stores %d bytes, its shape %v of %s needs %d", s.size, d.shape, d.elem.Type, d.bytes)
		}
		if s.address > uint64(d.f.size) || uint64(d.bytes) > uint64(d.f.size)-s.address {
			return damaged(int64(s.address), what, "%d bytes should stand there, the file ends at byte %d", d.bytes, d.f.size)
		}
	case storeChunked:
		if len(s.chunk) != len(d.shape) {
			return damaged(int64(s.address), what, "chunks of %d dimensions for a shape of %d", len(s.chunk), len(d.shape))
		}
		size, err := byteSize(s.chunk, d.elem.Size)
		if err != nil || size >= 1<<32 {
			return damaged(int64(s.address), what, "chunks of shape %v are larger than 4 GiB", s.chunk)
		}
	}
	return nil
}

// Slab reads the elements from start on, count in each dimension, into dst:
// row-major, little-endian, without gaps. dst must have exactly their size.
// Strings of variable length are read by Texts.
func (d *Dataset) Slab(start, count []int, dst []byte) error {
	if err := d.slab(start, count, dst); err != nil {
		return fmt.Errorf("hdf5: dataset %s: %w", d.path, err)
	}
	return nil
}

func (d *Dataset) slab(start, count []int, dst []byte) error {
	if d.reason != "" {
		return fmt.Errorf("it cannot be read: %s", d.reason)
	}
	elem := d.elem.Size
	n, err := checkSlab(d.shape, start, count, elem)
	if err != nil {
		return err
	}
	if len(dst) != n {
		return fmt.Errorf("a slab of %v elements of %s has %d bytes, got room for %d", count, d.elem.Type, n, len(dst))
	}
	if n == 0 {
		return nil
	}
	switch {
	case d.storage.class == storeChunked:
		err = d.chunkSlab(start, count, dst)
	case d.storage.class == storeCompact:
		copyBox(dst, count, make([]int, len(count)), d.storage.compact, d.shape, start, count, elem)
	case d.storage.address == undefined:
		d.fillUp(dst)
	default:
		err = d.contiguousSlab(start, count, dst)
	}
	if err == nil && d.elem.bigEndian {
		swapBytes(dst, elem)
	}
	return err
}

// fillUp sets b to the value of elements that were never written.
func (d *Dataset) fillUp(b []byte) {
	if d.fill == nil {
		clear(b)
		return
	}
	for ; len(b) > 0; b = b[len(d.fill):] {
		copy(b, d.fill)
	}
}

// A run shorter than a window is read together with those that follow, unless
// the gap between them is wider than maxGap.
const (
	window = 256 << 10
	maxGap = 16 << 10
)

func (d *Dataset) contiguousSlab(start, count []int, dst []byte) error {
	var buf []byte
	var bufAt int64
	gap := d.gap(count)
	for at, n := range runs(d.shape, start, count, d.elem.Size) {
		switch {
		case at >= bufAt && at+int64(n) <= bufAt+int64(len(buf)):
			copy(dst, buf[at-bufAt:][:n])
		case n == len(dst) || n >= window || gap > maxGap:
			if err := d.f.readAt(dst[:n], int64(d.storage.address)+at); err != nil {
				return err
			}
		default:
			if buf == nil {
				buf = make([]byte, min(window, d.bytes-at))
			}
			buf, bufAt = buf[:min(int64(cap(buf)), d.bytes-at)], at
			if err := d.f.readAt(buf, int64(d.storage.address)+at); err != nil {
				return err
			}
			copy(dst, buf[:n])
		}
		dst = dst[n:]
	}
	return nil
}

// gap returns the bytes between neighbouring runs of a slab.
func (d *Dataset) gap(count []int) int {
	size := d.elem.Size
	for i := len(count) - 1; i >= 0; i-- {
		if count[i] != d.shape[i] {
			return (d.shape[i] - count[i]) * size
		}
		size *= count[i]
	}
	return 0
}

// A dataset of more than bombFloor bytes that stores less than 1/bombRatio of
// them is a trap for whoever reads it whole; Keras refuses such too.
const (
	bombFloor = 1 << 32
	bombRatio = 1000
)

// Read returns all elements: row-major, little-endian.
func (d *Dataset) Read() ([]byte, error) {
	if err := d.checkWhole(); err != nil {
		return nil, fmt.Errorf("hdf5: dataset %s: %w", d.path, err)
	}
	dst := make([]byte, d.bytes)
	return dst, d.Slab(make([]int, len(d.shape)), d.shape, dst)
}

func (d *Dataset) checkWhole() error {
	if d.reason != "" {
		return fmt.Errorf("it cannot be read: %s", d.reason)
	}
	if d.bytes <= bombFloor {
		return nil
	}
	stored := d.bytes
	if d.storage.class == storeChunked {
		var err error
		if stored, err = d.storedBytes(); err != nil {
			return err
		}
	} else if d.storage.address == undefined {
		stored = 0
	}
	if d.bytes/bombRatio > stored {
		return fmt.Errorf("its shape %v of %s needs %d bytes, but only %d are stored: it is not read whole", d.shape, d.elem.Type, d.bytes, stored)
	}
	return nil
}

// Texts returns all elements of a dataset of strings.
func (d *Dataset) Texts() ([]string, error) {
	if k := d.elem.Kind; k != String && k != VarString {
		return nil, fmt.Errorf("hdf5: dataset %s holds %s, want strings", d.path, d.elem.Type)
	}
	data, err := d.Read()
	if err != nil {
		return nil, err
	}
	out, err := d.f.texts(data, d.elem.Type, "dataset "+d.path)
	if err != nil {
		return nil, fmt.Errorf("hdf5: %w", err)
	}
	return out, nil
}
