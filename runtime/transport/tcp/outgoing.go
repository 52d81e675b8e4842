package tcp

// This file implements the sender's side of a connection: which messages are eager, which are
// announced, and the order of frames.

// outgoing is the state of the messages that a process sends to another one.
type outgoing struct {
	control   []frame            // frames that need no grant, in the order of sending
	sending   []*send            // granted messages; they take turns, one frame each
	credit    int                // bytes that are left of the window for eager messages
	lastID    uint64             // the id of the last announced message
	announced map[uint64]*send   // announced messages that are not granted yet, by id
	long      map[uint64][]*send // the long ones of announced, by tag
	// granted has the lengths of long messages that are granted, but not announced yet, by tag.
	granted map[uint64][]uint64
	ahead   int // number of lengths in granted
}

// send is a message that an operation sends. sent is how many bytes of data were sent.
type send struct {
	op   *operation
	tag  uint64
	id   uint64 // the id of an announced message; 0 for an eager one
	data []byte
	sent int
}

func (s *send) isLong() bool { return len(s.data) > eagerLimit }

// post begins to send a message: at once if it is short and the peer has room, or else by an
// announcement. On a broken link it fails the message's operation.
func (l *link) post(s *send) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		s.op.fail(l.err)
		return
	}
	defer l.work.Signal()
	if cost := len(s.data) + overhead; !s.isLong() && cost <= l.credit {
		l.credit -= cost
		l.control = append(l.control, frame{kind: frameEager, a: s.tag, b: uint64(len(s.data)), data: s.data, send: s})
		return
	}
	l.lastID++
	s.id = l.lastID
	l.control = append(l.control, frame{kind: frameAnnounce, a: s.tag, b: uint64(len(s.data)), c: s.id})
	if !s.isLong() {
		l.announced[s.id] = s
		return
	}
	if lengths := l.granted[s.tag]; len(lengths) > 0 {
		l.ahead--
		if pop(l.granted, s.tag) != uint64(len(s.data)) {
			l.mismatch(l.self, l.peer, s.tag, uint64(len(s.data)), lengths[0])
			s.op.fail(l.err)
			return
		}
		l.sending = append(l.sending, s)
		return
	}
	l.announced[s.id] = s
	l.long[s.tag] = append(l.long[s.tag], s)
}

// grant processes the receiver's grant of a message: it moves the message to the messages that are
// being sent. If id is 0, the grant is for the next long message of the tag, also one that is not
// posted yet.
func (l *link) grant(tag, length, id uint64) {
	s := l.announced[id]
	if id == 0 {
		if length <= eagerLimit {
			l.refuse("a grant of %d bytes for a message that is not announced, want more than %d", length, eagerLimit)
			return
		}
		if len(l.long[tag]) == 0 {
			if l.ahead++; l.ahead > maxWaiting {
				l.refuse("%d grants of messages that no operation sends, want at most %d", l.ahead, maxWaiting)
				return
			}
			l.granted[tag] = append(l.granted[tag], length)
			return
		}
		s = l.long[tag][0]
	}
	// Long messages of a tag are granted in their order.
	if s == nil || s.tag != tag || s.isLong() && l.long[tag][0] != s {
		l.refuse("a grant of message %d with tag %d, which was not announced with it, or not as the next one", id, tag)
		return
	}
	if uint64(len(s.data)) != length {
		l.mismatch(l.self, l.peer, tag, uint64(len(s.data)), length)
		return
	}
	if s.isLong() {
		pop(l.long, tag)
	}
	delete(l.announced, s.id)
	l.sending = append(l.sending, s)
	l.work.Signal()
}

// receiveCredit adds bytes, which the receiver has taken from the window, to the credit for eager
// sends. It breaks the link if that is more than was sent.
func (l *link) receiveCredit(bytes uint64) {
	if bytes > uint64(window-l.credit) {
		l.refuse("credit for %d bytes, want at most the %d that were sent and not taken", bytes, window-l.credit)
		return
	}
	l.credit += int(bytes)
}

// pop removes the first element of the list at key, and returns it. The list must have one; an
// empty list is deleted.
func pop[T any](lists map[uint64][]T, key uint64) T {
	list := lists[key]
	if len(list) == 1 {
		delete(lists, key)
	} else {
		lists[key] = list[1:]
	}
	return list[0]
}

// next returns the next frame to send, encoded, and the message that it completes, if any. It waits
// until there is a frame. ok is false when the link is broken and the reason was sent.
func (l *link) next() (encoded buffers, done *send, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.control) == 0 && len(l.sending) == 0 {
		if l.err != nil {
			return nil, nil, false
		}
		l.work.Wait()
	}
	if len(l.control) > 0 {
		f := l.control[0]
		if l.control = l.control[1:]; len(l.control) == 0 {
			l.control = nil
		}
		return f.encode(), f.send, true
	}
	s := l.sending[0]
	n := min(chunk, len(s.data)-s.sent)
	f := frame{kind: frameData, a: s.id, b: uint64(s.sent), data: s.data[s.sent : s.sent+n]}
	s.sent += n
	l.sending = l.sending[1:]
	if s.sent < len(s.data) {
		l.sending = append(l.sending, s)
		s = nil
	}
	return f.encode(), s, true
}
