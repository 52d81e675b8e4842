package hdf5

// This file writes the structure of a file: superblock version 0, object headers
// version 1, groups as symbol tables.

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The widths of B-tree nodes that the superblock announces: a symbol table
// node has up to 2·leafK names, a tree node up to 2·nodeK children.
const (
	leafK = 4
	nodeK = 16
)

// metaWriter appends the structures of the file, after the elements.
type metaWriter struct {
	base int64 // the address of the first structure
	data []byte
	err  error
}

func (m *metaWriter) end() int64 { return m.base + int64(len(m.data)) }

// align makes the next structure begin at a multiple of 8.
func (m *metaWriter) align() { m.data = pad8(m.data) }

// put appends a structure, and returns its address.
func (m *metaWriter) put(b []byte) uint64 {
	m.align()
	at := m.end()
	m.data = append(m.data, b...)
	return uint64(at)
}

func pad8(b []byte) []byte { return append(b, make([]byte, -len(b)&7)...) }

// location holds the addresses of an object. A group also has tree and heap.
type location struct {
	header, tree, heap uint64
	isGroup            bool
}

// metaMessage is a message of an object header.
type metaMessage struct {
	kind uint16
	body []byte
}

// group writes group g to the file: first all groups and datasets in it, then its names and its
// header. It returns the group's addresses.
func (m *metaWriter) group(g *GroupWriter) location {
	names := slices.Concat(slices.Collect(maps.Keys(g.groups)), slices.Collect(maps.Keys(g.datasets)))
	slices.Sort(names)
	objects := make([]location, len(names))
	for i, name := range names {
		if child := g.groups[name]; child != nil {
			objects[i] = m.group(child)
		} else {
			objects[i] = m.dataset(g.datasets[name])
		}
	}
	heap := make([]byte, 8) // offset 0 holds the empty name, which is less than all others
	nameAt := make([]uint64, len(names))
	for i, name := range names {
		nameAt[i] = uint64(len(heap))
		heap = pad8(append(append(heap, name...), 0))
	}
	p := location{isGroup: true}
	p.tree = m.tree(nameAt, objects)
	p.heap = m.heap(heap)
	table := le.AppendUint64(le.AppendUint64(nil, p.tree), p.heap)
	p.header = m.header(g.path, []metaMessage{{msgSymbolTable, table}}, g.attrs)
	return p
}

// dataset writes the header of d, with its type, shape and place, and returns where it is.
func (m *metaWriter) dataset(d *DatasetWriter) location {
	address := uint64(d.address)
	if d.bytes == 0 {
		address = undefined
	}
	layout := []byte{3, storeContiguous}
	layout = le.AppendUint64(le.AppendUint64(layout, address), uint64(d.bytes))
	const late, ifSet = 2, 2 // when the space is allocated, and when the fill value is written
	fill := []byte{2, late, ifSet, 0}
	return location{header: m.header(d.path, []metaMessage{
		{msgDataspace, encodeShape(d.shape)},
		{msgDatatype, encodeType(d.typ)},
		{msgFill, fill},
		{msgLayout, layout},
	}, d.attrs)}
}

// header writes an object header of version 1 with these messages, and then the attributes, sorted
// by name. It returns the header's address. path names the object in errors. A message that is too
// long, and too many of them, become m.err.
func (m *metaWriter) header(path string, msgs []metaMessage, attrs []newAttr) uint64 {
	for _, a := range slices.SortedFunc(slices.Values(attrs), func(a, b newAttr) int { return strings.Compare(a.name, b.name) }) {
		msgs = append(msgs, metaMessage{msgAttribute, m.attribute(a)})
	}
	var body []byte
	for _, msg := range msgs {
		b := pad8(slices.Clone(msg.body))
		if len(b) > 1<<16-1 && m.err == nil {
			m.err = fmt.Errorf("%s: a message of %d bytes, want at most 65535: its name or an attribute's is too long", path, len(b))
		}
		body = le.AppendUint16(le.AppendUint16(body, msg.kind), uint16(len(b)))
		body = append(append(body, 0, 0, 0, 0), b...)
	}
	if len(msgs) > 1<<16-1 && m.err == nil {
		m.err = fmt.Errorf("%s: %d attributes, want at most 65000", path, len(attrs))
	}
	h := le.AppendUint16([]byte{1, 0}, uint16(len(msgs)))
	h = le.AppendUint32(h, 1) // number of references to it
	h = le.AppendUint32(h, uint32(len(body)))
	h = append(h, 0, 0, 0, 0)
	return m.put(append(h, body...))
}

// attribute returns an attribute message of version 1. It first writes the strings that the
// attribute refers to.
func (m *metaWriter) attribute(a newAttr) []byte {
	data := a.data
	if a.typ.Kind == VarString {
		data = m.strings(a.texts)
	}
	name, typ, shape := append([]byte(a.name), 0), encodeType(a.typ), encodeShape(a.shape)
	b := le.AppendUint16([]byte{1, 0}, uint16(len(name)))
	b = le.AppendUint16(le.AppendUint16(b, uint16(len(typ))), uint16(len(shape)))
	for _, field := range [][]byte{name, typ, shape} {
		b = append(b, pad8(field)...)
	}
	return append(b, data...)
}

// strings writes strings to a collection of the global heap (section III.E). It returns the
// references to them, one after the other; that to an empty string is null.
func (m *metaWriter) strings(texts []string) (refs []byte) {
	const head, smallest = 16, 4096
	m.align()
	address := uint64(m.end())
	var objects []byte
	for i, s := range texts {
		refs = le.AppendUint32(refs, uint32(len(s)))
		if s == "" {
			refs = append(refs, make([]byte, 12)...)
			continue
		}
		refs = le.AppendUint32(le.AppendUint64(refs, address), uint32(i+1))
		objects = le.AppendUint16(objects, uint16(i+1))
		objects = le.AppendUint16(objects, 1) // number of references to it
		objects = le.AppendUint64(append(objects, 0, 0, 0, 0), uint64(len(s)))
		objects = pad8(append(objects, s...))
	}
	if len(objects) == 0 {
		return refs
	}
	size := max(smallest, head+len(objects)+head)
	free := size - head - len(objects)
	b := le.AppendUint64([]byte("GCOL\x01\x00\x00\x00"), uint64(size))
	b = append(b, objects...)
	b = le.AppendUint64(append(b, make([]byte, 8)...), uint64(free))
	m.put(append(b, make([]byte, size-len(b))...))
	return refs
}

// heap writes a local heap (section III.D) with the bytes names and without free space. It returns
// the heap's address.
func (m *metaWriter) heap(names []byte) uint64 {
	const head, nothingFree = 32, 1
	m.align()
	b := le.AppendUint64([]byte("HEAP\x00\x00\x00\x00"), uint64(len(names)))
	b = le.AppendUint64(b, nothingFree)
	b = le.AppendUint64(b, uint64(m.end()+head))
	return m.put(append(b, names...))
}

// treeChild is a child of a node of a B-tree: its address, and its greatest name, as an offset in
// the heap.
type treeChild struct{ address, last uint64 }

// tree writes the names of a group: symbol table nodes (section III.C), and a B-tree (section
// III.A.1) over them. nameAt has the offset of each object's name in the heap. It returns the
// address of the tree's root.
func (m *metaWriter) tree(nameAt []uint64, objects []location) uint64 {
	level := m.symbolNodes(nameAt, objects)
	for height := byte(0); ; height++ {
		if level = m.treeLevel(level, height); len(level) == 1 {
			return level[0].address
		}
	}
}

// symbolNodes writes the symbol table nodes of a group (section III.C) with the objects, whose
// names are at the offsets nameAt of its heap. It returns where each node is, for the tree.
func (m *metaWriter) symbolNodes(nameAt []uint64, objects []location) (nodes []treeChild) {
	for from := 0; from < len(objects); from += 2 * leafK {
		to := min(len(objects), from+2*leafK)
		b := le.AppendUint16([]byte("SNOD\x01\x00"), uint16(to-from))
		for i := from; i < to; i++ {
			o := objects[i]
			b = le.AppendUint64(le.AppendUint64(b, nameAt[i]), o.header)
			if o.isGroup { // the entry repeats the addresses of its tree and heap
				b = le.AppendUint64(b, 1)
				b = le.AppendUint64(le.AppendUint64(b, o.tree), o.heap)
			} else {
				b = append(b, make([]byte, 24)...)
			}
		}
		b = append(b, make([]byte, 8+2*leafK*40-len(b))...)
		nodes = append(nodes, treeChild{m.put(b), nameAt[to-1]})
	}
	return nodes
}

// treeLevel writes one level of a group's B-tree over the given children, one node for 2·nodeK of
// them, and returns the nodes as the children of the next level; it writes at least one node.
// height is 0 for the leaves.
func (m *metaWriter) treeLevel(children []treeChild, height byte) (nodes []treeChild) {
	const size = 24 + 2*nodeK*16 + 8
	count := max(1, (len(children)+2*nodeK-1)/(2*nodeK))
	m.align()
	first := uint64(m.end())
	before := uint64(0) // the greatest name of the node to the left
	for k := range count {
		own := children[min(len(children), 2*nodeK*k):min(len(children), 2*nodeK*(k+1))]
		left, right := undefined, undefined
		if k > 0 {
			left = first + uint64(k-1)*size
		}
		if k < count-1 {
			right = first + uint64(k+1)*size
		}
		b := le.AppendUint16([]byte{'T', 'R', 'E', 'E', 0, height}, uint16(len(own)))
		b = le.AppendUint64(le.AppendUint64(b, left), right)
		b = le.AppendUint64(b, before)
		for _, c := range own {
			b = le.AppendUint64(le.AppendUint64(b, c.address), c.last)
			before = c.last
		}
		b = append(b, make([]byte, size-len(b))...)
		nodes = append(nodes, treeChild{m.put(b), before})
	}
	return nodes
}

// superblock returns the superblock, version 0, of a file that has end bytes, with the addresses of
// the root group.
func superblock(root location, end int64) []byte {
	b := []byte(signature + "\x00\x00\x00\x00\x00\x08\x08\x00")
	b = le.AppendUint16(le.AppendUint16(b, leafK), nodeK)
	b = le.AppendUint32(b, 0)
	b = le.AppendUint64(le.AppendUint64(b, 0), undefined)
	b = le.AppendUint64(le.AppendUint64(b, uint64(end)), undefined)
	b = le.AppendUint64(le.AppendUint64(b, 0), root.header)
	b = le.AppendUint64(b, 1)
	return le.AppendUint64(le.AppendUint64(b, root.tree), root.heap)
}
