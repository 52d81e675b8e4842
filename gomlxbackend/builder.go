package gomlxbackend

// This file defines Builder, which records a graph of GoMLX.

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/trace"
)

// Builder implements compute.Builder. It records a graph for one device. With devices=N in the
// configuration, it records a graph that GoMLX distributes.
type Builder struct {
	trace.Builder
	backend *Backend
}

var _ compute.Builder = (*Builder)(nil)

// Compile returns the graph as an *Executable, with the shardings of its parameters. The program is
// compiled when the graph is first executed: only then GoMLX says which inputs are donated. It is
// an error if main has not returned, or if layout rules do not suit.
func (b *Builder) Compile() (compute.Executable, error) {
	if err := b.backend.check(0); err != nil {
		return nil, err
	}
	m, err := b.Module()
	if err != nil {
		return nil, err
	}
	if err := b.backend.layouts.annotate(m.Main()); err != nil {
		return nil, fmt.Errorf("gospmd: graph %q: %w", b.Name(), err)
	}
	e := &Executable{backend: b.backend, module: m, devices: b.Devices(), programs: map[string]*loaded{}, donated: map[string]*loaded{}}
	if b.IsDistributed() {
		e.distributed = &distributed{m.Meshes[0].Mesh, b.IsPerDevice()}
	}
	return e, nil
}

// DistributedSPMD implements compute.Builder. The configuration must have devices=N, with N at
// least n. If it has a mesh, so that GoMLX sees one device, the error says how to make it see more.
func (b *Builder) DistributedSPMD(n int) error {
	if err := b.checkDistributed(n); err != nil {
		return err
	}
	return b.Builder.DistributedSPMD(n)
}

// DistributedAutoSharding implements compute.Builder. The configuration must have devices=N, with N
// at least the number of devices of each mesh, as for DistributedSPMD.
func (b *Builder) DistributedAutoSharding(meshes ...compute.Mesh) error {
	for _, m := range meshes {
		n := 1
		for _, size := range m.AxesSizes {
			n *= size
		}
		if err := b.checkDistributed(n); err != nil {
			return err
		}
	}
	return b.Builder.DistributedAutoSharding(meshes...)
}

func (b *Builder) checkDistributed(devices int) error {
	explicit := b.backend.config.explicit
	switch {
	case explicit == 0:
		return fmt.Errorf("gospmd: GoMLX sees one device, which stands for the whole mesh: build the graph as for one device, and name mesh and layouts in %s; or let GoMLX distribute it itself, with %s=gospmd:devices=%d",
			compute.ConfigEnvVar, compute.ConfigEnvVar, devices)
	case devices > explicit:
		return fmt.Errorf("gospmd: the graph wants %d devices, and there are %d: want devices=%d in the configuration", devices, explicit, devices)
	}
	return nil
}

// DeviceAssignment implements compute.Builder. A device that the backend lacks is an error.
func (b *Builder) DeviceAssignment(devices ...compute.DeviceNum) error {
	for _, d := range devices {
		if err := b.backend.check(d); err != nil {
			return err
		}
	}
	return b.Builder.DeviceAssignment(devices...)
}

// shapesOf returns the shapes of values.
func shapesOf(types []ir.Type) []shapes.Shape {
	out := make([]shapes.Shape, len(types))
	for i, t := range types {
		out[i] = shapes.Make(t.DType, t.Dims...)
	}
	return out
}
