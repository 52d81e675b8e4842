// Package gloo is a transport over Gloo, the library that XLA, PyTorch and JAX use between
// processes on CPUs. It moves the long data of PJRT's programs on the CPU, because it takes less
// processor time than package tcp. Package tcp has the lower latency, and moves short data
// (transport.BySize).
//
// It does not find the processes: they exchange their addresses by a Store, which package
// coordination implements. Nothing times out: an operation that waits for a lost process ends as
// soon as its connection breaks, and by Close. Traffic is neither encrypted nor authenticated,
// because the Gloo of the distributions has no TLS: set Options.Host to an address that no stranger
// can reach. Jobs with TLS use package tcp.
//
// Order of use: Open in all processes, with the same Store.
//
// This module does not contain Gloo: its headers and its library must be installed, and a C++
// compiler (Debian and Ubuntu: apt-get install libgloo-dev g++). The first use on a machine
// compiles shim/shim.cc, which takes a few seconds, into the user's cache, as gospmd/gloo. Programs
// can be built without them. They need them only when they Open this transport. The package needs
// cgo.
//
// All-reduce is Gloo's. It supports floats of 16, 32 and 64 bits, bfloat16, and integers of 32 and
// 64 bits; sums, products, maxima and minima. NaN in, NaN out. Each element is combined in one
// process, so that all processes get the same bits. Floats of 16 bits are rounded after each
// process. A subset of the ranks gets its own connections when it reduces for the first time; other
// operations do not wait for that. The data of an all-reduce must have the same length in all its
// ranks. Exchanges check the lengths of their messages.
//
// All-gather and all-to-all are Gloo's too. Its reduce-scatter is not used: it is of an older
// interface, in which waits cannot be ended when a process is lost.
//
// If an operation fails in one process, also because its context ended, all operations of that
// process fail with the reason, and all later ones. Its connections close 0.3 seconds later, so
// that the operations of other processes fail too. Gloo's thread blocks all signals except those of
// faults, so that a write to a killed process is an error and does not end this process by SIGPIPE.
//
//	file         holds
//	options.go   Options, Store
//	open.go      Open, and the connections of ranks
//	gloo.go      the transport: operations, and how they end
//	shim.go      the functions of the compiled shim
//	build.go     compiles the shim, once
//	nocgo.go     Open in binaries without cgo
//	shim/        the part in C++, which is compiled on first use
package gloo
