// Package reshard plans how a tensor gets from one sharding to another: which collectives, in which
// order, for the fewest bytes.
//
// It knows sizes and shardings, but no programs: package partition asks for plans and builds the
// ops of their steps.
//
// Order of use: call Plan. To compare plans, use Steps.Bytes; to build one, go through its Steps.
//
//	file           what it holds
//	step.go        Tensor, Kind, Step, Steps: what a plan consists of
//	plan.go        Plan, Planner: the order in which searches are tried
//	neighbours.go  halo exchanges and neighbour gathers: who sends what to whom
//	problem.go     sub-axes, shardings as lists of them, the graphs of a problem
//	few.go         few sub-axes of the axes of a large mesh
//	state.go       nodes and edges of the graph
//	moves.go       the edges that leave a node
//	cost.go        the cost of an edge, and its steps
//	queue.go       the priority queue of the searches
//	shapes.go      the shortest path with a permutation
//	search.go      the shortest path without one, and its lower bound
//
// # The graph
//
// Every axis of the mesh is cut into prime sub-axes. A node is a list of sub-axes for each
// dimension, and the set of sub-axes that the tensor is unreduced over. Edges append sub-axes to a
// dimension (slice), remove the last ones (all_gather), move the last ones of a dimension to the
// end of another (all_to_all), replace all sub-axes by others of the same sizes (permute), move
// them from the unreduced ones to a dimension (reduce_scatter) or away (all_reduce). The graph does
// not depend on the two shardings of the plan. Therefore a detour by a third sharding is never
// cheaper than the plan, except as the sections below say.
//
// The cost of an edge depends only on sizes. So a plan needs at most one permutation, because that
// can put all sub-axes where the rest of the plan needs them. The best plan with a permutation is
// found in the graph of shapes; that graph is much smaller, because it does not distinguish
// sub-axes of one size. The best plan without a permutation is found by A*. Its search is bounded
// by the cost of the plan with a permutation, and guided by two lower bounds: the distance in the
// graph of shapes, and the bytes that a device needs and does not hold. Most plans of programs are
// one step that sends no more than must be sent; those take microseconds on any mesh.
//
// The idea to search sequences of collectives over the prime factors of the mesh is from Rink et
// al., Memory-efficient array redistribution through portable collective communication (2021). The
// normal form there also shows that a plan never needs more memory than the larger shard if sizes
// divide.
//
// # Sizes that do not divide
//
// A dimension of d elements in n parts has blocks of ⌈d/n⌉ elements, the last ones padding. Every
// node has blocks of that length, whatever path leads to it. Slicing each block of a 4-way sharding
// in 2 gives the blocks of an 8-way sharding only if they nest. For example, 10 elements have
// blocks of 3 in 4 parts. In 8 parts they have blocks of 2 that start at 0, 2, 4, … and so cross
// the borders of the blocks of 3. An edge therefore changes the length of the blocks first (before
// a slice, to a multiple of the new block) or last (after a gather, from the multiple):
//
//   - A dimension that is not sharded is padded or trimmed, on each device by itself.
//   - Otherwise a halo exchange shifts the borders. Block i moves by i times the difference of the
//     lengths, which is less than the number of parts. So the elements that a device needs and does
//     not have are few, and its nearest neighbours have them. Shifts send just these elements, and
//     the new block is sliced out of them and the old block. Nothing is gathered.
//   - A dimension with fewer elements than half its parts is gathered more cheaply as a sum of
//     zeros and one block: pad to offset, then a bitwise all-reduce.
//   - If the minor sub-axes of a dimension already make at least as many parts as it has elements,
//     a further major sub-axis only masks devices: those whose coordinate along it is not 0 hold
//     padding. Masking costs nothing; a broadcast, by a bitwise all-reduce, undoes it.
//
// # Memory
//
// No step may need more memory than 3 times the shards before and after the plan together; edges
// that would need more are left out. All values that a device holds during a step count: operand,
// result and intermediate values (Step.Live). If sizes divide, there is always a plan. If a
// dimension has about as few elements as it has parts, padding can make every plan too large. Only
// then a device gets what it needs from one neighbour after the other (neighbour gather), with
// permutations around it if it then needs fewer neighbours.
//
// # What is not promised
//
//   - The limit of memory depends on the two shardings. So a detour by a third, large sharding may
//     use steps that are too large for the plan, and be cheaper: the limit wins. This happens only
//     for small uneven dimensions, to 16 of the 200 000 random detours of TestTriangle for the
//     seeds 3 to 12; no other detour is cheaper than the plan.
//   - Plans are compared by the bytes that all-reduces send without rounding, but Step.Bytes rounds
//     up to whole parts. A detour may seem cheaper by the difference, which is less than two
//     elements for each device.
//   - An axis whose size has several different prime factors can be cut in several orders, and no
//     two orders share all sub-axes. It is cut smallest prime first. If one of the two shardings
//     cuts it in another way, it is cut in all orders.
//   - A mesh with more than 5 prime sub-axes, such as one of 64 devices, is large. There a plan of
//     full axes is good enough if it sends at most a sixteenth more than must be sent, or 4096
//     bytes more for each device, the cost of a collective's latency. Otherwise axes are cut only
//     where the sizes of the dimensions or of other axes make a difference, and a search visits at
//     most 200 nodes. If no plan is found so, axes are cut into primes, and a search visits at most
//     1000 nodes. So a plan takes as long for 65536 devices as for 64. Axes that do not occur in
//     the shardings serve to reduce in parts, but only on a mesh of up to 5 axes. The last search
//     may find no plan, for example if each dimension has several of many axes. Then the dimensions
//     that the two shardings shard differently are gathered, whatever memory that takes.
//   - Among plans that send the same number of bytes, the one with the fewest steps is chosen. But
//     a single step that sends no more than necessary is taken without comparison.
package reshard
