// Package signals implements the signal operations of keras.ops on nodes.
//
// The last dimension of a signal is time. The functions compute in the order of operations of Keras
// on JAX. Each result depends on one signal only, so a sharded batch stays sharded.
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
