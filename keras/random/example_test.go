package random_test

import (
	"fmt"
	"log"

	"github.com/gospmd/gospmd/keras/random"
	"github.com/gospmd/gospmd/layout"
)

// It prints the numbers of keras.random.normal((2, 3), seed=11) on JAX, then the right column
// alone, which is computed without the other columns, as on the device that holds this shard.
func Example() {
	x, err := random.Normal([]int{2, 3}, random.Seed(11))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(x.Value())

	key, err := random.Seed(11).Key()
	if err != nil {
		log.Fatal(err)
	}
	column := make([]float32, 2)
	ranges := []layout.Range{{Start: 0, Limit: 2}, {Start: 2, Limit: 3}}
	if err := key.FillNormal(column, []int{2, 3}, ranges, 0, 1); err != nil {
		log.Fatal(err)
	}
	fmt.Println(column)
	// Output:
	// [[0.72379214 -2.6253748 0.1497189] [-0.74370664 1.1067257 0.21492772]]
	// [0.1497189 0.21492772]
}
