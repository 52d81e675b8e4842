package hardware

// This file defines what is known of one device, and lists the devices.

import "github.com/gomlx/compute/dtypes"

// Chip is one kind of device.
type Chip struct {
	Name     string // as targets name it: "v5e", "h100"
	Platform string // "tpu" or "cuda"
	// Flops is the peak of dense matrix products per second, by element type.
	Flops map[dtypes.DType]float64
	// Memory is the size of a device's memory in bytes, and MemoryBandwidth how
	// many bytes per second are read or written there.
	Memory          int
	MemoryBandwidth float64
	// Links joins devices, from the nearest to the farthest.
	Links []Link
	// Sources says where the figures come from.
	Sources []string
}

// Link is how devices are joined at one distance.
type Link struct {
	Kind string // "ICI", "NVLink", "InfiniBand", "PCIe", "DCN"
	// Bandwidth is the bytes per second that a device sends: on a torus along one
	// axis, in both directions together.
	Bandwidth float64
	// Latency is the seconds until the first byte of a collective is sent.
	Latency float64
	// Reach is how many devices are joined in this way: 8 GPUs of a host; 0: all.
	Reach int
}

// chips lists the known devices in the order in which errors name them.
var chips = []*Chip{
	{
		Name: "v5e", Platform: "tpu",
		Flops:  map[dtypes.DType]float64{dtypes.BFloat16: 197e12, dtypes.Int8: 393e12},
		Memory: 16 << 30, MemoryBandwidth: 819e9,
		Links: []Link{{Kind: "ICI", Bandwidth: 90e9, Latency: 1e-6}},
	},
	{
		Name: "h100", Platform: "cuda",
		Flops:  map[dtypes.DType]float64{dtypes.BFloat16: 989e12, dtypes.Float16: 989e12, dtypes.Float32: 67e12, dtypes.Float64: 67e12, dtypes.Int8: 1979e12},
		Memory: 80e9, MemoryBandwidth: 3.35e12,
		Links: []Link{{Kind: "NVLink", Bandwidth: 450e9, Latency: 3e-6, Reach: 8}, {Kind: "InfiniBand", Bandwidth: 50e9, Latency: 10e-6}},
	},
}
