// XLA makes one slice of two and forgets that the first index was out of range (it is clamped to 2).
module @found {
  sdy.mesh @mesh = <["x"=7]>
  func.func @main(%a: tensor<3x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<i32>) -> (tensor<1x1xi32>) {
    %c = stablehlo.constant dense<4> : tensor<i32>
    %0 = stablehlo.dynamic_slice %a, %i, %c, sizes = [1, 4] : (tensor<3x6xi32>, tensor<i32>, tensor<i32>) -> tensor<1x4xi32>
    %1 = stablehlo.dynamic_slice %0, %i, %i, sizes = [1, 1] : (tensor<1x4xi32>, tensor<i32>, tensor<i32>) -> tensor<1x1xi32>
    return %1 : tensor<1x1xi32>
  }
}
