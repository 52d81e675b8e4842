package microbatch

// This file implements Serialize, which makes loops over the micro-batches out of the axis that
// shards the batch.

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Serialize returns the program of m, the per-device form of b.Module, in which each device
// computes one micro-batch after the other. The parameters are the shards of the whole batch. Sums
// of 16-bit floats over the micro-batches are added up in float32. Serialize may change m.
//
// Serialize returns an *Error if the step needs values of several micro-batches other than
// reductions and concatenations of them, if more than maxRounds of those depend on each other, or
// if an op with a side effect would run for each micro-batch.
func (b *Batch) Serialize(m *ir.Module) (*ir.Module, error) {
	f := m.Main()
	b.sink(f.Body)
	b.columns(f)
	r, err := b.rounds(f)
	if err != nil {
		return nil, err
	}
	s := &serializer{rounds: r, from: f, to: ir.NewFunc(f.Name), values: ir.Cloner{}, ran: map[int]bool{}}
	s.build = ir.NewBuilder(s.to.Body)
	s.function()
	out := &ir.Module{Name: m.Name, Attrs: m.Attrs, Funcs: slices.Clone(m.Funcs)}
	out.Funcs[slices.Index(m.Funcs, f)] = s.to
	devices, err := mesh.New(b.devices.Shape(), b.devices.AxisNames(), nil)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	if devices.Size() > 1 {
		out.Meshes = []ir.NamedMesh{{Name: m.Meshes[0].Name, Mesh: devices}}
	}
	b.dropAxis(s.to, devices)
	return out, nil
}

// dropAxis replaces all shardings in f by equal ones on the mesh of devices, without the axis of
// micro-batches.
func (b *Batch) dropAxis(f *ir.Func, devices *mesh.DeviceMesh) {
	moved := map[*layout.Sharding]*layout.Sharding{nil: nil}
	move := func(s *layout.Sharding) *layout.Sharding {
		if out, ok := moved[s]; ok {
			return out
		}
		isAxis := func(a mesh.AxisRef) bool { return a.Name == b.axis }
		out := s.Clone()
		out.Mesh = devices
		for d := range out.Dims {
			out.Dims[d].Axes = slices.DeleteFunc(out.Dims[d].Axes, isAxis)
		}
		out.Unreduced = slices.DeleteFunc(out.Unreduced, isAxis)
		moved[s] = out
		return out
	}
	f.EachValue(func(v *ir.Value) {
		v.Sharding, v.Origins = move(v.Sharding), slices.Clone(v.Origins)
		for i := range v.Origins {
			v.Origins[i].Sharding = move(v.Origins[i].Sharding)
		}
	})
	f.Walk(func(op *ir.Op) {
		for _, a := range op.Attrs {
			if s, ok := a.Value.(ir.ShardingAttr); ok { // of a permute
				op.Attrs = op.Attrs.With(a.Name, ir.ShardingAttr{Sharding: move(s.Sharding)})
			}
		}
	})
}

// serializer makes a function with loops over the micro-batches from a function of one micro-batch.
type serializer struct {
	*rounds
	from, to *ir.Func
	build    *ir.Builder  // at the end of to
	values   ir.Cloner    // values of from that are the same in all micro-batches, to those of to
	ran      map[int]bool // loops that are in to, by number
}

// function builds s.to from s.from: its parameters, with the whole batch where it is divided, then
// the ops that are not only in loops (repeats), in order. The loops come where the first of their
// results is needed.
func (s *serializer) function() {
	f := s.from
	s.to.Private, s.to.Attrs, s.to.Loc = f.Private, f.Attrs, f.Loc
	for i, p := range f.Params() {
		t := p.Type
		if d := s.dims[i]; d >= 0 {
			t = longer(t, d, s.n)
		}
		s.values[p] = s.to.AddParam(p.Name, t, nil)
		s.values[p].Origins = p.Origins
		s.to.ArgAttrs[i] = f.ArgAttrs[i]
	}
	for op := range f.Body.Ops() {
		if !s.repeats(op) {
			s.op(op)
		}
	}
	s.to.Results = slices.Clone(f.Results)
}

// longer returns t with n times as many elements along dimension d.
func longer(t ir.Type, d, n int) ir.Type {
	dims := slices.Clone(t.Dims)
	dims[d] *= n
	return t.WithDims(dims)
}

// repeats reports whether op is only in loops.
func (s *serializer) repeats(op *ir.Op) bool {
	return slices.ContainsFunc(op.Results, func(v *ir.Value) bool { return s.varies[v] })
}

// op appends op to the function, after what it needs. For a collective over the micro-batches it
// appends the loop that computes it, once. An op that is already there is not appended again.
func (s *serializer) op(op *ir.Op) {
	if len(op.Results) > 0 && s.values[op.Results[0]] != nil {
		return
	}
	if n, ok := s.last[op]; ok {
		if !s.ran[n] {
			s.ran[n] = true
			s.loop(n)
		}
		return
	}
	s.operands(op)
	s.build.Insert(s.values.Op(op))
}

// operands appends the ops that compute what op and its regions use and what is the same in all
// micro-batches.
func (s *serializer) operands(op *ir.Op) {
	op.Walk(func(o *ir.Op) {
		for _, v := range o.Operands {
			if def := v.Def(); def != nil && def.Block() == s.from.Body && !s.varies[v] {
				s.op(def)
			}
		}
	})
}

// total is a value that a loop carries: the combined results of the micro-batches so far.
type total struct {
	of   *ir.Value // the operand of the collective
	end  *ir.Op    // the collective
	init *ir.Value // before the first micro-batch
}

// loop appends loop number n, which computes the n-th part of the function for all micro-batches,
// and behind it the ops that make the whole batch's results of the loop's totals.
func (s *serializer) loop(n int) {
	ends, body := s.round(s.from, n)
	for _, op := range slices.Concat(body, ends) {
		s.operands(op)
	}
	s.build.Loc = ends[0].Loc
	var totals []total
	for _, end := range ends {
		for _, v := range end.Operands {
			totals = append(totals, s.total(end, v))
		}
	}
	carried := []*ir.Value{s.index(0)}
	for _, t := range totals {
		carried = append(carried, t.init)
	}
	loop := s.build.While(carried, []*ir.Block{s.condition(carried), s.iteration(carried, totals, body)})
	results := loop.Results[1:]
	for _, end := range ends {
		n := len(end.Operands)
		s.finish(end, results[:n])
		results = results[n:]
	}
}

// total returns the total of v, an operand of the collective end. It appends the total's first
// value: zeros for an all_gather, and else the neutral element of the reduction, which is float32
// for sums of shorter floats.
func (s *serializer) total(end *ir.Op, v *ir.Value) total {
	if end.Kind == ir.OpSPMDAllGather {
		_, minor := s.around(end)
		t := longer(v.Type, end.SPMDAllGather().Dim(), s.n*s.Mesh.RefsSize(minor))
		return total{v, end, s.build.Constant(ir.Splat(t, 0))}
	}
	t, kind := v.Type, end.Reduction()
	if kind == ir.OpAdd && t.DType.IsFloat() && t.DType.Size() < 4 {
		t = t.WithDType(dtypes.Float32)
	}
	neutral, ok := ir.ReductionInit(kind, t.DType)
	if !ok {
		panic(fmt.Sprintf("BUG: an all_reduce by %s over %s", kind, t.DType))
	}
	return total{v, end, s.build.Constant(&ir.Dense{Type: t, Splat: true, Data: neutral.Data})}
}

// index appends the i32 scalar n, and returns it.
func (s *serializer) index(n int) *ir.Value {
	return s.build.Constant(ir.Scalar(dtypes.Int32, float64(n)))
}

// block returns an empty block with arguments of the types of carried values.
func block(carried []*ir.Value) *ir.Block {
	b := &ir.Block{}
	for _, v := range carried {
		b.AddArg(v.Type)
	}
	return b
}

// inside makes s.build append ops to b, until the returned function is called, which restores the
// place before.
func (s *serializer) inside(b *ir.Block) (leave func()) {
	at := s.build.Point()
	s.build.AtEnd(b)
	return func() { s.build.SetPoint(at) }
}

// condition returns the block of the loop's condition: whether the number of the micro-batch, the
// first carried value, is less than s.n.
func (s *serializer) condition(carried []*ir.Value) *ir.Block {
	b := block(carried)
	defer s.inside(b)()
	s.build.Insert(ir.NewOp(ir.OpReturn, []*ir.Value{s.build.Compare(b.Args[0], s.index(s.n), "LT")}, nil, nil))
	return b
}

// iteration returns the block of the loop's body: it takes the parameters' parts of one
// micro-batch, computes body for them, and adds the results to the totals. carried are the loop's
// operands: the number of the micro-batch, and the totals' first values.
func (s *serializer) iteration(carried []*ir.Value, totals []total, body []*ir.Op) *ir.Block {
	b := block(carried)
	defer s.inside(b)()
	at := b.Args[0]
	values := maps.Clone(s.values)
	for i, p := range s.from.Params() {
		if d := s.dims[i]; d >= 0 {
			values[p] = s.build.DynamicSlice(s.values[p], s.startsAt(p.Type, d, at), p.Type.Dims)
			values[p].Origins = p.Origins
		}
	}
	// a result is added up as soon as it is there, so that its memory is free for others
	next := make([]*ir.Value, len(carried))
	add := func(results ...*ir.Value) {
		for i, t := range totals {
			if next[1+i] == nil && slices.Contains(results, t.of) {
				s.build.Loc = t.end.Loc
				next[1+i] = s.add(t, b.Args[1+i], values.Value(t.of), at)
			}
		}
	}
	places := map[string]*ir.Value{}
	place := func(op *ir.Op) *ir.Value {
		axes := op.SPMDAxisIndex().Axes()
		key := layout.AxesText(axes)
		if places[key] == nil {
			places[key] = s.position(axes, at)
		}
		return places[key]
	}
	for _, op := range body {
		s.build.Loc = op.Loc
		if s.isOver(op) { // an axis_index: rounds refuses all others
			values[op.Result()] = place(op)
			add(op.Result())
			continue
		}
		copied := values.Op(op)
		var inside []*ir.Op
		copied.Walk(func(o *ir.Op) {
			if s.isOver(o) {
				inside = append(inside, o)
			}
		})
		for _, o := range inside {
			o.ReplaceWith(place(o))
		}
		s.build.Insert(copied)
		add(op.Results...)
	}
	for _, t := range totals {
		add(t.of) // those that no op of body computes
	}
	next[0] = s.build.Add(at, s.index(1))
	s.build.Insert(ir.NewOp(ir.OpReturn, next, nil, nil))
	return b
}

// startsAt returns the start indices of micro-batch at in a tensor of micro-batches that each have
// type t and follow each other along dimension d.
func (s *serializer) startsAt(t ir.Type, d int, at *ir.Value) []*ir.Value {
	out := slices.Repeat([]*ir.Value{s.index(0)}, t.Rank())
	out[d] = s.build.Multiply(at, s.index(t.Dims[d]))
	return out
}

// position appends the ops of the position along axes, an i32 scalar, for micro-batch at, and
// returns it. The axis of micro-batches is among axes.
func (s *serializer) position(axes []mesh.AxisRef, at *ir.Value) *ir.Value {
	out := s.index(0)
	for _, a := range axes {
		own := at
		if a.Name != s.axis {
			own = s.build.SPMDAxisIndex([]mesh.AxisRef{a})
		}
		out = s.build.Add(s.build.Multiply(out, s.index(s.Mesh.RefSize(a))), own)
	}
	return out
}

// add combines sum, the total of the micro-batches before, with v, the result of micro-batch at,
// and returns the new total. If t scatters, it makes the scatter that computes v start from sum.
func (s *serializer) add(t total, sum, v, at *ir.Value) *ir.Value {
	if t.end.Kind == ir.OpSPMDAllGather {
		dim := t.end.SPMDAllGather().Dim()
		_, minor := s.around(t.end) // they shard each micro-batch
		v = overAxes(s.build, t.end, minor, []*ir.Value{v}, longer(v.Type, dim, s.Mesh.RefsSize(minor)))[0]
		return s.build.DynamicUpdateSlice(sum, v, s.startsAt(v.Type, dim, at))
	}
	if t.scatters() {
		v.Def().SetOperand(0, sum)
		return v
	}
	op, err := s.build.Op(t.end.Reduction(), nil, sum, s.convert(v, t.init.Type.DType))
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return op.Result()
}

// scatters reports whether the results of micro-batches are zeros with updates scattered into them,
// as gradients of tables are. Then the updates are scattered into the total in its place, and a
// micro-batch has no table of its own.
func (t total) scatters() bool {
	op := t.of.Def()
	return op != nil && addsToZeros(op) && t.of.HasOneUse() && t.of.Type.Equal(t.init.Type) && t.end.Reduction() == ir.OpAdd
}

// convert returns v converted to the element type dtype, by an op at s.build, or v itself if it has
// that type.
func (s *serializer) convert(v *ir.Value, dtype dtypes.DType) *ir.Value {
	if v.Type.DType == dtype {
		return v
	}
	return s.build.Convert(v, v.Type.WithDType(dtype))
}

// overAxes appends the collective op over the given axes instead of its own, with other operands
// and types of results, and returns its results. Over no axes they are the operands.
func overAxes(build *ir.Builder, op *ir.Op, axes []mesh.AxisRef, operands []*ir.Value, types ...ir.Type) []*ir.Value {
	if len(axes) == 0 {
		return operands
	}
	return build.Insert(ir.NewOp(op.Kind, operands, op.Attrs.With("axes", ir.AxesAttr(axes)), types)).Results
}

// around returns the axes of the collective end that are major to the axis of micro-batches, and
// those that are minor to it.
func (s *serializer) around(end *ir.Op) (major, minor []mesh.AxisRef) {
	axes := s.axesOf(end)
	at := slices.Index(axes, mesh.FullAxis(s.axis))
	return axes[:at], axes[at+1:]
}

// finish sets the results of the collective end in s.values. It converts the totals of the operands
// back to the operands' types, and appends a collective over the other axes of end if there are
// any: of an all_gather only over the major ones, because add has gathered over the minor ones.
func (s *serializer) finish(end *ir.Op, totals []*ir.Value) {
	s.build.Loc = end.Loc
	operands := make([]*ir.Value, len(end.Operands))
	for i, v := range end.Operands {
		operands[i] = s.convert(totals[i], v.Type.DType)
	}
	axes, minor := s.around(end)
	if end.Kind == ir.OpSPMDAllReduce {
		axes = slices.Concat(axes, minor)
	}
	operands = overAxes(s.build, end, axes, operands, ir.TypesOf(end.Results)...)
	for i, v := range end.Results {
		operands[i].Origins = operands[i].Origins.Add(v.Origins...)
		s.values[v] = operands[i]
	}
}
