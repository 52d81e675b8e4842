// Package needs skips tests that lack a program, a file or a right, and says how to get it.
//
// All messages have one form. Command internal/testsummary reads it and counts the tests by need:
//
//	needs strace: apt-get install strace (exec: "strace": executable file not found in $PATH)
//
// It is not for tests that do not apply to a machine, such as tests of file modes on Windows: they
// call t.Skip.
//
// Order of use: the function for the tool, or Skip if there is none.
//
//	file         what it holds
//	needs.go     Skip and Parse: the form of the message
//	tools.go     Tool, Gloo, Cgo, Root: programs and rights
//	files.go     PJRTHeader, MNIST, Plugin: files
package needs
