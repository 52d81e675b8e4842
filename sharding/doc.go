// Package sharding chooses a layout for every value of an ir.Module, starting
// from the few that the user annotated. It changes no computation: making the
// layouts true by moving data is package compile's job.
//
// It is a peer of Shardy's propagation and follows its algorithm: an op's
// dimensions are mapped to factors, as the letters of an einsum; the axes that
// split a dimension are projected onto its factors, pass to the other tensors
// along them, and are put together to dimensions again. TestOracle compares
// the results with Shardy's own on random programs, cmd/gospmd's TestConformance on Shardy's
// tests.
//
// It is not a search for good layouts: it propagates the annotations. Nor does it
// know devices; a mesh is names and sizes.
//
// Order of use: Remesh and Annotate where the module came from a file, Propagate,
// Result.Explain, Complete. RuleOf returns the rule of one op.
//
// Rules themselves, and the projection of shardings onto the factors of a rule,
// are package factor.
//
// The passes that Shardy runs before and after propagation are package
// shardypasses.
//
//	file                contents
//	annotate.go         mesh and annotations for a module that was read from a file
//	rulebuilder.go      building rules
//	ruletable.go        the rule of every op, or the reason why it has none
//	rules_*.go          the rules of a family of ops
//	basic.go            basic propagation: what all tensors of an op agree on
//	aggressive.go       aggressive propagation: what each tensor can take when they disagree
//	priority.go         op priorities and user priorities
//	graph.go            the graph that is propagated on
//	edges.go            data-flow edges and sharding groups in the graph
//	worklist.go         the order in which ops are visited; dead ops
//	provenance.go       where each axis came from, recorded
//	explain.go          explanations of the sharding of a value
//	chain.go            the way of an axis back to its annotation, in few lines
//	complete.go         shardings for the values that propagation did not reach
//	check.go            validity of the shardings that a program starts with
//	propagate.go        Propagate and its options
package sharding
