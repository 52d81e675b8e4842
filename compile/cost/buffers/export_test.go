package buffers

// This file lets external tests place blocks that come from no program.

// Block is a block of the heap: its size in bytes, and the times in which it is in use, in ascending
// order, each with its first and its last time.
type Block struct {
	Size  int
	Spans [][2]int
}

func blocksOf(list []Block) (out []*block) {
	for _, b := range list {
		x := &block{size: b.Size}
		for _, s := range b.Spans {
			x.spans = append(x.spans, span{s[0], s[1]})
		}
		out = append(out, x)
	}
	return out
}

// Place returns the size of the heap that the blocks take, if they are placed in this order.
func Place(list []Block) int { return placeAll(blocksOf(list)) }

// Splits returns the number of parts in which XLA for GPUs computes the product op.
var Splits = splits
