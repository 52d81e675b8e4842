// A dimension of size 1 may be split, and all devices but one hold padding: it must be whole before it is broadcast.
module @found {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func @main(%a: tensor<1x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) {
    %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<1x7xf32>) -> tensor<6x7xf32>
    return %0 : tensor<6x7xf32>
  }
}
