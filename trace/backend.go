package trace

// This file implements the compute.Backend and the compute.Builder of a Recorder, which execute
// nothing and hold no data. It also implements compute.Function, except its operations: those are
// in ops_*.go.

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/notimplemented"
	"github.com/gomlx/compute/shapes"

	"github.com/gospmd/gospmd/ir"
)

const backendName = "gospmd-trace"

// backend is a compute.Backend that records graphs and executes nothing.
type backend struct{ r *Recorder }

var _ compute.Backend = (*backend)(nil)

func (b *backend) Name() string   { return backendName }
func (b *backend) String() string { return backendName }
func (b *backend) Description() string {
	return "records GoMLX graphs for gospmd; executes nothing"
}
func (b *backend) NumDevices() int { return 1 }
func (b *backend) DeviceDescription(compute.DeviceNum) string {
	return "no device: a recording executes nothing"
}
func (b *backend) Capabilities() compute.Capabilities  { return unfused }
func (b *backend) Builder(name string) compute.Builder { return &builder{r: b.r, name: name} }
func (b *backend) HasSharedBuffers() bool              { return false }
func (b *backend) Finalize()                           {}
func (b *backend) IsFinalized() bool                   { return false }

func (b *backend) BufferFromFlatData(compute.DeviceNum, any, shapes.Shape) (compute.Buffer, error) {
	return nil, b.r.errorf("BufferFromFlatData", "%w", errNoExecution)
}

func (b *backend) NewSharedBuffer(compute.DeviceNum, shapes.Shape) (compute.Buffer, any, error) {
	return nil, nil, b.r.errorf("NewSharedBuffer", "%w", errNoExecution)
}

var errNoExecution = fmt.Errorf("a recording holds no data and executes nothing: " +
	"return the node from Record, compile the module and run it with package runtime")

// unsupported are the operation types that a recording refuses, or that GoMLX decomposes into
// others. They are the keys. All other types are supported.
var unsupported = map[compute.OpType]bool{
	compute.OpTypeInvalid:              true,
	compute.OpTypeDynamicDimensionSize: true, compute.OpTypeDynamicShape: true, compute.OpTypeDynamicReshape: true,
	compute.OpTypeSelectAndScatterSum: true, // not in compute.StandardOps
	compute.OpTypeAllReduce:           true, compute.OpTypeCollectiveBroadcast: true, compute.OpTypeAllGather: true,
	// these exist only in GoMLX's Go backend
	compute.OpTypeCapturedValue: true, compute.OpTypeBlockForDotGeneral: true,
	compute.OpTypeFusedScaledDotProductAttentionVJP: true,
}

// fusedTypes are the operation types that only a Builder has: those of fused.
var fusedTypes = []compute.OpType{
	compute.OpTypeFusedSoftmax, compute.OpTypeFusedLayerNorm, compute.OpTypeFusedGelu, compute.OpTypeFusedDense,
	compute.OpTypeFusedAttentionQKVProjection, compute.OpTypeFusedScaledDotProductAttention,
	compute.OpTypeFusedQuantizedDense, compute.OpTypeQuantizedEmbeddingLookup,
}

// unfused are the capabilities of the backend of a Recorder: those of a Builder without fused
// operations.
var unfused = func() compute.Capabilities {
	c := capabilities.Clone()
	for _, op := range fusedTypes {
		delete(c.Operations, op)
	}
	return c
}()

// capabilities are those of the backend of a Builder: the operations and element types that can be
// recorded.
var capabilities = func() compute.Capabilities {
	c := compute.Capabilities{
		Operations: make(map[compute.OpType]bool),
		Functions:  true,
		DTypes:     make(map[dtypes.DType]bool),
	}
	for op := compute.OpTypeInvalid; op < compute.OpTypeLast; op++ {
		if !unsupported[op] {
			c.Operations[op] = true
		}
	}
	for _, d := range dtypes.DTypeValues() {
		if _, ok := ir.DTypeFromText(ir.DTypeText(d)); ok {
			c.DTypes[d] = true
		}
	}
	return c
}()

// builder is the compute.Builder of a Recorder, or of a Builder; it records one graph into the
// module of r.
type builder struct {
	r    *Recorder
	name string
	main *function
	dist *distribution // set for a Builder; nil for a Recorder
}

var _ compute.Builder = (*builder)(nil)

func (b *builder) Name() string { return b.name }

func (b *builder) Main() compute.Function {
	if b.main == nil {
		b.main = newFunction(b, compute.MainName, b.r.main.Body)
		b.main.def = b.r.main
	}
	return b.main
}

// NewFunction starts a private function of the module, and returns it. It implements
// compute.Builder. A name that is used twice is an error.
func (b *builder) NewFunction(name string) (compute.Function, error) {
	if b.r.module.Func(name) != nil {
		return nil, b.r.errorf("NewFunction", "the name %q is used twice: function names must be unique", name)
	}
	def := ir.NewFunc(name)
	def.Private, def.Loc = true, b.r.location()
	b.r.module.Funcs = append(b.r.module.Funcs, def)
	f := newFunction(b, name, def.Body)
	f.def = def
	return f, nil
}

func (b *builder) OpShape(v compute.Value) (shapes.Shape, error) {
	x, ok := v.(*ir.Value)
	if !ok || x == nil {
		return shapes.Invalid(), b.r.errorf("OpShape", "got %T, want a value of this recording", v)
	}
	return shapes.Make(x.Type.DType, x.Type.Dims...), nil
}

func (b *builder) DistributedSPMD(int) error {
	return b.r.errorf("DistributedSPMD", "gospmd splits the program itself: record it for one device and annotate it with shardings instead")
}

func (b *builder) DistributedAutoSharding(...compute.Mesh) error {
	return b.r.errorf("DistributedAutoSharding", "gospmd has its own meshes: give Record the mesh, and shardings to Param, Constrain and Output")
}

func (b *builder) DeviceAssignment(...compute.DeviceNum) error {
	return b.r.errorf("DeviceAssignment", "devices are named by the mesh that Record is given")
}

func (b *builder) Compile() (compute.Executable, error) {
	return nil, b.r.errorf("Compile", "%w", errNoExecution)
}

// function is a compute.Function: it records the operations of one block. The block belongs to
// main, to a named function, or to a closure. A closure becomes a region of the op that it is given
// to.
type function struct {
	compute.FusedOps // of a Builder: see fused. A Recorder has none: GoMLX decomposes them

	b        *builder
	name     string
	block    *ir.Block
	parent   *function // the function around a closure
	def      *ir.Func  // set for main and named functions; nil for a closure
	returned bool
	scan     *scan // the scan for whose loop this closure stands; else nil
	// constants maps constants of other blocks to their copies in this one.
	constants map[*ir.Value]*ir.Value
}

var _ compute.Function = (*function)(nil)

func newFunction(b *builder, name string, block *ir.Block) *function {
	f := &function{b: b, name: name, block: block, FusedOps: noFusedOps}
	if b.dist != nil {
		f.FusedOps = fused{noFusedOps, f}
	}
	return f
}

// noFusedOps returns compute.ErrNotImplemented for every fused operation, so that GoMLX computes it
// by others.
var noFusedOps = notimplemented.Function{ErrFn: func(compute.OpType) error { return compute.ErrNotImplemented }}

func (f *function) Name() string             { return f.name }
func (f *function) Builder() compute.Builder { return f.b }

func (f *function) Parent() compute.Function {
	if f.parent == nil {
		return nil
	}
	return f.parent
}

// Closure starts a closure, whose block may use all values of f, and returns it. It implements
// compute.Function. The error is nil.
func (f *function) Closure() (compute.Function, error) {
	c := newFunction(f.b, "", &ir.Block{})
	c.parent = f
	c.scan, f.b.r.closing = f.b.r.closing, nil
	f.b.r.closures = append(f.b.r.closures, c.block)
	return c, nil
}

func (f *function) Shape(v compute.Value) (shapes.Shape, error) { return f.b.OpShape(v) }

// Parameter adds a parameter of main or of a named function, or an argument of a closure's block,
// and returns it. It implements compute.Function. A sharding is an error unless GoMLX distributes
// the graph, and so is a call after Return.
func (f *function) Parameter(name string, shape shapes.Shape, sharding *compute.ShardingSpec) (compute.Value, error) {
	e := f.begin("Parameter")
	t := e.typeOf(shape)
	dist := f.b.dist
	if sharding != nil && (dist == nil || dist.shape == nil) {
		e.failf("%q has a GoMLX sharding: give one to Recorder.Param instead", name)
	}
	if f.returned {
		e.failf("%q comes after Return", name)
	}
	switch {
	case e.err != nil:
		return nil, e.err
	case f.def == nil:
		return f.block.AddArg(t), nil
	case f.def == f.b.r.main:
		f.b.r.params[name] = len(f.def.Params())
		if dist != nil {
			dist.params = append(dist.params, sharding)
		}
	}
	return f.def.AddParam(name, t, nil), nil
}

// Return ends the function with the given outputs, as compute.Function wants. For main it only
// stores the results, and shardings if the recording is distributed: Record knows their names and
// ends main. Outputs of another function, other shardings, and a second call are errors.
func (f *function) Return(outputs []compute.Value, shardings []*compute.ShardingSpec) error {
	e := f.begin("Return")
	values := e.values(outputs)
	dist := f.b.dist
	for _, s := range shardings {
		if s != nil && (dist == nil || dist.shape == nil) {
			e.failf("GoMLX shardings are not used here: set Output.Sharding")
		}
	}
	if f.returned {
		e.failf("function %q returned before", f.name)
	}
	if e.err != nil {
		return e.err
	}
	f.returned = true
	switch {
	case f.scan != nil:
	case f.def == nil:
		e.op(ir.OpReturn, nil, values...)
	case f.def == f.b.r.main:
		f.b.r.results = values
		if dist != nil {
			dist.results = shardings
		}
	default:
		f.def.Return(values...)
		e.checkClosed(f.def)
	}
	return e.err
}

// checkClosed makes the operation fail if fn, a named function, uses values of another function: a
// StableHLO function sees only its own values. The values of its own closures count as its own.
func (e *emitter) checkClosed(fn *ir.Func) {
	inside := make(map[*ir.Block]bool)
	inside[fn.Body] = true
	fn.Walk(func(op *ir.Op) {
		for _, b := range op.Regions {
			inside[b] = true
		}
		for i, v := range op.Operands {
			if !inside[v.Block()] {
				e.failf("function %q uses a value from outside, as operand %d of %s (%s): pass it as a parameter",
					fn.Name, i, op.FullName(), op.Loc)
			}
		}
	})
}
