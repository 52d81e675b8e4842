// Package regularizers holds penalties on the size of weights, which are added to the loss:
// keras.regularizers in Go.
//
// It does not add them: package keras does, for each variable whose layer was made with a
// regularizer.
//
// Order of use: Get, which takes the name of a regularizer or a Regularizer, then Call while
// tracing. FromConfig makes a regularizer from its config in a file.
//
//	file            what it holds
//	regularizers.go L1, L2, L1L2, OrthogonalRegularizer; Get, FromConfig
package regularizers
