// Package pathkey finds the rule of a path, among rules that have keys. Maps of layouts and
// policies of memory use it, so that keys mean the same in both.
//
// A key is a path, or a regular expression in Python's syntax that matches a whole path. The rule
// whose key is the path itself goes first.
//
// Order of use: Compile, then Find for each path. Describe tells why a rule is the rule of no path.
//
//	file         what it holds
//	pathkey.go   Key, Compile, Index, Find, Describe
package pathkey
