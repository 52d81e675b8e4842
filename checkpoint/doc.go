// Package checkpoint saves global tensors and loads them again, on any mesh.
//
// A checkpoint is one file: named tensors with their global shapes, and bytes
// of the caller's own (the step, the position in the data, …). It holds no
// mesh. It is written shard by shard, and comes into being whole or not at all:
// after a crash at any moment the one before is there. Tensors lie in it as
// tiles of at most a megabyte, each with a checksum that every reading compares;
// a device reads the tiles that hold a part of its own shard, and no others.
//
// It is no format for other programs: package keras/saving writes those.
//
// Order of use: NewStore of a folder, Save, Latest, Tensor, Load; or for single
// files Save and Open.
//
//	file        what it holds
//	save.go     Save
//	tile.go     tiles and boxes of elements
//	format.go   the file's head, table and foot
//	open.go     Open, Checkpoint, Stored
//	store.go    Store: the checkpoints of a folder
//	snapshot.go Snapshot, Host: tensors in the host's memory
package checkpoint
