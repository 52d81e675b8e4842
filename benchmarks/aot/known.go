package main

// This file says of which lines we know that they are worse than XLA's, and why.

// known holds the reasons by step, target and what is worse.
var known = map[string]string{
	"mlp v5e:4x4 peak":         onChip + ": of the device's own memory it needs .05 MB more, and it sends .84 of the bytes",
	"conv_net v5e:4x4 peak":    onChip + ": copies of the dense layer's weight, slots and gradient. Of the device's own memory it needs .3 MB more",
	"transformer v5e:4x4 peak": onChip + ". It needs less of the device's own memory",
	"recommender v5e:4x4 peak": onChip + ": tables and their slots while they are updated, which XLA's program of the same shapes and sums updates in the device's own memory; of that it needs 2.8 MB more",
	"conv_net h100:8 peak":     "XLA's latency-hiding scheduler runs more of the backward pass while activations are gathered, with more of it in memory. In program order (-xla-flags xla_gpu_enable_latency_hiding_scheduler=false of gospmd aot) both take 46.4 MB",
	"transformer h100:8 peak":  "4 MB more of temporaries: activations that are gathered for a product, which sends .17 of the bytes, are in memory in part and in whole",
}

// onChip is the reason where libtpu's peak is that of memory on the chip.
const onChip = "libtpu keeps more on the chip, which its peak counts"

func (r result) key(what string) string { return r.Step + " " + r.Target + " " + what }
