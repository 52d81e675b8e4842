// A dimension that a reshape merges with others may not be split along a factor that the result lacks.
module @found {
  sdy.mesh @mesh = <["x"=7]>
  func.func @main(%a: tensor<12x9x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}) -> (tensor<21x6x1x6xi32>) {
    %0 = stablehlo.reshape %a : (tensor<12x9x7xi32>) -> tensor<21x6x1x6xi32>
    return %0 : tensor<21x6x1x6xi32>
  }
}
