// Package transporttest helps to test what moves bytes between processes: it has a
// transport between goroutines of one process, and the tests that every transport
// must pass.
//
// It is for tests only: real jobs use packages tcp and gloo.
//
// Order of use: Local for the transports of all ranks, Counted to see what one of
// them sends; Run to test a transport of one's own, Files for processes that find each
// other.
//
//	file          holds
//	local.go      Local, a transport within one process; Counted
//	files.go      Files, a store of values for processes
//	open.go       Open, the transports of several ranks
//	conform.go    Run, the tests that every transport must pass
//	benchmark.go  Benchmark
package transporttest
