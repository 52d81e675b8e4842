// Made by memory_programs.py with JAX 0.10.2.
module @jit_tables attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<256x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<256x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<256x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg3: tensor<256x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg4: tensor<256x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg5: tensor<256x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg6: tensor<1024x6x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) -> (tensor<256x64xf32> {jax.result_info = "result[0]"}, tensor<256x64xf32> {jax.result_info = "result[1]"}, tensor<256x64xf32> {jax.result_info = "result[2]"}, tensor<256x64xf32> {jax.result_info = "result[3]"}, tensor<256x64xf32> {jax.result_info = "result[4]"}, tensor<256x64xf32> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.slice %arg6 [0:1024, 0:1, 0:4] : (tensor<1024x6x4xi32>) -> tensor<1024x1x4xi32>
    %1 = stablehlo.reshape %0 : (tensor<1024x1x4xi32>) -> tensor<1024x4xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1024x4xi32>
    %3 = stablehlo.compare LT, %1, %2, SIGNED : (tensor<1024x4xi32>, tensor<1024x4xi32>) -> tensor<1024x4xi1>
    %c_0 = stablehlo.constant dense<256> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1024x4xi32>
    %5 = stablehlo.add %1, %4 : tensor<1024x4xi32>
    %6 = stablehlo.select %3, %5, %1 : tensor<1024x4xi1>, tensor<1024x4xi32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<1024x4xi32>) -> tensor<1024x4x1xi32>
    %8 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<256x64xf32>, tensor<1024x4x1xi32>) -> tensor<1024x4x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<1024x4x64xf32>, tensor<f32>) -> tensor<1024x64xf32>
    %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1024x64xf32>
    %11 = stablehlo.divide %9, %10 : tensor<1024x64xf32>
    %12 = stablehlo.slice %arg6 [0:1024, 1:2, 0:4] : (tensor<1024x6x4xi32>) -> tensor<1024x1x4xi32>
    %13 = stablehlo.reshape %12 : (tensor<1024x1x4xi32>) -> tensor<1024x4xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1024x4xi32>
    %15 = stablehlo.compare LT, %13, %14, SIGNED : (tensor<1024x4xi32>, tensor<1024x4xi32>) -> tensor<1024x4xi1>
    %c_3 = stablehlo.constant dense<256> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1024x4xi32>
    %17 = stablehlo.add %13, %16 : tensor<1024x4xi32>
    %18 = stablehlo.select %15, %17, %13 : tensor<1024x4xi1>, tensor<1024x4xi32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<1024x4xi32>) -> tensor<1024x4x1xi32>
    %20 = "stablehlo.gather"(%arg1, %19) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<256x64xf32>, tensor<1024x4x1xi32>) -> tensor<1024x4x64xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<1024x4x64xf32>, tensor<f32>) -> tensor<1024x64xf32>
    %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1024x64xf32>
    %23 = stablehlo.divide %21, %22 : tensor<1024x64xf32>
    %24 = stablehlo.slice %arg6 [0:1024, 2:3, 0:4] : (tensor<1024x6x4xi32>) -> tensor<1024x1x4xi32>
    %25 = stablehlo.reshape %24 : (tensor<1024x1x4xi32>) -> tensor<1024x4xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %26 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<1024x4xi32>
    %27 = stablehlo.compare LT, %25, %26, SIGNED : (tensor<1024x4xi32>, tensor<1024x4xi32>) -> tensor<1024x4xi1>
    %c_7 = stablehlo.constant dense<256> : tensor<i32>
    %28 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<1024x4xi32>
    %29 = stablehlo.add %25, %28 : tensor<1024x4xi32>
    %30 = stablehlo.select %27, %29, %25 : tensor<1024x4xi1>, tensor<1024x4xi32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1] : (tensor<1024x4xi32>) -> tensor<1024x4x1xi32>
    %32 = "stablehlo.gather"(%arg2, %31) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<256x64xf32>, tensor<1024x4x1xi32>) -> tensor<1024x4x64xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.reduce(%32 init: %cst_8) applies stablehlo.add across dimensions = [1] : (tensor<1024x4x64xf32>, tensor<f32>) -> tensor<1024x64xf32>
    %cst_9 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1024x64xf32>
    %35 = stablehlo.divide %33, %34 : tensor<1024x64xf32>
    %36 = stablehlo.slice %arg6 [0:1024, 3:4, 0:4] : (tensor<1024x6x4xi32>) -> tensor<1024x1x4xi32>
    %37 = stablehlo.reshape %36 : (tensor<1024x1x4xi32>) -> tensor<1024x4xi32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<1024x4xi32>
    %39 = stablehlo.compare LT, %37, %38, SIGNED : (tensor<1024x4xi32>, tensor<1024x4xi32>) -> tensor<1024x4xi1>
    %c_11 = stablehlo.constant dense<256> : tensor<i32>
    %40 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<1024x4xi32>
    %41 = stablehlo.add %37, %40 : tensor<1024x4xi32>
    %42 = stablehlo.select %39, %41, %37 : tensor<1024x4xi1>, tensor<1024x4xi32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<1024x4xi32>) -> tensor<1024x4x1xi32>
    %44 = "stablehlo.gather"(%arg3, %43) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<256x64xf32>, tensor<1024x4x1xi32>) -> tensor<1024x4x64xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%44 init: %cst_12) applies stablehlo.add across dimensions = [1] : (tensor<1024x4x64xf32>, tensor<f32>) -> tensor<1024x64xf32>
    %cst_13 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<1024x64xf32>
    %47 = stablehlo.divide %45, %46 : tensor<1024x64xf32>
    %48 = stablehlo.slice %arg6 [0:1024, 4:5, 0:4] : (tensor<1024x6x4xi32>) -> tensor<1024x1x4xi32>
    %49 = stablehlo.reshape %48 : (tensor<1024x1x4xi32>) -> tensor<1024x4xi32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %50 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<1024x4xi32>
    %51 = stablehlo.compare LT, %49, %50, SIGNED : (tensor<1024x4xi32>, tensor<1024x4xi32>) -> tensor<1024x4xi1>
    %c_15 = stablehlo.constant dense<256> : tensor<i32>
    %52 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<1024x4xi32>
    %53 = stablehlo.add %49, %52 : tensor<1024x4xi32>
    %54 = stablehlo.select %51, %53, %49 : tensor<1024x4xi1>, tensor<1024x4xi32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1] : (tensor<1024x4xi32>) -> tensor<1024x4x1xi32>
    %56 = "stablehlo.gather"(%arg4, %55) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<256x64xf32>, tensor<1024x4x1xi32>) -> tensor<1024x4x64xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.reduce(%56 init: %cst_16) applies stablehlo.add across dimensions = [1] : (tensor<1024x4x64xf32>, tensor<f32>) -> tensor<1024x64xf32>
    %cst_17 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<1024x64xf32>
    %59 = stablehlo.divide %57, %58 : tensor<1024x64xf32>
    %60 = stablehlo.slice %arg6 [0:1024, 5:6, 0:4] : (tensor<1024x6x4xi32>) -> tensor<1024x1x4xi32>
    %61 = stablehlo.reshape %60 : (tensor<1024x1x4xi32>) -> tensor<1024x4xi32>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %62 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<1024x4xi32>
    %63 = stablehlo.compare LT, %61, %62, SIGNED : (tensor<1024x4xi32>, tensor<1024x4xi32>) -> tensor<1024x4xi1>
    %c_19 = stablehlo.constant dense<256> : tensor<i32>
    %64 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<1024x4xi32>
    %65 = stablehlo.add %61, %64 : tensor<1024x4xi32>
    %66 = stablehlo.select %63, %65, %61 : tensor<1024x4xi1>, tensor<1024x4xi32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1] : (tensor<1024x4xi32>) -> tensor<1024x4x1xi32>
    %68 = "stablehlo.gather"(%arg5, %67) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<256x64xf32>, tensor<1024x4x1xi32>) -> tensor<1024x4x64xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.reduce(%68 init: %cst_20) applies stablehlo.add across dimensions = [1] : (tensor<1024x4x64xf32>, tensor<f32>) -> tensor<1024x64xf32>
    %cst_21 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<1024x64xf32>
    %71 = stablehlo.divide %69, %70 : tensor<1024x64xf32>
    %72 = stablehlo.broadcast_in_dim %11, dims = [0, 2] : (tensor<1024x64xf32>) -> tensor<1024x1x64xf32>
    %73 = stablehlo.broadcast_in_dim %23, dims = [0, 2] : (tensor<1024x64xf32>) -> tensor<1024x1x64xf32>
    %74 = stablehlo.broadcast_in_dim %35, dims = [0, 2] : (tensor<1024x64xf32>) -> tensor<1024x1x64xf32>
    %75 = stablehlo.broadcast_in_dim %47, dims = [0, 2] : (tensor<1024x64xf32>) -> tensor<1024x1x64xf32>
    %76 = stablehlo.broadcast_in_dim %59, dims = [0, 2] : (tensor<1024x64xf32>) -> tensor<1024x1x64xf32>
    %77 = stablehlo.broadcast_in_dim %71, dims = [0, 2] : (tensor<1024x64xf32>) -> tensor<1024x1x64xf32>
    %78 = stablehlo.concatenate %72, %73, %74, %75, %76, %77, dim = 1 : (tensor<1024x1x64xf32>, tensor<1024x1x64xf32>, tensor<1024x1x64xf32>, tensor<1024x1x64xf32>, tensor<1024x1x64xf32>, tensor<1024x1x64xf32>) -> tensor<1024x6x64xf32>
    %79 = stablehlo.dot_general %78, %78, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1024x6x64xf32>, tensor<1024x6x64xf32>) -> tensor<1024x6x6xf32>
    %cst_22 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<1024x6x6xf32>
    %81 = stablehlo.multiply %80, %79 : tensor<1024x6x6xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<1024x6x6xf32>
    %83 = stablehlo.multiply %82, %81 : tensor<1024x6x6xf32>
    %84 = stablehlo.dot_general %83, %78, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1024x6x6xf32>, tensor<1024x6x64xf32>) -> tensor<1024x6x64xf32>
    %85 = stablehlo.dot_general %83, %78, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1024x6x6xf32>, tensor<1024x6x64xf32>) -> tensor<1024x6x64xf32>
    %86 = stablehlo.add %84, %85 : tensor<1024x6x64xf32>
    %87 = stablehlo.slice %86 [0:1024, 0:1, 0:64] : (tensor<1024x6x64xf32>) -> tensor<1024x1x64xf32>
    %88 = stablehlo.reshape %87 : (tensor<1024x1x64xf32>) -> tensor<1024x64xf32>
    %89 = stablehlo.slice %86 [0:1024, 1:2, 0:64] : (tensor<1024x6x64xf32>) -> tensor<1024x1x64xf32>
    %90 = stablehlo.reshape %89 : (tensor<1024x1x64xf32>) -> tensor<1024x64xf32>
    %91 = stablehlo.slice %86 [0:1024, 2:3, 0:64] : (tensor<1024x6x64xf32>) -> tensor<1024x1x64xf32>
    %92 = stablehlo.reshape %91 : (tensor<1024x1x64xf32>) -> tensor<1024x64xf32>
    %93 = stablehlo.slice %86 [0:1024, 3:4, 0:64] : (tensor<1024x6x64xf32>) -> tensor<1024x1x64xf32>
    %94 = stablehlo.reshape %93 : (tensor<1024x1x64xf32>) -> tensor<1024x64xf32>
    %95 = stablehlo.slice %86 [0:1024, 4:5, 0:64] : (tensor<1024x6x64xf32>) -> tensor<1024x1x64xf32>
    %96 = stablehlo.reshape %95 : (tensor<1024x1x64xf32>) -> tensor<1024x64xf32>
    %97 = stablehlo.slice %86 [0:1024, 5:6, 0:64] : (tensor<1024x6x64xf32>) -> tensor<1024x1x64xf32>
    %98 = stablehlo.reshape %97 : (tensor<1024x1x64xf32>) -> tensor<1024x64xf32>
    %cst_24 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<1024x64xf32>
    %100 = stablehlo.divide %98, %99 : tensor<1024x64xf32>
    %101 = stablehlo.broadcast_in_dim %100, dims = [0, 2] : (tensor<1024x64xf32>) -> tensor<1024x4x64xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %103 = "stablehlo.scatter"(%102, %67, %101) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %147 = stablehlo.add %arg7, %arg8 : tensor<f32>
      stablehlo.return %147 : tensor<f32>
    }) : (tensor<256x64xf32>, tensor<1024x4x1xi32>, tensor<1024x4x64xf32>) -> tensor<256x64xf32>
    %cst_26 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<1024x64xf32>
    %105 = stablehlo.divide %96, %104 : tensor<1024x64xf32>
    %106 = stablehlo.broadcast_in_dim %105, dims = [0, 2] : (tensor<1024x64xf32>) -> tensor<1024x4x64xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %108 = "stablehlo.scatter"(%107, %55, %106) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %147 = stablehlo.add %arg7, %arg8 : tensor<f32>
      stablehlo.return %147 : tensor<f32>
    }) : (tensor<256x64xf32>, tensor<1024x4x1xi32>, tensor<1024x4x64xf32>) -> tensor<256x64xf32>
    %cst_28 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<1024x64xf32>
    %110 = stablehlo.divide %94, %109 : tensor<1024x64xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 2] : (tensor<1024x64xf32>) -> tensor<1024x4x64xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %113 = "stablehlo.scatter"(%112, %43, %111) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %147 = stablehlo.add %arg7, %arg8 : tensor<f32>
      stablehlo.return %147 : tensor<f32>
    }) : (tensor<256x64xf32>, tensor<1024x4x1xi32>, tensor<1024x4x64xf32>) -> tensor<256x64xf32>
    %cst_30 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<1024x64xf32>
    %115 = stablehlo.divide %92, %114 : tensor<1024x64xf32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [0, 2] : (tensor<1024x64xf32>) -> tensor<1024x4x64xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %118 = "stablehlo.scatter"(%117, %31, %116) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %147 = stablehlo.add %arg7, %arg8 : tensor<f32>
      stablehlo.return %147 : tensor<f32>
    }) : (tensor<256x64xf32>, tensor<1024x4x1xi32>, tensor<1024x4x64xf32>) -> tensor<256x64xf32>
    %cst_32 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<1024x64xf32>
    %120 = stablehlo.divide %90, %119 : tensor<1024x64xf32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [0, 2] : (tensor<1024x64xf32>) -> tensor<1024x4x64xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %123 = "stablehlo.scatter"(%122, %19, %121) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %147 = stablehlo.add %arg7, %arg8 : tensor<f32>
      stablehlo.return %147 : tensor<f32>
    }) : (tensor<256x64xf32>, tensor<1024x4x1xi32>, tensor<1024x4x64xf32>) -> tensor<256x64xf32>
    %cst_34 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<1024x64xf32>
    %125 = stablehlo.divide %88, %124 : tensor<1024x64xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0, 2] : (tensor<1024x64xf32>) -> tensor<1024x4x64xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %128 = "stablehlo.scatter"(%127, %7, %126) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %147 = stablehlo.add %arg7, %arg8 : tensor<f32>
      stablehlo.return %147 : tensor<f32>
    }) : (tensor<256x64xf32>, tensor<1024x4x1xi32>, tensor<1024x4x64xf32>) -> tensor<256x64xf32>
    %cst_36 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %130 = stablehlo.multiply %129, %128 : tensor<256x64xf32>
    %131 = stablehlo.subtract %arg0, %130 : tensor<256x64xf32>
    %cst_37 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %133 = stablehlo.multiply %132, %123 : tensor<256x64xf32>
    %134 = stablehlo.subtract %arg1, %133 : tensor<256x64xf32>
    %cst_38 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %136 = stablehlo.multiply %135, %118 : tensor<256x64xf32>
    %137 = stablehlo.subtract %arg2, %136 : tensor<256x64xf32>
    %cst_39 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %139 = stablehlo.multiply %138, %113 : tensor<256x64xf32>
    %140 = stablehlo.subtract %arg3, %139 : tensor<256x64xf32>
    %cst_40 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %142 = stablehlo.multiply %141, %108 : tensor<256x64xf32>
    %143 = stablehlo.subtract %arg4, %142 : tensor<256x64xf32>
    %cst_41 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %145 = stablehlo.multiply %144, %103 : tensor<256x64xf32>
    %146 = stablehlo.subtract %arg5, %145 : tensor<256x64xf32>
    return %131, %134, %137, %140, %143, %146 : tensor<256x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>
  }
}
