package transport

// This file defines Transport, the interface of transports, which move bytes between the processes
// of a job, and Collectives, which some transports implement too.

import (
	"context"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// Message is what one process sends to another in one operation.
type Message struct {
	Rank int    // the other process
	Data []byte // the bytes to send, or the memory for the bytes to receive
}

// Transport moves bytes between the processes of a job, which are numbered 0 to Size-1. Operations
// with different tags may be in flight at once; operations with the same tag must come in the same
// order in all processes. All methods may be called from several goroutines.
//
// When a process is lost, operations that wait for it fail with an error that names its rank.
type Transport interface {
	Rank() int
	Size() int
	// Exchange sends and receives the messages of one operation and returns when
	// all have been sent and have arrived. A message must be as long as the
	// receiver expects: if not, the error names both ranks and both lengths.
	Exchange(ctx context.Context, tag uint64, sends, recvs []Message) error
	// AllReduce combines the elements of data, of type dtype, over ranks, in place. ranks include
	// this process. All ranks get the same bits. If the transport does not support that reduction
	// of that type, the error is errors.ErrUnsupported, and nothing was sent.
	AllReduce(ctx context.Context, tag uint64, ranks []int, data []byte, dtype dtypes.DType, reduction ir.OpKind) error
	// Close makes all waiting and all later operations fail with cause.
	Close(cause error) error
}

// Collectives is an interface that some transports implement too: collectives of an existing
// library. Each rank gives the same number of bytes. If exchanges are faster, the error is
// errors.ErrUnsupported in all ranks, and nothing was sent.
type Collectives interface {
	// AllGather fills data, one part for each of ranks in ascending order. Before the call, data
	// must contain the part of this process.
	AllGather(ctx context.Context, tag uint64, ranks []int, data []byte) error
	// AllToAll sends each of ranks its part of out, and receives a part of in from each. Parts are
	// in the ascending order of the ranks. It copies the part of this process.
	AllToAll(ctx context.Context, tag uint64, ranks []int, out, in []byte) error
}
