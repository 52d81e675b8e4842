package tcp

// This file runs the stream of a connection: one goroutine sends its frames, one
// receives them.

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// stream is a gRPC stream that sends and receives frames: the interface that its two ends have in
// common.
type stream interface {
	SendMsg(m any) error
	RecvMsg(m any) error
}

// farewell is how long a process waits, when a link breaks or closes, until the other process has
// noticed.
const farewell = time.Second

// run sends and receives the frames of the link until the link breaks and the other process knows.
// closeSend, if not nil, tells the other end that nothing more will be sent.
func (l *link) run(s stream, closeSend func() error) {
	received, sent := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(received)
		l.fail(fmt.Errorf("rank %d has lost its connection to rank %d: %w", l.self, l.peer, l.receiveAll(s)), "")
	}()
	go func() {
		defer close(sent)
		l.sendAll(s, received)
	}()
	<-sent
	if closeSend == nil {
		return // which ends the stream
	}
	_ = closeSend() // the link is broken already
	select {
	case <-received:
	case <-time.After(farewell):
	}
}

// receiveAll processes the frames that arrive on s until the stream ends, and returns the error
// that ended it.
func (l *link) receiveAll(s stream) error {
	for {
		var f frame
		if err := s.RecvMsg(&f); err != nil {
			if errors.Is(err, io.EOF) {
				err = errors.New("it ended the stream")
			}
			return err
		}
		l.handle(&f)
		f.free()
	}
}

// sendAll sends the link's frames on s until the link is broken and the reason is sent. received is
// closed when nothing more is received.
func (l *link) sendAll(s stream, received <-chan struct{}) {
	for {
		data, through, ok := l.next()
		if !ok {
			return
		}
		if err := s.SendMsg(data); err != nil {
			// The receiving goroutine knows why the stream has ended.
			select {
			case <-received:
			case <-time.After(farewell):
			}
			l.fail(fmt.Errorf("rank %d cannot send to rank %d: %w", l.self, l.peer, err), "")
			if through != nil {
				through.op.fail(l.err)
			}
			return
		}
		if through != nil {
			through.op.finishOne()
		}
	}
}
