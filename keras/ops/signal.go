package ops

// This file defines Fourier transforms.

import "github.com/gospmd/gospmd/keras/layers"

// FFT returns the Fourier transform of the last dimension: real and imaginary parts, of both.
func FFT(re, im *layers.Tensor) (outRe, outIm *layers.Tensor) {
	return two(layers.OperateAll("FFT", []any{[]*layers.Tensor{re, im}}, nil))
}

// RFFT returns the Fourier transform of the last dimension of real numbers, cut off or filled up with
// zeros to fftLength, by default as long as it is: real and imaginary parts of fftLength/2+1
// frequencies.
func RFFT(x *layers.Tensor, fftLength ...int) (re, im *layers.Tensor) {
	attrs := map[string]any{"fft_length": nil}
	if len(fftLength) > 0 {
		attrs["fft_length"] = fftLength[0]
	}
	return two(layers.OperateAll("RFFT", []any{x}, attrs))
}

// STFT returns the short-time Fourier transform of the last dimension: real and imaginary parts,
// [..., sequences, fftLength/2+1]. window is "hann", "hamming", its numbers or nil; centered, the
// signal is reflected at its ends.
func STFT(x *layers.Tensor, sequenceLength, sequenceStride, fftLength int, window any, center bool) (re, im *layers.Tensor) {
	return two(layers.OperateAll("STFT", []any{x}, map[string]any{"sequence_length": sequenceLength, "sequence_stride": sequenceStride,
		"fft_length": fftLength, "window": window, "center": center}))
}

// two returns two results, or an error twice.
func two(out []*layers.Tensor) (first, second *layers.Tensor) { return out[0], out[len(out)-1] }
