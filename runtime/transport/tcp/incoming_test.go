package tcp_test

// This file tests frames that break the protocol.

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gospmd/gospmd/runtime/transport/tcp"
)

// Each frame that breaks the protocol breaks the connection, with an error that names the process
// which sent it. Operations that wait get this error, and later frames change nothing.
func TestRefusedFrames(t *testing.T) {
	const long = tcp.EagerLimit + 1000
	type frame struct {
		kind    byte
		a, b, c uint64
		data    int
	}
	// grant lets the other process send message 1 of tag 7.
	grant := func(e tcp.End) { e.Await(7, make([]byte, long)) }
	announced := frame{byte(tcp.Announce), 7, long, 1, 0}
	for _, tc := range []struct {
		name   string
		before func(e tcp.End)
		frames []frame
		want   string
	}{
		{"unknown kind", nil, []frame{{0, 1, 2, 3, 0}}, "a frame of unknown kind 0"},
		{"eager with another length", nil, []frame{{byte(tcp.Eager), 7, 8, 0, 9}}, "a message of 9 bytes as one of 8"},
		{"eager and huge", nil, []frame{{byte(tcp.Eager), 7, math.MaxUint64, 0, 9}}, "a message of 9 bytes as one of 18446744073709551615"},
		{"eager and long", nil, []frame{{byte(tcp.Eager), 7, long, 0, long}}, "at most 65536"},
		{"eager with an id", nil, []frame{{byte(tcp.Eager), 7, 8, 1, 8}}, "a message of 8 bytes"},
		{"not as long as expected", func(e tcp.End) { e.Await(7, make([]byte, 5)) }, []frame{{byte(tcp.Eager), 7, 8, 0, 8}}, "rank 1 sends 8 bytes to rank 0 with tag 7, which expects 5"},
		{"announced twice", nil, []frame{announced, announced}, "message 1 after message 1"},
		{"announced without an id", nil, []frame{{byte(tcp.Announce), 7, long, 0, 0}}, "message 0 after message 0"},
		{"announced with data", nil, []frame{{byte(tcp.Announce), 7, long, 1, 4}}, "with 4 bytes"},
		{"data without a grant", nil, []frame{announced, {byte(tcp.Data), 1, 0, 0, 10}}, "10 bytes of message 1, which was not granted"},
		{"data beyond the end", grant, []frame{announced, {byte(tcp.Data), 1, long, 0, 1}}, "1 bytes at 66536 of message 1, want them at 0"},
		{"data whose place overflows", grant, []frame{announced, {byte(tcp.Data), 1, math.MaxUint64 - 3, 0, 8}}, "8 bytes at 18446744073709551612 of message 1, want them at 0, and 66536 in all"},
		{"data twice", grant, []frame{announced, {byte(tcp.Data), 1, 0, 0, 8}, {byte(tcp.Data), 1, 0, 0, 8}}, "8 bytes at 0 of message 1, want them at 8"},
		{"data of no bytes", grant, []frame{announced, {byte(tcp.Data), 1, 0, 0, 0}}, "0 bytes at 0 of message 1"},
		{"too much data", grant, []frame{announced, {byte(tcp.Data), 1, 0, 0, long}, {byte(tcp.Data), 1, long, 0, 1}}, "1 bytes of message 1, which was not granted"},
		{"grant of nothing", nil, []frame{{byte(tcp.Grant), 7, 8, 5, 0}}, "a grant of message 5 with tag 7"},
		{"grant of a short message", nil, []frame{{byte(tcp.Grant), 7, 8, 0, 0}}, "a grant of 8 bytes for a message that is not announced"},
		{"grant with another tag", func(e tcp.End) { e.Send(7, make([]byte, long)) }, []frame{{byte(tcp.Grant), 8, long, 1, 0}}, "a grant of message 1 with tag 8"},
		{"grant out of order", func(e tcp.End) { e.Send(7, make([]byte, long)); e.Send(7, make([]byte, long)) }, []frame{{byte(tcp.Grant), 7, long, 2, 0}}, "or not as the next one"},
		{"grant of another length", func(e tcp.End) { e.Send(7, make([]byte, long)) }, []frame{{byte(tcp.Grant), 7, long + 1, 1, 0}}, "rank 0 sends 66536 bytes to rank 1 with tag 7, which expects 66537"},
		{"credit for nothing", nil, []frame{{byte(tcp.Credit), 1, 0, 0, 0}}, "credit for 1 bytes, want at most the 0"},
		{"huge credit", func(e tcp.End) { e.Send(7, make([]byte, 100)) }, []frame{{byte(tcp.Credit), math.MaxUint64, 0, 0, 0}}, "credit for 18446744073709551615 bytes, want at most the 164"},
		{"gives up", nil, []frame{{byte(tcp.Fail), 0, 0, 0, 3}}, "rank 1 gave up: \x00\x00\x00"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := tcp.NewEnd()
			if tc.before != nil {
				tc.before(e)
			}
			waits := e.Await(99, make([]byte, 8))
			for i, f := range tc.frames {
				require.NoError(t, e.Err(), "frame %d", i)
				e.Receive(f.kind, f.a, f.b, f.c, make([]byte, f.data))
			}
			require.ErrorContains(t, e.Err(), tc.want)
			require.ErrorContains(t, e.Err(), "rank 1")
			ended, err := waits()
			require.True(t, ended, "an operation waits for ever")
			require.Equal(t, e.Err(), err)
			// frames after that change nothing
			e.Receive(byte(tcp.Eager), 99, 8, 0, make([]byte, 8))
			kept, messages := e.Kept()
			require.Zero(t, kept)
			require.LessOrEqual(t, messages, 1)
		})
	}
}

// A peer that sends messages, announcements or grants without end is refused with an error before
// it fills the memory.
func TestFloods(t *testing.T) {
	full := make([]byte, tcp.EagerLimit)
	for name, flood := range map[string]func(e tcp.End, i uint64){
		"messages":       func(e tcp.End, i uint64) { e.Receive(byte(tcp.Eager), i, uint64(len(full)), 0, full) },
		"empty messages": func(e tcp.End, i uint64) { e.Receive(byte(tcp.Eager), i, 0, 0, nil) },
		"announcements":  func(e tcp.End, i uint64) { e.Receive(byte(tcp.Announce), i, math.MaxUint64, i+1, nil) },
		"grants":         func(e tcp.End, i uint64) { e.Receive(byte(tcp.Grant), i, math.MaxUint64, 0, nil) },
	} {
		e := tcp.NewEnd()
		for i := range uint64(tcp.MaxWaiting + 2) {
			flood(e, i)
		}
		require.ErrorContains(t, e.Err(), "rank 1 sent rank 0", name)
		kept, messages := e.Kept()
		require.LessOrEqual(t, kept, tcp.Window, name)
		require.LessOrEqual(t, messages, tcp.MaxWaiting, name)
	}
}

// FuzzIncoming receives any frames from another process, between operations of this process. There
// must be no panic, no write outside the messages, and the memory of kept messages is bounded.
func FuzzIncoming(f *testing.F) {
	// Each step is six bytes: the action, a tag or an id, two bytes of a length, an offset, and
	// bits that make numbers huge.
	f.Add([]byte{0, 7, 0, 8, 0, 0, 10, 7, 0, 8, 0, 0})
	f.Add([]byte{10, 7, 255, 255, 0, 4, 2, 7, 255, 255, 1, 4, 4, 1, 255, 0, 0, 0, 4, 1, 255, 0, 255, 0})
	f.Add([]byte{11, 7, 255, 255, 0, 4, 3, 7, 255, 255, 0, 4, 3, 7, 255, 255, 1, 4, 5, 0, 1, 0, 0, 0, 12, 0, 0, 0, 0, 0})
	f.Add([]byte{2, 7, 0, 9, 1, 0, 10, 7, 0, 9, 0, 0, 4, 1, 0, 9, 0, 0, 6, 0, 0, 5, 0, 0})
	f.Add([]byte{2, 7, 0, 9, 1, 1, 4, 1, 0, 9, 0, 2, 5, 0, 0, 0, 0, 8, 5, 255, 255, 255, 0, 9})
	f.Fuzz(func(t *testing.T, steps []byte) {
		e := tcp.NewEnd()
		type memory struct{ whole, data []byte }
		var received []memory
		budget := 64 << 20 // bytes that the operations of one input may allocate
		for ; len(steps) >= 6; steps = steps[6:] {
			tag, n, place, bits := uint64(steps[1]), int(steps[2])<<8|int(steps[3]), uint64(steps[4]), steps[5]
			if bits&4 != 0 {
				n *= 3 // longer than an eager message
			}
			if budget -= n; budget < 0 {
				return
			}
			length := uint64(n)
			if bits&1 != 0 {
				length = math.MaxUint64 - length
			}
			if bits&2 != 0 {
				place = math.MaxUint64 - place
			}
			switch kind := steps[0] % 13; {
			case kind == 10:
				whole := bytes.Repeat([]byte{0xa5}, n+64)
				received = append(received, memory{whole, whole[32 : 32+n : 32+n]})
				e.Await(tag, whole[32:32+n:32+n])
			case kind == 11:
				e.Send(tag, make([]byte, n))
			case kind == 12:
				e.Next()
			case kind == byte(tcp.Data):
				e.Receive(kind, tag, place*uint64(1+bits>>4), 0, make([]byte, min(n, tcp.Chunk)))
			case kind == byte(tcp.Credit):
				e.Receive(kind, length, 0, 0, nil)
			default:
				if kind == 0 {
					kind = byte(tcp.Eager)
				}
				data := 0
				if kind == byte(tcp.Eager) || bits&8 != 0 {
					data = min(n, tcp.Chunk)
				}
				e.Receive(kind, tag, length, place, make([]byte, data))
			}
			kept, messages := e.Kept()
			if kept > tcp.Window || messages > 2*tcp.MaxWaiting {
				t.Fatalf("%d bytes and %d messages are kept", kept, messages)
			}
		}
		for _, m := range received {
			for _, b := range [][]byte{m.whole[:32], m.whole[len(m.whole)-32:]} {
				if !bytes.Equal(b, bytes.Repeat([]byte{0xa5}, 32)) {
					t.Fatal("memory outside a message was written")
				}
			}
		}
	})
}
