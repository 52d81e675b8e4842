// Package nodes holds what layers and operations both compute on GoMLX nodes.
//
// It knows no options and no operations: packages layers and operations do.
//
// Order of use: its functions on their own; a Window, then its methods.
//
//	file         what it holds
//	nodes.go     functions of any tensors
//	saturate.go  Saturate: conversions that keep to the range of the type
//	window.go    Window: convolutions and poolings
//	pool.go      poolings over all of a dimension, or to a size
package nodes
