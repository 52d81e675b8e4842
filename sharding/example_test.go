package sharding_test

import (
	"fmt"
	"log"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

// The kernel of a layer is sharded by columns, and the batch is sharded, too. So both dimensions of
// the result are sharded. The explanation says where each axis came from.
func Example() {
	m := ir.MustParse(`
sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%x: tensor<16x784xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
                %kernel: tensor<784x200xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) -> tensor<16x200xf32> {
  %0 = stablehlo.dot_general %x, %kernel, contracting_dims = [1] x [0] : (tensor<16x784xf32>, tensor<784x200xf32>) -> tensor<16x200xf32>
  %1 = stablehlo.tanh %0 : tensor<16x200xf32>
  return %1 : tensor<16x200xf32>
}`)
	result, err := sharding.Propagate(m, sharding.Options{})
	if err != nil {
		log.Fatal(err)
	}
	tanh := m.Main().Returned()[0]
	fmt.Print(result.Explain(tanh))
	// Output:
	// %1 stablehlo.tanh tensor<16x200xf32>: [{"data", ?}, {"model", ?}]
	//   dim 0, axis data:
	//     through stablehlo.tanh from dim 0 of %0 stablehlo.dot_general tensor<16x200xf32>
	//     through stablehlo.dot_general from dim 0 of parameter %arg0
	//     annotated on parameter %arg0
	//   dim 1, axis model:
	//     through stablehlo.tanh from dim 1 of %0 stablehlo.dot_general tensor<16x200xf32>
	//     through stablehlo.dot_general from dim 1 of parameter %arg1
	//     annotated on parameter %arg1
}
