// Package compile turns a module with a few annotated shardings into a program.Program that an
// engine runs on a mesh of devices. It chooses no shardings itself: package sharding propagates
// them, and package autoshard refines them. It runs nothing: package runtime does.
//
// Order of use: Compile, then the methods of program.Program. Then report.New (package
// compile/report) returns the cost of a run, and package compile/suggest finds shardings that would
// cost less.
//
// passes.go lists the passes in the order in which they run, each with the reason why it runs
// there. Options.Debug, or the environment variable GOSPMD_DEBUG, writes the module after each pass
// or switches passes off:
//
//	GOSPMD_DEBUG=dump=/tmp/%m,after=simplify,off=cse
//
//	file                 what it holds
//	compile.go           Compile, and the context that passes share
//	options.go           Options
//	kept.go              Kept: Programs of earlier calls, from the compilation cache
//	prepare.go           Prepare: the passes that do not depend on shardings, for estimates
//	passes.go            the list of passes, and which must come before which
//	stages.go            dce, unit_axes, propagate, autoshard and partition: passes of other packages
//	pass_customcalls.go  approx_top_k and lapack: custom calls that become ops, or are checked
//	pass_inline.go       inline: calls become the bodies of their functions
//	simplify.go          simplify: how rewrites are applied
//	simplify_arith.go    rewrites of arithmetic and logic
//	simplify_shape.go    rewrites of ops that only move data
//	simplify_gather.go   rewrites of gather and scatter
//	simplify_fold.go     rewrites that compute ops on constants
//	number.go            elements of constants: reading, writing, number types
//	pass_loops.go        loops: values that do not change in a loop are computed before it
//	pass_turn.go         turn: transposes matrices that products in loops read across their rows
//	pass_cse.go          cse: equal ops become one
//	pass_sink.go         sink: elementwise ops of what a loop reads slice by slice are computed in the loop
//	pass_products.go     products: a sum of products over the iterations of a loop is computed after the loop
//	pass_elements.go     elements: ops on element types that XLA does not support them for
//	pass_inits.go        inits: initial values count once, after the reduction
//	pass_division.go     division: keeps XLA from dividing constants by zero
//	pass_pooling.go      pooling: gradients of max poolings without a scatter
//	pass_sums.go         sums: sums over columns become matrix products
//	pass_clamp.go        clamp: clamps indices, because XLA on CPUs is wrong for indices out of range
//	pass_convolutions.go conv_padding, conv_groups, conv_images, conv_loops: convolutions that XLA on CPUs gets wrong, or computes slowly
//	pass_patches.go      conv_patches: convolutions of patches as products, because TPUs pad a few channels
//	pass_split.go        split: each use gets its own constant
//	pass_microbatch.go   split_batch, micro_batches: the batch in parts, one after the other
//	pass_offload.go      offload, host_memory: inputs and outputs in the memory of the host
//	pass_offloadturns.go the slots of an optimizer in the memory of the host take turns on the device
//	pass_stacks.go       stacks: a loop does not save what a later loop computes again in less time
//	pass_memory.go       memory: values that are computed again, for a limit of memory
//	pass_keepoperands.go keep_operands: what products read and barriers hold back is stored once
//	placement.go         where weights and the state of the optimizer are, for a limit of memory
//	mesh.go              mesh: the mesh of the program; all annotated shardings
//	alias.go             alias and alias_final: donated inputs and their outputs
//	pass_choose.go       choose: the best of several ways to decide, for a machine whose times are predicted
//	pass_bind.go         bind: makes annotations binding
//	shardupdate.go       shard_update: the sharded update of weights, and sharded weights
//	signature.go         signature: inputs and outputs, and the inputs' roles
//	xla.go               divisible, lower_shardy and annotate: modules for XLA's partitioner
//	localvalues.go       per-device values: local shards, and which may differ between devices
//	reductions.go        merge_reduces and reduce_scatter
//	pass_reducefirst.go  reduce_first: devices reduce their own part before they reduce over devices
//	gathers.go           move_gathers: gathers where they cost least
//	pass_gathered.go     shard_gathered: shards of gathered values, computed from the shards before the gather
//	pass_scattered.go    shard_scattered: shards of the results of scatters, computed from the updates
//	pass_reducedtype.go  the element type in which gradients are summed over devices
//	combine.go           combine_reduces and combine_gathers: several values in one collective
//	pass_scatters.go     two_scatters: two scatters for a compiler that sums in place of one over all devices
//	pass_units.go        unit_dimensions: reduce_scatters without dimensions of size 1
//	combiner.go          which collectives can become one, and where it is placed
//	layoutcost.go        CostOfLayouts: what keeping all layouts costs
//	explain.go           Explain: the story of each value, by package explain
package compile
