package hardware

// This file defines what is known of one device.

import (
	"cmp"

	"github.com/gomlx/compute/dtypes"
)

// Chip is one kind of device.
type Chip struct {
	Name     string   // as targets name it: "v5e", "h100"
	Aliases  []string // what else it is called
	Platform string   // TPU or CUDA; "" for one that a file describes
	// Flops is the peak of dense matrix products per second, by element type. That of Float32 is
	// the peak at default precision: there XLA multiplies as bfloat16 on TPUs and as TF32 on
	// GPUs.
	Flops map[dtypes.DType]float64
	// Exact is the peak of matrix products of float32 at precision HIGHEST; 0: not known.
	Exact float64
	// Memory is the size of a device's memory in bytes. Usable is the part that a compiler gives to
	// a program, if that is known to be less. MemoryBandwidth is the number of bytes per second
	// that are read or written there.
	Memory, Usable  int
	MemoryBandwidth float64
	// Links joins devices, from the nearest to the farthest.
	Links []Link
	// Torus says how TPUs are joined; nil for other devices.
	Torus *Torus
	// Sources says where the figures come from.
	Sources []string
}

// Link is how devices are joined at one distance.
type Link struct {
	Kind string // "ICI", "NVLink", "InfiniBand", "PCIe", "Ethernet", "D2D"
	// Bandwidth is the bytes per second that a device sends: on a torus along one
	// axis, in both directions together.
	Bandwidth float64
	// Latency is the seconds until the first byte of a collective is sent; on a torus
	// for each chip that it passes.
	Latency float64
	// Reach is how many devices are joined in this way: 8 GPUs of a host; 0: all.
	Reach int
}

// UsableMemory returns the bytes that programs may use.
func (c *Chip) UsableMemory() int { return cmp.Or(c.Usable, c.Memory) }

// Chips returns the known devices.
func Chips() []*Chip { return append(append([]*Chip{}, tpus...), gpus...) }

// Sizes of memory.
const (
	mib = 1 << 20
	gib = 1 << 30
)
