// Package regularizers holds penalties on the size of weights, which are added to the
// loss: keras.regularizers in Go.
//
// It does not add them: package keras does, for variables whose layers were made with
// one.
//
// Order of use: Get, from the name or the Regularizer that a user gave, then Call while
// tracing. FromConfig makes one of a file.
//
//	file            what it holds
//	regularizers.go L1, L2, L1L2, OrthogonalRegularizer; Get, FromConfig
package regularizers
