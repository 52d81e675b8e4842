// No collective joins by xor, so parts are gathered: the initial value must still count only once.
module @found {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<9xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %i: tensor<i1>) -> (tensor<i1>) {
    %0 = stablehlo.reduce(%a init: %i) applies stablehlo.xor across dimensions = [0] : (tensor<9xi1>, tensor<i1>) -> tensor<i1>
    return %0 : tensor<i1>
  }
}
