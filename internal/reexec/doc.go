// Package reexec runs a part of a program in a child process: the same executable, which
// answers one question and ends. A library that crashes, or that does not share a process
// with another one, takes only the child along. It works in every program that imports the
// package which calls Serve, in tests too.
//
// It starts no other programs and keeps no child for a second question.
//
// Order of use: a package variable of type Child; its Serve in init; Ask.
//
//	file        holds
//	reexec.go   Child, Serve, Ask
//	tail.go     the end of what a child writes
package reexec
