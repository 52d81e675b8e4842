// Package pyregexp compiles regular expressions as Python's re reads them, as far as
// package regexp can match them: keys of a layout map and names of variables come from
// programs that were written for Keras.
//
// It is no implementation of re: look-ahead, look-behind and back-references are
// errors, as in package regexp, and \b knows ASCII only.
//
// Order of use: Compile.
//
//	file         what it holds
//	pyregexp.go  Compile: \d, \w, \s and \Z of Python in the syntax of Go
package pyregexp
