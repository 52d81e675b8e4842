package buffers

// This file says how much memory arguments and results take: TPUs keep them in tiles.
// Those of temporary values are not known: in which layouts they are, with which
// dimensions folded into others, is for the compiler to choose.

import (
	"math/bits"

	"github.com/gospmd/gospmd/ir"
)

// The tile of a TPU: a register of 8 rows of 128 numbers of 32 bits. Of fewer rows there
// are smaller tiles; a vector has tiles of up to 1024 numbers (XLA's documentation,
// Tiled layout).
const (
	tileColumns = 128
	tileRows    = 8
	vectorTile  = tileColumns * tileRows
)

// Bytes returns the memory that an argument or a result takes.
func (m Model) Bytes(t ir.Type) int {
	if m != TPU || t.Size() == 0 {
		return t.MemoryBytes()
	}
	element := max(1, ir.ElementBytes(t.DType))
	switch t.Rank() {
	case 0:
		return tileColumns * 4
	case 1:
		return element * roundUp(t.Dims[0], min(vectorTile, max(tileColumns, powerOfTwo(t.Dims[0]))))
	}
	return element * tiled(t.Dims, max(1, 4/element))
}

// tiled returns the elements of a tensor in the layout in which the fewest are padding:
// XLA chooses which two dimensions are in tiles. Numbers of fewer than 32 bits share
// places with those of the next rows.
func tiled(dims []int, packed int) int {
	all, best := 1, 0
	for _, d := range dims {
		all *= d
	}
	for i, columns := range dims {
		for k, rows := range dims {
			if i == k {
				continue
			}
			n := all / columns / rows * roundUp(columns, tileColumns) * roundUp(rows, min(tileRows, max(packed, powerOfTwo(rows))))
			if best == 0 || n < best {
				best = n
			}
		}
	}
	return best
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// powerOfTwo returns the smallest power of two that is at least n.
func powerOfTwo(n int) int { return 1 << bits.Len(uint(n-1)) }
