// Made by jax_programs.py with JAX 0.10.2.
module @jit_branches attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg1: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<8x4xf32> {jax.result_info = "result[0]"}, tensor<8x8xf32> {jax.result_info = "result[1]"}, tensor<8x4xf32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.clamp %c, %arg1, %c_0 : tensor<i32>
    %1 = "stablehlo.case"(%0) ({
      %9 = stablehlo.sine %arg0 : tensor<8x4xf32>
      stablehlo.return %9 : tensor<8x4xf32>
    }, {
      %9 = stablehlo.cosine %arg0 : tensor<8x4xf32>
      stablehlo.return %9 : tensor<8x4xf32>
    }, {
      %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %9 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
      %10 = stablehlo.multiply %arg0, %9 : tensor<8x4xf32>
      stablehlo.return %10 : tensor<8x4xf32>
    }) : (tensor<i32>) -> tensor<8x4xf32>
    %2 = stablehlo.slice %arg0 [0:1, 0:1] : (tensor<8x4xf32>) -> tensor<1x1xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x1xf32>) -> tensor<f32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.compare GT, %3, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %5 = stablehlo.convert %4 : (tensor<i1>) -> tensor<i32>
    %6 = "stablehlo.case"(%5) ({
      %9 = stablehlo.transpose %1, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
      %10 = stablehlo.dot_general %1, %9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
      %11 = stablehlo.negate %10 : tensor<8x8xf32>
      stablehlo.return %11 : tensor<8x8xf32>
    }, {
      %9 = stablehlo.transpose %1, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
      %10 = stablehlo.dot_general %1, %9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
      stablehlo.return %10 : tensor<8x8xf32>
    }) : (tensor<i32>) -> tensor<8x8xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7:3 = stablehlo.while(%iterArg = %c_2, %iterArg_4 = %c_1, %iterArg_5 = %arg0) : tensor<i32>, tensor<i32>, tensor<8x4xf32>
    cond {
      %c_6 = stablehlo.constant dense<3> : tensor<i32>
      %9 = stablehlo.compare LT, %iterArg, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %9:2 = func.call @closed_call(%iterArg_4, %iterArg_5) : (tensor<i32>, tensor<8x4xf32>) -> (tensor<i32>, tensor<8x4xf32>)
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.add %iterArg, %c_6 : tensor<i32>
      stablehlo.return %10, %9#0, %9#1 : tensor<i32>, tensor<i32>, tensor<8x4xf32>
    }
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8:3 = stablehlo.while(%iterArg = %arg0, %iterArg_4 = %arg1, %iterArg_5 = %cst_3) : tensor<8x4xf32>, tensor<i32>, tensor<f32>
    cond {
      %c_6 = stablehlo.constant dense<4> : tensor<i32>
      %9 = stablehlo.compare LT, %iterArg_4, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %9 = stablehlo.add %iterArg_4, %c_6 : tensor<i32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %10 = stablehlo.reduce(%iterArg init: %cst_7) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
      %11 = stablehlo.convert %iterArg_5 : tensor<f32>
      %12 = stablehlo.add %11, %10 : tensor<f32>
      stablehlo.return %iterArg, %9, %12 : tensor<8x4xf32>, tensor<i32>, tensor<f32>
    }
    return %1, %6, %7#2, %8#2 : tensor<8x4xf32>, tensor<8x8xf32>, tensor<8x4xf32>, tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<8x4xf32>) -> (tensor<i32>, tensor<8x4xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %2 = stablehlo.multiply %arg1, %1 : tensor<8x4xf32>
    %3 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %5 = stablehlo.add %2, %4 : tensor<8x4xf32>
    return %0, %5 : tensor<i32>, tensor<8x4xf32>
  }
}
