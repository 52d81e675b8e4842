package ir_test

import (
	"fmt"
	"log"

	"github.com/gomlx/compute/dtypes"

	"github.com/gospmd/gospmd/ir"
	"github.com/gospmd/gospmd/layout"
	"github.com/gospmd/gospmd/mesh"
)

// Example builds a function op by op. The op table infers the result types. The weight has a
// sharding.
func Example() {
	m := &ir.Module{Name: "dense"}
	dm := m.AddMesh("mesh", mesh.MustParse("data=2,model=4"))

	f := ir.NewFunc("main")
	m.Funcs = append(m.Funcs, f)
	x := f.AddParam("x", ir.Tensor(dtypes.Float32, 16, 784), nil)
	kernel := f.AddParam("d1/kernel", ir.Tensor(dtypes.Float32, 784, 200), &layout.Sharding{
		Mesh: dm,
		Dims: []layout.DimSharding{{}, {Axes: mesh.FullAxes("model")}},
	})
	b := ir.NewBuilder(f.Body)
	dot, err := b.Op(ir.OpDotGeneral, ir.Attrs{
		{Name: "dot_dimension_numbers", Value: &ir.DotDims{LHSContracting: []int{1}, RHSContracting: []int{0}}},
	}, x, kernel)
	if err != nil {
		log.Fatal(err)
	}
	zero, err := b.Op(ir.OpConstant, ir.Attrs{{Name: "value", Value: ir.Splat(dot.Result().Type, 0)}})
	if err != nil {
		log.Fatal(err)
	}
	relu, err := b.Op(ir.OpMaximum, nil, dot.Result(), zero.Result())
	if err != nil {
		log.Fatal(err)
	}
	f.Return(relu.Result())

	if err := ir.Verify(m); err != nil {
		log.Fatal(err)
	}
	fmt.Print(m)

	// Errors name the op, and what was got and wanted.
	_, err = b.Op(ir.OpAdd, nil, x, kernel)
	fmt.Println(err)

	// Output:
	// module @dense {
	//   sdy.mesh @mesh = <["data"=2, "model"=4]>
	//   func.func @main(%arg0: tensor<16x784xf32>, %arg1: tensor<784x200xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) -> tensor<16x200xf32> {
	//     %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<16x784xf32>, tensor<784x200xf32>) -> tensor<16x200xf32>
	//     %1 = stablehlo.constant dense<0.000000e+00> : tensor<16x200xf32>
	//     %2 = stablehlo.maximum %0, %1 : tensor<16x200xf32>
	//     return %2 : tensor<16x200xf32>
	//   }
	// }
	// stablehlo.add: operand 1 has type tensor<784x200xf32>, operand 0 has type tensor<16x784xf32>: want the same type
}

// Example_mutation changes a function in place: every value knows its uses.
func Example_mutation() {
	m := ir.MustParse(`
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %x : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}`)
	f := m.Main()
	abs := f.Body.First()
	for use := range abs.Result().Uses() {
		fmt.Println("used by", use.Op.FullName(), "as operand", use.Operand)
	}

	// Only the negation gets the square root of the absolute value as its operand.
	b := new(ir.Builder).After(abs)
	sqrt := b.Sqrt(abs.Result())
	abs.Result().ReplaceUsesIf(sqrt, func(u ir.Use) bool { return u.Op.Kind == ir.OpNegate })

	// The addition is replaced by its second operand.
	add := f.Body.Terminator().Prev()
	add.ReplaceWith(add.Operands[1])

	if err := ir.Verify(m); err != nil {
		log.Fatal(err)
	}
	fmt.Print(f)

	// Output:
	// used by stablehlo.negate as operand 0
	// used by stablehlo.add as operand 0
	// func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
	//   %0 = stablehlo.abs %arg0 : tensor<4xf32>
	//   %1 = stablehlo.sqrt %0 : tensor<4xf32>
	//   %2 = stablehlo.negate %1 : tensor<4xf32>
	//   return %2 : tensor<4xf32>
	// }
}
