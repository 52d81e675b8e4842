package hdf5

// This file reads datasets in chunks, whose places stand in a B-tree (section
// III.A.1, node type 1).

import (
	"fmt"
	"sync"
)

// chunkIndex holds the places of a dataset's chunks. It is read once, when
// elements are first asked for.
type chunkIndex struct {
	once   sync.Once
	chunks map[int64]chunk // by number, row-major in the grid of chunks
	err    error
}

// chunk is where one chunk lies.
type chunk struct {
	address uint64
	size    uint32 // as stored
	skip    uint32 // bit i: filter i was not used
}

// grid returns the number of chunks in each dimension.
func (d *Dataset) grid() []int {
	grid := make([]int, len(d.shape))
	for i, n := range d.shape {
		grid[i] = (n-1)/d.storage.chunk[i] + 1
	}
	return grid
}

// readIndex fills in d.index.
func (d *Dataset) readIndex() error {
	x := &d.index
	x.once.Do(func() {
		x.chunks = make(map[int64]chunk)
		if d.storage.address == undefined {
			return
		}
		grid := d.grid()
		what := fmt.Sprintf("chunks of dataset %q", d.path)
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
			return nil
		})
	})
	return x.err
}

// storedBytes returns the size of all chunks in the file.
func (d *Dataset) storedBytes() (int64, error) {
	if err := d.readIndex(); err != nil {
		return 0, err
	}
	sum := int64(0)
	for _, c := range d.index.chunks {
		sum += int64(c.size)
	}
	return sum, nil
}

// chunkSlab reads a slab that is not empty.
func (d *Dataset) chunkSlab(start, count []int, dst []byte) error {
	if err := d.readIndex(); err != nil {
		return err
	}
	rank, edge := len(d.shape), d.storage.chunk
	zero := make([]int, rank)
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
				copyBox(dst, count, inDst, data, box, zero, box, d.elem.Size)
				return nil
			}
			copyBox(dst, count, inDst, data, edge, inChunk, box, d.elem.Size)
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

// chunkData returns the elements of a chunk, all of it even where it reaches
// over the dataset's edge; nil for one that was never written.
func (d *Dataset) chunkData(number int64) ([]byte, error) {
	c, ok := d.index.chunks[number]
	if !ok {
		return nil, nil
	}
	what := fmt.Sprintf("chunk of dataset %q", d.path)
	if c.address > uint64(d.f.size) || uint64(c.size) > uint64(d.f.size)-c.address {
		return nil, damaged(int64(c.address), what, "%d bytes should stand there, the file ends at byte %d", c.size, d.f.size)
	}
	data := make([]byte, c.size)
	if err := d.f.readAt(data, int64(c.address)); err != nil {
		return nil, err
	}
	want, _ := byteSize(d.storage.chunk, d.elem.Size)
	for i := len(d.filters) - 1; i >= 0; i-- {
		if i < 32 && c.skip>>i&1 != 0 {
			continue
		}
		var err error
		if data, err = d.filters[i].undo(data, d.elem.Size, want); err != nil {
			return nil, damaged(int64(c.address), what, "%v", err)
		}
	}
	if int64(len(data)) != want {
		return nil, damaged(int64(c.address), what, "it holds %d bytes, want %d", len(data), want)
	}
	return data, nil
}
