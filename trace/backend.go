package trace

// This file implements the compute.Backend and compute.Builder behind a
// Recorder. They execute nothing and hold no data.

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"

	"github.com/gospmd/gospmd/ir"
)

const backendName = "gospmd-trace"

// backend is a compute.Backend that only records.
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
func (b *backend) Capabilities() compute.Capabilities  { return capabilities }
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

// unsupported are the operation types that a recording refuses or leaves to
// GoMLX to decompose; the others are supported.
var unsupported = map[compute.OpType]bool{
	compute.OpTypeInvalid:              true,
	compute.OpTypeDynamicDimensionSize: true, compute.OpTypeDynamicShape: true, compute.OpTypeDynamicReshape: true,
	compute.OpTypeSelectAndScatterSum: true, // not in compute.StandardOps
	compute.OpTypeAllReduce:           true, compute.OpTypeCollectiveBroadcast: true, compute.OpTypeAllGather: true,
	compute.OpTypeCapturedValue: true, compute.OpTypeBlockForDotGeneral: true, // the Go backend's own
	compute.OpTypeFusedSoftmax: true, compute.OpTypeFusedLayerNorm: true, compute.OpTypeFusedGelu: true, compute.OpTypeFusedDense: true,
	compute.OpTypeFusedScaledDotProductAttention: true, compute.OpTypeFusedScaledDotProductAttentionVJP: true,
	compute.OpTypeFusedAttentionQKVProjection: true, compute.OpTypeFusedQuantizedDense: true, compute.OpTypeQuantizedEmbeddingLookup: true,
}

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

// builder is the compute.Builder of the one graph of a Recorder.
type builder struct {
	r    *Recorder
	name string
	main *function
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

// NewFunction starts a private function of the module.
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
	return b.r.errorf("DistributedSPMD", "gospmd splits the program itself: record it for one device and pin layouts instead")
}

func (b *builder) DistributedAutoSharding(...compute.Mesh) error {
	return b.r.errorf("DistributedAutoSharding", "gospmd has its own meshes: give Record the mesh and pin layouts with Param, Pin and Output")
}

func (b *builder) DeviceAssignment(...compute.DeviceNum) error {
	return b.r.errorf("DeviceAssignment", "devices are named by the mesh that Record is given")
}

func (b *builder) Compile() (compute.Executable, error) {
	return nil, b.r.errorf("Compile", "%w", errNoExecution)
}
