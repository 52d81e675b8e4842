// Package transport moves bytes between the processes of a job: it defines the interface that
// package collective uses.
//
// It knows nothing of programs, meshes or devices. Package coordination knows the processes, and
// whether they are alive.
//
//	file             holds
//	transport.go     Transport, Message; Collectives, which some transports have too
//	bysize.go        BySize: short data over one transport, long data over another
//	tcp/             over TCP, in pure Go
//	gloo/            over Gloo
//	transporttest/   tests and measures transports
package transport
