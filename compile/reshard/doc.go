// Package reshard plans how a tensor gets from one layout to another: which
// collectives, in which order, for the fewest bytes.
//
// It knows sizes and layouts only, no programs: package partition asks for
// plans and builds the ops of their steps.
//
// Order of use: Plan, then Steps.Bytes to compare, or each Step in turn to
// build.
//
//	file           what it holds
//	step.go        Tensor, Kind, Step, Steps: what a plan consists of
//	plan.go        Plan: the order in which things are tried
//	planner.go     Planner: the same, for many tensors
//	blocks.go      Reblock: where block borders are shifted
//	exchange.go    Exchange: which neighbours are asked
//	atoms.go       the parts that mesh axes are cut into
//	state.go       nodes of the graph: layouts as lists of parts
//	space.go       the two graphs of a problem, of layouts and of shapes
//	moves.go       which edges leave a node
//	price.go       what an edge costs, and the steps it stands for
//	shapes.go      the shortest path with a permutation
//	layouts.go     the shortest path without one
//	missing.go     how much a path must cost at least
//
// # The graph
//
// Every axis of the mesh is cut into parts of prime size. A node is a list of
// parts for each dimension, and the set of those over which a sum is
// outstanding. Edges append parts to a dimension (slice), take the last ones
// away (all_gather), move the last ones of a dimension to the end of another
// (all_to_all), change all parts for others of the same sizes (permute), move
// them from the sums to a dimension (reduce_scatter) or away (all_reduce). The
// graph does not depend on the two layouts in question. Therefore no detour is
// cheaper than a plan, as far as what follows does not say otherwise.
//
// What an edge costs depends on sizes only. So a plan needs at most one
// permutation, which can put everything where the rest of the plan wants it,
// and the best plan with one is found in the much smaller graph of shapes, in
// which parts of one size are not told apart. The best plan without one is
// found by A*, bounded by the former and led by two lower bounds: the distance
// in the graph of shapes, and what some device lacks. Most plans of programs
// are one step that sends no more than must be sent; those take microseconds
// on any mesh.
//
// The idea to search sequences of collectives over the prime factors of the
// mesh is in Rink et al., Memory-efficient array redistribution through
// portable collective communication (2021), whose normal form also shows why
// memory never needs to grow beyond the larger shard when sizes divide.
//
// # Sizes that do not divide
//
// A dimension of d elements in n parts has blocks of ⌈d/n⌉ elements, the last
// ones padding. Every node has blocks of that length, no matter how it was
// reached. Splitting a block of 4-way further into 2 does not give the blocks
// of 8-way where they do not nest: 10 elements have blocks of 3, and then of 2
// which start at 0, 2, 4, … and not within those. An edge therefore changes
// the length of the blocks first (before a split, to a multiple of the new
// block) or last (after a gather, from the multiple):
//
//   - A dimension that no axis splits is padded or trimmed, on each device by
//     itself.
//   - Else a Reblock shifts the borders. Block i moves by i times the
//     difference of the lengths, which is less than the number of parts; so
//     the elements that a device lacks are few, and are those of its nearest
//     neighbours. They are sent with shifts of just those elements, and the new
//     block is cut out of them and the old one. Nothing is gathered.
//   - A dimension of fewer elements than half its parts is gathered more
//     cheaply as a sum of zeros and one block: Place and Union.
//   - Parts in front of others that have room for all elements hold nothing but
//     where their coordinate is 0. To split by one more of them costs nothing,
//     since the other devices only forget what they have (idle); the way back is
//     a Place and a Union of one block (wake).
//
// # Memory
//
// No step may need more than 3 times the shard before and the shard after
// together; edges that would are not there. All that a device holds for a step
// counts: operand, result and what is in between, as Step.Live says. Where
// sizes divide there is always a plan. Where a dimension has about as few
// elements as it has parts, padding can make every plan too large. Then, and
// only then, an Exchange asks one neighbour after the other, with permutations
// around it where it needs fewer neighbours for that.
//
// # What is not promised
//
//   - The bound for memory depends on the two layouts, so a detour by way of a
//     large one may use steps that are too large here, and be cheaper for it: the
//     bound wins. It happens for small uneven dimensions only, to 16 of the
//     200 000 detours that TestTriangle makes up for the seeds 3 to 12; of the
//     others none is cheaper than the plan.
//   - Plans are compared by what all-reduces send without rounding, Step.Bytes
//     rounds up to whole parts: a detour may seem cheaper by that much, which is
//     less than two elements for each device.
//   - An axis whose size has several different prime factors can be cut in
//     several ways, of which no two share all parts. It is cut smallest factor
//     first, and in all ways where a layout in question is cut otherwise.
//   - On a mesh with more than 5 parts, as of 64 devices, a plan of whole axes
//     is good enough if it sends at most a sixteenth more than must be sent;
//     else a search over parts visits no more than 2000 nodes.
//   - Among plans that send the same, the one with the fewest steps is meant,
//     but a step that is no more than necessary is taken without comparison.
package reshard
