package main

// This file implements the flag -machine: how fast the devices compute and send.

import (
	"fmt"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/mesh"
)

// machineFlag defines the flag -machine. machineOf reads the machine.
func (f *flags) machineFlag() {
	f.StringVar(&f.machine, "machine", "", "the devices that all decisions by cost are made for, and that times are predicted for: a target such as v5e:2x4 or h100:8, cpu for virtual devices of a CPU, or a machine `file` (gospmd doctor -measure writes one)")
}

// targetFlag defines the flag -target, and returns the text that it will hold.
func (f *flags) targetFlag() *string {
	return f.String("target", "", "the devices: a TPU with its torus, such as v5e:2x4 or v5p:2x2x2, or GPUs of a host, such as h100:8 or h100:4x8 of four")
}

// machineOf returns the machine of the flag -machine, for the mesh of m, as machineFor does.
func (f *flags) machineOf(m *ir.Module) (*cost.Machine, error) { return f.machineFor(meshOf(m)) }

// machineFor returns the machine of the flag -machine, for the mesh dm. Without the flag it returns
// nil, the default machine. Another value than a target or a machine file is an error.
func (f *flags) machineFor(dm *mesh.DeviceMesh) (*cost.Machine, error) {
	if f.machine == "" {
		return nil, nil
	}
	machine, err := cost.MachineNamed(f.machine, dm)
	if err != nil {
		return nil, fmt.Errorf("%s: -machine: %w", f.Name(), err)
	}
	return machine, nil
}

// machineOn returns the machine of the flag -machine, for the mesh of m. It has the platform of the
// target t; a machine of another one is an error. Without the flag it returns the machine of t.
func (f *flags) machineOn(t hardware.Target, m *ir.Module) (*cost.Machine, error) {
	machine, err := f.machineOf(m)
	if err != nil {
		return nil, err
	}
	if machine != nil {
		if err := machine.SetPlatform(t.Chip.Platform); err != nil {
			return nil, fmt.Errorf("%s: -machine: %w", f.Name(), err)
		}
		return machine, nil
	}
	machine, err = cost.MachineFor(t, meshOf(m))
	if err != nil {
		return nil, fmt.Errorf("%s: -target: %w", f.Name(), err)
	}
	return machine, nil
}

// meshOf returns the first mesh of m that has axes, or a mesh of one device.
func meshOf(m *ir.Module) *mesh.DeviceMesh {
	for _, nm := range m.Meshes {
		if len(nm.Mesh.Axes()) > 0 {
			return nm.Mesh
		}
	}
	one, err := mesh.New(nil, nil, nil)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return one
}
