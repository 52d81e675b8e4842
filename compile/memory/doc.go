// Package memory makes a per-device program fit into a limit of memory: it computes values again in
// place of keeping them (rematerialization), or moves them to the host and back. The candidates are
// values that stay in memory for a long time between two uses, mostly from the forward to the
// backward pass. Fit chooses some of them so that the predicted peak is within the limit, at the
// least predicted time.
//
// The package does not shard, or cut batches into parts. It predicts nothing itself: peaks are
// those of package cost, for the order in which the target's compiler runs the program.
//
// A user can also choose: Policies name layers by their paths, and Apply computes the values of
// these layers again, moves them, or keeps them in fewer bits, whatever the limit is.
//
// The files use these words. A step is a moment of the program's run whose memory package cost
// predicts (cost.Moment). A gap of a value is a time without a use, between two of its uses. To
// evict a value is to free it for its gap; a copy is the value behind the gap: computed again or
// fetched.
//
// Order of use: Policies.Set, DropStacks, Apply, Fit.
//
//	file         what it holds
//	policies.go  Policies: actions by layer path
//	apply.go     Apply: the choice that policies ask for
//	fit.go       Fit: choose, rewrite, predict, and again where the prediction was off
//	sums.go      the sums of gradients, which compilers combine
//	turned.go    the transposes of matrices before loops, taken back
//	gathers.go   gathers of weights, moved into the loops that read them
//	stacks.go    the stacks of loops: the buffers in which a loop saves a value of each iteration
//	scans.go     the removal of stacks whose values the later loop can compute
//	dropped.go   DropStacks: the removal of stacks that cost more than to compute their values again
//	products.go  the products that a loop adds up and whose operands are in stacks
//	regions.go   the bodies of loops and branches, fitted as functions
//	movestacks.go  moves of stacks to the host
//	moves.go     moves of values to the host: when they begin and end, and how long devices wait
//	compress.go  values that are kept in fewer bits
//	problem.go   the problem: which value is in memory when, and the time of computing it again
//	evaluate.go  the time of a choice, and its bytes over the limit
//	search.go    the search for the cheapest choice that fits
//	rewrite.go   the program of a choice, with the copies
//	barriers.go  HoldBarriers: barriers of users, for compilers that remove barriers
//	hold.go      what keeps copies late: a compiler would merge them with the first computation
//
// The literature: Chen et al., Training Deep Nets with Sublinear Memory Cost (2016), keep every
// √n-th value of a chain. Jain et al., Checkmate (MLSys 2020), find the optimum by an integer
// program over all times. Kirisame et al., Dynamic Tensor Rematerialization (ICLR 2021), evict
// while the program runs, by the least time for the bytes. Zhao et al., Rockmate (ICML 2023), solve
// each block by itself, then the sequence of blocks. Torchtitan's memory policies (2024) are
// choices for each kind of tensor. The search here evicts by the least time for the bytes, as DTR
// does, but knows all uses in advance. A local search then gives up evictions that are no longer
// needed. In one search, each value is computed at most twice. Rajbhandari et al., ZeRO (SC 2020),
// gather weights when a layer needs them.
package memory
