// Package tcp is a transport over TCP: one gRPC stream for each pair of processes, in pure Go.
//
// It does not find the processes: callers give it their addresses. It notices when a connection
// breaks, but does not decide that a process is lost: package coordination does. Traffic is neither
// encrypted nor authenticated unless Options.TLS says so: listen only at an address that no
// stranger can reach. With TLS, Options.VerifyPeer binds certificates to ranks.
//
// Order of use: Listen, send Addr to the other processes, then Connect with the addresses of all.
//
// A message of at most 64 KiB is sent at once (eagerly). The receiver keeps eager messages that no
// operation waits for yet, at most 4 MiB from each other process. The sender counts these bytes,
// and the receiver reports the bytes that operations have taken. Longer messages, and all messages
// while the 4 MiB are used up, are announced in a few bytes. They are sent when the receiver waits
// for them, and go directly into the memory of the operation. A receiver that waits for a long
// message grants it before it is announced. So a process always reads its streams, and a message
// waits only for earlier messages of its own operation. Every program that would end with unbounded
// memory also ends with this bound.
//
// Each frame is checked against the protocol: the window, the order of announcements and of data,
// lengths, grants. A process that breaks the protocol loses its connection, and the error names it.
// It cannot crash this process or fill its memory.
//
// An operation that fails in one process, also because its context ended, breaks the connections to
// the other processes of the operation. Their operations then fail with the reason, instead of
// waiting forever.
//
// A process that is killed is noticed at once, because its sockets close. A process that stops, or
// whose machine is lost, is noticed later, by gRPC's pings: after 5 seconds by lower ranks, and
// after 13 seconds by higher ranks.
//
//	file           holds
//	listen.go      Listen, Listener
//	connect.go     how processes connect and disconnect
//	transport.go   the transport: operations
//	link.go        the connection to one process
//	outgoing.go    the messages to send: eager and announced ones
//	incoming.go    the messages received, and their operations
//	stream.go      the goroutines of a connection
//	frame.go       frames, which the streams carry
package tcp
