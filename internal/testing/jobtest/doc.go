// Package jobtest runs jobs of several processes in tests.
//
//	clients := jobtest.Open(t, 2, 4)              // of two processes that are goroutines, with 4 virtual devices each
//	job := jobtest.Start(t, 2, 4, environ, args)  // two processes that run the program under test
//
// It links the store of jobs, which is larger than all of this module: tests of one process do not
// import it.
//
// Order of use: Open and Together, or Main in TestMain and Start and Results.
//
//	file          what it holds
//	address.go    FreeAddress: an address that no other program gets
//	clients.go    Open, Together: clients of one job, in this process
//	processes.go  Main, Start: a program as the processes of a job, which can be killed; Results: their output
package jobtest
