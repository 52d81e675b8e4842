package buffers

// This file computes the memory of arguments and results. TPUs store them in tiles, and also
// temporary values (rows.go, kept.go).

import (
	"math/bits"

	"github.com/gospmd/gospmd/ir"
)

// The tile of a TPU is a register of 8 rows of 128 32-bit numbers. For fewer rows there are smaller
// tiles; a vector has tiles of up to 1024 numbers (XLA's documentation, Tiled layout).
const (
	tileColumns = 128
	tileRows    = 8
	vectorTile  = tileColumns * tileRows
)

// Bytes returns the bytes of memory that an argument or a result of type t takes: on TPUs those of
// whole tiles, in the layout with the least padding, and otherwise those of its elements.
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
	return element * tiledElements(t.Dims, max(1, 4/element))
}

// RowBytes returns the bytes of memory of a tensor of type t whose last dimension is along the
// columns of tiles. Without tiles, or below rank 2, it is Bytes.
func (m Model) RowBytes(t ir.Type) int {
	if m != TPU || t.Rank() < 2 {
		return m.Bytes(t)
	}
	element := max(1, ir.ElementBytes(t.DType))
	n := t.Rank()
	return element * t.Size() / max(1, t.Dims[n-1]*t.Dims[n-2]) * paddedElements(t.Dims[n-1], t.Dims[n-2], max(1, 4/element))
}

// paddedElements returns the number of elements in the tiles of a matrix, whose padding counts too.
// packed is the number of rows that share a place of 32 bits.
func paddedElements(columns, rows, packed int) int {
	return roundUp(columns, tileColumns) * roundUp(rows, min(tileRows, max(packed, powerOfTwo(rows))))
}

// tiledElements returns the number of elements that the tiles of a tensor with these dimensions,
// two or more and none of them 0, have room for. XLA chooses the two dimensions that tiles are
// over, so that there is least padding. packed is how many numbers share 32 bits: numbers of fewer
// bits share places with those of the next rows.
func tiledElements(dims []int, packed int) int {
	all, best := 1, 0
	for _, d := range dims {
		all *= d
	}
	for i, columns := range dims {
		for k, rows := range dims {
			if i == k {
				continue
			}
			n := all / columns / rows * paddedElements(columns, rows, packed)
			if best == 0 || n < best {
				best = n
			}
		}
	}
	return best
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// powerOfTwo returns the smallest power of two that is at least n, which must be positive.
func powerOfTwo(n int) int { return 1 << bits.Len(uint(n-1)) }
