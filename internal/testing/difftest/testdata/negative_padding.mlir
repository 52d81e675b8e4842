// XLA reads beyond a convolution's operand where padding is negative.
module @found {
  sdy.mesh @mesh = <["x"=8]>
  func.func @main(%a: tensor<4x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}, %k: tensor<8x2x2xf32>) -> (tensor<4x2x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) {
    %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[i, 0, o]->[b, f, 0], window = {pad = [[-1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x4x8xf32>, tensor<8x2x2xf32>) -> tensor<4x2x3xf32>
    return %0 : tensor<4x2x3xf32>
  }
}
