// Made by fit_programs.py with JAX 0.10.2.
module @jit_lstm attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<32x128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<32x128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg3: tensor<64x32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}, %arg4: tensor<32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<128xf32> {jax.result_info = "result[0]['b']"}, tensor<32x128xf32> {jax.result_info = "result[0]['u']"}, tensor<32x128xf32> {jax.result_info = "result[0]['w']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<128xf32>) -> tensor<1x128xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<64x32x32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<64x32x32xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<64x32x32xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<64x32x32xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<64x32x32xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<64x32x32xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<64x32x32xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<64x32x32xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<64x32x32xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<64x32x32xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<64x32x32xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<64x32x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %14:19 = stablehlo.while(%iterArg = %arg3, %iterArg_25 = %arg2, %iterArg_26 = %arg1, %iterArg_27 = %1, %iterArg_28 = %c, %iterArg_29 = %0, %iterArg_30 = %0, %iterArg_31 = %2, %iterArg_32 = %3, %iterArg_33 = %4, %iterArg_34 = %5, %iterArg_35 = %6, %iterArg_36 = %7, %iterArg_37 = %8, %iterArg_38 = %9, %iterArg_39 = %10, %iterArg_40 = %11, %iterArg_41 = %12, %iterArg_42 = %13) : tensor<64x32x32xf32>, tensor<32x128xf32>, tensor<32x128xf32>, tensor<1x128xf32>, tensor<i32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>
    cond {
      %c_43 = stablehlo.constant dense<64> : tensor<i32>
      %38 = stablehlo.compare LT, %iterArg_28, %c_43, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %38 : tensor<i1>
    } do {
      %38 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_28) : (tensor<64x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %39:14 = func.call @closed_call(%iterArg_25, %iterArg_26, %iterArg_27, %iterArg_29, %iterArg_30, %38) : (tensor<32x128xf32>, tensor<32x128xf32>, tensor<1x128xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>)
      %40 = func.call @dynamic_update_index_in_dim(%iterArg_31, %39#2, %iterArg_28) : (tensor<64x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<64x32x32xf32>
      %41 = func.call @dynamic_update_index_in_dim(%iterArg_32, %39#3, %iterArg_28) : (tensor<64x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<64x32x32xf32>
      %42 = func.call @dynamic_update_index_in_dim(%iterArg_33, %39#4, %iterArg_28) : (tensor<64x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<64x32x32xf32>
      %43 = func.call @dynamic_update_index_in_dim(%iterArg_34, %39#5, %iterArg_28) : (tensor<64x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<64x32x32xf32>
      %44 = func.call @dynamic_update_index_in_dim(%iterArg_35, %39#6, %iterArg_28) : (tensor<64x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<64x32x32xf32>
      %45 = func.call @dynamic_update_index_in_dim(%iterArg_36, %39#7, %iterArg_28) : (tensor<64x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<64x32x32xf32>
      %46 = func.call @dynamic_update_index_in_dim(%iterArg_37, %39#8, %iterArg_28) : (tensor<64x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<64x32x32xf32>
      %47 = func.call @dynamic_update_index_in_dim(%iterArg_38, %39#9, %iterArg_28) : (tensor<64x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<64x32x32xf32>
      %48 = func.call @dynamic_update_index_in_dim(%iterArg_39, %39#10, %iterArg_28) : (tensor<64x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<64x32x32xf32>
      %49 = func.call @dynamic_update_index_in_dim(%iterArg_40, %39#11, %iterArg_28) : (tensor<64x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<64x32x32xf32>
      %50 = func.call @dynamic_update_index_in_dim(%iterArg_41, %39#12, %iterArg_28) : (tensor<64x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<64x32x32xf32>
      %51 = func.call @dynamic_update_index_in_dim(%iterArg_42, %39#13, %iterArg_28) : (tensor<64x32x32xf32>, tensor<32x32xf32>, tensor<i32>) -> tensor<64x32x32xf32>
      %c_43 = stablehlo.constant dense<1> : tensor<i32>
      %52 = stablehlo.add %iterArg_28, %c_43 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_25, %iterArg_26, %iterArg_27, %52, %39#0, %39#1, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51 : tensor<64x32x32xf32>, tensor<32x128xf32>, tensor<32x128xf32>, tensor<1x128xf32>, tensor<i32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>
    }
    %15 = stablehlo.subtract %14#5, %arg4 : tensor<32x32xf32>
    %16 = stablehlo.multiply %15, %15 : tensor<32x32xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %18 = stablehlo.multiply %17, %15 : tensor<32x32xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%16 init: %cst_13) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_14 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %20 = stablehlo.divide %19, %cst_14 : tensor<f32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_16 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %21 = stablehlo.divide %cst_15, %cst_16 : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %23 = stablehlo.multiply %22, %18 : tensor<32x32xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %28:20 = stablehlo.while(%iterArg = %arg3, %iterArg_25 = %14#7, %iterArg_26 = %14#8, %iterArg_27 = %14#9, %iterArg_28 = %14#10, %iterArg_29 = %14#11, %iterArg_30 = %14#12, %iterArg_31 = %14#13, %iterArg_32 = %14#14, %iterArg_33 = %14#15, %iterArg_34 = %14#16, %iterArg_35 = %14#17, %iterArg_36 = %14#18, %iterArg_37 = %arg1, %iterArg_38 = %c_21, %iterArg_39 = %25, %iterArg_40 = %26, %iterArg_41 = %27, %iterArg_42 = %23, %iterArg_43 = %24) : tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<32x128xf32>, tensor<i32>, tensor<32x128xf32>, tensor<32x128xf32>, tensor<128xf32>, tensor<32x32xf32>, tensor<32x32xf32>
    cond {
      %c_44 = stablehlo.constant dense<64> : tensor<i32>
      %38 = stablehlo.compare LT, %iterArg_38, %c_44, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %38 : tensor<i1>
    } do {
      %c_44 = stablehlo.constant dense<64> : tensor<i32>
      %38 = stablehlo.subtract %c_44, %iterArg_38 : tensor<i32>
      %c_45 = stablehlo.constant dense<1> : tensor<i32>
      %39 = stablehlo.subtract %38, %c_45 : tensor<i32>
      %40 = func.call @dynamic_index_in_dim(%iterArg, %39) : (tensor<64x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %41 = func.call @dynamic_index_in_dim(%iterArg_25, %39) : (tensor<64x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %42 = func.call @dynamic_index_in_dim(%iterArg_26, %39) : (tensor<64x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %43 = func.call @dynamic_index_in_dim(%iterArg_27, %39) : (tensor<64x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %44 = func.call @dynamic_index_in_dim(%iterArg_28, %39) : (tensor<64x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %45 = func.call @dynamic_index_in_dim(%iterArg_29, %39) : (tensor<64x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %46 = func.call @dynamic_index_in_dim(%iterArg_30, %39) : (tensor<64x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %47 = func.call @dynamic_index_in_dim(%iterArg_31, %39) : (tensor<64x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %48 = func.call @dynamic_index_in_dim(%iterArg_32, %39) : (tensor<64x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %49 = func.call @dynamic_index_in_dim(%iterArg_33, %39) : (tensor<64x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %50 = func.call @dynamic_index_in_dim(%iterArg_34, %39) : (tensor<64x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %51 = func.call @dynamic_index_in_dim(%iterArg_35, %39) : (tensor<64x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %52 = func.call @dynamic_index_in_dim(%iterArg_36, %39) : (tensor<64x32x32xf32>, tensor<i32>) -> tensor<32x32xf32>
      %53:5 = func.call @closed_call_0(%iterArg_37, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %iterArg_43, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52) : (tensor<32x128xf32>, tensor<32x128xf32>, tensor<32x128xf32>, tensor<128xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> (tensor<32x128xf32>, tensor<32x128xf32>, tensor<128xf32>, tensor<32x32xf32>, tensor<32x32xf32>)
      %c_46 = stablehlo.constant dense<1> : tensor<i32>
      %54 = stablehlo.add %iterArg_38, %c_46 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_25, %iterArg_26, %iterArg_27, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %iterArg_35, %iterArg_36, %iterArg_37, %54, %53#0, %53#1, %53#2, %53#3, %53#4 : tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<64x32x32xf32>, tensor<32x128xf32>, tensor<i32>, tensor<32x128xf32>, tensor<32x128xf32>, tensor<128xf32>, tensor<32x32xf32>, tensor<32x32xf32>
    }
    %cst_22 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %30 = stablehlo.multiply %29, %28#17 : tensor<128xf32>
    %31 = stablehlo.subtract %arg0, %30 : tensor<128xf32>
    %cst_23 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %33 = stablehlo.multiply %32, %28#16 : tensor<32x128xf32>
    %34 = stablehlo.subtract %arg1, %33 : tensor<32x128xf32>
    %cst_24 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %36 = stablehlo.multiply %35, %28#15 : tensor<32x128xf32>
    %37 = stablehlo.subtract %arg2, %36 : tensor<32x128xf32>
    return %31, %34, %37, %20 : tensor<128xf32>, tensor<32x128xf32>, tensor<32x128xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<64x32x32xf32>, %arg1: tensor<i32>) -> tensor<32x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 32, 32] : (tensor<64x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
    return %1 : tensor<32x32xf32>
  }
  func.func private @closed_call(%arg0: tensor<32x128xf32>, %arg1: tensor<32x128xf32>, %arg2: tensor<1x128xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) {
    %0 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x32xf32>, tensor<32x128xf32>) -> tensor<32x128xf32>
    %1 = stablehlo.dot_general %arg3, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x32xf32>, tensor<32x128xf32>) -> tensor<32x128xf32>
    %2 = stablehlo.add %0, %1 : tensor<32x128xf32>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<32x128xf32>
    %4 = stablehlo.add %2, %3 : tensor<32x128xf32>
    %5 = stablehlo.slice %4 [0:32, 0:32] : (tensor<32x128xf32>) -> tensor<32x32xf32>
    %6 = stablehlo.slice %4 [0:32, 32:64] : (tensor<32x128xf32>) -> tensor<32x32xf32>
    %7 = stablehlo.slice %4 [0:32, 64:96] : (tensor<32x128xf32>) -> tensor<32x32xf32>
    %8 = stablehlo.slice %4 [0:32, 96:128] : (tensor<32x128xf32>) -> tensor<32x32xf32>
    %9 = stablehlo.negate %6 : tensor<32x32xf32>
    %10 = stablehlo.exponential %9 : tensor<32x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %12 = stablehlo.add %11, %10 : tensor<32x32xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %14 = stablehlo.divide %13, %12 : tensor<32x32xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %16 = stablehlo.subtract %15, %14 : tensor<32x32xf32>
    %17 = stablehlo.multiply %14, %16 : tensor<32x32xf32>
    %18 = stablehlo.multiply %14, %arg4 : tensor<32x32xf32>
    %19 = stablehlo.negate %5 : tensor<32x32xf32>
    %20 = stablehlo.exponential %19 : tensor<32x32xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %22 = stablehlo.add %21, %20 : tensor<32x32xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %24 = stablehlo.divide %23, %22 : tensor<32x32xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %26 = stablehlo.subtract %25, %24 : tensor<32x32xf32>
    %27 = stablehlo.multiply %24, %26 : tensor<32x32xf32>
    %28 = stablehlo.tanh %7 : tensor<32x32xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %30 = stablehlo.subtract %29, %28 : tensor<32x32xf32>
    %31 = stablehlo.multiply %24, %28 : tensor<32x32xf32>
    %32 = stablehlo.add %18, %31 : tensor<32x32xf32>
    %33 = stablehlo.negate %8 : tensor<32x32xf32>
    %34 = stablehlo.exponential %33 : tensor<32x32xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %36 = stablehlo.add %35, %34 : tensor<32x32xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %38 = stablehlo.divide %37, %36 : tensor<32x32xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %40 = stablehlo.subtract %39, %38 : tensor<32x32xf32>
    %41 = stablehlo.multiply %38, %40 : tensor<32x32xf32>
    %42 = stablehlo.tanh %32 : tensor<32x32xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %44 = stablehlo.subtract %43, %42 : tensor<32x32xf32>
    %45 = stablehlo.multiply %38, %42 : tensor<32x32xf32>
    return %45, %32, %arg3, %17, %arg4, %14, %27, %28, %30, %24, %41, %42, %44, %38 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<64x32x32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<i32>) -> tensor<64x32x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<32x32xf32>) -> tensor<1x32x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<64x32x32xf32>, tensor<1x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<64x32x32xf32>
    return %1 : tensor<64x32x32xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<32x128xf32>, %arg1: tensor<32x128xf32>, %arg2: tensor<32x128xf32>, %arg3: tensor<128xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<32x32xf32>, %arg6: tensor<32x32xf32>, %arg7: tensor<32x32xf32>, %arg8: tensor<32x32xf32>, %arg9: tensor<32x32xf32>, %arg10: tensor<32x32xf32>, %arg11: tensor<32x32xf32>, %arg12: tensor<32x32xf32>, %arg13: tensor<32x32xf32>, %arg14: tensor<32x32xf32>, %arg15: tensor<32x32xf32>, %arg16: tensor<32x32xf32>, %arg17: tensor<32x32xf32>, %arg18: tensor<32x32xf32>) -> (tensor<32x128xf32>, tensor<32x128xf32>, tensor<128xf32>, tensor<32x32xf32>, tensor<32x32xf32>) {
    %0 = stablehlo.multiply %arg18, %arg4 : tensor<32x32xf32>
    %1 = stablehlo.multiply %arg4, %arg16 : tensor<32x32xf32>
    %2 = stablehlo.multiply %0, %arg17 : tensor<32x32xf32>
    %3 = stablehlo.add %arg5, %2 : tensor<32x32xf32>
    %4 = stablehlo.multiply %2, %arg16 : tensor<32x32xf32>
    %5 = stablehlo.add %3, %4 : tensor<32x32xf32>
    %6 = stablehlo.multiply %1, %arg15 : tensor<32x32xf32>
    %7 = stablehlo.multiply %arg14, %5 : tensor<32x32xf32>
    %8 = stablehlo.multiply %5, %arg12 : tensor<32x32xf32>
    %9 = stablehlo.multiply %7, %arg13 : tensor<32x32xf32>
    %10 = stablehlo.multiply %9, %arg12 : tensor<32x32xf32>
    %11 = stablehlo.add %9, %10 : tensor<32x32xf32>
    %12 = stablehlo.multiply %8, %arg11 : tensor<32x32xf32>
    %13 = stablehlo.multiply %arg10, %5 : tensor<32x32xf32>
    %14 = stablehlo.multiply %5, %arg9 : tensor<32x32xf32>
    %15 = stablehlo.multiply %14, %arg8 : tensor<32x32xf32>
    %16 = stablehlo.concatenate %12, %15, %11, %6, dim = 1 : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x128xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<32x128xf32>, tensor<f32>) -> tensor<128xf32>
    %18 = stablehlo.reshape %17 : (tensor<128xf32>) -> tensor<1x128xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %20 = stablehlo.add %arg3, %19 : tensor<128xf32>
    %21 = stablehlo.dot_general %16, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x128xf32>, tensor<32x32xf32>) -> tensor<128x32xf32>
    %22 = stablehlo.transpose %21, dims = [1, 0] : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %23 = stablehlo.add %arg2, %22 : tensor<32x128xf32>
    %24 = stablehlo.dot_general %16, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x128xf32>, tensor<32x128xf32>) -> tensor<32x32xf32>
    %25 = stablehlo.dot_general %16, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x128xf32>, tensor<32x32xf32>) -> tensor<128x32xf32>
    %26 = stablehlo.transpose %25, dims = [1, 0] : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %27 = stablehlo.add %arg1, %26 : tensor<32x128xf32>
    return %27, %23, %20, %24, %13 : tensor<32x128xf32>, tensor<32x128xf32>, tensor<128xf32>, tensor<32x32xf32>, tensor<32x32xf32>
  }
}
