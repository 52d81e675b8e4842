package ops_test

import (
	"fmt"

	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/ops"
)

// Example builds a weighted mean of the steps of a sequence, whose weights a layer computes, and
// prints its shape.
func Example() {
	x := layers.Input([]int{7, 16})
	weights := ops.Softmax(x.Apply(layers.Dense(1)), ops.Axis(1))
	mean := ops.Sum(x.Mul(weights), ops.Axis(1))
	fmt.Println(layers.ShapeText(mean.Shape()), mean.Err())
	// Output: (None, 16) <nil>
}
