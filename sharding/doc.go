// Package sharding chooses a layout for every value of an ir.Module, starting from the few that the
// user annotated. It does not change what the program computes. Package compile inserts the data
// movement that the layouts need.
//
// It implements Shardy's propagation. A sharding rule maps the dimensions of an op's tensors to
// factors, like the letters of an einsum. Propagation projects the axes of each dimension onto its
// factors, passes them along the factors to the other tensors of the op, and converts them back to
// axes of dimensions. TestOracle compares the results with those of Shardy itself on random
// programs, and TestConformance of cmd/gospmd on Shardy's tests.
//
// It does not search for good layouts: it only propagates the annotations. It does not know devices
// either: a mesh is only names and sizes.
//
// Order of use: Remesh and Annotate if the module came from a file; Propagate; Result.Explain;
// Complete. RuleOf returns the rule of one op.
//
// Rules themselves, and the projection of shardings onto the factors of a rule, are package factor.
//
// The passes that Shardy runs before and after propagation are package shardypasses.
//
//	file                contents
//	annotate.go         sets the mesh and the annotations of a module that was read from a file
//	outputs.go          the constraints on outputs of layers, by the names that rules match
//	rulebuilder.go      building rules
//	ruletable.go        the rule of every op, or the reason why it has none
//	rules_*.go          the rules of a family of ops
//	basic.go            basic propagation: only axes that all tensors of an op agree on
//	aggressive.go       aggressive propagation: each tensor takes what it can, even if others conflict
//	priority.go         op priorities and user priorities
//	graph.go            the graph that is propagated on
//	edges.go            data-flow edges and sharding groups in the graph
//	worklist.go         the order in which ops are visited; dead ops
//	provenance.go       records where each axis came from
//	explain.go          explanations of the sharding of a value
//	chain.go            the path of an axis back to its annotation, in few lines
//	complete.go         shardings for the values that propagation did not reach
//	check.go            validity of the shardings that a program starts with
//	propagate.go        Propagate and its options
package sharding
