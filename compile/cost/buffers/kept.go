package buffers

// This file decides how a TPU stores the values of a program. Values that are read only by products
// are stored in 16 bits. The tiles of a value are over the dimensions that products and
// convolutions work on.

import (
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// kept says how the values of a function are stored on a TPU.
type kept struct {
	narrow map[*ir.Value]bool // f32 values that are stored as bf16
	// for operands and results of products and convolutions, and for values computed from them: the
	// two dimensions that tiles are over
	tiles map[*ir.Value][2]int
	// for results of all_to_alls, and what is gathered of them: the two dimensions whose parts move
	// between devices, which are not along the columns of tiles
	moved map[*ir.Value][2]int
	// images of small batches that are divided, and values computed from them: the dimensions of the
	// batch and of the columns (divided.go)
	divided map[*ir.Value][2]int
}

// keptOf finds out which values of b, a function's body, a TPU stores in bf16, and which it stores
// in tiles, with the tiled dimensions.
func keptOf(b *ir.Block) *kept {
	k := &kept{narrow: map[*ir.Value]bool{}, tiles: map[*ir.Value][2]int{}, moved: map[*ir.Value][2]int{}, divided: map[*ir.Value][2]int{}}
	var ops []*ir.Op
	b.Walk(func(op *ir.Op) { ops = append(ops, op) })
	note := func(values []*ir.Value) {
		for _, v := range values {
			if v.Type.DType == dtypes.Float32 && v.HasUses() && k.readNarrow(v) {
				k.narrow[v] = true
			}
		}
	}
	for _, op := range slices.Backward(ops) {
		note(op.Results)
	}
	note(b.Args)
	k.spread(ops)
	for _, op := range ops {
		k.noteMoved(op)
	}
	return k
}

// movers are the ops that move elements of their operands without computing. A value that they read
// is stored as their result is.
var movers = map[ir.OpKind]bool{
	ir.OpReshape: true, ir.OpTranspose: true, ir.OpBroadcastInDim: true, ir.OpSlice: true, ir.OpDynamicSlice: true, ir.OpReverse: true,
	ir.OpPad: true, ir.OpConcatenate: true, ir.OpSPMDAllGather: true, ir.OpSPMDAllToAll: true, ir.OpSPMDPermute: true,
	ir.OpOptimizationBarrier: true,
}

// readNarrow reports whether each user of v, an f32 value, rounds it to bf16, as products do,
// passes it on to a result that is stored in bf16, or only compares it (BFloat16Propagation in
// XLA). k.narrow must have the results of later ops already. Without users it is true.
func (k *kept) readNarrow(v *ir.Value) bool {
	for u := range v.Uses() {
		switch {
		case u.Op.IsContraction():
			if !rounds(u.Op) {
				return false
			}
		case movers[u.Op.Kind]:
			if !k.narrow[u.Op.Results[min(u.Operand, len(u.Op.Results)-1)]] {
				return false
			}
		case u.Op.Kind == ir.OpSelect && u.Operand > 0:
			if !k.narrow[u.Op.Results[0]] {
				return false
			}
		case u.Op.Kind == ir.OpMaximum: // a relu
			if !k.narrow[u.Op.Results[0]] {
				return false
			}
		case u.Op.Kind == ir.OpCompare: // in the kernel that makes v, with a result of bits
		case u.Op.Kind == ir.OpConvert && u.Op.Results[0].Type.DType == dtypes.BFloat16:
		default:
			return false
		}
	}
	return true
}

// rounds reports whether a product of f32 has default precision for all operands, or names none:
// TPUs then multiply in bf16.
func rounds(op *ir.Op) bool {
	precisions, _ := op.Attrs.Get("precision_config").(ir.Array)
	return !slices.ContainsFunc(precisions, func(p ir.Attr) bool { return p != ir.Enum("DEFAULT") })
}

// spread finds the tiles of operands and results of products and convolutions, and of values that
// element-wise or windowed ops compute from them, or they from these. Only values of rank 3 and
// more get tiles, the first that are found.
func (k *kept) spread(ops []*ir.Op) {
	var todo []*ir.Value
	mark := func(v *ir.Value, rows, columns int) (isFirst bool) {
		if _, ok := k.tiles[v]; ok || v.Type.Rank() < 3 {
			return false
		}
		k.tiles[v] = [2]int{rows, columns}
		todo = append(todo, v)
		return true
	}
	for _, op := range ops {
		switch op.Kind {
		case ir.OpConvolution:
			d := op.Convolution().DimensionNumbers()
			images := func(v *ir.Value, batch, features int, spatial []int) {
				rows, columns := tilesOfImages(op, v, batch, features, spatial)
				if mark(v, rows, columns) && rows != batch && v != op.Operands[1] && dividesImages(op) {
					k.divided[v] = [2]int{batch, rows}
				}
			}
			images(op.Operands[0], d.InputBatch, d.InputFeature, d.InputSpatial)
			images(op.Operands[1], d.KernelInputFeature, d.KernelOutputFeature, d.KernelSpatial)
			images(op.Results[0], d.OutputBatch, d.OutputFeature, d.OutputSpatial)
		case ir.OpDotGeneral:
			d := op.DotGeneral().DotDimensionNumbers()
			x, _ := freeDims(op.Operands[0].Type, d.LHSBatch, d.LHSContracting)
			y, _ := freeDims(op.Operands[1].Type, d.RHSBatch, d.RHSContracting)
			if len(d.LHSContracting) > 0 && len(x) > 0 && len(y) > 0 {
				mark(op.Operands[0], d.LHSContracting[len(d.LHSContracting)-1], x[len(x)-1])
				mark(op.Operands[1], d.RHSContracting[len(d.RHSContracting)-1], y[len(y)-1])
				columns := len(d.LHSBatch) + len(x) + len(y) - 1
				mark(op.Results[0], columns-len(y), columns)
			}
		}
	}
	for ; len(todo) > 0; todo = todo[1:] {
		v := todo[0]
		near := func(op *ir.Op) {
			if op == nil || !op.Info().Is(ir.Elementwise) && !windows[op.Kind] {
				return
			}
			for _, list := range [][]*ir.Value{op.Operands, op.Results} {
				for _, w := range list {
					if w.Type.Rank() != v.Type.Rank() || !mark(w, k.tiles[v][0], k.tiles[v][1]) {
						continue
					}
					if d, ok := k.divided[v]; ok {
						k.divided[w] = d
					}
				}
			}
		}
		near(v.Def())
		for u := range v.Uses() {
			near(u.Op)
		}
	}
}

// noteMoved sets k.moved for the results of op, an all_to_all or an all_gather.
func (k *kept) noteMoved(op *ir.Op) {
	for i, v := range op.Results {
		switch op.Kind {
		case ir.OpSPMDAllToAll:
			a := op.SPMDAllToAll()
			k.moved[v] = [2]int{a.SplitDim(), a.ConcatDim()}
		case ir.OpSPMDAllGather:
			if d, ok := k.moved[op.Operands[i]]; ok && slices.Contains(d[:], op.SPMDAllGather().Dim()) {
				k.moved[v] = d
			}
		}
	}
}

// windows are ops, other than element-wise ones, in which each dimension of the result corresponds
// to the same dimension of the operands.
var windows = map[ir.OpKind]bool{
	ir.OpReduceWindow: true, ir.OpSelectAndScatter: true, ir.OpPad: true, ir.OpReverse: true, ir.OpSlice: true, ir.OpConcatenate: true,
	ir.OpSPMDAllReduce: true, ir.OpSPMDAllGather: true, ir.OpSPMDReduceScatter: true,
}

// bytes returns the bytes that result i of node n takes in a TPU's memory, with its tiles and its
// padding.
func (k *kept) bytes(n *node, i int) int {
	t := n.types[i]
	if n.rows {
		return TPU.RowBytes(t)
	}
	if n.shows == nil {
		return TPU.Bytes(t)
	}
	if k.narrow[n.shows] && t.DType == dtypes.Float32 {
		t = t.WithDType(dtypes.BFloat16)
	}
	if d, ok := k.moved[n.shows]; ok && t.Rank() == n.shows.Type.Rank() && t.Rank() > 2 {
		return movedBytes(t, d)
	}
	d, ok := k.tiles[n.shows]
	if !ok || t.Rank() != n.shows.Type.Rank() {
		return foldedBytes(t)
	}
	return min(tiledBytes(t, d[0], d[1]), tiledBytes(t, d[1], d[0]))
}

// tiledBytes returns the memory of a tensor in tiles over two of its dimensions, in the order of
// paddedElements.
func tiledBytes(t ir.Type, i, k int) int {
	element := max(1, ir.ElementBytes(t.DType))
	a, b := t.Dims[i], t.Dims[k]
	return element * t.Size() / max(1, a*b) * paddedElements(a, b, max(1, 4/element))
}

// foldedBytes returns the bytes of a tensor in the layout with the fewest tiles. In such a layout
// neighbouring dimensions are folded into two. Below rank 3 it is TPU.Bytes.
func foldedBytes(t ir.Type) int {
	if t.Rank() < 3 {
		return TPU.Bytes(t)
	}
	best := 0
	for i := 1; i < t.Rank(); i++ {
		rows := 1
		for _, d := range t.Dims[:i] {
			rows *= d
		}
		columns := t.Size() / max(1, rows)
		if n := TPU.RowBytes(ir.Tensor(t.DType, rows, columns)); best == 0 || n < best {
			best = n
		}
	}
	return best
}

// movedBytes returns the memory of a tensor in the layout with the fewest tiles in which neither of
// the two moved dimensions is along their columns.
func movedBytes(t ir.Type, moved [2]int) int {
	best := 0
	for columns := range t.Dims {
		if slices.Contains(moved[:], columns) {
			continue
		}
		for rows := range t.Dims {
			if rows == columns {
				continue
			}
			if n := tiledBytes(t, columns, rows); best == 0 || n < best {
				best = n
			}
		}
	}
	return best
}
