package hdf5

// This file writes elements immediately, and stores groups and attributes for Close.

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/rowmajor"
)

// superblockSize is the size of the superblock, version 0.
const superblockSize = 96

// Writer writes one file. Only one goroutine at a time may make groups and datasets. Several
// goroutines may write slabs at the same time if the io.WriterAt allows that, as an *os.File does.
type Writer struct {
	w    io.WriterAt
	end  int64 // the end of the reserved space
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

// DatasetWriter is a dataset to be written. Elements that are never written are zero if gaps in the
// io.WriterAt are zero, as in files.
type DatasetWriter struct {
	attributeWriter
	w       *Writer
	path    string
	typ     Type
	shape   []int
	address int64
	bytes   int64
}

// NewWriter returns a writer of a new file. The file is not valid before Close.
func NewWriter(w io.WriterAt) *Writer {
	out := &Writer{w: w, end: superblockSize}
	out.root = &GroupWriter{w: out, path: "/"}
	return out
}

// Root returns the group that holds everything.
func (w *Writer) Root() *GroupWriter { return w.root }

// Group returns the group with the given path, names separated by /, relative to g. It makes the
// groups that do not exist. A name that a dataset already has, and an empty one, are errors.
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

// Dataset makes a dataset in g, and reserves its space. shape is empty for a scalar. A name that
// exists or has a slash, variable strings, and more than 32 dimensions are errors.
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

// reserve reserves n bytes at the end of the file and returns their address, a multiple of 8.
func (w *Writer) reserve(n int64) int64 {
	at := w.end
	w.end = (at + n + 7) / 8 * 8
	return at
}

// Slab writes a box of elements: in each dimension i the count[i] indices from start[i] on.
// Elements are in row-major order, little-endian, without gaps. A box outside the shape, and src of
// another size, are errors.
func (d *DatasetWriter) Slab(start, count []int, src []byte) error {
	n, err := checkSlab(d.shape, start, count, d.typ.Size)
	if err == nil && n != len(src) {
		err = fmt.Errorf("a slab of %v elements of %s has %d bytes, got %d", count, d.typ, n, len(src))
	}
	if err != nil {
		return fmt.Errorf("hdf5: dataset %s: %w", d.path, err)
	}
	for at, n := range rowmajor.Runs(d.shape, start, count, d.typ.Size) {
		if _, err := d.w.w.WriteAt(src[:n], d.address+at); err != nil {
			return fmt.Errorf("hdf5: dataset %s: %w", d.path, err)
		}
		src = src[n:]
	}
	return nil
}

// Write writes all elements from src, which has exactly their bytes, as Slab does.
func (d *DatasetWriter) Write(src []byte) error {
	return d.Slab(make([]int, len(d.shape)), d.shape, src)
}

// Close writes the structure of the file. It does not close the io.WriterAt. Values that do not fit
// the format, such as an attribute of more than 64 KiB, are errors.
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

// attributeWriter holds the attributes of a group or dataset.
type attributeWriter struct {
	attrs []newAttr
}

// newAttr is an attribute to be written. texts holds strings of variable length, which Close writes
// to the heap. data holds all other values.
type newAttr struct {
	name  string
	typ   Type
	shape []int
	data  []byte
	texts []string // the value of a VarString
}

// splitLimit is the size above which Keras splits a list: a message of an object header has at most
// 64 KiB, including the attribute's description.
const splitLimit = 64512

// SetAttr sets an attribute, and replaces one of the same name. It writes a value as h5py writes
// the Python value: a string or []string (of variable length), bool, int, int64, float64, []int64
// or []float64. A value of another type, one of more than splitLimit bytes, and an empty name are
// errors.
func (a *attributeWriter) SetAttr(name string, value any) error {
	n := newAttr{name: name}
	numbers := func(t Type, shape []int) {
		n.typ, n.shape = t, shape
	}
	switch v := value.(type) {
	case string:
		n.typ, n.texts = Type{VarString, varStringSize}, []string{v}
	case []string:
		if len(v) == 0 { // as in h5py, an empty list has float64 elements
			numbers(Float64, []int{0})
			break
		}
		n.typ, n.texts, n.shape = Type{VarString, varStringSize}, v, []int{len(v)}
	case bool:
		numbers(Boolean, nil)
		n.data = []byte{0}
		if v {
			n.data[0] = 1
		}
	case int:
		return a.SetAttr(name, int64(v))
	case int64:
		numbers(Int64, nil)
		n.data = le.AppendUint64(nil, uint64(v))
	case float64:
		numbers(Float64, nil)
		n.data = le.AppendUint64(nil, math.Float64bits(v))
	case []int64:
		numbers(Int64, []int{len(v)})
		for _, x := range v {
			n.data = le.AppendUint64(n.data, uint64(x))
		}
	case []float64:
		numbers(Float64, []int{len(v)})
		for _, x := range v {
			n.data = le.AppendUint64(n.data, math.Float64bits(x))
		}
	default:
		return fmt.Errorf("hdf5: attribute %q: got a %T, want a string, bool, int, int64, float64 or a slice of those", name, value)
	}
	return a.set(n)
}

// SetTexts sets an attribute that is a list of strings of fixed length, as in older files of Keras.
// A list that is too large for one attribute is split into name0, name1, …, as Keras does. A string
// too long for an attribute is an error.
func (a *attributeWriter) SetTexts(name string, texts []string) error {
	if len(texts) == 0 {
		return a.SetAttr(name, texts)
	}
	size := 1
	for _, s := range texts {
		size = max(size, len(s))
	}
	if size > splitLimit {
		return fmt.Errorf("hdf5: attribute %q: one of its strings has %d bytes, want at most %d", name, size, splitLimit)
	}
	segments := 1
	for (len(texts)+segments-1)/segments*size > splitLimit {
		segments++
	}
	for i := range segments {
		// The first len%segments segments have one element more.
		from := i*(len(texts)/segments) + min(i, len(texts)%segments)
		to := (i+1)*(len(texts)/segments) + min(i+1, len(texts)%segments)
		segment := newAttr{name: name, typ: Type{String, size}, shape: []int{to - from}}
		if segments > 1 {
			segment.name = fmt.Sprint(name, i)
		}
		for _, s := range texts[from:to] {
			segment.data = append(segment.data, s...)
			segment.data = append(segment.data, make([]byte, size-len(s))...)
		}
		if err := a.set(segment); err != nil {
			return err
		}
	}
	return nil
}

func (a *attributeWriter) set(n newAttr) error {
	if n.name == "" {
		return fmt.Errorf("hdf5: an attribute has no name")
	}
	if size, err := byteSize(n.shape, n.typ.Size); err != nil || size > splitLimit {
		return fmt.Errorf("hdf5: attribute %q has %d bytes, want at most %d: a list of strings can be split by SetTexts, anything else belongs into a dataset",
			n.name, size, splitLimit)
	}
	if i := slices.IndexFunc(a.attrs, func(o newAttr) bool { return o.name == n.name }); i >= 0 {
		a.attrs[i] = n
		return nil
	}
	a.attrs = append(a.attrs, n)
	return nil
}
