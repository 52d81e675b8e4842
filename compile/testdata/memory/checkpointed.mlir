// Made by fit_programs.py with JAX 0.10.2.
module @jit_checkpointed attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<256x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg2: tensor<4x16x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg3: tensor<64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg4: tensor<64x256xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg5: tensor<64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg6: tensor<256x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg7: tensor<64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg8: tensor<4x16x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg9: tensor<64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg10: tensor<64x256xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg11: tensor<64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg12: tensor<64x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg13: tensor<16x32xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg14: tensor<16x32xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<256x64xf32> {jax.result_info = "result[0]['blocks'][0]['down']"}, tensor<64x4x16xf32> {jax.result_info = "result[0]['blocks'][0]['k']"}, tensor<4x16x64xf32> {jax.result_info = "result[0]['blocks'][0]['o']"}, tensor<64x4x16xf32> {jax.result_info = "result[0]['blocks'][0]['q']"}, tensor<64x256xf32> {jax.result_info = "result[0]['blocks'][0]['up']"}, tensor<64x4x16xf32> {jax.result_info = "result[0]['blocks'][0]['v']"}, tensor<256x64xf32> {jax.result_info = "result[0]['blocks'][1]['down']"}, tensor<64x4x16xf32> {jax.result_info = "result[0]['blocks'][1]['k']"}, tensor<4x16x64xf32> {jax.result_info = "result[0]['blocks'][1]['o']"}, tensor<64x4x16xf32> {jax.result_info = "result[0]['blocks'][1]['q']"}, tensor<64x256xf32> {jax.result_info = "result[0]['blocks'][1]['up']"}, tensor<64x4x16xf32> {jax.result_info = "result[0]['blocks'][1]['v']"}, tensor<64x64xf32> {jax.result_info = "result[0]['embedding']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x32xi32>
    %1 = stablehlo.compare LT, %arg13, %0, SIGNED : (tensor<16x32xi32>, tensor<16x32xi32>) -> tensor<16x32xi1>
    %c_0 = stablehlo.constant dense<64> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16x32xi32>
    %3 = stablehlo.add %arg13, %2 : tensor<16x32xi32>
    %4 = stablehlo.select %1, %3, %arg13 : tensor<16x32xi1>, tensor<16x32xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<16x32xi32>) -> tensor<16x32x1xi32>
    %6 = "stablehlo.gather"(%arg12, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<64x64xf32>, tensor<16x32x1xi32>) -> tensor<16x32x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_1 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<16x32x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<16x32x64xf32>
    %13 = stablehlo.multiply %12, %12 : tensor<16x32x64xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_3 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %17 = stablehlo.divide %15, %16 : tensor<16x32x1xf32>
    %cst_4 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %19 = stablehlo.add %17, %18 : tensor<16x32x1xf32>
    %20 = stablehlo.rsqrt %19 : tensor<16x32x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %22 = stablehlo.multiply %12, %21 : tensor<16x32x64xf32>
    %23 = stablehlo.dot_general %22, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%6 init: %cst_5) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_6 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %27 = stablehlo.divide %25, %26 : tensor<16x32x1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %29 = stablehlo.subtract %6, %28 : tensor<16x32x64xf32>
    %30 = stablehlo.multiply %29, %29 : tensor<16x32x64xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_8 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %34 = stablehlo.divide %32, %33 : tensor<16x32x1xf32>
    %cst_9 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %36 = stablehlo.add %34, %35 : tensor<16x32x1xf32>
    %37 = stablehlo.rsqrt %36 : tensor<16x32x1xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %39 = stablehlo.multiply %29, %38 : tensor<16x32x64xf32>
    %40 = stablehlo.dot_general %39, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%6 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_11 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %44 = stablehlo.divide %42, %43 : tensor<16x32x1xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %46 = stablehlo.subtract %6, %45 : tensor<16x32x64xf32>
    %47 = stablehlo.multiply %46, %46 : tensor<16x32x64xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_13 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %51 = stablehlo.divide %49, %50 : tensor<16x32x1xf32>
    %cst_14 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %53 = stablehlo.add %51, %52 : tensor<16x32x1xf32>
    %54 = stablehlo.rsqrt %53 : tensor<16x32x1xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %56 = stablehlo.multiply %46, %55 : tensor<16x32x64xf32>
    %57 = stablehlo.dot_general %56, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %58 = stablehlo.dot_general %23, %40, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x32xf32>
    %cst_15 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %59 = stablehlo.sqrt %cst_15 : tensor<f32>
    %60 = stablehlo.convert %59 : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %62 = stablehlo.divide %58, %61 : tensor<16x4x32x32xf32>
    %c_16 = stablehlo.constant dense<true> : tensor<i1>
    %63 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i1>) -> tensor<32x32xi1>
    %64 = call @tril(%63) : (tensor<32x32xi1>) -> tensor<32x32xi1>
    %cst_17 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %65 = call @_where(%64, %62, %cst_17) : (tensor<32x32xi1>, tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32x32xf32>
    %cst_18 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %66 = stablehlo.reduce(%65 init: %cst_18) applies stablehlo.maximum across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %cst_19 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<16x4x32xf32>
    %68 = stablehlo.maximum %67, %66 : tensor<16x4x32xf32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %71 = stablehlo.subtract %65, %70 : tensor<16x4x32x32xf32>
    %72 = stablehlo.exponential %71 : tensor<16x4x32x32xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.reduce(%72 init: %cst_20) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %76 = stablehlo.divide %72, %75 : tensor<16x4x32x32xf32>
    %77 = stablehlo.dot_general %57, %76, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x4x32x32xf32>) -> tensor<16x4x16x32xf32>
    %78 = stablehlo.dot_general %77, %arg2, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<4x16x64xf32>) -> tensor<16x32x64xf32>
    %79 = stablehlo.add %6, %78 : tensor<16x32x64xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.reduce(%79 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_22 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %83 = stablehlo.divide %81, %82 : tensor<16x32x1xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %85 = stablehlo.subtract %79, %84 : tensor<16x32x64xf32>
    %86 = stablehlo.multiply %85, %85 : tensor<16x32x64xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.reduce(%86 init: %cst_23) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_24 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %90 = stablehlo.divide %88, %89 : tensor<16x32x1xf32>
    %cst_25 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %92 = stablehlo.add %90, %91 : tensor<16x32x1xf32>
    %93 = stablehlo.rsqrt %92 : tensor<16x32x1xf32>
    %94 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %95 = stablehlo.multiply %85, %94 : tensor<16x32x64xf32>
    %96 = stablehlo.dot_general %95, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x256xf32>) -> tensor<16x32x256xf32>
    %97 = stablehlo.multiply %96, %96 : tensor<16x32x256xf32>
    %98 = stablehlo.multiply %97, %96 : tensor<16x32x256xf32>
    %cst_26 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %100 = stablehlo.multiply %99, %98 : tensor<16x32x256xf32>
    %101 = stablehlo.add %96, %100 : tensor<16x32x256xf32>
    %cst_27 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %103 = stablehlo.multiply %102, %101 : tensor<16x32x256xf32>
    %104 = stablehlo.tanh %103 : tensor<16x32x256xf32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %106 = stablehlo.add %105, %104 : tensor<16x32x256xf32>
    %cst_29 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %108 = stablehlo.multiply %107, %106 : tensor<16x32x256xf32>
    %109 = stablehlo.multiply %96, %108 : tensor<16x32x256xf32>
    %110 = stablehlo.dot_general %109, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<256x64xf32>) -> tensor<16x32x64xf32>
    %111 = stablehlo.add %79, %110 : tensor<16x32x64xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %112 = stablehlo.reduce(%111 init: %cst_30) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %113 = stablehlo.broadcast_in_dim %112, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_31 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %115 = stablehlo.divide %113, %114 : tensor<16x32x1xf32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %117 = stablehlo.subtract %111, %116 : tensor<16x32x64xf32>
    %118 = stablehlo.multiply %117, %117 : tensor<16x32x64xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = stablehlo.reduce(%118 init: %cst_32) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_33 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %122 = stablehlo.divide %120, %121 : tensor<16x32x1xf32>
    %cst_34 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %124 = stablehlo.add %122, %123 : tensor<16x32x1xf32>
    %125 = stablehlo.rsqrt %124 : tensor<16x32x1xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %127 = stablehlo.multiply %117, %126 : tensor<16x32x64xf32>
    %128 = stablehlo.dot_general %127, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %129 = stablehlo.reduce(%111 init: %cst_35) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_36 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %132 = stablehlo.divide %130, %131 : tensor<16x32x1xf32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %134 = stablehlo.subtract %111, %133 : tensor<16x32x64xf32>
    %135 = stablehlo.multiply %134, %134 : tensor<16x32x64xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %136 = stablehlo.reduce(%135 init: %cst_37) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %137 = stablehlo.broadcast_in_dim %136, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_38 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %139 = stablehlo.divide %137, %138 : tensor<16x32x1xf32>
    %cst_39 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %141 = stablehlo.add %139, %140 : tensor<16x32x1xf32>
    %142 = stablehlo.rsqrt %141 : tensor<16x32x1xf32>
    %143 = stablehlo.broadcast_in_dim %142, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %144 = stablehlo.multiply %134, %143 : tensor<16x32x64xf32>
    %145 = stablehlo.dot_general %144, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %146 = stablehlo.reduce(%111 init: %cst_40) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %147 = stablehlo.broadcast_in_dim %146, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_41 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %149 = stablehlo.divide %147, %148 : tensor<16x32x1xf32>
    %150 = stablehlo.broadcast_in_dim %149, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %151 = stablehlo.subtract %111, %150 : tensor<16x32x64xf32>
    %152 = stablehlo.multiply %151, %151 : tensor<16x32x64xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %153 = stablehlo.reduce(%152 init: %cst_42) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_43 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %156 = stablehlo.divide %154, %155 : tensor<16x32x1xf32>
    %cst_44 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %157 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %158 = stablehlo.add %156, %157 : tensor<16x32x1xf32>
    %159 = stablehlo.rsqrt %158 : tensor<16x32x1xf32>
    %160 = stablehlo.broadcast_in_dim %159, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %161 = stablehlo.multiply %151, %160 : tensor<16x32x64xf32>
    %162 = stablehlo.dot_general %161, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %163 = stablehlo.dot_general %128, %145, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x32xf32>
    %cst_45 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %164 = stablehlo.sqrt %cst_45 : tensor<f32>
    %165 = stablehlo.convert %164 : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %165, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %167 = stablehlo.divide %163, %166 : tensor<16x4x32x32xf32>
    %c_46 = stablehlo.constant dense<true> : tensor<i1>
    %168 = stablehlo.broadcast_in_dim %c_46, dims = [] : (tensor<i1>) -> tensor<32x32xi1>
    %169 = call @tril(%168) : (tensor<32x32xi1>) -> tensor<32x32xi1>
    %cst_47 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %170 = call @_where(%169, %167, %cst_47) : (tensor<32x32xi1>, tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32x32xf32>
    %cst_48 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %171 = stablehlo.reduce(%170 init: %cst_48) applies stablehlo.maximum across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %cst_49 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<16x4x32xf32>
    %173 = stablehlo.maximum %172, %171 : tensor<16x4x32xf32>
    %174 = stablehlo.broadcast_in_dim %173, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %175 = stablehlo.broadcast_in_dim %174, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %176 = stablehlo.subtract %170, %175 : tensor<16x4x32x32xf32>
    %177 = stablehlo.exponential %176 : tensor<16x4x32x32xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %178 = stablehlo.reduce(%177 init: %cst_50) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %179 = stablehlo.broadcast_in_dim %178, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %180 = stablehlo.broadcast_in_dim %179, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %181 = stablehlo.divide %177, %180 : tensor<16x4x32x32xf32>
    %182 = stablehlo.dot_general %162, %181, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x4x32x32xf32>) -> tensor<16x4x16x32xf32>
    %183 = stablehlo.dot_general %182, %arg8, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<4x16x64xf32>) -> tensor<16x32x64xf32>
    %184 = stablehlo.add %111, %183 : tensor<16x32x64xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %185 = stablehlo.reduce(%184 init: %cst_51) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %186 = stablehlo.broadcast_in_dim %185, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_52 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %188 = stablehlo.divide %186, %187 : tensor<16x32x1xf32>
    %189 = stablehlo.broadcast_in_dim %188, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %190 = stablehlo.subtract %184, %189 : tensor<16x32x64xf32>
    %191 = stablehlo.multiply %190, %190 : tensor<16x32x64xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %192 = stablehlo.reduce(%191 init: %cst_53) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %193 = stablehlo.broadcast_in_dim %192, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_54 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %195 = stablehlo.divide %193, %194 : tensor<16x32x1xf32>
    %cst_55 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %196 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %197 = stablehlo.add %195, %196 : tensor<16x32x1xf32>
    %198 = stablehlo.rsqrt %197 : tensor<16x32x1xf32>
    %199 = stablehlo.broadcast_in_dim %198, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %200 = stablehlo.multiply %190, %199 : tensor<16x32x64xf32>
    %201 = stablehlo.dot_general %200, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x256xf32>) -> tensor<16x32x256xf32>
    %202 = stablehlo.multiply %201, %201 : tensor<16x32x256xf32>
    %203 = stablehlo.multiply %202, %201 : tensor<16x32x256xf32>
    %cst_56 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %204 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %205 = stablehlo.multiply %204, %203 : tensor<16x32x256xf32>
    %206 = stablehlo.add %201, %205 : tensor<16x32x256xf32>
    %cst_57 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %207 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %208 = stablehlo.multiply %207, %206 : tensor<16x32x256xf32>
    %209 = stablehlo.tanh %208 : tensor<16x32x256xf32>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %210 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %211 = stablehlo.add %210, %209 : tensor<16x32x256xf32>
    %cst_59 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %213 = stablehlo.multiply %212, %211 : tensor<16x32x256xf32>
    %214 = stablehlo.multiply %201, %213 : tensor<16x32x256xf32>
    %215 = stablehlo.dot_general %214, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<256x64xf32>) -> tensor<16x32x64xf32>
    %216 = stablehlo.add %184, %215 : tensor<16x32x64xf32>
    %217 = stablehlo.transpose %arg12, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %218 = stablehlo.dot_general %216, %217, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x64xf32>) -> tensor<16x32x64xf32>
    %219:3 = call @log_softmax(%218) : (tensor<16x32x64xf32>) -> (tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>)
    %220 = stablehlo.broadcast_in_dim %arg14, dims = [0, 1] : (tensor<16x32xi32>) -> tensor<16x32x1xi32>
    %221:2 = call @take_along_axis(%219#0, %220) : (tensor<16x32x64xf32>, tensor<16x32x1xi32>) -> (tensor<16x32x1xf32>, tensor<16x32x1x1xi32>)
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %222 = stablehlo.reduce(%221#0 init: %cst_60) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_61 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %223 = stablehlo.divide %222, %cst_61 : tensor<f32>
    %224 = stablehlo.negate %223 : tensor<f32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %225 = stablehlo.negate %cst_62 : tensor<f32>
    %cst_63 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %226 = stablehlo.divide %225, %cst_63 : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %226, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %228 = call @take_along_axis_0(%221#1, %227) : (tensor<16x32x1x1xi32>, tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %229 = call @log_softmax_1(%219#1, %219#2, %228) : (tensor<16x32x64xf32>, tensor<16x32x1xf32>, tensor<16x32x64xf32>) -> tensor<16x32x64xf32>
    %230 = stablehlo.dot_general %229, %216, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<16x32x64xf32>) -> tensor<64x64xf32>
    %231 = stablehlo.transpose %230, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %232 = stablehlo.dot_general %229, %217, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x64xf32>) -> tensor<16x32x64xf32>
    %233 = stablehlo.transpose %231, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %234:8 = stablehlo.optimization_barrier %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %111, %232 : tensor<256x64xf32>, tensor<64x4x16xf32>, tensor<4x16x64xf32>, tensor<64x4x16xf32>, tensor<64x256xf32>, tensor<64x4x16xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %235 = stablehlo.reduce(%234#6 init: %cst_64) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %236 = stablehlo.broadcast_in_dim %235, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_65 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %238 = stablehlo.divide %236, %237 : tensor<16x32x1xf32>
    %239 = stablehlo.broadcast_in_dim %238, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %240 = stablehlo.subtract %234#6, %239 : tensor<16x32x64xf32>
    %241 = stablehlo.multiply %240, %240 : tensor<16x32x64xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %242 = stablehlo.reduce(%241 init: %cst_66) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %243 = stablehlo.broadcast_in_dim %242, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_67 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %244 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %245 = stablehlo.divide %243, %244 : tensor<16x32x1xf32>
    %cst_68 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %246 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %247 = stablehlo.add %245, %246 : tensor<16x32x1xf32>
    %248 = stablehlo.rsqrt %247 : tensor<16x32x1xf32>
    %249 = stablehlo.divide %248, %247 : tensor<16x32x1xf32>
    %cst_69 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %250 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %251 = stablehlo.multiply %250, %249 : tensor<16x32x1xf32>
    %252 = stablehlo.broadcast_in_dim %248, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %253 = stablehlo.multiply %240, %252 : tensor<16x32x64xf32>
    %254 = stablehlo.dot_general %253, %234#3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %255 = stablehlo.reduce(%234#6 init: %cst_70) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %256 = stablehlo.broadcast_in_dim %255, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_71 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %258 = stablehlo.divide %256, %257 : tensor<16x32x1xf32>
    %259 = stablehlo.broadcast_in_dim %258, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %260 = stablehlo.subtract %234#6, %259 : tensor<16x32x64xf32>
    %261 = stablehlo.multiply %260, %260 : tensor<16x32x64xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %262 = stablehlo.reduce(%261 init: %cst_72) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %263 = stablehlo.broadcast_in_dim %262, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_73 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %264 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %265 = stablehlo.divide %263, %264 : tensor<16x32x1xf32>
    %cst_74 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %266 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %267 = stablehlo.add %265, %266 : tensor<16x32x1xf32>
    %268 = stablehlo.rsqrt %267 : tensor<16x32x1xf32>
    %269 = stablehlo.divide %268, %267 : tensor<16x32x1xf32>
    %cst_75 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %270 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %271 = stablehlo.multiply %270, %269 : tensor<16x32x1xf32>
    %272 = stablehlo.broadcast_in_dim %268, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %273 = stablehlo.multiply %260, %272 : tensor<16x32x64xf32>
    %274 = stablehlo.dot_general %273, %234#1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %275 = stablehlo.reduce(%234#6 init: %cst_76) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %276 = stablehlo.broadcast_in_dim %275, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_77 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %277 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %278 = stablehlo.divide %276, %277 : tensor<16x32x1xf32>
    %279 = stablehlo.broadcast_in_dim %278, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %280 = stablehlo.subtract %234#6, %279 : tensor<16x32x64xf32>
    %281 = stablehlo.multiply %280, %280 : tensor<16x32x64xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %282 = stablehlo.reduce(%281 init: %cst_78) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %283 = stablehlo.broadcast_in_dim %282, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_79 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %284 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %285 = stablehlo.divide %283, %284 : tensor<16x32x1xf32>
    %cst_80 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %286 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %287 = stablehlo.add %285, %286 : tensor<16x32x1xf32>
    %288 = stablehlo.rsqrt %287 : tensor<16x32x1xf32>
    %289 = stablehlo.divide %288, %287 : tensor<16x32x1xf32>
    %cst_81 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %290 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %291 = stablehlo.multiply %290, %289 : tensor<16x32x1xf32>
    %292 = stablehlo.broadcast_in_dim %288, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %293 = stablehlo.multiply %280, %292 : tensor<16x32x64xf32>
    %294 = stablehlo.dot_general %293, %234#5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %295 = stablehlo.dot_general %254, %274, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x32xf32>
    %cst_82 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %296 = stablehlo.sqrt %cst_82 : tensor<f32>
    %297 = stablehlo.convert %296 : tensor<f32>
    %298 = stablehlo.broadcast_in_dim %297, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %299 = stablehlo.divide %295, %298 : tensor<16x4x32x32xf32>
    %c_83 = stablehlo.constant dense<true> : tensor<i1>
    %300 = stablehlo.broadcast_in_dim %c_83, dims = [] : (tensor<i1>) -> tensor<32x32xi1>
    %301 = call @tril_2(%300) : (tensor<32x32xi1>) -> tensor<32x32xi1>
    %cst_84 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %302:2 = call @_where_3(%301, %299, %cst_84) : (tensor<32x32xi1>, tensor<16x4x32x32xf32>, tensor<f32>) -> (tensor<16x4x32x32xf32>, tensor<16x4x32x32xi1>)
    %cst_85 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %303 = stablehlo.reduce(%302#0 init: %cst_85) applies stablehlo.maximum across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %cst_86 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %304 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<16x4x32xf32>
    %305 = stablehlo.maximum %304, %303 : tensor<16x4x32xf32>
    %306 = stablehlo.broadcast_in_dim %305, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %307 = stablehlo.broadcast_in_dim %306, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %308 = stablehlo.subtract %302#0, %307 : tensor<16x4x32x32xf32>
    %309 = stablehlo.exponential %308 : tensor<16x4x32x32xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %310 = stablehlo.reduce(%309 init: %cst_87) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %311 = stablehlo.broadcast_in_dim %310, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %312 = stablehlo.broadcast_in_dim %311, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %313 = stablehlo.divide %309, %312 : tensor<16x4x32x32xf32>
    %314 = stablehlo.multiply %311, %311 : tensor<16x4x32x1xf32>
    %cst_88 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %315 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<16x4x32x1xf32>
    %316 = stablehlo.divide %315, %314 : tensor<16x4x32x1xf32>
    %317 = stablehlo.dot_general %294, %313, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x4x32x32xf32>) -> tensor<16x4x16x32xf32>
    %318 = stablehlo.dot_general %317, %234#2, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<4x16x64xf32>) -> tensor<16x32x64xf32>
    %319 = stablehlo.add %234#6, %318 : tensor<16x32x64xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %320 = stablehlo.reduce(%319 init: %cst_89) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %321 = stablehlo.broadcast_in_dim %320, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_90 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %322 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %323 = stablehlo.divide %321, %322 : tensor<16x32x1xf32>
    %324 = stablehlo.broadcast_in_dim %323, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %325 = stablehlo.subtract %319, %324 : tensor<16x32x64xf32>
    %326 = stablehlo.multiply %325, %325 : tensor<16x32x64xf32>
    %cst_91 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %327 = stablehlo.reduce(%326 init: %cst_91) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %328 = stablehlo.broadcast_in_dim %327, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_92 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %329 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %330 = stablehlo.divide %328, %329 : tensor<16x32x1xf32>
    %cst_93 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %331 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %332 = stablehlo.add %330, %331 : tensor<16x32x1xf32>
    %333 = stablehlo.rsqrt %332 : tensor<16x32x1xf32>
    %334 = stablehlo.divide %333, %332 : tensor<16x32x1xf32>
    %cst_94 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %335 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %336 = stablehlo.multiply %335, %334 : tensor<16x32x1xf32>
    %337 = stablehlo.broadcast_in_dim %333, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %338 = stablehlo.multiply %325, %337 : tensor<16x32x64xf32>
    %339 = stablehlo.dot_general %338, %234#4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x256xf32>) -> tensor<16x32x256xf32>
    %340 = stablehlo.multiply %339, %339 : tensor<16x32x256xf32>
    %341 = stablehlo.multiply %340, %339 : tensor<16x32x256xf32>
    %342 = stablehlo.multiply %339, %339 : tensor<16x32x256xf32>
    %cst_95 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %343 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %344 = stablehlo.multiply %343, %342 : tensor<16x32x256xf32>
    %cst_96 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %345 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %346 = stablehlo.multiply %345, %341 : tensor<16x32x256xf32>
    %347 = stablehlo.add %339, %346 : tensor<16x32x256xf32>
    %cst_97 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %348 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %349 = stablehlo.multiply %348, %347 : tensor<16x32x256xf32>
    %350 = stablehlo.tanh %349 : tensor<16x32x256xf32>
    %cst_98 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %351 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %352 = stablehlo.subtract %351, %350 : tensor<16x32x256xf32>
    %cst_99 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %353 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %354 = stablehlo.add %353, %350 : tensor<16x32x256xf32>
    %cst_100 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %355 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %356 = stablehlo.multiply %355, %354 : tensor<16x32x256xf32>
    %357 = stablehlo.multiply %339, %356 : tensor<16x32x256xf32>
    %358 = stablehlo.dot_general %234#7, %357, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<16x32x256xf32>) -> tensor<64x256xf32>
    %359 = stablehlo.transpose %358, dims = [1, 0] : (tensor<64x256xf32>) -> tensor<256x64xf32>
    %360 = stablehlo.dot_general %234#7, %234#0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<256x64xf32>) -> tensor<16x32x256xf32>
    %361 = stablehlo.multiply %339, %360 : tensor<16x32x256xf32>
    %362 = stablehlo.multiply %360, %356 : tensor<16x32x256xf32>
    %cst_101 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %363 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %364 = stablehlo.multiply %363, %361 : tensor<16x32x256xf32>
    %365 = stablehlo.multiply %364, %352 : tensor<16x32x256xf32>
    %366 = stablehlo.multiply %365, %350 : tensor<16x32x256xf32>
    %367 = stablehlo.add %365, %366 : tensor<16x32x256xf32>
    %cst_102 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %368 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %369 = stablehlo.multiply %368, %367 : tensor<16x32x256xf32>
    %370 = stablehlo.add %362, %369 : tensor<16x32x256xf32>
    %cst_103 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %371 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %372 = stablehlo.multiply %371, %369 : tensor<16x32x256xf32>
    %373 = stablehlo.multiply %372, %344 : tensor<16x32x256xf32>
    %374 = stablehlo.add %370, %373 : tensor<16x32x256xf32>
    %375 = stablehlo.dot_general %374, %338, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<16x32x64xf32>) -> tensor<256x64xf32>
    %376 = stablehlo.transpose %375, dims = [1, 0] : (tensor<256x64xf32>) -> tensor<64x256xf32>
    %377 = stablehlo.dot_general %374, %234#4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<64x256xf32>) -> tensor<16x32x64xf32>
    %378 = stablehlo.multiply %325, %377 : tensor<16x32x64xf32>
    %cst_104 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %379 = stablehlo.reduce(%378 init: %cst_104) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %380 = stablehlo.reshape %379 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %381 = stablehlo.broadcast_in_dim %333, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %382 = stablehlo.multiply %377, %381 : tensor<16x32x64xf32>
    %383 = stablehlo.multiply %380, %336 : tensor<16x32x1xf32>
    %cst_105 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %384 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %385 = stablehlo.divide %383, %384 : tensor<16x32x1xf32>
    %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %386 = stablehlo.reduce(%385 init: %cst_106) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %387 = stablehlo.broadcast_in_dim %386, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %388 = stablehlo.multiply %325, %387 : tensor<16x32x64xf32>
    %389 = stablehlo.add %382, %388 : tensor<16x32x64xf32>
    %390 = stablehlo.multiply %387, %325 : tensor<16x32x64xf32>
    %391 = stablehlo.add %389, %390 : tensor<16x32x64xf32>
    %392 = stablehlo.negate %391 : tensor<16x32x64xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %393 = stablehlo.reduce(%392 init: %cst_107) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %394 = stablehlo.reshape %393 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %395 = stablehlo.add %234#7, %391 : tensor<16x32x64xf32>
    %cst_108 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %396 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %397 = stablehlo.divide %394, %396 : tensor<16x32x1xf32>
    %cst_109 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %398 = stablehlo.reduce(%397 init: %cst_109) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %399 = stablehlo.broadcast_in_dim %398, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %400 = stablehlo.add %395, %399 : tensor<16x32x64xf32>
    %401 = stablehlo.dot_general %400, %317, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<16x4x16x32xf32>) -> tensor<64x4x16xf32>
    %402 = stablehlo.transpose %401, dims = [1, 2, 0] : (tensor<64x4x16xf32>) -> tensor<4x16x64xf32>
    %403 = stablehlo.dot_general %400, %234#2, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<4x16x64xf32>) -> tensor<16x32x4x16xf32>
    %404 = stablehlo.transpose %403, dims = [0, 2, 3, 1] : (tensor<16x32x4x16xf32>) -> tensor<16x4x16x32xf32>
    %405 = stablehlo.dot_general %404, %294, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x32xf32>
    %406 = stablehlo.dot_general %404, %313, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<16x4x32x32xf32>) -> tensor<16x4x16x32xf32>
    %407 = stablehlo.transpose %406, dims = [0, 3, 1, 2] : (tensor<16x4x16x32xf32>) -> tensor<16x32x4x16xf32>
    %408 = stablehlo.broadcast_in_dim %316, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %409 = stablehlo.multiply %405, %408 : tensor<16x4x32x32xf32>
    %410 = stablehlo.multiply %409, %309 : tensor<16x4x32x32xf32>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %411 = stablehlo.reduce(%410 init: %cst_110) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %412 = stablehlo.reshape %411 : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %413 = stablehlo.negate %412 : tensor<16x4x32x1xf32>
    %414 = stablehlo.broadcast_in_dim %311, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %415 = stablehlo.divide %405, %414 : tensor<16x4x32x32xf32>
    %cst_111 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %416 = stablehlo.reduce(%413 init: %cst_111) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x1xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %417 = stablehlo.broadcast_in_dim %416, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x32xf32>
    %418 = stablehlo.add %415, %417 : tensor<16x4x32x32xf32>
    %419 = stablehlo.multiply %418, %309 : tensor<16x4x32x32xf32>
    %420 = call @_where_4(%302#1, %419) : (tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>) -> tensor<16x4x32x32xf32>
    %421 = stablehlo.broadcast_in_dim %297, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %422 = stablehlo.divide %420, %421 : tensor<16x4x32x32xf32>
    %423 = stablehlo.dot_general %422, %254, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x4x32x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x16xf32>
    %424 = stablehlo.transpose %423, dims = [0, 2, 1, 3] : (tensor<16x4x32x16xf32>) -> tensor<16x32x4x16xf32>
    %425 = stablehlo.dot_general %422, %274, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x4x32x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x16xf32>
    %426 = stablehlo.transpose %425, dims = [0, 2, 1, 3] : (tensor<16x4x32x16xf32>) -> tensor<16x32x4x16xf32>
    %427 = stablehlo.dot_general %407, %293, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %428 = stablehlo.transpose %427, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %429 = stablehlo.dot_general %407, %234#5, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %430 = stablehlo.multiply %280, %429 : tensor<16x32x64xf32>
    %cst_112 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %431 = stablehlo.reduce(%430 init: %cst_112) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %432 = stablehlo.reshape %431 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %433 = stablehlo.broadcast_in_dim %288, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %434 = stablehlo.multiply %429, %433 : tensor<16x32x64xf32>
    %435 = stablehlo.multiply %432, %291 : tensor<16x32x1xf32>
    %cst_113 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %436 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %437 = stablehlo.divide %435, %436 : tensor<16x32x1xf32>
    %cst_114 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %438 = stablehlo.reduce(%437 init: %cst_114) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %439 = stablehlo.broadcast_in_dim %438, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %440 = stablehlo.multiply %280, %439 : tensor<16x32x64xf32>
    %441 = stablehlo.add %434, %440 : tensor<16x32x64xf32>
    %442 = stablehlo.multiply %439, %280 : tensor<16x32x64xf32>
    %443 = stablehlo.add %441, %442 : tensor<16x32x64xf32>
    %444 = stablehlo.negate %443 : tensor<16x32x64xf32>
    %cst_115 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %445 = stablehlo.reduce(%444 init: %cst_115) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %446 = stablehlo.reshape %445 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %447 = stablehlo.add %400, %443 : tensor<16x32x64xf32>
    %cst_116 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %448 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %449 = stablehlo.divide %446, %448 : tensor<16x32x1xf32>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %450 = stablehlo.reduce(%449 init: %cst_117) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %451 = stablehlo.broadcast_in_dim %450, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %452 = stablehlo.add %447, %451 : tensor<16x32x64xf32>
    %453 = stablehlo.dot_general %424, %273, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %454 = stablehlo.transpose %453, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %455 = stablehlo.dot_general %424, %234#1, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %456 = stablehlo.multiply %260, %455 : tensor<16x32x64xf32>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %457 = stablehlo.reduce(%456 init: %cst_118) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %458 = stablehlo.reshape %457 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %459 = stablehlo.broadcast_in_dim %268, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %460 = stablehlo.multiply %455, %459 : tensor<16x32x64xf32>
    %461 = stablehlo.multiply %458, %271 : tensor<16x32x1xf32>
    %cst_119 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %462 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %463 = stablehlo.divide %461, %462 : tensor<16x32x1xf32>
    %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %464 = stablehlo.reduce(%463 init: %cst_120) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %465 = stablehlo.broadcast_in_dim %464, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %466 = stablehlo.multiply %260, %465 : tensor<16x32x64xf32>
    %467 = stablehlo.add %460, %466 : tensor<16x32x64xf32>
    %468 = stablehlo.multiply %465, %260 : tensor<16x32x64xf32>
    %469 = stablehlo.add %467, %468 : tensor<16x32x64xf32>
    %470 = stablehlo.negate %469 : tensor<16x32x64xf32>
    %cst_121 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %471 = stablehlo.reduce(%470 init: %cst_121) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %472 = stablehlo.reshape %471 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %473 = stablehlo.add %452, %469 : tensor<16x32x64xf32>
    %cst_122 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %474 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %475 = stablehlo.divide %472, %474 : tensor<16x32x1xf32>
    %cst_123 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %476 = stablehlo.reduce(%475 init: %cst_123) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %477 = stablehlo.broadcast_in_dim %476, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %478 = stablehlo.add %473, %477 : tensor<16x32x64xf32>
    %479 = stablehlo.dot_general %426, %253, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %480 = stablehlo.transpose %479, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %481 = stablehlo.dot_general %426, %234#3, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %482 = stablehlo.multiply %240, %481 : tensor<16x32x64xf32>
    %cst_124 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %483 = stablehlo.reduce(%482 init: %cst_124) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %484 = stablehlo.reshape %483 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %485 = stablehlo.broadcast_in_dim %248, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %486 = stablehlo.multiply %481, %485 : tensor<16x32x64xf32>
    %487 = stablehlo.multiply %484, %251 : tensor<16x32x1xf32>
    %cst_125 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %488 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %489 = stablehlo.divide %487, %488 : tensor<16x32x1xf32>
    %cst_126 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %490 = stablehlo.reduce(%489 init: %cst_126) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %491 = stablehlo.broadcast_in_dim %490, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %492 = stablehlo.multiply %240, %491 : tensor<16x32x64xf32>
    %493 = stablehlo.add %486, %492 : tensor<16x32x64xf32>
    %494 = stablehlo.multiply %491, %240 : tensor<16x32x64xf32>
    %495 = stablehlo.add %493, %494 : tensor<16x32x64xf32>
    %496 = stablehlo.negate %495 : tensor<16x32x64xf32>
    %cst_127 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %497 = stablehlo.reduce(%496 init: %cst_127) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %498 = stablehlo.reshape %497 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %499 = stablehlo.add %478, %495 : tensor<16x32x64xf32>
    %cst_128 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %500 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %501 = stablehlo.divide %498, %500 : tensor<16x32x1xf32>
    %cst_129 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %502 = stablehlo.reduce(%501 init: %cst_129) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %503 = stablehlo.broadcast_in_dim %502, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %504 = stablehlo.add %499, %503 : tensor<16x32x64xf32>
    %505:8 = stablehlo.optimization_barrier %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %6, %504 : tensor<256x64xf32>, tensor<64x4x16xf32>, tensor<4x16x64xf32>, tensor<64x4x16xf32>, tensor<64x256xf32>, tensor<64x4x16xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>
    %cst_130 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %506 = stablehlo.reduce(%505#6 init: %cst_130) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %507 = stablehlo.broadcast_in_dim %506, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_131 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %508 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %509 = stablehlo.divide %507, %508 : tensor<16x32x1xf32>
    %510 = stablehlo.broadcast_in_dim %509, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %511 = stablehlo.subtract %505#6, %510 : tensor<16x32x64xf32>
    %512 = stablehlo.multiply %511, %511 : tensor<16x32x64xf32>
    %cst_132 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %513 = stablehlo.reduce(%512 init: %cst_132) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %514 = stablehlo.broadcast_in_dim %513, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_133 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %515 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %516 = stablehlo.divide %514, %515 : tensor<16x32x1xf32>
    %cst_134 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %517 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %518 = stablehlo.add %516, %517 : tensor<16x32x1xf32>
    %519 = stablehlo.rsqrt %518 : tensor<16x32x1xf32>
    %520 = stablehlo.divide %519, %518 : tensor<16x32x1xf32>
    %cst_135 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %521 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %522 = stablehlo.multiply %521, %520 : tensor<16x32x1xf32>
    %523 = stablehlo.broadcast_in_dim %519, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %524 = stablehlo.multiply %511, %523 : tensor<16x32x64xf32>
    %525 = stablehlo.dot_general %524, %505#3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %cst_136 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %526 = stablehlo.reduce(%505#6 init: %cst_136) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %527 = stablehlo.broadcast_in_dim %526, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_137 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %528 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %529 = stablehlo.divide %527, %528 : tensor<16x32x1xf32>
    %530 = stablehlo.broadcast_in_dim %529, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %531 = stablehlo.subtract %505#6, %530 : tensor<16x32x64xf32>
    %532 = stablehlo.multiply %531, %531 : tensor<16x32x64xf32>
    %cst_138 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %533 = stablehlo.reduce(%532 init: %cst_138) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %534 = stablehlo.broadcast_in_dim %533, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_139 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %535 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %536 = stablehlo.divide %534, %535 : tensor<16x32x1xf32>
    %cst_140 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %537 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %538 = stablehlo.add %536, %537 : tensor<16x32x1xf32>
    %539 = stablehlo.rsqrt %538 : tensor<16x32x1xf32>
    %540 = stablehlo.divide %539, %538 : tensor<16x32x1xf32>
    %cst_141 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %541 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %542 = stablehlo.multiply %541, %540 : tensor<16x32x1xf32>
    %543 = stablehlo.broadcast_in_dim %539, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %544 = stablehlo.multiply %531, %543 : tensor<16x32x64xf32>
    %545 = stablehlo.dot_general %544, %505#1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %cst_142 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %546 = stablehlo.reduce(%505#6 init: %cst_142) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %547 = stablehlo.broadcast_in_dim %546, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_143 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %548 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %549 = stablehlo.divide %547, %548 : tensor<16x32x1xf32>
    %550 = stablehlo.broadcast_in_dim %549, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %551 = stablehlo.subtract %505#6, %550 : tensor<16x32x64xf32>
    %552 = stablehlo.multiply %551, %551 : tensor<16x32x64xf32>
    %cst_144 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %553 = stablehlo.reduce(%552 init: %cst_144) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %554 = stablehlo.broadcast_in_dim %553, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_145 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %555 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %556 = stablehlo.divide %554, %555 : tensor<16x32x1xf32>
    %cst_146 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %557 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %558 = stablehlo.add %556, %557 : tensor<16x32x1xf32>
    %559 = stablehlo.rsqrt %558 : tensor<16x32x1xf32>
    %560 = stablehlo.divide %559, %558 : tensor<16x32x1xf32>
    %cst_147 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %561 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %562 = stablehlo.multiply %561, %560 : tensor<16x32x1xf32>
    %563 = stablehlo.broadcast_in_dim %559, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %564 = stablehlo.multiply %551, %563 : tensor<16x32x64xf32>
    %565 = stablehlo.dot_general %564, %505#5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %566 = stablehlo.dot_general %525, %545, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x32xf32>
    %cst_148 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %567 = stablehlo.sqrt %cst_148 : tensor<f32>
    %568 = stablehlo.convert %567 : tensor<f32>
    %569 = stablehlo.broadcast_in_dim %568, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %570 = stablehlo.divide %566, %569 : tensor<16x4x32x32xf32>
    %c_149 = stablehlo.constant dense<true> : tensor<i1>
    %571 = stablehlo.broadcast_in_dim %c_149, dims = [] : (tensor<i1>) -> tensor<32x32xi1>
    %572 = call @tril_2(%571) : (tensor<32x32xi1>) -> tensor<32x32xi1>
    %cst_150 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %573:2 = call @_where_3(%572, %570, %cst_150) : (tensor<32x32xi1>, tensor<16x4x32x32xf32>, tensor<f32>) -> (tensor<16x4x32x32xf32>, tensor<16x4x32x32xi1>)
    %cst_151 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %574 = stablehlo.reduce(%573#0 init: %cst_151) applies stablehlo.maximum across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %cst_152 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %575 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<16x4x32xf32>
    %576 = stablehlo.maximum %575, %574 : tensor<16x4x32xf32>
    %577 = stablehlo.broadcast_in_dim %576, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %578 = stablehlo.broadcast_in_dim %577, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %579 = stablehlo.subtract %573#0, %578 : tensor<16x4x32x32xf32>
    %580 = stablehlo.exponential %579 : tensor<16x4x32x32xf32>
    %cst_153 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %581 = stablehlo.reduce(%580 init: %cst_153) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %582 = stablehlo.broadcast_in_dim %581, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %583 = stablehlo.broadcast_in_dim %582, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %584 = stablehlo.divide %580, %583 : tensor<16x4x32x32xf32>
    %585 = stablehlo.multiply %582, %582 : tensor<16x4x32x1xf32>
    %cst_154 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %586 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<16x4x32x1xf32>
    %587 = stablehlo.divide %586, %585 : tensor<16x4x32x1xf32>
    %588 = stablehlo.dot_general %565, %584, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x4x32x32xf32>) -> tensor<16x4x16x32xf32>
    %589 = stablehlo.dot_general %588, %505#2, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<4x16x64xf32>) -> tensor<16x32x64xf32>
    %590 = stablehlo.add %505#6, %589 : tensor<16x32x64xf32>
    %cst_155 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %591 = stablehlo.reduce(%590 init: %cst_155) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %592 = stablehlo.broadcast_in_dim %591, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_156 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %593 = stablehlo.broadcast_in_dim %cst_156, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %594 = stablehlo.divide %592, %593 : tensor<16x32x1xf32>
    %595 = stablehlo.broadcast_in_dim %594, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %596 = stablehlo.subtract %590, %595 : tensor<16x32x64xf32>
    %597 = stablehlo.multiply %596, %596 : tensor<16x32x64xf32>
    %cst_157 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %598 = stablehlo.reduce(%597 init: %cst_157) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %599 = stablehlo.broadcast_in_dim %598, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_158 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %600 = stablehlo.broadcast_in_dim %cst_158, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %601 = stablehlo.divide %599, %600 : tensor<16x32x1xf32>
    %cst_159 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %602 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %603 = stablehlo.add %601, %602 : tensor<16x32x1xf32>
    %604 = stablehlo.rsqrt %603 : tensor<16x32x1xf32>
    %605 = stablehlo.divide %604, %603 : tensor<16x32x1xf32>
    %cst_160 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %606 = stablehlo.broadcast_in_dim %cst_160, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %607 = stablehlo.multiply %606, %605 : tensor<16x32x1xf32>
    %608 = stablehlo.broadcast_in_dim %604, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %609 = stablehlo.multiply %596, %608 : tensor<16x32x64xf32>
    %610 = stablehlo.dot_general %609, %505#4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x256xf32>) -> tensor<16x32x256xf32>
    %611 = stablehlo.multiply %610, %610 : tensor<16x32x256xf32>
    %612 = stablehlo.multiply %611, %610 : tensor<16x32x256xf32>
    %613 = stablehlo.multiply %610, %610 : tensor<16x32x256xf32>
    %cst_161 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %614 = stablehlo.broadcast_in_dim %cst_161, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %615 = stablehlo.multiply %614, %613 : tensor<16x32x256xf32>
    %cst_162 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %616 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %617 = stablehlo.multiply %616, %612 : tensor<16x32x256xf32>
    %618 = stablehlo.add %610, %617 : tensor<16x32x256xf32>
    %cst_163 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %619 = stablehlo.broadcast_in_dim %cst_163, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %620 = stablehlo.multiply %619, %618 : tensor<16x32x256xf32>
    %621 = stablehlo.tanh %620 : tensor<16x32x256xf32>
    %cst_164 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %622 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %623 = stablehlo.subtract %622, %621 : tensor<16x32x256xf32>
    %cst_165 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %624 = stablehlo.broadcast_in_dim %cst_165, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %625 = stablehlo.add %624, %621 : tensor<16x32x256xf32>
    %cst_166 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %626 = stablehlo.broadcast_in_dim %cst_166, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %627 = stablehlo.multiply %626, %625 : tensor<16x32x256xf32>
    %628 = stablehlo.multiply %610, %627 : tensor<16x32x256xf32>
    %629 = stablehlo.dot_general %505#7, %628, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<16x32x256xf32>) -> tensor<64x256xf32>
    %630 = stablehlo.transpose %629, dims = [1, 0] : (tensor<64x256xf32>) -> tensor<256x64xf32>
    %631 = stablehlo.dot_general %505#7, %505#0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<256x64xf32>) -> tensor<16x32x256xf32>
    %632 = stablehlo.multiply %610, %631 : tensor<16x32x256xf32>
    %633 = stablehlo.multiply %631, %627 : tensor<16x32x256xf32>
    %cst_167 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %634 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %635 = stablehlo.multiply %634, %632 : tensor<16x32x256xf32>
    %636 = stablehlo.multiply %635, %623 : tensor<16x32x256xf32>
    %637 = stablehlo.multiply %636, %621 : tensor<16x32x256xf32>
    %638 = stablehlo.add %636, %637 : tensor<16x32x256xf32>
    %cst_168 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %639 = stablehlo.broadcast_in_dim %cst_168, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %640 = stablehlo.multiply %639, %638 : tensor<16x32x256xf32>
    %641 = stablehlo.add %633, %640 : tensor<16x32x256xf32>
    %cst_169 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %642 = stablehlo.broadcast_in_dim %cst_169, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %643 = stablehlo.multiply %642, %640 : tensor<16x32x256xf32>
    %644 = stablehlo.multiply %643, %615 : tensor<16x32x256xf32>
    %645 = stablehlo.add %641, %644 : tensor<16x32x256xf32>
    %646 = stablehlo.dot_general %645, %609, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<16x32x64xf32>) -> tensor<256x64xf32>
    %647 = stablehlo.transpose %646, dims = [1, 0] : (tensor<256x64xf32>) -> tensor<64x256xf32>
    %648 = stablehlo.dot_general %645, %505#4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<64x256xf32>) -> tensor<16x32x64xf32>
    %649 = stablehlo.multiply %596, %648 : tensor<16x32x64xf32>
    %cst_170 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %650 = stablehlo.reduce(%649 init: %cst_170) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %651 = stablehlo.reshape %650 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %652 = stablehlo.broadcast_in_dim %604, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %653 = stablehlo.multiply %648, %652 : tensor<16x32x64xf32>
    %654 = stablehlo.multiply %651, %607 : tensor<16x32x1xf32>
    %cst_171 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %655 = stablehlo.broadcast_in_dim %cst_171, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %656 = stablehlo.divide %654, %655 : tensor<16x32x1xf32>
    %cst_172 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %657 = stablehlo.reduce(%656 init: %cst_172) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %658 = stablehlo.broadcast_in_dim %657, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %659 = stablehlo.multiply %596, %658 : tensor<16x32x64xf32>
    %660 = stablehlo.add %653, %659 : tensor<16x32x64xf32>
    %661 = stablehlo.multiply %658, %596 : tensor<16x32x64xf32>
    %662 = stablehlo.add %660, %661 : tensor<16x32x64xf32>
    %663 = stablehlo.negate %662 : tensor<16x32x64xf32>
    %cst_173 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %664 = stablehlo.reduce(%663 init: %cst_173) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %665 = stablehlo.reshape %664 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %666 = stablehlo.add %505#7, %662 : tensor<16x32x64xf32>
    %cst_174 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %667 = stablehlo.broadcast_in_dim %cst_174, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %668 = stablehlo.divide %665, %667 : tensor<16x32x1xf32>
    %cst_175 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %669 = stablehlo.reduce(%668 init: %cst_175) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %670 = stablehlo.broadcast_in_dim %669, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %671 = stablehlo.add %666, %670 : tensor<16x32x64xf32>
    %672 = stablehlo.dot_general %671, %588, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<16x4x16x32xf32>) -> tensor<64x4x16xf32>
    %673 = stablehlo.transpose %672, dims = [1, 2, 0] : (tensor<64x4x16xf32>) -> tensor<4x16x64xf32>
    %674 = stablehlo.dot_general %671, %505#2, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<4x16x64xf32>) -> tensor<16x32x4x16xf32>
    %675 = stablehlo.transpose %674, dims = [0, 2, 3, 1] : (tensor<16x32x4x16xf32>) -> tensor<16x4x16x32xf32>
    %676 = stablehlo.dot_general %675, %565, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x32xf32>
    %677 = stablehlo.dot_general %675, %584, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<16x4x32x32xf32>) -> tensor<16x4x16x32xf32>
    %678 = stablehlo.transpose %677, dims = [0, 3, 1, 2] : (tensor<16x4x16x32xf32>) -> tensor<16x32x4x16xf32>
    %679 = stablehlo.broadcast_in_dim %587, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %680 = stablehlo.multiply %676, %679 : tensor<16x4x32x32xf32>
    %681 = stablehlo.multiply %680, %580 : tensor<16x4x32x32xf32>
    %cst_176 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %682 = stablehlo.reduce(%681 init: %cst_176) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %683 = stablehlo.reshape %682 : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %684 = stablehlo.negate %683 : tensor<16x4x32x1xf32>
    %685 = stablehlo.broadcast_in_dim %582, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %686 = stablehlo.divide %676, %685 : tensor<16x4x32x32xf32>
    %cst_177 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %687 = stablehlo.reduce(%684 init: %cst_177) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x1xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %688 = stablehlo.broadcast_in_dim %687, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x32xf32>
    %689 = stablehlo.add %686, %688 : tensor<16x4x32x32xf32>
    %690 = stablehlo.multiply %689, %580 : tensor<16x4x32x32xf32>
    %691 = call @_where_4(%573#1, %690) : (tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>) -> tensor<16x4x32x32xf32>
    %692 = stablehlo.broadcast_in_dim %568, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %693 = stablehlo.divide %691, %692 : tensor<16x4x32x32xf32>
    %694 = stablehlo.dot_general %693, %525, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x4x32x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x16xf32>
    %695 = stablehlo.transpose %694, dims = [0, 2, 1, 3] : (tensor<16x4x32x16xf32>) -> tensor<16x32x4x16xf32>
    %696 = stablehlo.dot_general %693, %545, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x4x32x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x16xf32>
    %697 = stablehlo.transpose %696, dims = [0, 2, 1, 3] : (tensor<16x4x32x16xf32>) -> tensor<16x32x4x16xf32>
    %698 = stablehlo.dot_general %678, %564, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %699 = stablehlo.transpose %698, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %700 = stablehlo.dot_general %678, %505#5, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %701 = stablehlo.multiply %551, %700 : tensor<16x32x64xf32>
    %cst_178 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %702 = stablehlo.reduce(%701 init: %cst_178) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %703 = stablehlo.reshape %702 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %704 = stablehlo.broadcast_in_dim %559, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %705 = stablehlo.multiply %700, %704 : tensor<16x32x64xf32>
    %706 = stablehlo.multiply %703, %562 : tensor<16x32x1xf32>
    %cst_179 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %707 = stablehlo.broadcast_in_dim %cst_179, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %708 = stablehlo.divide %706, %707 : tensor<16x32x1xf32>
    %cst_180 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %709 = stablehlo.reduce(%708 init: %cst_180) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %710 = stablehlo.broadcast_in_dim %709, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %711 = stablehlo.multiply %551, %710 : tensor<16x32x64xf32>
    %712 = stablehlo.add %705, %711 : tensor<16x32x64xf32>
    %713 = stablehlo.multiply %710, %551 : tensor<16x32x64xf32>
    %714 = stablehlo.add %712, %713 : tensor<16x32x64xf32>
    %715 = stablehlo.negate %714 : tensor<16x32x64xf32>
    %cst_181 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %716 = stablehlo.reduce(%715 init: %cst_181) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %717 = stablehlo.reshape %716 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %718 = stablehlo.add %671, %714 : tensor<16x32x64xf32>
    %cst_182 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %719 = stablehlo.broadcast_in_dim %cst_182, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %720 = stablehlo.divide %717, %719 : tensor<16x32x1xf32>
    %cst_183 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %721 = stablehlo.reduce(%720 init: %cst_183) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %722 = stablehlo.broadcast_in_dim %721, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %723 = stablehlo.add %718, %722 : tensor<16x32x64xf32>
    %724 = stablehlo.dot_general %695, %544, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %725 = stablehlo.transpose %724, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %726 = stablehlo.dot_general %695, %505#1, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %727 = stablehlo.multiply %531, %726 : tensor<16x32x64xf32>
    %cst_184 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %728 = stablehlo.reduce(%727 init: %cst_184) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %729 = stablehlo.reshape %728 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %730 = stablehlo.broadcast_in_dim %539, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %731 = stablehlo.multiply %726, %730 : tensor<16x32x64xf32>
    %732 = stablehlo.multiply %729, %542 : tensor<16x32x1xf32>
    %cst_185 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %733 = stablehlo.broadcast_in_dim %cst_185, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %734 = stablehlo.divide %732, %733 : tensor<16x32x1xf32>
    %cst_186 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %735 = stablehlo.reduce(%734 init: %cst_186) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %736 = stablehlo.broadcast_in_dim %735, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %737 = stablehlo.multiply %531, %736 : tensor<16x32x64xf32>
    %738 = stablehlo.add %731, %737 : tensor<16x32x64xf32>
    %739 = stablehlo.multiply %736, %531 : tensor<16x32x64xf32>
    %740 = stablehlo.add %738, %739 : tensor<16x32x64xf32>
    %741 = stablehlo.negate %740 : tensor<16x32x64xf32>
    %cst_187 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %742 = stablehlo.reduce(%741 init: %cst_187) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %743 = stablehlo.reshape %742 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %744 = stablehlo.add %723, %740 : tensor<16x32x64xf32>
    %cst_188 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %745 = stablehlo.broadcast_in_dim %cst_188, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %746 = stablehlo.divide %743, %745 : tensor<16x32x1xf32>
    %cst_189 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %747 = stablehlo.reduce(%746 init: %cst_189) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %748 = stablehlo.broadcast_in_dim %747, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %749 = stablehlo.add %744, %748 : tensor<16x32x64xf32>
    %750 = stablehlo.dot_general %697, %524, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %751 = stablehlo.transpose %750, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %752 = stablehlo.dot_general %697, %505#3, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %753 = stablehlo.multiply %511, %752 : tensor<16x32x64xf32>
    %cst_190 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %754 = stablehlo.reduce(%753 init: %cst_190) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %755 = stablehlo.reshape %754 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %756 = stablehlo.broadcast_in_dim %519, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %757 = stablehlo.multiply %752, %756 : tensor<16x32x64xf32>
    %758 = stablehlo.multiply %755, %522 : tensor<16x32x1xf32>
    %cst_191 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %759 = stablehlo.broadcast_in_dim %cst_191, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %760 = stablehlo.divide %758, %759 : tensor<16x32x1xf32>
    %cst_192 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %761 = stablehlo.reduce(%760 init: %cst_192) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %762 = stablehlo.broadcast_in_dim %761, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %763 = stablehlo.multiply %511, %762 : tensor<16x32x64xf32>
    %764 = stablehlo.add %757, %763 : tensor<16x32x64xf32>
    %765 = stablehlo.multiply %762, %511 : tensor<16x32x64xf32>
    %766 = stablehlo.add %764, %765 : tensor<16x32x64xf32>
    %767 = stablehlo.negate %766 : tensor<16x32x64xf32>
    %cst_193 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %768 = stablehlo.reduce(%767 init: %cst_193) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %769 = stablehlo.reshape %768 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %770 = stablehlo.add %749, %766 : tensor<16x32x64xf32>
    %cst_194 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %771 = stablehlo.broadcast_in_dim %cst_194, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %772 = stablehlo.divide %769, %771 : tensor<16x32x1xf32>
    %cst_195 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %773 = stablehlo.reduce(%772 init: %cst_195) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %774 = stablehlo.broadcast_in_dim %773, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %775 = stablehlo.add %770, %774 : tensor<16x32x64xf32>
    %cst_196 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %776 = stablehlo.broadcast_in_dim %cst_196, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %777 = "stablehlo.scatter"(%776, %5, %775) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg15: tensor<f32>, %arg16: tensor<f32>):
      %818 = stablehlo.add %arg15, %arg16 : tensor<f32>
      stablehlo.return %818 : tensor<f32>
    }) : (tensor<64x64xf32>, tensor<16x32x1xi32>, tensor<16x32x64xf32>) -> tensor<64x64xf32>
    %778 = stablehlo.add %233, %777 : tensor<64x64xf32>
    %cst_197 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %779 = stablehlo.broadcast_in_dim %cst_197, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %780 = stablehlo.multiply %779, %630 : tensor<256x64xf32>
    %781 = stablehlo.subtract %arg0, %780 : tensor<256x64xf32>
    %cst_198 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %782 = stablehlo.broadcast_in_dim %cst_198, dims = [] : (tensor<f32>) -> tensor<64x4x16xf32>
    %783 = stablehlo.multiply %782, %725 : tensor<64x4x16xf32>
    %784 = stablehlo.subtract %arg1, %783 : tensor<64x4x16xf32>
    %cst_199 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %785 = stablehlo.broadcast_in_dim %cst_199, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %786 = stablehlo.multiply %785, %673 : tensor<4x16x64xf32>
    %787 = stablehlo.subtract %arg2, %786 : tensor<4x16x64xf32>
    %cst_200 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %788 = stablehlo.broadcast_in_dim %cst_200, dims = [] : (tensor<f32>) -> tensor<64x4x16xf32>
    %789 = stablehlo.multiply %788, %751 : tensor<64x4x16xf32>
    %790 = stablehlo.subtract %arg3, %789 : tensor<64x4x16xf32>
    %cst_201 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %791 = stablehlo.broadcast_in_dim %cst_201, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %792 = stablehlo.multiply %791, %647 : tensor<64x256xf32>
    %793 = stablehlo.subtract %arg4, %792 : tensor<64x256xf32>
    %cst_202 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %794 = stablehlo.broadcast_in_dim %cst_202, dims = [] : (tensor<f32>) -> tensor<64x4x16xf32>
    %795 = stablehlo.multiply %794, %699 : tensor<64x4x16xf32>
    %796 = stablehlo.subtract %arg5, %795 : tensor<64x4x16xf32>
    %cst_203 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %797 = stablehlo.broadcast_in_dim %cst_203, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %798 = stablehlo.multiply %797, %359 : tensor<256x64xf32>
    %799 = stablehlo.subtract %arg6, %798 : tensor<256x64xf32>
    %cst_204 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %800 = stablehlo.broadcast_in_dim %cst_204, dims = [] : (tensor<f32>) -> tensor<64x4x16xf32>
    %801 = stablehlo.multiply %800, %454 : tensor<64x4x16xf32>
    %802 = stablehlo.subtract %arg7, %801 : tensor<64x4x16xf32>
    %cst_205 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %803 = stablehlo.broadcast_in_dim %cst_205, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %804 = stablehlo.multiply %803, %402 : tensor<4x16x64xf32>
    %805 = stablehlo.subtract %arg8, %804 : tensor<4x16x64xf32>
    %cst_206 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %806 = stablehlo.broadcast_in_dim %cst_206, dims = [] : (tensor<f32>) -> tensor<64x4x16xf32>
    %807 = stablehlo.multiply %806, %480 : tensor<64x4x16xf32>
    %808 = stablehlo.subtract %arg9, %807 : tensor<64x4x16xf32>
    %cst_207 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %809 = stablehlo.broadcast_in_dim %cst_207, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %810 = stablehlo.multiply %809, %376 : tensor<64x256xf32>
    %811 = stablehlo.subtract %arg10, %810 : tensor<64x256xf32>
    %cst_208 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %812 = stablehlo.broadcast_in_dim %cst_208, dims = [] : (tensor<f32>) -> tensor<64x4x16xf32>
    %813 = stablehlo.multiply %812, %428 : tensor<64x4x16xf32>
    %814 = stablehlo.subtract %arg11, %813 : tensor<64x4x16xf32>
    %cst_209 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %815 = stablehlo.broadcast_in_dim %cst_209, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %816 = stablehlo.multiply %815, %778 : tensor<64x64xf32>
    %817 = stablehlo.subtract %arg12, %816 : tensor<64x64xf32>
    return %781, %784, %787, %790, %793, %796, %799, %802, %805, %808, %811, %814, %817, %224 : tensor<256x64xf32>, tensor<64x4x16xf32>, tensor<4x16x64xf32>, tensor<64x4x16xf32>, tensor<64x256xf32>, tensor<64x4x16xf32>, tensor<256x64xf32>, tensor<64x4x16xf32>, tensor<4x16x64xf32>, tensor<64x4x16xf32>, tensor<64x256xf32>, tensor<64x4x16xf32>, tensor<64x64xf32>, tensor<f32>
  }
  func.func private @tril(%arg0: tensor<32x32xi1>) -> tensor<32x32xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<32x32xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<32x32xi32>
    %2 = stablehlo.add %0, %1 : tensor<32x32xi32>
    %3 = stablehlo.iota dim = 1 : tensor<32x32xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<32x32xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<32x32xi1>, tensor<32x32xi1>
    return %6 : tensor<32x32xi1>
  }
  func.func private @_where(%arg0: tensor<32x32xi1>, %arg1: tensor<16x4x32x32xf32>, %arg2: tensor<f32>) -> tensor<16x4x32x32xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<32x32xi1>) -> tensor<16x4x32x32xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>
    return %3 : tensor<16x4x32x32xf32>
  }
  func.func private @log_softmax(%arg0: tensor<16x32x64xf32>) -> (tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<16x32xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<16x32x64xf32>
    %6 = stablehlo.exponential %5 : tensor<16x32x64xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %9 = stablehlo.log %8 : tensor<16x32x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<16x32x64xf32>
    return %11, %6, %8 : tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<16x32x64xf32>, %arg1: tensor<16x32x1xi32>) -> (tensor<16x32x1xf32>, tensor<16x32x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x32x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<16x32x1xi32>, tensor<16x32x1xi32>) -> tensor<16x32x1xi1>
    %c_0 = stablehlo.constant dense<64> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16x32x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<16x32x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<16x32x1xi1>, tensor<16x32x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<16x32x1xi32>) -> tensor<16x32x1x1xi32>
    %c_1 = stablehlo.constant dense<63> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<16x32x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<16x32x1x1xi32>, tensor<16x32x1x1xi32>) -> tensor<16x32x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<16x32x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<16x32x1x1xi32>, tensor<16x32x1x1xi32>) -> tensor<16x32x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<16x32x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<16x32x1x1xi1>, tensor<i1>) -> tensor<16x32x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<16x32x64xf32>, tensor<16x32x1x1xi32>) -> tensor<16x32x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<16x32x1xi1>, tensor<16x32x1xf32>
    return %15, %5 : tensor<16x32x1xf32>, tensor<16x32x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<16x32x1x1xi32>, %arg1: tensor<16x32x1xf32>) -> tensor<16x32x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x32x64xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<16x32x64xf32>, tensor<16x32x1x1xi32>, tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    return %1 : tensor<16x32x64xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<16x32x64xf32>, %arg1: tensor<16x32x1xf32>, %arg2: tensor<16x32x64xf32>) -> tensor<16x32x64xf32> {
    %0 = stablehlo.negate %arg2 : tensor<16x32x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %2 = stablehlo.reshape %1 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<16x32x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<16x32x64xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<16x32x64xf32>
    return %7 : tensor<16x32x64xf32>
  }
  func.func private @tril_2(%arg0: tensor<32x32xi1>) -> tensor<32x32xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<32x32xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<32x32xi32>
    %2 = stablehlo.add %0, %1 : tensor<32x32xi32>
    %3 = stablehlo.iota dim = 1 : tensor<32x32xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<32x32xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<32x32xi1>, tensor<32x32xi1>
    return %6 : tensor<32x32xi1>
  }
  func.func private @_where_3(%arg0: tensor<32x32xi1>, %arg1: tensor<16x4x32x32xf32>, %arg2: tensor<f32>) -> (tensor<16x4x32x32xf32>, tensor<16x4x32x32xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<32x32xi1>) -> tensor<16x4x32x32xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>
    return %3, %1 : tensor<16x4x32x32xf32>, tensor<16x4x32x32xi1>
  }
  func.func private @_where_4(%arg0: tensor<16x4x32x32xi1>, %arg1: tensor<16x4x32x32xf32>) -> tensor<16x4x32x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>
    return %1 : tensor<16x4x32x32xf32>
  }
}
