// Package memory makes a per-device program fit into a limit of memory: it computes values again in
// place of keeping them. The candidates are values that are kept from the time when they are made
// to a much later use, mostly from the forward to the backward pass. Of these it chooses some so
// that the predicted peak is within the limit, at the least predicted time.
//
// It does not shard, and it does not move values to the host or cut batches into parts: Action
// names what is done with a value, and has room for more. It predicts nothing itself: peaks are
// those of package cost, for the order in which the target's compiler runs the program.
//
// Policies say by hand, for layers by their paths, what is computed again: Apply does that,
// whatever the limit is.
//
// Order of use: Policies.Set, Apply, Fit.
//
//	file         what it holds
//	policies.go  Policies: actions by layer path
//	apply.go     Apply: the choice that policies ask for
//	fit.go       Fit: choose, rewrite, predict, and again where the prediction was off
//	sums.go      the sums of gradients, which compilers combine
//	stacks.go    the stacks of loops: what they save of each iteration
//	scans.go     the stacks that go away
//	regions.go   the bodies of loops and branches, as functions
//	problem.go   the problem: what is in memory when, and what computing a value again costs
//	evaluate.go  what a choice costs, in time and over the limit
//	search.go    the search for the cheapest choice that fits
//	rewrite.go   the program with the ops that compute values again
//	barriers.go  HoldBarriers: barriers of users, for compilers that remove them
//	hold.go      how these ops are kept where they are: compilers would merge them with the first ones
//
// The literature: Chen et al., Training Deep Nets with Sublinear Memory Cost (2016), keep every
// √n-th value of a chain. Jain et al., Checkmate (MLSys 2020), find the optimum by an integer
// program over all times. Kirisame et al., Dynamic Tensor Rematerialization (ICLR 2021), evict
// while the program runs, by the least time for the bytes. Zhao et al., Rockmate (ICML 2023), solve
// each block by itself, then the sequence of blocks. Torchtitan's memory policies (2024) are
// choices for each kind of tensor. The search here evicts by the least time for the bytes, as DTR
// does, but knows all uses in advance; a step of local search behind it gives up evictions that are
// not needed any more. It holds each value at most twice: the first time, and once again.
package memory
