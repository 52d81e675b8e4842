// Made by jax_programs.py with JAX 0.10.2.
module @jit_custom_gradient attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<8x4xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.exponential %arg0 : tensor<8x4xf32>
    %1 = stablehlo.sine %arg0 : tensor<8x4xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<8x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %5 = stablehlo.multiply %0, %4 : tensor<8x4xf32>
    %6 = stablehlo.multiply %4, %1 : tensor<8x4xf32>
    %7:2 = stablehlo.optimization_barrier %arg0, %5 : tensor<8x4xf32>, tensor<8x4xf32>
    %8 = stablehlo.cosine %7#0 : tensor<8x4xf32>
    %9 = stablehlo.multiply %7#1, %8 : tensor<8x4xf32>
    %10 = stablehlo.multiply %6, %arg0 : tensor<8x4xf32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %11 = call @clip(%10, %c, %c_1) : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
    %12 = stablehlo.add %9, %11 : tensor<8x4xf32>
    return %3, %12 : tensor<f32>, tensor<8x4xf32>
  }
  func.func private @clip(%arg0: tensor<8x4xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<8x4xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<8x4xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<8x4xf32>
    return %5 : tensor<8x4xf32>
  }
}
