// Package ffi gives a PJRT plugin the custom calls that gospmd computes itself,
// by XLA's foreign function interface: those of package internal/lapack.
//
// It does not compute them, and does not know what a program calls: a call
// that no handler is registered for is XLA's error.
//
// Order of use: Register, once the plugin is loaded and before it compiles.
//
//	file          holds
//	register.go   Register, and what a call hands over as Go values
//	handler.c     the functions that XLA calls, one for each target
//	handler.h     the part of XLA's interface that is used here, as C declarations
package ffi
