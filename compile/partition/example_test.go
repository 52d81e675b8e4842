package partition_test

import (
	"fmt"
	"log"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/partition"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/sharding"
)

// Example shards a product along the summed dimension: every device multiplies its shards, and one
// collective reduces the partial sums.
func Example() {
	m := ir.MustParse(`
module @product {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x6xf32> {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
}`)
	if _, err := sharding.Propagate(m, sharding.Options{}); err != nil {
		log.Fatal(err)
	}
	if err := sharding.Complete(m); err != nil {
		log.Fatal(err)
	}
	local, err := partition.Module(m, m.Meshes[0].Mesh, cost.Default())
	if err != nil {
		log.Fatal(err)
	}
	for op := range local.Main().Body.Ops() {
		fmt.Println(op.FullName(), op.Operands[0].Type)
	}
	// Output:
	// stablehlo.dot_general tensor<4x4xf32>
	// spmd.all_reduce tensor<4x6xf32>
	// func.return tensor<4x6xf32>
}
