// Made by jax_programs.py with JAX 0.10.2.
module @jit_rnn_grad attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg1: tensor<5x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<8x8xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x4x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<5x4x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<5x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5:9 = stablehlo.while(%iterArg = %arg1, %iterArg_11 = %arg0, %iterArg_12 = %cst_0, %iterArg_13 = %c, %iterArg_14 = %0, %iterArg_15 = %1, %iterArg_16 = %2, %iterArg_17 = %3, %iterArg_18 = %4) : tensor<5x4x8xf32>, tensor<8x8xf32>, tensor<f32>, tensor<i32>, tensor<4x8xf32>, tensor<5xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>
    cond {
      %c_19 = stablehlo.constant dense<5> : tensor<i32>
      %17 = stablehlo.compare LT, %iterArg_13, %c_19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %17 : tensor<i1>
    } do {
      %17 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_13) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %18:5 = func.call @closed_call(%iterArg_11, %iterArg_12, %iterArg_14, %17) : (tensor<8x8xf32>, tensor<f32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<f32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %19 = func.call @dynamic_update_index_in_dim(%iterArg_15, %18#1, %iterArg_13) : (tensor<5xf32>, tensor<f32>, tensor<i32>) -> tensor<5xf32>
      %20 = func.call @dynamic_update_index_in_dim_0(%iterArg_16, %18#2, %iterArg_13) : (tensor<5x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<5x4x8xf32>
      %21 = func.call @dynamic_update_index_in_dim_1(%iterArg_17, %18#3, %iterArg_13) : (tensor<5x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<5x4x8xf32>
      %22 = func.call @dynamic_update_index_in_dim_1(%iterArg_18, %18#4, %iterArg_13) : (tensor<5x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<5x4x8xf32>
      %c_19 = stablehlo.constant dense<1> : tensor<i32>
      %23 = stablehlo.add %iterArg_13, %c_19 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_11, %iterArg_12, %23, %18#0, %19, %20, %21, %22 : tensor<5x4x8xf32>, tensor<8x8xf32>, tensor<f32>, tensor<i32>, tensor<4x8xf32>, tensor<5xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>
    }
    %6 = stablehlo.multiply %5#4, %5#4 : tensor<4x8xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %8 = stablehlo.multiply %7, %5#4 : tensor<4x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_6) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%5#5 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
    %11 = stablehlo.add %9, %10 : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %13 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %14 = stablehlo.multiply %13, %8 : tensor<4x8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %16:8 = stablehlo.while(%iterArg = %12, %iterArg_11 = %5#6, %iterArg_12 = %5#7, %iterArg_13 = %5#8, %iterArg_14 = %arg0, %iterArg_15 = %c_10, %iterArg_16 = %15, %iterArg_17 = %14) : tensor<5xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8xf32>
    cond {
      %c_18 = stablehlo.constant dense<5> : tensor<i32>
      %17 = stablehlo.compare LT, %iterArg_15, %c_18, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %17 : tensor<i1>
    } do {
      %c_18 = stablehlo.constant dense<5> : tensor<i32>
      %17 = stablehlo.subtract %c_18, %iterArg_15 : tensor<i32>
      %c_19 = stablehlo.constant dense<1> : tensor<i32>
      %18 = stablehlo.subtract %17, %c_19 : tensor<i32>
      %19 = func.call @dynamic_index_in_dim_2(%iterArg, %18) : (tensor<5xf32>, tensor<i32>) -> tensor<f32>
      %20 = func.call @dynamic_index_in_dim_3(%iterArg_11, %18) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %21 = func.call @dynamic_index_in_dim(%iterArg_12, %18) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %22 = func.call @dynamic_index_in_dim(%iterArg_13, %18) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %23:2 = func.call @closed_call_4(%iterArg_14, %iterArg_16, %iterArg_17, %19, %20, %21, %22) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>)
      %c_20 = stablehlo.constant dense<1> : tensor<i32>
      %24 = stablehlo.add %iterArg_15, %c_20 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_11, %iterArg_12, %iterArg_13, %iterArg_14, %24, %23#0, %23#1 : tensor<5xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<5x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<8x8xf32>, tensor<4x8xf32>
    }
    return %11, %16#6 : tensor<f32>, tensor<8x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<5x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x8xf32>, %arg1: tensor<f32>, %arg2: tensor<4x8xf32>, %arg3: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<f32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.add %0, %arg3 : tensor<4x8xf32>
    %2 = stablehlo.tanh %1 : tensor<4x8xf32>
    %3 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %4 = stablehlo.subtract %3, %2 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    return %2, %5, %arg2, %2, %4 : tensor<4x8xf32>, tensor<f32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<5xf32>, tensor<1xf32>, tensor<i32>) -> tensor<5xf32>
    return %1 : tensor<5xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<5x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<5x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<5x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x4x8xf32>
    return %1 : tensor<5x4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_1(%arg0: tensor<5x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<5x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<5x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x4x8xf32>
    return %1 : tensor<5x4x8xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<5xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<5xf32>, tensor<i32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @dynamic_index_in_dim_3(%arg0: tensor<5x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<5x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @closed_call_4(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<4x8xf32>, %arg3: tensor<f32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %1 = stablehlo.add %arg2, %0 : tensor<4x8xf32>
    %2 = stablehlo.multiply %1, %arg6 : tensor<4x8xf32>
    %3 = stablehlo.multiply %2, %arg5 : tensor<4x8xf32>
    %4 = stablehlo.add %2, %3 : tensor<4x8xf32>
    %5 = stablehlo.dot_general %4, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %6 = stablehlo.transpose %5, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %7 = stablehlo.add %arg1, %6 : tensor<8x8xf32>
    %8 = stablehlo.dot_general %4, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    return %7, %8 : tensor<8x8xf32>, tensor<4x8xf32>
  }
}
