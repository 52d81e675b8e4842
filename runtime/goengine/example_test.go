package goengine_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/runtime/goengine"
	"github.com/gospmd/gospmd/runtime/goengine/interp"
)

// The program sums over a dimension that is sharded over two devices. Each device sums its own
// half, and an all_reduce combines the halves.
func Example() {
	m, err := ir.Parse(`module @sum {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}`)
	if err != nil {
		log.Fatal(err)
	}
	p, err := compile.Compile(context.Background(), m, compile.Options{Partitioner: compile.SPMD})
	if err != nil {
		log.Fatal(err)
	}
	e, err := goengine.Load(p, goengine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	halves := make([][]*interp.Tensor, 2)
	for pos, values := range [][]float32{{1, 2}, {3, 4}} {
		half := interp.New(ir.Tensor(dtypes.Float32, 2))
		copy(interp.Flat(half).([]float32), values)
		halves[pos] = []*interp.Tensor{half}
	}
	results, err := e.Run(halves)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("device 0:", interp.Flat(results[0][0]))
	fmt.Println("device 1:", interp.Flat(results[1][0]))
	for _, t := range e.Traffic() {
		fmt.Println(t.Op.FullName(), "sent", t.Most(), "bytes")
	}
	// Output:
	// device 0: [10]
	// device 1: [10]
	// spmd.all_reduce sent 4 bytes
}
