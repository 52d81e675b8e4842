package tcp

// This file defines the connection to one other process: its state for sending and for receiving,
// and how it breaks.

import (
	"fmt"
	"strings"
	"sync"
)

const (
	// chunk is the largest size of a frame's data: a long message must not delay others.
	chunk = 128 << 10
	// eagerLimit is the largest message that is sent at once. A longer message is announced first,
	// and sent when the receiver has memory for it.
	eagerLimit = 64 << 10
	// window bounds the bytes of eager messages that the receiver has not taken yet. Beyond that,
	// all messages are announced.
	window = 4 << 20
	// overhead is the number of bytes that each message counts for in the window, in addition to
	// its data.
	overhead = 64
	// maxReason is the largest size of the error text that a process sends to another one.
	maxReason = 16 << 10
)

// link is the connection to one other process. The memory of operations is read and written only
// under the link's lock, so that no memory is touched after its operation has failed.
type link struct {
	self, peer int

	mu   sync.Mutex
	work sync.Cond // signals the writer that it has something to do
	err  error     // why the link is broken

	outgoing
	incoming
}

func newLink(self, peer int) *link {
	l := &link{self: self, peer: peer}
	l.work.L = &l.mu
	l.outgoing = outgoing{credit: window, announced: make(map[uint64]*send), long: make(map[uint64][]*send), granted: make(map[uint64][]uint64)}
	l.incoming = incoming{posted: make(map[uint64][]*receive), arrived: make(map[uint64][]*arrival), open: make(map[uint64]*receive)}
	return l
}

// fail breaks the link, unless it is broken: all operations that wait for it fail with err. It
// sends the reason to the other process, if there is one.
func (l *link) fail(err error, reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failLocked(err, reason)
}

// failLocked fails the link, as fail does, with l.mu held: all operations that wait for it get err.
// reason is for the peer; "" tells it nothing. Only the first call counts.
func (l *link) failLocked(err error, reason string) {
	if l.err != nil {
		return
	}
	l.err = err
	for _, f := range l.control {
		if f.send != nil {
			f.send.op.fail(err)
		}
	}
	for _, s := range l.sending {
		s.op.fail(err)
	}
	for _, s := range l.announced {
		s.op.fail(err)
	}
	for _, list := range l.posted {
		for _, r := range list {
			r.op.fail(err)
		}
	}
	for _, r := range l.open {
		r.op.fail(err)
	}
	l.outgoing = outgoing{}
	l.posted, l.open = nil, nil // messages that have arrived may still be taken
	if reason != "" {
		reason = strings.ToValidUTF8(reason[:min(len(reason), maxReason)], "?")
		l.control = []frame{{kind: frameFail, data: []byte(reason)}}
	}
	l.work.Signal()
}

// mismatch breaks the link with an error that says that rank from sends sent bytes to rank to with
// the tag, but to expects another number.
func (l *link) mismatch(from, to int, tag, sent, expected uint64) {
	err := fmt.Errorf("rank %d sends %d bytes to rank %d with tag %d, which expects %d: the processes run different programs, or in another order", from, sent, to, tag, expected)
	l.failLocked(err, err.Error())
}
