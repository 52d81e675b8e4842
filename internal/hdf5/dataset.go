package hdf5

// This file defines Dataset: its header, and the places of its elements (section IV.A.2.i, Data
// Layout Message).

import (
	"fmt"

	"github.com/gospmd/gospmd/internal/brief"
)

// Dataset is a tensor in a file.
type Dataset struct {
	attributes
	f       *File
	path    string
	elem    elemType
	shape   []int
	bytes   int64 // bytes of all elements
	storage storage
	filters []filter
	fill    []byte // the element that unwritten places have; nil for zero
	reason  string // the reason why it cannot be read; empty if it can

	index chunkIndex
}

// Path returns the full name.
func (d *Dataset) Path() string { return d.path }

// Type returns the type of the elements.
func (d *Dataset) Type() Type { return d.elem.Type }

// Shape returns the dimensions, which are empty for a scalar. The caller must not change them.
func (d *Dataset) Shape() []int { return d.shape }

// parse sets the type, shape, fill value and storage of the dataset from the messages of its object
// header. If the package cannot read its elements, it sets d.reason, and returns no error.
func (d *Dataset) parse(msgs []*message) error {
	cannot := func(format string, args ...any) {
		if d.reason == "" {
			d.reason = fmt.Sprintf(format, args...)
		}
	}
	var fill *cursor
	hasType, hasSpace := false, false
	for _, m := range msgs {
		c := m.body
		if m.shared && m.kind != msgAttribute {
			if m.kind == msgDatatype {
				hasType = true
				cannot("its type is a named type elsewhere in the file")
			} else if m.kind == msgDataspace || m.kind == msgLayout || m.kind == msgFilters {
				hasSpace = hasSpace || m.kind == msgDataspace
				cannot("a part of its description is shared with other objects")
			}
			continue
		}
		switch m.kind {
		case msgDataspace:
			d.shape, hasSpace = decodeShape(c), true
		case msgDatatype:
			d.elem, hasType = decodeType(c), true
			if d.elem.Kind == Other {
				cannot("its elements are %s", d.elem.reason)
			}
		case msgLayout:
			var reason string
			if d.storage, reason = decodeStorage(c); reason != "" {
				cannot("%s", reason)
			}
		case msgFilters:
			d.filters = decodeFilters(c)
		case msgFill, msgFillOld:
			fill = c
			if m.kind == msgFill {
				d.fill = decodeFill(c)
			}
		case msgExternal:
			cannot("its elements are in another file")
		}
		if c.err != nil {
			return c.err
		}
	}
	if !hasType || !hasSpace {
		return damagedError(0, fmt.Sprintf("dataset %q", brief.Text(d.path)), "its header has no type or no shape")
	}
	return d.check(fill)
}

// check returns an error if the values that parse has read are inconsistent: shape, element size,
// fill value and storage. It sets d.bytes, the size of all elements. fill is the message of the
// fill value, nil if there was none.
func (d *Dataset) check(fill *cursor) (err error) {
	what := fmt.Sprintf("dataset %q", brief.Text(d.path))
	if d.bytes, err = byteSize(d.shape, max(d.elem.Size, 1)); err != nil {
		return damagedError(0, what, "%v", err)
	}
	if d.fill != nil && len(d.fill) != d.elem.Size {
		if d.reason == "" && len(d.fill) != 0 {
			return damagedError(fill.off, what, "its fill value has %d bytes, want %d", len(d.fill), d.elem.Size)
		}
		d.fill = nil
	}
	return d.checkStorage(what)
}

// decodeFill reads a fill value message (section IV.A.2.f). It returns nil if there is no fill
// value, or if the message is damaged; then c has the error.
func decodeFill(c *cursor) []byte {
	version := c.u8()
	switch version {
	case 1, 2:
		c.skip(2)
		defined := c.u8()
		if version == 2 && defined == 0 {
			return nil
		}
	case 3:
		if flags := c.u8(); flags&0x20 == 0 {
			return nil
		}
	default:
		c.fail("a fill value message has version %d, want 1 to 3", version)
		return nil
	}
	n := c.u32()
	if n > 1<<16 {
		c.fail("a fill value of %d bytes", n)
		return nil
	}
	return c.bytes(int(n))
}

// storage describes where the elements of a dataset are.
type storage struct {
	class   byte
	address uint64 // address of the elements, or of the index of chunks
	size    uint64 // only for contiguous elements
	compact []byte
	chunk   []int // the shape of a chunk
}

const (
	storeCompact    = 0
	storeContiguous = 1
	storeChunked    = 2
)

// decodeStorage reads a data layout message and returns where the elements are. reason tells why
// the described storage cannot be read, "" if it can. c keeps the errors.
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
		rank := int(c.u8()) // one more than the dataset's rank, for the element size
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
		return s, "its chunks have an index of HDF5 1.10 or later: write the file again without libver=\"latest\""
	case s.class == 3:
		return s, "it is a view of other datasets (virtual)"
	default:
		c.fail("a storage of class %d", s.class)
	}
	return s, ""
}

// checkStorage returns an error if the storage holds fewer bytes than the dataset's shape and type
// need, goes beyond the end of the file, or has chunks of another rank or too large for the budget.
// what names the dataset. A dataset that cannot be read anyway, and one without elements, pass.
func (d *Dataset) checkStorage(what string) error {
	s := &d.storage
	if d.reason != "" || d.bytes == 0 {
		return nil
	}
	switch s.class {
	case storeCompact:
		if int64(len(s.compact)) < d.bytes {
			return damagedError(0, what, "it stores %d bytes, its shape %v of %s needs %d", len(s.compact), d.shape, d.elem.Type, d.bytes)
		}
	case storeContiguous:
		if s.address == undefined {
			return nil // the elements were never written
		}
		if s.size < uint64(d.bytes) {
			return damagedError(int64(s.address), what, "it stores %d bytes, its shape %v of %s needs %d", s.size, d.shape, d.elem.Type, d.bytes)
		}
		if s.address > uint64(d.f.size) || uint64(d.bytes) > uint64(d.f.size)-s.address {
			return damagedError(int64(s.address), what, "it should have %d bytes, the file ends at byte %d", d.bytes, d.f.size)
		}
	case storeChunked:
		if len(s.chunk) != len(d.shape) {
			return damagedError(int64(s.address), what, "chunks of %d dimensions for a shape of %d", len(s.chunk), len(d.shape))
		}
		size, err := byteSize(s.chunk, d.elem.Size)
		if err != nil || size >= 1<<32 {
			return damagedError(int64(s.address), what, "chunks of shape %v are larger than 4 GiB", s.chunk)
		}
		// Two chunks are in memory at once: before and after a filter.
		if err := d.f.budget.Check(2*size, fmt.Sprintf("a chunk of shape %v", s.chunk)); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	return nil
}
