// Made by jax_programs.py with JAX 0.10.2.
module @jit_vmapped attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, %arg1: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<8x4xf32> {jax.result_info = "result[0][0]"}, tensor<8x4x4xf32> {jax.result_info = "result[0][1]"}, tensor<8xf32> {jax.result_info = "result[0][2]"}, tensor<8x4xf32> {jax.result_info = "result[0][3]"}, tensor<8x4x4xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [0, 2] : (tensor<8x4xf32>) -> tensor<8x1x4xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<8x1x4xf32>) -> tensor<8x4x4xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<8x4x4xf32>
    %6 = call @norm(%arg0) : (tensor<8x4x4xf32>) -> tensor<8xf32>
    %7 = stablehlo.slice %arg0 [0:8, 0:1, 0:4] : (tensor<8x4x4xf32>) -> tensor<8x1x4xf32>
    %8 = stablehlo.reshape %7 : (tensor<8x1x4xf32>) -> tensor<8x4xf32>
    %9 = stablehlo.slice %arg1 [0:8, 2:3] : (tensor<8x4xf32>) -> tensor<8x1xf32>
    %10 = stablehlo.reshape %9 : (tensor<8x1xf32>) -> tensor<8xf32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %12 = "stablehlo.scatter"(%8, %11, %10) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<8x4xf32>, tensor<1xi32>, tensor<8xf32>) -> tensor<8x4xf32>
    %13 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %14 = stablehlo.tanh %13 : tensor<8x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %16 = stablehlo.subtract %15, %14 : tensor<8x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<8x4xf32>
    %20 = stablehlo.multiply %19, %16 : tensor<8x4xf32>
    %21 = stablehlo.multiply %20, %14 : tensor<8x4xf32>
    %22 = stablehlo.add %20, %21 : tensor<8x4xf32>
    %23 = stablehlo.dot_general %22, %arg1, batching_dims = [0] x [0], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4x4xf32>
    return %0, %5, %6, %12, %23 : tensor<8x4xf32>, tensor<8x4x4xf32>, tensor<8xf32>, tensor<8x4xf32>, tensor<8x4x4xf32>
  }
  func.func private @norm(%arg0: tensor<8x4x4xf32>) -> tensor<8xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<8x4x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1, 2] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.sqrt %1 : tensor<8xf32>
    return %2 : tensor<8xf32>
  }
}
