package reshard_test

import (
	"fmt"
	"log"

	"github.com/gospmd/gospmd/compile/reshard"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// A tensor that is sharded over its samples becomes sharded over its features. Each device sends
// most of its shard, and never holds more than a shard.
func Example() {
	m := mesh.MustParse("data=4,model=2")
	from, to := layout.Replicated(m, 2), layout.Replicated(m, 2)
	from.Dims[0].Axes = mesh.FullAxes("data", "model")
	to.Dims[1].Axes = mesh.FullAxes("data", "model")
	steps, err := reshard.Plan(from, to, reshard.Tensor{Dims: []int{32, 1024}, ElemSize: 4})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(steps)
	// Output:
	// all_to_all dim 0 to 1 {"data", "model"}: 4x1024 -> 32x128, 14336 bytes
}
