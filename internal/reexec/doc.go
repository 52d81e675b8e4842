// Package reexec runs a part of a program in a child process: the same executable, which
// answers one question and ends. A library that crashes, or that does not share a process
// with another one, takes only the child along. It works in programs whose main calls Serve,
// and in tests whose TestMain does.
//
// It starts no other programs and keeps no child for a second question.
//
// Order of use: a package variable of type Child; its Serve, first in main; Ask.
//
//	file        holds
//	reexec.go   Child, Serve, Ask
//	tail.go     the end of what a child writes
package reexec
