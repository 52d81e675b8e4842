package tcp

// This file implements the receiver's side of a connection: it finds the operation that a message
// is for, and keeps messages until their operation comes. It checks each frame against the
// protocol. A process that breaks the protocol gets an error. It can neither write outside the
// memory of a message nor make this process keep more than the protocol allows.

import "fmt"

// incoming is the state of the messages that a process receives from another one.
type incoming struct {
	posted  map[uint64][]*receive // operations that wait for their message, by tag
	arrived map[uint64][]*arrival // messages that no operation waits for yet, by tag
	open    map[uint64]*receive   // messages whose data arrives, by id
	used    int                   // bytes of the window that the other process has used
	taken   int                   // bytes of used that were taken, and not reported to the sender yet
	newest  uint64                // the id of the last announced message
	waiting int                   // number of announced messages that no operation waits for yet
}

// maxWaiting is the greatest number of messages that a process may announce, or wait for, before
// the other process does its part.
const maxWaiting = 1 << 16

// receive is a message that an operation waits for. got is how many bytes of data have arrived.
type receive struct {
	op   *operation
	tag  uint64
	data []byte
	got  int
}

func (r *receive) isLong() bool { return len(r.data) > eagerLimit }

// arrival is a message that no operation waits for yet. It holds the data, or the announcement.
type arrival struct {
	length, id uint64 // id is 0 if the data is here
	data       []byte
}

// await makes the operation of r wait for its message, or gives it the message if that is here
// already. On a broken link, a message that has not arrived fails the operation.
func (l *link) await(r *receive) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.arrived[r.tag]
	if l.err != nil && (len(list) == 0 || list[0].id != 0) {
		r.op.fail(l.err)
		return
	}
	if len(list) > 0 {
		a := pop(l.arrived, r.tag)
		if !l.agree(r, a.length) {
			r.op.fail(l.err)
			return
		}
		if a.id != 0 {
			l.waiting--
			l.accept(r, a.id)
			return
		}
		copy(r.data, a.data)
		l.release(len(a.data))
		r.op.finishOne()
		return
	}
	l.posted[r.tag] = append(l.posted[r.tag], r)
	if r.isLong() { // the sender then need not wait for a grant
		l.answer(frame{kind: frameGrant, a: r.tag, b: uint64(len(r.data))})
	}
}

// agree reports whether r waits for a message of the given length. If not, it breaks the link with
// an error that names both lengths.
func (l *link) agree(r *receive, length uint64) bool {
	if length == uint64(len(r.data)) {
		return true
	}
	l.mismatch(l.peer, l.self, r.tag, length, uint64(len(r.data)))
	return false
}

// accept grants the announced message with the id to the other process, which then sends it to the
// memory of r.
func (l *link) accept(r *receive, id uint64) {
	l.open[id] = r
	l.answer(frame{kind: frameGrant, a: r.tag, b: uint64(len(r.data)), c: id})
}

// answer queues a control frame for the other process, unless the link is broken.
func (l *link) answer(f frame) {
	if l.err != nil {
		return
	}
	l.control = append(l.control, f)
	l.work.Signal()
}

// release gives the other process back the part of the window that a message of n bytes took. It
// reports that only when a quarter of the window is free to report.
func (l *link) release(n int) {
	if l.taken += n + overhead; l.taken >= window/4 {
		l.answer(frame{kind: frameCredit, a: uint64(l.taken)})
		l.used -= l.taken
		l.taken = 0
	}
}

// handle processes the frame f that has arrived: it delivers messages, sends what the peer grants,
// or fails the link if the peer gave up or sent something unknown. A link that has failed ignores
// it.
func (l *link) handle(f *frame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return
	}
	switch f.kind {
	case frameEager:
		l.receiveEager(f)
	case frameAnnounce:
		l.receiveAnnounce(f)
	case frameData:
		l.fill(f)
	case frameGrant:
		l.grant(f.a, f.b, f.c)
	case frameCredit:
		l.receiveCredit(f.a)
	case frameFail:
		l.failLocked(fmt.Errorf("rank %d gave up: %s", l.peer, f.text()), "")
	default:
		l.refuse("a frame of unknown kind %d", f.kind)
	}
}

// refuse breaks the link, because the other process has broken the protocol, with an error that
// says what it sent, and what was wanted.
func (l *link) refuse(what string, values ...any) {
	err := fmt.Errorf("rank %d sent rank %d %s: run the same version of gospmd in all processes, where no other program reaches them",
		l.peer, l.self, fmt.Sprintf(what, values...))
	l.failLocked(err, err.Error())
}

// receiveEager processes a frame with a whole message: it copies the data to the operation that
// waits for it, or keeps it. It breaks the link if the frame breaks the protocol.
func (l *link) receiveEager(f *frame) {
	tag, length := f.a, f.b
	if f.c != 0 || length > eagerLimit || int(length) != f.bytes() {
		l.refuse("a message of %d bytes as one of %d, want both the same and at most %d", f.bytes(), length, eagerLimit)
		return
	}
	if l.used += f.bytes() + overhead; l.used > window {
		l.refuse("messages of %d bytes that were not taken yet, want at most %d", l.used, window)
		return
	}
	if len(l.posted[tag]) == 0 {
		a := &arrival{length: length, data: make([]byte, f.bytes())}
		f.copyTo(a.data)
		l.arrived[tag] = append(l.arrived[tag], a)
		return
	}
	if r := l.posted[tag][0]; l.agree(r, length) {
		pop(l.posted, tag)
		f.copyTo(r.data)
		l.release(len(r.data))
		r.op.finishOne()
	}
}

// receiveAnnounce processes the announcement of a message: it grants the message if an operation
// waits for it and has not granted it before, or else keeps the announcement. It breaks the link if
// the announcement breaks the protocol.
func (l *link) receiveAnnounce(f *frame) {
	tag, length, id := f.a, f.b, f.c
	if id != l.newest+1 || f.bytes() != 0 {
		l.refuse("message %d after message %d, with %d bytes, want the next one, announced without its data", id, l.newest, f.bytes())
		return
	}
	l.newest = id
	if len(l.posted[tag]) == 0 {
		if l.waiting++; l.waiting > maxWaiting {
			l.refuse("%d announcements of messages that no operation waits for, want at most %d", l.waiting, maxWaiting)
			return
		}
		l.arrived[tag] = append(l.arrived[tag], &arrival{length: length, id: id})
		return
	}
	r := l.posted[tag][0]
	if !l.agree(r, length) {
		return
	}
	pop(l.posted, tag)
	if r.isLong() { // it was granted when the operation began to wait
		l.open[id] = r
		return
	}
	l.accept(r, id)
}

// fill copies the data of frame f, a part of an announced message, to the memory of the operation
// that waits for it. It breaks the link if the parts are not in order.
func (l *link) fill(f *frame) {
	id, at, n := f.a, f.b, f.bytes()
	r := l.open[id]
	if r == nil {
		l.refuse("%d bytes of message %d, which was not granted", n, id)
		return
	}
	if at != uint64(r.got) || n > len(r.data)-r.got || n == 0 && len(r.data) > 0 {
		l.refuse("%d bytes at %d of message %d, want them at %d, and %d in all", n, at, id, r.got, len(r.data))
		return
	}
	f.copyTo(r.data[r.got:])
	if r.got += n; r.got == len(r.data) {
		delete(l.open, id)
		r.op.finishOne()
	}
}
