package tcp

// This file exports one end of a connection, without a network, to tests.

import "google.golang.org/grpc/mem"

// Kinds of frames.
const (
	Eager, Announce, Grant, Data, Credit, Fail = frameEager, frameAnnounce, frameGrant, frameData, frameCredit, frameFail
	EagerLimit, Window, Chunk, MaxWaiting      = eagerLimit, window, chunk, maxWaiting
)

// End is rank 0's end of a connection between rank 0 and rank 1, for tests that play rank 1.
type End struct{ *link }

// NewEnd returns an end that is connected with nothing: the test gives it the frames it receives
// (Receive), and takes those it would send (Next).
func NewEnd() End { return End{newLink(0, 1)} }

// Receive handles a frame as if rank 1 had sent it: one that cannot be decoded breaks the
// connection.
func (e End) Receive(kind byte, a, b, c uint64, data []byte) {
	sent := frame{kind: frameKind(kind), a: a, b: b, c: c, data: data}
	var f frame
	if err := (codec{}).Unmarshal(mem.BufferSlice(sent.encode()), &f); err != nil {
		e.fail(err, "")
		return
	}
	e.handle(&f)
	f.free()
}

// Await begins to wait for a message of rank 1 with the tag, to be written to data. The result
// reports whether the wait has ended, and its error.
func (e End) Await(tag uint64, data []byte) func() (ended bool, err error) {
	op := &operation{end: make(chan struct{})}
	op.pending.Store(1)
	e.await(&receive{op: op, tag: tag, data: data})
	return op.hasEnded
}

// Send begins to send data with the tag to rank 1. The result reports whether that has ended, and
// its error.
func (e End) Send(tag uint64, data []byte) func() (ended bool, err error) {
	op := &operation{end: make(chan struct{})}
	op.pending.Store(1)
	e.post(&send{op: op, tag: tag, data: data})
	return op.hasEnded
}

func (op *operation) hasEnded() (bool, error) {
	select {
	case <-op.end:
		return true, op.err
	default:
		return false, nil
	}
}

// Next takes the next frame that the end would send, if there is one, and drops it as if it had
// been sent.
func (e End) Next() {
	e.mu.Lock()
	idle := len(e.control) == 0 && len(e.sending) == 0
	e.mu.Unlock()
	if idle {
		return
	}
	if data, through, ok := e.next(); ok {
		data.Free()
		if through != nil {
			through.op.finishOne()
		}
	}
}

// Err returns why the connection is broken; nil while it is not.
func (e End) Err() error { return e.err }

// Kept returns the bytes of the messages that rank 1 has sent and no operation has waited for yet.
// messages is their number, plus its grants of messages that this end has not sent yet. Announced
// messages count too.
func (e End) Kept() (bytes, messages int) {
	for _, list := range e.arrived {
		for _, a := range list {
			bytes, messages = bytes+len(a.data), messages+1
		}
	}
	for _, list := range e.granted {
		messages += len(list)
	}
	return bytes, messages
}
