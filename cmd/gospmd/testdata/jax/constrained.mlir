// Made by jax_programs.py with JAX 0.10.2.
module @jit_constrained attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg1: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}]>}) -> (tensor<8x16xf32> {jax.result_info = "result[0]"}, tensor<16x8xf32> {jax.result_info = "result[1]"}, tensor<4x32xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<8x16xf32>
    %2 = stablehlo.add %arg0, %1 : tensor<8x16xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{"data"}, {"model"}]> : tensor<8x16xf32>
    %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{}, {"model", "data"}]> : tensor<16x8xf32>
    %6 = stablehlo.reshape %5 : (tensor<16x8xf32>) -> tensor<4x32xf32>
    %7 = sdy.sharding_constraint %6 <@mesh, [{"model"}, {?}]> : tensor<4x32xf32>
    return %3, %5, %7 : tensor<8x16xf32>, tensor<16x8xf32>, tensor<4x32xf32>
  }
}
