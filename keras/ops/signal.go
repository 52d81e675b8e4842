package ops

// This file defines operations on signals: Fourier transforms, sequences.

import "github.com/gospmd/gospmd/keras/layers"

// FFT returns the Fourier transform along the last dimension. Arguments and results are real and
// imaginary parts.
func FFT(re, im *layers.Tensor) (outRe, outIm *layers.Tensor) {
	return two(layers.OperateAll("FFT", []any{[]*layers.Tensor{re, im}}, nil))
}

// RFFT returns the Fourier transform of real numbers along the last dimension: the real and
// imaginary parts of fftLength/2+1 frequencies. The dimension is cut off or padded with zeros to
// fftLength, by default its own size.
func RFFT(x *layers.Tensor, fftLength ...int) (re, im *layers.Tensor) {
	attrs := map[string]any{"fft_length": nil}
	if len(fftLength) > 0 {
		attrs["fft_length"] = fftLength[0]
	}
	return two(layers.OperateAll("RFFT", []any{x}, attrs))
}

// STFT returns the short-time Fourier transform along the last dimension: real and imaginary parts,
// [..., sequences, fftLength/2+1]. A sequence has sequenceLength elements, at most fftLength, and
// begins sequenceStride after the one before. window is the name of one, such as "hann", its
// sequenceLength values or nil. With center, the signal is first extended at both ends by
// reflection.
func STFT(x *layers.Tensor, sequenceLength, sequenceStride, fftLength int, window any, center bool) (re, im *layers.Tensor) {
	return two(layers.OperateAll("STFT", []any{x}, map[string]any{"sequence_length": sequenceLength, "sequence_stride": sequenceStride,
		"fft_length": fftLength, "window": window, "center": center}))
}

// two returns the results of an operation with two results, or twice the only one if that holds an
// error.
func two(out []*layers.Tensor) (first, second *layers.Tensor) { return out[0], out[len(out)-1] }

// FFT2 returns the Fourier transform of the last two dimensions. Arguments and results are real and
// imaginary parts.
func FFT2(re, im *Tensor) (outRe, outIm *Tensor) {
	return two(layers.OperateAll("FFT2", []any{[]*Tensor{re, im}}, nil))
}

// IFFT2 returns the inverse of FFT2, along the last two dimensions. Arguments and results are real
// and imaginary parts.
func IFFT2(re, im *Tensor) (outRe, outIm *Tensor) {
	return two(layers.OperateAll("IFFT2", []any{[]*Tensor{re, im}}, nil))
}

// IRFFT is the inverse of RFFT, from real and imaginary parts: it returns fftLength real numbers,
// by default 2·(frequencies - 1).
func IRFFT(re, im *Tensor, fftLength ...int) *Tensor {
	attrs := map[string]any{"fft_length": nil}
	if len(fftLength) > 0 {
		attrs["fft_length"] = fftLength[0]
	}
	return layers.Operate("IRFFT", []any{[]*Tensor{re, im}}, attrs)
}

// ISTFT returns the signals whose STFT has these real and imaginary parts. The other arguments are
// those that STFT got.
func ISTFT(re, im *Tensor, sequenceLength, sequenceStride, fftLength int, window any, center bool) *Tensor {
	return layers.Operate("ISTFT", []any{[]*Tensor{re, im}}, map[string]any{"sequence_length": sequenceLength, "sequence_stride": sequenceStride,
		"fft_length": fftLength, "length": nil, "window": window, "center": center})
}

// ExtractSequences returns sequences of the given length of the last dimension. They begin every
// stride elements.
func ExtractSequences(x *Tensor, length, stride int) *Tensor {
	return layers.Operate("ExtractSequences", []any{x}, map[string]any{"sequence_length": length, "sequence_stride": stride})
}

// CDist returns the Euclidean distance of each row of x, [..., n, d], to each row of y, [..., m,
// d]: [..., n, m].
func CDist(x, y *Tensor) *Tensor { return layers.Operate("CDist", []any{x, y}, nil) }

// InTopK reports for each sample whether its target class, targets [batch], is among the k largest
// of its predictions, [batch, classes].
func InTopK(targets, predictions *Tensor, k int) *Tensor {
	return layers.Operate("InTopK", []any{targets, predictions}, map[string]any{"k": k})
}
