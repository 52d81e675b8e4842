// Package suggest finds layouts that make a program cheaper, and warns of layouts that are
// mistakes. It suggests rules of a layout map, ready to be pasted as flags or as lines of Go. Each
// suggestion is verified by compiling the program with its rules.
//
// It changes no program. It does not suggest shardings of intermediate values: propagation and
// package autoshard find those.
//
// Order of use: Find to make a program cheaper, Lint to find mistakes. Find begins with the changes
// that Lint suggests.
//
// # Evidence
//
// A layout may be a mistake where
//
//   - it keeps an axis of a neighbour out, or brings in an axis that is kept out elsewhere
//   - a slot of the optimizer is not sharded like its weight
//   - a weight is replicated along an axis that is not the batch's, and takes a noticeable
//     part of the memory
//   - an axis shards nothing: the batch may lack it
//
// Suggestions that mend a mistake come before those that improve upon a choice. Mends that gain
// together are one suggestion: a mistake may take two rules. In mends of the second and third kind
// the memory of inputs counts half as much as time. In other suggestions memory decides only
// between programs that take about as long.
//
// # Search
//
// A class is a set of inputs and outputs with the same shape and annotation whose names differ only
// in their numbers: the same weight of all layers that are sharded alike. A candidate changes one
// class, or several that belong together:
//
//   - the sharding that propagation would give it if it had no annotation
//   - each axis on each dimension, or on none
//   - such a layout, and its consequences for the other doubtful classes
//   - two classes that exchange their annotations
//   - slots that get the annotation of their weight
//   - the annotation that most siblings have: the same weight of other layers, and
//     those of names that differ in one component, as query, key and value
//   - all inputs of a batch, along their first dimension
//   - classes that differ in one component of the name, as query, key and value,
//     together; and members of a class alone
//
// Classes with evidence are tried first. Time is bounded in ops, so that the result is the same on
// each machine. Each candidate is estimated by a dry run of the partitioner, or by partitioning if
// a dry run does not count all ops. The most promising are estimated again after a search for
// shardings, and the best of these are compiled. Exchanges, slots and siblings have their own share
// of the most promising: before a search for shardings, an undone mistake may cost more than the
// mistake.
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
