// Package tcp is a transport over TCP: one gRPC stream for each pair of processes,
// in pure Go.
//
// It does not find the processes: it is given their addresses. It does not say
// when a process is lost for good either, package coordination does, but it
// notices when a connection breaks. Traffic is neither encrypted nor authenticated
// unless Options.TLS says so: listen only at an address that no one else reaches. With
// TLS, Options.VerifyPeer binds certificates to ranks.
//
// Order of use: Listen, tell the others Addr, then Connect with the addresses of
// all.
//
// A message of at most 64 KiB is sent at once. What the receiver does not wait for
// yet is kept there, at most 4 MiB from each other process, which the sender
// knows: the receiver reports what was taken. Longer messages, and all while those
// 4 MiB are used up, are announced in a few bytes and sent once the receiver waits
// for them, right into its memory; a receiver that waits for a long message says so
// before it is announced. So a process never stops to read its streams, a message
// waits only for those before it in its own operation, and a program that would end with
// unbounded memory ends with this.
//
// Each frame is checked against what was agreed: the window, the order of announcements
// and of data, lengths, grants. A process that breaks these rules loses its connection,
// and the error names it; it cannot crash this process or fill its memory.
//
// An operation that fails in one process, also because its context ended, breaks
// the connections to the other processes that take part in it, which would wait for
// ever otherwise: their operations fail with the reason.
//
// A process that ends without a word is noticed at once, because its sockets close; one
// that stops, or whose machine is lost, after 5 seconds by the lower of two ranks
// and after 13 by the higher, as gRPC allows.
//
//	file           holds
//	listen.go      Listen, Listener
//	connect.go     how processes connect, and part
//	transport.go   the transport: operations
//	link.go        the connection to one process
//	outgoing.go    what is sent over it: at once, or announced
//	incoming.go    what is received over it, and for whom it is
//	stream.go      the goroutines of a connection
//	frame.go       what the streams carry
package tcp
