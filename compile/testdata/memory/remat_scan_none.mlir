// Made by fit_programs.py with JAX 0.10.2.
module @jit_remat_scan_none attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4x64x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg1: tensor<4x16x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg2: tensor<512x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg3: tensor<512x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<4x64x16xf32> {jax.result_info = "result[0]['down']"}, tensor<4x16x64xf32> {jax.result_info = "result[0]['up']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x512x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x512x64xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x512x64xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x512x64xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x512x64xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x512x64xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x512x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7:11 = stablehlo.while(%iterArg = %arg0, %iterArg_16 = %arg1, %iterArg_17 = %c, %iterArg_18 = %arg2, %iterArg_19 = %0, %iterArg_20 = %1, %iterArg_21 = %2, %iterArg_22 = %3, %iterArg_23 = %4, %iterArg_24 = %5, %iterArg_25 = %6) : tensor<4x64x16xf32>, tensor<4x16x64xf32>, tensor<i32>, tensor<512x16xf32>, tensor<4x512x16xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>
    cond {
      %c_26 = stablehlo.constant dense<4> : tensor<i32>
      %26 = stablehlo.compare LT, %iterArg_17, %c_26, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %26 : tensor<i1>
    } do {
      %26 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_17) : (tensor<4x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %27 = func.call @dynamic_index_in_dim_0(%iterArg_16, %iterArg_17) : (tensor<4x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>
      %28:8 = func.call @closed_call(%iterArg_18, %26, %27) : (tensor<512x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>) -> (tensor<512x16xf32>, tensor<512x16xf32>, tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>)
      %29 = func.call @dynamic_update_index_in_dim(%iterArg_19, %28#1, %iterArg_17) : (tensor<4x512x16xf32>, tensor<512x16xf32>, tensor<i32>) -> tensor<4x512x16xf32>
      %30 = func.call @dynamic_update_index_in_dim_1(%iterArg_20, %28#2, %iterArg_17) : (tensor<4x512x64xf32>, tensor<512x64xf32>, tensor<i32>) -> tensor<4x512x64xf32>
      %31 = func.call @dynamic_update_index_in_dim_1(%iterArg_21, %28#3, %iterArg_17) : (tensor<4x512x64xf32>, tensor<512x64xf32>, tensor<i32>) -> tensor<4x512x64xf32>
      %32 = func.call @dynamic_update_index_in_dim_1(%iterArg_22, %28#4, %iterArg_17) : (tensor<4x512x64xf32>, tensor<512x64xf32>, tensor<i32>) -> tensor<4x512x64xf32>
      %33 = func.call @dynamic_update_index_in_dim_1(%iterArg_23, %28#5, %iterArg_17) : (tensor<4x512x64xf32>, tensor<512x64xf32>, tensor<i32>) -> tensor<4x512x64xf32>
      %34 = func.call @dynamic_update_index_in_dim_1(%iterArg_24, %28#6, %iterArg_17) : (tensor<4x512x64xf32>, tensor<512x64xf32>, tensor<i32>) -> tensor<4x512x64xf32>
      %35 = func.call @dynamic_update_index_in_dim_1(%iterArg_25, %28#7, %iterArg_17) : (tensor<4x512x64xf32>, tensor<512x64xf32>, tensor<i32>) -> tensor<4x512x64xf32>
      %c_26 = stablehlo.constant dense<1> : tensor<i32>
      %36 = stablehlo.add %iterArg_17, %c_26 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_16, %36, %28#0, %29, %30, %31, %32, %33, %34, %35 : tensor<4x64x16xf32>, tensor<4x16x64xf32>, tensor<i32>, tensor<512x16xf32>, tensor<4x512x16xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>
    }
    %8 = stablehlo.subtract %7#3, %arg3 : tensor<512x16xf32>
    %9 = stablehlo.multiply %8, %8 : tensor<512x16xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<512x16xf32>
    %11 = stablehlo.multiply %10, %8 : tensor<512x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%9 init: %cst_7) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %13 = stablehlo.divide %12, %cst_8 : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_10 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %14 = stablehlo.divide %cst_9, %cst_10 : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<f32>) -> tensor<512x16xf32>
    %16 = stablehlo.multiply %15, %11 : tensor<512x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %19:13 = stablehlo.while(%iterArg = %arg1, %iterArg_16 = %7#4, %iterArg_17 = %7#5, %iterArg_18 = %7#6, %iterArg_19 = %7#7, %iterArg_20 = %7#8, %iterArg_21 = %7#9, %iterArg_22 = %arg0, %iterArg_23 = %7#10, %iterArg_24 = %c_13, %iterArg_25 = %16, %iterArg_26 = %17, %iterArg_27 = %18) : tensor<4x16x64xf32>, tensor<4x512x16xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x64x16xf32>, tensor<4x512x64xf32>, tensor<i32>, tensor<512x16xf32>, tensor<4x64x16xf32>, tensor<4x16x64xf32>
    cond {
      %c_28 = stablehlo.constant dense<4> : tensor<i32>
      %26 = stablehlo.compare LT, %iterArg_24, %c_28, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %26 : tensor<i1>
    } do {
      %c_28 = stablehlo.constant dense<4> : tensor<i32>
      %26 = stablehlo.subtract %c_28, %iterArg_24 : tensor<i32>
      %c_29 = stablehlo.constant dense<1> : tensor<i32>
      %27 = stablehlo.subtract %26, %c_29 : tensor<i32>
      %28 = func.call @dynamic_index_in_dim_0(%iterArg, %27) : (tensor<4x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>
      %29 = func.call @dynamic_index_in_dim_2(%iterArg_16, %27) : (tensor<4x512x16xf32>, tensor<i32>) -> tensor<512x16xf32>
      %30 = func.call @dynamic_index_in_dim_3(%iterArg_17, %27) : (tensor<4x512x64xf32>, tensor<i32>) -> tensor<512x64xf32>
      %31 = func.call @dynamic_index_in_dim_3(%iterArg_18, %27) : (tensor<4x512x64xf32>, tensor<i32>) -> tensor<512x64xf32>
      %32 = func.call @dynamic_index_in_dim_3(%iterArg_19, %27) : (tensor<4x512x64xf32>, tensor<i32>) -> tensor<512x64xf32>
      %33 = func.call @dynamic_index_in_dim_3(%iterArg_20, %27) : (tensor<4x512x64xf32>, tensor<i32>) -> tensor<512x64xf32>
      %34 = func.call @dynamic_index_in_dim_3(%iterArg_21, %27) : (tensor<4x512x64xf32>, tensor<i32>) -> tensor<512x64xf32>
      %35 = func.call @dynamic_index_in_dim(%iterArg_22, %27) : (tensor<4x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %36 = func.call @dynamic_index_in_dim_3(%iterArg_23, %27) : (tensor<4x512x64xf32>, tensor<i32>) -> tensor<512x64xf32>
      %37:3 = func.call @closed_call_4(%iterArg_25, %28, %29, %30, %31, %32, %33, %34, %35, %36) : (tensor<512x16xf32>, tensor<16x64xf32>, tensor<512x16xf32>, tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>, tensor<64x16xf32>, tensor<512x64xf32>) -> (tensor<512x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>)
      %38 = func.call @dynamic_update_index_in_dim_5(%iterArg_26, %37#1, %27) : (tensor<4x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<4x64x16xf32>
      %39 = func.call @dynamic_update_index_in_dim_6(%iterArg_27, %37#2, %27) : (tensor<4x16x64xf32>, tensor<16x64xf32>, tensor<i32>) -> tensor<4x16x64xf32>
      %c_30 = stablehlo.constant dense<1> : tensor<i32>
      %40 = stablehlo.add %iterArg_24, %c_30 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_16, %iterArg_17, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %iterArg_22, %iterArg_23, %40, %37#0, %38, %39 : tensor<4x16x64xf32>, tensor<4x512x16xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x512x64xf32>, tensor<4x64x16xf32>, tensor<4x512x64xf32>, tensor<i32>, tensor<512x16xf32>, tensor<4x64x16xf32>, tensor<4x16x64xf32>
    }
    %cst_14 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %21 = stablehlo.multiply %20, %19#11 : tensor<4x64x16xf32>
    %22 = stablehlo.subtract %arg0, %21 : tensor<4x64x16xf32>
    %cst_15 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %24 = stablehlo.multiply %23, %19#12 : tensor<4x16x64xf32>
    %25 = stablehlo.subtract %arg1, %24 : tensor<4x16x64xf32>
    return %22, %25, %13 : tensor<4x64x16xf32>, tensor<4x16x64xf32>, tensor<f32>
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
  func.func private @closed_call(%arg0: tensor<512x16xf32>, %arg1: tensor<64x16xf32>, %arg2: tensor<16x64xf32>) -> (tensor<512x16xf32>, tensor<512x16xf32>, tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<512x64xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<512x64xf32>
    %3 = stablehlo.multiply %0, %0 : tensor<512x64xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %5 = stablehlo.multiply %4, %3 : tensor<512x64xf32>
    %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %7 = stablehlo.multiply %6, %2 : tensor<512x64xf32>
    %8 = stablehlo.add %0, %7 : tensor<512x64xf32>
    %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<512x64xf32>
    %11 = stablehlo.tanh %10 : tensor<512x64xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %13 = stablehlo.subtract %12, %11 : tensor<512x64xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %15 = stablehlo.add %14, %11 : tensor<512x64xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<512x64xf32>
    %18 = stablehlo.multiply %0, %17 : tensor<512x64xf32>
    %19 = stablehlo.dot_general %18, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<64x16xf32>) -> tensor<512x16xf32>
    %20 = stablehlo.add %arg0, %19 : tensor<512x16xf32>
    return %20, %arg0, %5, %11, %13, %17, %0, %18 : tensor<512x16xf32>, tensor<512x16xf32>, tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x64xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x512x16xf32>, %arg1: tensor<512x16xf32>, %arg2: tensor<i32>) -> tensor<4x512x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<512x16xf32>) -> tensor<1x512x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x512x16xf32>, tensor<1x512x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x512x16xf32>
    return %1 : tensor<4x512x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_1(%arg0: tensor<4x512x64xf32>, %arg1: tensor<512x64xf32>, %arg2: tensor<i32>) -> tensor<4x512x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<512x64xf32>) -> tensor<1x512x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x512x64xf32>, tensor<1x512x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x512x64xf32>
    return %1 : tensor<4x512x64xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<4x512x16xf32>, %arg1: tensor<i32>) -> tensor<512x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 512, 16] : (tensor<4x512x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x512x16xf32>) -> tensor<512x16xf32>
    return %1 : tensor<512x16xf32>
  }
  func.func private @dynamic_index_in_dim_3(%arg0: tensor<4x512x64xf32>, %arg1: tensor<i32>) -> tensor<512x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 512, 64] : (tensor<4x512x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x512x64xf32>) -> tensor<512x64xf32>
    return %1 : tensor<512x64xf32>
  }
  func.func private @closed_call_4(%arg0: tensor<512x16xf32>, %arg1: tensor<16x64xf32>, %arg2: tensor<512x16xf32>, %arg3: tensor<512x64xf32>, %arg4: tensor<512x64xf32>, %arg5: tensor<512x64xf32>, %arg6: tensor<512x64xf32>, %arg7: tensor<512x64xf32>, %arg8: tensor<64x16xf32>, %arg9: tensor<512x64xf32>) -> (tensor<512x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg9, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x64xf32>) -> tensor<16x64xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %2 = stablehlo.dot_general %arg0, %arg8, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<64x16xf32>) -> tensor<512x64xf32>
    %3 = stablehlo.multiply %arg7, %2 : tensor<512x64xf32>
    %4 = stablehlo.multiply %2, %arg6 : tensor<512x64xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %6 = stablehlo.multiply %5, %3 : tensor<512x64xf32>
    %7 = stablehlo.multiply %6, %arg5 : tensor<512x64xf32>
    %8 = stablehlo.multiply %7, %arg4 : tensor<512x64xf32>
    %9 = stablehlo.add %7, %8 : tensor<512x64xf32>
    %cst_0 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %11 = stablehlo.multiply %10, %9 : tensor<512x64xf32>
    %12 = stablehlo.add %4, %11 : tensor<512x64xf32>
    %cst_1 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %14 = stablehlo.multiply %13, %11 : tensor<512x64xf32>
    %15 = stablehlo.multiply %14, %arg3 : tensor<512x64xf32>
    %16 = stablehlo.add %12, %15 : tensor<512x64xf32>
    %17 = stablehlo.dot_general %16, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<512x16xf32>) -> tensor<64x16xf32>
    %18 = stablehlo.transpose %17, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %19 = stablehlo.dot_general %16, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<16x64xf32>) -> tensor<512x16xf32>
    %20 = stablehlo.add %arg0, %19 : tensor<512x16xf32>
    return %20, %1, %18 : tensor<512x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<4x64x16xf32>, %arg1: tensor<64x16xf32>, %arg2: tensor<i32>) -> tensor<4x64x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x64x16xf32>, tensor<1x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x64x16xf32>
    return %1 : tensor<4x64x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<4x16x64xf32>, %arg1: tensor<16x64xf32>, %arg2: tensor<i32>) -> tensor<4x16x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x16x64xf32>, tensor<1x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x16x64xf32>
    return %1 : tensor<4x16x64xf32>
  }
}
