// Package layout says how tensors are sharded on a mesh: which mesh axes shard which dimension, and
// what each device therefore holds.
//
// It moves no data: package runtime does. It chooses no layout: package sharding propagates
// shardings from value to value.
//
// There are two forms. Users write a TensorLayout, as in keras.distribution: one axis or None for
// each dimension, full axes only. The compiler works with a Sharding, which follows Shardy: it can
// also hold sub-axes, open dimensions, priorities and unreduced axes. TensorLayout.Sharding
// converts the first to the second.
//
// Order of use: NewLayoutMap and LayoutMap.Set; LayoutMap.Get for each path; TensorLayout.Sharding
// for the tensor's rank; then Sharding.LocalShape and Sharding.ShardRanges.
//
//	file             what it holds
//	tensorlayout.go  TensorLayout: one axis or None for each dimension
//	layoutmap.go     LayoutMap: layouts by path, whose keys are regular expressions; finds rules that do nothing or waste memory
//	rule.go          Rule: a rule of a LayoutMap, as the text of a flag and as a line of Go
//	sharding.go      Sharding, the compiler's form: its text, validity, local shapes, indices of each shard, permutations
package layout
