// Package transport moves bytes between the processes of a job: it defines the interface that
// package collective uses.
//
// It knows nothing of programs, meshes or devices. Package coordination knows the processes, and
// whether they are alive.
//
// Order of use: tcp.Listen and Listener.Connect, or gloo.Open, make a Transport in each process;
// then Exchange and AllReduce, each by all of them; then Close.
//
//	file             holds
//	transport.go     Transport, Message; Collectives, which some transports have too
//	bysize.go        BySize: short data over one transport, long data over another
//	tcp/             over TCP, in pure Go
//	gloo/            over Gloo
package transport
