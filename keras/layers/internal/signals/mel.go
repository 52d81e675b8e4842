package signals

// This file defines the mel scale. Numbers are float32, as in Keras: where bands are narrow,
// others would differ by more than the rounding of a sum.

import "math"

// mel returns a frequency in Hertz on the mel scale, as the Hidden Markov Model Toolkit defines it.
func mel(hertz float32) float32 { return 1127 * float32(math.Log(float64(1+hertz/700))) }

// linspace returns n numbers, at least 2, from low to high, both included, in equal steps.
func linspace(low, high float32, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		step := float32(i) / float32(n-1)
		out[i] = low*(1-step) + high*step
	}
	out[n-1] = high
	return out
}

// MelWeights returns the weights [bins][bands] of bins in bands. Bins are linear frequencies from 0
// to half of samplingRate. Bands are those of the mel scale between the frequencies low and high,
// all in Hertz. Each band is a triangle with a peak of 1. The first bin, frequency 0, has no
// weight.
func MelWeights(bins, bands int, samplingRate, low, high float64) [][]float32 {
	out := make([][]float32, bins)
	edges := linspace(mel(float32(low)), mel(float32(high)), bands+2)
	frequencies := linspace(0, float32(samplingRate/2), max(2, bins))
	for bin := range out {
		out[bin] = make([]float32, bands)
		if bin == 0 {
			continue // has no weight, as in the toolkit
		}
		at := mel(frequencies[bin])
		for band := range out[bin] {
			lower, center, upper := edges[band], edges[band+1], edges[band+2]
			out[bin][band] = max(0, min((at-lower)/(center-lower), (upper-at)/(upper-center)))
		}
	}
	return out
}
