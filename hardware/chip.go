package hardware

// This file defines the figures of a device.

import (
	"cmp"

	"github.com/gomlx/compute/dtypes"
)

// Chip is one kind of device.
type Chip struct {
	Name     string   // the name that targets use: "v5e", "h100"
	Aliases  []string // other names for it
	Platform string   // TPU or CUDA; "" if a machine file does not name it
	// Flops is the peak of dense matrix products, in FLOPs per second, by element type. For Float32
	// it is the peak at default precision, which XLA computes in bfloat16 on TPUs and in TF32 on
	// GPUs.
	Flops map[dtypes.DType]float64
	// Exact is the peak of float32 matrix products at precision HIGHEST; 0: not known.
	Exact float64
	// Memory is the size of a device's memory in bytes. Usable is the part of it that a compiler
	// gives to a program; 0: all of it. MemoryBandwidth is the bytes per second that are read from
	// or written to the memory.
	Memory, Usable  int
	MemoryBandwidth float64
	// Links are the links between devices, from the nearest to the farthest.
	Links []Link
	// Host is the link to the memory of the host: the bandwidth is that of one direction. It is the
	// zero Link if it is not known.
	Host Link
	// Torus says which shapes the links of TPUs can have; nil for other devices.
	Torus *Torus
	// Sources says where the figures come from.
	Sources []string
}

// Link is the link between devices at one distance.
type Link struct {
	Kind string // "ICI", "NVLink", "InfiniBand", "PCIe", "Ethernet", "D2D"
	// Bandwidth is the bytes per second that a device sends. On a torus it is along one axis, in
	// both directions together.
	Bandwidth float64
	// Latency is the seconds until the first byte of a collective is sent. On a torus it is counted
	// for each chip that a message passes.
	Latency float64
	// Reach is the number of devices that the link joins, such as the 8 GPUs of a host; 0: all.
	Reach int
}

// UsableMemory returns the bytes that programs may use.
func (c *Chip) UsableMemory() int { return cmp.Or(c.Usable, c.Memory) }

// Chips returns all known chips: TPUs, then GPUs. The caller must not change them.
func Chips() []*Chip { return append(append([]*Chip{}, tpus...), gpus...) }

// Sizes of memory.
const (
	mib = 1 << 20
	gib = 1 << 30
)
