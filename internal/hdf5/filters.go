package hdf5

// This file undoes the filters that chunks went through (section IV.A.2.l,
// Filter Pipeline Message).

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
)

// filter is one step of a pipeline, by its registered number.
type filter uint16

const (
	filterDeflate    filter = 1
	filterShuffle    filter = 2
	filterFletcher32 filter = 3
)

var filterNames = map[filter]string{4: "szip", 5: "n-bit", 6: "scale-offset", 32000: "LZF", 32001: "Blosc", 32004: "LZ4", 32015: "Zstandard"}

// String returns the filter's name.
func (f filter) String() string {
	if name, ok := filterNames[f]; ok {
		return name
	}
	return fmt.Sprintf("number %d", uint16(f))
}

func decodeFilters(c *cursor) []filter {
	version, n := c.u8(), int(c.u8())
	switch version {
	case 1:
		c.skip(6)
	case 2:
	default:
		c.fail("a filter message has version %d, want 1 or 2", version)
	}
	var out []filter
	for range n {
		f := filter(c.u16())
		nameSize := 0
		if version == 1 || f >= 256 {
			nameSize = int(c.u16())
		}
		c.skip(2)
		values := int(c.u16())
		if version == 1 {
			nameSize = (nameSize + 7) / 8 * 8
			values += values % 2
		}
		c.skip(nameSize)
		c.skip(4 * values)
		out = append(out, f)
	}
	return out
}

// undo returns what data was before the filter. want is the size of a whole
// chunk: no step gives more than that and a checksum.
func (f filter) undo(data []byte, elem int, want int64) ([]byte, error) {
	switch f {
	case filterDeflate:
		z, err := zlib.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		out, err := io.ReadAll(io.LimitReader(z, want+4))
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		return out, nil
	case filterShuffle:
		return unshuffle(data, elem), nil
	case filterFletcher32:
		if len(data) < 4 {
			return nil, fmt.Errorf("%d bytes have no checksum", len(data))
		}
		body, sum := data[:len(data)-4], le.Uint32(data[len(data)-4:])
		if got := fletcher32(body); got != sum {
			return nil, fmt.Errorf("its checksum is %#x, the file says %#x", got, sum)
		}
		return body, nil
	}
	return nil, fmt.Errorf("the filter %s is not read: write the dataset anew, with gzip or without a filter", f)
}

// unshuffle puts the bytes of each element together again: first came the
// first bytes of all elements, then the second ones. Bytes over are left.
func unshuffle(data []byte, elem int) []byte {
	n := len(data) / elem
	out := make([]byte, len(data))
	for b := range elem {
		for i, v := range data[b*n:][:n] {
			out[i*elem+b] = v
		}
	}
	copy(out[n*elem:], data[n*elem:])
	return out
}

// fletcher32 is Fletcher's sum of 16-bit words as the HDF5 library computes it:
// words big end first, a byte over as a word's high half.
func fletcher32(data []byte) uint32 {
	var a, b uint64
	words := 0
	add := func(w uint64) {
		a += w
		b += a
		if words++; words == 360 { // before the sums can overflow 32 bits
			a, b = a&0xffff+a>>16, b&0xffff+b>>16
			words = 0
		}
	}
	for ; len(data) >= 2; data = data[2:] {
		add(uint64(data[0])<<8 | uint64(data[1]))
	}
	if len(data) == 1 {
		add(uint64(data[0]) << 8)
	}
	for range 2 {
		a, b = a&0xffff+a>>16, b&0xffff+b>>16
	}
	return uint32(b<<16 | a)
}
