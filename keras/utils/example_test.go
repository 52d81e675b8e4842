package utils_test

import (
	"fmt"

	"github.com/gospmd/gospmd/keras/data"
	"github.com/gospmd/gospmd/keras/utils"
)

// Sentences of different lengths become the rows of one tensor, and their labels vectors.
func Example() {
	x, err := utils.PadSequences([][]int{{5, 3}, {7, 1, 4, 2}}, utils.MaxLen(3))
	if err != nil {
		fmt.Println(err)
		return
	}
	y, err := utils.ToCategorical([]int{1, 0}, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x.Value(), y.Value())

	train, test, err := utils.SplitDataset(data.FromTensorSlices([]float32{1, 2, 3, 4}, nil), .75, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(train.Cardinality(), test.Cardinality())
	// Output:
	// [[0 5 3] [1 4 2]] [[0 1] [1 0]]
	// 3 1
}
