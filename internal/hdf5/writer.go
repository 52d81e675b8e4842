package hdf5

// This file writes files: elements at once, structure at the end.

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// superblockSize is the size of the superblock, version 0.
const superblockSize = 96

// Writer writes one file. Making groups and datasets is for one goroutine;
// slabs may be written by several at a time if the io.WriterAt allows that, as
// an *os.File does.
type Writer struct {
	w    io.WriterAt
	end  int64 // of what has its place
	root *GroupWriter
}

// GroupWriter is a group to be written.
type GroupWriter struct {
	attributeWriter
	w        *Writer
	path     string
	groups   map[string]*GroupWriter
	datasets map[string]*DatasetWriter
}

// DatasetWriter is a dataset to be written. What is never written reads as
// zero where the io.WriterAt leaves gaps zero, as files do.
type DatasetWriter struct {
	attributeWriter
	w       *Writer
	path    string
	typ     Type
	shape   []int
	address int64
	bytes   int64
}

// NewWriter returns a writer of a new file. Nothing of the file is valid before
// Close.
func NewWriter(w io.WriterAt) *Writer {
	out := &Writer{w: w, end: superblockSize}
	out.root = &GroupWriter{w: out, path: "/"}
	return out
}

// Root returns the group that holds everything.
func (w *Writer) Root() *GroupWriter { return w.root }

// Group returns the group of that path relative to g, made if it is new.
func (g *GroupWriter) Group(path string) (*GroupWriter, error) {
	name, rest, deeper := strings.Cut(path, "/")
	child, ok := g.groups[name]
	if !ok {
		if err := g.checkNew(name); err != nil {
			return nil, err
		}
		child = &GroupWriter{w: g.w, path: g.childPath(name)}
		if g.groups == nil {
			g.groups = make(map[string]*GroupWriter)
		}
		g.groups[name] = child
	}
	if deeper {
		return child.Group(rest)
	}
	return child, nil
}

// Dataset makes a dataset in g and sets its space aside. shape is empty for a
// scalar.
func (g *GroupWriter) Dataset(name string, t Type, shape []int) (*DatasetWriter, error) {
	if err := g.checkNew(name); err != nil {
		return nil, err
	}
	d := &DatasetWriter{w: g.w, path: g.childPath(name), typ: t, shape: slices.Clone(shape)}
	err := t.check()
	if err == nil && t.Kind == VarString {
		err = fmt.Errorf("datasets of variable strings are not written: use strings of fixed length, or an attribute")
	}
	if err == nil && len(shape) > maxRank {
		err = fmt.Errorf("got %d dimensions, want at most %d", len(shape), maxRank)
	}
	if err == nil {
		d.bytes, err = byteSize(shape, t.Size)
	}
	if err != nil {
		return nil, fmt.Errorf("hdf5: dataset %s: %w", d.path, err)
	}
	d.address = g.w.reserve(d.bytes)
	if g.datasets == nil {
		g.datasets = make(map[string]*DatasetWriter)
	}
	g.datasets[name] = d
	return d, nil
}

func (g *GroupWriter) childPath(name string) string {
	return strings.TrimSuffix(g.path, "/") + "/" + name
}

func (g *GroupWriter) checkNew(name string) error {
	if name == "" || name == "." || strings.ContainsAny(name, "/\x00") {
		return fmt.Errorf("hdf5: group %s: got the name %q, want one that is not empty or \".\" and without \"/\"", g.path, name)
	}
	if g.groups[name] != nil || g.datasets[name] != nil {
		return fmt.Errorf("hdf5: group %s holds %q already", g.path, name)
	}
	return nil
}

// reserve returns the address of n bytes that nothing else takes.
func (w *Writer) reserve(n int64) int64 {
	at := w.end
	w.end = (at + n + 7) / 8 * 8
	return at
}

// Slab writes the elements from start on, count in each dimension: row-major,
// little-endian, without gaps.
func (d *DatasetWriter) Slab(start, count []int, src []byte) error {
	n, err := checkSlab(d.shape, start, count, d.typ.Size)
	if err == nil && n != len(src) {
		err = fmt.Errorf("a slab of %v elements of %s has %d bytes, got %d", count, d.typ, n, len(src))
	}
	if err != nil {
		return fmt.Errorf("hdf5: dataset %s: %w", d.path, err)
	}
	for at, n := range runs(d.shape, start, count, d.typ.Size) {
		if _, err := d.w.w.WriteAt(src[:n], d.address+at); err != nil {
			return fmt.Errorf("hdf5: dataset %s: %w", d.path, err)
		}
		src = src[n:]
	}
	return nil
}

// Write writes all elements.
func (d *DatasetWriter) Write(src []byte) error {
	return d.Slab(make([]int, len(d.shape)), d.shape, src)
}

// Close writes the structure. It closes nothing.
func (w *Writer) Close() error {
	m := &metaWriter{base: w.end}
	root := m.group(w.root)
	m.align()
	if m.err != nil {
		return fmt.Errorf("hdf5: %w", m.err)
	}
	if _, err := w.w.WriteAt(m.data, m.base); err != nil {
		return fmt.Errorf("hdf5: %w", err)
	}
	if _, err := w.w.WriteAt(superblock(root, m.end()), 0); err != nil {
		return fmt.Errorf("hdf5: %w", err)
	}
	return nil
}
