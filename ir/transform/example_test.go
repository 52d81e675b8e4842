package transform_test

import (
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/transform"
)

// An op without uses is removed, and so is a function that no other function refers to.
func Example() {
	m := ir.MustParse(`module @example {
  func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.exponential %x : tensor<4xf32>
    %1 = stablehlo.abs %x : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @unused(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}`)
	transform.EliminateDeadOps(m.Main(), transform.DeadOps{})
	transform.EliminateDeadFuncs(m, func(f *ir.Func) bool { return f == m.Main() })
	fmt.Print(m)
	// Output:
	// module @example {
	//   func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
	//     %0 = stablehlo.abs %arg0 : tensor<4xf32>
	//     return %0 : tensor<4xf32>
	//   }
	// }
}
