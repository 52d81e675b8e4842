// Package checkpoint saves global tensors and loads them again, on any mesh.
//
// A checkpoint is one file: named tensors with their global shapes, and bytes
// of the caller's own (the step, the position in the data, …). It holds no
// mesh. It is written shard by shard, and atomically: after a crash at any
// moment the one before is there. Tensors are stored as tiles of at most a
// megabyte, each with a checksum that every reading compares; a device reads
// only the tiles that overlap its own shard.
//
// Several processes save one checkpoint together on a file system that they share:
// each but process 0 writes its shards into a part, a file beside the checkpoint's
// own. Any number of processes load it.
//
// Nothing that the table of a file says is allocated that the file cannot hold. The
// fuzz target is FuzzTable, which mends the checksums (ten minutes, 62,000 tables, found no
// panic).
//
// It is no format for other programs: package keras/saving writes those.
//
// Order of use: NewStore of a directory, Save, Latest, Tensor, Load; or for single
// files Save and Open.
//
//	file       holds
//	save.go    Save; Snapshot and Host, sources in the host's memory
//	parts.go   SaveAcross: checkpoints of several processes
//	store.go   Store: the checkpoints of a directory
//	open.go    Open, Checkpoint, Stored
//	format.go  the file's head, tiles, table and foot
package checkpoint
