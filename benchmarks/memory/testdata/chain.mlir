// Made by memory_programs.py with JAX 0.10.2.
module @jit_chain attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %arg1: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<512x1024xf32> {jax.result_info = "result[0]"}, tensor<1024xf32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.exponential %arg0 : tensor<512x1024xf32>
    %1 = stablehlo.sine %arg1 : tensor<512x1024xf32>
    %2 = stablehlo.add %0, %1 : tensor<512x1024xf32>
    %3 = stablehlo.multiply %2, %arg0 : tensor<512x1024xf32>
    %4 = stablehlo.tanh %3 : tensor<512x1024xf32>
    %5 = stablehlo.multiply %arg1, %arg1 : tensor<512x1024xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
    %7 = stablehlo.add %6, %5 : tensor<512x1024xf32>
    %8 = stablehlo.divide %2, %7 : tensor<512x1024xf32>
    %9 = stablehlo.subtract %4, %8 : tensor<512x1024xf32>
    %10 = stablehlo.abs %9 : tensor<512x1024xf32>
    %11 = stablehlo.log_plus_one %10 : tensor<512x1024xf32>
    %12 = stablehlo.abs %2 : tensor<512x1024xf32>
    %13 = stablehlo.sqrt %12 : tensor<512x1024xf32>
    %14 = stablehlo.multiply %11, %13 : tensor<512x1024xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<512x1024xf32>, tensor<f32>) -> tensor<512xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<512xf32>) -> tensor<512x1xf32>
    %cst_1 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %18 = stablehlo.divide %16, %17 : tensor<512x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x1024xf32>
    %20 = stablehlo.subtract %14, %19 : tensor<512x1024xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %21 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.maximum across dimensions = [0] : (tensor<512x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %22 = stablehlo.add %2, %9 : tensor<512x1024xf32>
    %23 = stablehlo.add %22, %14 : tensor<512x1024xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x1024xf32>, tensor<f32>) -> tensor<f32>
    return %20, %21, %24 : tensor<512x1024xf32>, tensor<1024xf32>, tensor<f32>
  }
}
