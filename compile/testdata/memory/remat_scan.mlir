// Made by fit_programs.py with JAX 0.10.2.
module @jit_remat_scan attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4x64x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg1: tensor<4x16x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg2: tensor<512x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg3: tensor<512x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<4x64x16xf32> {jax.result_info = "result[0]['down']"}, tensor<4x16x64xf32> {jax.result_info = "result[0]['up']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x512x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:5 = stablehlo.while(%iterArg = %arg0, %iterArg_10 = %arg1, %iterArg_11 = %c, %iterArg_12 = %arg2, %iterArg_13 = %0) : tensor<4x64x16xf32>, tensor<4x16x64xf32>, tensor<i32>, tensor<512x16xf32>, tensor<4x512x16xf32>
    cond {
      %c_14 = stablehlo.constant dense<4> : tensor<i32>
      %20 = stablehlo.compare LT, %iterArg_11, %c_14, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %20 : tensor<i1>
    } do {
      %20 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_11) : (tensor<4x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %21 = func.call @dynamic_index_in_dim_0(%iterArg_10, %iterArg_11) : (tensor<4x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>
      %22:2 = func.call @closed_call(%iterArg_12, %20, %21) : (tensor<512x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>) -> (tensor<512x16xf32>, tensor<512x16xf32>)
      %23 = func.call @dynamic_update_index_in_dim(%iterArg_13, %22#1, %iterArg_11) : (tensor<4x512x16xf32>, tensor<512x16xf32>, tensor<i32>) -> tensor<4x512x16xf32>
      %c_14 = stablehlo.constant dense<1> : tensor<i32>
      %24 = stablehlo.add %iterArg_11, %c_14 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_10, %24, %22#0, %23 : tensor<4x64x16xf32>, tensor<4x16x64xf32>, tensor<i32>, tensor<512x16xf32>, tensor<4x512x16xf32>
    }
    %2 = stablehlo.subtract %1#3, %arg3 : tensor<512x16xf32>
    %3 = stablehlo.multiply %2, %2 : tensor<512x16xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<512x16xf32>
    %5 = stablehlo.multiply %4, %2 : tensor<512x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%3 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %7 = stablehlo.divide %6, %cst_2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %8 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<512x16xf32>
    %10 = stablehlo.multiply %9, %5 : tensor<512x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %13:7 = stablehlo.while(%iterArg = %1#4, %iterArg_10 = %arg0, %iterArg_11 = %arg1, %iterArg_12 = %c_7, %iterArg_13 = %10, %iterArg_14 = %11, %iterArg_15 = %12) : tensor<4x512x16xf32>, tensor<4x64x16xf32>, tensor<4x16x64xf32>, tensor<i32>, tensor<512x16xf32>, tensor<4x64x16xf32>, tensor<4x16x64xf32>
    cond {
      %c_16 = stablehlo.constant dense<4> : tensor<i32>
      %20 = stablehlo.compare LT, %iterArg_12, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %20 : tensor<i1>
    } do {
      %c_16 = stablehlo.constant dense<4> : tensor<i32>
      %20 = stablehlo.subtract %c_16, %iterArg_12 : tensor<i32>
      %c_17 = stablehlo.constant dense<1> : tensor<i32>
      %21 = stablehlo.subtract %20, %c_17 : tensor<i32>
      %22 = func.call @dynamic_index_in_dim_1(%iterArg, %21) : (tensor<4x512x16xf32>, tensor<i32>) -> tensor<512x16xf32>
      %23 = func.call @dynamic_index_in_dim(%iterArg_10, %21) : (tensor<4x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %24 = func.call @dynamic_index_in_dim_0(%iterArg_11, %21) : (tensor<4x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>
      %25:3 = func.call @closed_call_2(%iterArg_13, %22, %23, %24) : (tensor<512x16xf32>, tensor<512x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>) -> (tensor<512x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>)
      %26 = func.call @dynamic_update_index_in_dim_3(%iterArg_14, %25#1, %21) : (tensor<4x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<4x64x16xf32>
      %27 = func.call @dynamic_update_index_in_dim_4(%iterArg_15, %25#2, %21) : (tensor<4x16x64xf32>, tensor<16x64xf32>, tensor<i32>) -> tensor<4x16x64xf32>
      %c_18 = stablehlo.constant dense<1> : tensor<i32>
      %28 = stablehlo.add %iterArg_12, %c_18 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_10, %iterArg_11, %28, %25#0, %26, %27 : tensor<4x512x16xf32>, tensor<4x64x16xf32>, tensor<4x16x64xf32>, tensor<i32>, tensor<512x16xf32>, tensor<4x64x16xf32>, tensor<4x16x64xf32>
    }
    %cst_8 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %15 = stablehlo.multiply %14, %13#5 : tensor<4x64x16xf32>
    %16 = stablehlo.subtract %arg0, %15 : tensor<4x64x16xf32>
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %18 = stablehlo.multiply %17, %13#6 : tensor<4x16x64xf32>
    %19 = stablehlo.subtract %arg1, %18 : tensor<4x16x64xf32>
    return %16, %19, %7 : tensor<4x64x16xf32>, tensor<4x16x64xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x64x16xf32>, %arg1: tensor<i32>) -> tensor<64x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 16] : (tensor<4x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    return %1 : tensor<64x16xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<4x16x64xf32>, %arg1: tensor<i32>) -> tensor<16x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 64] : (tensor<4x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    return %1 : tensor<16x64xf32>
  }
  func.func private @closed_call(%arg0: tensor<512x16xf32>, %arg1: tensor<64x16xf32>, %arg2: tensor<16x64xf32>) -> (tensor<512x16xf32>, tensor<512x16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<512x64xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<512x64xf32>
    %cst = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %4 = stablehlo.multiply %3, %2 : tensor<512x64xf32>
    %5 = stablehlo.add %0, %4 : tensor<512x64xf32>
    %cst_0 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<512x64xf32>
    %8 = stablehlo.tanh %7 : tensor<512x64xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %10 = stablehlo.add %9, %8 : tensor<512x64xf32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %12 = stablehlo.multiply %11, %10 : tensor<512x64xf32>
    %13 = stablehlo.multiply %0, %12 : tensor<512x64xf32>
    %14 = stablehlo.dot_general %13, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<64x16xf32>) -> tensor<512x16xf32>
    %15 = stablehlo.add %arg0, %14 : tensor<512x16xf32>
    return %15, %arg0 : tensor<512x16xf32>, tensor<512x16xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x512x16xf32>, %arg1: tensor<512x16xf32>, %arg2: tensor<i32>) -> tensor<4x512x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<512x16xf32>) -> tensor<1x512x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x512x16xf32>, tensor<1x512x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x512x16xf32>
    return %1 : tensor<4x512x16xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<4x512x16xf32>, %arg1: tensor<i32>) -> tensor<512x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 512, 16] : (tensor<4x512x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x512x16xf32>) -> tensor<512x16xf32>
    return %1 : tensor<512x16xf32>
  }
  func.func private @closed_call_2(%arg0: tensor<512x16xf32>, %arg1: tensor<512x16xf32>, %arg2: tensor<64x16xf32>, %arg3: tensor<16x64xf32>) -> (tensor<512x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>) {
    %0:4 = stablehlo.optimization_barrier %arg1, %arg2, %arg3, %arg0 : tensor<512x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>, tensor<512x16xf32>
    %1 = stablehlo.dot_general %0#0, %0#2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %2 = stablehlo.multiply %1, %1 : tensor<512x64xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<512x64xf32>
    %4 = stablehlo.multiply %1, %1 : tensor<512x64xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %6 = stablehlo.multiply %5, %4 : tensor<512x64xf32>
    %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %8 = stablehlo.multiply %7, %3 : tensor<512x64xf32>
    %9 = stablehlo.add %1, %8 : tensor<512x64xf32>
    %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %11 = stablehlo.multiply %10, %9 : tensor<512x64xf32>
    %12 = stablehlo.tanh %11 : tensor<512x64xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %14 = stablehlo.subtract %13, %12 : tensor<512x64xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %16 = stablehlo.add %15, %12 : tensor<512x64xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %18 = stablehlo.multiply %17, %16 : tensor<512x64xf32>
    %19 = stablehlo.multiply %1, %18 : tensor<512x64xf32>
    %20 = stablehlo.dot_general %0#3, %19, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x64xf32>) -> tensor<16x64xf32>
    %21 = stablehlo.transpose %20, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %22 = stablehlo.dot_general %0#3, %0#1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<64x16xf32>) -> tensor<512x64xf32>
    %23 = stablehlo.multiply %1, %22 : tensor<512x64xf32>
    %24 = stablehlo.multiply %22, %18 : tensor<512x64xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %26 = stablehlo.multiply %25, %23 : tensor<512x64xf32>
    %27 = stablehlo.multiply %26, %14 : tensor<512x64xf32>
    %28 = stablehlo.multiply %27, %12 : tensor<512x64xf32>
    %29 = stablehlo.add %27, %28 : tensor<512x64xf32>
    %cst_6 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %31 = stablehlo.multiply %30, %29 : tensor<512x64xf32>
    %32 = stablehlo.add %24, %31 : tensor<512x64xf32>
    %cst_7 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %34 = stablehlo.multiply %33, %31 : tensor<512x64xf32>
    %35 = stablehlo.multiply %34, %6 : tensor<512x64xf32>
    %36 = stablehlo.add %32, %35 : tensor<512x64xf32>
    %37 = stablehlo.dot_general %36, %0#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<512x16xf32>) -> tensor<64x16xf32>
    %38 = stablehlo.transpose %37, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %39 = stablehlo.dot_general %36, %0#2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<16x64xf32>) -> tensor<512x16xf32>
    %40 = stablehlo.add %0#3, %39 : tensor<512x16xf32>
    return %40, %21, %38 : tensor<512x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<4x64x16xf32>, %arg1: tensor<64x16xf32>, %arg2: tensor<i32>) -> tensor<4x64x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x64x16xf32>, tensor<1x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x64x16xf32>
    return %1 : tensor<4x64x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<4x16x64xf32>, %arg1: tensor<16x64xf32>, %arg2: tensor<i32>) -> tensor<4x16x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x16x64xf32>, tensor<1x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x16x64xf32>
    return %1 : tensor<4x16x64xf32>
  }
}
