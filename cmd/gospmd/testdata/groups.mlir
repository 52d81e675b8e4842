// Sharding groups, priorities, sub-axes, calls, a manual computation and a
// conflict, for tests of determinism.
module @groups {
  sdy.mesh @mesh = <["a"=2, "b"=4, "c"=2]>
  func.func @main(
      %x: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}p1, {?}]>} loc("x"),
      %w: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"b":(1)2, ?}p0]>} loc("w"),
      %v: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}, {"b"}]>} loc("v")) -> (tensor<16x32xf32>, tensor<32x64xf32>, tensor<f32>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
    %1 = call @half(%0) : (tensor<16x64xf32>) -> tensor<16x64xf32>
    %2 = call @half(%1) : (tensor<16x64xf32>) -> tensor<16x64xf32>
    %3 = stablehlo.dot_general %2, %v, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
    %4 = sdy.manual_computation(%3) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg0: tensor<8x32xf32>) {
      %9 = stablehlo.tanh %arg0 : tensor<8x32xf32>
      sdy.return %9 : tensor<8x32xf32>
    } : (tensor<16x32xf32>) -> tensor<16x32xf32>
    sdy.sharding_group %3 group_id=3 : tensor<16x32xf32>
    sdy.sharding_group %x group_id=3 : tensor<16x32xf32>
    sdy.sharding_group %0 group_id=1 : tensor<16x64xf32>
    sdy.sharding_group %2 group_id=7 : tensor<16x64xf32>
    %5 = stablehlo.transpose %v, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %6 = stablehlo.add %w, %5 : tensor<32x64xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<f32>
    return %4, %6, %7 : tensor<16x32xf32>, tensor<32x64xf32>, tensor<f32>
  }
  func.func private @half(%arg0: tensor<16x64xf32>) -> tensor<16x64xf32> {
    %half = stablehlo.constant dense<5.000000e-01> : tensor<16x64xf32>
    %0 = stablehlo.multiply %arg0, %half : tensor<16x64xf32>
    return %0 : tensor<16x64xf32>
  }
}
