package callbacks

// This file lets tests see what TensorBoard's files are made of.

import "github.com/gospmd/gospmd/keras"

// BucketsOf lets tests call bucketsOf, which returns the buckets of a histogram.
var BucketsOf = bucketsOf

// GraphOf returns the graph that TensorBoard draws of a model: for each node its name, its class
// and the names of its inputs.
func GraphOf(m *keras.Model) (out [][]string) {
	for _, n := range graphOf(m) {
		out = append(out, append([]string{n.name, n.op}, n.inputs...))
	}
	return out
}
