package initializers_test

import (
	"fmt"
	"log"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/keras/initializers"
	"github.com/gospmd/gospmd/layout"
)

// One device's shard of a kernel, computed alone: columns 2 and 3 of 4.
func Example() {
	init := initializers.GlorotUniform(initializers.Seed(13))
	shard := make([]float32, 2*2)
	ranges := []layout.Range{{Start: 0, Limit: 2}, {Start: 2, Limit: 4}}
	if err := init.Fill(shard, dtypes.Float32, []int{2, 4}, ranges); err != nil {
		log.Fatal(err)
	}
	fmt.Println(init.Name(), shard)

	_, err := initializers.Get("glorot_unifrom")
	fmt.Println(err != nil)
	// Output:
	// GlorotUniform [0.9158797 -0.34339976 -0.115335226 0.9146168]
	// true
}
