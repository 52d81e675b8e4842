package reshard

// This file computes how neighbours exchange elements where the blocks of a
// dimension change their length.

// Blocks describes a Reblock: a dimension of Size elements whose block i
// starts at i·From gets blocks that start at i·To.
//
// Where blocks grow, block i needs elements to the right of its own, else to
// its left; further away the larger i is. Each device collects Halo elements
// next to its block, from one or more neighbours, and cuts its new block out
// of what it then has, at Start(i).
type Blocks struct {
	Size, From, To int
}

// Blocks returns the exchange of a Reblock.
func (s Step) Blocks() Blocks { return Blocks{s.Dims[s.Dim], s.Before[s.Dim], s.After[s.Dim]} }

// Grows reports whether blocks become longer: the halo is to the right.
func (b Blocks) Grows() bool { return b.To > b.From }

// last returns the number of the last new block that holds an element.
func (b Blocks) last() int { return max(0, ceil(b.Size, b.To)-1) }

// Halo returns the number of elements that a device collects.
func (b Blocks) Halo() int {
	if b.Grows() {
		return max(0, b.last()*(b.To-b.From), b.Size-(b.last()+1)*b.From)
	}
	return b.last() * (b.From - b.To)
}

// Own returns how many elements of its own block a device uses.
func (b Blocks) Own() int { return min(b.From, b.To) }

// Length returns the number of elements that a new block is cut out of: the
// halo and the own ones, and where blocks grow padding at the end.
func (b Blocks) Length() int {
	if b.Grows() {
		return b.last()*(b.To-b.From) + b.To
	}
	return b.Halo() + b.To
}

// Start returns where new block i starts, as Base + i·Stride.
func (b Blocks) Start() (base, stride int) {
	if b.Grows() {
		return 0, b.To - b.From
	}
	return b.Halo(), b.To - b.From
}

// Piece is a part of a halo: the indices [Start, Limit) of the block of the
// device whose axis_index is larger by Offset.
type Piece struct{ Offset, Start, Limit int }

// Pieces returns the parts of the halo from left to right.
func (b Blocks) Pieces() []Piece {
	var out []Piece
	for got := 0; got < b.Halo(); got += b.From {
		n := min(b.From, b.Halo()-got)
		offset := got/b.From + 1
		if b.Grows() {
			out = append(out, Piece{offset, 0, n})
			continue
		}
		out = append([]Piece{{-offset, b.From - n, b.From}}, out...)
	}
	return out
}

func ceil(a, b int) int {
	if b == 0 {
		return 0
	}
	return (a + b - 1) / b
}
