package main

// This file lists the results of this benchmark that are known to be worse than XLA's, and why.

// known holds the reasons why a figure of our program is worse than XLA's. The key is the step, the
// target and the figure, with spaces between, such as "mlp v5e:4x4 peak".
var known = map[string]string{
	"mlp v5e:4x4 peak":                                onChip + ". Of the device's own memory it needs .05 MB more",
	"conv_net v5e:4x4 peak":                           onChip + ": copies of the dense layer's weight, slots and gradient. Of the device's own memory it needs .3 MB more",
	"conv_net v5e:4x4 flops":                          "every device multiplies the gathered activations of the dense layer for its gradient, in place of a sum of gradients: it sends .54 of the bytes",
	"transformer v5e:4x4 peak":                        onChip + ". It needs less of the device's own memory",
	"recommender v5e:4x4 time":                        allRows,
	"recommender_million v5e:4x4 time":                allRows,
	"recommender_million v5e:4x4 peak":                allRows + ". They are in memory, too",
	"vit v5e:4x4 peak":                                onChip + ". It needs less of the device's own memory, and .69 of the time",
	"unet v5e:4x4 peak":                               onChip + ". It needs .92 of the device's own memory",
	"conv_net v5e:4x4 sharded update: flops":          onceCounted,
	"resnet50_blocks v5e:4x4 sharded update: flops":   onceCounted,
	"vit v5e:4x4 sharded update: peak":                onChip + ". It takes .54 of the time",
	"unet v5e:4x4 sharded update: time":               onceCounted + ". Both take more time than without a sharded update: libtpu copies the gradients of kernels to scatter them",
	"mlp h100:8 sharded update: peak":                 splitK,
	"recommender_million h100:8 sharded update: peak": splitK,
	"mlp h100:8 peak":                                 splitK + ". Bounded by our prediction it takes 30.2 MB",
	"conv_net h100:8 peak":                            "XLA's latency-hiding scheduler runs more of the backward pass while activations are gathered, with more of it in memory. In program order (-xla-flags xla_gpu_enable_latency_hiding_scheduler=false of gospmd aot) both take 46.4 MB. Bounded by our prediction ours takes 40.4 MB",
	"transformer h100:8 peak":                         "parts of the gradients of all weights, in 32 bits (split-k), are in memory until they are scattered together; it sends .17 of the bytes. Bounded by our prediction it takes 72.0 MB",
}

// allRows is the reason for steps with embedding tables.
const allRows = "each device adds the gradients of all rows of the batch to its shard of a table, where XLA's program adds its own rows and sums tables: it sends less, and takes less time with the waits for collectives"

// onceCounted is the reason for steps with a sharded update of convolutions.
const onceCounted = "XLA's program makes gradients of kernels in loops that exchange shards, and libtpu counts the body of a loop once"

// splitK is the reason for products of GPUs.
const splitK = "gradients of weights are made in up to eight parts (split-k), more of which are in memory at a time"

// onChip is the reason for cases where libtpu's peak is in the memory on the chip.
const onChip = "libtpu keeps more on the chip, which its peak counts"

func (r result) key(what string) string {
	if r.ShardedUpdate {
		what = "sharded update: " + what
	}
	return r.Step + " " + r.Target + " " + what
}
