package checkpoint

// This file reads checkpoints.

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/internal/brief"
	"github.com/gospmd/gospmd/internal/rowmajor"
	"github.com/gospmd/gospmd/internal/suggest"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/runtime"
)

// Checkpoint is an open checkpoint. All methods may be called from several
// goroutines.
type Checkpoint struct {
	name     string
	files    []*os.File // the checkpoint's own file, then its parts
	table    *table
	index    map[string]int
	unsummed bool          // its tiles have no checksums
	advice   func() string // returns the end of messages about damage; may be nil
}

// Open opens the checkpoint in the file of that name, with its parts. It reads and checks the
// tables; elements are checked when they are read. A file of another format is an ErrForeign.
// Damage, and a part that is missing, are an ErrDamaged. The file of a part alone is an error that
// names its checkpoint. Close it after use.
func Open(name string) (*Checkpoint, error) {
	c := &Checkpoint{name: name, index: make(map[string]int)}
	if err := c.open(); err != nil {
		c.Close()
		return nil, err
	}
	for i, e := range c.table.Tensors {
		c.index[e.Name] = i
	}
	return c, nil
}

func (c *Checkpoint) open() (err error) {
	if c.table, _, err = c.openFile(c.name); err != nil {
		return err
	}
	if whole := c.table.PartOf; whole != "" {
		return fmt.Errorf("checkpoint: %s: it is a part of the checkpoint %s: open that", c.name, brief.Text(whole))
	}
	for i, p := range c.table.Parts {
		if err := c.openPart(i+1, p); err != nil {
			return err
		}
	}
	if err := c.table.checkComplete(); err != nil {
		return fmt.Errorf("checkpoint: %s: %w: %w", c.name, ErrDamaged, brief.Error(err))
	}
	return nil
}

// openFile opens the file of the checkpoint or of a part, keeps it open in c.files, and returns its
// table and the table's checksum.
func (c *Checkpoint) openFile(name string) (t *table, sum uint32, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, fmt.Errorf("checkpoint: %w", err)
	}
	c.files = append(c.files, f)
	info, err := f.Stat()
	if err == nil {
		t, sum, err = readTable(f, info.Size())
	}
	if err != nil {
		return nil, 0, fmt.Errorf("checkpoint: %s: %w", name, brief.Error(err))
	}
	return t, sum, nil
}

// Close closes the files, and returns all errors, joined. The tensors of c cannot be read any more.
func (c *Checkpoint) Close() error {
	var errs []error
	for _, f := range c.files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// Name returns the name of its file.
func (c *Checkpoint) Name() string { return c.name }

// Metadata returns the bytes that Save was given; for a safetensors file the JSON of its metadata,
// or nil. The caller must not change them.
func (c *Checkpoint) Metadata() []byte { return c.table.Metadata }

// Names returns the names of the tensors, in the order in which they were saved; for a safetensors
// file in the order of the file.
func (c *Checkpoint) Names() []string {
	names := make([]string, len(c.table.Tensors))
	for i, e := range c.table.Tensors {
		names[i] = e.Name
	}
	return names
}

// Verify reads the whole checkpoint and compares all checksums. The first tile that is wrong, or
// cannot be read, is an ErrDamaged. The tensors of a safetensors file have no checksums: it only
// reads them.
func (c *Checkpoint) Verify() error {
	for _, e := range c.table.Tensors {
		s, err := c.Tensor(e.Name)
		if err != nil {
			return err
		}
		for _, tl := range e.Tiles {
			if _, err := s.tile(tl); err != nil {
				return err
			}
		}
	}
	return nil
}

// Stored is a tensor in a checkpoint. It implements variable.Filler.
type Stored struct {
	c *Checkpoint
	e tensorEntry
	t ir.Type
}

// Tensor returns the tensor of that name. It reads no elements: Load, Fill and Read do, while c is
// open. A name that the checkpoint lacks is an error.
func (c *Checkpoint) Tensor(name string) (*Stored, error) {
	i, ok := c.index[name]
	if !ok {
		return nil, fmt.Errorf("checkpoint: %s holds no tensor %q%s", c.name, name, suggest.DidYouMean(name, c.Names()))
	}
	e := c.table.Tensors[i]
	t, err := e.typ()
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %s: %w", c.name, err)
	}
	return &Stored{c, e, t}, nil
}

// Type returns the global type.
func (s *Stored) Type() ir.Type { return s.t }

// Load puts the tensor on c's devices with the given sharding, which may differ from the one it was
// saved with. Each device reads only its own shard. A nil sharding means device 0. Damaged data is
// an error. The caller must release the array.
func (s *Stored) Load(c *runtime.Client, sharding *layout.Sharding) (*runtime.Array, error) {
	return c.PutShards(s.t, sharding, func(ranges []layout.Range, dst any) error {
		return s.Fill(dst, s.t.DType, s.t.Dims, ranges)
	})
}

// Fill reads the elements in ranges, one range for each dimension, into dst, row by row. dst is a
// slice of the Go type of dtype, with just these elements. dtype and global must be the tensor's
// element type and shape. Another type or shape, ranges outside the tensor, and damaged data are
// errors. For empty ranges it does nothing.
func (s *Stored) Fill(dst any, dtype dtypes.DType, global []int, ranges []layout.Range) error {
	if dtype != s.t.DType || !slices.Equal(global, s.t.Dims) {
		return fmt.Errorf("checkpoint: %s: tensor %s is %s, want %s", s.c.name, s.e.Name, s.t, ir.Tensor(dtype, global...))
	}
	n := 1
	for _, r := range ranges {
		n *= r.Len()
	}
	if n == 0 {
		return nil
	}
	return s.Read(ranges, dtypes.UnsafeByteSliceFromAny(dst))
}

// Read copies the elements in ranges, one range for each dimension, into dst, row by row. dst must
// have just their size. It checks the checksums of the tiles; ranges outside the tensor and damaged
// data are errors.
func (s *Stored) Read(ranges []layout.Range, dst []byte) error {
	start, count := boxOf(ranges)
	elem := s.t.DType.Size()
	n := elem
	for i, d := range s.t.Dims {
		if i >= len(ranges) || start[i] < 0 || count[i] < 0 || start[i] > d-count[i] {
			return fmt.Errorf("checkpoint: %s: tensor %s: the ranges %v are not within %s", s.c.name, s.e.Name, ranges, s.t)
		}
		n *= count[i]
	}
	if len(ranges) != s.t.Rank() || len(dst) != n {
		return fmt.Errorf("checkpoint: %s: tensor %s: got room for %d bytes and %d ranges, want %d bytes and %d ranges", s.c.name, s.e.Name, len(dst), len(ranges), n, s.t.Rank())
	}
	if n == 0 {
		return nil
	}
	left := n
	for _, tl := range s.e.Tiles {
		inDst, inTile, box, ok := overlap(start, count, tl.Start, tl.Count)
		if !ok {
			continue
		}
		data, err := s.tile(tl)
		if err != nil {
			return err
		}
		rowmajor.CopyBox(dst, count, inDst, data, tl.Count, inTile, box, elem)
		size := elem
		for _, b := range box {
			size *= b
		}
		left -= size
	}
	if left != 0 {
		return s.damagedError("its tiles overlap or leave gaps in %v", ranges)
	}
	return nil
}

// tile reads a tile from its file and returns its elements. A wrong checksum, and a tile that
// cannot be read, are an ErrDamaged; formats without checksums are not checked.
func (s *Stored) tile(tl tile) ([]byte, error) {
	n := s.t.DType.Size()
	for _, c := range tl.Count {
		n *= c
	}
	data := make([]byte, n)
	if _, err := s.c.files[tl.part].ReadAt(data, tl.Offset); err != nil {
		return nil, s.damagedError("%v", err)
	}
	if s.c.unsummed {
		return data, nil
	}
	if got := checksum(data); got != tl.Sum {
		return nil, s.damagedError("the checksum of %d bytes at byte %d is %#x, want %#x", n, tl.Offset, got, tl.Sum)
	}
	return data, nil
}

func (s *Stored) damagedError(format string, args ...any) error {
	advice := ""
	if s.c.advice != nil {
		advice = s.c.advice()
	}
	return fmt.Errorf("checkpoint: %s: %w: tensor %s: %s%s", s.c.name, ErrDamaged, s.e.Name, fmt.Sprintf(format, args...), advice)
}

// IsDamaged reports whether err wraps ErrDamaged or ErrForeign, so that another checkpoint may be
// usable.
func IsDamaged(err error) bool { return errors.Is(err, ErrDamaged) || errors.Is(err, ErrForeign) }
