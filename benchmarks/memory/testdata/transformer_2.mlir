// Made by memory_programs.py with JAX 0.10.2.
module @jit_transformer_2 attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<512x128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg1: tensor<128x8x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg2: tensor<128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg3: tensor<128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg4: tensor<8x16x128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg5: tensor<128x8x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg6: tensor<128x512xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg7: tensor<128x8x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg8: tensor<512x128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg9: tensor<128x8x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg10: tensor<128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg11: tensor<128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg12: tensor<8x16x128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg13: tensor<128x8x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg14: tensor<128x512xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg15: tensor<128x8x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg16: tensor<512x128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg17: tensor<8x64xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg18: tensor<8x64xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<512x128xf32> {jax.result_info = "result[0]['blocks'][0]['down']"}, tensor<128x8x16xf32> {jax.result_info = "result[0]['blocks'][0]['k']"}, tensor<128xf32> {jax.result_info = "result[0]['blocks'][0]['n1']"}, tensor<128xf32> {jax.result_info = "result[0]['blocks'][0]['n2']"}, tensor<8x16x128xf32> {jax.result_info = "result[0]['blocks'][0]['o']"}, tensor<128x8x16xf32> {jax.result_info = "result[0]['blocks'][0]['q']"}, tensor<128x512xf32> {jax.result_info = "result[0]['blocks'][0]['up']"}, tensor<128x8x16xf32> {jax.result_info = "result[0]['blocks'][0]['v']"}, tensor<512x128xf32> {jax.result_info = "result[0]['blocks'][1]['down']"}, tensor<128x8x16xf32> {jax.result_info = "result[0]['blocks'][1]['k']"}, tensor<128xf32> {jax.result_info = "result[0]['blocks'][1]['n1']"}, tensor<128xf32> {jax.result_info = "result[0]['blocks'][1]['n2']"}, tensor<8x16x128xf32> {jax.result_info = "result[0]['blocks'][1]['o']"}, tensor<128x8x16xf32> {jax.result_info = "result[0]['blocks'][1]['q']"}, tensor<128x512xf32> {jax.result_info = "result[0]['blocks'][1]['up']"}, tensor<128x8x16xf32> {jax.result_info = "result[0]['blocks'][1]['v']"}, tensor<512x128xf32> {jax.result_info = "result[0]['embedding']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x64xi32>
    %1 = stablehlo.compare LT, %arg17, %0, SIGNED : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi1>
    %c_0 = stablehlo.constant dense<512> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x64xi32>
    %3 = stablehlo.add %arg17, %2 : tensor<8x64xi32>
    %4 = stablehlo.select %1, %3, %arg17 : tensor<8x64xi1>, tensor<8x64xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x64xi32>) -> tensor<8x64x1xi32>
    %6 = "stablehlo.gather"(%arg16, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 128>}> : (tensor<512x128xf32>, tensor<8x64x1xi32>) -> tensor<8x64x128xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_1 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<8x64x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<8x64x128xf32>
    %13 = stablehlo.multiply %12, %12 : tensor<8x64x128xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_3 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %17 = stablehlo.divide %15, %16 : tensor<8x64x1xf32>
    %cst_4 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %19 = stablehlo.add %17, %18 : tensor<8x64x1xf32>
    %20 = stablehlo.rsqrt %19 : tensor<8x64x1xf32>
    %21 = stablehlo.divide %20, %19 : tensor<8x64x1xf32>
    %cst_5 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %23 = stablehlo.multiply %22, %21 : tensor<8x64x1xf32>
    %24 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %25 = stablehlo.multiply %12, %24 : tensor<8x64x128xf32>
    %26 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %28 = stablehlo.multiply %25, %27 : tensor<8x64x128xf32>
    %29 = stablehlo.dot_general %28, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x8x16xf32>) -> tensor<8x64x8x16xf32>
    %30 = stablehlo.dot_general %28, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x8x16xf32>) -> tensor<8x64x8x16xf32>
    %31 = stablehlo.dot_general %28, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x8x16xf32>) -> tensor<8x64x8x16xf32>
    %32 = stablehlo.dot_general %29, %30, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x64xf32>
    %cst_6 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %33 = stablehlo.sqrt %cst_6 : tensor<f32>
    %34 = stablehlo.convert %33 : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %36 = stablehlo.divide %32, %35 : tensor<8x8x64x64xf32>
    %c_7 = stablehlo.constant dense<true> : tensor<i1>
    %37 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i1>) -> tensor<64x64xi1>
    %38 = call @tril(%37) : (tensor<64x64xi1>) -> tensor<64x64xi1>
    %cst_8 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %39:2 = call @_where(%38, %36, %cst_8) : (tensor<64x64xi1>, tensor<8x8x64x64xf32>, tensor<f32>) -> (tensor<8x8x64x64xf32>, tensor<8x8x64x64xi1>)
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %40 = stablehlo.reduce(%39#0 init: %cst_9) applies stablehlo.maximum across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x8x64xf32>
    %42 = stablehlo.maximum %41, %40 : tensor<8x8x64xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %45 = stablehlo.subtract %39#0, %44 : tensor<8x8x64x64xf32>
    %46 = stablehlo.exponential %45 : tensor<8x8x64x64xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %50 = stablehlo.divide %46, %49 : tensor<8x8x64x64xf32>
    %51 = stablehlo.multiply %48, %48 : tensor<8x8x64x1xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x8x64x1xf32>
    %53 = stablehlo.divide %52, %51 : tensor<8x8x64x1xf32>
    %54 = stablehlo.dot_general %31, %50, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x8x64x64xf32>) -> tensor<8x8x16x64xf32>
    %55 = stablehlo.dot_general %54, %arg4, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x16x128xf32>) -> tensor<8x64x128xf32>
    %56 = stablehlo.add %6, %55 : tensor<8x64x128xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.reduce(%56 init: %cst_13) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_14 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %60 = stablehlo.divide %58, %59 : tensor<8x64x1xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %62 = stablehlo.subtract %56, %61 : tensor<8x64x128xf32>
    %63 = stablehlo.multiply %62, %62 : tensor<8x64x128xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.reduce(%63 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_16 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %67 = stablehlo.divide %65, %66 : tensor<8x64x1xf32>
    %cst_17 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %69 = stablehlo.add %67, %68 : tensor<8x64x1xf32>
    %70 = stablehlo.rsqrt %69 : tensor<8x64x1xf32>
    %71 = stablehlo.divide %70, %69 : tensor<8x64x1xf32>
    %cst_18 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %73 = stablehlo.multiply %72, %71 : tensor<8x64x1xf32>
    %74 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %75 = stablehlo.multiply %62, %74 : tensor<8x64x128xf32>
    %76 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %78 = stablehlo.multiply %75, %77 : tensor<8x64x128xf32>
    %79 = stablehlo.dot_general %78, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x512xf32>) -> tensor<8x64x512xf32>
    %80 = stablehlo.multiply %79, %79 : tensor<8x64x512xf32>
    %81 = stablehlo.multiply %80, %79 : tensor<8x64x512xf32>
    %82 = stablehlo.multiply %79, %79 : tensor<8x64x512xf32>
    %cst_19 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %84 = stablehlo.multiply %83, %82 : tensor<8x64x512xf32>
    %cst_20 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %86 = stablehlo.multiply %85, %81 : tensor<8x64x512xf32>
    %87 = stablehlo.add %79, %86 : tensor<8x64x512xf32>
    %cst_21 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %89 = stablehlo.multiply %88, %87 : tensor<8x64x512xf32>
    %90 = stablehlo.tanh %89 : tensor<8x64x512xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %92 = stablehlo.subtract %91, %90 : tensor<8x64x512xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %94 = stablehlo.add %93, %90 : tensor<8x64x512xf32>
    %cst_24 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %96 = stablehlo.multiply %95, %94 : tensor<8x64x512xf32>
    %97 = stablehlo.multiply %79, %96 : tensor<8x64x512xf32>
    %98 = stablehlo.dot_general %97, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<512x128xf32>) -> tensor<8x64x128xf32>
    %99 = stablehlo.add %56, %98 : tensor<8x64x128xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %100 = stablehlo.reduce(%99 init: %cst_25) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %101 = stablehlo.broadcast_in_dim %100, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_26 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %103 = stablehlo.divide %101, %102 : tensor<8x64x1xf32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %105 = stablehlo.subtract %99, %104 : tensor<8x64x128xf32>
    %106 = stablehlo.multiply %105, %105 : tensor<8x64x128xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %107 = stablehlo.reduce(%106 init: %cst_27) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %108 = stablehlo.broadcast_in_dim %107, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_28 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %110 = stablehlo.divide %108, %109 : tensor<8x64x1xf32>
    %cst_29 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %112 = stablehlo.add %110, %111 : tensor<8x64x1xf32>
    %113 = stablehlo.rsqrt %112 : tensor<8x64x1xf32>
    %114 = stablehlo.divide %113, %112 : tensor<8x64x1xf32>
    %cst_30 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %116 = stablehlo.multiply %115, %114 : tensor<8x64x1xf32>
    %117 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %118 = stablehlo.multiply %105, %117 : tensor<8x64x128xf32>
    %119 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %121 = stablehlo.multiply %118, %120 : tensor<8x64x128xf32>
    %122 = stablehlo.dot_general %121, %arg13, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x8x16xf32>) -> tensor<8x64x8x16xf32>
    %123 = stablehlo.dot_general %121, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x8x16xf32>) -> tensor<8x64x8x16xf32>
    %124 = stablehlo.dot_general %121, %arg15, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x8x16xf32>) -> tensor<8x64x8x16xf32>
    %125 = stablehlo.dot_general %122, %123, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x64xf32>
    %cst_31 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %126 = stablehlo.sqrt %cst_31 : tensor<f32>
    %127 = stablehlo.convert %126 : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %129 = stablehlo.divide %125, %128 : tensor<8x8x64x64xf32>
    %c_32 = stablehlo.constant dense<true> : tensor<i1>
    %130 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i1>) -> tensor<64x64xi1>
    %131 = call @tril(%130) : (tensor<64x64xi1>) -> tensor<64x64xi1>
    %cst_33 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %132:2 = call @_where(%131, %129, %cst_33) : (tensor<64x64xi1>, tensor<8x8x64x64xf32>, tensor<f32>) -> (tensor<8x8x64x64xf32>, tensor<8x8x64x64xi1>)
    %cst_34 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %133 = stablehlo.reduce(%132#0 init: %cst_34) applies stablehlo.maximum across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %cst_35 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8x8x64xf32>
    %135 = stablehlo.maximum %134, %133 : tensor<8x8x64xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %137 = stablehlo.broadcast_in_dim %136, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %138 = stablehlo.subtract %132#0, %137 : tensor<8x8x64x64xf32>
    %139 = stablehlo.exponential %138 : tensor<8x8x64x64xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %140 = stablehlo.reduce(%139 init: %cst_36) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %141 = stablehlo.broadcast_in_dim %140, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %142 = stablehlo.broadcast_in_dim %141, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %143 = stablehlo.divide %139, %142 : tensor<8x8x64x64xf32>
    %144 = stablehlo.multiply %141, %141 : tensor<8x8x64x1xf32>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<8x8x64x1xf32>
    %146 = stablehlo.divide %145, %144 : tensor<8x8x64x1xf32>
    %147 = stablehlo.dot_general %124, %143, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x8x64x64xf32>) -> tensor<8x8x16x64xf32>
    %148 = stablehlo.dot_general %147, %arg12, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x16x128xf32>) -> tensor<8x64x128xf32>
    %149 = stablehlo.add %99, %148 : tensor<8x64x128xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %150 = stablehlo.reduce(%149 init: %cst_38) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %151 = stablehlo.broadcast_in_dim %150, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_39 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %153 = stablehlo.divide %151, %152 : tensor<8x64x1xf32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %155 = stablehlo.subtract %149, %154 : tensor<8x64x128xf32>
    %156 = stablehlo.multiply %155, %155 : tensor<8x64x128xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %157 = stablehlo.reduce(%156 init: %cst_40) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %158 = stablehlo.broadcast_in_dim %157, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_41 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %160 = stablehlo.divide %158, %159 : tensor<8x64x1xf32>
    %cst_42 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %162 = stablehlo.add %160, %161 : tensor<8x64x1xf32>
    %163 = stablehlo.rsqrt %162 : tensor<8x64x1xf32>
    %164 = stablehlo.divide %163, %162 : tensor<8x64x1xf32>
    %cst_43 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %166 = stablehlo.multiply %165, %164 : tensor<8x64x1xf32>
    %167 = stablehlo.broadcast_in_dim %163, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %168 = stablehlo.multiply %155, %167 : tensor<8x64x128xf32>
    %169 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %170 = stablehlo.broadcast_in_dim %169, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %171 = stablehlo.multiply %168, %170 : tensor<8x64x128xf32>
    %172 = stablehlo.dot_general %171, %arg14, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x512xf32>) -> tensor<8x64x512xf32>
    %173 = stablehlo.multiply %172, %172 : tensor<8x64x512xf32>
    %174 = stablehlo.multiply %173, %172 : tensor<8x64x512xf32>
    %175 = stablehlo.multiply %172, %172 : tensor<8x64x512xf32>
    %cst_44 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %176 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %177 = stablehlo.multiply %176, %175 : tensor<8x64x512xf32>
    %cst_45 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %178 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %179 = stablehlo.multiply %178, %174 : tensor<8x64x512xf32>
    %180 = stablehlo.add %172, %179 : tensor<8x64x512xf32>
    %cst_46 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %182 = stablehlo.multiply %181, %180 : tensor<8x64x512xf32>
    %183 = stablehlo.tanh %182 : tensor<8x64x512xf32>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %184 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %185 = stablehlo.subtract %184, %183 : tensor<8x64x512xf32>
    %cst_48 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %187 = stablehlo.add %186, %183 : tensor<8x64x512xf32>
    %cst_49 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %188 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %189 = stablehlo.multiply %188, %187 : tensor<8x64x512xf32>
    %190 = stablehlo.multiply %172, %189 : tensor<8x64x512xf32>
    %191 = stablehlo.dot_general %190, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<512x128xf32>) -> tensor<8x64x128xf32>
    %192 = stablehlo.add %149, %191 : tensor<8x64x128xf32>
    %193 = stablehlo.transpose %arg16, dims = [1, 0] : (tensor<512x128xf32>) -> tensor<128x512xf32>
    %194 = stablehlo.dot_general %192, %193, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x512xf32>) -> tensor<8x64x512xf32>
    %195:3 = call @log_softmax(%194) : (tensor<8x64x512xf32>) -> (tensor<8x64x512xf32>, tensor<8x64x512xf32>, tensor<8x64x1xf32>)
    %196 = stablehlo.broadcast_in_dim %arg18, dims = [0, 1] : (tensor<8x64xi32>) -> tensor<8x64x1xi32>
    %197:2 = call @take_along_axis(%195#0, %196) : (tensor<8x64x512xf32>, tensor<8x64x1xi32>) -> (tensor<8x64x1xf32>, tensor<8x64x1x1xi32>)
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %198 = stablehlo.reduce(%197#0 init: %cst_50) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_51 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %199 = stablehlo.divide %198, %cst_51 : tensor<f32>
    %200 = stablehlo.negate %199 : tensor<f32>
    %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %201 = stablehlo.negate %cst_52 : tensor<f32>
    %cst_53 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %202 = stablehlo.divide %201, %cst_53 : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %202, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %204 = call @take_along_axis_0(%197#1, %203) : (tensor<8x64x1x1xi32>, tensor<8x64x1xf32>) -> tensor<8x64x512xf32>
    %205 = call @log_softmax_1(%195#1, %195#2, %204) : (tensor<8x64x512xf32>, tensor<8x64x1xf32>, tensor<8x64x512xf32>) -> tensor<8x64x512xf32>
    %206 = stablehlo.dot_general %205, %192, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<8x64x128xf32>) -> tensor<512x128xf32>
    %207 = stablehlo.transpose %206, dims = [1, 0] : (tensor<512x128xf32>) -> tensor<128x512xf32>
    %208 = stablehlo.dot_general %205, %193, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<128x512xf32>) -> tensor<8x64x128xf32>
    %209 = stablehlo.transpose %207, dims = [1, 0] : (tensor<128x512xf32>) -> tensor<512x128xf32>
    %210 = stablehlo.dot_general %208, %190, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x512xf32>) -> tensor<128x512xf32>
    %211 = stablehlo.transpose %210, dims = [1, 0] : (tensor<128x512xf32>) -> tensor<512x128xf32>
    %212 = stablehlo.dot_general %208, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<512x128xf32>) -> tensor<8x64x512xf32>
    %213 = stablehlo.multiply %172, %212 : tensor<8x64x512xf32>
    %214 = stablehlo.multiply %212, %189 : tensor<8x64x512xf32>
    %cst_54 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %216 = stablehlo.multiply %215, %213 : tensor<8x64x512xf32>
    %217 = stablehlo.multiply %216, %185 : tensor<8x64x512xf32>
    %218 = stablehlo.multiply %217, %183 : tensor<8x64x512xf32>
    %219 = stablehlo.add %217, %218 : tensor<8x64x512xf32>
    %cst_55 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %221 = stablehlo.multiply %220, %219 : tensor<8x64x512xf32>
    %222 = stablehlo.add %214, %221 : tensor<8x64x512xf32>
    %cst_56 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %223 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %224 = stablehlo.multiply %223, %221 : tensor<8x64x512xf32>
    %225 = stablehlo.multiply %224, %177 : tensor<8x64x512xf32>
    %226 = stablehlo.add %222, %225 : tensor<8x64x512xf32>
    %227 = stablehlo.dot_general %226, %171, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<8x64x128xf32>) -> tensor<512x128xf32>
    %228 = stablehlo.transpose %227, dims = [1, 0] : (tensor<512x128xf32>) -> tensor<128x512xf32>
    %229 = stablehlo.dot_general %226, %arg14, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<128x512xf32>) -> tensor<8x64x128xf32>
    %230 = stablehlo.multiply %168, %229 : tensor<8x64x128xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %231 = stablehlo.reduce(%230 init: %cst_57) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %232 = stablehlo.reshape %231 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %233 = stablehlo.broadcast_in_dim %169, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %234 = stablehlo.multiply %229, %233 : tensor<8x64x128xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %235 = stablehlo.reduce(%232 init: %cst_58) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %236 = stablehlo.multiply %155, %234 : tensor<8x64x128xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %237 = stablehlo.reduce(%236 init: %cst_59) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %238 = stablehlo.reshape %237 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %239 = stablehlo.broadcast_in_dim %163, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %240 = stablehlo.multiply %234, %239 : tensor<8x64x128xf32>
    %241 = stablehlo.multiply %238, %166 : tensor<8x64x1xf32>
    %cst_60 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %242 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %243 = stablehlo.divide %241, %242 : tensor<8x64x1xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %244 = stablehlo.reduce(%243 init: %cst_61) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %245 = stablehlo.broadcast_in_dim %244, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %246 = stablehlo.multiply %155, %245 : tensor<8x64x128xf32>
    %247 = stablehlo.add %240, %246 : tensor<8x64x128xf32>
    %248 = stablehlo.multiply %245, %155 : tensor<8x64x128xf32>
    %249 = stablehlo.add %247, %248 : tensor<8x64x128xf32>
    %250 = stablehlo.negate %249 : tensor<8x64x128xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %251 = stablehlo.reduce(%250 init: %cst_62) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %252 = stablehlo.reshape %251 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %253 = stablehlo.add %208, %249 : tensor<8x64x128xf32>
    %cst_63 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %254 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %255 = stablehlo.divide %252, %254 : tensor<8x64x1xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %256 = stablehlo.reduce(%255 init: %cst_64) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %257 = stablehlo.broadcast_in_dim %256, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %258 = stablehlo.add %253, %257 : tensor<8x64x128xf32>
    %259 = stablehlo.dot_general %258, %147, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x8x16x64xf32>) -> tensor<128x8x16xf32>
    %260 = stablehlo.transpose %259, dims = [1, 2, 0] : (tensor<128x8x16xf32>) -> tensor<8x16x128xf32>
    %261 = stablehlo.dot_general %258, %arg12, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x16x128xf32>) -> tensor<8x64x8x16xf32>
    %262 = stablehlo.transpose %261, dims = [0, 2, 3, 1] : (tensor<8x64x8x16xf32>) -> tensor<8x8x16x64xf32>
    %263 = stablehlo.dot_general %262, %124, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x64xf32>
    %264 = stablehlo.dot_general %262, %143, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x8x64x64xf32>) -> tensor<8x8x16x64xf32>
    %265 = stablehlo.transpose %264, dims = [0, 3, 1, 2] : (tensor<8x8x16x64xf32>) -> tensor<8x64x8x16xf32>
    %266 = stablehlo.broadcast_in_dim %146, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %267 = stablehlo.multiply %263, %266 : tensor<8x8x64x64xf32>
    %268 = stablehlo.multiply %267, %139 : tensor<8x8x64x64xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %269 = stablehlo.reduce(%268 init: %cst_65) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %270 = stablehlo.reshape %269 : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %271 = stablehlo.negate %270 : tensor<8x8x64x1xf32>
    %272 = stablehlo.broadcast_in_dim %141, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %273 = stablehlo.divide %263, %272 : tensor<8x8x64x64xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %274 = stablehlo.reduce(%271 init: %cst_66) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x1xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %275 = stablehlo.broadcast_in_dim %274, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x64xf32>
    %276 = stablehlo.add %273, %275 : tensor<8x8x64x64xf32>
    %277 = stablehlo.multiply %276, %139 : tensor<8x8x64x64xf32>
    %278 = call @_where_2(%132#1, %277) : (tensor<8x8x64x64xi1>, tensor<8x8x64x64xf32>) -> tensor<8x8x64x64xf32>
    %279 = stablehlo.broadcast_in_dim %127, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %280 = stablehlo.divide %278, %279 : tensor<8x8x64x64xf32>
    %281 = stablehlo.dot_general %280, %122, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %282 = stablehlo.transpose %281, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %283 = stablehlo.dot_general %280, %123, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %284 = stablehlo.transpose %283, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %285 = stablehlo.dot_general %265, %121, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x128xf32>) -> tensor<8x16x128xf32>
    %286 = stablehlo.transpose %285, dims = [2, 0, 1] : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %287 = stablehlo.dot_general %265, %arg15, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<128x8x16xf32>) -> tensor<8x64x128xf32>
    %288 = stablehlo.dot_general %282, %121, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x128xf32>) -> tensor<8x16x128xf32>
    %289 = stablehlo.transpose %288, dims = [2, 0, 1] : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %290 = stablehlo.dot_general %282, %arg9, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<128x8x16xf32>) -> tensor<8x64x128xf32>
    %291 = stablehlo.add %287, %290 : tensor<8x64x128xf32>
    %292 = stablehlo.dot_general %284, %121, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x128xf32>) -> tensor<8x16x128xf32>
    %293 = stablehlo.transpose %292, dims = [2, 0, 1] : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %294 = stablehlo.dot_general %284, %arg13, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<128x8x16xf32>) -> tensor<8x64x128xf32>
    %295 = stablehlo.add %291, %294 : tensor<8x64x128xf32>
    %296 = stablehlo.multiply %118, %295 : tensor<8x64x128xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %297 = stablehlo.reduce(%296 init: %cst_67) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %298 = stablehlo.reshape %297 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %299 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %300 = stablehlo.multiply %295, %299 : tensor<8x64x128xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %301 = stablehlo.reduce(%298 init: %cst_68) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %302 = stablehlo.multiply %105, %300 : tensor<8x64x128xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %303 = stablehlo.reduce(%302 init: %cst_69) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %304 = stablehlo.reshape %303 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %305 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %306 = stablehlo.multiply %300, %305 : tensor<8x64x128xf32>
    %307 = stablehlo.multiply %304, %116 : tensor<8x64x1xf32>
    %cst_70 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %308 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %309 = stablehlo.divide %307, %308 : tensor<8x64x1xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %310 = stablehlo.reduce(%309 init: %cst_71) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %311 = stablehlo.broadcast_in_dim %310, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %312 = stablehlo.multiply %105, %311 : tensor<8x64x128xf32>
    %313 = stablehlo.add %306, %312 : tensor<8x64x128xf32>
    %314 = stablehlo.multiply %311, %105 : tensor<8x64x128xf32>
    %315 = stablehlo.add %313, %314 : tensor<8x64x128xf32>
    %316 = stablehlo.negate %315 : tensor<8x64x128xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %317 = stablehlo.reduce(%316 init: %cst_72) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %318 = stablehlo.reshape %317 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %319 = stablehlo.add %258, %315 : tensor<8x64x128xf32>
    %cst_73 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %320 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %321 = stablehlo.divide %318, %320 : tensor<8x64x1xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %322 = stablehlo.reduce(%321 init: %cst_74) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %323 = stablehlo.broadcast_in_dim %322, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %324 = stablehlo.add %319, %323 : tensor<8x64x128xf32>
    %325 = stablehlo.dot_general %324, %97, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x512xf32>) -> tensor<128x512xf32>
    %326 = stablehlo.transpose %325, dims = [1, 0] : (tensor<128x512xf32>) -> tensor<512x128xf32>
    %327 = stablehlo.dot_general %324, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<512x128xf32>) -> tensor<8x64x512xf32>
    %328 = stablehlo.multiply %79, %327 : tensor<8x64x512xf32>
    %329 = stablehlo.multiply %327, %96 : tensor<8x64x512xf32>
    %cst_75 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %330 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %331 = stablehlo.multiply %330, %328 : tensor<8x64x512xf32>
    %332 = stablehlo.multiply %331, %92 : tensor<8x64x512xf32>
    %333 = stablehlo.multiply %332, %90 : tensor<8x64x512xf32>
    %334 = stablehlo.add %332, %333 : tensor<8x64x512xf32>
    %cst_76 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %335 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %336 = stablehlo.multiply %335, %334 : tensor<8x64x512xf32>
    %337 = stablehlo.add %329, %336 : tensor<8x64x512xf32>
    %cst_77 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %338 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %339 = stablehlo.multiply %338, %336 : tensor<8x64x512xf32>
    %340 = stablehlo.multiply %339, %84 : tensor<8x64x512xf32>
    %341 = stablehlo.add %337, %340 : tensor<8x64x512xf32>
    %342 = stablehlo.dot_general %341, %78, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<8x64x128xf32>) -> tensor<512x128xf32>
    %343 = stablehlo.transpose %342, dims = [1, 0] : (tensor<512x128xf32>) -> tensor<128x512xf32>
    %344 = stablehlo.dot_general %341, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<128x512xf32>) -> tensor<8x64x128xf32>
    %345 = stablehlo.multiply %75, %344 : tensor<8x64x128xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %346 = stablehlo.reduce(%345 init: %cst_78) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %347 = stablehlo.reshape %346 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %348 = stablehlo.broadcast_in_dim %76, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %349 = stablehlo.multiply %344, %348 : tensor<8x64x128xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %350 = stablehlo.reduce(%347 init: %cst_79) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %351 = stablehlo.multiply %62, %349 : tensor<8x64x128xf32>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %352 = stablehlo.reduce(%351 init: %cst_80) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %353 = stablehlo.reshape %352 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %354 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %355 = stablehlo.multiply %349, %354 : tensor<8x64x128xf32>
    %356 = stablehlo.multiply %353, %73 : tensor<8x64x1xf32>
    %cst_81 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %357 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %358 = stablehlo.divide %356, %357 : tensor<8x64x1xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %359 = stablehlo.reduce(%358 init: %cst_82) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %360 = stablehlo.broadcast_in_dim %359, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %361 = stablehlo.multiply %62, %360 : tensor<8x64x128xf32>
    %362 = stablehlo.add %355, %361 : tensor<8x64x128xf32>
    %363 = stablehlo.multiply %360, %62 : tensor<8x64x128xf32>
    %364 = stablehlo.add %362, %363 : tensor<8x64x128xf32>
    %365 = stablehlo.negate %364 : tensor<8x64x128xf32>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %366 = stablehlo.reduce(%365 init: %cst_83) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %367 = stablehlo.reshape %366 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %368 = stablehlo.add %324, %364 : tensor<8x64x128xf32>
    %cst_84 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %369 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %370 = stablehlo.divide %367, %369 : tensor<8x64x1xf32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %371 = stablehlo.reduce(%370 init: %cst_85) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %372 = stablehlo.broadcast_in_dim %371, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %373 = stablehlo.add %368, %372 : tensor<8x64x128xf32>
    %374 = stablehlo.dot_general %373, %54, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x8x16x64xf32>) -> tensor<128x8x16xf32>
    %375 = stablehlo.transpose %374, dims = [1, 2, 0] : (tensor<128x8x16xf32>) -> tensor<8x16x128xf32>
    %376 = stablehlo.dot_general %373, %arg4, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x16x128xf32>) -> tensor<8x64x8x16xf32>
    %377 = stablehlo.transpose %376, dims = [0, 2, 3, 1] : (tensor<8x64x8x16xf32>) -> tensor<8x8x16x64xf32>
    %378 = stablehlo.dot_general %377, %31, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x64xf32>
    %379 = stablehlo.dot_general %377, %50, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x8x64x64xf32>) -> tensor<8x8x16x64xf32>
    %380 = stablehlo.transpose %379, dims = [0, 3, 1, 2] : (tensor<8x8x16x64xf32>) -> tensor<8x64x8x16xf32>
    %381 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %382 = stablehlo.multiply %378, %381 : tensor<8x8x64x64xf32>
    %383 = stablehlo.multiply %382, %46 : tensor<8x8x64x64xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %384 = stablehlo.reduce(%383 init: %cst_86) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %385 = stablehlo.reshape %384 : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %386 = stablehlo.negate %385 : tensor<8x8x64x1xf32>
    %387 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %388 = stablehlo.divide %378, %387 : tensor<8x8x64x64xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %389 = stablehlo.reduce(%386 init: %cst_87) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x1xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %390 = stablehlo.broadcast_in_dim %389, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x64xf32>
    %391 = stablehlo.add %388, %390 : tensor<8x8x64x64xf32>
    %392 = stablehlo.multiply %391, %46 : tensor<8x8x64x64xf32>
    %393 = call @_where_2(%39#1, %392) : (tensor<8x8x64x64xi1>, tensor<8x8x64x64xf32>) -> tensor<8x8x64x64xf32>
    %394 = stablehlo.broadcast_in_dim %34, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %395 = stablehlo.divide %393, %394 : tensor<8x8x64x64xf32>
    %396 = stablehlo.dot_general %395, %29, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %397 = stablehlo.transpose %396, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %398 = stablehlo.dot_general %395, %30, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %399 = stablehlo.transpose %398, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %400 = stablehlo.dot_general %380, %28, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x128xf32>) -> tensor<8x16x128xf32>
    %401 = stablehlo.transpose %400, dims = [2, 0, 1] : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %402 = stablehlo.dot_general %380, %arg7, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<128x8x16xf32>) -> tensor<8x64x128xf32>
    %403 = stablehlo.dot_general %397, %28, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x128xf32>) -> tensor<8x16x128xf32>
    %404 = stablehlo.transpose %403, dims = [2, 0, 1] : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %405 = stablehlo.dot_general %397, %arg1, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<128x8x16xf32>) -> tensor<8x64x128xf32>
    %406 = stablehlo.add %402, %405 : tensor<8x64x128xf32>
    %407 = stablehlo.dot_general %399, %28, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x128xf32>) -> tensor<8x16x128xf32>
    %408 = stablehlo.transpose %407, dims = [2, 0, 1] : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %409 = stablehlo.dot_general %399, %arg5, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<128x8x16xf32>) -> tensor<8x64x128xf32>
    %410 = stablehlo.add %406, %409 : tensor<8x64x128xf32>
    %411 = stablehlo.multiply %25, %410 : tensor<8x64x128xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %412 = stablehlo.reduce(%411 init: %cst_88) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %413 = stablehlo.reshape %412 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %414 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %415 = stablehlo.multiply %410, %414 : tensor<8x64x128xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %416 = stablehlo.reduce(%413 init: %cst_89) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %417 = stablehlo.multiply %12, %415 : tensor<8x64x128xf32>
    %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %418 = stablehlo.reduce(%417 init: %cst_90) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %419 = stablehlo.reshape %418 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %420 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %421 = stablehlo.multiply %415, %420 : tensor<8x64x128xf32>
    %422 = stablehlo.multiply %419, %23 : tensor<8x64x1xf32>
    %cst_91 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %423 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %424 = stablehlo.divide %422, %423 : tensor<8x64x1xf32>
    %cst_92 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %425 = stablehlo.reduce(%424 init: %cst_92) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %426 = stablehlo.broadcast_in_dim %425, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %427 = stablehlo.multiply %12, %426 : tensor<8x64x128xf32>
    %428 = stablehlo.add %421, %427 : tensor<8x64x128xf32>
    %429 = stablehlo.multiply %426, %12 : tensor<8x64x128xf32>
    %430 = stablehlo.add %428, %429 : tensor<8x64x128xf32>
    %431 = stablehlo.negate %430 : tensor<8x64x128xf32>
    %cst_93 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %432 = stablehlo.reduce(%431 init: %cst_93) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %433 = stablehlo.reshape %432 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %434 = stablehlo.add %373, %430 : tensor<8x64x128xf32>
    %cst_94 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %435 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %436 = stablehlo.divide %433, %435 : tensor<8x64x1xf32>
    %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %437 = stablehlo.reduce(%436 init: %cst_95) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %438 = stablehlo.broadcast_in_dim %437, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %439 = stablehlo.add %434, %438 : tensor<8x64x128xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %440 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %441 = "stablehlo.scatter"(%440, %5, %439) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
      %494 = stablehlo.add %arg19, %arg20 : tensor<f32>
      stablehlo.return %494 : tensor<f32>
    }) : (tensor<512x128xf32>, tensor<8x64x1xi32>, tensor<8x64x128xf32>) -> tensor<512x128xf32>
    %442 = stablehlo.add %209, %441 : tensor<512x128xf32>
    %cst_97 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %443 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %444 = stablehlo.multiply %443, %326 : tensor<512x128xf32>
    %445 = stablehlo.subtract %arg0, %444 : tensor<512x128xf32>
    %cst_98 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %446 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<128x8x16xf32>
    %447 = stablehlo.multiply %446, %404 : tensor<128x8x16xf32>
    %448 = stablehlo.subtract %arg1, %447 : tensor<128x8x16xf32>
    %cst_99 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %449 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %450 = stablehlo.multiply %449, %416 : tensor<128xf32>
    %451 = stablehlo.subtract %arg2, %450 : tensor<128xf32>
    %cst_100 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %452 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %453 = stablehlo.multiply %452, %350 : tensor<128xf32>
    %454 = stablehlo.subtract %arg3, %453 : tensor<128xf32>
    %cst_101 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %455 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %456 = stablehlo.multiply %455, %375 : tensor<8x16x128xf32>
    %457 = stablehlo.subtract %arg4, %456 : tensor<8x16x128xf32>
    %cst_102 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %458 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<128x8x16xf32>
    %459 = stablehlo.multiply %458, %408 : tensor<128x8x16xf32>
    %460 = stablehlo.subtract %arg5, %459 : tensor<128x8x16xf32>
    %cst_103 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %461 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %462 = stablehlo.multiply %461, %343 : tensor<128x512xf32>
    %463 = stablehlo.subtract %arg6, %462 : tensor<128x512xf32>
    %cst_104 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %464 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<128x8x16xf32>
    %465 = stablehlo.multiply %464, %401 : tensor<128x8x16xf32>
    %466 = stablehlo.subtract %arg7, %465 : tensor<128x8x16xf32>
    %cst_105 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %467 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %468 = stablehlo.multiply %467, %211 : tensor<512x128xf32>
    %469 = stablehlo.subtract %arg8, %468 : tensor<512x128xf32>
    %cst_106 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %470 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<128x8x16xf32>
    %471 = stablehlo.multiply %470, %289 : tensor<128x8x16xf32>
    %472 = stablehlo.subtract %arg9, %471 : tensor<128x8x16xf32>
    %cst_107 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %473 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %474 = stablehlo.multiply %473, %301 : tensor<128xf32>
    %475 = stablehlo.subtract %arg10, %474 : tensor<128xf32>
    %cst_108 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %476 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %477 = stablehlo.multiply %476, %235 : tensor<128xf32>
    %478 = stablehlo.subtract %arg11, %477 : tensor<128xf32>
    %cst_109 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %479 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %480 = stablehlo.multiply %479, %260 : tensor<8x16x128xf32>
    %481 = stablehlo.subtract %arg12, %480 : tensor<8x16x128xf32>
    %cst_110 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %482 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<128x8x16xf32>
    %483 = stablehlo.multiply %482, %293 : tensor<128x8x16xf32>
    %484 = stablehlo.subtract %arg13, %483 : tensor<128x8x16xf32>
    %cst_111 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %485 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %486 = stablehlo.multiply %485, %228 : tensor<128x512xf32>
    %487 = stablehlo.subtract %arg14, %486 : tensor<128x512xf32>
    %cst_112 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %488 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<128x8x16xf32>
    %489 = stablehlo.multiply %488, %286 : tensor<128x8x16xf32>
    %490 = stablehlo.subtract %arg15, %489 : tensor<128x8x16xf32>
    %cst_113 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %491 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %492 = stablehlo.multiply %491, %442 : tensor<512x128xf32>
    %493 = stablehlo.subtract %arg16, %492 : tensor<512x128xf32>
    return %445, %448, %451, %454, %457, %460, %463, %466, %469, %472, %475, %478, %481, %484, %487, %490, %493, %200 : tensor<512x128xf32>, tensor<128x8x16xf32>, tensor<128xf32>, tensor<128xf32>, tensor<8x16x128xf32>, tensor<128x8x16xf32>, tensor<128x512xf32>, tensor<128x8x16xf32>, tensor<512x128xf32>, tensor<128x8x16xf32>, tensor<128xf32>, tensor<128xf32>, tensor<8x16x128xf32>, tensor<128x8x16xf32>, tensor<128x512xf32>, tensor<128x8x16xf32>, tensor<512x128xf32>, tensor<f32>
  }
  func.func private @tril(%arg0: tensor<64x64xi1>) -> tensor<64x64xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<64x64xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<64x64xi32>
    %2 = stablehlo.add %0, %1 : tensor<64x64xi32>
    %3 = stablehlo.iota dim = 1 : tensor<64x64xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<64x64xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<64x64xi1>, tensor<64x64xi1>
    return %6 : tensor<64x64xi1>
  }
  func.func private @_where(%arg0: tensor<64x64xi1>, %arg1: tensor<8x8x64x64xf32>, %arg2: tensor<f32>) -> (tensor<8x8x64x64xf32>, tensor<8x8x64x64xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<64x64xi1>) -> tensor<8x8x64x64xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<8x8x64x64xi1>, tensor<8x8x64x64xf32>
    return %3, %1 : tensor<8x8x64x64xf32>, tensor<8x8x64x64xi1>
  }
  func.func private @log_softmax(%arg0: tensor<8x64x512xf32>) -> (tensor<8x64x512xf32>, tensor<8x64x512xf32>, tensor<8x64x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<8x64x512xf32>, tensor<f32>) -> tensor<8x64xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<8x64xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x512xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<8x64x512xf32>
    %6 = stablehlo.exponential %5 : tensor<8x64x512xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<8x64x512xf32>, tensor<f32>) -> tensor<8x64xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %9 = stablehlo.log %8 : tensor<8x64x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x512xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<8x64x512xf32>
    return %11, %6, %8 : tensor<8x64x512xf32>, tensor<8x64x512xf32>, tensor<8x64x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<8x64x512xf32>, %arg1: tensor<8x64x1xi32>) -> (tensor<8x64x1xf32>, tensor<8x64x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x64x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<8x64x1xi32>, tensor<8x64x1xi32>) -> tensor<8x64x1xi1>
    %c_0 = stablehlo.constant dense<512> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x64x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<8x64x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<8x64x1xi1>, tensor<8x64x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<8x64x1xi32>) -> tensor<8x64x1x1xi32>
    %c_1 = stablehlo.constant dense<511> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8x64x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<8x64x1x1xi32>, tensor<8x64x1x1xi32>) -> tensor<8x64x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<8x64x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<8x64x1x1xi32>, tensor<8x64x1x1xi32>) -> tensor<8x64x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<8x64x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<8x64x1x1xi1>, tensor<i1>) -> tensor<8x64x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<8x64x512xf32>, tensor<8x64x1x1xi32>) -> tensor<8x64x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<8x64x1xi1>, tensor<8x64x1xf32>
    return %15, %5 : tensor<8x64x1xf32>, tensor<8x64x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<8x64x1x1xi32>, %arg1: tensor<8x64x1xf32>) -> tensor<8x64x512xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8x64x512xf32>, tensor<8x64x1x1xi32>, tensor<8x64x1xf32>) -> tensor<8x64x512xf32>
    return %1 : tensor<8x64x512xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<8x64x512xf32>, %arg1: tensor<8x64x1xf32>, %arg2: tensor<8x64x512xf32>) -> tensor<8x64x512xf32> {
    %0 = stablehlo.negate %arg2 : tensor<8x64x512xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x64x512xf32>, tensor<f32>) -> tensor<8x64xf32>
    %2 = stablehlo.reshape %1 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<8x64x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x512xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<8x64x512xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<8x64x512xf32>
    return %7 : tensor<8x64x512xf32>
  }
  func.func private @_where_2(%arg0: tensor<8x8x64x64xi1>, %arg1: tensor<8x8x64x64xf32>) -> tensor<8x8x64x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<8x8x64x64xi1>, tensor<8x8x64x64xf32>
    return %1 : tensor<8x8x64x64xf32>
  }
}
