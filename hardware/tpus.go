package hardware

// This file holds the figures of TPUs, per device. A chip of v4 and v5p is one device
// ("megacore"), a chip of TPU7x two.
//
// Flops, memory and its bandwidth are from Google's pages about each version. All links, and the
// Flops of Int8 that a page lacks, are from the table "TPU specs" in How To Scale Your Model
// (Austin et al., Google DeepMind, 2025, chapter 2). ICI is the rate that a link attains in one
// direction, 45 or 90 GB/s, times the two links of an axis; the pages give 50, 100 and (for v6e)
// 112. A step to the next chip takes about a microsecond (chapter 3). Exact is a sixth of the peak,
// because XLA multiplies float32 at precision HIGHEST in six passes of bfloat16. Usable is the
// limit that the compiler (libtpu 0.0.51) names when a program does not fit.

import "github.com/gomlx/compute/dtypes"

// neighbour is the latency of ICI, in seconds, for each chip that a message passes.
const neighbour = 1e-6

// host is the link of a TPU to its host (How To Scale Your Model, chapter 2).
var host = Link{Kind: "PCIe", Bandwidth: 16e9, Latency: pcieLatency}

var scalingBook = "How To Scale Your Model, Google DeepMind, 2025, chapters 2 and 3"

// cube returns the torus of v4, v5p and TPU7x with at most largest chips. From 4x4x4 on, optical
// switches join cubes of 64 chips in rings.
func cube(largest int) *Torus {
	return &Torus{
		Axes: 3, Sizes: [][]int{{1, 1, 1}, {2, 2, 1}, {2, 2, 2}, {2, 2, 4}, {2, 4, 4}},
		Multiple: 4, Chips: largest,
	}
}

// pod256 returns the torus of v5e and v6e. Only axes with all 16 chips are rings.
func pod256() *Torus {
	return &Torus{
		Axes: 2, Sizes: [][]int{{1, 1}, {2, 2}, {2, 4}, {4, 4}, {4, 8}, {8, 8}, {8, 16}, {16, 16}},
		Ring: 16, Chips: 256,
	}
}

var tpus = []*Chip{
	{
		Name: "v4", Aliases: []string{"tpuv4", "v4p"}, Platform: TPU,
		Flops: map[dtypes.DType]float64{dtypes.BFloat16: 275e12, dtypes.Float32: 275e12, dtypes.Int8: 275e12},
		Exact: 275e12 / 6, Memory: 32 * gib, Usable: 31488 * mib, MemoryBandwidth: 1200e9, Host: host,
		Links: []Link{{Kind: "ICI", Bandwidth: 90e9, Latency: neighbour}}, Torus: cube(4096),
		Sources: []string{"TPU v4, Google Cloud documentation, 2025", scalingBook},
	},
	{
		Name: "v5e", Aliases: []string{"v5litepod", "v5lite", "v5 lite", "tpuv5e"}, Platform: TPU,
		Flops: map[dtypes.DType]float64{dtypes.BFloat16: 197e12, dtypes.Float32: 197e12, dtypes.Int8: 393e12},
		Exact: 197e12 / 6, Memory: 16 * gib, Usable: 16128 * mib, MemoryBandwidth: 819e9, Host: host,
		Links: []Link{{Kind: "ICI", Bandwidth: 90e9, Latency: neighbour}}, Torus: pod256(),
		Sources: []string{"TPU v5e, Google Cloud documentation, 2025", scalingBook},
	},
	{
		Name: "v5p", Aliases: []string{"v5", "tpuv5p"}, Platform: TPU,
		Flops: map[dtypes.DType]float64{dtypes.BFloat16: 459e12, dtypes.Float32: 459e12, dtypes.Int8: 918e12, dtypes.F8E4M3FN: 459e12, dtypes.F8E5M2: 459e12},
		Exact: 459e12 / 6, Memory: 96 * gib, Usable: 98027 * mib, MemoryBandwidth: 2765e9, Host: host,
		Links: []Link{{Kind: "ICI", Bandwidth: 180e9, Latency: neighbour}}, Torus: cube(6144),
		Sources: []string{"TPU v5p, Google Cloud documentation, 2026", scalingBook},
	},
	{
		Name: "v6e", Aliases: []string{"trillium", "v6lite", "v6 lite", "tpuv6e"}, Platform: TPU,
		Flops: map[dtypes.DType]float64{dtypes.BFloat16: 918e12, dtypes.Float32: 918e12, dtypes.Int8: 1836e12, dtypes.F8E4M3FN: 918e12, dtypes.F8E5M2: 918e12},
		Exact: 918e12 / 6, Memory: 32 * gib, Usable: 31989 * mib, MemoryBandwidth: 1638e9, Host: host,
		Links: []Link{{Kind: "ICI", Bandwidth: 180e9, Latency: neighbour}}, Torus: pod256(),
		Sources: []string{"TPU v6e, Google Cloud documentation, 2025", "TPU7x (Ironwood), Google Cloud documentation, 2026 (bandwidth and FP8 of v6e)", scalingBook},
	},
	{
		// These are half of the figures of a chip, because programs see its two chiplets as two
		// devices.
		Name: "tpu7x", Aliases: []string{"v7x", "ironwood", "tpuv7x"}, Platform: TPU,
		Flops: map[dtypes.DType]float64{dtypes.BFloat16: 2307e12 / 2, dtypes.Float32: 2307e12 / 2, dtypes.F8E4M3FN: 4614e12 / 2, dtypes.F8E5M2: 4614e12 / 2},
		Exact: 2307e12 / 12, Memory: 96 * gib, Usable: 97013 * mib, MemoryBandwidth: 7380e9 / 2,
		// The link between the chiplets has six times the bandwidth of ICI along one axis.
		Links:   []Link{{Kind: "D2D", Bandwidth: 6 * 180e9, Latency: neighbour, Reach: 2}, {Kind: "ICI", Bandwidth: 180e9 / 2, Latency: neighbour}},
		Torus:   cube(9216),
		Sources: []string{"TPU7x (Ironwood), Google Cloud documentation, 2026", scalingBook},
	},
}
