// Package layout says how tensors are sharded on a mesh: which mesh axes shard
// which dimension, and what each device therefore holds.
//
// It moves no data (package runtime does) and decides nothing (package
// sharding propagates shardings from value to value).
//
// There are two forms. Users write a TensorLayout, as in keras.distribution: one
// axis or None for each dimension, full axes only. The compiler works with a
// Sharding, as Shardy has it: also sub-axes, open dimensions, priorities,
// unreduced axes. TensorLayout.Sharding converts the first to the second.
//
// Order of use: NewLayoutMap and Set, Get for each path, Sharding for the
// tensor's rank, then LocalShape and ShardRanges.
//
//	file             what it holds
//	tensorlayout.go  TensorLayout: one axis or None for each dimension
//	layoutmap.go     LayoutMap: layouts by path, keys are regular expressions; rules that do nothing
//	lint.go          Lint: layouts that are valid but waste memory
//	rule.go          Rule: a rule of a LayoutMap as text, of a flag or of a line of Go
//	sharding.go      Sharding, the compiler's form: its text, validity, local shapes, indices of each shard, permutations
package layout
