package hardware

// This file holds the figures of GPUs.
//
// Flops are those of the data sheets for dense matrices; sheets that print them with sparsity say
// twice as much. Float32 is TF32, and Exact is the rate of the cores for float32. Memory is the
// size that the device reports, from XLA's description of the device (device_memory_size in its
// target configurations). NVLink counts one direction, half of the figure on the sheets. InfiniBand
// is one adapter for each GPU: eight of 200 Gbit/s in a DGX A100, of 400 Gbit/s in a DGX H100, H200
// and B200. Host is half of the sheets' figure for PCIe, which counts both directions. Latencies
// are those of a small collective of NCCL. Its tuning model puts them between 2 and 30 µs (NCCL
// 2.27, src/graph/tuning.cc). They are the only figures here that are not published.

import "github.com/gomlx/compute/dtypes"

// The latencies of small collectives, in seconds, by the kind of link.
const (
	nvlinkLatency = 3e-6
	pcieLatency   = 6e-6
	netLatency    = 10e-6
)

func nvlink(bandwidth float64, reach int) Link {
	return Link{Kind: "NVLink", Bandwidth: bandwidth, Latency: nvlinkLatency, Reach: reach}
}

// pcie is the link to the host of a GPU with PCIe x16, of the given bandwidth in bytes per second.
func pcie(bandwidth float64) Link {
	return Link{Kind: "PCIe", Bandwidth: bandwidth, Latency: pcieLatency}
}

func infiniband(bandwidth float64) Link {
	return Link{Kind: "InfiniBand", Bandwidth: bandwidth, Latency: netLatency}
}

// halves returns the peaks of a GPU by element type, in operations per second, given those of bf16,
// tf32, doubles and int8. Its tensor cores have the same peak for float16 and bfloat16.
func halves(bf16, tf32, double, int8 float64) map[dtypes.DType]float64 {
	return map[dtypes.DType]float64{dtypes.BFloat16: bf16, dtypes.Float16: bf16, dtypes.Float32: tf32, dtypes.Float64: double, dtypes.Int8: int8}
}

// withFP8 adds fp8, the peak of the 8-bit floats, to the map f, and returns f.
func withFP8(f map[dtypes.DType]float64, fp8 float64) map[dtypes.DType]float64 {
	f[dtypes.F8E4M3FN], f[dtypes.F8E5M2] = fp8, fp8
	return f
}

var gpus = []*Chip{
	{
		Name: "a100-40g", Aliases: []string{"a100-40gb", "a100-sxm-40gb", "a100-sxm4-40gb", "a100-pcie-40gb"}, Platform: CUDA,
		Flops: halves(312e12, 156e12, 19.5e12, 624e12), Exact: 19.5e12,
		Memory: 42331013120, MemoryBandwidth: 1555e9, Host: pcie(32e9),
		Links:   []Link{nvlink(300e9, 8), infiniband(25e9)},
		Sources: []string{"NVIDIA A100 Tensor Core GPU data sheet, 2022", "NVIDIA DGX A100 data sheet, 2021"},
	},
	{
		Name: "a100", Aliases: []string{"a100-80g", "a100-80gb", "a100-sxm-80gb"}, Platform: CUDA,
		Flops: halves(312e12, 156e12, 19.5e12, 624e12), Exact: 19.5e12,
		Memory: 85100068864, MemoryBandwidth: 2039e9, Host: pcie(32e9),
		Links:   []Link{nvlink(300e9, 8), infiniband(25e9)},
		Sources: []string{"NVIDIA A100 Tensor Core GPU data sheet, 2022", "NVIDIA DGX A100 data sheet, 2021"},
	},
	{
		Name: "h100", Aliases: []string{"h100-sxm", "h100-80g", "h100-80gb"}, Platform: CUDA,
		Flops: withFP8(halves(989.5e12, 494.5e12, 67e12, 1979e12), 1979e12), Exact: 67e12,
		Memory: 84942979072, MemoryBandwidth: 3350e9, Host: pcie(64e9),
		Links:   []Link{nvlink(450e9, 8), infiniband(50e9)},
		Sources: []string{"NVIDIA H100 Tensor Core GPU data sheet, 2023 (H100 SXM)", "NVIDIA DGX H100 data sheet, 2023"},
	},
	{
		Name: "h200", Aliases: []string{"h200-sxm", "h200-141g", "h200-141gb"}, Platform: CUDA,
		Flops: withFP8(halves(989.5e12, 494.5e12, 67e12, 1979e12), 1979e12), Exact: 67e12,
		Memory: 151397597184, MemoryBandwidth: 4800e9, Host: pcie(64e9),
		Links:   []Link{nvlink(450e9, 8), infiniband(50e9)},
		Sources: []string{"NVIDIA H200 Tensor Core GPU data sheet, 2024 (H200 SXM)", "NVIDIA DGX H200 data sheet, 2024"},
	},
	{
		Name: "b200", Aliases: []string{"b200-sxm", "b200-180g", "b200-180gb"}, Platform: CUDA,
		Flops: withFP8(halves(2250e12, 1125e12, 37e12, 4500e12), 4500e12), Exact: 75e12,
		Memory: 191514411008, MemoryBandwidth: 7700e9,
		Links:   []Link{nvlink(900e9, 8), infiniband(50e9)},
		Sources: []string{"NVIDIA HGX platform page, 2025 (HGX B200)", "NVIDIA DGX B200 data sheet, 2025"},
	},
	{
		Name: "gb200", Aliases: []string{"gb200-nvl72"}, Platform: CUDA,
		Flops: withFP8(halves(2500e12, 1250e12, 40e12, 5000e12), 5000e12), Exact: 80e12,
		Memory: 197897748480, MemoryBandwidth: 8000e9,
		Links:   []Link{nvlink(900e9, 72), infiniband(50e9)},
		Sources: []string{"NVIDIA GB200 NVL72 page, 2025", "NVIDIA DGX GB200 data sheet, 2025"},
	},
	{
		Name: "l4", Platform: CUDA,
		Flops: withFP8(halves(121e12, 60e12, 30.3e12/64, 242e12), 242e12), Exact: 30.3e12,
		Memory: 23034 * mib, MemoryBandwidth: 300e9, Host: pcie(32e9),
		// A host of type g2-standard-96 of Google has eight of them, which share 100 Gbit/s.
		Links:   []Link{{Kind: "PCIe", Bandwidth: 32e9, Latency: pcieLatency, Reach: 8}, {Kind: "Ethernet", Bandwidth: 12.5e9 / 8, Latency: 3 * netLatency}},
		Sources: []string{"NVIDIA L4 Tensor Core GPU data sheet, 2023", "GPU machine types, Google Cloud documentation, 2025 (G2)"},
	},
}
