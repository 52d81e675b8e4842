package cost

// This file describes virtual devices: those of one CPU, which share its processors.

import "github.com/gospmd/gospmd/hardware"

// host computes 10 operations while it sends a byte, where the default machine does 160:
// a collective is a copy in memory, and all devices' arithmetic shares the processors.
// RATIONALE.md says where the figures come from.
var host = Machine{
	Name:           "virtual devices of a CPU",
	Platform:       hardware.CPU,
	FlopsPerSecond: 12e9,
	Link:           Link{Latency: 10e-6, Bandwidth: 1.2e9},
}

// Host returns the machine of virtual devices in one process, of any number, also of one: the same
// program comes out on each CPU.
func Host() *Machine {
	m := host
	return &m
}
