// Package sharding chooses a layout for every value of an ir.Module, starting
// from the few that the user pinned. It changes no computation: making the
// layouts true by moving data is package compile's job.
//
// It is a peer of Shardy's propagation and follows its algorithm: an op's
// dimensions are mapped to factors, as the letters of an einsum; the axes that
// split a dimension are projected onto its factors, pass to the other tensors
// along them, and are put together to dimensions again. TestOracle compares
// the results with Shardy's own on random programs (the last long run: 54,050
// comparisons, no difference left but the one that its comment gives reasons for),
// cmd/gospmd's TestConformance on Shardy's tests.
//
// It is not a search for good layouts: it spreads what is pinned. Nor does it
// know devices; a mesh is names and sizes.
//
// Order of use: Remesh and Pin where the module came from a file, Propagate,
// Result.Explain, Complete. RuleOf tells of one op. PropagationPasses does what
// Shardy's propagation pipeline does, to the letter.
//
//	file                question it answers
//	pin.go              how are mesh and layouts given to a module from a file?
//	rule.go             what is a sharding rule, and how is it written?
//	rulebuilder.go      how is a rule put together?
//	ruletable.go        which ops have one, and why have the others none?
//	rules_*.go          how do the dimensions of these ops move together?
//	axis.go             what is a prefix, an overlap of axes and sub-axes?
//	project.go          which factors do the axes of a dimension split?
//	basic.go            what do all tensors of an op agree on?
//	aggressive.go       what does each of them get when they do not agree?
//	priority.go         who goes first?
//	graph.go            what is propagated between?
//	dataflow.go         how do layouts enter loops, branches and manual computations?
//	worklist.go         when is an op looked at again?
//	constraints.go      what does a constraint mean for the value it is on?
//	groups.go           which values are to be laid out alike?
//	provenance.go       where did an axis come from?
//	explain.go          why is a value laid out as it is, and not otherwise?
//	page.go             how does all that look in a browser?
//	complete.go         what of the values that nothing reached?
//	check.go            is a pinned sharding possible at all?
//	dead.go             which ops does nothing need?
//	populate.go         how to show the rules?
//	propagate.go        how does propagation go together?
//	pipeline.go         which passes come before and after it?
//	import_*.go         what do programs become before propagation?
//	export_*.go         how are layouts made final after it?
//	reshard*.go         which data movement must a program state?
//	symbols.go          who calls whom, and what are copies called?
//	edit.go, walk.go    how do passes change ops and shardings?
package sharding
