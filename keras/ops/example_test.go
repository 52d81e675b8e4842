package ops_test

import (
	"fmt"

	"github.com/gospmd/gospmd/keras/layers"
	"github.com/gospmd/gospmd/keras/ops"
)

// A weighted mean of a sequence, whose weights a layer computes.
func Example() {
	x := layers.Input([]int{7, 16})
	weights := ops.Softmax(x.Apply(layers.Dense(1)), ops.Axis(1))
	mean := ops.Sum(x.Mul(weights), ops.Axis(1))
	fmt.Println(layers.ShapeText(mean.Shape()), mean.Err())
	// Output: (None, 16) <nil>
}
