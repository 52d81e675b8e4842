// Package pyregexp compiles Python's regular expressions (module re) for package regexp: keys of a
// layout map and names of variables come from programs that were written for Keras.
//
// It is no complete implementation of re: look-ahead, look-behind and back-references are errors,
// as in package regexp, and \b knows ASCII only.
//
// Order of use: Compile.
//
//	file         what it holds
//	pyregexp.go  Compile: Python's \d, \w, \s and \Z in Go's syntax
package pyregexp
