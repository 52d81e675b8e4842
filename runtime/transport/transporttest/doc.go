// Package transporttest helps to test what moves bytes between processes: it implements a transport
// between goroutines of one process, and the tests that every transport must pass.
//
// It is for tests only: real jobs use packages tcp and gloo.
//
// Order of use: Local makes the transports of all ranks, and Counted counts the bytes that one of
// them sends. Run tests another transport. Files is a store for processes that exchange their
// addresses.
//
//	file          holds
//	local.go      Local, a transport within one process; Counted
//	files.go      Files, a store of values for processes
//	open.go       Open, the transports of several ranks
//	conform.go    Run, the tests that every transport must pass
//	benchmark.go  Benchmark
package transporttest
