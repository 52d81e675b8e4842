package explain_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
)

// Example shards the contracted dimension of a product: a device has a partial result, and the
// explanation says why it is reduced.
func Example() {
	m, err := ir.Parse(`
sdy.mesh @mesh = <["data"=2, "model"=2]>
func.func @main(%x: tensor<64x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
                %k: tensor<512x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %x, %k, contracting_dims = [1] x [0] : (tensor<64x512xf32>, tensor<512x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}`)
	if err != nil {
		log.Fatal(err)
	}
	e, err := compile.Explain(context.Background(), m, compile.Options{})
	if err != nil {
		log.Fatal(err)
	}
	product, err := e.Value("%0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(product)
	fmt.Println("overrides:", len(e.Overrides()))
	// Output:
	// %0 stablehlo.dot_general tensor<64x64xf32>
	//   asked for: [{"data", ?}, {?}]
	//     dim 0, axis data:
	//       through stablehlo.dot_general from dim 0 of parameter %arg0
	//       annotated on parameter %arg0
	//   runs as: 32x64xf32 [{"data"}, {}], unreduced={"model"}, %0 stablehlo.dot_general; then as 32x64xf32 [{"data"}, {}], %6 spmd.all_reduce
	//   because: stablehlo.dot_general sums over what "model" shards: a device has a partial result, which is reduced where the value is used
	// overrides: 0
}
