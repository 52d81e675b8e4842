// Package reexec runs a part of a program in a child process: the same executable, started again,
// answers one question and exits. A library that crashes, or that conflicts with another library,
// then affects only the child. This works in programs whose main calls Serve, and in tests whose
// TestMain does.
//
// It starts no other programs, and no child answers a second question.
//
// Order of use: a package variable of type Child; its Serve, first in main; Ask.
//
//	file        holds
//	reexec.go   Child, Serve, Ask
//	tail.go     the end of a child's output
package reexec
