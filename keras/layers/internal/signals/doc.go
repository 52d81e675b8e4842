// Package signals computes on nodes that hold signals, whose last dimension is time: what
// keras.ops has for them, in the order of operations of Keras on JAX.
//
// All of it is local to a signal, so that a batch that is sharded stays sharded.
//
// It knows no options of layers: package layers does.
//
// Order of use: Window, then STFT with it.
//
//	file         what it holds
//	window.go    Window: the windows of scipy.signal by their names
//	factors.go   Factors: a window as users give it
//	stft.go      Frames, Pad, STFT
//	mel.go       MelWeights: from linear frequencies to the mel scale
package signals
