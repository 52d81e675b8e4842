package roles_test

import (
	"fmt"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/ir/roles"
)

// One training step with momentum: the roles of the inputs are not stated, but inferred.
func Example() {
	f := ir.MustParse(`
func.func @main(%x: tensor<8x4xf32>, %w: tensor<4x2xf32> {tf.aliasing_output = 0 : i32}, %m: tensor<4x2xf32> {tf.aliasing_output = 1 : i32})
    -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<8x2xf32>) {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %g = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %m2 = stablehlo.add %m, %g : tensor<4x2xf32>
  %w2 = stablehlo.subtract %w, %m2 : tensor<4x2xf32>
  return %w2, %m2, %y : tensor<4x2xf32>, tensor<4x2xf32>, tensor<8x2xf32>
}`).Main()
	of := roles.Of(f)
	fmt.Println(of, roles.SlotsOf(f, of), roles.DonatedTo(f, 2))
	// Output: [data parameter optimizer] [[] [2] []] 1
}
