//go:build cgo

package runtime_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/compile"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/runtime"
)

// Example shards a vector of 6 over 2 devices; a program doubles it there.
func Example() {
	ctx := context.Background()
	client, err := runtime.Open(ctx, runtime.Options{Platform: "cpu", Devices: 2})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	onX := &layout.Sharding{Mesh: mesh.MustParse("x=2"), Dims: []layout.DimSharding{{Axes: mesh.FullAxes("x")}}}
	module, err := ir.Parse(`
module @double {
  func.func @main(%v: tensor<6xf32>) -> tensor<6xf32> {
    %0 = stablehlo.add %v, %v : tensor<6xf32>
    return %0 : tensor<6xf32>
  }
}`)
	if err != nil {
		log.Fatal(err)
	}
	module.AddMesh("mesh", onX.Mesh)
	module.Main().Params()[0].Sharding = onX
	module.Main().Results[0].Sharding = onX
	program, err := compile.Compile(ctx, module, compile.Options{})
	if err != nil {
		log.Fatal(err)
	}
	exe, err := client.Load(ctx, program)
	if err != nil {
		log.Fatal(err)
	}
	defer exe.Close()

	v, err := client.Put(ir.Tensor(dtypes.Float32, 6), onX, []float32{1, 2, 3, 4, 5, 6})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range v.Shards() {
		fmt.Println("device", s.Device, "holds", s.Ranges, "in", s.Local)
	}
	results, err := exe.Run(v)
	if err != nil {
		log.Fatal(err)
	}
	values, err := runtime.Values[float32](ctx, results[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(values)
	// Output:
	// device 0 holds [{0 3}] in tensor<3xf32>
	// device 1 holds [{3 6}] in tensor<3xf32>
	// [2 4 6 8 10 12]
}
