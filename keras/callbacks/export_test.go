package callbacks

// This file lets tests see what TensorBoard's files are made of.

import "github.com/gospmd/gospmd/keras"

// BucketsOf returns the buckets of a histogram.
var BucketsOf = bucketsOf

// GraphOf returns the nodes of a model's graph: name, class, inputs.
func GraphOf(m *keras.Model) (out [][]string) {
	for _, n := range graphOf(m) {
		out = append(out, append([]string{n.name, n.op}, n.inputs...))
	}
	return out
}
