// Made by memory_programs.py with JAX 0.10.2.
module @jit_transformer_4 attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<512x128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg1: tensor<128x8x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg2: tensor<128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg3: tensor<128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg4: tensor<8x16x128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg5: tensor<128x8x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg6: tensor<128x512xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg7: tensor<128x8x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg8: tensor<512x128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg9: tensor<128x8x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg10: tensor<128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg11: tensor<128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg12: tensor<8x16x128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg13: tensor<128x8x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg14: tensor<128x512xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg15: tensor<128x8x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg16: tensor<512x128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg17: tensor<128x8x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg18: tensor<128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg19: tensor<128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg20: tensor<8x16x128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg21: tensor<128x8x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg22: tensor<128x512xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg23: tensor<128x8x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg24: tensor<512x128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg25: tensor<128x8x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg26: tensor<128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg27: tensor<128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg28: tensor<8x16x128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg29: tensor<128x8x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg30: tensor<128x512xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg31: tensor<128x8x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg32: tensor<512x128xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg33: tensor<8x64xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg34: tensor<8x64xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<512x128xf32> {jax.result_info = "result[0]['blocks'][0]['down']"}, tensor<128x8x16xf32> {jax.result_info = "result[0]['blocks'][0]['k']"}, tensor<128xf32> {jax.result_info = "result[0]['blocks'][0]['n1']"}, tensor<128xf32> {jax.result_info = "result[0]['blocks'][0]['n2']"}, tensor<8x16x128xf32> {jax.result_info = "result[0]['blocks'][0]['o']"}, tensor<128x8x16xf32> {jax.result_info = "result[0]['blocks'][0]['q']"}, tensor<128x512xf32> {jax.result_info = "result[0]['blocks'][0]['up']"}, tensor<128x8x16xf32> {jax.result_info = "result[0]['blocks'][0]['v']"}, tensor<512x128xf32> {jax.result_info = "result[0]['blocks'][1]['down']"}, tensor<128x8x16xf32> {jax.result_info = "result[0]['blocks'][1]['k']"}, tensor<128xf32> {jax.result_info = "result[0]['blocks'][1]['n1']"}, tensor<128xf32> {jax.result_info = "result[0]['blocks'][1]['n2']"}, tensor<8x16x128xf32> {jax.result_info = "result[0]['blocks'][1]['o']"}, tensor<128x8x16xf32> {jax.result_info = "result[0]['blocks'][1]['q']"}, tensor<128x512xf32> {jax.result_info = "result[0]['blocks'][1]['up']"}, tensor<128x8x16xf32> {jax.result_info = "result[0]['blocks'][1]['v']"}, tensor<512x128xf32> {jax.result_info = "result[0]['blocks'][2]['down']"}, tensor<128x8x16xf32> {jax.result_info = "result[0]['blocks'][2]['k']"}, tensor<128xf32> {jax.result_info = "result[0]['blocks'][2]['n1']"}, tensor<128xf32> {jax.result_info = "result[0]['blocks'][2]['n2']"}, tensor<8x16x128xf32> {jax.result_info = "result[0]['blocks'][2]['o']"}, tensor<128x8x16xf32> {jax.result_info = "result[0]['blocks'][2]['q']"}, tensor<128x512xf32> {jax.result_info = "result[0]['blocks'][2]['up']"}, tensor<128x8x16xf32> {jax.result_info = "result[0]['blocks'][2]['v']"}, tensor<512x128xf32> {jax.result_info = "result[0]['blocks'][3]['down']"}, tensor<128x8x16xf32> {jax.result_info = "result[0]['blocks'][3]['k']"}, tensor<128xf32> {jax.result_info = "result[0]['blocks'][3]['n1']"}, tensor<128xf32> {jax.result_info = "result[0]['blocks'][3]['n2']"}, tensor<8x16x128xf32> {jax.result_info = "result[0]['blocks'][3]['o']"}, tensor<128x8x16xf32> {jax.result_info = "result[0]['blocks'][3]['q']"}, tensor<128x512xf32> {jax.result_info = "result[0]['blocks'][3]['up']"}, tensor<128x8x16xf32> {jax.result_info = "result[0]['blocks'][3]['v']"}, tensor<512x128xf32> {jax.result_info = "result[0]['embedding']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x64xi32>
    %1 = stablehlo.compare LT, %arg33, %0, SIGNED : (tensor<8x64xi32>, tensor<8x64xi32>) -> tensor<8x64xi1>
    %c_0 = stablehlo.constant dense<512> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x64xi32>
    %3 = stablehlo.add %arg33, %2 : tensor<8x64xi32>
    %4 = stablehlo.select %1, %3, %arg33 : tensor<8x64xi1>, tensor<8x64xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x64xi32>) -> tensor<8x64x1xi32>
    %6 = "stablehlo.gather"(%arg32, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 128>}> : (tensor<512x128xf32>, tensor<8x64x1xi32>) -> tensor<8x64x128xf32>
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
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %193 = stablehlo.reduce(%192 init: %cst_50) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %194 = stablehlo.broadcast_in_dim %193, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_51 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %196 = stablehlo.divide %194, %195 : tensor<8x64x1xf32>
    %197 = stablehlo.broadcast_in_dim %196, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %198 = stablehlo.subtract %192, %197 : tensor<8x64x128xf32>
    %199 = stablehlo.multiply %198, %198 : tensor<8x64x128xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %200 = stablehlo.reduce(%199 init: %cst_52) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %201 = stablehlo.broadcast_in_dim %200, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_53 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %202 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %203 = stablehlo.divide %201, %202 : tensor<8x64x1xf32>
    %cst_54 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %204 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %205 = stablehlo.add %203, %204 : tensor<8x64x1xf32>
    %206 = stablehlo.rsqrt %205 : tensor<8x64x1xf32>
    %207 = stablehlo.divide %206, %205 : tensor<8x64x1xf32>
    %cst_55 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %209 = stablehlo.multiply %208, %207 : tensor<8x64x1xf32>
    %210 = stablehlo.broadcast_in_dim %206, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %211 = stablehlo.multiply %198, %210 : tensor<8x64x128xf32>
    %212 = stablehlo.broadcast_in_dim %arg18, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %213 = stablehlo.broadcast_in_dim %212, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %214 = stablehlo.multiply %211, %213 : tensor<8x64x128xf32>
    %215 = stablehlo.dot_general %214, %arg21, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x8x16xf32>) -> tensor<8x64x8x16xf32>
    %216 = stablehlo.dot_general %214, %arg17, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x8x16xf32>) -> tensor<8x64x8x16xf32>
    %217 = stablehlo.dot_general %214, %arg23, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x8x16xf32>) -> tensor<8x64x8x16xf32>
    %218 = stablehlo.dot_general %215, %216, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x64xf32>
    %cst_56 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %219 = stablehlo.sqrt %cst_56 : tensor<f32>
    %220 = stablehlo.convert %219 : tensor<f32>
    %221 = stablehlo.broadcast_in_dim %220, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %222 = stablehlo.divide %218, %221 : tensor<8x8x64x64xf32>
    %c_57 = stablehlo.constant dense<true> : tensor<i1>
    %223 = stablehlo.broadcast_in_dim %c_57, dims = [] : (tensor<i1>) -> tensor<64x64xi1>
    %224 = call @tril(%223) : (tensor<64x64xi1>) -> tensor<64x64xi1>
    %cst_58 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %225:2 = call @_where(%224, %222, %cst_58) : (tensor<64x64xi1>, tensor<8x8x64x64xf32>, tensor<f32>) -> (tensor<8x8x64x64xf32>, tensor<8x8x64x64xi1>)
    %cst_59 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %226 = stablehlo.reduce(%225#0 init: %cst_59) applies stablehlo.maximum across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %cst_60 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<8x8x64xf32>
    %228 = stablehlo.maximum %227, %226 : tensor<8x8x64xf32>
    %229 = stablehlo.broadcast_in_dim %228, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %230 = stablehlo.broadcast_in_dim %229, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %231 = stablehlo.subtract %225#0, %230 : tensor<8x8x64x64xf32>
    %232 = stablehlo.exponential %231 : tensor<8x8x64x64xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %233 = stablehlo.reduce(%232 init: %cst_61) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %234 = stablehlo.broadcast_in_dim %233, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %235 = stablehlo.broadcast_in_dim %234, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %236 = stablehlo.divide %232, %235 : tensor<8x8x64x64xf32>
    %237 = stablehlo.multiply %234, %234 : tensor<8x8x64x1xf32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<8x8x64x1xf32>
    %239 = stablehlo.divide %238, %237 : tensor<8x8x64x1xf32>
    %240 = stablehlo.dot_general %217, %236, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x8x64x64xf32>) -> tensor<8x8x16x64xf32>
    %241 = stablehlo.dot_general %240, %arg20, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x16x128xf32>) -> tensor<8x64x128xf32>
    %242 = stablehlo.add %192, %241 : tensor<8x64x128xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %243 = stablehlo.reduce(%242 init: %cst_63) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %244 = stablehlo.broadcast_in_dim %243, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_64 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %245 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %246 = stablehlo.divide %244, %245 : tensor<8x64x1xf32>
    %247 = stablehlo.broadcast_in_dim %246, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %248 = stablehlo.subtract %242, %247 : tensor<8x64x128xf32>
    %249 = stablehlo.multiply %248, %248 : tensor<8x64x128xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %250 = stablehlo.reduce(%249 init: %cst_65) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %251 = stablehlo.broadcast_in_dim %250, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_66 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %252 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %253 = stablehlo.divide %251, %252 : tensor<8x64x1xf32>
    %cst_67 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %254 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %255 = stablehlo.add %253, %254 : tensor<8x64x1xf32>
    %256 = stablehlo.rsqrt %255 : tensor<8x64x1xf32>
    %257 = stablehlo.divide %256, %255 : tensor<8x64x1xf32>
    %cst_68 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %258 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %259 = stablehlo.multiply %258, %257 : tensor<8x64x1xf32>
    %260 = stablehlo.broadcast_in_dim %256, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %261 = stablehlo.multiply %248, %260 : tensor<8x64x128xf32>
    %262 = stablehlo.broadcast_in_dim %arg19, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %263 = stablehlo.broadcast_in_dim %262, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %264 = stablehlo.multiply %261, %263 : tensor<8x64x128xf32>
    %265 = stablehlo.dot_general %264, %arg22, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x512xf32>) -> tensor<8x64x512xf32>
    %266 = stablehlo.multiply %265, %265 : tensor<8x64x512xf32>
    %267 = stablehlo.multiply %266, %265 : tensor<8x64x512xf32>
    %268 = stablehlo.multiply %265, %265 : tensor<8x64x512xf32>
    %cst_69 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %269 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %270 = stablehlo.multiply %269, %268 : tensor<8x64x512xf32>
    %cst_70 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %271 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %272 = stablehlo.multiply %271, %267 : tensor<8x64x512xf32>
    %273 = stablehlo.add %265, %272 : tensor<8x64x512xf32>
    %cst_71 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %274 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %275 = stablehlo.multiply %274, %273 : tensor<8x64x512xf32>
    %276 = stablehlo.tanh %275 : tensor<8x64x512xf32>
    %cst_72 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %277 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %278 = stablehlo.subtract %277, %276 : tensor<8x64x512xf32>
    %cst_73 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %279 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %280 = stablehlo.add %279, %276 : tensor<8x64x512xf32>
    %cst_74 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %281 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %282 = stablehlo.multiply %281, %280 : tensor<8x64x512xf32>
    %283 = stablehlo.multiply %265, %282 : tensor<8x64x512xf32>
    %284 = stablehlo.dot_general %283, %arg16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<512x128xf32>) -> tensor<8x64x128xf32>
    %285 = stablehlo.add %242, %284 : tensor<8x64x128xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %286 = stablehlo.reduce(%285 init: %cst_75) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %287 = stablehlo.broadcast_in_dim %286, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_76 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %288 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %289 = stablehlo.divide %287, %288 : tensor<8x64x1xf32>
    %290 = stablehlo.broadcast_in_dim %289, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %291 = stablehlo.subtract %285, %290 : tensor<8x64x128xf32>
    %292 = stablehlo.multiply %291, %291 : tensor<8x64x128xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %293 = stablehlo.reduce(%292 init: %cst_77) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %294 = stablehlo.broadcast_in_dim %293, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_78 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %295 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %296 = stablehlo.divide %294, %295 : tensor<8x64x1xf32>
    %cst_79 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %297 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %298 = stablehlo.add %296, %297 : tensor<8x64x1xf32>
    %299 = stablehlo.rsqrt %298 : tensor<8x64x1xf32>
    %300 = stablehlo.divide %299, %298 : tensor<8x64x1xf32>
    %cst_80 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %301 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %302 = stablehlo.multiply %301, %300 : tensor<8x64x1xf32>
    %303 = stablehlo.broadcast_in_dim %299, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %304 = stablehlo.multiply %291, %303 : tensor<8x64x128xf32>
    %305 = stablehlo.broadcast_in_dim %arg26, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %306 = stablehlo.broadcast_in_dim %305, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %307 = stablehlo.multiply %304, %306 : tensor<8x64x128xf32>
    %308 = stablehlo.dot_general %307, %arg29, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x8x16xf32>) -> tensor<8x64x8x16xf32>
    %309 = stablehlo.dot_general %307, %arg25, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x8x16xf32>) -> tensor<8x64x8x16xf32>
    %310 = stablehlo.dot_general %307, %arg31, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x8x16xf32>) -> tensor<8x64x8x16xf32>
    %311 = stablehlo.dot_general %308, %309, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x64xf32>
    %cst_81 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %312 = stablehlo.sqrt %cst_81 : tensor<f32>
    %313 = stablehlo.convert %312 : tensor<f32>
    %314 = stablehlo.broadcast_in_dim %313, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %315 = stablehlo.divide %311, %314 : tensor<8x8x64x64xf32>
    %c_82 = stablehlo.constant dense<true> : tensor<i1>
    %316 = stablehlo.broadcast_in_dim %c_82, dims = [] : (tensor<i1>) -> tensor<64x64xi1>
    %317 = call @tril(%316) : (tensor<64x64xi1>) -> tensor<64x64xi1>
    %cst_83 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %318:2 = call @_where(%317, %315, %cst_83) : (tensor<64x64xi1>, tensor<8x8x64x64xf32>, tensor<f32>) -> (tensor<8x8x64x64xf32>, tensor<8x8x64x64xi1>)
    %cst_84 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %319 = stablehlo.reduce(%318#0 init: %cst_84) applies stablehlo.maximum across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %cst_85 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %320 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<8x8x64xf32>
    %321 = stablehlo.maximum %320, %319 : tensor<8x8x64xf32>
    %322 = stablehlo.broadcast_in_dim %321, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %323 = stablehlo.broadcast_in_dim %322, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %324 = stablehlo.subtract %318#0, %323 : tensor<8x8x64x64xf32>
    %325 = stablehlo.exponential %324 : tensor<8x8x64x64xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %326 = stablehlo.reduce(%325 init: %cst_86) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %327 = stablehlo.broadcast_in_dim %326, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %328 = stablehlo.broadcast_in_dim %327, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %329 = stablehlo.divide %325, %328 : tensor<8x8x64x64xf32>
    %330 = stablehlo.multiply %327, %327 : tensor<8x8x64x1xf32>
    %cst_87 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %331 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<8x8x64x1xf32>
    %332 = stablehlo.divide %331, %330 : tensor<8x8x64x1xf32>
    %333 = stablehlo.dot_general %310, %329, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x8x64x64xf32>) -> tensor<8x8x16x64xf32>
    %334 = stablehlo.dot_general %333, %arg28, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x16x128xf32>) -> tensor<8x64x128xf32>
    %335 = stablehlo.add %285, %334 : tensor<8x64x128xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %336 = stablehlo.reduce(%335 init: %cst_88) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %337 = stablehlo.broadcast_in_dim %336, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_89 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %338 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %339 = stablehlo.divide %337, %338 : tensor<8x64x1xf32>
    %340 = stablehlo.broadcast_in_dim %339, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %341 = stablehlo.subtract %335, %340 : tensor<8x64x128xf32>
    %342 = stablehlo.multiply %341, %341 : tensor<8x64x128xf32>
    %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %343 = stablehlo.reduce(%342 init: %cst_90) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %344 = stablehlo.broadcast_in_dim %343, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %cst_91 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %345 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %346 = stablehlo.divide %344, %345 : tensor<8x64x1xf32>
    %cst_92 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %347 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %348 = stablehlo.add %346, %347 : tensor<8x64x1xf32>
    %349 = stablehlo.rsqrt %348 : tensor<8x64x1xf32>
    %350 = stablehlo.divide %349, %348 : tensor<8x64x1xf32>
    %cst_93 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %351 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %352 = stablehlo.multiply %351, %350 : tensor<8x64x1xf32>
    %353 = stablehlo.broadcast_in_dim %349, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %354 = stablehlo.multiply %341, %353 : tensor<8x64x128xf32>
    %355 = stablehlo.broadcast_in_dim %arg27, dims = [2] : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %356 = stablehlo.broadcast_in_dim %355, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %357 = stablehlo.multiply %354, %356 : tensor<8x64x128xf32>
    %358 = stablehlo.dot_general %357, %arg30, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x512xf32>) -> tensor<8x64x512xf32>
    %359 = stablehlo.multiply %358, %358 : tensor<8x64x512xf32>
    %360 = stablehlo.multiply %359, %358 : tensor<8x64x512xf32>
    %361 = stablehlo.multiply %358, %358 : tensor<8x64x512xf32>
    %cst_94 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %362 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %363 = stablehlo.multiply %362, %361 : tensor<8x64x512xf32>
    %cst_95 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %364 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %365 = stablehlo.multiply %364, %360 : tensor<8x64x512xf32>
    %366 = stablehlo.add %358, %365 : tensor<8x64x512xf32>
    %cst_96 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %367 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %368 = stablehlo.multiply %367, %366 : tensor<8x64x512xf32>
    %369 = stablehlo.tanh %368 : tensor<8x64x512xf32>
    %cst_97 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %370 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %371 = stablehlo.subtract %370, %369 : tensor<8x64x512xf32>
    %cst_98 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %372 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %373 = stablehlo.add %372, %369 : tensor<8x64x512xf32>
    %cst_99 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %374 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %375 = stablehlo.multiply %374, %373 : tensor<8x64x512xf32>
    %376 = stablehlo.multiply %358, %375 : tensor<8x64x512xf32>
    %377 = stablehlo.dot_general %376, %arg24, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<512x128xf32>) -> tensor<8x64x128xf32>
    %378 = stablehlo.add %335, %377 : tensor<8x64x128xf32>
    %379 = stablehlo.transpose %arg32, dims = [1, 0] : (tensor<512x128xf32>) -> tensor<128x512xf32>
    %380 = stablehlo.dot_general %378, %379, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<128x512xf32>) -> tensor<8x64x512xf32>
    %381:3 = call @log_softmax(%380) : (tensor<8x64x512xf32>) -> (tensor<8x64x512xf32>, tensor<8x64x512xf32>, tensor<8x64x1xf32>)
    %382 = stablehlo.broadcast_in_dim %arg34, dims = [0, 1] : (tensor<8x64xi32>) -> tensor<8x64x1xi32>
    %383:2 = call @take_along_axis(%381#0, %382) : (tensor<8x64x512xf32>, tensor<8x64x1xi32>) -> (tensor<8x64x1xf32>, tensor<8x64x1x1xi32>)
    %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %384 = stablehlo.reduce(%383#0 init: %cst_100) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_101 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %385 = stablehlo.divide %384, %cst_101 : tensor<f32>
    %386 = stablehlo.negate %385 : tensor<f32>
    %cst_102 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %387 = stablehlo.negate %cst_102 : tensor<f32>
    %cst_103 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %388 = stablehlo.divide %387, %cst_103 : tensor<f32>
    %389 = stablehlo.broadcast_in_dim %388, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %390 = call @take_along_axis_0(%383#1, %389) : (tensor<8x64x1x1xi32>, tensor<8x64x1xf32>) -> tensor<8x64x512xf32>
    %391 = call @log_softmax_1(%381#1, %381#2, %390) : (tensor<8x64x512xf32>, tensor<8x64x1xf32>, tensor<8x64x512xf32>) -> tensor<8x64x512xf32>
    %392 = stablehlo.dot_general %391, %378, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<8x64x128xf32>) -> tensor<512x128xf32>
    %393 = stablehlo.transpose %392, dims = [1, 0] : (tensor<512x128xf32>) -> tensor<128x512xf32>
    %394 = stablehlo.dot_general %391, %379, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<128x512xf32>) -> tensor<8x64x128xf32>
    %395 = stablehlo.transpose %393, dims = [1, 0] : (tensor<128x512xf32>) -> tensor<512x128xf32>
    %396 = stablehlo.dot_general %394, %376, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x512xf32>) -> tensor<128x512xf32>
    %397 = stablehlo.transpose %396, dims = [1, 0] : (tensor<128x512xf32>) -> tensor<512x128xf32>
    %398 = stablehlo.dot_general %394, %arg24, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<512x128xf32>) -> tensor<8x64x512xf32>
    %399 = stablehlo.multiply %358, %398 : tensor<8x64x512xf32>
    %400 = stablehlo.multiply %398, %375 : tensor<8x64x512xf32>
    %cst_104 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %401 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %402 = stablehlo.multiply %401, %399 : tensor<8x64x512xf32>
    %403 = stablehlo.multiply %402, %371 : tensor<8x64x512xf32>
    %404 = stablehlo.multiply %403, %369 : tensor<8x64x512xf32>
    %405 = stablehlo.add %403, %404 : tensor<8x64x512xf32>
    %cst_105 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %406 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %407 = stablehlo.multiply %406, %405 : tensor<8x64x512xf32>
    %408 = stablehlo.add %400, %407 : tensor<8x64x512xf32>
    %cst_106 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %409 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %410 = stablehlo.multiply %409, %407 : tensor<8x64x512xf32>
    %411 = stablehlo.multiply %410, %363 : tensor<8x64x512xf32>
    %412 = stablehlo.add %408, %411 : tensor<8x64x512xf32>
    %413 = stablehlo.dot_general %412, %357, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<8x64x128xf32>) -> tensor<512x128xf32>
    %414 = stablehlo.transpose %413, dims = [1, 0] : (tensor<512x128xf32>) -> tensor<128x512xf32>
    %415 = stablehlo.dot_general %412, %arg30, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<128x512xf32>) -> tensor<8x64x128xf32>
    %416 = stablehlo.multiply %354, %415 : tensor<8x64x128xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %417 = stablehlo.reduce(%416 init: %cst_107) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %418 = stablehlo.reshape %417 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %419 = stablehlo.broadcast_in_dim %355, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %420 = stablehlo.multiply %415, %419 : tensor<8x64x128xf32>
    %cst_108 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %421 = stablehlo.reduce(%418 init: %cst_108) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %422 = stablehlo.multiply %341, %420 : tensor<8x64x128xf32>
    %cst_109 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %423 = stablehlo.reduce(%422 init: %cst_109) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %424 = stablehlo.reshape %423 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %425 = stablehlo.broadcast_in_dim %349, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %426 = stablehlo.multiply %420, %425 : tensor<8x64x128xf32>
    %427 = stablehlo.multiply %424, %352 : tensor<8x64x1xf32>
    %cst_110 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %428 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %429 = stablehlo.divide %427, %428 : tensor<8x64x1xf32>
    %cst_111 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %430 = stablehlo.reduce(%429 init: %cst_111) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %431 = stablehlo.broadcast_in_dim %430, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %432 = stablehlo.multiply %341, %431 : tensor<8x64x128xf32>
    %433 = stablehlo.add %426, %432 : tensor<8x64x128xf32>
    %434 = stablehlo.multiply %431, %341 : tensor<8x64x128xf32>
    %435 = stablehlo.add %433, %434 : tensor<8x64x128xf32>
    %436 = stablehlo.negate %435 : tensor<8x64x128xf32>
    %cst_112 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %437 = stablehlo.reduce(%436 init: %cst_112) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %438 = stablehlo.reshape %437 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %439 = stablehlo.add %394, %435 : tensor<8x64x128xf32>
    %cst_113 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %440 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %441 = stablehlo.divide %438, %440 : tensor<8x64x1xf32>
    %cst_114 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %442 = stablehlo.reduce(%441 init: %cst_114) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %443 = stablehlo.broadcast_in_dim %442, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %444 = stablehlo.add %439, %443 : tensor<8x64x128xf32>
    %445 = stablehlo.dot_general %444, %333, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x8x16x64xf32>) -> tensor<128x8x16xf32>
    %446 = stablehlo.transpose %445, dims = [1, 2, 0] : (tensor<128x8x16xf32>) -> tensor<8x16x128xf32>
    %447 = stablehlo.dot_general %444, %arg28, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x16x128xf32>) -> tensor<8x64x8x16xf32>
    %448 = stablehlo.transpose %447, dims = [0, 2, 3, 1] : (tensor<8x64x8x16xf32>) -> tensor<8x8x16x64xf32>
    %449 = stablehlo.dot_general %448, %310, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x64xf32>
    %450 = stablehlo.dot_general %448, %329, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x8x64x64xf32>) -> tensor<8x8x16x64xf32>
    %451 = stablehlo.transpose %450, dims = [0, 3, 1, 2] : (tensor<8x8x16x64xf32>) -> tensor<8x64x8x16xf32>
    %452 = stablehlo.broadcast_in_dim %332, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %453 = stablehlo.multiply %449, %452 : tensor<8x8x64x64xf32>
    %454 = stablehlo.multiply %453, %325 : tensor<8x8x64x64xf32>
    %cst_115 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %455 = stablehlo.reduce(%454 init: %cst_115) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %456 = stablehlo.reshape %455 : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %457 = stablehlo.negate %456 : tensor<8x8x64x1xf32>
    %458 = stablehlo.broadcast_in_dim %327, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %459 = stablehlo.divide %449, %458 : tensor<8x8x64x64xf32>
    %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %460 = stablehlo.reduce(%457 init: %cst_116) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x1xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %461 = stablehlo.broadcast_in_dim %460, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x64xf32>
    %462 = stablehlo.add %459, %461 : tensor<8x8x64x64xf32>
    %463 = stablehlo.multiply %462, %325 : tensor<8x8x64x64xf32>
    %464 = call @_where_2(%318#1, %463) : (tensor<8x8x64x64xi1>, tensor<8x8x64x64xf32>) -> tensor<8x8x64x64xf32>
    %465 = stablehlo.broadcast_in_dim %313, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %466 = stablehlo.divide %464, %465 : tensor<8x8x64x64xf32>
    %467 = stablehlo.dot_general %466, %308, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %468 = stablehlo.transpose %467, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %469 = stablehlo.dot_general %466, %309, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %470 = stablehlo.transpose %469, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %471 = stablehlo.dot_general %451, %307, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x128xf32>) -> tensor<8x16x128xf32>
    %472 = stablehlo.transpose %471, dims = [2, 0, 1] : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %473 = stablehlo.dot_general %451, %arg31, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<128x8x16xf32>) -> tensor<8x64x128xf32>
    %474 = stablehlo.dot_general %468, %307, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x128xf32>) -> tensor<8x16x128xf32>
    %475 = stablehlo.transpose %474, dims = [2, 0, 1] : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %476 = stablehlo.dot_general %468, %arg25, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<128x8x16xf32>) -> tensor<8x64x128xf32>
    %477 = stablehlo.add %473, %476 : tensor<8x64x128xf32>
    %478 = stablehlo.dot_general %470, %307, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x128xf32>) -> tensor<8x16x128xf32>
    %479 = stablehlo.transpose %478, dims = [2, 0, 1] : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %480 = stablehlo.dot_general %470, %arg29, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<128x8x16xf32>) -> tensor<8x64x128xf32>
    %481 = stablehlo.add %477, %480 : tensor<8x64x128xf32>
    %482 = stablehlo.multiply %304, %481 : tensor<8x64x128xf32>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %483 = stablehlo.reduce(%482 init: %cst_117) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %484 = stablehlo.reshape %483 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %485 = stablehlo.broadcast_in_dim %305, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %486 = stablehlo.multiply %481, %485 : tensor<8x64x128xf32>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %487 = stablehlo.reduce(%484 init: %cst_118) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %488 = stablehlo.multiply %291, %486 : tensor<8x64x128xf32>
    %cst_119 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %489 = stablehlo.reduce(%488 init: %cst_119) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %490 = stablehlo.reshape %489 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %491 = stablehlo.broadcast_in_dim %299, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %492 = stablehlo.multiply %486, %491 : tensor<8x64x128xf32>
    %493 = stablehlo.multiply %490, %302 : tensor<8x64x1xf32>
    %cst_120 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %494 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %495 = stablehlo.divide %493, %494 : tensor<8x64x1xf32>
    %cst_121 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %496 = stablehlo.reduce(%495 init: %cst_121) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %497 = stablehlo.broadcast_in_dim %496, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %498 = stablehlo.multiply %291, %497 : tensor<8x64x128xf32>
    %499 = stablehlo.add %492, %498 : tensor<8x64x128xf32>
    %500 = stablehlo.multiply %497, %291 : tensor<8x64x128xf32>
    %501 = stablehlo.add %499, %500 : tensor<8x64x128xf32>
    %502 = stablehlo.negate %501 : tensor<8x64x128xf32>
    %cst_122 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %503 = stablehlo.reduce(%502 init: %cst_122) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %504 = stablehlo.reshape %503 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %505 = stablehlo.add %444, %501 : tensor<8x64x128xf32>
    %cst_123 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %506 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %507 = stablehlo.divide %504, %506 : tensor<8x64x1xf32>
    %cst_124 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %508 = stablehlo.reduce(%507 init: %cst_124) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %509 = stablehlo.broadcast_in_dim %508, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %510 = stablehlo.add %505, %509 : tensor<8x64x128xf32>
    %511 = stablehlo.dot_general %510, %283, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x512xf32>) -> tensor<128x512xf32>
    %512 = stablehlo.transpose %511, dims = [1, 0] : (tensor<128x512xf32>) -> tensor<512x128xf32>
    %513 = stablehlo.dot_general %510, %arg16, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<512x128xf32>) -> tensor<8x64x512xf32>
    %514 = stablehlo.multiply %265, %513 : tensor<8x64x512xf32>
    %515 = stablehlo.multiply %513, %282 : tensor<8x64x512xf32>
    %cst_125 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %516 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %517 = stablehlo.multiply %516, %514 : tensor<8x64x512xf32>
    %518 = stablehlo.multiply %517, %278 : tensor<8x64x512xf32>
    %519 = stablehlo.multiply %518, %276 : tensor<8x64x512xf32>
    %520 = stablehlo.add %518, %519 : tensor<8x64x512xf32>
    %cst_126 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %521 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %522 = stablehlo.multiply %521, %520 : tensor<8x64x512xf32>
    %523 = stablehlo.add %515, %522 : tensor<8x64x512xf32>
    %cst_127 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %524 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %525 = stablehlo.multiply %524, %522 : tensor<8x64x512xf32>
    %526 = stablehlo.multiply %525, %270 : tensor<8x64x512xf32>
    %527 = stablehlo.add %523, %526 : tensor<8x64x512xf32>
    %528 = stablehlo.dot_general %527, %264, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<8x64x128xf32>) -> tensor<512x128xf32>
    %529 = stablehlo.transpose %528, dims = [1, 0] : (tensor<512x128xf32>) -> tensor<128x512xf32>
    %530 = stablehlo.dot_general %527, %arg22, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<128x512xf32>) -> tensor<8x64x128xf32>
    %531 = stablehlo.multiply %261, %530 : tensor<8x64x128xf32>
    %cst_128 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %532 = stablehlo.reduce(%531 init: %cst_128) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %533 = stablehlo.reshape %532 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %534 = stablehlo.broadcast_in_dim %262, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %535 = stablehlo.multiply %530, %534 : tensor<8x64x128xf32>
    %cst_129 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %536 = stablehlo.reduce(%533 init: %cst_129) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %537 = stablehlo.multiply %248, %535 : tensor<8x64x128xf32>
    %cst_130 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %538 = stablehlo.reduce(%537 init: %cst_130) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %539 = stablehlo.reshape %538 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %540 = stablehlo.broadcast_in_dim %256, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %541 = stablehlo.multiply %535, %540 : tensor<8x64x128xf32>
    %542 = stablehlo.multiply %539, %259 : tensor<8x64x1xf32>
    %cst_131 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %543 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %544 = stablehlo.divide %542, %543 : tensor<8x64x1xf32>
    %cst_132 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %545 = stablehlo.reduce(%544 init: %cst_132) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %546 = stablehlo.broadcast_in_dim %545, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %547 = stablehlo.multiply %248, %546 : tensor<8x64x128xf32>
    %548 = stablehlo.add %541, %547 : tensor<8x64x128xf32>
    %549 = stablehlo.multiply %546, %248 : tensor<8x64x128xf32>
    %550 = stablehlo.add %548, %549 : tensor<8x64x128xf32>
    %551 = stablehlo.negate %550 : tensor<8x64x128xf32>
    %cst_133 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %552 = stablehlo.reduce(%551 init: %cst_133) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %553 = stablehlo.reshape %552 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %554 = stablehlo.add %510, %550 : tensor<8x64x128xf32>
    %cst_134 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %555 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %556 = stablehlo.divide %553, %555 : tensor<8x64x1xf32>
    %cst_135 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %557 = stablehlo.reduce(%556 init: %cst_135) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %558 = stablehlo.broadcast_in_dim %557, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %559 = stablehlo.add %554, %558 : tensor<8x64x128xf32>
    %560 = stablehlo.dot_general %559, %240, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x8x16x64xf32>) -> tensor<128x8x16xf32>
    %561 = stablehlo.transpose %560, dims = [1, 2, 0] : (tensor<128x8x16xf32>) -> tensor<8x16x128xf32>
    %562 = stablehlo.dot_general %559, %arg20, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x16x128xf32>) -> tensor<8x64x8x16xf32>
    %563 = stablehlo.transpose %562, dims = [0, 2, 3, 1] : (tensor<8x64x8x16xf32>) -> tensor<8x8x16x64xf32>
    %564 = stablehlo.dot_general %563, %217, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x64xf32>
    %565 = stablehlo.dot_general %563, %236, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x8x64x64xf32>) -> tensor<8x8x16x64xf32>
    %566 = stablehlo.transpose %565, dims = [0, 3, 1, 2] : (tensor<8x8x16x64xf32>) -> tensor<8x64x8x16xf32>
    %567 = stablehlo.broadcast_in_dim %239, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %568 = stablehlo.multiply %564, %567 : tensor<8x8x64x64xf32>
    %569 = stablehlo.multiply %568, %232 : tensor<8x8x64x64xf32>
    %cst_136 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %570 = stablehlo.reduce(%569 init: %cst_136) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %571 = stablehlo.reshape %570 : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %572 = stablehlo.negate %571 : tensor<8x8x64x1xf32>
    %573 = stablehlo.broadcast_in_dim %234, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %574 = stablehlo.divide %564, %573 : tensor<8x8x64x64xf32>
    %cst_137 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %575 = stablehlo.reduce(%572 init: %cst_137) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x1xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %576 = stablehlo.broadcast_in_dim %575, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x64xf32>
    %577 = stablehlo.add %574, %576 : tensor<8x8x64x64xf32>
    %578 = stablehlo.multiply %577, %232 : tensor<8x8x64x64xf32>
    %579 = call @_where_2(%225#1, %578) : (tensor<8x8x64x64xi1>, tensor<8x8x64x64xf32>) -> tensor<8x8x64x64xf32>
    %580 = stablehlo.broadcast_in_dim %220, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %581 = stablehlo.divide %579, %580 : tensor<8x8x64x64xf32>
    %582 = stablehlo.dot_general %581, %215, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %583 = stablehlo.transpose %582, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %584 = stablehlo.dot_general %581, %216, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %585 = stablehlo.transpose %584, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %586 = stablehlo.dot_general %566, %214, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x128xf32>) -> tensor<8x16x128xf32>
    %587 = stablehlo.transpose %586, dims = [2, 0, 1] : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %588 = stablehlo.dot_general %566, %arg23, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<128x8x16xf32>) -> tensor<8x64x128xf32>
    %589 = stablehlo.dot_general %583, %214, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x128xf32>) -> tensor<8x16x128xf32>
    %590 = stablehlo.transpose %589, dims = [2, 0, 1] : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %591 = stablehlo.dot_general %583, %arg17, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<128x8x16xf32>) -> tensor<8x64x128xf32>
    %592 = stablehlo.add %588, %591 : tensor<8x64x128xf32>
    %593 = stablehlo.dot_general %585, %214, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x128xf32>) -> tensor<8x16x128xf32>
    %594 = stablehlo.transpose %593, dims = [2, 0, 1] : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %595 = stablehlo.dot_general %585, %arg21, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<128x8x16xf32>) -> tensor<8x64x128xf32>
    %596 = stablehlo.add %592, %595 : tensor<8x64x128xf32>
    %597 = stablehlo.multiply %211, %596 : tensor<8x64x128xf32>
    %cst_138 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %598 = stablehlo.reduce(%597 init: %cst_138) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %599 = stablehlo.reshape %598 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %600 = stablehlo.broadcast_in_dim %212, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %601 = stablehlo.multiply %596, %600 : tensor<8x64x128xf32>
    %cst_139 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %602 = stablehlo.reduce(%599 init: %cst_139) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %603 = stablehlo.multiply %198, %601 : tensor<8x64x128xf32>
    %cst_140 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %604 = stablehlo.reduce(%603 init: %cst_140) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %605 = stablehlo.reshape %604 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %606 = stablehlo.broadcast_in_dim %206, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %607 = stablehlo.multiply %601, %606 : tensor<8x64x128xf32>
    %608 = stablehlo.multiply %605, %209 : tensor<8x64x1xf32>
    %cst_141 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %609 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %610 = stablehlo.divide %608, %609 : tensor<8x64x1xf32>
    %cst_142 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %611 = stablehlo.reduce(%610 init: %cst_142) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %612 = stablehlo.broadcast_in_dim %611, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %613 = stablehlo.multiply %198, %612 : tensor<8x64x128xf32>
    %614 = stablehlo.add %607, %613 : tensor<8x64x128xf32>
    %615 = stablehlo.multiply %612, %198 : tensor<8x64x128xf32>
    %616 = stablehlo.add %614, %615 : tensor<8x64x128xf32>
    %617 = stablehlo.negate %616 : tensor<8x64x128xf32>
    %cst_143 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %618 = stablehlo.reduce(%617 init: %cst_143) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %619 = stablehlo.reshape %618 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %620 = stablehlo.add %559, %616 : tensor<8x64x128xf32>
    %cst_144 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %621 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %622 = stablehlo.divide %619, %621 : tensor<8x64x1xf32>
    %cst_145 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %623 = stablehlo.reduce(%622 init: %cst_145) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %624 = stablehlo.broadcast_in_dim %623, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %625 = stablehlo.add %620, %624 : tensor<8x64x128xf32>
    %626 = stablehlo.dot_general %625, %190, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x512xf32>) -> tensor<128x512xf32>
    %627 = stablehlo.transpose %626, dims = [1, 0] : (tensor<128x512xf32>) -> tensor<512x128xf32>
    %628 = stablehlo.dot_general %625, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<512x128xf32>) -> tensor<8x64x512xf32>
    %629 = stablehlo.multiply %172, %628 : tensor<8x64x512xf32>
    %630 = stablehlo.multiply %628, %189 : tensor<8x64x512xf32>
    %cst_146 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %631 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %632 = stablehlo.multiply %631, %629 : tensor<8x64x512xf32>
    %633 = stablehlo.multiply %632, %185 : tensor<8x64x512xf32>
    %634 = stablehlo.multiply %633, %183 : tensor<8x64x512xf32>
    %635 = stablehlo.add %633, %634 : tensor<8x64x512xf32>
    %cst_147 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %636 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %637 = stablehlo.multiply %636, %635 : tensor<8x64x512xf32>
    %638 = stablehlo.add %630, %637 : tensor<8x64x512xf32>
    %cst_148 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %639 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %640 = stablehlo.multiply %639, %637 : tensor<8x64x512xf32>
    %641 = stablehlo.multiply %640, %177 : tensor<8x64x512xf32>
    %642 = stablehlo.add %638, %641 : tensor<8x64x512xf32>
    %643 = stablehlo.dot_general %642, %171, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<8x64x128xf32>) -> tensor<512x128xf32>
    %644 = stablehlo.transpose %643, dims = [1, 0] : (tensor<512x128xf32>) -> tensor<128x512xf32>
    %645 = stablehlo.dot_general %642, %arg14, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<128x512xf32>) -> tensor<8x64x128xf32>
    %646 = stablehlo.multiply %168, %645 : tensor<8x64x128xf32>
    %cst_149 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %647 = stablehlo.reduce(%646 init: %cst_149) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %648 = stablehlo.reshape %647 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %649 = stablehlo.broadcast_in_dim %169, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %650 = stablehlo.multiply %645, %649 : tensor<8x64x128xf32>
    %cst_150 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %651 = stablehlo.reduce(%648 init: %cst_150) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %652 = stablehlo.multiply %155, %650 : tensor<8x64x128xf32>
    %cst_151 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %653 = stablehlo.reduce(%652 init: %cst_151) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %654 = stablehlo.reshape %653 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %655 = stablehlo.broadcast_in_dim %163, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %656 = stablehlo.multiply %650, %655 : tensor<8x64x128xf32>
    %657 = stablehlo.multiply %654, %166 : tensor<8x64x1xf32>
    %cst_152 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %658 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %659 = stablehlo.divide %657, %658 : tensor<8x64x1xf32>
    %cst_153 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %660 = stablehlo.reduce(%659 init: %cst_153) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %661 = stablehlo.broadcast_in_dim %660, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %662 = stablehlo.multiply %155, %661 : tensor<8x64x128xf32>
    %663 = stablehlo.add %656, %662 : tensor<8x64x128xf32>
    %664 = stablehlo.multiply %661, %155 : tensor<8x64x128xf32>
    %665 = stablehlo.add %663, %664 : tensor<8x64x128xf32>
    %666 = stablehlo.negate %665 : tensor<8x64x128xf32>
    %cst_154 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %667 = stablehlo.reduce(%666 init: %cst_154) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %668 = stablehlo.reshape %667 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %669 = stablehlo.add %625, %665 : tensor<8x64x128xf32>
    %cst_155 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %670 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %671 = stablehlo.divide %668, %670 : tensor<8x64x1xf32>
    %cst_156 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %672 = stablehlo.reduce(%671 init: %cst_156) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %673 = stablehlo.broadcast_in_dim %672, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %674 = stablehlo.add %669, %673 : tensor<8x64x128xf32>
    %675 = stablehlo.dot_general %674, %147, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x8x16x64xf32>) -> tensor<128x8x16xf32>
    %676 = stablehlo.transpose %675, dims = [1, 2, 0] : (tensor<128x8x16xf32>) -> tensor<8x16x128xf32>
    %677 = stablehlo.dot_general %674, %arg12, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x16x128xf32>) -> tensor<8x64x8x16xf32>
    %678 = stablehlo.transpose %677, dims = [0, 2, 3, 1] : (tensor<8x64x8x16xf32>) -> tensor<8x8x16x64xf32>
    %679 = stablehlo.dot_general %678, %124, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x64xf32>
    %680 = stablehlo.dot_general %678, %143, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x8x64x64xf32>) -> tensor<8x8x16x64xf32>
    %681 = stablehlo.transpose %680, dims = [0, 3, 1, 2] : (tensor<8x8x16x64xf32>) -> tensor<8x64x8x16xf32>
    %682 = stablehlo.broadcast_in_dim %146, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %683 = stablehlo.multiply %679, %682 : tensor<8x8x64x64xf32>
    %684 = stablehlo.multiply %683, %139 : tensor<8x8x64x64xf32>
    %cst_157 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %685 = stablehlo.reduce(%684 init: %cst_157) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %686 = stablehlo.reshape %685 : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %687 = stablehlo.negate %686 : tensor<8x8x64x1xf32>
    %688 = stablehlo.broadcast_in_dim %141, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %689 = stablehlo.divide %679, %688 : tensor<8x8x64x64xf32>
    %cst_158 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %690 = stablehlo.reduce(%687 init: %cst_158) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x1xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %691 = stablehlo.broadcast_in_dim %690, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x64xf32>
    %692 = stablehlo.add %689, %691 : tensor<8x8x64x64xf32>
    %693 = stablehlo.multiply %692, %139 : tensor<8x8x64x64xf32>
    %694 = call @_where_2(%132#1, %693) : (tensor<8x8x64x64xi1>, tensor<8x8x64x64xf32>) -> tensor<8x8x64x64xf32>
    %695 = stablehlo.broadcast_in_dim %127, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %696 = stablehlo.divide %694, %695 : tensor<8x8x64x64xf32>
    %697 = stablehlo.dot_general %696, %122, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %698 = stablehlo.transpose %697, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %699 = stablehlo.dot_general %696, %123, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %700 = stablehlo.transpose %699, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %701 = stablehlo.dot_general %681, %121, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x128xf32>) -> tensor<8x16x128xf32>
    %702 = stablehlo.transpose %701, dims = [2, 0, 1] : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %703 = stablehlo.dot_general %681, %arg15, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<128x8x16xf32>) -> tensor<8x64x128xf32>
    %704 = stablehlo.dot_general %698, %121, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x128xf32>) -> tensor<8x16x128xf32>
    %705 = stablehlo.transpose %704, dims = [2, 0, 1] : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %706 = stablehlo.dot_general %698, %arg9, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<128x8x16xf32>) -> tensor<8x64x128xf32>
    %707 = stablehlo.add %703, %706 : tensor<8x64x128xf32>
    %708 = stablehlo.dot_general %700, %121, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x128xf32>) -> tensor<8x16x128xf32>
    %709 = stablehlo.transpose %708, dims = [2, 0, 1] : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %710 = stablehlo.dot_general %700, %arg13, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<128x8x16xf32>) -> tensor<8x64x128xf32>
    %711 = stablehlo.add %707, %710 : tensor<8x64x128xf32>
    %712 = stablehlo.multiply %118, %711 : tensor<8x64x128xf32>
    %cst_159 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %713 = stablehlo.reduce(%712 init: %cst_159) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %714 = stablehlo.reshape %713 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %715 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %716 = stablehlo.multiply %711, %715 : tensor<8x64x128xf32>
    %cst_160 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %717 = stablehlo.reduce(%714 init: %cst_160) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %718 = stablehlo.multiply %105, %716 : tensor<8x64x128xf32>
    %cst_161 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %719 = stablehlo.reduce(%718 init: %cst_161) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %720 = stablehlo.reshape %719 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %721 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %722 = stablehlo.multiply %716, %721 : tensor<8x64x128xf32>
    %723 = stablehlo.multiply %720, %116 : tensor<8x64x1xf32>
    %cst_162 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %724 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %725 = stablehlo.divide %723, %724 : tensor<8x64x1xf32>
    %cst_163 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %726 = stablehlo.reduce(%725 init: %cst_163) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %727 = stablehlo.broadcast_in_dim %726, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %728 = stablehlo.multiply %105, %727 : tensor<8x64x128xf32>
    %729 = stablehlo.add %722, %728 : tensor<8x64x128xf32>
    %730 = stablehlo.multiply %727, %105 : tensor<8x64x128xf32>
    %731 = stablehlo.add %729, %730 : tensor<8x64x128xf32>
    %732 = stablehlo.negate %731 : tensor<8x64x128xf32>
    %cst_164 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %733 = stablehlo.reduce(%732 init: %cst_164) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %734 = stablehlo.reshape %733 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %735 = stablehlo.add %674, %731 : tensor<8x64x128xf32>
    %cst_165 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %736 = stablehlo.broadcast_in_dim %cst_165, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %737 = stablehlo.divide %734, %736 : tensor<8x64x1xf32>
    %cst_166 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %738 = stablehlo.reduce(%737 init: %cst_166) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %739 = stablehlo.broadcast_in_dim %738, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %740 = stablehlo.add %735, %739 : tensor<8x64x128xf32>
    %741 = stablehlo.dot_general %740, %97, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x64x512xf32>) -> tensor<128x512xf32>
    %742 = stablehlo.transpose %741, dims = [1, 0] : (tensor<128x512xf32>) -> tensor<512x128xf32>
    %743 = stablehlo.dot_general %740, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<512x128xf32>) -> tensor<8x64x512xf32>
    %744 = stablehlo.multiply %79, %743 : tensor<8x64x512xf32>
    %745 = stablehlo.multiply %743, %96 : tensor<8x64x512xf32>
    %cst_167 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %746 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %747 = stablehlo.multiply %746, %744 : tensor<8x64x512xf32>
    %748 = stablehlo.multiply %747, %92 : tensor<8x64x512xf32>
    %749 = stablehlo.multiply %748, %90 : tensor<8x64x512xf32>
    %750 = stablehlo.add %748, %749 : tensor<8x64x512xf32>
    %cst_168 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %751 = stablehlo.broadcast_in_dim %cst_168, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %752 = stablehlo.multiply %751, %750 : tensor<8x64x512xf32>
    %753 = stablehlo.add %745, %752 : tensor<8x64x512xf32>
    %cst_169 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %754 = stablehlo.broadcast_in_dim %cst_169, dims = [] : (tensor<f32>) -> tensor<8x64x512xf32>
    %755 = stablehlo.multiply %754, %752 : tensor<8x64x512xf32>
    %756 = stablehlo.multiply %755, %84 : tensor<8x64x512xf32>
    %757 = stablehlo.add %753, %756 : tensor<8x64x512xf32>
    %758 = stablehlo.dot_general %757, %78, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<8x64x128xf32>) -> tensor<512x128xf32>
    %759 = stablehlo.transpose %758, dims = [1, 0] : (tensor<512x128xf32>) -> tensor<128x512xf32>
    %760 = stablehlo.dot_general %757, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x512xf32>, tensor<128x512xf32>) -> tensor<8x64x128xf32>
    %761 = stablehlo.multiply %75, %760 : tensor<8x64x128xf32>
    %cst_170 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %762 = stablehlo.reduce(%761 init: %cst_170) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %763 = stablehlo.reshape %762 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %764 = stablehlo.broadcast_in_dim %76, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %765 = stablehlo.multiply %760, %764 : tensor<8x64x128xf32>
    %cst_171 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %766 = stablehlo.reduce(%763 init: %cst_171) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %767 = stablehlo.multiply %62, %765 : tensor<8x64x128xf32>
    %cst_172 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %768 = stablehlo.reduce(%767 init: %cst_172) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %769 = stablehlo.reshape %768 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %770 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %771 = stablehlo.multiply %765, %770 : tensor<8x64x128xf32>
    %772 = stablehlo.multiply %769, %73 : tensor<8x64x1xf32>
    %cst_173 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %773 = stablehlo.broadcast_in_dim %cst_173, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %774 = stablehlo.divide %772, %773 : tensor<8x64x1xf32>
    %cst_174 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %775 = stablehlo.reduce(%774 init: %cst_174) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %776 = stablehlo.broadcast_in_dim %775, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %777 = stablehlo.multiply %62, %776 : tensor<8x64x128xf32>
    %778 = stablehlo.add %771, %777 : tensor<8x64x128xf32>
    %779 = stablehlo.multiply %776, %62 : tensor<8x64x128xf32>
    %780 = stablehlo.add %778, %779 : tensor<8x64x128xf32>
    %781 = stablehlo.negate %780 : tensor<8x64x128xf32>
    %cst_175 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %782 = stablehlo.reduce(%781 init: %cst_175) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %783 = stablehlo.reshape %782 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %784 = stablehlo.add %740, %780 : tensor<8x64x128xf32>
    %cst_176 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %785 = stablehlo.broadcast_in_dim %cst_176, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %786 = stablehlo.divide %783, %785 : tensor<8x64x1xf32>
    %cst_177 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %787 = stablehlo.reduce(%786 init: %cst_177) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %788 = stablehlo.broadcast_in_dim %787, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %789 = stablehlo.add %784, %788 : tensor<8x64x128xf32>
    %790 = stablehlo.dot_general %789, %54, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x8x16x64xf32>) -> tensor<128x8x16xf32>
    %791 = stablehlo.transpose %790, dims = [1, 2, 0] : (tensor<128x8x16xf32>) -> tensor<8x16x128xf32>
    %792 = stablehlo.dot_general %789, %arg4, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x128xf32>, tensor<8x16x128xf32>) -> tensor<8x64x8x16xf32>
    %793 = stablehlo.transpose %792, dims = [0, 2, 3, 1] : (tensor<8x64x8x16xf32>) -> tensor<8x8x16x64xf32>
    %794 = stablehlo.dot_general %793, %31, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x64xf32>
    %795 = stablehlo.dot_general %793, %50, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16x64xf32>, tensor<8x8x64x64xf32>) -> tensor<8x8x16x64xf32>
    %796 = stablehlo.transpose %795, dims = [0, 3, 1, 2] : (tensor<8x8x16x64xf32>) -> tensor<8x64x8x16xf32>
    %797 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %798 = stablehlo.multiply %794, %797 : tensor<8x8x64x64xf32>
    %799 = stablehlo.multiply %798, %46 : tensor<8x8x64x64xf32>
    %cst_178 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %800 = stablehlo.reduce(%799 init: %cst_178) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x64xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %801 = stablehlo.reshape %800 : (tensor<8x8x64xf32>) -> tensor<8x8x64x1xf32>
    %802 = stablehlo.negate %801 : tensor<8x8x64x1xf32>
    %803 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3] : (tensor<8x8x64x1xf32>) -> tensor<8x8x64x64xf32>
    %804 = stablehlo.divide %794, %803 : tensor<8x8x64x64xf32>
    %cst_179 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %805 = stablehlo.reduce(%802 init: %cst_179) applies stablehlo.add across dimensions = [3] : (tensor<8x8x64x1xf32>, tensor<f32>) -> tensor<8x8x64xf32>
    %806 = stablehlo.broadcast_in_dim %805, dims = [0, 1, 2] : (tensor<8x8x64xf32>) -> tensor<8x8x64x64xf32>
    %807 = stablehlo.add %804, %806 : tensor<8x8x64x64xf32>
    %808 = stablehlo.multiply %807, %46 : tensor<8x8x64x64xf32>
    %809 = call @_where_2(%39#1, %808) : (tensor<8x8x64x64xi1>, tensor<8x8x64x64xf32>) -> tensor<8x8x64x64xf32>
    %810 = stablehlo.broadcast_in_dim %34, dims = [] : (tensor<f32>) -> tensor<8x8x64x64xf32>
    %811 = stablehlo.divide %809, %810 : tensor<8x8x64x64xf32>
    %812 = stablehlo.dot_general %811, %29, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %813 = stablehlo.transpose %812, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %814 = stablehlo.dot_general %811, %30, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64x64xf32>, tensor<8x64x8x16xf32>) -> tensor<8x8x64x16xf32>
    %815 = stablehlo.transpose %814, dims = [0, 2, 1, 3] : (tensor<8x8x64x16xf32>) -> tensor<8x64x8x16xf32>
    %816 = stablehlo.dot_general %796, %28, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x128xf32>) -> tensor<8x16x128xf32>
    %817 = stablehlo.transpose %816, dims = [2, 0, 1] : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %818 = stablehlo.dot_general %796, %arg7, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<128x8x16xf32>) -> tensor<8x64x128xf32>
    %819 = stablehlo.dot_general %813, %28, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x128xf32>) -> tensor<8x16x128xf32>
    %820 = stablehlo.transpose %819, dims = [2, 0, 1] : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %821 = stablehlo.dot_general %813, %arg1, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<128x8x16xf32>) -> tensor<8x64x128xf32>
    %822 = stablehlo.add %818, %821 : tensor<8x64x128xf32>
    %823 = stablehlo.dot_general %815, %28, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<8x64x128xf32>) -> tensor<8x16x128xf32>
    %824 = stablehlo.transpose %823, dims = [2, 0, 1] : (tensor<8x16x128xf32>) -> tensor<128x8x16xf32>
    %825 = stablehlo.dot_general %815, %arg5, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<8x64x8x16xf32>, tensor<128x8x16xf32>) -> tensor<8x64x128xf32>
    %826 = stablehlo.add %822, %825 : tensor<8x64x128xf32>
    %827 = stablehlo.multiply %25, %826 : tensor<8x64x128xf32>
    %cst_180 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %828 = stablehlo.reduce(%827 init: %cst_180) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<128xf32>
    %829 = stablehlo.reshape %828 : (tensor<128xf32>) -> tensor<1x1x128xf32>
    %830 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<1x1x128xf32>) -> tensor<8x64x128xf32>
    %831 = stablehlo.multiply %826, %830 : tensor<8x64x128xf32>
    %cst_181 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %832 = stablehlo.reduce(%829 init: %cst_181) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %833 = stablehlo.multiply %12, %831 : tensor<8x64x128xf32>
    %cst_182 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %834 = stablehlo.reduce(%833 init: %cst_182) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %835 = stablehlo.reshape %834 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %836 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<8x64x1xf32>) -> tensor<8x64x128xf32>
    %837 = stablehlo.multiply %831, %836 : tensor<8x64x128xf32>
    %838 = stablehlo.multiply %835, %23 : tensor<8x64x1xf32>
    %cst_183 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %839 = stablehlo.broadcast_in_dim %cst_183, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %840 = stablehlo.divide %838, %839 : tensor<8x64x1xf32>
    %cst_184 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %841 = stablehlo.reduce(%840 init: %cst_184) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %842 = stablehlo.broadcast_in_dim %841, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %843 = stablehlo.multiply %12, %842 : tensor<8x64x128xf32>
    %844 = stablehlo.add %837, %843 : tensor<8x64x128xf32>
    %845 = stablehlo.multiply %842, %12 : tensor<8x64x128xf32>
    %846 = stablehlo.add %844, %845 : tensor<8x64x128xf32>
    %847 = stablehlo.negate %846 : tensor<8x64x128xf32>
    %cst_185 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %848 = stablehlo.reduce(%847 init: %cst_185) applies stablehlo.add across dimensions = [2] : (tensor<8x64x128xf32>, tensor<f32>) -> tensor<8x64xf32>
    %849 = stablehlo.reshape %848 : (tensor<8x64xf32>) -> tensor<8x64x1xf32>
    %850 = stablehlo.add %789, %846 : tensor<8x64x128xf32>
    %cst_186 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %851 = stablehlo.broadcast_in_dim %cst_186, dims = [] : (tensor<f32>) -> tensor<8x64x1xf32>
    %852 = stablehlo.divide %849, %851 : tensor<8x64x1xf32>
    %cst_187 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %853 = stablehlo.reduce(%852 init: %cst_187) applies stablehlo.add across dimensions = [2] : (tensor<8x64x1xf32>, tensor<f32>) -> tensor<8x64xf32>
    %854 = stablehlo.broadcast_in_dim %853, dims = [0, 1] : (tensor<8x64xf32>) -> tensor<8x64x128xf32>
    %855 = stablehlo.add %850, %854 : tensor<8x64x128xf32>
    %cst_188 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %856 = stablehlo.broadcast_in_dim %cst_188, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %857 = "stablehlo.scatter"(%856, %5, %855) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg35: tensor<f32>, %arg36: tensor<f32>):
      %958 = stablehlo.add %arg35, %arg36 : tensor<f32>
      stablehlo.return %958 : tensor<f32>
    }) : (tensor<512x128xf32>, tensor<8x64x1xi32>, tensor<8x64x128xf32>) -> tensor<512x128xf32>
    %858 = stablehlo.add %395, %857 : tensor<512x128xf32>
    %cst_189 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %859 = stablehlo.broadcast_in_dim %cst_189, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %860 = stablehlo.multiply %859, %742 : tensor<512x128xf32>
    %861 = stablehlo.subtract %arg0, %860 : tensor<512x128xf32>
    %cst_190 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %862 = stablehlo.broadcast_in_dim %cst_190, dims = [] : (tensor<f32>) -> tensor<128x8x16xf32>
    %863 = stablehlo.multiply %862, %820 : tensor<128x8x16xf32>
    %864 = stablehlo.subtract %arg1, %863 : tensor<128x8x16xf32>
    %cst_191 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %865 = stablehlo.broadcast_in_dim %cst_191, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %866 = stablehlo.multiply %865, %832 : tensor<128xf32>
    %867 = stablehlo.subtract %arg2, %866 : tensor<128xf32>
    %cst_192 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %868 = stablehlo.broadcast_in_dim %cst_192, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %869 = stablehlo.multiply %868, %766 : tensor<128xf32>
    %870 = stablehlo.subtract %arg3, %869 : tensor<128xf32>
    %cst_193 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %871 = stablehlo.broadcast_in_dim %cst_193, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %872 = stablehlo.multiply %871, %791 : tensor<8x16x128xf32>
    %873 = stablehlo.subtract %arg4, %872 : tensor<8x16x128xf32>
    %cst_194 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %874 = stablehlo.broadcast_in_dim %cst_194, dims = [] : (tensor<f32>) -> tensor<128x8x16xf32>
    %875 = stablehlo.multiply %874, %824 : tensor<128x8x16xf32>
    %876 = stablehlo.subtract %arg5, %875 : tensor<128x8x16xf32>
    %cst_195 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %877 = stablehlo.broadcast_in_dim %cst_195, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %878 = stablehlo.multiply %877, %759 : tensor<128x512xf32>
    %879 = stablehlo.subtract %arg6, %878 : tensor<128x512xf32>
    %cst_196 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %880 = stablehlo.broadcast_in_dim %cst_196, dims = [] : (tensor<f32>) -> tensor<128x8x16xf32>
    %881 = stablehlo.multiply %880, %817 : tensor<128x8x16xf32>
    %882 = stablehlo.subtract %arg7, %881 : tensor<128x8x16xf32>
    %cst_197 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %883 = stablehlo.broadcast_in_dim %cst_197, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %884 = stablehlo.multiply %883, %627 : tensor<512x128xf32>
    %885 = stablehlo.subtract %arg8, %884 : tensor<512x128xf32>
    %cst_198 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %886 = stablehlo.broadcast_in_dim %cst_198, dims = [] : (tensor<f32>) -> tensor<128x8x16xf32>
    %887 = stablehlo.multiply %886, %705 : tensor<128x8x16xf32>
    %888 = stablehlo.subtract %arg9, %887 : tensor<128x8x16xf32>
    %cst_199 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %889 = stablehlo.broadcast_in_dim %cst_199, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %890 = stablehlo.multiply %889, %717 : tensor<128xf32>
    %891 = stablehlo.subtract %arg10, %890 : tensor<128xf32>
    %cst_200 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %892 = stablehlo.broadcast_in_dim %cst_200, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %893 = stablehlo.multiply %892, %651 : tensor<128xf32>
    %894 = stablehlo.subtract %arg11, %893 : tensor<128xf32>
    %cst_201 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %895 = stablehlo.broadcast_in_dim %cst_201, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %896 = stablehlo.multiply %895, %676 : tensor<8x16x128xf32>
    %897 = stablehlo.subtract %arg12, %896 : tensor<8x16x128xf32>
    %cst_202 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %898 = stablehlo.broadcast_in_dim %cst_202, dims = [] : (tensor<f32>) -> tensor<128x8x16xf32>
    %899 = stablehlo.multiply %898, %709 : tensor<128x8x16xf32>
    %900 = stablehlo.subtract %arg13, %899 : tensor<128x8x16xf32>
    %cst_203 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %901 = stablehlo.broadcast_in_dim %cst_203, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %902 = stablehlo.multiply %901, %644 : tensor<128x512xf32>
    %903 = stablehlo.subtract %arg14, %902 : tensor<128x512xf32>
    %cst_204 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %904 = stablehlo.broadcast_in_dim %cst_204, dims = [] : (tensor<f32>) -> tensor<128x8x16xf32>
    %905 = stablehlo.multiply %904, %702 : tensor<128x8x16xf32>
    %906 = stablehlo.subtract %arg15, %905 : tensor<128x8x16xf32>
    %cst_205 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %907 = stablehlo.broadcast_in_dim %cst_205, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %908 = stablehlo.multiply %907, %512 : tensor<512x128xf32>
    %909 = stablehlo.subtract %arg16, %908 : tensor<512x128xf32>
    %cst_206 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %910 = stablehlo.broadcast_in_dim %cst_206, dims = [] : (tensor<f32>) -> tensor<128x8x16xf32>
    %911 = stablehlo.multiply %910, %590 : tensor<128x8x16xf32>
    %912 = stablehlo.subtract %arg17, %911 : tensor<128x8x16xf32>
    %cst_207 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %913 = stablehlo.broadcast_in_dim %cst_207, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %914 = stablehlo.multiply %913, %602 : tensor<128xf32>
    %915 = stablehlo.subtract %arg18, %914 : tensor<128xf32>
    %cst_208 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %916 = stablehlo.broadcast_in_dim %cst_208, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %917 = stablehlo.multiply %916, %536 : tensor<128xf32>
    %918 = stablehlo.subtract %arg19, %917 : tensor<128xf32>
    %cst_209 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %919 = stablehlo.broadcast_in_dim %cst_209, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %920 = stablehlo.multiply %919, %561 : tensor<8x16x128xf32>
    %921 = stablehlo.subtract %arg20, %920 : tensor<8x16x128xf32>
    %cst_210 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %922 = stablehlo.broadcast_in_dim %cst_210, dims = [] : (tensor<f32>) -> tensor<128x8x16xf32>
    %923 = stablehlo.multiply %922, %594 : tensor<128x8x16xf32>
    %924 = stablehlo.subtract %arg21, %923 : tensor<128x8x16xf32>
    %cst_211 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %925 = stablehlo.broadcast_in_dim %cst_211, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %926 = stablehlo.multiply %925, %529 : tensor<128x512xf32>
    %927 = stablehlo.subtract %arg22, %926 : tensor<128x512xf32>
    %cst_212 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %928 = stablehlo.broadcast_in_dim %cst_212, dims = [] : (tensor<f32>) -> tensor<128x8x16xf32>
    %929 = stablehlo.multiply %928, %587 : tensor<128x8x16xf32>
    %930 = stablehlo.subtract %arg23, %929 : tensor<128x8x16xf32>
    %cst_213 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %931 = stablehlo.broadcast_in_dim %cst_213, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %932 = stablehlo.multiply %931, %397 : tensor<512x128xf32>
    %933 = stablehlo.subtract %arg24, %932 : tensor<512x128xf32>
    %cst_214 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %934 = stablehlo.broadcast_in_dim %cst_214, dims = [] : (tensor<f32>) -> tensor<128x8x16xf32>
    %935 = stablehlo.multiply %934, %475 : tensor<128x8x16xf32>
    %936 = stablehlo.subtract %arg25, %935 : tensor<128x8x16xf32>
    %cst_215 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %937 = stablehlo.broadcast_in_dim %cst_215, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %938 = stablehlo.multiply %937, %487 : tensor<128xf32>
    %939 = stablehlo.subtract %arg26, %938 : tensor<128xf32>
    %cst_216 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %940 = stablehlo.broadcast_in_dim %cst_216, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %941 = stablehlo.multiply %940, %421 : tensor<128xf32>
    %942 = stablehlo.subtract %arg27, %941 : tensor<128xf32>
    %cst_217 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %943 = stablehlo.broadcast_in_dim %cst_217, dims = [] : (tensor<f32>) -> tensor<8x16x128xf32>
    %944 = stablehlo.multiply %943, %446 : tensor<8x16x128xf32>
    %945 = stablehlo.subtract %arg28, %944 : tensor<8x16x128xf32>
    %cst_218 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %946 = stablehlo.broadcast_in_dim %cst_218, dims = [] : (tensor<f32>) -> tensor<128x8x16xf32>
    %947 = stablehlo.multiply %946, %479 : tensor<128x8x16xf32>
    %948 = stablehlo.subtract %arg29, %947 : tensor<128x8x16xf32>
    %cst_219 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %949 = stablehlo.broadcast_in_dim %cst_219, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %950 = stablehlo.multiply %949, %414 : tensor<128x512xf32>
    %951 = stablehlo.subtract %arg30, %950 : tensor<128x512xf32>
    %cst_220 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %952 = stablehlo.broadcast_in_dim %cst_220, dims = [] : (tensor<f32>) -> tensor<128x8x16xf32>
    %953 = stablehlo.multiply %952, %472 : tensor<128x8x16xf32>
    %954 = stablehlo.subtract %arg31, %953 : tensor<128x8x16xf32>
    %cst_221 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %955 = stablehlo.broadcast_in_dim %cst_221, dims = [] : (tensor<f32>) -> tensor<512x128xf32>
    %956 = stablehlo.multiply %955, %858 : tensor<512x128xf32>
    %957 = stablehlo.subtract %arg32, %956 : tensor<512x128xf32>
    return %861, %864, %867, %870, %873, %876, %879, %882, %885, %888, %891, %894, %897, %900, %903, %906, %909, %912, %915, %918, %921, %924, %927, %930, %933, %936, %939, %942, %945, %948, %951, %954, %957, %386 : tensor<512x128xf32>, tensor<128x8x16xf32>, tensor<128xf32>, tensor<128xf32>, tensor<8x16x128xf32>, tensor<128x8x16xf32>, tensor<128x512xf32>, tensor<128x8x16xf32>, tensor<512x128xf32>, tensor<128x8x16xf32>, tensor<128xf32>, tensor<128xf32>, tensor<8x16x128xf32>, tensor<128x8x16xf32>, tensor<128x512xf32>, tensor<128x8x16xf32>, tensor<512x128xf32>, tensor<128x8x16xf32>, tensor<128xf32>, tensor<128xf32>, tensor<8x16x128xf32>, tensor<128x8x16xf32>, tensor<128x512xf32>, tensor<128x8x16xf32>, tensor<512x128xf32>, tensor<128x8x16xf32>, tensor<128xf32>, tensor<128xf32>, tensor<8x16x128xf32>, tensor<128x8x16xf32>, tensor<128x512xf32>, tensor<128x8x16xf32>, tensor<512x128xf32>, tensor<f32>
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
