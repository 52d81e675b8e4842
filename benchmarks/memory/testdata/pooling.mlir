// Made by memory_programs.py with JAX 0.10.2.
module @jit_pooling attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x64x64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<16x64x64x16xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %20 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %20 : tensor<f32>
    }) : (tensor<16x64x64x16xf32>, tensor<f32>) -> tensor<16x32x32x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<f32>
    %3 = "stablehlo.reduce_window"(%arg0, %2) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %20 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %20 : tensor<f32>
    }) : (tensor<16x64x64x16xf32>, tensor<f32>) -> tensor<16x32x32x16xf32>
    %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x32x32x16xf32>
    %5 = stablehlo.divide %3, %4 : tensor<16x32x32x16xf32>
    %6 = stablehlo.multiply %1, %5 : tensor<16x32x32x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<16x32x32x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x32x32x16xf32>
    %9 = stablehlo.multiply %1, %8 : tensor<16x32x32x16xf32>
    %10 = stablehlo.multiply %8, %5 : tensor<16x32x32x16xf32>
    %cst_4 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16x32x32x16xf32>
    %12 = stablehlo.divide %9, %11 : tensor<16x32x32x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.pad %12, %cst_5, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 1, 1, 0] : (tensor<16x32x32x16xf32>, tensor<f32>) -> tensor<16x65x65x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<f32>
    %15 = "stablehlo.reduce_window"(%13, %14) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %20 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %20 : tensor<f32>
    }) : (tensor<16x65x65x16xf32>, tensor<f32>) -> tensor<16x64x64x16xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.pad %arg0, %cst_7, low = [0, 0, 0, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<16x64x64x16xf32>, tensor<f32>) -> tensor<16x65x65x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = "stablehlo.select_and_scatter"(%16, %10, %cst_8) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %20 = stablehlo.compare GE, %arg1, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %20 : tensor<i1>
    }, {
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %20 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %20 : tensor<f32>
    }) : (tensor<16x65x65x16xf32>, tensor<16x32x32x16xf32>, tensor<f32>) -> tensor<16x65x65x16xf32>
    %18 = stablehlo.slice %17 [0:16, 0:64, 0:64, 0:16] : (tensor<16x65x65x16xf32>) -> tensor<16x64x64x16xf32>
    %19 = stablehlo.add %15, %18 : tensor<16x64x64x16xf32>
    return %7, %19 : tensor<f32>, tensor<16x64x64x16xf32>
  }
}
