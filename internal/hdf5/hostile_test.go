package hdf5_test

// This file makes files of a few bytes that ask for much memory, block by block. Reading them must
// return an error, or take no more memory than a file of that size may.

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/internal/budget"
	"github.com/gospmd/gospmd/internal/hdf5"
	"github.com/gospmd/gospmd/internal/testing/memtest"
)

// image is an HDF5 file that a test builds byte by byte: blocks are appended to it.
type image struct{ bytes.Buffer }

const superblockSize = 48

func newImage() *image {
	m := new(image)
	m.Write(make([]byte, superblockSize))
	return m
}

// fields returns the concatenation of numbers, little-endian in their size, of texts and of bytes.
func fields(all ...any) []byte {
	var b []byte
	for _, f := range all {
		switch f := f.(type) {
		case string:
			b = append(b, f...)
		case []byte:
			b = append(b, f...)
		default:
			var err error
			if b, err = binary.Append(b, binary.LittleEndian, f); err != nil {
				panic(err)
			}
		}
	}
	return b
}

// add adds a block and returns its address.
func (m *image) add(all ...any) uint64 {
	at := uint64(m.Len())
	m.Write(fields(all...))
	return at
}

// message returns the bytes of a message of that kind for a header of version 2. all are its
// numbers and bytes, one after the other.
func message(kind byte, all ...any) []byte {
	body := fields(all...)
	return fields(kind, uint16(len(body)), byte(0), body)
}

// header appends an object header of version 2 with these messages, and returns its address.
func (m *image) header(messages ...[]byte) uint64 {
	body := bytes.Join(messages, nil)
	return m.add("OHDR", byte(2), byte(2), uint32(len(body)), body, uint32(0))
}

// link returns the bytes of a link message: the name of the object whose header is at the address
// to.
func link(name string, to uint64) []byte {
	return message(6, byte(1), byte(1), uint16(len(name)), name, to)
}

// file returns the bytes of the finished file, whose root group's header is at address root.
func (m *image) file(root uint64) []byte {
	b := bytes.Clone(m.Bytes())
	copy(b, fields("\x89HDF\r\n\x1a\n", byte(2), byte(8), byte(8), byte(0), uint64(0), ^uint64(0), uint64(len(b)), root, uint32(0)))
	return b
}

var (
	float32Type = fields(byte(0x11), byte(0x20), byte(31), byte(0), uint32(4), uint16(0), uint16(32), byte(23), byte(8), byte(0), byte(23), uint32(127))
	textType    = fields(byte(0x19), byte(1), byte(1), byte(0), uint32(16), byte(0x13), byte(0), byte(0), byte(0), uint32(1))
)

func shapeMessage(dims ...uint64) []byte {
	return message(1, byte(2), byte(len(dims)), byte(0), byte(1), dims)
}

// addChunked appends a float32 dataset of shape elements in one dimension, with one compressed
// chunk of chunk elements. stored are the bytes of this chunk, which may be damaged. It returns the
// address of its header.
func (m *image) addChunked(shape uint64, chunk uint32, stored []byte) uint64 {
	at := m.add(stored)
	tree := m.add("TREE", byte(1), byte(0), uint16(1), ^uint64(0), ^uint64(0), uint32(len(stored)), uint32(0), uint64(0), uint64(0), at)
	return m.header(shapeMessage(shape), message(3, float32Type),
		message(8, byte(3), byte(2), byte(2), tree, chunk, uint32(4)), message(11, byte(2), byte(1), uint16(1), uint16(0), uint16(0)))
}

func deflate(n int) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write(make([]byte, n))
	z.Close()
	return b.Bytes()
}

// oldGroup appends a group of the old format, and returns the address of its header. Its names are
// at the given offsets of the heap, and all refer to the object at address to.
func (m *image) oldGroup(heap []byte, names []int, to uint64) uint64 {
	data := m.add(heap)
	head := m.add("HEAP", uint32(0), uint64(len(heap)), uint64(0), data)
	var nodes []any
	for len(names) > 0 {
		n := min(len(names), 1000)
		node := []any{"SNOD", byte(1), byte(0), uint16(n)}
		for _, at := range names[:n] {
			node = append(node, uint64(at), to, uint32(0), make([]byte, 20))
		}
		names = names[n:]
		nodes = append(nodes, uint64(0), m.add(node...))
	}
	tree := m.add(append([]any{"TREE", byte(0), byte(0), uint16(len(nodes) / 2), ^uint64(0), ^uint64(0)}, nodes...)...)
	return m.header(message(17, tree, head))
}

func hostileFiles() map[string][]byte {
	files := make(map[string][]byte)
	dataset := func(name string, make func(m *image) uint64) {
		m := newImage()
		files[name] = m.file(m.header(link("d", make(m))))
	}
	for name, kind := range map[string]byte{"messages of no use": 0, "empty messages": 10} {
		m := newImage()
		files[name] = m.file(m.header(bytes.Repeat(message(kind), 1<<20), message(10)))
	}
	dataset("chunk of 2 GiB", func(m *image) uint64 { return m.addChunked(1<<29, 1<<29, deflate(1<<20)) })
	dataset("large chunk of a small dataset", func(m *image) uint64 { return m.addChunked(10, 1<<28, deflate(1<<20)) })
	dataset("never written", func(m *image) uint64 {
		return m.header(shapeMessage(1<<20, 1<<20), message(3, float32Type), message(8, byte(3), byte(1), ^uint64(0), uint64(1)<<42))
	})
	m := newImage()
	empty := m.header(message(10))
	heap, names := []byte(strings.Repeat("x", 1<<16-1)+"\x00"), make([]int, 12000)
	for i := range names {
		names[i] = i
	}
	files["overlapping names"] = m.file(m.oldGroup(heap, names, empty))
	m = newImage()
	empty = m.header(message(10))
	heap = nil
	for i := range names {
		names[i] = len(heap)
		heap = fmt.Appendf(heap, "n%d\x00", i)
	}
	files["short names"] = m.file(m.oldGroup(append(heap, make([]byte, 1<<16)...), names, empty))
	m = newImage()
	zeros := m.add(make([]byte, 1<<20)) // a block of empty messages
	var blocks [][]byte
	for i := range uint64(5000) {
		blocks = append(blocks, message(16, zeros+i, uint64(1<<19)))
	}
	files["overlapping blocks"] = m.file(m.header(blocks...))
	m = newImage()
	heapAt := m.add("GCOL", uint32(1), uint64(32+60000), uint16(1), uint16(0), uint32(0), uint64(60000), strings.Repeat("x", 60000))
	var texts []byte
	for range 1 << 15 {
		texts = append(texts, fields(uint32(60000), heapAt, uint32(1))...)
	}
	at := m.add(texts)
	d := m.header(shapeMessage(1<<15), message(3, textType), message(8, byte(3), byte(1), at, uint64(len(texts))))
	attr := message(12, byte(3), byte(0), uint16(2), uint16(len(textType)), uint16(12), byte(0), "a\x00", textType,
		byte(2), byte(1), byte(0), byte(1), uint64(3000), texts[:3000*16])
	files["one text many times"] = m.file(m.header(link("d", d)))
	files["attributes of one text"] = m.file(m.header(attr, attr, message(10)))
	m = newImage()
	deep := m.header(message(10))
	for range 250 {
		deep = m.header(link(strings.Repeat("long", 15000), deep))
	}
	files["long paths"] = m.file(deep)
	return files
}

func TestHostile(t *testing.T) {
	read := map[string]string{ // files that can be read; the others are errors
		"messages of no use": "", "short names": "",
	}
	for name, data := range hostileFiles() {
		t.Run(name, func(t *testing.T) {
			var err error
			memtest.Within(t, len(data), func() { err = readAllOf(data) })
			if _, ok := read[name]; ok {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, budget.ErrExceeded)
			require.Less(t, len(err.Error()), 1000)
		})
	}
}

// readAllOf reads all datasets of the root group of a file, in full, as texts and in slabs. It
// returns the first error of reading data; datasets that cannot be opened are skipped.
func readAllOf(data []byte) error {
	f, err := hdf5.Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	for _, name := range f.Root().Names() {
		d, err := f.Root().Dataset(name)
		if err != nil {
			continue
		}
		if _, err := d.Read(); err != nil {
			return err
		}
		if d.Type().Kind == hdf5.VarString {
			if _, err := d.Texts(); err != nil {
				return err
			}
		}
		start, count := make([]int, len(d.Shape())), make([]int, len(d.Shape()))
		size := d.Type().Size
		for i, n := range d.Shape() {
			count[i] = min(n, 3)
			size *= count[i]
		}
		if err := d.Slab(start, count, make([]byte, size)); err != nil {
			return err
		}
	}
	return nil
}
