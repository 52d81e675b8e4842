package guide

// This file makes the data of guides. The data are small, and equal in Go and in Python, so that
// the results can be compared (benchmarks/peers/guides_reference.py).

// Fractions returns n numbers, at least 0 and below 1, that look random and depend only on seed.
func Fractions(n, seed int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(float64((i*7919+seed*104729)%1009) / 1009)
	}
	return out
}

// Classes returns n whole numbers from 0 to classes - 1 that look random and depend only on seed.
func Classes(n, seed, classes int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32((i*7919 + seed*104729) % 1009 % classes)
	}
	return out
}
