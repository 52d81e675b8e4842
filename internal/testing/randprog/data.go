package randprog

// This file adds ops to random programs that pick, window and reduce.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
)

// wideOp appends one of the further ops, made from v, and reports whether it
// did.
func (p *program) wideOp(v *ir.Value) bool {
	makers := []func(*ir.Value) bool{
		p.convolution, p.gather, p.scatter, p.dynamicSlice, p.dynamicUpdateSlice, p.pad, p.reduce, p.reduceWindow,
		p.selectOp, p.iota, p.scalarConstant, p.constant, p.sort, p.cholesky, p.customCall, p.group, p.barrier,
		p.optimizationBarrier, p.whileLoop, p.caseOp, p.manualComputation, p.namedComputation, p.call,
	}
	if p.r.IntN(2) == 0 {
		return false
	}
	return makers[p.r.IntN(len(makers))](v)
}

// infer appends an op whose type follows from its operands; what does not fit
// is left out.
func (p *program) infer(kind ir.OpKind, attrs ir.Attrs, regions []*ir.Block, operands ...*ir.Value) bool {
	op, err := p.b.OpWithRegions(kind, attrs, regions, operands...)
	if err != nil {
		return false
	}
	p.annotate(op, 0.1)
	return p.results(op)
}

// annotate gives op's results shardings with probability prob each; where one has
// one, the others are open, as the text has it.
func (p *program) annotate(op *ir.Op, prob float64) {
	annotated := false
	for _, r := range op.Results {
		r.Sharding = p.sharding(r.Type.Rank(), prob)
		annotated = annotated || r.Sharding != nil
	}
	for _, r := range op.Results {
		if annotated && r.Sharding == nil {
			r.Sharding = layout.OpenSharding(p.mesh, r.Type.Rank())
		}
	}
}

// index returns a value of integers.
func (p *program) index(dims ...int) *ir.Value {
	t := ir.Tensor(dtypes.Int32, dims...)
	if p.isolated || p.r.IntN(2) == 0 {
		return p.b.Typed(ir.OpConstant, ir.Attrs{attr("value", ir.Splat(t, 0))}, []ir.Type{t}).Result()
	}
	return p.f.AddParam("", t, p.sharding(len(dims), 0.4))
}

// scalar returns a scalar constant of v's element type.
func (p *program) scalar(t ir.Type) *ir.Value {
	s := ir.Tensor(t.DType)
	return p.b.Typed(ir.OpConstant, ir.Attrs{attr("value", ir.Splat(s, 0))}, []ir.Type{s}).Result()
}

// body returns a block that applies kind to two scalars for each of n values:
// a comparison, as sort has it, to the first two of its arguments, any other op
// to one from either half of them.
func (p *program) body(kind ir.OpKind, n int) *ir.Block {
	b := &ir.Block{}
	t := ir.Tensor(dtypes.Float32)
	for range 2 * n {
		b.AddArg(t)
	}
	nb := ir.NewBuilder(b)
	var out []*ir.Value
	if kind == ir.OpCompare {
		op := nb.Typed(kind, ir.Attrs{attr("comparison_direction", ir.Enum("LT"))}, []ir.Type{ir.Tensor(dtypes.Bool)}, b.Args[0], b.Args[1])
		out = op.Results
	} else {
		for i := range n {
			out = append(out, nb.Typed(kind, nil, []ir.Type{t}, b.Args[i], b.Args[n+i]).Result())
		}
	}
	b.Append(ir.NewOp(ir.OpReturn, out, nil, nil))
	return b
}

// some returns v, and at times another value of its type.
func (p *program) some(v *ir.Value) []*ir.Value {
	if p.r.IntN(2) == 0 {
		return []*ir.Value{v}
	}
	return []*ir.Value{v, p.like(v)}
}

func (p *program) convolution(*ir.Value) bool {
	groups := []int{1, 1, 2}[p.r.IntN(3)]
	batchGroups := 1
	if groups == 1 && p.r.IntN(4) == 0 {
		batchGroups = 2
	}
	size, window := []int{4, 6, 8}[p.r.IntN(3)], 1+p.r.IntN(3)
	in, out := groups*(1+p.r.IntN(4)), groups*batchGroups*(1+p.r.IntN(4))
	batch := batchGroups * (1 + p.r.IntN(4))
	lhs := p.ofDims([]int{batch, size, size, in})
	rhs := p.ofDims([]int{window, window, in / groups, out})
	attrs := ir.Attrs{
		attr("dimension_numbers", &ir.ConvDims{
			InputBatch: 0, InputFeature: 3, InputSpatial: []int{1, 2},
			KernelSpatial: []int{0, 1}, KernelInputFeature: 2, KernelOutputFeature: 3,
			OutputBatch: 0, OutputFeature: 3, OutputSpatial: []int{1, 2},
		}),
		attr("feature_group_count", ir.Int(groups)), attr("batch_group_count", ir.Int(batchGroups)),
	}
	if p.r.IntN(2) == 0 {
		attrs = append(attrs, attr("window_strides", ir.Ints{1 + p.r.IntN(2), 1}))
	}
	if p.r.IntN(2) == 0 {
		attrs = append(attrs, attr("padding", ir.IntMatrix([][]int{{window / 2, window / 2}, {0, 1}}, 2)))
	}
	return p.infer(ir.OpConvolution, attrs, nil, lhs, rhs)
}

// gather takes full or partial slices along one dimension, batched at times.
func (p *program) gather(v *ir.Value) bool {
	t := v.Type
	if t.Rank() < 1 {
		return false
	}
	d := p.r.IntN(t.Rank())
	g := &ir.GatherDims{StartIndexMap: []int{d}}
	sizes := slices.Clone(t.Dims)
	indices := p.dims(1 + p.r.IntN(2))
	if collapse := p.r.IntN(2) == 0; collapse {
		g.CollapsedSliceDims = []int{d}
		sizes[d] = 1
	} else {
		sizes[d] = 1 + p.r.IntN(t.Dims[d])
	}
	if b := (d + 1) % t.Rank(); t.Rank() > 1 && p.r.IntN(3) == 0 {
		g.OperandBatchingDims, g.IndicesBatchingDims = []int{b}, []int{0}
		sizes[b], indices[0] = 1, t.Dims[b]
	}
	g.IndexVectorDim = len(indices)
	n := len(sizes) - len(g.CollapsedSliceDims) - len(g.OperandBatchingDims)
	for i := range n {
		g.OffsetDims = append(g.OffsetDims, len(indices)+i)
	}
	return p.infer(ir.OpGather, ir.Attrs{attr("dimension_numbers", g), attr("slice_sizes", ir.Ints(sizes))}, nil, v, p.index(indices...))
}

// scatter adds or stores updates along one dimension.
func (p *program) scatter(v *ir.Value) bool {
	t := v.Type
	d := p.r.IntN(t.Rank())
	s := &ir.ScatterDims{ScatterDimsToOperandDims: []int{d}, InsertedWindowDims: []int{d}}
	indices := p.dims(1)
	s.IndexVectorDim = 1
	updates := slices.Clone(indices)
	for i, size := range t.Dims {
		if i != d {
			s.UpdateWindowDims = append(s.UpdateWindowDims, len(updates))
			updates = append(updates, size)
		}
	}
	kind := []ir.OpKind{ir.OpAdd, ir.OpMaximum, ir.OpSubtract}[p.r.IntN(3)]
	return p.infer(ir.OpScatter, ir.Attrs{attr("scatter_dimension_numbers", s)}, []*ir.Block{p.body(kind, 1)}, v, p.index(indices...), p.ofDims(updates))
}

func (p *program) starts(rank int) []*ir.Value {
	out := make([]*ir.Value, rank)
	for i := range out {
		out[i] = p.index()
	}
	return out
}

func (p *program) dynamicSlice(v *ir.Value) bool {
	sizes := slices.Clone(v.Type.Dims)
	d := p.r.IntN(len(sizes))
	sizes[d] = 1 + p.r.IntN(sizes[d])
	return p.infer(ir.OpDynamicSlice, ir.Attrs{attr("slice_sizes", ir.Ints(sizes))}, nil, append([]*ir.Value{v}, p.starts(len(sizes))...)...)
}

func (p *program) dynamicUpdateSlice(v *ir.Value) bool {
	sizes := slices.Clone(v.Type.Dims)
	d := p.r.IntN(len(sizes))
	sizes[d] = 1 + p.r.IntN(sizes[d])
	return p.infer(ir.OpDynamicUpdateSlice, nil, nil, append([]*ir.Value{v, p.ofDims(sizes)}, p.starts(len(sizes))...)...)
}

func (p *program) pad(v *ir.Value) bool {
	low, high, inner := make(ir.Ints, v.Type.Rank()), make(ir.Ints, v.Type.Rank()), make(ir.Ints, v.Type.Rank())
	d := p.r.IntN(len(low))
	low[d], high[d], inner[d] = p.r.IntN(2), 1+p.r.IntN(2), p.r.IntN(2)
	return p.infer(ir.OpPad, ir.Attrs{attr("edge_padding_low", low), attr("edge_padding_high", high), attr("interior_padding", inner)}, nil, v, p.scalar(v.Type))
}

func (p *program) reduce(v *ir.Value) bool {
	operands := p.some(v)
	n := len(operands)
	for range n {
		operands = append(operands, p.scalar(v.Type))
	}
	return p.infer(ir.OpReduce, ir.Attrs{attr("dimensions", ir.Ints{p.r.IntN(v.Type.Rank())})}, []*ir.Block{p.body(ir.OpAdd, n)}, operands...)
}

func (p *program) reduceWindow(v *ir.Value) bool {
	rank := v.Type.Rank()
	window, strides := ir.Ints(slices.Repeat([]int{1}, rank)), ir.Ints(slices.Repeat([]int{1}, rank))
	d := p.r.IntN(rank)
	window[d] = 1 + p.r.IntN(min(3, v.Type.Dims[d]))
	strides[d] = 1 + p.r.IntN(2)
	return p.infer(ir.OpReduceWindow, ir.Attrs{attr("window_dimensions", window), attr("window_strides", strides)}, []*ir.Block{p.body(ir.OpMaximum, 1)}, v, p.scalar(v.Type))
}

func (p *program) selectOp(v *ir.Value) bool {
	t := v.Type
	t.DType = dtypes.Bool
	w := p.like(v)
	pred := p.b.Typed(ir.OpCompare, ir.Attrs{attr("comparison_direction", ir.Enum("GT"))}, []ir.Type{t}, v, w).Result()
	return p.infer(ir.OpSelect, nil, nil, pred, v, p.like(v))
}

func (p *program) iota(v *ir.Value) bool {
	p.add(ir.OpIota, ir.Attrs{attr("iota_dimension", ir.Int(p.r.IntN(v.Type.Rank())))}, v.Type)
	return true
}

// scalarConstant broadcasts a scalar and uses it twice.
func (p *program) scalarConstant(v *ir.Value) bool {
	s := p.scalar(v.Type)
	w := p.add(ir.OpBroadcastInDim, ir.Attrs{attr("broadcast_dimensions", ir.Ints{})}, v.Type, s)
	p.add(ir.OpAdd, nil, v.Type, v, w)
	p.add(ir.OpMultiply, nil, v.Type, w, p.like(v))
	return true
}

// constant uses a constant, and what is computed from it, twice.
func (p *program) constant(v *ir.Value) bool {
	c := p.add(ir.OpConstant, ir.Attrs{attr("value", ir.Splat(v.Type, 2))}, v.Type)
	w := p.add(ir.OpTanh, nil, v.Type, c)
	p.add(ir.OpAdd, nil, v.Type, v, w)
	p.add(ir.OpMultiply, nil, v.Type, w, c)
	return true
}

func (p *program) sort(v *ir.Value) bool {
	operands := p.some(v)
	return p.infer(ir.OpSort, ir.Attrs{attr("dimension", ir.Int(p.r.IntN(v.Type.Rank())))}, []*ir.Block{p.body(ir.OpCompare, len(operands))}, operands...)
}

func (p *program) cholesky(*ir.Value) bool {
	return p.infer(ir.OpCholesky, ir.Attrs{attr("lower", ir.Bool(true))}, nil, p.ofDims([]int{4, 8, 8}))
}

func (p *program) customCall(v *ir.Value) bool {
	operands, attrs := []*ir.Value{v}, ir.Attrs{attr("call_target_name", ir.String("opaque")), attr("has_side_effect", ir.Bool(p.r.IntN(2) == 0))}
	if p.r.IntN(2) == 0 {
		operands = append(operands, p.pick())
		attrs = append(attrs, attr("sdy.sharding_rule", ir.Raw(p.rule(operands[0].Type, operands[1].Type))))
	}
	p.add(ir.OpCustomCall, attrs, v.Type, operands...)
	return true
}

// rule returns a rule for an op of one operand of each type and a result of
// the first. Its dimensions have up to two factors each; the second operand
// shares some of them.
func (p *program) rule(first, second ir.Type) string {
	names := []string{"i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v"}
	var sizes []int
	dims := func(t ir.Type, shared int) string {
		var b strings.Builder
		used := make(map[int]bool)
		b.WriteString("[")
		for d, size := range t.Dims {
			if d > 0 {
				b.WriteString(", ")
			}
			if f := slices.Index(sizes[:shared], size); f >= 0 && !used[f] && p.r.IntN(3) > 0 {
				used[f] = true
				b.WriteString(names[f])
				continue
			}
			if p.r.IntN(2) == 0 && size%2 == 0 && size > 2 {
				b.WriteString(names[len(sizes)])
				sizes = append(sizes, size/2)
				size = 2
			}
			b.WriteString(names[len(sizes)])
			sizes = append(sizes, size)
		}
		b.WriteString("]")
		return b.String()
	}
	a := dims(first, 0)
	shared := len(sizes)
	b := dims(second, shared)
	var text []string
	var blocked, special []string
	kind := []string{"reduction", "need_replication", "permutation"}[p.r.IntN(3)]
	for f, size := range sizes {
		text = append(text, fmt.Sprintf("%s=%d", names[f], size))
		if p.r.IntN(8) == 0 {
			blocked = append(blocked, names[f])
		}
		if p.r.IntN(6) == 0 && (kind != "reduction" || f >= shared) {
			special = append(special, names[f])
		}
	}
	rule := fmt.Sprintf("(%s, %s)->(%s) {%s}", a, b, a, strings.Join(text, ", "))
	if len(special) > 0 {
		rule += fmt.Sprintf(" %s={%s}", kind, strings.Join(special, ", "))
	}
	if len(blocked) > 0 {
		rule += fmt.Sprintf(" blocked_propagation={%s}", strings.Join(blocked, ", "))
	}
	return "#sdy.op_sharding_rule<" + rule + ", custom>"
}

// group puts two values into a sharding group.
func (p *program) group(v *ir.Value) bool {
	if p.depth > 0 {
		return false
	}
	id := attr("group_id", ir.Int(p.r.IntN(3)))
	op := func(w *ir.Value) { p.b.Insert(ir.NewOp(ir.OpShardingGroup, []*ir.Value{w}, ir.Attrs{id}, nil)) }
	w := p.like(v)
	if w == v || p.grouped != nil && !p.grouped.Equal(v.Type) {
		return false // all groups of one shape: they may come to share a value
	}
	p.grouped = &v.Type
	op(v)
	op(w)
	return true
}

func (p *program) barrier(v *ir.Value) bool {
	cases := []string{"NONE", "FORWARD", "BACKWARD"}
	p.add(ir.OpPropagationBarrier, ir.Attrs{attr("allowed_direction", ir.Enum(cases[p.r.IntN(3)]))}, v.Type, v)
	return true
}
