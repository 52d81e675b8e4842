package cost

// This file describes virtual devices: devices that share the processors of one CPU.

import "github.com/gospmd/gospmd/hardware"

// host is the machine of virtual devices. It computes 10 operations while it sends a byte; the
// default machine computes 160. For a collective is a copy in memory, and the arithmetic of all
// devices shares the processors. RATIONALE.md says where the figures come from.
var host = Machine{
	Name:           "virtual devices of a CPU",
	Platform:       hardware.CPU,
	FlopsPerSecond: 12e9,
	Link:           Link{Latency: 10e-6, Bandwidth: 1.2e9},
}

// Host returns the machine of virtual devices in one process. It does not depend on their number,
// nor on the CPU, so programs are the same on each CPU.
func Host() *Machine {
	m := host
	return &m
}
