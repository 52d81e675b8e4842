// Package autoshard revises the shardings that propagation has found, if that makes the program
// cheaper.
//
// Propagation spreads annotations and stops where no rule applies: values that it does not reach
// are replicated. It shards all values that it reaches, even if that gains little. This package may
// change each value, along one axis of the mesh, from replicated to sharded or back. This finds
// sequence parallelism (Korthikanti and others, Reducing activation recomputation in large
// transformer models, 2022): between a sum over the axis and its next use, norms, residuals and
// dropout run on shards,
//
//	%1 = all_reduce %0                       %1 = reduce_scatter %0
//	%2 = norm %1                         =>  %2 = norm %1
//	%3 = dot %2, %weight (sharded)           %3 = dot (all_gather %2), %weight (sharded)
//
// which sends the same bytes.
//
// The package knows neither how ops are partitioned nor their costs: it asks an Evaluator, which
// package partition implements. It changes only the shardings of values, and no ops.
//
// Order of use: sharding.Propagate and Complete, Refine, then partition.Module.
//
// # Search
//
// A dimension group is a set of dimensions that ops tie together, such as the batch of all
// activations, or the rows of a weight and of its optimizer's slots. For one axis of the mesh and
// one group, each value with a dimension of the group is a decision variable with two alternatives:
// the axis shards that dimension, or it does not. The cheapest alternatives for all values together
// are a minimal cut of the cut graph (Boykov, Veksler and Zabih, Fast approximate energy
// minimization via graph cuts, 2001). A dry run then computes the cost of the whole function with
// these alternatives. They are kept if it is less than before, and rolled back if not. The groups
// of all axes are tried in turn, the most promising first, until none changes anything.
//
// Values in loops are decided together with all others; their costs are multiplied by the trip
// count. A carried value is one decision variable: the value before the loop, the argument of the
// body, the value that the body returns and the result of the loop get its sharding. A value from
// outside is moved once, before the loop. Values in branches keep their shardings.
//
//	file          what it holds
//	autoshard.go  Refine: the loop over axes and groups, with commit and rollback
//	evaluator.go  Evaluator: the interface to the partitioner
//	reader.go     the decision variables of a function
//	variables.go  decision variables, and their alternatives
//	groups.go     dimension groups
//	cutgraph.go   the minimal cut that decides a group
package autoshard
