// Package suggest finds layouts that make a program cheaper, and warns of layouts that are
// mistakes. It suggests rules of a layout map, ready to be pasted as flags or as lines of Go. Each
// suggestion is verified by compiling the program with its rules.
//
// It does not change the program. It does not suggest shardings of intermediate values, except where
// a rule gives a layer's output another one: propagation and package autoshard find those.
//
// Order of use: Find to make a program cheaper, Lint to find mistakes. Find begins with the changes
// that Lint suggests.
//
// # Evidence
//
// A layout may be a mistake if
//
//   - it conflicts with an axis of a neighbour in propagation
//   - a slot of the optimizer is not sharded like its weight
//   - a weight is replicated along an axis that is not the batch's, or that shards most weights,
//     and takes a noticeable part of the memory
//   - an axis shards nothing: perhaps it should shard the batch
//
// Suggestions that mend a mistake come before others, which improve a layout that may be a choice.
// An axis of the batch that shards few weights is such a choice for another one. Several mends that
// gain more together are one suggestion: mending a mistake may take two rules. What is left after
// the best mend is mended in further rounds, each with new evidence, and their rules join the
// suggestion. In mends of the second and third kind, the memory of inputs counts half as much as
// time. In other suggestions memory decides only between programs that take about the same time.
//
// # Search
//
// A class is a set of inputs, of outputs, or of layers' outputs with the same shape and annotation
// whose names differ only in their numbers: the same weight of all layers that are sharded alike. A candidate changes one
// class, or several that belong together:
//
//   - the sharding that propagation would give it if it had no annotation
//   - each axis on each dimension, or on none
//   - such a layout, together with the layouts that the other doubtful classes then get
//   - two classes that exchange their annotations
//   - slots that get the annotation of their weight
//   - the annotation that most siblings have: the same weight of other layers, and weights whose
//     names differ in one component, as query, key and value
//   - all inputs of a batch, along their first dimension
//   - classes whose names differ in one component, as query, key and value, together; and single
//     members of a class
//
// Classes with evidence are tried first. Time is limited by a number of ops, so that the result is
// the same on each machine. Each candidate is estimated by a dry run of the partitioner, or by
// partitioning if a dry run does not count all ops. The most promising are estimated again after a
// search for shardings, and the best of these are compiled. Exchanges, slots and siblings have
// their own share of the most promising: before a search for shardings, an undone mistake may cost
// more than the mistake.
//
//	file           what it holds
//	suggest.go     Find, and the text of suggestions
//	lint.go        Lint, and the text of warnings
//	search.go      what is tried in which order, and what counts as a gain
//	rounds.go      mends in several rounds
//	candidates.go  changes of layouts
//	layouts.go     the shardings that a tensor may have
//	targets.go     inputs, outputs and layers' outputs, in classes
//	evidence.go    evidence for mistakes
//	pattern.go     a set of names as one regular expression
//	estimate.go    what a program costs, without compiling it
package suggest
