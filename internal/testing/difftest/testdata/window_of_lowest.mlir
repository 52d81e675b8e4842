// Windows at the border of the tensor hold nothing but the least number, and
// padding: had the padding been filled with that number, it would be chosen.
module @random {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%s: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<14xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %a = stablehlo.constant dense<0xFF800000> : tensor<14xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = "stablehlo.select_and_scatter"(%a, %s, %zero) <{padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }, {
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %1 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<14xf32>, tensor<7xf32>, tensor<f32>) -> tensor<14xf32>
    return %0 : tensor<14xf32>
  }
}
