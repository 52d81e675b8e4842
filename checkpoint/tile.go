package checkpoint

// This file cuts tensors into tiles and copies boxes of elements.

import "github.com/gospmd/gospmd/layout"

// tileSize bounds the bytes of a tile: what is read to verify a single element.
const tileSize = 1 << 20

// tile is a box of a tensor, stored in one piece.
type tile struct {
	Start  []int  `json:"start"`
	Count  []int  `json:"count"`
	Offset int64  `json:"offset"`
	Sum    uint32 `json:"crc32c"`
}

func boxOf(ranges []layout.Range) (start, count []int) {
	start, count = make([]int, len(ranges)), make([]int, len(ranges))
	for i, r := range ranges {
		start[i], count[i] = r.Start, r.Len()
	}
	return start, count
}

// tileShape returns the shape of the tiles of a box: its largest dimension is
// halved until the elements, of elem bytes, fit. Tiles are so about as long as
// they are wide, and a reader of rows and one of columns both read little more
// than what is theirs.
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

// eachTile calls visit with the tiles of a box of count elements: their start
// in the box and their shape, which visit must not keep.
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

// overlap returns the box that two boxes share, as starts in each and a count;
// ok is false when there is none.
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
