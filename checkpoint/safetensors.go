package checkpoint

// This file writes and reads safetensors files, Hugging Face's format, which many programs read:
//
//	8 bytes  the length of the header
//	header   JSON: {"NAME": {"dtype": "F32", "shape": [2, 3], "data_offsets": [FROM, TO]}, …}, with
//	         spaces at its end; "__metadata__" has texts by name
//	data     elements, row-major, little-endian, without gaps
//
// The format has no checksums. The Go libraries for it read whole tensors; here a device reads its
// shard.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/atomicfile"
	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/budget"
	"github.com/gospmd/gospmd/internal/made"
	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// safetensorsTypes are the element types of the format, in the order of their tensors in a file:
// the library of Hugging Face has this order too, so that it writes the same bytes.
var safetensorsTypes = []safetensorsType{
	{"U64", dtypes.Uint64}, {"I64", dtypes.Int64}, {"F64", dtypes.Float64}, {"C64", dtypes.Complex64},
	{"F32", dtypes.Float32}, {"U32", dtypes.Uint32}, {"I32", dtypes.Int32},
	{"BF16", dtypes.BFloat16}, {"F16", dtypes.Float16}, {"U16", dtypes.Uint16}, {"I16", dtypes.Int16},
	{"I8", dtypes.Int8}, {"U8", dtypes.Uint8}, {"BOOL", dtypes.Bool},
}

type safetensorsType struct {
	name  string
	dtype dtypes.DType
}

const (
	safetensorsMetadata = "__metadata__"
	maxHeader           = 100 << 20 // the limit of the library of Hugging Face
)

// safetensor is a tensor in the header.
type safetensor struct {
	DType   string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// SaveSafetensors writes the tensors into a safetensors file. It replaces an older file only when
// the new one is on the disk. Boxes of the tensors are written to their places in the file: a full
// tensor need not fit into memory. metadata is for readers of the file, and may be nil.
//
// The sources must visit all elements: several processes cannot save one file together. Elements of
// type complex128, the name __metadata__, names that are empty or occur twice, and a header of more
// than 100 MiB are errors.
func SaveSafetensors(ctx context.Context, name string, tensors []Tensor, metadata map[string]string) error {
	if err := made.Context(ctx); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	err := check(tensors)
	if err == nil {
		err = atomicfile.Write(name, func(f *os.File) error { return writeSafetensors(ctx, f, tensors, metadata) })
	}
	if err != nil {
		return fmt.Errorf("checkpoint: saving %s: %w", name, err)
	}
	return nil
}

func writeSafetensors(ctx context.Context, f *os.File, tensors []Tensor, metadata map[string]string) error {
	header, offsets, err := safetensorsHeader(tensors, metadata)
	if err != nil {
		return err
	}
	if _, err := f.Write(header); err != nil {
		return err
	}
	var shard shardMemory
	for i, t := range tensors {
		typ := t.Source.Type()
		left := typ.Size()
		err := visitInto(ctx, t.Source, shard.room, func(ranges []layout.Range, data []byte) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			start, count := boxOf(ranges)
			left -= ir.Tensor(typ.DType, count...).Size()
			for at, n := range rowmajor.Runs(typ.Dims, start, count, typ.DType.Size()) {
				if _, err := f.WriteAt(data[:n], int64(len(header))+offsets[i]+at); err != nil {
					return err
				}
				data = data[n:]
			}
			return nil
		})
		if err == nil && left != 0 {
			err = fmt.Errorf("its source has %d elements, want %d: a job of several processes cannot save it so", typ.Size()-left, typ.Size())
		}
		if err != nil {
			return fmt.Errorf("tensor %s: %w", t.Name, err)
		}
	}
	return nil
}

// safetensorsHeader returns the header of a safetensors file, with its length before it, and for
// each tensor the offset of its data behind the header. The tensors are in the order of
// safetensorsTypes and of their names. Types and names that the format does not have, and a header
// over maxHeader, are errors.
func safetensorsHeader(tensors []Tensor, metadata map[string]string) (header []byte, offsets []int64, err error) {
	order := make([]int, len(tensors)) // of the tensors in the file
	types := make([]int, len(tensors))
	for i, t := range tensors {
		order[i] = i
		d := t.Source.Type().DType
		types[i] = slices.IndexFunc(safetensorsTypes, func(s safetensorsType) bool { return s.dtype == d })
		if types[i] < 0 {
			return nil, nil, fmt.Errorf("tensor %s: safetensors files have no elements of type %s", t.Name, d)
		}
		if t.Name == safetensorsMetadata {
			return nil, nil, fmt.Errorf("tensor %d has the name %s, which the format keeps for itself: give it another name", i, t.Name)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(types[a], types[b]), cmp.Compare(tensors[a].Name, tensors[b].Name))
	})
	text := new(bytes.Buffer)
	write := func(name string, value any) {
		text.WriteByte("{,"[min(text.Len(), 1)])
		for i, v := range []any{name, value} {
			if i > 0 {
				text.WriteByte(':')
			}
			e := json.NewEncoder(text)
			e.SetEscapeHTML(false)
			err = errors.Join(err, e.Encode(v))
			text.Truncate(text.Len() - 1) // a line end
		}
	}
	if len(metadata) > 0 {
		write(safetensorsMetadata, metadata)
	}
	offsets = make([]int64, len(tensors))
	at := int64(0)
	for _, i := range order {
		typ := tensors[i].Source.Type()
		offsets[i] = at
		at += int64(typ.Bytes())
		write(tensors[i].Name, safetensor{safetensorsTypes[types[i]].name, append([]int{}, typ.Dims...), [2]int64{offsets[i], at}})
	}
	if text.Len() == 0 {
		text.WriteByte('{')
	}
	text.WriteByte('}')
	for text.Len()%8 != 0 {
		text.WriteByte(' ')
	}
	if text.Len() > maxHeader {
		err = errors.Join(err, fmt.Errorf("the header has %d bytes, want at most %d: save fewer tensors or less metadata", text.Len(), maxHeader))
	}
	return append(binary.LittleEndian.AppendUint64(nil, uint64(text.Len())), text.Bytes()...), offsets, err
}

// OpenSafetensors opens a safetensors file. Names returns its tensors in the order of the file,
// Metadata the JSON of its metadata, or nil. Tensors can be loaded on any mesh; each device reads
// its shard. The header is checked; the format has no checksums of elements. A file of another
// format, and a damaged header, are errors.
func OpenSafetensors(name string) (*Checkpoint, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	c := &Checkpoint{name: name, files: []*os.File{f}, index: make(map[string]int), unsummed: true}
	info, err := f.Stat()
	if err == nil {
		c.table, err = readSafetensors(f, info.Size())
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("checkpoint: %s: it is no safetensors file, or damaged: %w", name, brief.Error(err))
	}
	for i, e := range c.table.Tensors {
		c.index[e.Name] = i
	}
	return c, nil
}

// readSafetensors reads the header of a safetensors file of the given size, and returns the table
// of its tensors. A header that is too large, or does not fit the file, is an error.
func readSafetensors(f *os.File, size int64) (*table, error) {
	var length [8]byte
	if _, err := f.ReadAt(length[:], 0); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > maxHeader || int64(n) > size-8 {
		return nil, fmt.Errorf("its header has %d bytes, want at most %d, and the file has %d", n, maxHeader, size)
	}
	text := make([]byte, n)
	if _, err := f.ReadAt(text, 8); err != nil {
		return nil, err
	}
	b := budget.ForFile(size)
	if err := b.JSON(text, tableCost, "its header"); err != nil {
		return nil, err
	}
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(text, &entries); err != nil {
		return nil, fmt.Errorf("its header: %v", err)
	}
	t := &table{Metadata: entries[safetensorsMetadata]}
	delete(entries, safetensorsMetadata)
	tensors := make(map[string]safetensor, len(entries))
	names := make([]string, 0, len(entries))
	for name, raw := range entries {
		var s safetensor
		if err := json.Unmarshal(raw, &s); err != nil {
			return nil, fmt.Errorf("tensor %s: %v", brief.Text(name), err)
		}
		tensors[name], names = s, append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		x, y := tensors[a].Offsets, tensors[b].Offsets
		return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]), cmp.Compare(a, b))
	})
	begin := 8 + int64(n)
	at := int64(0)
	for _, name := range names {
		e, err := tensors[name].entry(name, at)
		if err != nil {
			return nil, fmt.Errorf("tensor %s: %w", brief.Text(name), err)
		}
		at = tensors[name].Offsets[1]
		if at > size-begin {
			return nil, fmt.Errorf("tensor %s ends at byte %d, the file has %d", brief.Text(name), begin+at, size)
		}
		typ, _ := e.typ()
		e.Tiles = rowTiles(typ, begin+tensors[name].Offsets[0])
		t.Tensors = append(t.Tensors, e)
	}
	if begin+at != size {
		return nil, fmt.Errorf("its tensors end at byte %d, the file has %d", begin+at, size)
	}
	return t, nil
}

// entry returns the entry of a table for the tensor, which must begin at byte at of the data. Other
// offsets, and an element type that gospmd does not load, are errors.
func (s safetensor) entry(name string, at int64) (tensorEntry, error) {
	for _, row := range safetensorsTypes {
		if row.name != s.DType {
			continue
		}
		e := tensorEntry{Name: name, DType: row.dtype.String(), Shape: append([]int{}, s.Shape...)}
		typ, err := e.typ()
		if err == nil && (s.Offsets[0] != at || s.Offsets[1]-at != int64(typ.Bytes())) {
			err = fmt.Errorf("the offsets %v of %s, want %d bytes from %d on", s.Offsets, typ, typ.Bytes(), at)
		}
		return e, err
	}
	return tensorEntry{}, fmt.Errorf("elements of type %s, which gospmd does not load", brief.Text(s.DType))
}

// rowTiles returns the tiles of a tensor of type typ that is stored row-major from byte offset of
// its file on: in that order, each of at most tileSize bytes. A tensor without elements has none.
func rowTiles(typ ir.Type, offset int64) []tile {
	tiles := []tile{}
	if typ.Size() == 0 {
		return tiles
	}
	shape := slices.Clone(typ.Dims)
	run, dim := typ.DType.Size(), len(shape) // the dimensions from dim on fit into a tile
	for dim > 0 && run*shape[dim-1] <= tileSize {
		dim--
		run *= shape[dim]
	}
	for i := range dim {
		shape[i] = 1
	}
	if dim > 0 {
		shape[dim-1] = max(1, tileSize/run)
	}
	eachTile(typ.Dims, shape, func(start, size []int) error { // never fails
		tiles = append(tiles, tile{Start: slices.Clone(start), Count: slices.Clone(size), Offset: offset})
		offset += int64(ir.Tensor(typ.DType, size...).Bytes())
		return nil
	})
	return tiles
}
