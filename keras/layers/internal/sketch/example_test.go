package sketch_test

import (
	"fmt"

	"github.com/gospmd/gospmd/keras/layers/internal/sketch"
)

// The quartiles of the numbers from 1 to 100, which came in two batches.
func Example() {
	const within = 0.01
	var all sketch.Summary
	for batch := range 2 {
		values := make([]float64, 50)
		for i := range values {
			values[i] = float64(50*batch + i + 1)
		}
		all = sketch.Summarize(values, within).Merge(all, within)
	}
	fmt.Println(all.Compress(1.0 / 4).At)
	// Output: [25 50 75 100]
}
