package ops

// This file defines operations on signals: Fourier transforms, sequences.

import "github.com/gospmd/gospmd/keras/layers"

// FFT returns the Fourier transform of the last dimension: real and imaginary parts, of both.
func FFT(re, im *layers.Tensor) (outRe, outIm *layers.Tensor) {
	return two(layers.OperateAll("FFT", []any{[]*layers.Tensor{re, im}}, nil))
}

// RFFT returns the Fourier transform of the last dimension of real numbers, cut off or filled up
// with zeros to fftLength, by default as long as it is: real and imaginary parts of fftLength/2+1
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

// FFT2 returns the Fourier transform of the last two dimensions: real and imaginary parts, of both.
func FFT2(re, im *Tensor) (outRe, outIm *Tensor) {
	return two(layers.OperateAll("FFT2", []any{[]*Tensor{re, im}}, nil))
}

// IFFT2 is the inverse of FFT2.
func IFFT2(re, im *Tensor) (outRe, outIm *Tensor) {
	return two(layers.OperateAll("IFFT2", []any{[]*Tensor{re, im}}, nil))
}

// IRFFT is the inverse of RFFT: real numbers, fftLength of them, by default twice the frequencies
// less two.
func IRFFT(re, im *Tensor, fftLength ...int) *Tensor {
	attrs := map[string]any{"fft_length": nil}
	if len(fftLength) > 0 {
		attrs["fft_length"] = fftLength[0]
	}
	return layers.Operate("IRFFT", []any{[]*Tensor{re, im}}, attrs)
}

// ISTFT is the inverse of STFT, with its arguments.
func ISTFT(re, im *Tensor, sequenceLength, sequenceStride, fftLength int, window any, center bool) *Tensor {
	return layers.Operate("ISTFT", []any{[]*Tensor{re, im}}, map[string]any{"sequence_length": sequenceLength, "sequence_stride": sequenceStride,
		"fft_length": fftLength, "length": nil, "window": window, "center": center})
}

// ExtractSequences cuts the last dimension into sequences, which start every stride steps.
func ExtractSequences(x *Tensor, length, stride int) *Tensor {
	return layers.Operate("ExtractSequences", []any{x}, map[string]any{"sequence_length": length, "sequence_stride": stride})
}

// CDist returns the distances of the rows of x and y.
func CDist(x, y *Tensor) *Tensor { return layers.Operate("CDist", []any{x, y}, nil) }

// InTopK reports whether the predictions of the targets are among the k largest.
func InTopK(targets, predictions *Tensor, k int) *Tensor {
	return layers.Operate("InTopK", []any{targets, predictions}, map[string]any{"k": k})
}
