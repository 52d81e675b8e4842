// Made by fit_programs.py with JAX 0.10.2.
module @jit_transformer attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<256x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg2: tensor<4x16x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg3: tensor<64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg4: tensor<64x256xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg5: tensor<64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg6: tensor<256x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg7: tensor<64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg8: tensor<4x16x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg9: tensor<64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg10: tensor<64x256xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg11: tensor<64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg12: tensor<256x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg13: tensor<64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg14: tensor<4x16x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg15: tensor<64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg16: tensor<64x256xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg17: tensor<64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg18: tensor<256x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg19: tensor<64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg20: tensor<4x16x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg21: tensor<64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg22: tensor<64x256xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg23: tensor<64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg24: tensor<64x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg25: tensor<16x32xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg26: tensor<16x32xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<256x64xf32> {jax.result_info = "result[0]['blocks'][0]['down']"}, tensor<64x4x16xf32> {jax.result_info = "result[0]['blocks'][0]['k']"}, tensor<4x16x64xf32> {jax.result_info = "result[0]['blocks'][0]['o']"}, tensor<64x4x16xf32> {jax.result_info = "result[0]['blocks'][0]['q']"}, tensor<64x256xf32> {jax.result_info = "result[0]['blocks'][0]['up']"}, tensor<64x4x16xf32> {jax.result_info = "result[0]['blocks'][0]['v']"}, tensor<256x64xf32> {jax.result_info = "result[0]['blocks'][1]['down']"}, tensor<64x4x16xf32> {jax.result_info = "result[0]['blocks'][1]['k']"}, tensor<4x16x64xf32> {jax.result_info = "result[0]['blocks'][1]['o']"}, tensor<64x4x16xf32> {jax.result_info = "result[0]['blocks'][1]['q']"}, tensor<64x256xf32> {jax.result_info = "result[0]['blocks'][1]['up']"}, tensor<64x4x16xf32> {jax.result_info = "result[0]['blocks'][1]['v']"}, tensor<256x64xf32> {jax.result_info = "result[0]['blocks'][2]['down']"}, tensor<64x4x16xf32> {jax.result_info = "result[0]['blocks'][2]['k']"}, tensor<4x16x64xf32> {jax.result_info = "result[0]['blocks'][2]['o']"}, tensor<64x4x16xf32> {jax.result_info = "result[0]['blocks'][2]['q']"}, tensor<64x256xf32> {jax.result_info = "result[0]['blocks'][2]['up']"}, tensor<64x4x16xf32> {jax.result_info = "result[0]['blocks'][2]['v']"}, tensor<256x64xf32> {jax.result_info = "result[0]['blocks'][3]['down']"}, tensor<64x4x16xf32> {jax.result_info = "result[0]['blocks'][3]['k']"}, tensor<4x16x64xf32> {jax.result_info = "result[0]['blocks'][3]['o']"}, tensor<64x4x16xf32> {jax.result_info = "result[0]['blocks'][3]['q']"}, tensor<64x256xf32> {jax.result_info = "result[0]['blocks'][3]['up']"}, tensor<64x4x16xf32> {jax.result_info = "result[0]['blocks'][3]['v']"}, tensor<64x64xf32> {jax.result_info = "result[0]['embedding']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x32xi32>
    %1 = stablehlo.compare LT, %arg25, %0, SIGNED : (tensor<16x32xi32>, tensor<16x32xi32>) -> tensor<16x32xi1>
    %c_0 = stablehlo.constant dense<64> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16x32xi32>
    %3 = stablehlo.add %arg25, %2 : tensor<16x32xi32>
    %4 = stablehlo.select %1, %3, %arg25 : tensor<16x32xi1>, tensor<16x32xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<16x32xi32>) -> tensor<16x32x1xi32>
    %6 = "stablehlo.gather"(%arg24, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<64x64xf32>, tensor<16x32x1xi32>) -> tensor<16x32x64xf32>
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
    %21 = stablehlo.divide %20, %19 : tensor<16x32x1xf32>
    %cst_5 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %23 = stablehlo.multiply %22, %21 : tensor<16x32x1xf32>
    %24 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %25 = stablehlo.multiply %12, %24 : tensor<16x32x64xf32>
    %26 = stablehlo.dot_general %25, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%6 init: %cst_6) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_7 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %30 = stablehlo.divide %28, %29 : tensor<16x32x1xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %32 = stablehlo.subtract %6, %31 : tensor<16x32x64xf32>
    %33 = stablehlo.multiply %32, %32 : tensor<16x32x64xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_9 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %37 = stablehlo.divide %35, %36 : tensor<16x32x1xf32>
    %cst_10 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %39 = stablehlo.add %37, %38 : tensor<16x32x1xf32>
    %40 = stablehlo.rsqrt %39 : tensor<16x32x1xf32>
    %41 = stablehlo.divide %40, %39 : tensor<16x32x1xf32>
    %cst_11 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %43 = stablehlo.multiply %42, %41 : tensor<16x32x1xf32>
    %44 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %45 = stablehlo.multiply %32, %44 : tensor<16x32x64xf32>
    %46 = stablehlo.dot_general %45, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%6 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_13 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %50 = stablehlo.divide %48, %49 : tensor<16x32x1xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %52 = stablehlo.subtract %6, %51 : tensor<16x32x64xf32>
    %53 = stablehlo.multiply %52, %52 : tensor<16x32x64xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%53 init: %cst_14) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_15 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %57 = stablehlo.divide %55, %56 : tensor<16x32x1xf32>
    %cst_16 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %59 = stablehlo.add %57, %58 : tensor<16x32x1xf32>
    %60 = stablehlo.rsqrt %59 : tensor<16x32x1xf32>
    %61 = stablehlo.divide %60, %59 : tensor<16x32x1xf32>
    %cst_17 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %63 = stablehlo.multiply %62, %61 : tensor<16x32x1xf32>
    %64 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %65 = stablehlo.multiply %52, %64 : tensor<16x32x64xf32>
    %66 = stablehlo.dot_general %65, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %67 = stablehlo.dot_general %26, %46, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x32xf32>
    %cst_18 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %68 = stablehlo.sqrt %cst_18 : tensor<f32>
    %69 = stablehlo.convert %68 : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %71 = stablehlo.divide %67, %70 : tensor<16x4x32x32xf32>
    %c_19 = stablehlo.constant dense<true> : tensor<i1>
    %72 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i1>) -> tensor<32x32xi1>
    %73 = call @tril(%72) : (tensor<32x32xi1>) -> tensor<32x32xi1>
    %cst_20 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %74:2 = call @_where(%73, %71, %cst_20) : (tensor<32x32xi1>, tensor<16x4x32x32xf32>, tensor<f32>) -> (tensor<16x4x32x32xf32>, tensor<16x4x32x32xi1>)
    %cst_21 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %75 = stablehlo.reduce(%74#0 init: %cst_21) applies stablehlo.maximum across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %cst_22 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<16x4x32xf32>
    %77 = stablehlo.maximum %76, %75 : tensor<16x4x32xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %80 = stablehlo.subtract %74#0, %79 : tensor<16x4x32x32xf32>
    %81 = stablehlo.exponential %80 : tensor<16x4x32x32xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.reduce(%81 init: %cst_23) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %85 = stablehlo.divide %81, %84 : tensor<16x4x32x32xf32>
    %86 = stablehlo.multiply %83, %83 : tensor<16x4x32x1xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<16x4x32x1xf32>
    %88 = stablehlo.divide %87, %86 : tensor<16x4x32x1xf32>
    %89 = stablehlo.dot_general %66, %85, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x4x32x32xf32>) -> tensor<16x4x16x32xf32>
    %90 = stablehlo.dot_general %89, %arg2, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<4x16x64xf32>) -> tensor<16x32x64xf32>
    %91 = stablehlo.add %6, %90 : tensor<16x32x64xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %92 = stablehlo.reduce(%91 init: %cst_25) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_26 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %95 = stablehlo.divide %93, %94 : tensor<16x32x1xf32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %97 = stablehlo.subtract %91, %96 : tensor<16x32x64xf32>
    %98 = stablehlo.multiply %97, %97 : tensor<16x32x64xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %99 = stablehlo.reduce(%98 init: %cst_27) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_28 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %102 = stablehlo.divide %100, %101 : tensor<16x32x1xf32>
    %cst_29 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %104 = stablehlo.add %102, %103 : tensor<16x32x1xf32>
    %105 = stablehlo.rsqrt %104 : tensor<16x32x1xf32>
    %106 = stablehlo.divide %105, %104 : tensor<16x32x1xf32>
    %cst_30 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %108 = stablehlo.multiply %107, %106 : tensor<16x32x1xf32>
    %109 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %110 = stablehlo.multiply %97, %109 : tensor<16x32x64xf32>
    %111 = stablehlo.dot_general %110, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x256xf32>) -> tensor<16x32x256xf32>
    %112 = stablehlo.multiply %111, %111 : tensor<16x32x256xf32>
    %113 = stablehlo.multiply %112, %111 : tensor<16x32x256xf32>
    %114 = stablehlo.multiply %111, %111 : tensor<16x32x256xf32>
    %cst_31 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %116 = stablehlo.multiply %115, %114 : tensor<16x32x256xf32>
    %cst_32 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %118 = stablehlo.multiply %117, %113 : tensor<16x32x256xf32>
    %119 = stablehlo.add %111, %118 : tensor<16x32x256xf32>
    %cst_33 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %121 = stablehlo.multiply %120, %119 : tensor<16x32x256xf32>
    %122 = stablehlo.tanh %121 : tensor<16x32x256xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %124 = stablehlo.subtract %123, %122 : tensor<16x32x256xf32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %126 = stablehlo.add %125, %122 : tensor<16x32x256xf32>
    %cst_36 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %128 = stablehlo.multiply %127, %126 : tensor<16x32x256xf32>
    %129 = stablehlo.multiply %111, %128 : tensor<16x32x256xf32>
    %130 = stablehlo.dot_general %129, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<256x64xf32>) -> tensor<16x32x64xf32>
    %131 = stablehlo.add %91, %130 : tensor<16x32x64xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %132 = stablehlo.reduce(%131 init: %cst_37) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_38 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %135 = stablehlo.divide %133, %134 : tensor<16x32x1xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %137 = stablehlo.subtract %131, %136 : tensor<16x32x64xf32>
    %138 = stablehlo.multiply %137, %137 : tensor<16x32x64xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %139 = stablehlo.reduce(%138 init: %cst_39) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %140 = stablehlo.broadcast_in_dim %139, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_40 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %142 = stablehlo.divide %140, %141 : tensor<16x32x1xf32>
    %cst_41 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %144 = stablehlo.add %142, %143 : tensor<16x32x1xf32>
    %145 = stablehlo.rsqrt %144 : tensor<16x32x1xf32>
    %146 = stablehlo.divide %145, %144 : tensor<16x32x1xf32>
    %cst_42 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %148 = stablehlo.multiply %147, %146 : tensor<16x32x1xf32>
    %149 = stablehlo.broadcast_in_dim %145, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %150 = stablehlo.multiply %137, %149 : tensor<16x32x64xf32>
    %151 = stablehlo.dot_general %150, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %152 = stablehlo.reduce(%131 init: %cst_43) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %153 = stablehlo.broadcast_in_dim %152, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_44 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %154 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %155 = stablehlo.divide %153, %154 : tensor<16x32x1xf32>
    %156 = stablehlo.broadcast_in_dim %155, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %157 = stablehlo.subtract %131, %156 : tensor<16x32x64xf32>
    %158 = stablehlo.multiply %157, %157 : tensor<16x32x64xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %159 = stablehlo.reduce(%158 init: %cst_45) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %160 = stablehlo.broadcast_in_dim %159, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_46 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %162 = stablehlo.divide %160, %161 : tensor<16x32x1xf32>
    %cst_47 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %164 = stablehlo.add %162, %163 : tensor<16x32x1xf32>
    %165 = stablehlo.rsqrt %164 : tensor<16x32x1xf32>
    %166 = stablehlo.divide %165, %164 : tensor<16x32x1xf32>
    %cst_48 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %168 = stablehlo.multiply %167, %166 : tensor<16x32x1xf32>
    %169 = stablehlo.broadcast_in_dim %165, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %170 = stablehlo.multiply %157, %169 : tensor<16x32x64xf32>
    %171 = stablehlo.dot_general %170, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %172 = stablehlo.reduce(%131 init: %cst_49) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %173 = stablehlo.broadcast_in_dim %172, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_50 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %174 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %175 = stablehlo.divide %173, %174 : tensor<16x32x1xf32>
    %176 = stablehlo.broadcast_in_dim %175, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %177 = stablehlo.subtract %131, %176 : tensor<16x32x64xf32>
    %178 = stablehlo.multiply %177, %177 : tensor<16x32x64xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %179 = stablehlo.reduce(%178 init: %cst_51) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %180 = stablehlo.broadcast_in_dim %179, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_52 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %182 = stablehlo.divide %180, %181 : tensor<16x32x1xf32>
    %cst_53 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %184 = stablehlo.add %182, %183 : tensor<16x32x1xf32>
    %185 = stablehlo.rsqrt %184 : tensor<16x32x1xf32>
    %186 = stablehlo.divide %185, %184 : tensor<16x32x1xf32>
    %cst_54 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %188 = stablehlo.multiply %187, %186 : tensor<16x32x1xf32>
    %189 = stablehlo.broadcast_in_dim %185, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %190 = stablehlo.multiply %177, %189 : tensor<16x32x64xf32>
    %191 = stablehlo.dot_general %190, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %192 = stablehlo.dot_general %151, %171, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x32xf32>
    %cst_55 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %193 = stablehlo.sqrt %cst_55 : tensor<f32>
    %194 = stablehlo.convert %193 : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %194, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %196 = stablehlo.divide %192, %195 : tensor<16x4x32x32xf32>
    %c_56 = stablehlo.constant dense<true> : tensor<i1>
    %197 = stablehlo.broadcast_in_dim %c_56, dims = [] : (tensor<i1>) -> tensor<32x32xi1>
    %198 = call @tril(%197) : (tensor<32x32xi1>) -> tensor<32x32xi1>
    %cst_57 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %199:2 = call @_where(%198, %196, %cst_57) : (tensor<32x32xi1>, tensor<16x4x32x32xf32>, tensor<f32>) -> (tensor<16x4x32x32xf32>, tensor<16x4x32x32xi1>)
    %cst_58 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %200 = stablehlo.reduce(%199#0 init: %cst_58) applies stablehlo.maximum across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %cst_59 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %201 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<16x4x32xf32>
    %202 = stablehlo.maximum %201, %200 : tensor<16x4x32xf32>
    %203 = stablehlo.broadcast_in_dim %202, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %204 = stablehlo.broadcast_in_dim %203, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %205 = stablehlo.subtract %199#0, %204 : tensor<16x4x32x32xf32>
    %206 = stablehlo.exponential %205 : tensor<16x4x32x32xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %207 = stablehlo.reduce(%206 init: %cst_60) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %208 = stablehlo.broadcast_in_dim %207, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %209 = stablehlo.broadcast_in_dim %208, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %210 = stablehlo.divide %206, %209 : tensor<16x4x32x32xf32>
    %211 = stablehlo.multiply %208, %208 : tensor<16x4x32x1xf32>
    %cst_61 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<16x4x32x1xf32>
    %213 = stablehlo.divide %212, %211 : tensor<16x4x32x1xf32>
    %214 = stablehlo.dot_general %191, %210, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x4x32x32xf32>) -> tensor<16x4x16x32xf32>
    %215 = stablehlo.dot_general %214, %arg8, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<4x16x64xf32>) -> tensor<16x32x64xf32>
    %216 = stablehlo.add %131, %215 : tensor<16x32x64xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %217 = stablehlo.reduce(%216 init: %cst_62) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %218 = stablehlo.broadcast_in_dim %217, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_63 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %220 = stablehlo.divide %218, %219 : tensor<16x32x1xf32>
    %221 = stablehlo.broadcast_in_dim %220, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %222 = stablehlo.subtract %216, %221 : tensor<16x32x64xf32>
    %223 = stablehlo.multiply %222, %222 : tensor<16x32x64xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %224 = stablehlo.reduce(%223 init: %cst_64) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %225 = stablehlo.broadcast_in_dim %224, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_65 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %226 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %227 = stablehlo.divide %225, %226 : tensor<16x32x1xf32>
    %cst_66 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %228 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %229 = stablehlo.add %227, %228 : tensor<16x32x1xf32>
    %230 = stablehlo.rsqrt %229 : tensor<16x32x1xf32>
    %231 = stablehlo.divide %230, %229 : tensor<16x32x1xf32>
    %cst_67 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %232 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %233 = stablehlo.multiply %232, %231 : tensor<16x32x1xf32>
    %234 = stablehlo.broadcast_in_dim %230, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %235 = stablehlo.multiply %222, %234 : tensor<16x32x64xf32>
    %236 = stablehlo.dot_general %235, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x256xf32>) -> tensor<16x32x256xf32>
    %237 = stablehlo.multiply %236, %236 : tensor<16x32x256xf32>
    %238 = stablehlo.multiply %237, %236 : tensor<16x32x256xf32>
    %239 = stablehlo.multiply %236, %236 : tensor<16x32x256xf32>
    %cst_68 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %240 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %241 = stablehlo.multiply %240, %239 : tensor<16x32x256xf32>
    %cst_69 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %242 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %243 = stablehlo.multiply %242, %238 : tensor<16x32x256xf32>
    %244 = stablehlo.add %236, %243 : tensor<16x32x256xf32>
    %cst_70 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %245 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %246 = stablehlo.multiply %245, %244 : tensor<16x32x256xf32>
    %247 = stablehlo.tanh %246 : tensor<16x32x256xf32>
    %cst_71 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %248 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %249 = stablehlo.subtract %248, %247 : tensor<16x32x256xf32>
    %cst_72 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %250 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %251 = stablehlo.add %250, %247 : tensor<16x32x256xf32>
    %cst_73 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %252 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %253 = stablehlo.multiply %252, %251 : tensor<16x32x256xf32>
    %254 = stablehlo.multiply %236, %253 : tensor<16x32x256xf32>
    %255 = stablehlo.dot_general %254, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<256x64xf32>) -> tensor<16x32x64xf32>
    %256 = stablehlo.add %216, %255 : tensor<16x32x64xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %257 = stablehlo.reduce(%256 init: %cst_74) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %258 = stablehlo.broadcast_in_dim %257, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_75 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %259 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %260 = stablehlo.divide %258, %259 : tensor<16x32x1xf32>
    %261 = stablehlo.broadcast_in_dim %260, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %262 = stablehlo.subtract %256, %261 : tensor<16x32x64xf32>
    %263 = stablehlo.multiply %262, %262 : tensor<16x32x64xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %264 = stablehlo.reduce(%263 init: %cst_76) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %265 = stablehlo.broadcast_in_dim %264, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_77 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %266 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %267 = stablehlo.divide %265, %266 : tensor<16x32x1xf32>
    %cst_78 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %268 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %269 = stablehlo.add %267, %268 : tensor<16x32x1xf32>
    %270 = stablehlo.rsqrt %269 : tensor<16x32x1xf32>
    %271 = stablehlo.divide %270, %269 : tensor<16x32x1xf32>
    %cst_79 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %272 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %273 = stablehlo.multiply %272, %271 : tensor<16x32x1xf32>
    %274 = stablehlo.broadcast_in_dim %270, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %275 = stablehlo.multiply %262, %274 : tensor<16x32x64xf32>
    %276 = stablehlo.dot_general %275, %arg15, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %277 = stablehlo.reduce(%256 init: %cst_80) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %278 = stablehlo.broadcast_in_dim %277, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_81 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %279 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %280 = stablehlo.divide %278, %279 : tensor<16x32x1xf32>
    %281 = stablehlo.broadcast_in_dim %280, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %282 = stablehlo.subtract %256, %281 : tensor<16x32x64xf32>
    %283 = stablehlo.multiply %282, %282 : tensor<16x32x64xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %284 = stablehlo.reduce(%283 init: %cst_82) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %285 = stablehlo.broadcast_in_dim %284, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_83 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %286 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %287 = stablehlo.divide %285, %286 : tensor<16x32x1xf32>
    %cst_84 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %288 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %289 = stablehlo.add %287, %288 : tensor<16x32x1xf32>
    %290 = stablehlo.rsqrt %289 : tensor<16x32x1xf32>
    %291 = stablehlo.divide %290, %289 : tensor<16x32x1xf32>
    %cst_85 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %292 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %293 = stablehlo.multiply %292, %291 : tensor<16x32x1xf32>
    %294 = stablehlo.broadcast_in_dim %290, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %295 = stablehlo.multiply %282, %294 : tensor<16x32x64xf32>
    %296 = stablehlo.dot_general %295, %arg13, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %297 = stablehlo.reduce(%256 init: %cst_86) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %298 = stablehlo.broadcast_in_dim %297, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_87 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %299 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %300 = stablehlo.divide %298, %299 : tensor<16x32x1xf32>
    %301 = stablehlo.broadcast_in_dim %300, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %302 = stablehlo.subtract %256, %301 : tensor<16x32x64xf32>
    %303 = stablehlo.multiply %302, %302 : tensor<16x32x64xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %304 = stablehlo.reduce(%303 init: %cst_88) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %305 = stablehlo.broadcast_in_dim %304, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_89 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %306 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %307 = stablehlo.divide %305, %306 : tensor<16x32x1xf32>
    %cst_90 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %308 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %309 = stablehlo.add %307, %308 : tensor<16x32x1xf32>
    %310 = stablehlo.rsqrt %309 : tensor<16x32x1xf32>
    %311 = stablehlo.divide %310, %309 : tensor<16x32x1xf32>
    %cst_91 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %312 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %313 = stablehlo.multiply %312, %311 : tensor<16x32x1xf32>
    %314 = stablehlo.broadcast_in_dim %310, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %315 = stablehlo.multiply %302, %314 : tensor<16x32x64xf32>
    %316 = stablehlo.dot_general %315, %arg17, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %317 = stablehlo.dot_general %276, %296, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x32xf32>
    %cst_92 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %318 = stablehlo.sqrt %cst_92 : tensor<f32>
    %319 = stablehlo.convert %318 : tensor<f32>
    %320 = stablehlo.broadcast_in_dim %319, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %321 = stablehlo.divide %317, %320 : tensor<16x4x32x32xf32>
    %c_93 = stablehlo.constant dense<true> : tensor<i1>
    %322 = stablehlo.broadcast_in_dim %c_93, dims = [] : (tensor<i1>) -> tensor<32x32xi1>
    %323 = call @tril(%322) : (tensor<32x32xi1>) -> tensor<32x32xi1>
    %cst_94 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %324:2 = call @_where(%323, %321, %cst_94) : (tensor<32x32xi1>, tensor<16x4x32x32xf32>, tensor<f32>) -> (tensor<16x4x32x32xf32>, tensor<16x4x32x32xi1>)
    %cst_95 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %325 = stablehlo.reduce(%324#0 init: %cst_95) applies stablehlo.maximum across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %cst_96 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %326 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<16x4x32xf32>
    %327 = stablehlo.maximum %326, %325 : tensor<16x4x32xf32>
    %328 = stablehlo.broadcast_in_dim %327, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %329 = stablehlo.broadcast_in_dim %328, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %330 = stablehlo.subtract %324#0, %329 : tensor<16x4x32x32xf32>
    %331 = stablehlo.exponential %330 : tensor<16x4x32x32xf32>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %332 = stablehlo.reduce(%331 init: %cst_97) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %333 = stablehlo.broadcast_in_dim %332, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %334 = stablehlo.broadcast_in_dim %333, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %335 = stablehlo.divide %331, %334 : tensor<16x4x32x32xf32>
    %336 = stablehlo.multiply %333, %333 : tensor<16x4x32x1xf32>
    %cst_98 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %337 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<16x4x32x1xf32>
    %338 = stablehlo.divide %337, %336 : tensor<16x4x32x1xf32>
    %339 = stablehlo.dot_general %316, %335, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x4x32x32xf32>) -> tensor<16x4x16x32xf32>
    %340 = stablehlo.dot_general %339, %arg14, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<4x16x64xf32>) -> tensor<16x32x64xf32>
    %341 = stablehlo.add %256, %340 : tensor<16x32x64xf32>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %342 = stablehlo.reduce(%341 init: %cst_99) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %343 = stablehlo.broadcast_in_dim %342, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_100 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %344 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %345 = stablehlo.divide %343, %344 : tensor<16x32x1xf32>
    %346 = stablehlo.broadcast_in_dim %345, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %347 = stablehlo.subtract %341, %346 : tensor<16x32x64xf32>
    %348 = stablehlo.multiply %347, %347 : tensor<16x32x64xf32>
    %cst_101 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %349 = stablehlo.reduce(%348 init: %cst_101) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %350 = stablehlo.broadcast_in_dim %349, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_102 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %351 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %352 = stablehlo.divide %350, %351 : tensor<16x32x1xf32>
    %cst_103 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %353 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %354 = stablehlo.add %352, %353 : tensor<16x32x1xf32>
    %355 = stablehlo.rsqrt %354 : tensor<16x32x1xf32>
    %356 = stablehlo.divide %355, %354 : tensor<16x32x1xf32>
    %cst_104 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %357 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %358 = stablehlo.multiply %357, %356 : tensor<16x32x1xf32>
    %359 = stablehlo.broadcast_in_dim %355, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %360 = stablehlo.multiply %347, %359 : tensor<16x32x64xf32>
    %361 = stablehlo.dot_general %360, %arg16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x256xf32>) -> tensor<16x32x256xf32>
    %362 = stablehlo.multiply %361, %361 : tensor<16x32x256xf32>
    %363 = stablehlo.multiply %362, %361 : tensor<16x32x256xf32>
    %364 = stablehlo.multiply %361, %361 : tensor<16x32x256xf32>
    %cst_105 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %365 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %366 = stablehlo.multiply %365, %364 : tensor<16x32x256xf32>
    %cst_106 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %367 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %368 = stablehlo.multiply %367, %363 : tensor<16x32x256xf32>
    %369 = stablehlo.add %361, %368 : tensor<16x32x256xf32>
    %cst_107 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %370 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %371 = stablehlo.multiply %370, %369 : tensor<16x32x256xf32>
    %372 = stablehlo.tanh %371 : tensor<16x32x256xf32>
    %cst_108 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %373 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %374 = stablehlo.subtract %373, %372 : tensor<16x32x256xf32>
    %cst_109 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %375 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %376 = stablehlo.add %375, %372 : tensor<16x32x256xf32>
    %cst_110 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %377 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %378 = stablehlo.multiply %377, %376 : tensor<16x32x256xf32>
    %379 = stablehlo.multiply %361, %378 : tensor<16x32x256xf32>
    %380 = stablehlo.dot_general %379, %arg12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<256x64xf32>) -> tensor<16x32x64xf32>
    %381 = stablehlo.add %341, %380 : tensor<16x32x64xf32>
    %cst_111 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %382 = stablehlo.reduce(%381 init: %cst_111) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %383 = stablehlo.broadcast_in_dim %382, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_112 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %384 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %385 = stablehlo.divide %383, %384 : tensor<16x32x1xf32>
    %386 = stablehlo.broadcast_in_dim %385, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %387 = stablehlo.subtract %381, %386 : tensor<16x32x64xf32>
    %388 = stablehlo.multiply %387, %387 : tensor<16x32x64xf32>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %389 = stablehlo.reduce(%388 init: %cst_113) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %390 = stablehlo.broadcast_in_dim %389, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_114 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %391 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %392 = stablehlo.divide %390, %391 : tensor<16x32x1xf32>
    %cst_115 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %393 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %394 = stablehlo.add %392, %393 : tensor<16x32x1xf32>
    %395 = stablehlo.rsqrt %394 : tensor<16x32x1xf32>
    %396 = stablehlo.divide %395, %394 : tensor<16x32x1xf32>
    %cst_116 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %397 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %398 = stablehlo.multiply %397, %396 : tensor<16x32x1xf32>
    %399 = stablehlo.broadcast_in_dim %395, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %400 = stablehlo.multiply %387, %399 : tensor<16x32x64xf32>
    %401 = stablehlo.dot_general %400, %arg21, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %402 = stablehlo.reduce(%381 init: %cst_117) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %403 = stablehlo.broadcast_in_dim %402, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_118 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %404 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %405 = stablehlo.divide %403, %404 : tensor<16x32x1xf32>
    %406 = stablehlo.broadcast_in_dim %405, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %407 = stablehlo.subtract %381, %406 : tensor<16x32x64xf32>
    %408 = stablehlo.multiply %407, %407 : tensor<16x32x64xf32>
    %cst_119 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %409 = stablehlo.reduce(%408 init: %cst_119) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %410 = stablehlo.broadcast_in_dim %409, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_120 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %411 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %412 = stablehlo.divide %410, %411 : tensor<16x32x1xf32>
    %cst_121 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %413 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %414 = stablehlo.add %412, %413 : tensor<16x32x1xf32>
    %415 = stablehlo.rsqrt %414 : tensor<16x32x1xf32>
    %416 = stablehlo.divide %415, %414 : tensor<16x32x1xf32>
    %cst_122 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %417 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %418 = stablehlo.multiply %417, %416 : tensor<16x32x1xf32>
    %419 = stablehlo.broadcast_in_dim %415, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %420 = stablehlo.multiply %407, %419 : tensor<16x32x64xf32>
    %421 = stablehlo.dot_general %420, %arg19, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %cst_123 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %422 = stablehlo.reduce(%381 init: %cst_123) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %423 = stablehlo.broadcast_in_dim %422, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_124 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %424 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %425 = stablehlo.divide %423, %424 : tensor<16x32x1xf32>
    %426 = stablehlo.broadcast_in_dim %425, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %427 = stablehlo.subtract %381, %426 : tensor<16x32x64xf32>
    %428 = stablehlo.multiply %427, %427 : tensor<16x32x64xf32>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %429 = stablehlo.reduce(%428 init: %cst_125) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %430 = stablehlo.broadcast_in_dim %429, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_126 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %431 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %432 = stablehlo.divide %430, %431 : tensor<16x32x1xf32>
    %cst_127 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %433 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %434 = stablehlo.add %432, %433 : tensor<16x32x1xf32>
    %435 = stablehlo.rsqrt %434 : tensor<16x32x1xf32>
    %436 = stablehlo.divide %435, %434 : tensor<16x32x1xf32>
    %cst_128 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %437 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %438 = stablehlo.multiply %437, %436 : tensor<16x32x1xf32>
    %439 = stablehlo.broadcast_in_dim %435, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %440 = stablehlo.multiply %427, %439 : tensor<16x32x64xf32>
    %441 = stablehlo.dot_general %440, %arg23, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %442 = stablehlo.dot_general %401, %421, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x32xf32>
    %cst_129 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %443 = stablehlo.sqrt %cst_129 : tensor<f32>
    %444 = stablehlo.convert %443 : tensor<f32>
    %445 = stablehlo.broadcast_in_dim %444, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %446 = stablehlo.divide %442, %445 : tensor<16x4x32x32xf32>
    %c_130 = stablehlo.constant dense<true> : tensor<i1>
    %447 = stablehlo.broadcast_in_dim %c_130, dims = [] : (tensor<i1>) -> tensor<32x32xi1>
    %448 = call @tril(%447) : (tensor<32x32xi1>) -> tensor<32x32xi1>
    %cst_131 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %449:2 = call @_where(%448, %446, %cst_131) : (tensor<32x32xi1>, tensor<16x4x32x32xf32>, tensor<f32>) -> (tensor<16x4x32x32xf32>, tensor<16x4x32x32xi1>)
    %cst_132 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %450 = stablehlo.reduce(%449#0 init: %cst_132) applies stablehlo.maximum across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %cst_133 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %451 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<16x4x32xf32>
    %452 = stablehlo.maximum %451, %450 : tensor<16x4x32xf32>
    %453 = stablehlo.broadcast_in_dim %452, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %454 = stablehlo.broadcast_in_dim %453, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %455 = stablehlo.subtract %449#0, %454 : tensor<16x4x32x32xf32>
    %456 = stablehlo.exponential %455 : tensor<16x4x32x32xf32>
    %cst_134 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %457 = stablehlo.reduce(%456 init: %cst_134) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %458 = stablehlo.broadcast_in_dim %457, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %459 = stablehlo.broadcast_in_dim %458, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %460 = stablehlo.divide %456, %459 : tensor<16x4x32x32xf32>
    %461 = stablehlo.multiply %458, %458 : tensor<16x4x32x1xf32>
    %cst_135 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %462 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<16x4x32x1xf32>
    %463 = stablehlo.divide %462, %461 : tensor<16x4x32x1xf32>
    %464 = stablehlo.dot_general %441, %460, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x4x32x32xf32>) -> tensor<16x4x16x32xf32>
    %465 = stablehlo.dot_general %464, %arg20, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<4x16x64xf32>) -> tensor<16x32x64xf32>
    %466 = stablehlo.add %381, %465 : tensor<16x32x64xf32>
    %cst_136 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %467 = stablehlo.reduce(%466 init: %cst_136) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %468 = stablehlo.broadcast_in_dim %467, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_137 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %469 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %470 = stablehlo.divide %468, %469 : tensor<16x32x1xf32>
    %471 = stablehlo.broadcast_in_dim %470, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %472 = stablehlo.subtract %466, %471 : tensor<16x32x64xf32>
    %473 = stablehlo.multiply %472, %472 : tensor<16x32x64xf32>
    %cst_138 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %474 = stablehlo.reduce(%473 init: %cst_138) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %475 = stablehlo.broadcast_in_dim %474, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_139 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %476 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %477 = stablehlo.divide %475, %476 : tensor<16x32x1xf32>
    %cst_140 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %478 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %479 = stablehlo.add %477, %478 : tensor<16x32x1xf32>
    %480 = stablehlo.rsqrt %479 : tensor<16x32x1xf32>
    %481 = stablehlo.divide %480, %479 : tensor<16x32x1xf32>
    %cst_141 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %482 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %483 = stablehlo.multiply %482, %481 : tensor<16x32x1xf32>
    %484 = stablehlo.broadcast_in_dim %480, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %485 = stablehlo.multiply %472, %484 : tensor<16x32x64xf32>
    %486 = stablehlo.dot_general %485, %arg22, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x256xf32>) -> tensor<16x32x256xf32>
    %487 = stablehlo.multiply %486, %486 : tensor<16x32x256xf32>
    %488 = stablehlo.multiply %487, %486 : tensor<16x32x256xf32>
    %489 = stablehlo.multiply %486, %486 : tensor<16x32x256xf32>
    %cst_142 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %490 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %491 = stablehlo.multiply %490, %489 : tensor<16x32x256xf32>
    %cst_143 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %492 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %493 = stablehlo.multiply %492, %488 : tensor<16x32x256xf32>
    %494 = stablehlo.add %486, %493 : tensor<16x32x256xf32>
    %cst_144 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %495 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %496 = stablehlo.multiply %495, %494 : tensor<16x32x256xf32>
    %497 = stablehlo.tanh %496 : tensor<16x32x256xf32>
    %cst_145 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %498 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %499 = stablehlo.subtract %498, %497 : tensor<16x32x256xf32>
    %cst_146 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %500 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %501 = stablehlo.add %500, %497 : tensor<16x32x256xf32>
    %cst_147 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %502 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %503 = stablehlo.multiply %502, %501 : tensor<16x32x256xf32>
    %504 = stablehlo.multiply %486, %503 : tensor<16x32x256xf32>
    %505 = stablehlo.dot_general %504, %arg18, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<256x64xf32>) -> tensor<16x32x64xf32>
    %506 = stablehlo.add %466, %505 : tensor<16x32x64xf32>
    %507 = stablehlo.transpose %arg24, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %508 = stablehlo.dot_general %506, %507, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x64xf32>) -> tensor<16x32x64xf32>
    %509:3 = call @log_softmax(%508) : (tensor<16x32x64xf32>) -> (tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>)
    %510 = stablehlo.broadcast_in_dim %arg26, dims = [0, 1] : (tensor<16x32xi32>) -> tensor<16x32x1xi32>
    %511:2 = call @take_along_axis(%509#0, %510) : (tensor<16x32x64xf32>, tensor<16x32x1xi32>) -> (tensor<16x32x1xf32>, tensor<16x32x1x1xi32>)
    %cst_148 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %512 = stablehlo.reduce(%511#0 init: %cst_148) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_149 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %513 = stablehlo.divide %512, %cst_149 : tensor<f32>
    %514 = stablehlo.negate %513 : tensor<f32>
    %cst_150 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %515 = stablehlo.negate %cst_150 : tensor<f32>
    %cst_151 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %516 = stablehlo.divide %515, %cst_151 : tensor<f32>
    %517 = stablehlo.broadcast_in_dim %516, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %518 = call @take_along_axis_0(%511#1, %517) : (tensor<16x32x1x1xi32>, tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %519 = call @log_softmax_1(%509#1, %509#2, %518) : (tensor<16x32x64xf32>, tensor<16x32x1xf32>, tensor<16x32x64xf32>) -> tensor<16x32x64xf32>
    %520 = stablehlo.dot_general %519, %506, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<16x32x64xf32>) -> tensor<64x64xf32>
    %521 = stablehlo.transpose %520, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %522 = stablehlo.dot_general %519, %507, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x64xf32>) -> tensor<16x32x64xf32>
    %523 = stablehlo.transpose %521, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %524 = stablehlo.dot_general %522, %504, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<16x32x256xf32>) -> tensor<64x256xf32>
    %525 = stablehlo.transpose %524, dims = [1, 0] : (tensor<64x256xf32>) -> tensor<256x64xf32>
    %526 = stablehlo.dot_general %522, %arg18, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<256x64xf32>) -> tensor<16x32x256xf32>
    %527 = stablehlo.multiply %486, %526 : tensor<16x32x256xf32>
    %528 = stablehlo.multiply %526, %503 : tensor<16x32x256xf32>
    %cst_152 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %529 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %530 = stablehlo.multiply %529, %527 : tensor<16x32x256xf32>
    %531 = stablehlo.multiply %530, %499 : tensor<16x32x256xf32>
    %532 = stablehlo.multiply %531, %497 : tensor<16x32x256xf32>
    %533 = stablehlo.add %531, %532 : tensor<16x32x256xf32>
    %cst_153 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %534 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %535 = stablehlo.multiply %534, %533 : tensor<16x32x256xf32>
    %536 = stablehlo.add %528, %535 : tensor<16x32x256xf32>
    %cst_154 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %537 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %538 = stablehlo.multiply %537, %535 : tensor<16x32x256xf32>
    %539 = stablehlo.multiply %538, %491 : tensor<16x32x256xf32>
    %540 = stablehlo.add %536, %539 : tensor<16x32x256xf32>
    %541 = stablehlo.dot_general %540, %485, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<16x32x64xf32>) -> tensor<256x64xf32>
    %542 = stablehlo.transpose %541, dims = [1, 0] : (tensor<256x64xf32>) -> tensor<64x256xf32>
    %543 = stablehlo.dot_general %540, %arg22, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<64x256xf32>) -> tensor<16x32x64xf32>
    %544 = stablehlo.multiply %472, %543 : tensor<16x32x64xf32>
    %cst_155 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %545 = stablehlo.reduce(%544 init: %cst_155) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %546 = stablehlo.reshape %545 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %547 = stablehlo.broadcast_in_dim %480, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %548 = stablehlo.multiply %543, %547 : tensor<16x32x64xf32>
    %549 = stablehlo.multiply %546, %483 : tensor<16x32x1xf32>
    %cst_156 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %550 = stablehlo.broadcast_in_dim %cst_156, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %551 = stablehlo.divide %549, %550 : tensor<16x32x1xf32>
    %cst_157 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %552 = stablehlo.reduce(%551 init: %cst_157) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %553 = stablehlo.broadcast_in_dim %552, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %554 = stablehlo.multiply %472, %553 : tensor<16x32x64xf32>
    %555 = stablehlo.add %548, %554 : tensor<16x32x64xf32>
    %556 = stablehlo.multiply %553, %472 : tensor<16x32x64xf32>
    %557 = stablehlo.add %555, %556 : tensor<16x32x64xf32>
    %558 = stablehlo.negate %557 : tensor<16x32x64xf32>
    %cst_158 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %559 = stablehlo.reduce(%558 init: %cst_158) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %560 = stablehlo.reshape %559 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %561 = stablehlo.add %522, %557 : tensor<16x32x64xf32>
    %cst_159 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %562 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %563 = stablehlo.divide %560, %562 : tensor<16x32x1xf32>
    %cst_160 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %564 = stablehlo.reduce(%563 init: %cst_160) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %565 = stablehlo.broadcast_in_dim %564, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %566 = stablehlo.add %561, %565 : tensor<16x32x64xf32>
    %567 = stablehlo.dot_general %566, %464, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<16x4x16x32xf32>) -> tensor<64x4x16xf32>
    %568 = stablehlo.transpose %567, dims = [1, 2, 0] : (tensor<64x4x16xf32>) -> tensor<4x16x64xf32>
    %569 = stablehlo.dot_general %566, %arg20, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<4x16x64xf32>) -> tensor<16x32x4x16xf32>
    %570 = stablehlo.transpose %569, dims = [0, 2, 3, 1] : (tensor<16x32x4x16xf32>) -> tensor<16x4x16x32xf32>
    %571 = stablehlo.dot_general %570, %441, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x32xf32>
    %572 = stablehlo.dot_general %570, %460, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<16x4x32x32xf32>) -> tensor<16x4x16x32xf32>
    %573 = stablehlo.transpose %572, dims = [0, 3, 1, 2] : (tensor<16x4x16x32xf32>) -> tensor<16x32x4x16xf32>
    %574 = stablehlo.broadcast_in_dim %463, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %575 = stablehlo.multiply %571, %574 : tensor<16x4x32x32xf32>
    %576 = stablehlo.multiply %575, %456 : tensor<16x4x32x32xf32>
    %cst_161 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %577 = stablehlo.reduce(%576 init: %cst_161) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %578 = stablehlo.reshape %577 : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %579 = stablehlo.negate %578 : tensor<16x4x32x1xf32>
    %580 = stablehlo.broadcast_in_dim %458, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %581 = stablehlo.divide %571, %580 : tensor<16x4x32x32xf32>
    %cst_162 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %582 = stablehlo.reduce(%579 init: %cst_162) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x1xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %583 = stablehlo.broadcast_in_dim %582, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x32xf32>
    %584 = stablehlo.add %581, %583 : tensor<16x4x32x32xf32>
    %585 = stablehlo.multiply %584, %456 : tensor<16x4x32x32xf32>
    %586 = call @_where_2(%449#1, %585) : (tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>) -> tensor<16x4x32x32xf32>
    %587 = stablehlo.broadcast_in_dim %444, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %588 = stablehlo.divide %586, %587 : tensor<16x4x32x32xf32>
    %589 = stablehlo.dot_general %588, %401, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x4x32x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x16xf32>
    %590 = stablehlo.transpose %589, dims = [0, 2, 1, 3] : (tensor<16x4x32x16xf32>) -> tensor<16x32x4x16xf32>
    %591 = stablehlo.dot_general %588, %421, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x4x32x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x16xf32>
    %592 = stablehlo.transpose %591, dims = [0, 2, 1, 3] : (tensor<16x4x32x16xf32>) -> tensor<16x32x4x16xf32>
    %593 = stablehlo.dot_general %573, %440, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %594 = stablehlo.transpose %593, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %595 = stablehlo.dot_general %573, %arg23, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %596 = stablehlo.multiply %427, %595 : tensor<16x32x64xf32>
    %cst_163 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %597 = stablehlo.reduce(%596 init: %cst_163) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %598 = stablehlo.reshape %597 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %599 = stablehlo.broadcast_in_dim %435, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %600 = stablehlo.multiply %595, %599 : tensor<16x32x64xf32>
    %601 = stablehlo.multiply %598, %438 : tensor<16x32x1xf32>
    %cst_164 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %602 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %603 = stablehlo.divide %601, %602 : tensor<16x32x1xf32>
    %cst_165 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %604 = stablehlo.reduce(%603 init: %cst_165) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %605 = stablehlo.broadcast_in_dim %604, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %606 = stablehlo.multiply %427, %605 : tensor<16x32x64xf32>
    %607 = stablehlo.add %600, %606 : tensor<16x32x64xf32>
    %608 = stablehlo.multiply %605, %427 : tensor<16x32x64xf32>
    %609 = stablehlo.add %607, %608 : tensor<16x32x64xf32>
    %610 = stablehlo.negate %609 : tensor<16x32x64xf32>
    %cst_166 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %611 = stablehlo.reduce(%610 init: %cst_166) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %612 = stablehlo.reshape %611 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %613 = stablehlo.add %566, %609 : tensor<16x32x64xf32>
    %cst_167 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %614 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %615 = stablehlo.divide %612, %614 : tensor<16x32x1xf32>
    %cst_168 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %616 = stablehlo.reduce(%615 init: %cst_168) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %617 = stablehlo.broadcast_in_dim %616, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %618 = stablehlo.add %613, %617 : tensor<16x32x64xf32>
    %619 = stablehlo.dot_general %590, %420, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %620 = stablehlo.transpose %619, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %621 = stablehlo.dot_general %590, %arg19, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %622 = stablehlo.multiply %407, %621 : tensor<16x32x64xf32>
    %cst_169 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %623 = stablehlo.reduce(%622 init: %cst_169) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %624 = stablehlo.reshape %623 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %625 = stablehlo.broadcast_in_dim %415, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %626 = stablehlo.multiply %621, %625 : tensor<16x32x64xf32>
    %627 = stablehlo.multiply %624, %418 : tensor<16x32x1xf32>
    %cst_170 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %628 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %629 = stablehlo.divide %627, %628 : tensor<16x32x1xf32>
    %cst_171 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %630 = stablehlo.reduce(%629 init: %cst_171) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %631 = stablehlo.broadcast_in_dim %630, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %632 = stablehlo.multiply %407, %631 : tensor<16x32x64xf32>
    %633 = stablehlo.add %626, %632 : tensor<16x32x64xf32>
    %634 = stablehlo.multiply %631, %407 : tensor<16x32x64xf32>
    %635 = stablehlo.add %633, %634 : tensor<16x32x64xf32>
    %636 = stablehlo.negate %635 : tensor<16x32x64xf32>
    %cst_172 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %637 = stablehlo.reduce(%636 init: %cst_172) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %638 = stablehlo.reshape %637 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %639 = stablehlo.add %618, %635 : tensor<16x32x64xf32>
    %cst_173 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %640 = stablehlo.broadcast_in_dim %cst_173, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %641 = stablehlo.divide %638, %640 : tensor<16x32x1xf32>
    %cst_174 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %642 = stablehlo.reduce(%641 init: %cst_174) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %643 = stablehlo.broadcast_in_dim %642, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %644 = stablehlo.add %639, %643 : tensor<16x32x64xf32>
    %645 = stablehlo.dot_general %592, %400, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %646 = stablehlo.transpose %645, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %647 = stablehlo.dot_general %592, %arg21, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %648 = stablehlo.multiply %387, %647 : tensor<16x32x64xf32>
    %cst_175 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %649 = stablehlo.reduce(%648 init: %cst_175) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %650 = stablehlo.reshape %649 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %651 = stablehlo.broadcast_in_dim %395, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %652 = stablehlo.multiply %647, %651 : tensor<16x32x64xf32>
    %653 = stablehlo.multiply %650, %398 : tensor<16x32x1xf32>
    %cst_176 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %654 = stablehlo.broadcast_in_dim %cst_176, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %655 = stablehlo.divide %653, %654 : tensor<16x32x1xf32>
    %cst_177 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %656 = stablehlo.reduce(%655 init: %cst_177) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %657 = stablehlo.broadcast_in_dim %656, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %658 = stablehlo.multiply %387, %657 : tensor<16x32x64xf32>
    %659 = stablehlo.add %652, %658 : tensor<16x32x64xf32>
    %660 = stablehlo.multiply %657, %387 : tensor<16x32x64xf32>
    %661 = stablehlo.add %659, %660 : tensor<16x32x64xf32>
    %662 = stablehlo.negate %661 : tensor<16x32x64xf32>
    %cst_178 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %663 = stablehlo.reduce(%662 init: %cst_178) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %664 = stablehlo.reshape %663 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %665 = stablehlo.add %644, %661 : tensor<16x32x64xf32>
    %cst_179 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %666 = stablehlo.broadcast_in_dim %cst_179, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %667 = stablehlo.divide %664, %666 : tensor<16x32x1xf32>
    %cst_180 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %668 = stablehlo.reduce(%667 init: %cst_180) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %669 = stablehlo.broadcast_in_dim %668, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %670 = stablehlo.add %665, %669 : tensor<16x32x64xf32>
    %671 = stablehlo.dot_general %670, %379, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<16x32x256xf32>) -> tensor<64x256xf32>
    %672 = stablehlo.transpose %671, dims = [1, 0] : (tensor<64x256xf32>) -> tensor<256x64xf32>
    %673 = stablehlo.dot_general %670, %arg12, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<256x64xf32>) -> tensor<16x32x256xf32>
    %674 = stablehlo.multiply %361, %673 : tensor<16x32x256xf32>
    %675 = stablehlo.multiply %673, %378 : tensor<16x32x256xf32>
    %cst_181 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %676 = stablehlo.broadcast_in_dim %cst_181, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %677 = stablehlo.multiply %676, %674 : tensor<16x32x256xf32>
    %678 = stablehlo.multiply %677, %374 : tensor<16x32x256xf32>
    %679 = stablehlo.multiply %678, %372 : tensor<16x32x256xf32>
    %680 = stablehlo.add %678, %679 : tensor<16x32x256xf32>
    %cst_182 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %681 = stablehlo.broadcast_in_dim %cst_182, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %682 = stablehlo.multiply %681, %680 : tensor<16x32x256xf32>
    %683 = stablehlo.add %675, %682 : tensor<16x32x256xf32>
    %cst_183 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %684 = stablehlo.broadcast_in_dim %cst_183, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %685 = stablehlo.multiply %684, %682 : tensor<16x32x256xf32>
    %686 = stablehlo.multiply %685, %366 : tensor<16x32x256xf32>
    %687 = stablehlo.add %683, %686 : tensor<16x32x256xf32>
    %688 = stablehlo.dot_general %687, %360, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<16x32x64xf32>) -> tensor<256x64xf32>
    %689 = stablehlo.transpose %688, dims = [1, 0] : (tensor<256x64xf32>) -> tensor<64x256xf32>
    %690 = stablehlo.dot_general %687, %arg16, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<64x256xf32>) -> tensor<16x32x64xf32>
    %691 = stablehlo.multiply %347, %690 : tensor<16x32x64xf32>
    %cst_184 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %692 = stablehlo.reduce(%691 init: %cst_184) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %693 = stablehlo.reshape %692 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %694 = stablehlo.broadcast_in_dim %355, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %695 = stablehlo.multiply %690, %694 : tensor<16x32x64xf32>
    %696 = stablehlo.multiply %693, %358 : tensor<16x32x1xf32>
    %cst_185 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %697 = stablehlo.broadcast_in_dim %cst_185, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %698 = stablehlo.divide %696, %697 : tensor<16x32x1xf32>
    %cst_186 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %699 = stablehlo.reduce(%698 init: %cst_186) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %700 = stablehlo.broadcast_in_dim %699, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %701 = stablehlo.multiply %347, %700 : tensor<16x32x64xf32>
    %702 = stablehlo.add %695, %701 : tensor<16x32x64xf32>
    %703 = stablehlo.multiply %700, %347 : tensor<16x32x64xf32>
    %704 = stablehlo.add %702, %703 : tensor<16x32x64xf32>
    %705 = stablehlo.negate %704 : tensor<16x32x64xf32>
    %cst_187 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %706 = stablehlo.reduce(%705 init: %cst_187) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %707 = stablehlo.reshape %706 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %708 = stablehlo.add %670, %704 : tensor<16x32x64xf32>
    %cst_188 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %709 = stablehlo.broadcast_in_dim %cst_188, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %710 = stablehlo.divide %707, %709 : tensor<16x32x1xf32>
    %cst_189 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %711 = stablehlo.reduce(%710 init: %cst_189) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %712 = stablehlo.broadcast_in_dim %711, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %713 = stablehlo.add %708, %712 : tensor<16x32x64xf32>
    %714 = stablehlo.dot_general %713, %339, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<16x4x16x32xf32>) -> tensor<64x4x16xf32>
    %715 = stablehlo.transpose %714, dims = [1, 2, 0] : (tensor<64x4x16xf32>) -> tensor<4x16x64xf32>
    %716 = stablehlo.dot_general %713, %arg14, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<4x16x64xf32>) -> tensor<16x32x4x16xf32>
    %717 = stablehlo.transpose %716, dims = [0, 2, 3, 1] : (tensor<16x32x4x16xf32>) -> tensor<16x4x16x32xf32>
    %718 = stablehlo.dot_general %717, %316, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x32xf32>
    %719 = stablehlo.dot_general %717, %335, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<16x4x32x32xf32>) -> tensor<16x4x16x32xf32>
    %720 = stablehlo.transpose %719, dims = [0, 3, 1, 2] : (tensor<16x4x16x32xf32>) -> tensor<16x32x4x16xf32>
    %721 = stablehlo.broadcast_in_dim %338, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %722 = stablehlo.multiply %718, %721 : tensor<16x4x32x32xf32>
    %723 = stablehlo.multiply %722, %331 : tensor<16x4x32x32xf32>
    %cst_190 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %724 = stablehlo.reduce(%723 init: %cst_190) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %725 = stablehlo.reshape %724 : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %726 = stablehlo.negate %725 : tensor<16x4x32x1xf32>
    %727 = stablehlo.broadcast_in_dim %333, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %728 = stablehlo.divide %718, %727 : tensor<16x4x32x32xf32>
    %cst_191 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %729 = stablehlo.reduce(%726 init: %cst_191) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x1xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %730 = stablehlo.broadcast_in_dim %729, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x32xf32>
    %731 = stablehlo.add %728, %730 : tensor<16x4x32x32xf32>
    %732 = stablehlo.multiply %731, %331 : tensor<16x4x32x32xf32>
    %733 = call @_where_2(%324#1, %732) : (tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>) -> tensor<16x4x32x32xf32>
    %734 = stablehlo.broadcast_in_dim %319, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %735 = stablehlo.divide %733, %734 : tensor<16x4x32x32xf32>
    %736 = stablehlo.dot_general %735, %276, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x4x32x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x16xf32>
    %737 = stablehlo.transpose %736, dims = [0, 2, 1, 3] : (tensor<16x4x32x16xf32>) -> tensor<16x32x4x16xf32>
    %738 = stablehlo.dot_general %735, %296, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x4x32x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x16xf32>
    %739 = stablehlo.transpose %738, dims = [0, 2, 1, 3] : (tensor<16x4x32x16xf32>) -> tensor<16x32x4x16xf32>
    %740 = stablehlo.dot_general %720, %315, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %741 = stablehlo.transpose %740, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %742 = stablehlo.dot_general %720, %arg17, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %743 = stablehlo.multiply %302, %742 : tensor<16x32x64xf32>
    %cst_192 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %744 = stablehlo.reduce(%743 init: %cst_192) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %745 = stablehlo.reshape %744 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %746 = stablehlo.broadcast_in_dim %310, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %747 = stablehlo.multiply %742, %746 : tensor<16x32x64xf32>
    %748 = stablehlo.multiply %745, %313 : tensor<16x32x1xf32>
    %cst_193 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %749 = stablehlo.broadcast_in_dim %cst_193, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %750 = stablehlo.divide %748, %749 : tensor<16x32x1xf32>
    %cst_194 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %751 = stablehlo.reduce(%750 init: %cst_194) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %752 = stablehlo.broadcast_in_dim %751, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %753 = stablehlo.multiply %302, %752 : tensor<16x32x64xf32>
    %754 = stablehlo.add %747, %753 : tensor<16x32x64xf32>
    %755 = stablehlo.multiply %752, %302 : tensor<16x32x64xf32>
    %756 = stablehlo.add %754, %755 : tensor<16x32x64xf32>
    %757 = stablehlo.negate %756 : tensor<16x32x64xf32>
    %cst_195 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %758 = stablehlo.reduce(%757 init: %cst_195) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %759 = stablehlo.reshape %758 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %760 = stablehlo.add %713, %756 : tensor<16x32x64xf32>
    %cst_196 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %761 = stablehlo.broadcast_in_dim %cst_196, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %762 = stablehlo.divide %759, %761 : tensor<16x32x1xf32>
    %cst_197 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %763 = stablehlo.reduce(%762 init: %cst_197) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %764 = stablehlo.broadcast_in_dim %763, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %765 = stablehlo.add %760, %764 : tensor<16x32x64xf32>
    %766 = stablehlo.dot_general %737, %295, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %767 = stablehlo.transpose %766, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %768 = stablehlo.dot_general %737, %arg13, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %769 = stablehlo.multiply %282, %768 : tensor<16x32x64xf32>
    %cst_198 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %770 = stablehlo.reduce(%769 init: %cst_198) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %771 = stablehlo.reshape %770 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %772 = stablehlo.broadcast_in_dim %290, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %773 = stablehlo.multiply %768, %772 : tensor<16x32x64xf32>
    %774 = stablehlo.multiply %771, %293 : tensor<16x32x1xf32>
    %cst_199 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %775 = stablehlo.broadcast_in_dim %cst_199, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %776 = stablehlo.divide %774, %775 : tensor<16x32x1xf32>
    %cst_200 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %777 = stablehlo.reduce(%776 init: %cst_200) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %778 = stablehlo.broadcast_in_dim %777, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %779 = stablehlo.multiply %282, %778 : tensor<16x32x64xf32>
    %780 = stablehlo.add %773, %779 : tensor<16x32x64xf32>
    %781 = stablehlo.multiply %778, %282 : tensor<16x32x64xf32>
    %782 = stablehlo.add %780, %781 : tensor<16x32x64xf32>
    %783 = stablehlo.negate %782 : tensor<16x32x64xf32>
    %cst_201 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %784 = stablehlo.reduce(%783 init: %cst_201) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %785 = stablehlo.reshape %784 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %786 = stablehlo.add %765, %782 : tensor<16x32x64xf32>
    %cst_202 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %787 = stablehlo.broadcast_in_dim %cst_202, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %788 = stablehlo.divide %785, %787 : tensor<16x32x1xf32>
    %cst_203 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %789 = stablehlo.reduce(%788 init: %cst_203) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %790 = stablehlo.broadcast_in_dim %789, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %791 = stablehlo.add %786, %790 : tensor<16x32x64xf32>
    %792 = stablehlo.dot_general %739, %275, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %793 = stablehlo.transpose %792, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %794 = stablehlo.dot_general %739, %arg15, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %795 = stablehlo.multiply %262, %794 : tensor<16x32x64xf32>
    %cst_204 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %796 = stablehlo.reduce(%795 init: %cst_204) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %797 = stablehlo.reshape %796 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %798 = stablehlo.broadcast_in_dim %270, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %799 = stablehlo.multiply %794, %798 : tensor<16x32x64xf32>
    %800 = stablehlo.multiply %797, %273 : tensor<16x32x1xf32>
    %cst_205 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %801 = stablehlo.broadcast_in_dim %cst_205, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %802 = stablehlo.divide %800, %801 : tensor<16x32x1xf32>
    %cst_206 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %803 = stablehlo.reduce(%802 init: %cst_206) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %804 = stablehlo.broadcast_in_dim %803, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %805 = stablehlo.multiply %262, %804 : tensor<16x32x64xf32>
    %806 = stablehlo.add %799, %805 : tensor<16x32x64xf32>
    %807 = stablehlo.multiply %804, %262 : tensor<16x32x64xf32>
    %808 = stablehlo.add %806, %807 : tensor<16x32x64xf32>
    %809 = stablehlo.negate %808 : tensor<16x32x64xf32>
    %cst_207 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %810 = stablehlo.reduce(%809 init: %cst_207) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %811 = stablehlo.reshape %810 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %812 = stablehlo.add %791, %808 : tensor<16x32x64xf32>
    %cst_208 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %813 = stablehlo.broadcast_in_dim %cst_208, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %814 = stablehlo.divide %811, %813 : tensor<16x32x1xf32>
    %cst_209 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %815 = stablehlo.reduce(%814 init: %cst_209) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %816 = stablehlo.broadcast_in_dim %815, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %817 = stablehlo.add %812, %816 : tensor<16x32x64xf32>
    %818 = stablehlo.dot_general %817, %254, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<16x32x256xf32>) -> tensor<64x256xf32>
    %819 = stablehlo.transpose %818, dims = [1, 0] : (tensor<64x256xf32>) -> tensor<256x64xf32>
    %820 = stablehlo.dot_general %817, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<256x64xf32>) -> tensor<16x32x256xf32>
    %821 = stablehlo.multiply %236, %820 : tensor<16x32x256xf32>
    %822 = stablehlo.multiply %820, %253 : tensor<16x32x256xf32>
    %cst_210 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %823 = stablehlo.broadcast_in_dim %cst_210, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %824 = stablehlo.multiply %823, %821 : tensor<16x32x256xf32>
    %825 = stablehlo.multiply %824, %249 : tensor<16x32x256xf32>
    %826 = stablehlo.multiply %825, %247 : tensor<16x32x256xf32>
    %827 = stablehlo.add %825, %826 : tensor<16x32x256xf32>
    %cst_211 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %828 = stablehlo.broadcast_in_dim %cst_211, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %829 = stablehlo.multiply %828, %827 : tensor<16x32x256xf32>
    %830 = stablehlo.add %822, %829 : tensor<16x32x256xf32>
    %cst_212 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %831 = stablehlo.broadcast_in_dim %cst_212, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %832 = stablehlo.multiply %831, %829 : tensor<16x32x256xf32>
    %833 = stablehlo.multiply %832, %241 : tensor<16x32x256xf32>
    %834 = stablehlo.add %830, %833 : tensor<16x32x256xf32>
    %835 = stablehlo.dot_general %834, %235, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<16x32x64xf32>) -> tensor<256x64xf32>
    %836 = stablehlo.transpose %835, dims = [1, 0] : (tensor<256x64xf32>) -> tensor<64x256xf32>
    %837 = stablehlo.dot_general %834, %arg10, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<64x256xf32>) -> tensor<16x32x64xf32>
    %838 = stablehlo.multiply %222, %837 : tensor<16x32x64xf32>
    %cst_213 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %839 = stablehlo.reduce(%838 init: %cst_213) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %840 = stablehlo.reshape %839 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %841 = stablehlo.broadcast_in_dim %230, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %842 = stablehlo.multiply %837, %841 : tensor<16x32x64xf32>
    %843 = stablehlo.multiply %840, %233 : tensor<16x32x1xf32>
    %cst_214 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %844 = stablehlo.broadcast_in_dim %cst_214, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %845 = stablehlo.divide %843, %844 : tensor<16x32x1xf32>
    %cst_215 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %846 = stablehlo.reduce(%845 init: %cst_215) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %847 = stablehlo.broadcast_in_dim %846, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %848 = stablehlo.multiply %222, %847 : tensor<16x32x64xf32>
    %849 = stablehlo.add %842, %848 : tensor<16x32x64xf32>
    %850 = stablehlo.multiply %847, %222 : tensor<16x32x64xf32>
    %851 = stablehlo.add %849, %850 : tensor<16x32x64xf32>
    %852 = stablehlo.negate %851 : tensor<16x32x64xf32>
    %cst_216 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %853 = stablehlo.reduce(%852 init: %cst_216) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %854 = stablehlo.reshape %853 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %855 = stablehlo.add %817, %851 : tensor<16x32x64xf32>
    %cst_217 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %856 = stablehlo.broadcast_in_dim %cst_217, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %857 = stablehlo.divide %854, %856 : tensor<16x32x1xf32>
    %cst_218 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %858 = stablehlo.reduce(%857 init: %cst_218) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %859 = stablehlo.broadcast_in_dim %858, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %860 = stablehlo.add %855, %859 : tensor<16x32x64xf32>
    %861 = stablehlo.dot_general %860, %214, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<16x4x16x32xf32>) -> tensor<64x4x16xf32>
    %862 = stablehlo.transpose %861, dims = [1, 2, 0] : (tensor<64x4x16xf32>) -> tensor<4x16x64xf32>
    %863 = stablehlo.dot_general %860, %arg8, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<4x16x64xf32>) -> tensor<16x32x4x16xf32>
    %864 = stablehlo.transpose %863, dims = [0, 2, 3, 1] : (tensor<16x32x4x16xf32>) -> tensor<16x4x16x32xf32>
    %865 = stablehlo.dot_general %864, %191, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x32xf32>
    %866 = stablehlo.dot_general %864, %210, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<16x4x32x32xf32>) -> tensor<16x4x16x32xf32>
    %867 = stablehlo.transpose %866, dims = [0, 3, 1, 2] : (tensor<16x4x16x32xf32>) -> tensor<16x32x4x16xf32>
    %868 = stablehlo.broadcast_in_dim %213, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %869 = stablehlo.multiply %865, %868 : tensor<16x4x32x32xf32>
    %870 = stablehlo.multiply %869, %206 : tensor<16x4x32x32xf32>
    %cst_219 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %871 = stablehlo.reduce(%870 init: %cst_219) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %872 = stablehlo.reshape %871 : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %873 = stablehlo.negate %872 : tensor<16x4x32x1xf32>
    %874 = stablehlo.broadcast_in_dim %208, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %875 = stablehlo.divide %865, %874 : tensor<16x4x32x32xf32>
    %cst_220 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %876 = stablehlo.reduce(%873 init: %cst_220) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x1xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %877 = stablehlo.broadcast_in_dim %876, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x32xf32>
    %878 = stablehlo.add %875, %877 : tensor<16x4x32x32xf32>
    %879 = stablehlo.multiply %878, %206 : tensor<16x4x32x32xf32>
    %880 = call @_where_2(%199#1, %879) : (tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>) -> tensor<16x4x32x32xf32>
    %881 = stablehlo.broadcast_in_dim %194, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %882 = stablehlo.divide %880, %881 : tensor<16x4x32x32xf32>
    %883 = stablehlo.dot_general %882, %151, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x4x32x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x16xf32>
    %884 = stablehlo.transpose %883, dims = [0, 2, 1, 3] : (tensor<16x4x32x16xf32>) -> tensor<16x32x4x16xf32>
    %885 = stablehlo.dot_general %882, %171, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x4x32x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x16xf32>
    %886 = stablehlo.transpose %885, dims = [0, 2, 1, 3] : (tensor<16x4x32x16xf32>) -> tensor<16x32x4x16xf32>
    %887 = stablehlo.dot_general %867, %190, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %888 = stablehlo.transpose %887, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %889 = stablehlo.dot_general %867, %arg11, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %890 = stablehlo.multiply %177, %889 : tensor<16x32x64xf32>
    %cst_221 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %891 = stablehlo.reduce(%890 init: %cst_221) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %892 = stablehlo.reshape %891 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %893 = stablehlo.broadcast_in_dim %185, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %894 = stablehlo.multiply %889, %893 : tensor<16x32x64xf32>
    %895 = stablehlo.multiply %892, %188 : tensor<16x32x1xf32>
    %cst_222 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %896 = stablehlo.broadcast_in_dim %cst_222, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %897 = stablehlo.divide %895, %896 : tensor<16x32x1xf32>
    %cst_223 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %898 = stablehlo.reduce(%897 init: %cst_223) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %899 = stablehlo.broadcast_in_dim %898, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %900 = stablehlo.multiply %177, %899 : tensor<16x32x64xf32>
    %901 = stablehlo.add %894, %900 : tensor<16x32x64xf32>
    %902 = stablehlo.multiply %899, %177 : tensor<16x32x64xf32>
    %903 = stablehlo.add %901, %902 : tensor<16x32x64xf32>
    %904 = stablehlo.negate %903 : tensor<16x32x64xf32>
    %cst_224 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %905 = stablehlo.reduce(%904 init: %cst_224) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %906 = stablehlo.reshape %905 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %907 = stablehlo.add %860, %903 : tensor<16x32x64xf32>
    %cst_225 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %908 = stablehlo.broadcast_in_dim %cst_225, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %909 = stablehlo.divide %906, %908 : tensor<16x32x1xf32>
    %cst_226 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %910 = stablehlo.reduce(%909 init: %cst_226) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %911 = stablehlo.broadcast_in_dim %910, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %912 = stablehlo.add %907, %911 : tensor<16x32x64xf32>
    %913 = stablehlo.dot_general %884, %170, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %914 = stablehlo.transpose %913, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %915 = stablehlo.dot_general %884, %arg7, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %916 = stablehlo.multiply %157, %915 : tensor<16x32x64xf32>
    %cst_227 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %917 = stablehlo.reduce(%916 init: %cst_227) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %918 = stablehlo.reshape %917 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %919 = stablehlo.broadcast_in_dim %165, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %920 = stablehlo.multiply %915, %919 : tensor<16x32x64xf32>
    %921 = stablehlo.multiply %918, %168 : tensor<16x32x1xf32>
    %cst_228 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %922 = stablehlo.broadcast_in_dim %cst_228, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %923 = stablehlo.divide %921, %922 : tensor<16x32x1xf32>
    %cst_229 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %924 = stablehlo.reduce(%923 init: %cst_229) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %925 = stablehlo.broadcast_in_dim %924, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %926 = stablehlo.multiply %157, %925 : tensor<16x32x64xf32>
    %927 = stablehlo.add %920, %926 : tensor<16x32x64xf32>
    %928 = stablehlo.multiply %925, %157 : tensor<16x32x64xf32>
    %929 = stablehlo.add %927, %928 : tensor<16x32x64xf32>
    %930 = stablehlo.negate %929 : tensor<16x32x64xf32>
    %cst_230 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %931 = stablehlo.reduce(%930 init: %cst_230) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %932 = stablehlo.reshape %931 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %933 = stablehlo.add %912, %929 : tensor<16x32x64xf32>
    %cst_231 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %934 = stablehlo.broadcast_in_dim %cst_231, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %935 = stablehlo.divide %932, %934 : tensor<16x32x1xf32>
    %cst_232 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %936 = stablehlo.reduce(%935 init: %cst_232) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %937 = stablehlo.broadcast_in_dim %936, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %938 = stablehlo.add %933, %937 : tensor<16x32x64xf32>
    %939 = stablehlo.dot_general %886, %150, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %940 = stablehlo.transpose %939, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %941 = stablehlo.dot_general %886, %arg9, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %942 = stablehlo.multiply %137, %941 : tensor<16x32x64xf32>
    %cst_233 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %943 = stablehlo.reduce(%942 init: %cst_233) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %944 = stablehlo.reshape %943 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %945 = stablehlo.broadcast_in_dim %145, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %946 = stablehlo.multiply %941, %945 : tensor<16x32x64xf32>
    %947 = stablehlo.multiply %944, %148 : tensor<16x32x1xf32>
    %cst_234 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %948 = stablehlo.broadcast_in_dim %cst_234, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %949 = stablehlo.divide %947, %948 : tensor<16x32x1xf32>
    %cst_235 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %950 = stablehlo.reduce(%949 init: %cst_235) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %951 = stablehlo.broadcast_in_dim %950, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %952 = stablehlo.multiply %137, %951 : tensor<16x32x64xf32>
    %953 = stablehlo.add %946, %952 : tensor<16x32x64xf32>
    %954 = stablehlo.multiply %951, %137 : tensor<16x32x64xf32>
    %955 = stablehlo.add %953, %954 : tensor<16x32x64xf32>
    %956 = stablehlo.negate %955 : tensor<16x32x64xf32>
    %cst_236 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %957 = stablehlo.reduce(%956 init: %cst_236) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %958 = stablehlo.reshape %957 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %959 = stablehlo.add %938, %955 : tensor<16x32x64xf32>
    %cst_237 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %960 = stablehlo.broadcast_in_dim %cst_237, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %961 = stablehlo.divide %958, %960 : tensor<16x32x1xf32>
    %cst_238 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %962 = stablehlo.reduce(%961 init: %cst_238) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %963 = stablehlo.broadcast_in_dim %962, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %964 = stablehlo.add %959, %963 : tensor<16x32x64xf32>
    %965 = stablehlo.dot_general %964, %129, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<16x32x256xf32>) -> tensor<64x256xf32>
    %966 = stablehlo.transpose %965, dims = [1, 0] : (tensor<64x256xf32>) -> tensor<256x64xf32>
    %967 = stablehlo.dot_general %964, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<256x64xf32>) -> tensor<16x32x256xf32>
    %968 = stablehlo.multiply %111, %967 : tensor<16x32x256xf32>
    %969 = stablehlo.multiply %967, %128 : tensor<16x32x256xf32>
    %cst_239 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %970 = stablehlo.broadcast_in_dim %cst_239, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %971 = stablehlo.multiply %970, %968 : tensor<16x32x256xf32>
    %972 = stablehlo.multiply %971, %124 : tensor<16x32x256xf32>
    %973 = stablehlo.multiply %972, %122 : tensor<16x32x256xf32>
    %974 = stablehlo.add %972, %973 : tensor<16x32x256xf32>
    %cst_240 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %975 = stablehlo.broadcast_in_dim %cst_240, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %976 = stablehlo.multiply %975, %974 : tensor<16x32x256xf32>
    %977 = stablehlo.add %969, %976 : tensor<16x32x256xf32>
    %cst_241 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %978 = stablehlo.broadcast_in_dim %cst_241, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %979 = stablehlo.multiply %978, %976 : tensor<16x32x256xf32>
    %980 = stablehlo.multiply %979, %116 : tensor<16x32x256xf32>
    %981 = stablehlo.add %977, %980 : tensor<16x32x256xf32>
    %982 = stablehlo.dot_general %981, %110, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<16x32x64xf32>) -> tensor<256x64xf32>
    %983 = stablehlo.transpose %982, dims = [1, 0] : (tensor<256x64xf32>) -> tensor<64x256xf32>
    %984 = stablehlo.dot_general %981, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<64x256xf32>) -> tensor<16x32x64xf32>
    %985 = stablehlo.multiply %97, %984 : tensor<16x32x64xf32>
    %cst_242 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %986 = stablehlo.reduce(%985 init: %cst_242) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %987 = stablehlo.reshape %986 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %988 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %989 = stablehlo.multiply %984, %988 : tensor<16x32x64xf32>
    %990 = stablehlo.multiply %987, %108 : tensor<16x32x1xf32>
    %cst_243 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %991 = stablehlo.broadcast_in_dim %cst_243, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %992 = stablehlo.divide %990, %991 : tensor<16x32x1xf32>
    %cst_244 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %993 = stablehlo.reduce(%992 init: %cst_244) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %994 = stablehlo.broadcast_in_dim %993, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %995 = stablehlo.multiply %97, %994 : tensor<16x32x64xf32>
    %996 = stablehlo.add %989, %995 : tensor<16x32x64xf32>
    %997 = stablehlo.multiply %994, %97 : tensor<16x32x64xf32>
    %998 = stablehlo.add %996, %997 : tensor<16x32x64xf32>
    %999 = stablehlo.negate %998 : tensor<16x32x64xf32>
    %cst_245 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1000 = stablehlo.reduce(%999 init: %cst_245) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %1001 = stablehlo.reshape %1000 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %1002 = stablehlo.add %964, %998 : tensor<16x32x64xf32>
    %cst_246 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %1003 = stablehlo.broadcast_in_dim %cst_246, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %1004 = stablehlo.divide %1001, %1003 : tensor<16x32x1xf32>
    %cst_247 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1005 = stablehlo.reduce(%1004 init: %cst_247) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %1006 = stablehlo.broadcast_in_dim %1005, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %1007 = stablehlo.add %1002, %1006 : tensor<16x32x64xf32>
    %1008 = stablehlo.dot_general %1007, %89, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<16x4x16x32xf32>) -> tensor<64x4x16xf32>
    %1009 = stablehlo.transpose %1008, dims = [1, 2, 0] : (tensor<64x4x16xf32>) -> tensor<4x16x64xf32>
    %1010 = stablehlo.dot_general %1007, %arg2, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<4x16x64xf32>) -> tensor<16x32x4x16xf32>
    %1011 = stablehlo.transpose %1010, dims = [0, 2, 3, 1] : (tensor<16x32x4x16xf32>) -> tensor<16x4x16x32xf32>
    %1012 = stablehlo.dot_general %1011, %66, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x32xf32>
    %1013 = stablehlo.dot_general %1011, %85, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<16x4x32x32xf32>) -> tensor<16x4x16x32xf32>
    %1014 = stablehlo.transpose %1013, dims = [0, 3, 1, 2] : (tensor<16x4x16x32xf32>) -> tensor<16x32x4x16xf32>
    %1015 = stablehlo.broadcast_in_dim %88, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %1016 = stablehlo.multiply %1012, %1015 : tensor<16x4x32x32xf32>
    %1017 = stablehlo.multiply %1016, %81 : tensor<16x4x32x32xf32>
    %cst_248 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1018 = stablehlo.reduce(%1017 init: %cst_248) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %1019 = stablehlo.reshape %1018 : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %1020 = stablehlo.negate %1019 : tensor<16x4x32x1xf32>
    %1021 = stablehlo.broadcast_in_dim %83, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %1022 = stablehlo.divide %1012, %1021 : tensor<16x4x32x32xf32>
    %cst_249 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1023 = stablehlo.reduce(%1020 init: %cst_249) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x1xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %1024 = stablehlo.broadcast_in_dim %1023, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x32xf32>
    %1025 = stablehlo.add %1022, %1024 : tensor<16x4x32x32xf32>
    %1026 = stablehlo.multiply %1025, %81 : tensor<16x4x32x32xf32>
    %1027 = call @_where_2(%74#1, %1026) : (tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>) -> tensor<16x4x32x32xf32>
    %1028 = stablehlo.broadcast_in_dim %69, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %1029 = stablehlo.divide %1027, %1028 : tensor<16x4x32x32xf32>
    %1030 = stablehlo.dot_general %1029, %26, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x4x32x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x16xf32>
    %1031 = stablehlo.transpose %1030, dims = [0, 2, 1, 3] : (tensor<16x4x32x16xf32>) -> tensor<16x32x4x16xf32>
    %1032 = stablehlo.dot_general %1029, %46, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x4x32x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x16xf32>
    %1033 = stablehlo.transpose %1032, dims = [0, 2, 1, 3] : (tensor<16x4x32x16xf32>) -> tensor<16x32x4x16xf32>
    %1034 = stablehlo.dot_general %1014, %65, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %1035 = stablehlo.transpose %1034, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %1036 = stablehlo.dot_general %1014, %arg5, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %1037 = stablehlo.multiply %52, %1036 : tensor<16x32x64xf32>
    %cst_250 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1038 = stablehlo.reduce(%1037 init: %cst_250) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %1039 = stablehlo.reshape %1038 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %1040 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %1041 = stablehlo.multiply %1036, %1040 : tensor<16x32x64xf32>
    %1042 = stablehlo.multiply %1039, %63 : tensor<16x32x1xf32>
    %cst_251 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %1043 = stablehlo.broadcast_in_dim %cst_251, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %1044 = stablehlo.divide %1042, %1043 : tensor<16x32x1xf32>
    %cst_252 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1045 = stablehlo.reduce(%1044 init: %cst_252) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %1046 = stablehlo.broadcast_in_dim %1045, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %1047 = stablehlo.multiply %52, %1046 : tensor<16x32x64xf32>
    %1048 = stablehlo.add %1041, %1047 : tensor<16x32x64xf32>
    %1049 = stablehlo.multiply %1046, %52 : tensor<16x32x64xf32>
    %1050 = stablehlo.add %1048, %1049 : tensor<16x32x64xf32>
    %1051 = stablehlo.negate %1050 : tensor<16x32x64xf32>
    %cst_253 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1052 = stablehlo.reduce(%1051 init: %cst_253) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %1053 = stablehlo.reshape %1052 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %1054 = stablehlo.add %1007, %1050 : tensor<16x32x64xf32>
    %cst_254 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %1055 = stablehlo.broadcast_in_dim %cst_254, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %1056 = stablehlo.divide %1053, %1055 : tensor<16x32x1xf32>
    %cst_255 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1057 = stablehlo.reduce(%1056 init: %cst_255) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %1058 = stablehlo.broadcast_in_dim %1057, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %1059 = stablehlo.add %1054, %1058 : tensor<16x32x64xf32>
    %1060 = stablehlo.dot_general %1031, %45, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %1061 = stablehlo.transpose %1060, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %1062 = stablehlo.dot_general %1031, %arg1, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %1063 = stablehlo.multiply %32, %1062 : tensor<16x32x64xf32>
    %cst_256 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1064 = stablehlo.reduce(%1063 init: %cst_256) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %1065 = stablehlo.reshape %1064 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %1066 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %1067 = stablehlo.multiply %1062, %1066 : tensor<16x32x64xf32>
    %1068 = stablehlo.multiply %1065, %43 : tensor<16x32x1xf32>
    %cst_257 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %1069 = stablehlo.broadcast_in_dim %cst_257, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %1070 = stablehlo.divide %1068, %1069 : tensor<16x32x1xf32>
    %cst_258 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1071 = stablehlo.reduce(%1070 init: %cst_258) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %1072 = stablehlo.broadcast_in_dim %1071, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %1073 = stablehlo.multiply %32, %1072 : tensor<16x32x64xf32>
    %1074 = stablehlo.add %1067, %1073 : tensor<16x32x64xf32>
    %1075 = stablehlo.multiply %1072, %32 : tensor<16x32x64xf32>
    %1076 = stablehlo.add %1074, %1075 : tensor<16x32x64xf32>
    %1077 = stablehlo.negate %1076 : tensor<16x32x64xf32>
    %cst_259 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1078 = stablehlo.reduce(%1077 init: %cst_259) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %1079 = stablehlo.reshape %1078 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %1080 = stablehlo.add %1059, %1076 : tensor<16x32x64xf32>
    %cst_260 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %1081 = stablehlo.broadcast_in_dim %cst_260, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %1082 = stablehlo.divide %1079, %1081 : tensor<16x32x1xf32>
    %cst_261 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1083 = stablehlo.reduce(%1082 init: %cst_261) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %1084 = stablehlo.broadcast_in_dim %1083, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %1085 = stablehlo.add %1080, %1084 : tensor<16x32x64xf32>
    %1086 = stablehlo.dot_general %1033, %25, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %1087 = stablehlo.transpose %1086, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %1088 = stablehlo.dot_general %1033, %arg3, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %1089 = stablehlo.multiply %12, %1088 : tensor<16x32x64xf32>
    %cst_262 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1090 = stablehlo.reduce(%1089 init: %cst_262) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %1091 = stablehlo.reshape %1090 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %1092 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %1093 = stablehlo.multiply %1088, %1092 : tensor<16x32x64xf32>
    %1094 = stablehlo.multiply %1091, %23 : tensor<16x32x1xf32>
    %cst_263 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %1095 = stablehlo.broadcast_in_dim %cst_263, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %1096 = stablehlo.divide %1094, %1095 : tensor<16x32x1xf32>
    %cst_264 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1097 = stablehlo.reduce(%1096 init: %cst_264) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %1098 = stablehlo.broadcast_in_dim %1097, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %1099 = stablehlo.multiply %12, %1098 : tensor<16x32x64xf32>
    %1100 = stablehlo.add %1093, %1099 : tensor<16x32x64xf32>
    %1101 = stablehlo.multiply %1098, %12 : tensor<16x32x64xf32>
    %1102 = stablehlo.add %1100, %1101 : tensor<16x32x64xf32>
    %1103 = stablehlo.negate %1102 : tensor<16x32x64xf32>
    %cst_265 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1104 = stablehlo.reduce(%1103 init: %cst_265) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %1105 = stablehlo.reshape %1104 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %1106 = stablehlo.add %1085, %1102 : tensor<16x32x64xf32>
    %cst_266 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %1107 = stablehlo.broadcast_in_dim %cst_266, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %1108 = stablehlo.divide %1105, %1107 : tensor<16x32x1xf32>
    %cst_267 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1109 = stablehlo.reduce(%1108 init: %cst_267) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %1110 = stablehlo.broadcast_in_dim %1109, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %1111 = stablehlo.add %1106, %1110 : tensor<16x32x64xf32>
    %cst_268 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1112 = stablehlo.broadcast_in_dim %cst_268, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %1113 = "stablehlo.scatter"(%1112, %5, %1111) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg27: tensor<f32>, %arg28: tensor<f32>):
      %1190 = stablehlo.add %arg27, %arg28 : tensor<f32>
      stablehlo.return %1190 : tensor<f32>
    }) : (tensor<64x64xf32>, tensor<16x32x1xi32>, tensor<16x32x64xf32>) -> tensor<64x64xf32>
    %1114 = stablehlo.add %523, %1113 : tensor<64x64xf32>
    %cst_269 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1115 = stablehlo.broadcast_in_dim %cst_269, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %1116 = stablehlo.multiply %1115, %966 : tensor<256x64xf32>
    %1117 = stablehlo.subtract %arg0, %1116 : tensor<256x64xf32>
    %cst_270 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1118 = stablehlo.broadcast_in_dim %cst_270, dims = [] : (tensor<f32>) -> tensor<64x4x16xf32>
    %1119 = stablehlo.multiply %1118, %1061 : tensor<64x4x16xf32>
    %1120 = stablehlo.subtract %arg1, %1119 : tensor<64x4x16xf32>
    %cst_271 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1121 = stablehlo.broadcast_in_dim %cst_271, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %1122 = stablehlo.multiply %1121, %1009 : tensor<4x16x64xf32>
    %1123 = stablehlo.subtract %arg2, %1122 : tensor<4x16x64xf32>
    %cst_272 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1124 = stablehlo.broadcast_in_dim %cst_272, dims = [] : (tensor<f32>) -> tensor<64x4x16xf32>
    %1125 = stablehlo.multiply %1124, %1087 : tensor<64x4x16xf32>
    %1126 = stablehlo.subtract %arg3, %1125 : tensor<64x4x16xf32>
    %cst_273 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1127 = stablehlo.broadcast_in_dim %cst_273, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %1128 = stablehlo.multiply %1127, %983 : tensor<64x256xf32>
    %1129 = stablehlo.subtract %arg4, %1128 : tensor<64x256xf32>
    %cst_274 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1130 = stablehlo.broadcast_in_dim %cst_274, dims = [] : (tensor<f32>) -> tensor<64x4x16xf32>
    %1131 = stablehlo.multiply %1130, %1035 : tensor<64x4x16xf32>
    %1132 = stablehlo.subtract %arg5, %1131 : tensor<64x4x16xf32>
    %cst_275 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1133 = stablehlo.broadcast_in_dim %cst_275, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %1134 = stablehlo.multiply %1133, %819 : tensor<256x64xf32>
    %1135 = stablehlo.subtract %arg6, %1134 : tensor<256x64xf32>
    %cst_276 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1136 = stablehlo.broadcast_in_dim %cst_276, dims = [] : (tensor<f32>) -> tensor<64x4x16xf32>
    %1137 = stablehlo.multiply %1136, %914 : tensor<64x4x16xf32>
    %1138 = stablehlo.subtract %arg7, %1137 : tensor<64x4x16xf32>
    %cst_277 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1139 = stablehlo.broadcast_in_dim %cst_277, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %1140 = stablehlo.multiply %1139, %862 : tensor<4x16x64xf32>
    %1141 = stablehlo.subtract %arg8, %1140 : tensor<4x16x64xf32>
    %cst_278 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1142 = stablehlo.broadcast_in_dim %cst_278, dims = [] : (tensor<f32>) -> tensor<64x4x16xf32>
    %1143 = stablehlo.multiply %1142, %940 : tensor<64x4x16xf32>
    %1144 = stablehlo.subtract %arg9, %1143 : tensor<64x4x16xf32>
    %cst_279 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1145 = stablehlo.broadcast_in_dim %cst_279, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %1146 = stablehlo.multiply %1145, %836 : tensor<64x256xf32>
    %1147 = stablehlo.subtract %arg10, %1146 : tensor<64x256xf32>
    %cst_280 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1148 = stablehlo.broadcast_in_dim %cst_280, dims = [] : (tensor<f32>) -> tensor<64x4x16xf32>
    %1149 = stablehlo.multiply %1148, %888 : tensor<64x4x16xf32>
    %1150 = stablehlo.subtract %arg11, %1149 : tensor<64x4x16xf32>
    %cst_281 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1151 = stablehlo.broadcast_in_dim %cst_281, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %1152 = stablehlo.multiply %1151, %672 : tensor<256x64xf32>
    %1153 = stablehlo.subtract %arg12, %1152 : tensor<256x64xf32>
    %cst_282 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1154 = stablehlo.broadcast_in_dim %cst_282, dims = [] : (tensor<f32>) -> tensor<64x4x16xf32>
    %1155 = stablehlo.multiply %1154, %767 : tensor<64x4x16xf32>
    %1156 = stablehlo.subtract %arg13, %1155 : tensor<64x4x16xf32>
    %cst_283 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1157 = stablehlo.broadcast_in_dim %cst_283, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %1158 = stablehlo.multiply %1157, %715 : tensor<4x16x64xf32>
    %1159 = stablehlo.subtract %arg14, %1158 : tensor<4x16x64xf32>
    %cst_284 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1160 = stablehlo.broadcast_in_dim %cst_284, dims = [] : (tensor<f32>) -> tensor<64x4x16xf32>
    %1161 = stablehlo.multiply %1160, %793 : tensor<64x4x16xf32>
    %1162 = stablehlo.subtract %arg15, %1161 : tensor<64x4x16xf32>
    %cst_285 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1163 = stablehlo.broadcast_in_dim %cst_285, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %1164 = stablehlo.multiply %1163, %689 : tensor<64x256xf32>
    %1165 = stablehlo.subtract %arg16, %1164 : tensor<64x256xf32>
    %cst_286 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1166 = stablehlo.broadcast_in_dim %cst_286, dims = [] : (tensor<f32>) -> tensor<64x4x16xf32>
    %1167 = stablehlo.multiply %1166, %741 : tensor<64x4x16xf32>
    %1168 = stablehlo.subtract %arg17, %1167 : tensor<64x4x16xf32>
    %cst_287 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1169 = stablehlo.broadcast_in_dim %cst_287, dims = [] : (tensor<f32>) -> tensor<256x64xf32>
    %1170 = stablehlo.multiply %1169, %525 : tensor<256x64xf32>
    %1171 = stablehlo.subtract %arg18, %1170 : tensor<256x64xf32>
    %cst_288 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1172 = stablehlo.broadcast_in_dim %cst_288, dims = [] : (tensor<f32>) -> tensor<64x4x16xf32>
    %1173 = stablehlo.multiply %1172, %620 : tensor<64x4x16xf32>
    %1174 = stablehlo.subtract %arg19, %1173 : tensor<64x4x16xf32>
    %cst_289 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1175 = stablehlo.broadcast_in_dim %cst_289, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %1176 = stablehlo.multiply %1175, %568 : tensor<4x16x64xf32>
    %1177 = stablehlo.subtract %arg20, %1176 : tensor<4x16x64xf32>
    %cst_290 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1178 = stablehlo.broadcast_in_dim %cst_290, dims = [] : (tensor<f32>) -> tensor<64x4x16xf32>
    %1179 = stablehlo.multiply %1178, %646 : tensor<64x4x16xf32>
    %1180 = stablehlo.subtract %arg21, %1179 : tensor<64x4x16xf32>
    %cst_291 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1181 = stablehlo.broadcast_in_dim %cst_291, dims = [] : (tensor<f32>) -> tensor<64x256xf32>
    %1182 = stablehlo.multiply %1181, %542 : tensor<64x256xf32>
    %1183 = stablehlo.subtract %arg22, %1182 : tensor<64x256xf32>
    %cst_292 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1184 = stablehlo.broadcast_in_dim %cst_292, dims = [] : (tensor<f32>) -> tensor<64x4x16xf32>
    %1185 = stablehlo.multiply %1184, %594 : tensor<64x4x16xf32>
    %1186 = stablehlo.subtract %arg23, %1185 : tensor<64x4x16xf32>
    %cst_293 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1187 = stablehlo.broadcast_in_dim %cst_293, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %1188 = stablehlo.multiply %1187, %1114 : tensor<64x64xf32>
    %1189 = stablehlo.subtract %arg24, %1188 : tensor<64x64xf32>
    return %1117, %1120, %1123, %1126, %1129, %1132, %1135, %1138, %1141, %1144, %1147, %1150, %1153, %1156, %1159, %1162, %1165, %1168, %1171, %1174, %1177, %1180, %1183, %1186, %1189, %514 : tensor<256x64xf32>, tensor<64x4x16xf32>, tensor<4x16x64xf32>, tensor<64x4x16xf32>, tensor<64x256xf32>, tensor<64x4x16xf32>, tensor<256x64xf32>, tensor<64x4x16xf32>, tensor<4x16x64xf32>, tensor<64x4x16xf32>, tensor<64x256xf32>, tensor<64x4x16xf32>, tensor<256x64xf32>, tensor<64x4x16xf32>, tensor<4x16x64xf32>, tensor<64x4x16xf32>, tensor<64x256xf32>, tensor<64x4x16xf32>, tensor<256x64xf32>, tensor<64x4x16xf32>, tensor<4x16x64xf32>, tensor<64x4x16xf32>, tensor<64x256xf32>, tensor<64x4x16xf32>, tensor<64x64xf32>, tensor<f32>
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
  func.func private @_where(%arg0: tensor<32x32xi1>, %arg1: tensor<16x4x32x32xf32>, %arg2: tensor<f32>) -> (tensor<16x4x32x32xf32>, tensor<16x4x32x32xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<32x32xi1>) -> tensor<16x4x32x32xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>
    return %3, %1 : tensor<16x4x32x32xf32>, tensor<16x4x32x32xi1>
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
  func.func private @_where_2(%arg0: tensor<16x4x32x32xi1>, %arg1: tensor<16x4x32x32xf32>) -> tensor<16x4x32x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>
    return %1 : tensor<16x4x32x32xf32>
  }
}
