// Package sketch finds the boundaries that divide data into bins of about equal counts.
//
// It implements the adapt method of keras.layers.Discretization. It computes in Keras' order of
// operations, so the boundaries equal Keras' boundaries.
//
// It knows no layers: package layers does.
//
// Order of use: Summarize for each batch, Merge them, and Compress to as many values as are wanted.
//
//	file        what it holds
//	summary.go  Summary
package sketch
