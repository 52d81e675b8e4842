// Package layout says how tensors lie on a mesh: which mesh axes split which
// dimension, and what each device so holds.
//
// It moves no data (package runtime does) and decides nothing (package
// sharding carries layouts from value to value).
//
// There are two forms. Users write a TensorLayout, keras.distribution's: one
// axis or None for each dimension, whole axes only. The compiler works with a
// Sharding, Shardy's: also sub-axes, dimensions still open, priorities, sums
// still outstanding. TensorLayout.Sharding goes from the first to the second.
//
// Order of use: NewLayoutMap and Set, Get for each path, Sharding for the
// tensor's rank, then LocalShape and ShardRanges.
//
//	file              what it holds
//	tensorlayout.go   TensorLayout: one axis or None for each dimension
//	layoutmap.go      LayoutMap: layouts by path, keys are regular expressions
//	deadrule.go       rules of a LayoutMap that do nothing
//	lint.go           valid layouts that waste memory
//	sharding.go       Sharding, the compiler's form, and its text
//	validate.go       what makes a Sharding wrong
//	local.go          local shapes, and the global indices of each shard
//	permute.go        who sends to whom where only the devices of shards change
package layout
