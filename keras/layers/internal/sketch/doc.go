// Package sketch finds the values that divide data into parts of about the same size, as the adapt
// of keras.layers.Discretization does. It computes in the order of operations of Keras, so that the
// numbers are Keras'.
//
// It knows no layers: package layers does.
//
// Order of use: Summarize for each batch, Merge them, and Compress to as many values as are wanted.
//
//	file        what it holds
//	summary.go  Summary
package sketch
