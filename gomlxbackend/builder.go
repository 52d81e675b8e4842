package gomlxbackend

// This file defines Builder: a graph of GoMLX that is recorded, and what it becomes.

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime"
	"github.com/gospmd/gospmd/trace"
)

// Builder implements compute.Builder. It records a graph as for one device.
type Builder struct {
	trace.Builder
	backend *Backend
}

var _ compute.Builder = (*Builder)(nil)

// Compile returns the graph, with the shardings of its parameters. The program is made when the
// graph is executed for the first time: only then GoMLX says which inputs are donated.
func (b *Builder) Compile() (compute.Executable, error) {
	if err := b.backend.check(0); err != nil {
		return nil, err
	}
	m, err := b.Module()
	if err != nil {
		return nil, err
	}
	if err := b.backend.checkTypes(m.Main()); err != nil {
		return nil, fmt.Errorf("gospmd: graph %q: %w", b.Name(), err)
	}
	if err := b.backend.layouts.annotate(m.Main()); err != nil {
		return nil, fmt.Errorf("gospmd: graph %q: %w", b.Name(), err)
	}
	return &Executable{backend: b.backend, module: m, programs: map[string]*loaded{}, donated: map[string]*loaded{}}, nil
}

// checkTypes refuses element types of less than a byte where XLA may run the graph: it computes
// wrong values of them on CPUs (GoMLX's TestQuantizedDense_Int4 shows it).
func (b *Backend) checkTypes(main *ir.Func) (err error) {
	if b.config.engine == runtime.EngineGo {
		return nil
	}
	main.Walk(func(op *ir.Op) {
		for _, v := range op.Results {
			if bits := v.Type.DType.Bits(); v.Type.DType != dtypes.Bool && bits > 0 && bits < 8 && err == nil {
				err = fmt.Errorf("%s makes %s, and XLA computes wrong values of %d bits: add engine=go to the configuration", op.FullName(), v.Type, bits)
			}
		}
	})
	return err
}

// DistributedSPMD returns an error: the mesh is that of the configuration.
func (b *Builder) DistributedSPMD(int) error { return errDistributed }

// DistributedAutoSharding returns an error: the mesh is that of the configuration.
func (b *Builder) DistributedAutoSharding(...compute.Mesh) error { return errDistributed }

var errDistributed = fmt.Errorf("gospmd: GoMLX sees one device, which stands for the whole mesh: build the graph as for one device, and name mesh and layouts in %s", compute.ConfigEnvVar)

// DeviceAssignment takes device 0, which stands for the whole mesh.
func (b *Builder) DeviceAssignment(devices ...compute.DeviceNum) error {
	if len(devices) != 1 {
		return errDistributed
	}
	return b.backend.check(devices[0])
}

// shapesOf returns the shapes of values.
func shapesOf(types []ir.Type) []shapes.Shape {
	out := make([]shapes.Shape, len(types))
	for i, t := range types {
		out[i] = shapes.Make(t.DType, t.Dims...)
	}
	return out
}
