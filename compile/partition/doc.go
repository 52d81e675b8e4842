// Package partition turns a program of global shapes, in which every value has
// a layout, into the program that each device runs on its shards: local shapes,
// and explicit collectives of the spmd dialect between them.
//
// It finds no shardings (package sharding does, and package autoshard, which asks
// its Evaluator for costs), plans no moves between two of them (package reshard
// does), and does not improve what it has made (the passes of package compile do). The result names mesh axes, never devices: it
// is the same size for 8 devices and for 4096.
//
// Order of use: sharding.Propagate and Complete, autoshard.Refine with a
// NewEvaluator, then Module.
//
// # Layouts
//
// A value of the global program becomes a tensor with one or more versions: the
// layouts that it was made in and moved to so far. An op takes each operand in
// the layout it wants, from the version that costs least; what is moved is moved
// once. A version may be partial: its parts on the devices along some axes are
// still to be joined. They are joined when a use needs it, by an all_reduce or,
// where the use wants shards, by a reduce_scatter.
//
// # Choosing
//
// An op is a nest of loops; its factors (see factor.Rule) are the loops that
// may be split. The layouts of operands and results each suggest axes for the
// factors; they, and what they make together, are the candidates. The cheapest
// wins, by the prices of package cost: what is sent for operands that must move,
// inside the op, and for the result, and what each device computes. Each
// collective says in its attribute why what it is for.
//
// # Padding
//
// A dimension of size d that is split n ways has ⌈d/n⌉ elements on every device.
// What lies beyond d is padding, and holds anything. Rules that let elements of
// a dimension meet mask it with what changes nothing there; for all others
// padding stays padding.
//
//	family        ops                                        split along
//	point-wise    element-wise, broadcast, transpose, …      every dimension
//	reshape       reshape                                    factors that both sides share; the first ones unevenly too
//	make          constant, iota, rng_bit_generator          anything: each device makes its part
//	contraction   dot_general, dot                           every dimension; sums are joined
//	reduction     reduce                                     every dimension; argmax and the like reduce gathered parts
//	window        convolution, reduce_window,                every dimension; borders come from neighbours
//	              select_and_scatter
//	slice         slice, pad, concatenate, reverse           every dimension; elements move to neighbours
//	index         gather, scatter, dynamic slices            every dimension; each device looks up what it has
//	whole dims    sort, top_k, fft, cholesky, …              all but the dimensions that they work along
//	batch norm    batch_norm_*                               every dimension; sums are joined
//	control       while, if, case, barriers                  as their values are
//	manual        manual_computation                         as it says
//	whole         what has no row above                      nothing: every device computes all of it
//
//	file                what it holds
//	partition.go        Module; functions, blocks and regions
//	rows.go             the table: how each kind of op is partitioned
//	interned.go         shardings, compared as pointers
//	tensor.go           the copies of a value, and moving it from one sharding to another
//	emit_reshard.go     the ops of a reshard plan
//	factors.go          between layouts and factors
//	choose.go           which factors are split by which axes
//	evaluate.go         what a function costs, for a search of shardings
//	mask.go             keeping padding out
//	window.go           reading beyond the borders of a shard
//	build.go            building local ops
//	expand.go           by way of simpler ops
//	whole.go            on whole tensors
//	control.go          control flow, and ops that state layouts
//	rule_*.go           the families
package partition
