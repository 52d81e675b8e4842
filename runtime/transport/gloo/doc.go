// Package gloo is a transport over Gloo, the library that XLA, PyTorch and JAX use
// between processes on CPUs. It carries the long data of PJRT's programs on the CPU, for
// less processor time than package tcp, which has the lower latency (transport.BySize).
//
// It does not find the processes: they exchange their addresses by a Store, which
// package coordination has. Nothing times out: an operation that waits for a lost process
// ends as soon as its connection breaks, and by Close. Traffic is neither encrypted nor
// authenticated, because the Gloo of the distributions has no TLS: give Options.Host an
// address that no one else reaches. Jobs with TLS use package tcp.
//
// Order of use: Open in all processes, with the same Store.
//
// This module does not contain Gloo: its headers and its library must be installed, and a C++
// compiler (Debian and Ubuntu: apt-get install libgloo-dev g++). The first use on a machine
// compiles shim/shim.cc, which takes a few seconds, into the user's cache, as gospmd/gloo.
// Building programs needs none of these, and running them only where they Open this transport. It
// needs cgo.
//
// All-reduce is Gloo's, of floats of 16, 32 and 64 bits, bfloat16, and integers of 32
// and 64 bits: sums, products, maxima and minima, in which a NaN stays one. Each
// element is combined in one process, so that all have the same bits. Floats of 16
// bits are rounded after each process. Some of the ranks get connections of their
// own the first time that they reduce something together; nothing else waits for
// that. Data of an all-reduce must be as long in all of its ranks; exchanges check
// the lengths of their messages.
//
// All-gather and all-to-all are Gloo's too. Its reduce-scatter is not used: it is of an older
// interface, in which waits cannot be ended when a process is lost.
//
// An operation that fails in one process, also because its context ended, ends all
// of that process, and all later ones, with the reason. Its connections close 0.3
// seconds later, so that the operations of others do not wait for it either.
//
//	file         holds
//	options.go   Options, Store
//	open.go      Open, and the connections of ranks
//	gloo.go      the transport: operations, and how they end
//	shim.go      the functions of the compiled shim
//	build.go     compiles the shim, once
//	nocgo.go     Open where there is no cgo
//	shim/        the part in C++, which is compiled on first use
package gloo
