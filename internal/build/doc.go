// Package build identifies the build of this program.
//
// It says nothing about plugins, which are separate files.
//
// Order of use: Version for programs that must agree on this module, such as the processes of a
// job; Code for results that are kept from one start to the next and depend on the code that made
// them.
//
//	file           what it holds
//	build.go       Version, Code
//	executable.go  the identity of the program's file
package build
