package sketch

// This file implements summaries of sorted values.

import (
	"math"
	"slices"
)

// Summary describes sorted values: At holds some of them, in ascending order, and Weights the
// number of values that each stands for.
type Summary struct{ At, Weights []float64 }

// Summarize returns the summary of values: of the n sorted values it keeps every (within·n)-th,
// rounded to float32, which stands for within·n of them. If within·n is below 1, it keeps all.
func Summarize(values []float64, within float64) (s Summary) {
	values = slices.Sorted(slices.Values(values))
	step := max(float64(len(values))*within, 1)
	for i := int(step - 1); i < len(values); i += int(step) {
		s.At = append(s.At, float64(float32(values[i])))
		s.Weights = append(s.Weights, step)
	}
	return s
}

// Merge returns the summary of the numbers of s and other together, in at most 1/within values.
func (s Summary) Merge(other Summary, within float64) Summary {
	at, weights := slices.Concat(s.At, other.At), slices.Concat(s.Weights, other.Weights)
	order := make([]int, len(at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return int(math.Copysign(1, at[i]-at[j])) })
	var out Summary
	for _, i := range order {
		out.At, out.Weights = append(out.At, at[i]), append(out.Weights, weights[i])
	}
	return out.Compress(within)
}

// Compress returns a summary of at most 1/within values: points between the points of s, where the
// sums of weights are multiples of the share within. A summary that is already as small is returned
// as it is.
func (s Summary) Compress(within float64) (out Summary) {
	if float64(len(s.At))*within < 1 {
		return s
	}
	sums, total := make([]float64, len(s.At)), 0.
	for i, w := range s.Weights {
		total += w
		sums[i] = total
	}
	before := 0.
	for k := 0; k < int(math.Ceil(1/within)); k++ {
		part := (within + float64(k)*within) * total
		sum := interpolate(part, sums, sums)
		out.At = append(out.At, float64(float32(interpolate(part, sums, s.At))))
		out.Weights = append(out.Weights, sum-before)
		before = sum
	}
	return out
}

// interpolate returns the value at x of the line through the points (xs, ys); xs ascend. Beyond the
// ends it is that of the first or last point.
func interpolate(x float64, xs, ys []float64) float64 {
	i, _ := slices.BinarySearch(xs, x)
	switch {
	case i == 0:
		return ys[0]
	case i == len(xs):
		return ys[i-1]
	}
	return ys[i-1] + (ys[i]-ys[i-1])*(x-xs[i-1])/(xs[i]-xs[i-1])
}
