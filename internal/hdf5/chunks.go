package hdf5

// This file reads chunked datasets: the B-tree that holds the addresses of the chunks (section
// III.A.1, node type 1), and the filters of the chunks (section IV.A.2.l, Filter Pipeline Message).

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"sync"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/rowmajor"
)

// chunkIndex holds the addresses of a dataset's chunks. It is read once, before the first elements
// are read.
type chunkIndex struct {
	once   sync.Once
	chunks map[int64]chunk // by number, in row-major order of the grid of chunks
	err    error
}

// chunkCost is the memory of an entry of the index, in bytes.
const chunkCost = 96

// chunk says where one chunk of a dataset is stored in the file.
type chunk struct {
	address uint64
	size    uint32 // the stored size
	skip    uint32 // bit i: filter i was not applied
}

// grid returns the number of chunks in each dimension.
func (d *Dataset) grid() []int {
	grid := make([]int, len(d.shape))
	for i, n := range d.shape {
		grid[i] = (n-1)/d.storage.chunk[i] + 1
	}
	return grid
}

// readIndex reads the B-tree of the dataset's chunks, once, into d.index: the address and size of
// each chunk by its number in the grid. It returns the error of that first read in later calls,
// too.
func (d *Dataset) readIndex() error {
	x := &d.index
	x.once.Do(func() {
		x.chunks = make(map[int64]chunk)
		if d.storage.address == undefined {
			return
		}
		grid := d.grid()
		what := fmt.Sprintf("chunks of dataset %q", brief.Text(d.path))
		keySize := 8 + 8*(len(grid)+1)
		x.err = d.f.eachLeaf(d.storage.address, 1, what, keySize, func(key *cursor, child uint64) error {
			c := chunk{address: child, size: key.u32(), skip: key.u32()}
			number := int64(0)
			for i, n := range grid {
				at := key.u64()
				edge := uint64(d.storage.chunk[i])
				if key.err == nil && (at%edge != 0 || at/edge >= uint64(n)) {
					key.fail("a chunk begins at %d in dimension %d of size %d, in chunks of %d", at, i, d.shape[i], edge)
				}
				number = number*int64(n) + int64(at/edge)
			}
			if key.err != nil {
				return key.err
			}
			x.chunks[number] = c
			return d.f.budget.Take(chunkCost, what)
		})
	})
	return x.err
}

// chunkSlab is Slab for a dataset that is stored in chunks: it reads the box of elements from start
// on into dst. The box must not be empty.
func (d *Dataset) chunkSlab(start, count []int, dst []byte) error {
	if err := d.readIndex(); err != nil {
		return err
	}
	rank, edge := len(d.shape), d.storage.chunk
	inDst, inChunk, box := make([]int, rank), make([]int, rank), make([]int, rank)
	grid := d.grid()
	var loop func(dim int, number int64) error
	loop = func(dim int, number int64) error {
		if dim == rank {
			data, err := d.chunkData(number)
			if err != nil {
				return err
			}
			if data == nil {
				size, _ := byteSize(box, d.elem.Size)
				data = make([]byte, size)
				d.fillUp(data)
				rowmajor.CopyBox(dst, count, inDst, data, box, nil, box, d.elem.Size)
				return nil
			}
			rowmajor.CopyBox(dst, count, inDst, data, edge, inChunk, box, d.elem.Size)
			return nil
		}
		limit := start[dim] + count[dim]
		for at := start[dim]; at < limit; at += box[dim] {
			k := at / edge[dim]
			inDst[dim], inChunk[dim] = at-start[dim], at-k*edge[dim]
			box[dim] = min(limit, (k+1)*edge[dim]) - at
			if err := loop(dim+1, number*int64(grid[dim])+int64(k)); err != nil {
				return err
			}
		}
		return nil
	}
	return loop(0, 0)
}

// chunkData returns the elements of the chunk with that number in the grid, without filters, also
// those beyond the dataset's edge. It returns nil for a chunk that was never written. readIndex
// must have been called.
func (d *Dataset) chunkData(number int64) ([]byte, error) {
	c, ok := d.index.chunks[number]
	if !ok {
		return nil, nil
	}
	what := fmt.Sprintf("chunk of dataset %q", brief.Text(d.path))
	if c.address > uint64(d.f.size) || uint64(c.size) > uint64(d.f.size)-c.address {
		return nil, damagedError(int64(c.address), what, "it should have %d bytes, the file ends at byte %d", c.size, d.f.size)
	}
	want, _ := byteSize(d.storage.chunk, d.elem.Size)
	if err := d.f.budget.Check(int64(c.size)+2*want, what); err != nil {
		return nil, err
	}
	data := make([]byte, c.size)
	if err := d.f.readAt(data, int64(c.address)); err != nil {
		return nil, err
	}
	for i := len(d.filters) - 1; i >= 0; i-- {
		if i < 32 && c.skip>>i&1 != 0 {
			continue
		}
		var err error
		if data, err = d.filters[i].undo(data, d.elem.Size, want); err != nil {
			return nil, damagedError(int64(c.address), what, "%v", err)
		}
	}
	if int64(len(data)) != want {
		return nil, damagedError(int64(c.address), what, "it holds %d bytes, want %d", len(data), want)
	}
	return data, nil
}

// filter is one filter of a pipeline, identified by its registered number.
type filter uint16

const (
	filterDeflate    filter = 1
	filterShuffle    filter = 2
	filterFletcher32 filter = 3
)

var filterNames = map[filter]string{4: "szip", 5: "n-bit", 6: "scale-offset", 32000: "LZF", 32001: "Blosc", 32004: "LZ4", 32015: "Zstandard"}

// String returns the filter's name. A filter without a name is "number" and its number.
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

// undo reverses the filter: it returns the data before it. elem is the size of an element in bytes.
// want is the size of a full chunk: gzip is decompressed up to want+5 bytes, one more than a chunk
// with a checksum has. A wrong checksum, and a filter that this package does not have, are errors.
func (f filter) undo(data []byte, elem int, want int64) ([]byte, error) {
	switch f {
	case filterDeflate:
		z, err := zlib.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		// The limit is one byte more than a full chunk: so the reader reaches the end of the
		// compressed data, and verifies its checksum.
		out := bytes.NewBuffer(make([]byte, 0, want+5+bytes.MinRead))
		if _, err := out.ReadFrom(io.LimitReader(z, want+5)); err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		return out.Bytes(), nil
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
	return nil, fmt.Errorf("the filter %s is not read: write the dataset again, with gzip or without a filter", f)
}

// unshuffle returns data with the filter shuffle reversed: data has the first bytes of all
// elements, then the second bytes, and so on. elem is the size of an element in bytes. Bytes at the
// end that are no full element stay there.
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
// words are big-endian, a last odd byte is a word's high half.
func fletcher32(data []byte) uint32 {
	var a, b uint64
	words := 0
	add := func(w uint64) {
		a += w
		b += a
		if words++; words == 360 { // before the sums could overflow
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
