// Package suggest finds layouts by which a program would cost less, and warns of
// those that are mistakes. What it suggests is rules of a layout map that can be pasted as
// they are, as flags or as lines of Go, each verified by compiling the program with them.
//
// It changes no program. Shardings of values in between are not its subject:
// propagation and package autoshard find those.
//
// Order of use: Find for what is cheaper, Lint for what is wrong. Find begins with the changes
// that Lint warns of.
//
// # Evidence
//
// A layout may be a mistake where
//
//   - it keeps an axis of a neighbour out, or brings one that is kept out elsewhere
//   - a slot of the optimizer is sharded otherwise than its weight
//   - a weight is replicated along an axis that is not the batch's, and takes a noticeable
//     part of the memory
//   - an axis shards nothing: the batch may lack it
//
// What mends a mistake goes before what improves upon a choice. Mends that gain together are
// one suggestion: a mistake may take two rules. In a mend of the second and third kind the
// memory of inputs counts half as much as time; elsewhere memory decides only between
// programs that take about as long.
//
// # Search
//
// Inputs and outputs of one name but for its numbers, and of one shape and
// annotation, are a class: the same weight of all layers that are sharded alike. A
// candidate changes one class, or several that belong together:
//
//   - the sharding that propagation would give it if it had no annotation
//   - each axis on each dimension, or on none
//   - such a layout, and what follows from it for the other doubtful classes
//   - two classes that exchange their annotations
//   - slots that get the annotation of their weight
//   - the annotation that most siblings have: the same weight of other layers, and
//     those of names that differ in one component, as query, key and value
//   - all that comes in with a batch, along its first dimension
//   - classes that differ in one component of the name, as query, key and value,
//     together; and members of a class alone
//
// Classes with evidence are tried first. Time is bounded in ops, so that the result is the
// same on each machine. A candidate is estimated by a dry run of the partitioner, or by
// partitioning where a dry run does not count all ops, the most promising again
// after a search for shardings, and the best are compiled. Exchanges, slots and
// siblings have a share of their own of those: undone mistakes may cost more than
// the mistake until shardings are searched for.
//
//	file           what it holds
//	suggest.go     Find, and the text of suggestions
//	lint.go        Lint, and the text of warnings
//	search.go      what is tried in which order, and what counts as a gain
//	candidates.go  changes of layouts
//	layouts.go     the shardings that a tensor may have
//	targets.go     inputs and outputs, in classes
//	evidence.go    what speaks for a mistake
//	pattern.go     a set of names as one regular expression
//	estimate.go    what a program costs, without compiling it
package suggest
