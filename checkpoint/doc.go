// Package checkpoint saves global tensors and loads them again, on any mesh.
//
// A checkpoint is one file: named tensors with their global shapes, and bytes of the caller's own
// (the step, the position in the data, …). It contains no mesh. It is written shard by shard, and
// atomically: after a crash at any moment the previous checkpoint is there. Tensors are stored as
// tiles of at most a megabyte, each with a checksum that every reading compares; a device reads
// only the tiles that overlap its own shard.
//
// Several processes save one checkpoint together on a file system that they share: each process
// except 0 writes its shards to a part, a file beside the checkpoint's own file. A job with any
// number of processes can load it.
//
// Sizes in a file's table are checked against the size of the file before memory is allocated. The
// fuzz target is FuzzTable, which sets the right checksums (ten minutes, 62,000 tables, found no
// panic).
//
// SaveAsync saves behind a training: the training waits for a copy to the host's memory only.
//
// The format is not for other programs. They read safetensors files (SaveSafetensors), and Keras'
// files (package keras/saving).
//
// Order of use: NewStore of a directory, Save or SaveAsync, Latest, Tensor, Load; or for single
// files Save and Open.
//
//	file               holds
//	save.go            Save; how a file is written
//	snapshot.go        Snapshot and Host, sources in the host's memory
//	async.go           Async, Store.SaveAsync: saves behind a training
//	direct_linux.go    writes past the page cache
//	direct_none.go     the replacement of direct_linux.go on other systems
//	parts.go           SaveAcross: checkpoints of several processes
//	store.go           Store: the checkpoints of a directory
//	open.go            Open, Checkpoint, Stored
//	format.go          the file's head, tiles, table and foot
//	safetensors.go     SaveSafetensors, OpenSafetensors
package checkpoint
