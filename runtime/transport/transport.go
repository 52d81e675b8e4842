package transport

// This file defines Transport, what moves bytes between the processes of a job.

import (
	"context"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
)

// Message is what one process sends to another in one operation.
type Message struct {
	Rank int    // the other process
	Data []byte // what is sent, or where to write what is received
}

// Transport moves bytes between the processes of a job, which are numbered 0 to
// Size-1. Operations with different tags may be in flight at once; operations
// with the same tag must come in the same order in all processes. All methods may
// be called from several goroutines.
//
// A process that is lost makes the operations fail that wait for it, with an
// error that names its rank.
type Transport interface {
	Rank() int
	Size() int
	// Exchange sends and receives the messages of one operation and returns when
	// all have been sent and have arrived. A message must be as long as the
	// receiver expects: if not, the error names both ranks and both lengths.
	Exchange(ctx context.Context, tag uint64, sends, recvs []Message) error
	// AllReduce combines data, elements of type dtype, element by element over
	// ranks, which include this process. All ranks get the same bits. The error is
	// errors.ErrUnsupported, before anything is sent, where the transport does not
	// have that reduction of that type.
	AllReduce(ctx context.Context, tag uint64, ranks []int, data []byte, dtype dtypes.DType, reduction ir.OpKind) error
	// Close makes operations fail with cause, those that wait and all later ones.
	Close(cause error) error
}

// Collectives is what some transports have beside exchanges: collectives that an existing
// library implements. Each has the same bytes of every rank. The error is
// errors.ErrUnsupported, before anything is sent and in all ranks, where exchanges do better.
type Collectives interface {
	// AllGather fills data, one part for each of ranks in ascending order. The part of this
	// process is there when it is called.
	AllGather(ctx context.Context, tag uint64, ranks []int, data []byte) error
	// AllToAll sends each of ranks its part of out, and receives a part of in from each. Parts
	// are in the ascending order of the ranks. The part of this process is copied.
	AllToAll(ctx context.Context, tag uint64, ranks []int, out, in []byte) error
}
