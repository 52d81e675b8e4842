// Package needs skips tests that lack something, and says what and how to get it.
//
// All messages have one form. Command testsummary reads it and counts the tests by need:
//
//	needs strace: apt-get install strace (exec: "strace": executable file not found in $PATH)
//
// It is not for tests that have nothing to check on a machine, such as those of file modes on
// Windows: these call t.Skip.
//
// Order of use: the function of the tool, or Skip if none fits.
//
//	file         what it holds
//	needs.go     Skip and Parse: the form of the message
//	tools.go     Tool, Gloo, Cgo, Root: programs and rights
//	files.go     PJRTHeader, MNIST, Plugin: files
package needs
