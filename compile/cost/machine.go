package cost

// This file defines the model of a machine: the FLOPs and the bytes that a device does per second,
// and one cost for both. RATIONALE.md says where the figures of the default machine come from.

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/mesh"
)

// Machine describes the devices of a mesh and the links between them. All code that compares the
// costs of programs uses it: the partitioner, the search for shardings, the passes of package
// compile, its reports and suggestions.
//
// Costs are counted in operations: the cost of sending is the number of FLOPs that the device could
// do in the same time. Costs are whole numbers, so that a sum does not depend on the order of its
// terms. Decisions depend only on the ratios of a machine's figures, not on their scale.
type Machine struct {
	Name string
	// FlopsPerSecond is the FLOPs per second of a device. Decisions use it.
	FlopsPerSecond float64
	// Flops is the peak of matrix products, in FLOPs per second, by element type. Exact is that of
	// float32 at precision HIGHEST; 0: that of Flops. For element types without an entry it is
	// FlopsPerSecond. Predictions use these peaks.
	Flops map[dtypes.DType]float64
	Exact float64
	// Platform is the platform of the devices, with PJRT's name: "cpu", "tpu", "cuda"; "" if it is
	// not known. It determines the compiler whose use of memory is predicted (the CPU's if it is
	// not known), and the ops that are rewritten because that compiler makes them slow.
	Platform string
	// Memory is the bytes of memory that a device gives to a program; 0: not known.
	Memory int
	// MemoryBandwidth is the bytes per second that a device reads or writes in its memory; 0: not
	// known. Predictions use it, decisions do not.
	MemoryBandwidth float64
	// Host is the link between a device and the memory of its host; the zero Link: not known, and
	// moving values there takes no time. Predictions use it, decisions do not.
	Host Link
	// Overlap says that a device can compute while it sends.
	Overlap bool
	// Link is the link along all mesh axes that are not in Axes.
	Link Link
	// Axes holds the links along mesh axes that differ from Link, by name, such as an axis that
	// crosses processes.
	Axes map[string]Link

	// Steps is the name of a mesh axis whose positions a device computes one after the other; "" if
	// there is none. The partitioner takes sums along it as free. Programs with other collectives
	// along it cannot run, so it gives these the largest costs.
	Steps string

	grid *grid // knows the link of any set of axes; nil: Axes and Link are used
}

// Link is the connection of a device to the others along a mesh axis. Sending
// n bytes in one collective takes Latency + n/Bandwidth seconds, the α-β model
// (Hockney, The communication challenge for MPP, 1994).
type Link struct {
	Kind      string  // the name of the link's technology: "ICI", "NVLink"; "" if it has none
	Latency   float64 // α: seconds until the first byte of a collective is sent
	Bandwidth float64 // β: bytes per second that a device sends
}

// Seconds returns how long a collective takes in which a device sends n bytes.
func (l Link) Seconds(n int) float64 { return l.Latency + float64(n)/l.Bandwidth }

// SetPlatform sets the platform of m's devices, which PJRT names so, to that of a target. If m is of
// another platform, it returns an error and changes nothing.
func (m *Machine) SetPlatform(platform string) error {
	if m.Platform != "" && m.Platform != platform {
		return fmt.Errorf("the machine %s has devices of the platform %s: want one of the platform %s, as the target", m.Name, m.Platform, platform)
	}
	m.Platform = platform
	return nil
}

// defaultMachine computes 160 operations in the time that it sends a byte, and sends 4096 bytes in
// the time of a collective's launch. Its scale is arbitrary.
var defaultMachine = Machine{
	Name:           "default",
	FlopsPerSecond: 160e9,
	Link:           Link{Latency: 4096e-9, Bandwidth: 1e9},
}

// Default returns the machine that is used if none is given. It does not stand for any real
// machine.
func Default() *Machine {
	m := defaultMachine
	return &m
}

// Identity returns a text that is different for two machines if any result may be different on
// them.
func (m *Machine) Identity() string {
	figures := *m
	figures.grid = nil
	text := fmt.Sprintf("%+v", figures)
	if m.grid != nil {
		text += fmt.Sprintf(" on %s %v, %+v", m.grid.mesh, m.grid.mesh.Devices(), m.grid.levels)
	}
	return text
}

// HasScale reports whether the machine's times are times of real devices: whether the bandwidth of
// the memory is known. The times of other machines only serve to compare programs.
func (m *Machine) HasScale() bool { return m.MemoryBandwidth > 0 }

// Validate returns an error if m cannot describe the devices of dm: a figure that is not positive,
// an axis that dm does not have, or a machine that was made for another mesh. Latencies, Memory,
// MemoryBandwidth and Exact may be 0.
func (m *Machine) Validate(dm *mesh.DeviceMesh) error {
	positive := func(what string, x float64) error {
		if x > 0 && !math.IsInf(x, 1) {
			return nil
		}
		return fmt.Errorf("cost: machine %q: %s is %g: want a positive number", m.Name, what, x)
	}
	link := func(of string, l Link) error {
		if err := positive("the bandwidth of "+of, l.Bandwidth); err != nil {
			return err
		}
		if l.Latency == 0 {
			return nil
		}
		return positive("the latency of "+of, l.Latency)
	}
	if err := positive("FlopsPerSecond", m.FlopsPerSecond); err != nil {
		return err
	}
	if m.MemoryBandwidth != 0 {
		if err := positive("MemoryBandwidth", m.MemoryBandwidth); err != nil {
			return err
		}
	}
	for _, t := range slices.Sorted(maps.Keys(m.Flops)) {
		if err := positive(fmt.Sprintf("Flops of %s", t), m.Flops[t]); err != nil {
			return err
		}
	}
	if m.Memory < 0 || m.Exact < 0 {
		return fmt.Errorf("cost: machine %q: Memory is %d and Exact %g: want neither below 0, which is not known", m.Name, m.Memory, m.Exact)
	}
	if m.grid != nil && (!slices.Equal(m.grid.mesh.Axes(), dm.Axes()) || !slices.Equal(m.grid.mesh.Devices(), dm.Devices())) {
		return fmt.Errorf("cost: machine %q is of the mesh %s, the program has the mesh %s: make one for that with cost.MachineFor", m.Name, m.grid.mesh, dm)
	}
	if err := link("Link", m.Link); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(m.Axes)) {
		if dm.AxisIndex(name) < 0 {
			return fmt.Errorf("cost: machine %q: Axes names %q, the mesh has the axes %v: name one of those", m.Name, name, dm.AxisNames())
		}
		if err := link(fmt.Sprintf("axis %q", name), m.Axes[name]); err != nil {
			return err
		}
	}
	return nil
}

// LinkOver returns the link of a collective over axes. It has the smallest bandwidth and the
// largest latency of the axes; without axes it is m.Link. For a machine of MachineFor, it is the
// link of all devices in the group together.
func (m *Machine) LinkOver(axes []mesh.AxisRef) Link {
	if len(m.Axes) == 0 || len(axes) == 0 {
		return m.Link
	}
	if m.grid != nil && (len(axes) > 1 || axes[0].Sub) {
		if l := m.grid.linkOver(axes); l.Kind != "" {
			return l
		}
	}
	out := m.axis(axes[0].Name)
	for _, a := range axes[1:] {
		out = slowestLink(out, m.axis(a.Name))
	}
	return out
}

func (m *Machine) axis(name string) Link {
	if l, ok := m.Axes[name]; ok {
		return l
	}
	return m.Link
}

// FlopsPerByte returns the number of operations that a device does in the time that it sends a byte
// over axes; at least 1.
func (m *Machine) FlopsPerByte(axes []mesh.AxisRef) int {
	return max(1, int(math.Round(m.FlopsPerSecond/m.LinkOver(axes).Bandwidth)))
}

// LaunchBytes returns the number of bytes that a device could send over axes in the time of a
// collective's launch.
func (m *Machine) LaunchBytes(axes []mesh.AxisRef) int {
	l := m.LinkOver(axes)
	return int(math.Round(l.Latency * l.Bandwidth))
}

// SendCost returns the cost of sending bytes over axes in the given number of collectives: the
// number of operations that a device could do in the same time.
func (m *Machine) SendCost(axes []mesh.AxisRef, bytes, launches int) int {
	return (bytes + launches*m.LaunchBytes(axes)) * m.FlopsPerByte(axes)
}

// WithSteps returns a copy of m for a mesh with the further axis steps, whose positions a device
// computes one after the other (package microbatch). The copy fits any mesh that has its axes, and
// computes the link of several axes from those of each axis, also if m is a machine of MachineFor.
func (m *Machine) WithSteps(steps string) *Machine {
	out := *m
	out.grid = nil // it does not know the axis
	out.Steps = steps
	return &out
}
