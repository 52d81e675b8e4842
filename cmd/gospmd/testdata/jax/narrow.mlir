// Made by jax_programs.py with JAX 0.10.2.
module @jit_narrow attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x16xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg1: tensor<16x8xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg2: tensor<8x16xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg3: tensor<16x8xi8> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8x8xf32> {jax.result_info = "result[0]"}, tensor<8x8xi32> {jax.result_info = "result[1]"}, tensor<8x16xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xbf16>, tensor<16x8xbf16>) -> tensor<8x8xf32>
    %1 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xi8>, tensor<16x8xi8>) -> tensor<8x8xi32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<bf16>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<8x16xbf16>
    %3 = stablehlo.multiply %arg0, %2 : tensor<8x16xbf16>
    %4 = stablehlo.convert %3 : (tensor<8x16xbf16>) -> tensor<8x16xf16>
    %5 = stablehlo.convert %4 : (tensor<8x16xf16>) -> tensor<8x16xf32>
    return %0, %1, %5 : tensor<8x8xf32>, tensor<8x8xi32>, tensor<8x16xf32>
  }
}
