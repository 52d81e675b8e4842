// Package regularizers holds penalties on the size of weights, which are added to the loss:
// keras.regularizers in Go.
//
// It does not add them: package keras does, for each variable whose layer was made with a
// regularizer.
//
// Order of use in a program: make a Regularizer, and pass it or its name to a layer as an option,
// such as layers.KernelRegularizer. The layer calls Get, which takes either; package keras calls
// Call while tracing. FromConfig makes a regularizer from its config in a file.
//
//	file            what it holds
//	regularizers.go L1, L2, L1L2, OrthogonalRegularizer; Get, FromConfig
package regularizers
