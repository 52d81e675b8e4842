package signals

// This file computes the numbers of windows, which are known by their names.

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/internal/suggest"
)

// cosines has, by name, the coefficients of the windows that are sums of cosines.
var cosines = map[string][]float64{
	"blackman":       {0.42, 0.50, 0.08},
	"blackmanharris": {0.35875, 0.48829, 0.14128, 0.01168},
	"boxcar":         {1},
	"flattop":        {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368},
	"hamming":        {0.54, 0.46},
	"hann":           {0.5, 0.5},
	"nuttall":        {0.3635819, 0.4891775, 0.1365995, 0.0106411},
}

// shaped has, by name, the functions of the other windows: they return the number at i of n.
var shaped = map[string]func(i, n float64) float64{
	"bartlett": func(i, n float64) float64 { return 1 - math.Abs(2*i/(n-1)-1) },
	"cosine":   func(i, n float64) float64 { return math.Sin(math.Pi / n * (i + 0.5)) },
}

// CheckWindow returns an error for a name that is not known.
func CheckWindow(name string) error {
	names := slices.Sorted(maps.Keys(cosines))
	for other := range shaped {
		names = append(names, other)
	}
	slices.Sort(names)
	if slices.Contains(names, name) {
		return nil
	}
	return fmt.Errorf("got the window %q%s, want one of %s, or its numbers", name, suggest.DidYouMean(name, names), strings.Join(names, ", "))
}

// Window returns the n numbers of a window that CheckWindow knows, as scipy.signal.get_window
// does: symmetric, or periodic, where the window goes on behind its end.
func Window(name string, n int, periodic bool) []float64 {
	out := make([]float64, n)
	length := float64(n)
	if periodic {
		length++
	}
	for i := range out {
		if f, ok := shaped[name]; ok {
			out[i] = f(float64(i), length)
		}
		at := -math.Pi + 2*math.Pi*float64(i)/(length-1)
		for k, a := range cosines[name] {
			out[i] += a * math.Cos(float64(k)*at)
		}
		if n == 1 {
			out[i] = 1
		}
	}
	return out
}
