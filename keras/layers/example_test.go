package layers_test

import (
	"fmt"

	"github.com/gospmd/gospmd/keras/layers"
)

func Example() {
	x := layers.Input([]int{28, 28, 1})
	hidden := layers.Dense(200, layers.Name("d1"), layers.Activation("relu"))
	y := x.Apply(layers.Flatten()).Apply(hidden)
	fmt.Println(layers.ShapeText(y.Shape()), y.Err())
	for _, v := range hidden.Variables() {
		fmt.Println(v)
	}
	// Output:
	// (None, 200) <nil>
	// d1/kernel tensor<784x200xf32> on one device
	// d1/bias tensor<200xf32> on one device
}
