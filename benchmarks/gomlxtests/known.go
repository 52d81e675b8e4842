package main

// This file lists the tests of GoMLX that fail or skip on gospmd only, with the reasons.

// known holds the reason why a test of GoMLX fails with this backend. The key is the package and
// the test, with a space between.
var known = map[string]string{
	"core/tensors TestFromRaw":        "buffers hold no elements of less than a byte: make one of bytes and Bitcast it in the graph; GoMLX skips this part for its own backend",
	"core/graph TestPortable":         oneDevice,
	"core/graph TestAutoSharding":     oneDevice,
	"core/tensors/dtensor TestTensor": oneDevice,
	"ml/model TestAutoSharding":       oneDevice,
}

const oneDevice = "with a mesh GoMLX sees one device; it passes with gospmd:devices=8"
