package checkpoint

// This file defines the format, and divides tensors into tiles:
//
//	head    16 bytes: the signature
//	tiles   elements, row-major within a tile, little-endian
//	table   JSON: names, types, shapes, where the tiles are, their checksums
//	foot    32 bytes: where the table is and its checksum, the signature again
//
// All checksums are CRC-32C.
//
// A checkpoint that several processes have saved has a part from each process except 0: another
// file of this format, beside this one, with the tiles of its process. The table lists the parts,
// with the checksums of their tables. So a checkpoint with parts is complete as soon as its own
// file exists.

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/budget"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

const (
	signature = "gospmd tensors 1"
	headSize  = int64(len(signature))
	footSize  = 16 + 8 + 8
)

// ErrForeign is the error of a file that is no checkpoint at all.
var ErrForeign = errors.New("not a checkpoint of gospmd")

// ErrDamaged is the error of a checkpoint whose bytes have changed since it was written, or that
// lacks a part.
var ErrDamaged = errors.New("the checkpoint is damaged")

var crcTable = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, crcTable) }

// table describes the tensors of a file.
type table struct {
	Tensors  []tensorEntry `json:"tensors"`
	Metadata []byte        `json:"metadata"`
	Parts    []part        `json:"parts,omitempty"`  // the parts of the other processes
	PartOf   string        `json:"partOf,omitempty"` // name of the checkpoint that this part belongs to
}

// part describes the part of one process.
type part struct {
	Name string `json:"name"` // file name, in the directory of the checkpoint
	Sum  uint32 `json:"crc32c"`
}

// tableCost is the memory of the table's entries, in bytes: of a tensor or a tile, of a list of
// numbers, and of a number.
var tableCost = budget.Cost{Object: 320, List: 48, Value: 32}

// tensorEntry describes a tensor.
type tensorEntry struct {
	Name  string `json:"name"`
	DType string `json:"dtype"`
	Shape []int  `json:"shape"`
	Tiles []tile `json:"tiles"`
}

// storable maps the names of the element types that can be saved to the types.
var storable = func() map[string]dtypes.DType {
	out := make(map[string]dtypes.DType)
	for _, d := range []dtypes.DType{
		dtypes.Bool,
		dtypes.Int8, dtypes.Int16, dtypes.Int32, dtypes.Int64,
		dtypes.Uint8, dtypes.Uint16, dtypes.Uint32, dtypes.Uint64,
		dtypes.Float16, dtypes.BFloat16, dtypes.Float32, dtypes.Float64,
		dtypes.Complex64, dtypes.Complex128,
	} {
		out[d.String()] = d
	}
	return out
}()

// footer returns the bytes at the end of a checkpoint file: the offset, the length and the checksum
// of the table, and the file format's signature.
func footer(offset int64, table []byte) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(offset))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(table)))
	b = binary.LittleEndian.AppendUint32(b, checksum(table))
	return append(b, signature...)
}

// readTable reads the table of a checkpoint file of size bytes, and verifies its checksum, sum,
// which it also returns. A file of another format is an ErrForeign, a damaged one an ErrDamaged.
func readTable(r io.ReaderAt, size int64) (t *table, sum uint32, err error) {
	fail := func(err error) (*table, uint32, error) { return nil, 0, err }
	head := make([]byte, min(size, headSize))
	if _, err := r.ReadAt(head, 0); err != nil && err != io.EOF {
		return fail(err)
	}
	if string(head) != signature {
		return fail(fmt.Errorf("%w: it begins with %.16q", ErrForeign, head))
	}
	if size < headSize+footSize {
		return fail(fmt.Errorf("%w: it is cut off after %d bytes", ErrDamaged, size))
	}
	foot := make([]byte, footSize)
	if _, err := r.ReadAt(foot, size-footSize); err != nil {
		return fail(err)
	}
	if string(foot[16:]) != signature {
		return fail(fmt.Errorf("%w: it is cut off after %d bytes, or has bytes too many: its end is missing", ErrDamaged, size))
	}
	offset, n := binary.LittleEndian.Uint64(foot), int64(binary.LittleEndian.Uint32(foot[8:]))
	if end := size - footSize; n > end-headSize || offset != uint64(end-n) {
		return fail(fmt.Errorf("%w: its table of %d bytes should be at byte %d of %d", ErrDamaged, n, offset, size))
	}
	text := make([]byte, n)
	if _, err := r.ReadAt(text, int64(offset)); err != nil {
		return fail(err)
	}
	sum = checksum(text)
	if want := binary.LittleEndian.Uint32(foot[12:]); sum != want {
		return fail(fmt.Errorf("%w: the checksum of its table is %#x, want %#x", ErrDamaged, sum, want))
	}
	if err := budget.ForFile(size).JSON(text, tableCost, "its table"); err != nil {
		return fail(fmt.Errorf("%w: %w", ErrDamaged, err))
	}
	t = new(table)
	if err := json.Unmarshal(text, t); err != nil {
		return fail(fmt.Errorf("%w: its table: %v", ErrDamaged, brief.Error(err)))
	}
	return t, sum, t.check(int64(offset))
}

// check returns an ErrDamaged if the table cannot be right: if it has two tensors of one name, an
// unknown element type, an impossible shape, tiles outside of the file or of their tensors, or more
// bytes than are stored. limit is the position where the elements end. Such a table, with the right
// checksum, is from another program. Tiles may leave out elements: other parts may have them.
func (t *table) check(limit int64) error {
	damagedError := func(format string, args ...any) error {
		return fmt.Errorf("%w: %w", ErrDamaged, brief.Error(fmt.Errorf(format, args...)))
	}
	names := make(map[string]bool)
	stored := int64(0) // bytes of all tiles; tiles must not overlap in the file
	for _, e := range t.Tensors {
		if names[e.Name] {
			return damagedError("it holds two tensors %s", brief.Text(e.Name))
		}
		names[e.Name] = true
		typ, err := e.typ()
		if err != nil {
			return damagedError("%w", err)
		}
		for _, tl := range e.Tiles {
			if len(tl.Start) != typ.Rank() || len(tl.Count) != typ.Rank() {
				return damagedError("tensor %s: a tile of %d dimensions", e.Name, len(tl.Count))
			}
			n := 1
			for i, d := range e.Shape {
				if tl.Start[i] < 0 || tl.Count[i] < 1 || tl.Start[i] > d-tl.Count[i] {
					return damagedError("tensor %s: a tile from %v of %v is outside of the shape %v", e.Name, tl.Start, tl.Count, e.Shape)
				}
				n *= tl.Count[i]
			}
			size := int64(n * typ.DType.Size())
			if tl.Offset < headSize || size > limit || tl.Offset > limit-size {
				return damagedError("tensor %s: a tile at byte %d, the elements end at %d", e.Name, tl.Offset, limit)
			}
			if stored += size; stored > limit-headSize {
				return damagedError("its tensors have more than the %d bytes that are stored", limit-headSize)
			}
		}
	}
	return nil
}

// checkComplete returns an error that names the first tensor whose tiles hold too few or too many
// elements.
func (t *table) checkComplete() error {
	for _, e := range t.Tensors {
		typ, err := e.typ()
		if err != nil {
			return err
		}
		elements := 0
		for _, tl := range e.Tiles {
			n := 1
			for _, c := range tl.Count {
				n *= c
			}
			elements += n
		}
		if elements != typ.Size() {
			return fmt.Errorf("tensor %s: its tiles hold %d elements, want %d", e.Name, elements, typ.Size())
		}
	}
	return nil
}

// typ returns the tensor's type. An unknown element type, and sizes that are too large, are errors.
func (e tensorEntry) typ() (ir.Type, error) {
	d, ok := storable[e.DType]
	if !ok {
		return ir.Type{}, fmt.Errorf("tensor %s: elements of the unknown type %q", e.Name, e.DType)
	}
	n := int64(d.Size())
	for _, s := range e.Shape {
		if s < 0 || s > 0 && n > (1<<60)/int64(s) {
			return ir.Type{}, fmt.Errorf("tensor %s: the impossible shape %v", e.Name, e.Shape)
		}
		n *= int64(s)
	}
	return ir.Tensor(d, slices.Clone(e.Shape)...), nil
}

// tileSize is the largest size of a tile in bytes. To verify one element, its whole tile is read.
const tileSize = 1 << 20

// tile is a box of a tensor that is stored contiguously.
type tile struct {
	Start  []int  `json:"start"`
	Count  []int  `json:"count"`
	Offset int64  `json:"offset"`
	Sum    uint32 `json:"crc32c"`

	part int // index of its file: 0 is the checkpoint's own, i is Parts[i-1]
}

func boxOf(ranges []layout.Range) (start, count []int) {
	start, count = make([]int, len(ranges)), make([]int, len(ranges))
	for i, r := range ranges {
		start[i], count[i] = r.Start, r.Len()
	}
	return start, count
}

// tileShape returns the shape of the tiles of a box of shape count: the dimension that is the
// largest is halved, rounded up, until the elements, of elem bytes each, fit into a tile. So tiles
// are about as long as wide, and a reader of rows or of columns reads few other elements.
func tileShape(count []int, elem int) []int {
	shape := append([]int{}, count...)
	for {
		n, widest := elem, 0
		for i, c := range shape {
			n *= c
			if c > shape[widest] {
				widest = i
			}
		}
		if n <= tileSize || shape[widest] == 1 {
			return shape
		}
		shape[widest] = (shape[widest] + 1) / 2
	}
}

// eachTile calls visit for each tile of a box, in row-major order. count is the shape of the box,
// and shape that of a tile, which is smaller at the ends of the box. visit gets the tile's start in
// the box and its shape, and must not keep the slices. A box without dimensions is one tile, an
// empty one has none. The first error of visit ends it.
func eachTile(count, shape []int, visit func(start, size []int) error) error {
	start, size := make([]int, len(count)), make([]int, len(count))
	var loop func(dim int) error
	loop = func(dim int) error {
		if dim == len(count) {
			return visit(start, size)
		}
		for at := 0; at < count[dim]; at += shape[dim] {
			start[dim], size[dim] = at, min(shape[dim], count[dim]-at)
			if err := loop(dim + 1); err != nil {
				return err
			}
		}
		return nil
	}
	return loop(0)
}

// overlap returns the intersection of two boxes, as its start in each and its size; ok is false if
// it is empty.
func overlap(aStart, aCount, bStart, bCount []int) (inA, inB, count []int, ok bool) {
	n := len(aStart)
	inA, inB, count = make([]int, n), make([]int, n), make([]int, n)
	for i := range n {
		from, to := max(aStart[i], bStart[i]), min(aStart[i]+aCount[i], bStart[i]+bCount[i])
		if from >= to {
			return nil, nil, nil, false
		}
		inA[i], inB[i], count[i] = from-aStart[i], from-bStart[i], to-from
	}
	return inA, inB, count, true
}
