// A convolution over a dimension without elements, which looks like one of groups: the pass
// conv_groups padded it to a size that it does not have.
module @m {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<9x2x0xi32>, %k: tensor<4x2x9xi32>) -> tensor<0x2x4xi32> {
    %0 = stablehlo.convolution(%x, %k) dim_numbers = [f, b, 0]x[o, 0, i]->[0, b, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [2], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<9x2x0xi32>, tensor<4x2x9xi32>) -> tensor<0x2x4xi32>
    return %0 : tensor<0x2x4xi32>
  }
}
