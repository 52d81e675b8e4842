// Package partition is the SPMD partitioner: it turns a global program into a per-device program.
//
// The global program has global shapes, and every value has a sharding. The per-device program runs
// on the shards of one device: it has local shapes and explicit collectives of the spmd dialect.
//
// It does not find shardings: package sharding does, and package autoshard, which asks this
// package's Evaluator for costs. It does not plan moves between two shardings: package reshard
// does. It does not optimize the result: the passes of package compile do. The result names mesh
// axes, never devices, so it has the same size for 8 devices and for 4096.
//
// Order of use: sharding.Propagate and Complete, autoshard.Refine with a NewEvaluator, then Module.
//
// # Values
//
// A value of the global program becomes a tensor with one or more copies: one for each sharding
// that it was made in or moved to so far. An op takes each operand in the sharding of its strategy;
// if there is no such copy, one is made from the copy that costs least. Later uses find the new
// copy. A copy may be partial, or unreduced over some axes: each device holds a partial result. It
// is reduced when a use needs it reduced: by an all_reduce or, if the use needs shards, by a
// reduce_scatter.
//
// # Choosing
//
// An op is a nest of loops; its factors (see factor.Rule) are the loops that may be sharded. The
// shardings of operands and results each suggest axes for the factors; they and their combinations
// are the candidates. The cheapest is the op's strategy. Its cost, by the model of package cost, is
// that of the bytes sent to move operands, inside of the op, and to move results, and that of each
// device's arithmetic. Each collective's why attribute states the reason it exists.
//
// Costs in a loop are multiplied by the trip count. A value from outside is moved once, before the
// loop.
//
// # Padding
//
// A dimension of size d that is sharded n ways has ⌈d/n⌉ elements on every device. The elements
// beyond d are padding, and have any value. Rules of ops that combine elements of a dimension
// replace padding by neutral elements; in the results of all other ops padding stays padding.
//
//	family        ops                                        sharded along
//	point-wise    element-wise, broadcast, transpose, …      every dimension
//	reshape       reshape                                    factors that both sides share; the first ones unevenly too
//	make          constant, iota, rng_bit_generator          any dimension: each device makes its shard
//	contraction   dot_general, dot                           every dimension; partial sums are reduced
//	reduction     reduce                                     every dimension; argmax and the like reduce gathered results;
//	                                                         not those along which another body of several ops reduces
//	window        convolution, reduce_window,                every dimension; borders come from neighbours
//	              select_and_scatter
//	slice         slice, pad, concatenate, reverse           every dimension; elements move to neighbours
//	index         gather, scatter, dynamic slices            every dimension; each device looks up what it has
//	others        sort, top_k, fft, cholesky, …              all but the dimensions that they work along
//	batch norm    batch_norm_*                               every dimension; statistics are reduced
//	control       while, if, case, barriers                  as their values are
//	manual        manual_computation                         as it says
//	replicated    all ops without a rule                     nothing: every device computes it in full
//
//	file               what it holds
//	partition.go       Module; functions, blocks and regions
//	frame.go           the blocks that are partitioned, and how often they run
//	registry.go        how each kind of op is partitioned
//	interned.go        shardings, compared as pointers
//	tensor.go          the copies of a value, and moving it from one sharding to another
//	factors.go         conversion between shardings and axes per factor
//	choose.go          the choice of an op's strategy
//	evaluate.go        Evaluator: costs for a search for shardings
//	nodes.go           the ops and values of an Evaluator, including those in loops
//	dryrun.go          the cost of a function while its shardings are revised
//	classes.go         ops that cost the same under the same shardings
//	builder.go         the builder of local ops, and expansion to simpler ops
//	reshard.go         the ops of a reshard plan
//	window.go          reading beyond the borders of a shard, and masking padding
//	neutral.go         neutral elements in place of padding and missing elements
//	control.go         control flow, ops that state shardings, constants, replicated ops
//	rule_batchnorm.go  batch normalization
//	rule_customcall.go custom calls
//	rule_gather.go     gather, scatter
//	rule_index.go      dynamic slices, and looking up by index
//	rule_manual.go     manual computations
//	rule_reduce.go     matrix products, reductions
//	rule_reshape.go    reshape
//	rule_rng.go        random bits
//	rule_select.go     select_and_scatter
//	rule_slice.go      slice, pad, concatenate, reverse
//	rule_window.go     window reductions, convolutions
package partition
