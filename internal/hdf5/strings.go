package hdf5

// This file reads strings, those of variable length from the global heap
// (section III.E).

import (
	"bytes"
	"fmt"
	"slices"
)

// texts returns the strings that data holds or points to.
func (f *File) texts(data []byte, t Type, what string) ([]string, error) {
	out := make([]string, 0, len(data)/t.Size)
	for b := range slices.Chunk(data, t.Size) {
		if t.Kind == String {
			out = append(out, string(untilZero(b)))
			continue
		}
		size, address, index := le.Uint32(b), le.Uint64(b[4:]), le.Uint32(b[12:])
		if size == 0 {
			out = append(out, "")
			continue
		}
		object, err := f.heapObject(address, index, what)
		if err != nil {
			return nil, err
		}
		if int64(size) > int64(len(object)) {
			return nil, damaged(int64(address), what, "a string of %d bytes lies in %d", size, len(object))
		}
		out = append(out, string(untilZero(object[:size])))
	}
	return out, nil
}

func untilZero(b []byte) []byte {
	if n := bytes.IndexByte(b, 0); n >= 0 {
		return b[:n]
	}
	return b
}

// heapObject returns an object of the global heap.
func (f *File) heapObject(address uint64, index uint32, what string) ([]byte, error) {
	f.heapMu.Lock()
	defer f.heapMu.Unlock()
	heap, ok := f.heaps[address]
	if !ok {
		var err error
		if heap, err = f.readHeap(address); err != nil {
			return nil, fmt.Errorf("%s: %w", what, err)
		}
		f.heaps[address] = heap
	}
	object, ok := heap[uint16(index)]
	if !ok || index > 1<<16-1 {
		return nil, damaged(int64(address), what, "the heap holds no object %d", index)
	}
	return object, nil
}

func (f *File) readHeap(address uint64) (map[uint16][]byte, error) {
	const what, head = "heap of strings", 16
	c := f.at(address, head, what)
	c.magic("GCOL")
	c.skip(4)
	size := c.u64()
	if c.err == nil && size < head {
		c.fail("it has %d bytes, want at least %d", size, head)
	}
	if c.err != nil {
		return nil, c.err
	}
	heap := make(map[uint16][]byte)
	c = f.at(address+head, size-head, what)
	for c.left() >= head {
		index := c.u16()
		c.skip(6)
		n := c.u64()
		if index == 0 { // what is free
			break
		}
		heap[index] = c.bytes(int(min(n, maxMeta)))
		c.skip(min(int(-n&7), c.left()))
	}
	return heap, c.err
}
