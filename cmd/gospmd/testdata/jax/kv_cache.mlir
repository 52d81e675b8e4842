// Made by jax_programs.py with JAX 0.10.2.
module @jit_kv_cache attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<2x8x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}, {}]>}, %arg1: tensor<2x1x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}, {}]>}, %arg2: tensor<2x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}]>}, %arg3: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<2x8x4x4xf32> {jax.result_info = "result[0]"}, tensor<2x4x4xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg3, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<8> : tensor<i32>
    %1 = stablehlo.add %arg3, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg3 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_update_slice %arg0, %arg1, %c_1, %2, %c_2, %c_3 : (tensor<2x8x4x4xf32>, tensor<2x1x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x4x4xf32>
    %4 = stablehlo.iota dim = 0 : tensor<8xi32>
    %5 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %6 = stablehlo.compare LE, %4, %5, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %7 = stablehlo.dot_general %arg2, %3, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4xf32>, tensor<2x8x4x4xf32>) -> tensor<2x4x8xf32>
    %cst = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %8 = call @_where(%6, %7, %cst) : (tensor<8xi1>, tensor<2x4x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_4) applies stablehlo.maximum across dimensions = [2] : (tensor<2x4x8xf32>, tensor<f32>) -> tensor<2x4xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %11 = stablehlo.maximum %10, %9 : tensor<2x4xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x8xf32>
    %14 = stablehlo.subtract %8, %13 : tensor<2x4x8xf32>
    %15 = stablehlo.exponential %14 : tensor<2x4x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_6) applies stablehlo.add across dimensions = [2] : (tensor<2x4x8xf32>, tensor<f32>) -> tensor<2x4xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x8xf32>
    %19 = stablehlo.divide %15, %18 : tensor<2x4x8xf32>
    %20 = stablehlo.dot_general %19, %3, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8xf32>, tensor<2x8x4x4xf32>) -> tensor<2x4x4xf32>
    return %3, %20 : tensor<2x8x4x4xf32>, tensor<2x4x4xf32>
  }
  func.func private @_where(%arg0: tensor<8xi1>, %arg1: tensor<2x4x8xf32>, %arg2: tensor<f32>) -> tensor<2x4x8xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<8xi1>) -> tensor<2x4x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x8xi1>, tensor<2x4x8xf32>
    return %3 : tensor<2x4x8xf32>
  }
}
