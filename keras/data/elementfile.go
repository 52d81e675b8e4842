package data

// This file reads and writes files of elements:
//
//	header    16 bytes: the signature
//	elements  one after the other, each its tensors, little-endian
//	table     JSON: what the elements were computed from, their shapes, checksums
//	footer    32 bytes: the table's offset, size and checksum, the signature again
//
// The checksums are CRC-32C.

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/gospmd/gospmd/internal/budget"
)

const (
	cacheSignature = "gospmd elements1"
	cacheFooter    = 16 + 16
)

var crcTable = crc32.MakeTable(crc32.Castagnoli)

// cacheTable describes the elements of a file: what they were computed from, their shapes, and
// where they are.
type cacheTable struct {
	Identity string         `json:"identity"`
	Layouts  []cacheLayout  `json:"layouts"`  // each layout once
	Elements []cacheElement `json:"elements"` // in the order of the pass
}

// cacheLayout describes the tensors of an element: their types and shapes, how many are inputs and
// labels, and their names.
type cacheLayout struct {
	Shapes []cacheShape `json:"shapes"` // X, Y, SampleWeight
	X      int          `json:"x"`
	Y      int          `json:"y"`
	Names  *Names       `json:"names,omitempty"`
}

// tableCost is an estimate of the memory of the entries of a table, in bytes.
var tableCost = budget.Cost{Object: 160, List: 48, Value: 32}

type cacheShape struct {
	DType string `json:"dtype"`
	Dims  []int  `json:"dims"`
	Text  bool   `json:"text,omitempty"`
}

type cacheElement struct {
	Layout int    `json:"layout"`
	CRC    uint32 `json:"crc"`
}

// layoutOf returns the layout of the tensors of an element: their names, types and shapes.
func layoutOf(b Batch) cacheLayout {
	l := cacheLayout{X: len(b.X), Y: len(b.Y)}
	if !b.Names.equal(Names{}) {
		l.Names = &b.Names
	}
	for _, t := range b.Tensors() {
		l.Shapes = append(l.Shapes, cacheShape{t.DType().String(), t.Shape().Dimensions, IsText(t)})
	}
	return l
}

func (l cacheLayout) equal(m cacheLayout) bool {
	return l.X == m.X && l.Y == m.Y && l.names().equal(m.names()) && slices.EqualFunc(l.Shapes, m.Shapes, func(a, b cacheShape) bool {
		return a.DType == b.DType && slices.Equal(a.Dims, b.Dims) && a.Text == b.Text
	})
}

func (l cacheLayout) names() Names {
	if l.Names == nil {
		return Names{}
	}
	return *l.Names
}

// encode returns the bytes of an element's tensors, one after the other, little-endian.
func encode(b Batch) (out []byte, err error) {
	for _, t := range b.Tensors() {
		if err := t.ConstBytes(func(from []byte) { out = append(out, from...) }); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// elementWriter writes a file of elements, and collects its table.
type elementWriter struct {
	to    io.Writer
	size  int
	table cacheTable
}

func (w *elementWriter) write(b []byte) error {
	n, err := w.to.Write(b)
	w.size += n
	return err
}

func (w *elementWriter) begin() error { return w.write([]byte(cacheSignature)) }

func (w *elementWriter) add(b Batch) error {
	l := layoutOf(b)
	k := slices.IndexFunc(w.table.Layouts, l.equal)
	if k < 0 {
		k = len(w.table.Layouts)
		w.table.Layouts = append(w.table.Layouts, l)
	}
	bytes, err := encode(b)
	if err != nil {
		return err
	}
	w.table.Elements = append(w.table.Elements, cacheElement{k, crc32.Checksum(bytes, crcTable)})
	return w.write(bytes)
}

func (w *elementWriter) end() error {
	text, err := json.Marshal(w.table)
	if err != nil {
		return err
	}
	footer := binary.LittleEndian.AppendUint64(nil, uint64(w.size))
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(text)))
	footer = binary.LittleEndian.AppendUint32(footer, crc32.Checksum(text, crcTable))
	return w.write(append(append(text, footer...), cacheSignature...))
}

// elementFile reads the elements of a file that Cache has written.
type elementFile struct {
	file    *os.File
	table   cacheTable
	offsets []int64
	sizes   []int // sizes of elements in bytes, by layout
}

var errCacheDamaged = errors.New("the file is damaged, cut off or not a cache of gospmd")

func openElements(path string) (_ *elementFile, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	e := &elementFile{file: f}
	footer := make([]byte, cacheFooter)
	header := int64(len(cacheSignature))
	if info.Size() < header+cacheFooter {
		return nil, errCacheDamaged
	}
	if _, err := f.ReadAt(footer, info.Size()-cacheFooter); err != nil {
		return nil, err
	}
	offset, n := int64(binary.LittleEndian.Uint64(footer)), int64(binary.LittleEndian.Uint32(footer[8:]))
	if string(footer[16:]) != cacheSignature || offset < header || offset+n != info.Size()-cacheFooter {
		return nil, errCacheDamaged
	}
	text := make([]byte, n)
	if _, err := f.ReadAt(text, offset); err != nil {
		return nil, err
	}
	if crc32.Checksum(text, crcTable) != binary.LittleEndian.Uint32(footer[12:]) {
		return nil, errCacheDamaged
	}
	if err := budget.ForFile(info.Size()).JSON(text, tableCost, "its table"); err != nil {
		return nil, fmt.Errorf("%w: %w", errCacheDamaged, err)
	}
	if json.Unmarshal(text, &e.table) != nil {
		return nil, errCacheDamaged
	}
	return e, e.locate(header, offset)
}

// locate computes e.sizes and e.offsets, the places of the elements, which begin at at. A layout
// that is wrong or larger than limit, and elements that do not end exactly at limit, where the
// table begins, are errCacheDamaged.
func (e *elementFile) locate(at, limit int64) error {
	for _, l := range e.table.Layouts {
		size := 0
		for _, s := range l.Shapes {
			n, err := s.bytes(limit)
			if err != nil {
				return err
			}
			size = min(size+n, int(limit)+1) // limited, so that the sum cannot overflow
		}
		if int64(size) > limit || l.X < 1 || l.Y < 0 || l.X+l.Y > len(l.Shapes) {
			return errCacheDamaged
		}
		e.sizes = append(e.sizes, size)
	}
	for _, element := range e.table.Elements {
		if element.Layout < 0 || element.Layout >= len(e.sizes) {
			return errCacheDamaged
		}
		e.offsets = append(e.offsets, at)
		at += int64(e.sizes[element.Layout])
	}
	if at != limit {
		return errCacheDamaged
	}
	return nil
}

// elementTypes are the element types that a file may have. Other types have no Go type, or share
// bytes.
var elementTypes = []dtypes.DType{
	dtypes.Bool, dtypes.Int8, dtypes.Int16, dtypes.Int32, dtypes.Int64, dtypes.Uint8, dtypes.Uint16, dtypes.Uint32, dtypes.Uint64,
	dtypes.Float16, dtypes.BFloat16, dtypes.Float32, dtypes.Float64, dtypes.Complex64, dtypes.Complex128,
}

// bytes returns the size of a tensor in bytes. A type that files do not hold, and more bytes than
// limit, are errCacheDamaged.
func (s cacheShape) bytes(limit int64) (int, error) {
	d, err := dtypes.DTypeString(s.DType)
	if err != nil || !slices.Contains(elementTypes, d) || s.Text && (d != dtypes.Uint8 || len(s.Dims) == 0 || s.Dims[len(s.Dims)-1] == 0) {
		return 0, errCacheDamaged
	}
	n := int64(d.Size())
	for _, dim := range s.Dims {
		n = budget.Product(n, int64(dim))
	}
	if n < 0 || n > limit {
		return 0, errCacheDamaged
	}
	return int(n), nil
}

func (s cacheShape) shape() (shapes.Shape, error) {
	d, err := dtypes.DTypeString(s.DType)
	if err != nil {
		return shapes.Shape{}, errCacheDamaged
	}
	if s.Text {
		return textShape(s.Dims), nil
	}
	return shapes.Make(d, s.Dims...), nil
}

// read returns element i of the file. An element that does not have its checksum is an error.
func (e *elementFile) read(i int) (item, error) {
	element := e.table.Elements[i]
	l := e.table.Layouts[element.Layout]
	bytes := make([]byte, e.sizes[element.Layout])
	if _, err := e.file.ReadAt(bytes, e.offsets[i]); err != nil {
		return item{}, fmt.Errorf("Cache: %s: element %d: %w", e.file.Name(), i, err)
	}
	if crc32.Checksum(bytes, crcTable) != element.CRC {
		return item{}, fmt.Errorf("Cache: %s: element %d does not have its checksum: the file is damaged, remove it", e.file.Name(), i)
	}
	ts := make([]*tensors.Tensor, len(l.Shapes))
	for k, s := range l.Shapes {
		shape, err := s.shape()
		if err != nil {
			return item{}, err
		}
		ts[k] = tensors.FromShape(shape)
		if err := ts[k].MutableBytes(func(to []byte) { bytes = bytes[copy(to, bytes):] }); err != nil {
			return item{}, err
		}
	}
	b := Batch{X: ts[:l.X:l.X], Y: ts[l.X : l.X+l.Y : l.X+l.Y], Names: l.names()}
	if len(ts) > l.X+l.Y {
		b.SampleWeight = ts[l.X+l.Y:]
	}
	return itemOf(b), nil
}
