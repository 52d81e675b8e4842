package randprog

// This file makes random programs with random partial shardings.

import (
	"math/rand/v2"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// program builds one program; all choices come from r.
type program struct {
	r      *rand.Rand
	m      *ir.Module
	f      *ir.Func
	b      *ir.Builder
	mesh   *mesh.DeviceMesh
	others []*mesh.DeviceMesh // further meshes, which few shardings are on
	values []*ir.Value
	Options
	// isolated: the block may use nothing but its own arguments.
	isolated bool
	inFunc   bool // the block is in a function that main calls
	depth    int
	manual   []string // axes that shardings here must not name
	funcs    []*ir.Func
	grouped  *ir.Type // the type of values in sharding groups
}

// Options state what a random program may hold.
type Options struct {
	Priorities bool // user priorities of some dimensions
	Wide       bool // the ops of data.go and control.go
	Calls      bool // calls, and no named computations
	Meshes     bool // several meshes, some of them without axes
	Unreduced  bool // unreduced sums
}

// New returns a program of about n ops.
func New(seed uint64, n int, o Options) *ir.Module {
	p := &program{r: rand.New(rand.NewPCG(seed, 1)), m: &ir.Module{}, f: ir.NewFunc("main"), Options: o}
	p.m.Funcs = append(p.m.Funcs, p.f)
	p.b = ir.NewBuilder(p.f.Body)
	var shape []int
	var names []string
	for i := range 1 + p.r.IntN(3) {
		shape = append(shape, []int{2, 2, 2, 4, 4, 3, 6, 8, 12}[p.r.IntN(9)])
		names = append(names, string(rune('a'+i)))
	}
	dm, err := mesh.New(shape, names, nil)
	if err != nil {
		panic(err)
	}
	p.mesh = p.m.AddMesh("mesh", dm)
	if o.Meshes {
		p.addMeshes(shape, names)
	}
	for o.Calls && len(p.funcs) < 3 && p.r.IntN(2) == 0 {
		p.function()
	}
	for range 1 + p.r.IntN(3) {
		t := ir.Tensor(dtypes.Float32, p.dims(1+p.r.IntN(3))...)
		p.values = append(p.values, p.f.AddParam("", t, p.sharding(t.Rank(), 0.6)))
	}
	for p.f.Body.Len() < n {
		p.op()
	}
	var out []*ir.Value
	for _, v := range p.values {
		if !v.IsArg() && !v.HasUses() { // Shardy's driver drops dead ops
			out = append(out, v)
		}
	}
	p.f.Return(out...)
	p.m.Funcs = append(p.m.Funcs, p.funcs...)
	for i := range p.f.Results {
		p.f.Results[i].Sharding = p.sharding(out[i].Type.Rank(), 0.2)
	}
	return p.m
}

func (p *program) dims(rank int) []int {
	out := make([]int, rank)
	for i := range out {
		out[i] = []int{1, 2, 3, 4, 4, 5, 6, 8, 8, 10, 12, 16}[p.r.IntN(12)]
	}
	return out
}

// sharding returns a random sharding with probability prob, else nil.
func (p *program) sharding(rank int, prob float64) *layout.Sharding {
	if p.r.Float64() >= prob {
		return nil
	}
	return p.shardingOn(p.anyMesh(), rank)
}

// shardingOn returns a random sharding on dm.
func (p *program) shardingOn(dm *mesh.DeviceMesh, rank int) *layout.Sharding {
	s := layout.OpenSharding(dm, rank)
	if dm.IsMaximal() {
		s.Dims = nil
		return s
	}
	axes := p.axes(dm)
	for d := range s.Dims {
		s.Dims[d].Open = p.r.IntN(2) == 0
		if p.Priorities && p.r.IntN(3) == 0 {
			s.Dims[d].Priority = 1 + p.r.IntN(2)
		}
	}
	for _, a := range axes {
		switch k := p.r.IntN(8); {
		case k == 0:
			s.Replicated = append(s.Replicated, a)
		case k == 5 && p.Unreduced && p.r.IntN(2) == 0:
			s.Unreduced = append(s.Unreduced, a)
		case k < 5 && rank > 0:
			d := p.r.IntN(rank)
			s.Dims[d].Axes = append(s.Dims[d].Axes, a)
		}
	}
	for d := range s.Dims {
		s.Dims[d].Axes = dm.MergeRefs(s.Dims[d].Axes)
		if len(s.Dims[d].Axes) == 0 && !s.Dims[d].Open {
			s.Dims[d].Priority = 0 // empty closed dimensions may have none
		}
	}
	for _, list := range []*[]mesh.AxisRef{&s.Replicated, &s.Unreduced} {
		slices.SortFunc(*list, dm.CompareRefs)
		*list = dm.MergeRefs(*list)
	}
	return s
}

// addMeshes lists meshes beside the first: one that equals it, one with other
// axes, one whose devices stand in another order, one without axes, and one
// that is a single device.
func (p *program) addMeshes(shape []int, names []string) {
	devices := slices.Clone(p.mesh.Devices())
	slices.Reverse(devices)
	for _, c := range []struct {
		name    string
		shape   []int
		axes    []string
		devices []int
	}{
		{"same", shape, names, nil},
		{"other", []int{4, 2}, []string{"a", "z"}, nil},
		{"reversed", shape, names, devices},
		{"empty", nil, nil, nil},
		{"single", nil, nil, []int{1}},
	} {
		if p.r.IntN(2) == 0 {
			continue
		}
		dm, err := mesh.New(c.shape, c.axes, c.devices)
		if err != nil {
			panic(err)
		}
		p.m.Meshes = append(p.m.Meshes, ir.NamedMesh{Name: c.name, Mesh: dm})
		p.others = append(p.others, dm)
	}
}

// anyMesh returns the first mesh, mostly.
func (p *program) anyMesh() *mesh.DeviceMesh {
	if len(p.others) > 0 && len(p.manual) == 0 && p.r.IntN(6) == 0 {
		return p.others[p.r.IntN(len(p.others))]
	}
	return p.mesh
}

// axes returns dm's axes in random order, some split into two or three sub-axes.
func (p *program) axes(dm *mesh.DeviceMesh) []mesh.AxisRef {
	var out []mesh.AxisRef
	for _, a := range dm.Axes() {
		if slices.Contains(p.manual, a.Name) {
			continue
		}
		if a.Size < 4 || p.r.IntN(4) > 0 {
			out = append(out, mesh.FullAxis(a.Name))
			continue
		}
		first := 2
		if a.Size%3 == 0 && p.r.IntN(2) == 0 {
			first = 3
		}
		rest := a.Size / first
		out = append(out, mesh.SubAxisRef(a.Name, 1, first))
		if rest%2 == 0 && rest > 2 && p.r.IntN(2) == 0 {
			out = append(out, mesh.SubAxisRef(a.Name, first, 2), mesh.SubAxisRef(a.Name, 2*first, rest/2))
			continue
		}
		out = append(out, mesh.SubAxisRef(a.Name, first, rest))
	}
	p.r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// pick returns a random value, recent ones more often.
func (p *program) pick() *ir.Value {
	n := len(p.values)
	if p.r.IntN(2) == 0 {
		return p.values[max(0, n-1-p.r.IntN(2))]
	}
	return p.values[p.r.IntN(n)]
}

// like returns a value of v's type, v itself if there is no other.
func (p *program) like(v *ir.Value) *ir.Value {
	for range 10 {
		if w := p.pick(); w.Type.Equal(v.Type) {
			return w
		}
	}
	if p.r.IntN(2) == 0 {
		return p.param(v.Type.Dims...)
	}
	return v
}

// param adds a parameter.
func (p *program) param(dims ...int) *ir.Value {
	t := ir.Tensor(dtypes.Float32, dims...)
	if p.isolated {
		return p.add(ir.OpConstant, ir.Attrs{attr("value", ir.Splat(t, float64(p.r.IntN(3))))}, t)
	}
	v := p.f.AddParam("", t, p.sharding(len(dims), 0.4))
	p.values = append(p.values, v)
	return v
}

// add appends an op and gives its result a sharding now and then.
func (p *program) add(kind ir.OpKind, attrs ir.Attrs, t ir.Type, operands ...*ir.Value) *ir.Value {
	op := p.b.Typed(kind, attrs, []ir.Type{t}, operands...)
	op.Result().Sharding = p.sharding(t.Rank(), 0.1)
	p.values = append(p.values, op.Result())
	return op.Result()
}

func attr(name string, a ir.Attr) ir.NamedAttr { return ir.NamedAttr{Name: name, Value: a} }

// op appends a random op.
func (p *program) op() {
	v := p.pick()
	t := v.Type
	rank := t.Rank()
	if rank == 0 {
		p.add(ir.OpBroadcastInDim, ir.Attrs{attr("broadcast_dimensions", ir.Ints{})}, t.WithDims(p.dims(2)), v)
		return
	}
	if p.Wide && p.wideOp(v) {
		return
	}
	d := p.r.IntN(rank)
	dims := slices.Clone(t.Dims)
	switch p.r.IntN(16) {
	case 0:
		p.add(ir.OpTanh, nil, t, v)
	case 1, 2, 3:
		p.add(ir.OpAdd, nil, t, v, p.like(v))
	case 4:
		if s := p.shardingOn(p.mesh, rank); s != nil {
			kind := ir.OpShardingConstraint
			if p.Wide && p.r.IntN(4) == 0 {
				kind = ir.OpReshard
			}
			op := p.b.Typed(kind, ir.Attrs{attr("sharding", ir.ShardingAttr{Sharding: s})}, []ir.Type{t}, v)
			p.values = append(p.values, op.Result())
		}
	case 5:
		perm := p.r.Perm(rank)
		for i, from := range perm {
			dims[i] = t.Dims[from]
		}
		p.add(ir.OpTranspose, ir.Attrs{attr("permutation", ir.Ints(perm))}, t.WithDims(dims), v)
	case 6, 7:
		p.add(ir.OpReshape, nil, t.WithDims(p.refactor(t.Size())), v)
	case 8:
		out := p.dims(rank + 1)
		at := p.r.IntN(rank + 1)
		var from ir.Ints
		for i, size := range t.Dims {
			j := i
			if i >= at {
				j++
			}
			if size != 1 || p.r.IntN(2) == 0 {
				out[j] = size
			}
			from = append(from, j)
		}
		p.add(ir.OpBroadcastInDim, ir.Attrs{attr("broadcast_dimensions", from)}, t.WithDims(out), v)
	case 9, 10, 11:
		n := p.dims(1)[0]
		dot := &ir.DotDims{LHSContracting: []int{d}}
		rhs := []int{t.Dims[d], n}
		dot.RHSContracting = []int{0}
		out := slices.Delete(slices.Clone(dims), d, d+1)
		if rank > 1 && p.r.IntN(2) == 0 {
			b := (d + 1) % rank
			dot.LHSBatch, dot.RHSBatch = []int{b}, []int{2}
			rhs = append(rhs, t.Dims[b])
			i := b
			if b > d {
				i--
			}
			out = slices.Insert(slices.Delete(out, i, i+1), 0, t.Dims[b])
		}
		out = append(out, n)
		p.add(ir.OpDotGeneral, ir.Attrs{attr("dot_dimension_numbers", dot)}, t.WithDims(out), v, p.ofDims(rhs))
	case 12:
		dims[d] = 1 + p.r.IntN(dims[d])
		p.add(ir.OpSlice, ir.Attrs{
			attr("start_indices", make(ir.Ints, rank)), attr("limit_indices", ir.Ints(dims)), attr("strides", ir.Ints(slices.Repeat([]int{1}, rank))),
		}, t.WithDims(dims), v)
	case 13:
		w := p.like(v)
		dims[d] = 2 * dims[d]
		p.add(ir.OpConcatenate, ir.Attrs{attr("dimension", ir.Int(d))}, t.WithDims(dims), v, w)
	case 14:
		p.add(ir.OpReverse, ir.Attrs{attr("dimensions", ir.Ints{d})}, t, v)
	case 15:
		p.add(ir.OpMultiply, nil, t, p.like(v), v)
	}
}

// refactor returns a random shape of n elements.
func (p *program) refactor(n int) []int {
	var out []int
	for n > 1 {
		var divisors []int
		for k := 2; k <= n; k++ {
			if n%k == 0 {
				divisors = append(divisors, k)
			}
		}
		k := divisors[p.r.IntN(len(divisors))]
		out = append(out, k)
		n /= k
		if p.r.IntN(8) == 0 {
			out = append(out, 1)
		}
	}
	p.r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	if len(out) == 0 {
		return []int{1}
	}
	return out
}

// ofDims returns a value of the given shape.
func (p *program) ofDims(dims []int) *ir.Value {
	for range 10 {
		if w := p.pick(); slices.Equal(w.Type.Dims, dims) {
			return w
		}
	}
	return p.param(dims...)
}
