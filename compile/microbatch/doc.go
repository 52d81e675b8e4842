// Package microbatch divides the batch of a training step into micro-batches. The step computes the
// gradients of one micro-batch after the other, adds them up, and updates the weights once. The
// memory of activations falls with the number of micro-batches. The results are those of the step
// for the whole batch, up to rounding.
//
// The package works on programs, not on models. To the partitioner, micro-batches are the shards of
// one more mesh axis. So the rules of package partition say what each op computes of a micro-batch,
// and where results of several micro-batches must be combined: by an all_reduce over that axis. But
// the axis has no devices. Serialize makes the program run the positions of the axis one after the
// other, in a loop, and replaces each all_reduce by a sum that the loop carries.
//
//	%g = dot %x, %d                        %g = while (%i = 0, %s = 0) %i < 4 do {
//	%h = all_reduce %g                       %xi = dynamic_slice %x, …
//	     axes = {"data", "microbatch"}  =>   %gi = dot %xi, …
//	                                         return %i + 1, %s + %gi
//	                                       }
//	                                       %h = all_reduce %g, axes = {"data"}
//
// If a later all_reduce depends on the result of an earlier one, the earlier one needs a loop of
// its own. An example is the number of samples that a mask keeps, which the gradients are divided
// by. A batch normalization takes two: one for the statistics, one for their gradient. Each loop
// computes again what it needs of a micro-batch. A step of more than maxRounds loops is not divided.
//
// The package does not choose the number of micro-batches: package compile does.
//
// Order of use: Split, partition.Module on the module and the mesh of the Batch, then
// Batch.Serialize.
//
//	file          what it holds
//	split.go      Split: the batch is sharded over one more axis
//	sink.go       sums over micro-batches leave the loops of the step
//	columns.go    gradients of tables: devices exchange updates in place of sums
//	serialize.go  Serialize: the per-device program with loops
//	rounds.go     what each loop computes, and in which order
//
// Literature: Huang et al., GPipe (NeurIPS 2019), accumulate gradients of micro-batches in a
// pipeline. Zheng et al., Alpa (OSDI 2022), and JAX's MaxText let the user's program do it.
package microbatch
