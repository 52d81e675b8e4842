// Made by fit_programs.py with JAX 0.10.2.
module @jit_conv_net attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x4xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<3x3x4x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>}, %arg2: tensor<3x3x8x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>}, %arg3: tensor<3x3x8x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>}, %arg4: tensor<3x3x8x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>}, %arg5: tensor<3x3x8x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>}, %arg6: tensor<3x3x8x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>}, %arg7: tensor<3x3x8x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>}, %arg8: tensor<3x3x8x8xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>}, %arg9: tensor<8x16x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}, {}]>}, %arg10: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<8x4xf32> {jax.result_info = "result[0]['head']"}, tensor<3x3x4x8xf32> {jax.result_info = "result[0]['kernels'][0]"}, tensor<3x3x8x8xf32> {jax.result_info = "result[0]['kernels'][1]"}, tensor<3x3x8x8xf32> {jax.result_info = "result[0]['kernels'][2]"}, tensor<3x3x8x8xf32> {jax.result_info = "result[0]['kernels'][3]"}, tensor<3x3x8x8xf32> {jax.result_info = "result[0]['kernels'][4]"}, tensor<3x3x8x8xf32> {jax.result_info = "result[0]['kernels'][5]"}, tensor<3x3x8x8xf32> {jax.result_info = "result[0]['kernels'][6]"}, tensor<3x3x8x8xf32> {jax.result_info = "result[0]['kernels'][7]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.convolution(%arg9, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x4xf32>, tensor<3x3x4x8xf32>) -> tensor<8x16x16x8xf32>
    %1:3 = call @silu(%0) : (tensor<8x16x16x8xf32>) -> (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>)
    %2 = stablehlo.convolution(%1#0, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x16x16x8xf32>
    %3:3 = call @silu(%2) : (tensor<8x16x16x8xf32>) -> (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>)
    %4 = stablehlo.convolution(%3#0, %arg3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x16x16x8xf32>
    %5:3 = call @silu(%4) : (tensor<8x16x16x8xf32>) -> (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>)
    %6 = stablehlo.convolution(%5#0, %arg4) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x16x16x8xf32>
    %7:3 = call @silu(%6) : (tensor<8x16x16x8xf32>) -> (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>)
    %8 = stablehlo.convolution(%7#0, %arg5) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x16x16x8xf32>
    %9:3 = call @silu(%8) : (tensor<8x16x16x8xf32>) -> (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>)
    %10 = stablehlo.convolution(%9#0, %arg6) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x16x16x8xf32>
    %11:3 = call @silu(%10) : (tensor<8x16x16x8xf32>) -> (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>)
    %12 = stablehlo.convolution(%11#0, %arg7) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x16x16x8xf32>
    %13:3 = call @silu(%12) : (tensor<8x16x16x8xf32>) -> (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>)
    %14 = stablehlo.convolution(%13#0, %arg8) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x16x16x8xf32>
    %15:3 = call @silu(%14) : (tensor<8x16x16x8xf32>) -> (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>)
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15#0 init: %cst) applies stablehlo.add across dimensions = [1, 2] : (tensor<8x16x16x8xf32>, tensor<f32>) -> tensor<8x8xf32>
    %cst_0 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %18 = stablehlo.divide %16, %17 : tensor<8x8xf32>
    %19 = stablehlo.dot_general %18, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %20 = stablehlo.subtract %19, %arg10 : tensor<8x4xf32>
    %21 = stablehlo.multiply %20, %20 : tensor<8x4xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %23 = stablehlo.multiply %22, %20 : tensor<8x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%21 init: %cst_2) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_3 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %25 = stablehlo.divide %24, %cst_3 : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_5 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %26 = stablehlo.divide %cst_4, %cst_5 : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %28 = stablehlo.multiply %27, %23 : tensor<8x4xf32>
    %29 = stablehlo.dot_general %28, %18, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %30 = stablehlo.transpose %29, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %31 = stablehlo.dot_general %28, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %cst_6 = stablehlo.constant dense<2.560000e+02> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %33 = stablehlo.divide %31, %32 : tensor<8x8xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 3] : (tensor<8x8xf32>) -> tensor<8x16x16x8xf32>
    %35 = call @silu_0(%15#1, %15#2, %14, %34) : (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>) -> tensor<8x16x16x8xf32>
    %36 = stablehlo.convolution(%13#0, %35) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>) -> tensor<3x3x8x8xf32>
    %37 = stablehlo.reverse %arg8, dims = [0, 1] : tensor<3x3x8x8xf32>
    %38 = stablehlo.convolution(%35, %37) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x16x16x8xf32>
    %39 = call @silu_0(%13#1, %13#2, %12, %38) : (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>) -> tensor<8x16x16x8xf32>
    %40 = stablehlo.convolution(%11#0, %39) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>) -> tensor<3x3x8x8xf32>
    %41 = stablehlo.reverse %arg7, dims = [0, 1] : tensor<3x3x8x8xf32>
    %42 = stablehlo.convolution(%39, %41) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x16x16x8xf32>
    %43 = call @silu_0(%11#1, %11#2, %10, %42) : (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>) -> tensor<8x16x16x8xf32>
    %44 = stablehlo.convolution(%9#0, %43) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>) -> tensor<3x3x8x8xf32>
    %45 = stablehlo.reverse %arg6, dims = [0, 1] : tensor<3x3x8x8xf32>
    %46 = stablehlo.convolution(%43, %45) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x16x16x8xf32>
    %47 = call @silu_0(%9#1, %9#2, %8, %46) : (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>) -> tensor<8x16x16x8xf32>
    %48 = stablehlo.convolution(%7#0, %47) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>) -> tensor<3x3x8x8xf32>
    %49 = stablehlo.reverse %arg5, dims = [0, 1] : tensor<3x3x8x8xf32>
    %50 = stablehlo.convolution(%47, %49) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x16x16x8xf32>
    %51 = call @silu_0(%7#1, %7#2, %6, %50) : (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>) -> tensor<8x16x16x8xf32>
    %52 = stablehlo.convolution(%5#0, %51) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>) -> tensor<3x3x8x8xf32>
    %53 = stablehlo.reverse %arg4, dims = [0, 1] : tensor<3x3x8x8xf32>
    %54 = stablehlo.convolution(%51, %53) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x16x16x8xf32>
    %55 = call @silu_0(%5#1, %5#2, %4, %54) : (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>) -> tensor<8x16x16x8xf32>
    %56 = stablehlo.convolution(%3#0, %55) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>) -> tensor<3x3x8x8xf32>
    %57 = stablehlo.reverse %arg3, dims = [0, 1] : tensor<3x3x8x8xf32>
    %58 = stablehlo.convolution(%55, %57) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x16x16x8xf32>
    %59 = call @silu_0(%3#1, %3#2, %2, %58) : (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>) -> tensor<8x16x16x8xf32>
    %60 = stablehlo.convolution(%1#0, %59) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>) -> tensor<3x3x8x8xf32>
    %61 = stablehlo.reverse %arg2, dims = [0, 1] : tensor<3x3x8x8xf32>
    %62 = stablehlo.convolution(%59, %61) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x16x16x8xf32>
    %63 = call @silu_0(%1#1, %1#2, %0, %62) : (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>) -> tensor<8x16x16x8xf32>
    %64 = stablehlo.convolution(%arg9, %63) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x16x4xf32>, tensor<8x16x16x8xf32>) -> tensor<3x3x4x8xf32>
    %cst_7 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %66 = stablehlo.multiply %65, %30 : tensor<8x4xf32>
    %67 = stablehlo.subtract %arg0, %66 : tensor<8x4xf32>
    %cst_8 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3x3x4x8xf32>
    %69 = stablehlo.multiply %68, %64 : tensor<3x3x4x8xf32>
    %70 = stablehlo.subtract %arg1, %69 : tensor<3x3x4x8xf32>
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %72 = stablehlo.multiply %71, %60 : tensor<3x3x8x8xf32>
    %73 = stablehlo.subtract %arg2, %72 : tensor<3x3x8x8xf32>
    %cst_10 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %75 = stablehlo.multiply %74, %56 : tensor<3x3x8x8xf32>
    %76 = stablehlo.subtract %arg3, %75 : tensor<3x3x8x8xf32>
    %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %78 = stablehlo.multiply %77, %52 : tensor<3x3x8x8xf32>
    %79 = stablehlo.subtract %arg4, %78 : tensor<3x3x8x8xf32>
    %cst_12 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %81 = stablehlo.multiply %80, %48 : tensor<3x3x8x8xf32>
    %82 = stablehlo.subtract %arg5, %81 : tensor<3x3x8x8xf32>
    %cst_13 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %84 = stablehlo.multiply %83, %44 : tensor<3x3x8x8xf32>
    %85 = stablehlo.subtract %arg6, %84 : tensor<3x3x8x8xf32>
    %cst_14 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %87 = stablehlo.multiply %86, %40 : tensor<3x3x8x8xf32>
    %88 = stablehlo.subtract %arg7, %87 : tensor<3x3x8x8xf32>
    %cst_15 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %90 = stablehlo.multiply %89, %36 : tensor<3x3x8x8xf32>
    %91 = stablehlo.subtract %arg8, %90 : tensor<3x3x8x8xf32>
    return %67, %70, %73, %76, %79, %82, %85, %88, %91, %25 : tensor<8x4xf32>, tensor<3x3x4x8xf32>, tensor<3x3x8x8xf32>, tensor<3x3x8x8xf32>, tensor<3x3x8x8xf32>, tensor<3x3x8x8xf32>, tensor<3x3x8x8xf32>, tensor<3x3x8x8xf32>, tensor<3x3x8x8xf32>, tensor<f32>
  }
  func.func private @silu(%arg0: tensor<8x16x16x8xf32>) -> (tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<8x16x16x8xf32>
    %1 = stablehlo.exponential %0 : tensor<8x16x16x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16x16x8xf32>
    %3 = stablehlo.add %2, %1 : tensor<8x16x16x8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16x16x8xf32>
    %5 = stablehlo.divide %4, %3 : tensor<8x16x16x8xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x16x16x8xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<8x16x16x8xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<8x16x16x8xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<8x16x16x8xf32>
    return %9, %8, %5 : tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>, tensor<8x16x16x8xf32>
  }
  func.func private @silu_0(%arg0: tensor<8x16x16x8xf32>, %arg1: tensor<8x16x16x8xf32>, %arg2: tensor<8x16x16x8xf32>, %arg3: tensor<8x16x16x8xf32>) -> tensor<8x16x16x8xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<8x16x16x8xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<8x16x16x8xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<8x16x16x8xf32>
    %3 = stablehlo.add %1, %2 : tensor<8x16x16x8xf32>
    return %3 : tensor<8x16x16x8xf32>
  }
}
