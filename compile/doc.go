// Package compile turns a module with a few annotated layouts into a
// program.Program that an engine runs on a mesh of devices. It decides no
// layouts (package sharding does) and runs nothing (package runtime does).
//
// Order of use: Compile, then the methods of program.Program; report.New (package
// compile/report) for what a run costs. Suggest tells which layouts would cost
// less.
//
// The passes stand in one list in passes.go, in the order they run, each with
// the reason why it runs there. Options.DumpDir writes the module after each.
//
//	file                question it answers
//	compile.go          who runs the passes, checks and dumps what they leave?
//	passes.go           which passes run, in which order, and why?
//	options.go          what can a caller choose?
//	pass_inline.go      where do calls go?
//	pass_dce.go         which ops does no result need?
//	pass_simplify.go    how are the rewrites below applied?
//	rewrite_arith.go    which arithmetic is an identity, bit for bit?
//	rewrite_shape.go    which reshapes, transposes, … undo or repeat each other?
//	rewrite_fold.go     which ops on constants are computed here?
//	number.go           how is an element of a constant read and written?
//	pass_cse.go         which ops compute the same value twice?
//	pass_convpad.go     what becomes of a convolution's negative padding?
//	pass_clamp.go       what becomes of indices out of range?
//	pass_split.go       why does each use get its own constant?
//	pass_mesh.go        which mesh is the program for?
//	pass_unitaxes.go    what is an axis of size 1 worth?
//	pass_alias.go       do a donated input and its output lie alike?
//	pass_shardupdate.go how is an optimizer's work split?
//	pass_propagate.go   when is package sharding asked?
//	pass_divisible.go   what happens to a size that its axes do not divide?
//	pass_signature.go   what must the caller of the program know?
//	pass_lower.go       which Shardy ops does XLA not take?
//	pass_annotate.go    what does the module that XLA gets look like?
//	pass_balance.go     which layouts cost more than they need to?
//	pass_partition.go   when is package partition asked?
//	pass_join.go        which sums over several axes are one?
//	pass_scatter.go     which sums does a device need only a part of?
//	pass_gathers.go     where do the fewest bytes pass?
//	pass_combine.go     which reductions can go together?
//	pass_together.go    which gathers can?
//	spmd_slices.go      how does a per-device module cut out a shard?
//	spmd_uniform.go     along which axes may a value differ?
//	emit.go             what do an spmd module's ops look like to XLA?
//	emit_order.go       how do minima over devices keep NaN?
//	roles.go            what is an input for: data, weights, …?
//	suggest*.go         which layout would save a collective?
package compile
