package microbatch_test

import (
	"fmt"

	"github.com/gospmd/gospmd/compile/cost"
	"github.com/gospmd/gospmd/compile/microbatch"
	"github.com/gospmd/gospmd/compile/partition"
	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
	"github.com/gospmd/gospmd/sharding"
)

// Example computes a gradient of 8 samples on one device in two parts of 4. It prints the names of
// the ops of the program, and of those in its loop.
func Example() {
	m, err := ir.Parse(`func.func @main(%x: tensor<8x3xf32>, %d: tensor<8x2xf32>) -> tensor<3x2xf32> {
  %g = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] : (tensor<8x3xf32>, tensor<8x2xf32>) -> tensor<3x2xf32>
  return %g : tensor<3x2xf32>
}`)
	if err != nil {
		panic(err)
	}
	one, err := mesh.New(nil, nil, nil)
	if err != nil {
		panic(err)
	}
	if err := sharding.Complete(m); err != nil {
		panic(err)
	}
	none := make([]*layout.Sharding, 3) // propagation has found nothing for the three values
	b, err := microbatch.Split(m, one, none, []bool{true, true}, 2)
	if err != nil {
		panic(err)
	}
	machine := b.Machine(cost.Default())
	local, err := partition.Module(b.Module, b.Mesh, machine)
	if err != nil {
		panic(err)
	}
	looped, err := b.Serialize(local)
	if err != nil {
		panic(err)
	}
	for op := range looped.Main().Body.Ops() {
		fmt.Println(op.FullName())
		if op.Kind == ir.OpWhile {
			for inner := range op.Regions[1].Ops() {
				fmt.Println(" ", inner.FullName())
			}
		}
	}
	// Output:
	// stablehlo.constant
	// stablehlo.constant
	// stablehlo.while
	//   stablehlo.constant
	//   stablehlo.constant
	//   stablehlo.multiply
	//   stablehlo.dynamic_slice
	//   stablehlo.constant
	//   stablehlo.constant
	//   stablehlo.multiply
	//   stablehlo.dynamic_slice
	//   stablehlo.dot_general
	//   stablehlo.add
	//   stablehlo.constant
	//   stablehlo.add
	//   stablehlo.return
	// func.return
}
