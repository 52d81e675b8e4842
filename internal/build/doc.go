// Package build says which build this program is.
//
// It says nothing of plugins, which are files of their own.
//
// Order of use: Version for programs that must agree on this module, such as the processes of a
// job; Code for results that are kept from one start to the next and depend on the code that made
// them.
//
//	file           what it holds
//	build.go       Version, Code
//	executable.go  the identity of the program's file
package build
