// Made by memory_programs.py with JAX 0.10.2.
module @jit_scan_grad attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<32x16x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<256x256xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x256xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32x16x256xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<32x16x256xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<32x16x256xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<32x16x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5:8 = stablehlo.while(%iterArg = %arg1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %0, %iterArg_12 = %1, %iterArg_13 = %2, %iterArg_14 = %3, %iterArg_15 = %4) : tensor<32x16x256xf32>, tensor<256x256xf32>, tensor<i32>, tensor<16x256xf32>, tensor<32x16x256xf32>, tensor<32x16x256xf32>, tensor<32x16x256xf32>, tensor<32x16x256xf32>
    cond {
      %c_16 = stablehlo.constant dense<32> : tensor<i32>
      %15 = stablehlo.compare LT, %iterArg_10, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %15 : tensor<i1>
    } do {
      %15 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_10) : (tensor<32x16x256xf32>, tensor<i32>) -> tensor<16x256xf32>
      %16:5 = func.call @closed_call(%iterArg_9, %iterArg_11, %15) : (tensor<256x256xf32>, tensor<16x256xf32>, tensor<16x256xf32>) -> (tensor<16x256xf32>, tensor<16x256xf32>, tensor<16x256xf32>, tensor<16x256xf32>, tensor<16x256xf32>)
      %17 = func.call @dynamic_update_index_in_dim(%iterArg_12, %16#1, %iterArg_10) : (tensor<32x16x256xf32>, tensor<16x256xf32>, tensor<i32>) -> tensor<32x16x256xf32>
      %18 = func.call @dynamic_update_index_in_dim(%iterArg_13, %16#2, %iterArg_10) : (tensor<32x16x256xf32>, tensor<16x256xf32>, tensor<i32>) -> tensor<32x16x256xf32>
      %19 = func.call @dynamic_update_index_in_dim(%iterArg_14, %16#3, %iterArg_10) : (tensor<32x16x256xf32>, tensor<16x256xf32>, tensor<i32>) -> tensor<32x16x256xf32>
      %20 = func.call @dynamic_update_index_in_dim(%iterArg_15, %16#4, %iterArg_10) : (tensor<32x16x256xf32>, tensor<16x256xf32>, tensor<i32>) -> tensor<32x16x256xf32>
      %c_16 = stablehlo.constant dense<1> : tensor<i32>
      %21 = stablehlo.add %iterArg_10, %c_16 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_9, %21, %16#0, %17, %18, %19, %20 : tensor<32x16x256xf32>, tensor<256x256xf32>, tensor<i32>, tensor<16x256xf32>, tensor<32x16x256xf32>, tensor<32x16x256xf32>, tensor<32x16x256xf32>, tensor<32x16x256xf32>
    }
    %6 = stablehlo.multiply %5#4, %5#4 : tensor<32x16x256xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_4) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<32x16x256xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<32x16x256xf32>
    %9 = stablehlo.multiply %5#4, %8 : tensor<32x16x256xf32>
    %10 = stablehlo.multiply %8, %5#4 : tensor<32x16x256xf32>
    %11 = stablehlo.add %9, %10 : tensor<32x16x256xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<16x256xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %14:8 = stablehlo.while(%iterArg = %11, %iterArg_9 = %5#5, %iterArg_10 = %5#6, %iterArg_11 = %5#7, %iterArg_12 = %arg0, %iterArg_13 = %c_8, %iterArg_14 = %13, %iterArg_15 = %12) : tensor<32x16x256xf32>, tensor<32x16x256xf32>, tensor<32x16x256xf32>, tensor<32x16x256xf32>, tensor<256x256xf32>, tensor<i32>, tensor<256x256xf32>, tensor<16x256xf32>
    cond {
      %c_16 = stablehlo.constant dense<32> : tensor<i32>
      %15 = stablehlo.compare LT, %iterArg_13, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %15 : tensor<i1>
    } do {
      %c_16 = stablehlo.constant dense<32> : tensor<i32>
      %15 = stablehlo.subtract %c_16, %iterArg_13 : tensor<i32>
      %c_17 = stablehlo.constant dense<1> : tensor<i32>
      %16 = stablehlo.subtract %15, %c_17 : tensor<i32>
      %17 = func.call @dynamic_index_in_dim(%iterArg, %16) : (tensor<32x16x256xf32>, tensor<i32>) -> tensor<16x256xf32>
      %18 = func.call @dynamic_index_in_dim(%iterArg_9, %16) : (tensor<32x16x256xf32>, tensor<i32>) -> tensor<16x256xf32>
      %19 = func.call @dynamic_index_in_dim(%iterArg_10, %16) : (tensor<32x16x256xf32>, tensor<i32>) -> tensor<16x256xf32>
      %20 = func.call @dynamic_index_in_dim(%iterArg_11, %16) : (tensor<32x16x256xf32>, tensor<i32>) -> tensor<16x256xf32>
      %21:2 = func.call @closed_call_0(%iterArg_12, %iterArg_14, %iterArg_15, %17, %18, %19, %20) : (tensor<256x256xf32>, tensor<256x256xf32>, tensor<16x256xf32>, tensor<16x256xf32>, tensor<16x256xf32>, tensor<16x256xf32>, tensor<16x256xf32>) -> (tensor<256x256xf32>, tensor<16x256xf32>)
      %c_18 = stablehlo.constant dense<1> : tensor<i32>
      %22 = stablehlo.add %iterArg_13, %c_18 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_9, %iterArg_10, %iterArg_11, %iterArg_12, %22, %21#0, %21#1 : tensor<32x16x256xf32>, tensor<32x16x256xf32>, tensor<32x16x256xf32>, tensor<32x16x256xf32>, tensor<256x256xf32>, tensor<i32>, tensor<256x256xf32>, tensor<16x256xf32>
    }
    return %7, %14#6 : tensor<f32>, tensor<256x256xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<32x16x256xf32>, %arg1: tensor<i32>) -> tensor<16x256xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 256] : (tensor<32x16x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x256xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x256xf32>) -> tensor<16x256xf32>
    return %1 : tensor<16x256xf32>
  }
  func.func private @closed_call(%arg0: tensor<256x256xf32>, %arg1: tensor<16x256xf32>, %arg2: tensor<16x256xf32>) -> (tensor<16x256xf32>, tensor<16x256xf32>, tensor<16x256xf32>, tensor<16x256xf32>, tensor<16x256xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x256xf32>, tensor<256x256xf32>) -> tensor<16x256xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<16x256xf32>
    %2 = stablehlo.tanh %1 : tensor<16x256xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x256xf32>
    %4 = stablehlo.subtract %3, %2 : tensor<16x256xf32>
    return %2, %2, %arg1, %2, %4 : tensor<16x256xf32>, tensor<16x256xf32>, tensor<16x256xf32>, tensor<16x256xf32>, tensor<16x256xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<32x16x256xf32>, %arg1: tensor<16x256xf32>, %arg2: tensor<i32>) -> tensor<32x16x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x256xf32>) -> tensor<1x16x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<32x16x256xf32>, tensor<1x16x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<32x16x256xf32>
    return %1 : tensor<32x16x256xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<256x256xf32>, %arg1: tensor<256x256xf32>, %arg2: tensor<16x256xf32>, %arg3: tensor<16x256xf32>, %arg4: tensor<16x256xf32>, %arg5: tensor<16x256xf32>, %arg6: tensor<16x256xf32>) -> (tensor<256x256xf32>, tensor<16x256xf32>) {
    %0 = stablehlo.add %arg2, %arg3 : tensor<16x256xf32>
    %1 = stablehlo.multiply %0, %arg6 : tensor<16x256xf32>
    %2 = stablehlo.multiply %1, %arg5 : tensor<16x256xf32>
    %3 = stablehlo.add %1, %2 : tensor<16x256xf32>
    %4 = stablehlo.dot_general %3, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x256xf32>, tensor<16x256xf32>) -> tensor<256x256xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %6 = stablehlo.add %arg1, %5 : tensor<256x256xf32>
    %7 = stablehlo.dot_general %3, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x256xf32>, tensor<256x256xf32>) -> tensor<16x256xf32>
    return %6, %7 : tensor<256x256xf32>, tensor<16x256xf32>
  }
}
