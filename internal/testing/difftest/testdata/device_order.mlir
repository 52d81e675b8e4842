// Layouts that were revised spoke of a mesh with its devices in order, which
// the module does not list: found by seed 132.
module @random {
  sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[3, 0, 1, 2]>
  func.func @main(%arg0: tensor<12x2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {}, {"x", ?}]>}) -> (tensor<12x2x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}, {}]>}) {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<12x2x2xf32>) -> tensor<12x2x2xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<12x2x2xf32>
    %2 = stablehlo.iota dim = 1 : tensor<12x2x2xi32>
    %3 = stablehlo.iota dim = 2 : tensor<12x2x2xi32>
    %4 = stablehlo.compare EQ, %2, %3 : (tensor<12x2x2xi32>, tensor<12x2x2xi32>) -> tensor<12x2x2xi1>
    %5 = stablehlo.constant dense<6.000000e+01> : tensor<12x2x2xf32>
    %6 = stablehlo.select %4, %5, %1 : tensor<12x2x2xi1>, tensor<12x2x2xf32>
    %7 = stablehlo.cholesky %6, lower = true : tensor<12x2x2xf32>
    return %7 : tensor<12x2x2xf32>
  }
}
