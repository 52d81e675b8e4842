package main

// This file implements the flag -machine: what the devices compute and send.

import (
	"fmt"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// machineFlag defines the flag -machine, which machineOf follows.
func (f *flags) machineFlag() {
	f.StringVar(&f.machine, "machine", "", "the devices that all decisions by cost are made for, and that times are predicted for: a target such as v5e:2x4 or h100:8, or a machine `file` (gospmd doctor -measure writes one)")
}

// targetFlag defines the flag -target.
func (f *flags) targetFlag() *string {
	return f.String("target", "", "the devices: a TPU with its torus, such as v5e:2x4 or v5p:2x2x2, or GPUs of a host, such as h100:8 or h100:4x8 of four")
}

// machineOf returns the machine of -machine for the mesh of m; nil, which is the
// default machine, without the flag.
func (f *flags) machineOf(m *ir.Module) (*cost.Machine, error) {
	if f.machine == "" {
		return nil, nil
	}
	var dm *mesh.DeviceMesh // one device
	for _, nm := range m.Meshes {
		if dm == nil && len(nm.Mesh.Axes()) > 0 {
			dm = nm.Mesh
		}
	}
	machine, err := cost.Named(f.machine, dm)
	if err != nil {
		return nil, fmt.Errorf("%s: -machine: %w", f.Name(), err)
	}
	return machine, nil
}
