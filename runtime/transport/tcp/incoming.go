package tcp

// This file implements the receiver's side of a connection: which message is for
// whom, and what is kept that nobody waits for yet.

import "fmt"

// incoming is what a process receives from another.
type incoming struct {
	posted  map[uint64][]*receive // wait for their message, by tag
	arrived map[uint64][]*arrival // messages that nobody waits for yet, by tag
	open    map[uint64]*receive   // receive data, by the id of the message
	taken   int                   // bytes of the window that were freed and not reported
}

// receive is a message that an operation waits for.
type receive struct {
	op   *operation
	tag  uint64
	data []byte
	got  int
}

func (r *receive) isLong() bool { return len(r.data) > eagerLimit }

// arrival is a message that nobody waits for yet: its data, or that it is announced.
type arrival struct {
	length, id uint64 // id is 0 of a message that is here
	data       []byte
}

// await begins to wait for a message.
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
			l.accept(r, a.id)
			return
		}
		copy(r.data, a.data)
		l.release(len(a.data))
		r.op.done()
		return
	}
	l.posted[r.tag] = append(l.posted[r.tag], r)
	if r.isLong() { // so that the message need not wait for an answer
		l.answer(frame{kind: frameGrant, a: r.tag, b: uint64(len(r.data))})
	}
}

// agree reports whether a message of the given length is what r waits for, and
// breaks the link if not.
func (l *link) agree(r *receive, length uint64) bool {
	if length == uint64(len(r.data)) {
		return true
	}
	l.mismatch(l.peer, l.self, r.tag, length, uint64(len(r.data)))
	return false
}

// accept lets an announced message, for which r has come, be sent.
func (l *link) accept(r *receive, id uint64) {
	l.open[id] = r
	l.answer(frame{kind: frameGrant, a: r.tag, b: uint64(len(r.data)), c: id})
}

// answer sends a frame, unless the link is broken.
func (l *link) answer(f frame) {
	if l.err != nil {
		return
	}
	l.control = append(l.control, f)
	l.work.Signal()
}

// release gives the sender back what a message took of the window, in larger
// amounts.
func (l *link) release(n int) {
	if l.taken += n + overhead; l.taken >= window/4 {
		l.answer(frame{kind: frameCredit, a: uint64(l.taken)})
		l.taken = 0
	}
}

// handle handles a frame that arrived.
func (l *link) handle(f *frame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return
	}
	switch f.kind {
	case frameEager, frameAnnounce:
		l.arrive(f)
	case frameData:
		l.fill(f)
	case frameGrant:
		l.grant(f.a, f.b, f.c)
	case frameCredit:
		l.credit += int(f.a)
	case frameFail:
		l.broken(fmt.Errorf("rank %d gave up: %s", l.peer, f.text()), "")
	default:
		l.broken(fmt.Errorf("BUG: rank %d sent a frame of unknown kind %d", l.peer, f.kind), "")
	}
}

// arrive handles the begin of a message, which has all of its data or announces it.
func (l *link) arrive(f *frame) {
	tag, length, id := f.a, f.b, f.c
	if len(l.posted[tag]) == 0 {
		a := &arrival{length: length, id: id}
		if id == 0 {
			a.data = make([]byte, f.bytes())
			f.copyTo(a.data)
		}
		l.arrived[tag] = append(l.arrived[tag], a)
		return
	}
	r := l.posted[tag][0]
	if !l.agree(r, length) {
		return
	}
	pop(l.posted, tag)
	switch {
	case id == 0:
		f.copyTo(r.data)
		l.release(len(r.data))
		r.op.done()
	case r.isLong(): // granted when it was posted
		l.open[id] = r
	default:
		l.accept(r, id)
	}
}

// fill handles data of an announced message.
func (l *link) fill(f *frame) {
	r, at := l.open[f.a], f.b
	if r == nil || at+uint64(f.bytes()) > uint64(len(r.data)) {
		l.broken(fmt.Errorf("BUG: rank %d sent %d bytes at %d of message %d, which was not granted", l.peer, f.bytes(), at, f.a), "")
		return
	}
	f.copyTo(r.data[at:])
	if r.got += f.bytes(); r.got == len(r.data) {
		delete(l.open, f.a)
		r.op.done()
	}
}
