// Package build says which build this program is.
//
// It says nothing of plugins, which are files of their own.
//
// Order of use: Version for what must agree on this module, such as the processes of a job;
// Code for what is kept from one start to the next and depends on the code that made it.
//
//	file           what it holds
//	build.go       Version, Code
//	executable.go  the identity of the program's file
package build
