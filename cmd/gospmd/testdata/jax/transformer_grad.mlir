// Made by jax_programs.py with JAX 0.10.2.
module @jit_transformer_grad attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg1: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg2: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg3: tensor<4x4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg4: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg5: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg6: tensor<4x6x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<16x4x4xf32> {jax.result_info = "result[1][0]"}, tensor<16x4x4xf32> {jax.result_info = "result[1][1]"}, tensor<16x4x4xf32> {jax.result_info = "result[1][2]"}, tensor<4x4x16xf32> {jax.result_info = "result[1][3]"}, tensor<16x32xf32> {jax.result_info = "result[1][4]"}, tensor<32x16xf32> {jax.result_info = "result[1][5]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg6 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x6x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    %5 = stablehlo.subtract %arg6, %4 : tensor<4x6x16xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<4x6x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x6x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %12 = stablehlo.add %10, %11 : tensor<4x6x1xf32>
    %13 = stablehlo.rsqrt %12 : tensor<4x6x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    %15 = stablehlo.multiply %5, %14 : tensor<4x6x16xf32>
    %16 = stablehlo.dot_general %15, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<16x4x4xf32>) -> tensor<4x6x4x4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%arg6 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_5 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %20 = stablehlo.divide %18, %19 : tensor<4x6x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    %22 = stablehlo.subtract %arg6, %21 : tensor<4x6x16xf32>
    %23 = stablehlo.multiply %22, %22 : tensor<4x6x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_6) applies stablehlo.add across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_7 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %27 = stablehlo.divide %25, %26 : tensor<4x6x1xf32>
    %cst_8 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %29 = stablehlo.add %27, %28 : tensor<4x6x1xf32>
    %30 = stablehlo.rsqrt %29 : tensor<4x6x1xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    %32 = stablehlo.multiply %22, %31 : tensor<4x6x16xf32>
    %33 = stablehlo.dot_general %32, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<16x4x4xf32>) -> tensor<4x6x4x4xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%arg6 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_10 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %37 = stablehlo.divide %35, %36 : tensor<4x6x1xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    %39 = stablehlo.subtract %arg6, %38 : tensor<4x6x16xf32>
    %40 = stablehlo.multiply %39, %39 : tensor<4x6x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%40 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_12 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %44 = stablehlo.divide %42, %43 : tensor<4x6x1xf32>
    %cst_13 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %46 = stablehlo.add %44, %45 : tensor<4x6x1xf32>
    %47 = stablehlo.rsqrt %46 : tensor<4x6x1xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    %49 = stablehlo.multiply %39, %48 : tensor<4x6x16xf32>
    %50 = stablehlo.dot_general %49, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<16x4x4xf32>) -> tensor<4x6x4x4xf32>
    %51 = stablehlo.dot_general %16, %33, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x6x4x4xf32>, tensor<4x6x4x4xf32>) -> tensor<4x4x6x6xf32>
    %cst_14 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x4x6x6xf32>
    %53 = stablehlo.divide %51, %52 : tensor<4x4x6x6xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %54 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %55 = call @tril(%54) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %cst_15 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %56 = call @_where(%55, %53, %cst_15) : (tensor<6x6xi1>, tensor<4x4x6x6xf32>, tensor<f32>) -> tensor<4x4x6x6xf32>
    %cst_16 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %57 = stablehlo.reduce(%56 init: %cst_16) applies stablehlo.maximum across dimensions = [3] : (tensor<4x4x6x6xf32>, tensor<f32>) -> tensor<4x4x6xf32>
    %cst_17 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x4x6xf32>
    %59 = stablehlo.maximum %58, %57 : tensor<4x4x6xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2] : (tensor<4x4x6xf32>) -> tensor<4x4x6x1xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2, 3] : (tensor<4x4x6x1xf32>) -> tensor<4x4x6x6xf32>
    %62 = stablehlo.subtract %56, %61 : tensor<4x4x6x6xf32>
    %63 = stablehlo.exponential %62 : tensor<4x4x6x6xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.reduce(%63 init: %cst_18) applies stablehlo.add across dimensions = [3] : (tensor<4x4x6x6xf32>, tensor<f32>) -> tensor<4x4x6xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2] : (tensor<4x4x6xf32>) -> tensor<4x4x6x1xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1, 2, 3] : (tensor<4x4x6x1xf32>) -> tensor<4x4x6x6xf32>
    %67 = stablehlo.divide %63, %66 : tensor<4x4x6x6xf32>
    %68 = stablehlo.dot_general %50, %67, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x6x4x4xf32>, tensor<4x4x6x6xf32>) -> tensor<4x4x4x6xf32>
    %69 = stablehlo.dot_general %68, %arg3, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x6xf32>, tensor<4x4x16xf32>) -> tensor<4x6x16xf32>
    %70 = stablehlo.add %arg6, %69 : tensor<4x6x16xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.reduce(%70 init: %cst_19) applies stablehlo.add across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_20 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %74 = stablehlo.divide %72, %73 : tensor<4x6x1xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    %76 = stablehlo.subtract %70, %75 : tensor<4x6x16xf32>
    %77 = stablehlo.multiply %76, %76 : tensor<4x6x16xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.reduce(%77 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_22 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %81 = stablehlo.divide %79, %80 : tensor<4x6x1xf32>
    %cst_23 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %83 = stablehlo.add %81, %82 : tensor<4x6x1xf32>
    %84 = stablehlo.rsqrt %83 : tensor<4x6x1xf32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    %86 = stablehlo.multiply %76, %85 : tensor<4x6x16xf32>
    %87 = stablehlo.dot_general %86, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<16x32xf32>) -> tensor<4x6x32xf32>
    %88 = stablehlo.multiply %87, %87 : tensor<4x6x32xf32>
    %89 = stablehlo.multiply %88, %87 : tensor<4x6x32xf32>
    %cst_24 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x6x32xf32>
    %91 = stablehlo.multiply %90, %89 : tensor<4x6x32xf32>
    %92 = stablehlo.add %87, %91 : tensor<4x6x32xf32>
    %cst_25 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x6x32xf32>
    %94 = stablehlo.multiply %93, %92 : tensor<4x6x32xf32>
    %95 = stablehlo.tanh %94 : tensor<4x6x32xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x6x32xf32>
    %97 = stablehlo.add %96, %95 : tensor<4x6x32xf32>
    %cst_27 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x6x32xf32>
    %99 = stablehlo.multiply %98, %97 : tensor<4x6x32xf32>
    %100 = stablehlo.multiply %87, %99 : tensor<4x6x32xf32>
    %101 = stablehlo.dot_general %100, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x32xf32>, tensor<32x16xf32>) -> tensor<4x6x16xf32>
    %102 = stablehlo.add %70, %101 : tensor<4x6x16xf32>
    %103 = stablehlo.multiply %102, %102 : tensor<4x6x16xf32>
    %cst_28 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %105 = stablehlo.multiply %104, %102 : tensor<4x6x16xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %106 = stablehlo.reduce(%103 init: %cst_29) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_30 = stablehlo.constant dense<3.840000e+02> : tensor<f32>
    %107 = stablehlo.divide %106, %cst_30 : tensor<f32>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_32 = stablehlo.constant dense<3.840000e+02> : tensor<f32>
    %108 = stablehlo.divide %cst_31, %cst_32 : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %108, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %110 = stablehlo.multiply %109, %105 : tensor<4x6x16xf32>
    %111:8 = stablehlo.optimization_barrier %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %110 : tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<4x6x16xf32>, tensor<4x6x16xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %112 = stablehlo.reduce(%111#6 init: %cst_33) applies stablehlo.add across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %113 = stablehlo.broadcast_in_dim %112, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_34 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %115 = stablehlo.divide %113, %114 : tensor<4x6x1xf32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    %117 = stablehlo.subtract %111#6, %116 : tensor<4x6x16xf32>
    %118 = stablehlo.multiply %117, %117 : tensor<4x6x16xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = stablehlo.reduce(%118 init: %cst_35) applies stablehlo.add across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_36 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %122 = stablehlo.divide %120, %121 : tensor<4x6x1xf32>
    %cst_37 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %124 = stablehlo.add %122, %123 : tensor<4x6x1xf32>
    %125 = stablehlo.rsqrt %124 : tensor<4x6x1xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    %127 = stablehlo.multiply %117, %126 : tensor<4x6x16xf32>
    %128 = stablehlo.dot_general %127, %111#0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<16x4x4xf32>) -> tensor<4x6x4x4xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %129 = stablehlo.reduce(%111#6 init: %cst_38) applies stablehlo.add across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_39 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %132 = stablehlo.divide %130, %131 : tensor<4x6x1xf32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    %134 = stablehlo.subtract %111#6, %133 : tensor<4x6x16xf32>
    %135 = stablehlo.multiply %134, %134 : tensor<4x6x16xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %136 = stablehlo.reduce(%135 init: %cst_40) applies stablehlo.add across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %137 = stablehlo.broadcast_in_dim %136, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_41 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %139 = stablehlo.divide %137, %138 : tensor<4x6x1xf32>
    %cst_42 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %141 = stablehlo.add %139, %140 : tensor<4x6x1xf32>
    %142 = stablehlo.rsqrt %141 : tensor<4x6x1xf32>
    %143 = stablehlo.broadcast_in_dim %142, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    %144 = stablehlo.multiply %134, %143 : tensor<4x6x16xf32>
    %145 = stablehlo.dot_general %144, %111#1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<16x4x4xf32>) -> tensor<4x6x4x4xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %146 = stablehlo.reduce(%111#6 init: %cst_43) applies stablehlo.add across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %147 = stablehlo.broadcast_in_dim %146, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_44 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %149 = stablehlo.divide %147, %148 : tensor<4x6x1xf32>
    %150 = stablehlo.broadcast_in_dim %149, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    %151 = stablehlo.subtract %111#6, %150 : tensor<4x6x16xf32>
    %152 = stablehlo.multiply %151, %151 : tensor<4x6x16xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %153 = stablehlo.reduce(%152 init: %cst_45) applies stablehlo.add across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_46 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %156 = stablehlo.divide %154, %155 : tensor<4x6x1xf32>
    %cst_47 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %157 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %158 = stablehlo.add %156, %157 : tensor<4x6x1xf32>
    %159 = stablehlo.rsqrt %158 : tensor<4x6x1xf32>
    %160 = stablehlo.broadcast_in_dim %159, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    %161 = stablehlo.multiply %151, %160 : tensor<4x6x16xf32>
    %162 = stablehlo.dot_general %161, %111#2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<16x4x4xf32>) -> tensor<4x6x4x4xf32>
    %163 = stablehlo.dot_general %128, %145, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x6x4x4xf32>, tensor<4x6x4x4xf32>) -> tensor<4x4x6x6xf32>
    %cst_48 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<4x4x6x6xf32>
    %165 = stablehlo.divide %163, %164 : tensor<4x4x6x6xf32>
    %c_49 = stablehlo.constant dense<true> : tensor<i1>
    %166 = stablehlo.broadcast_in_dim %c_49, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %167 = call @tril_0(%166) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %cst_50 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %168:2 = call @_where_1(%167, %165, %cst_50) : (tensor<6x6xi1>, tensor<4x4x6x6xf32>, tensor<f32>) -> (tensor<4x4x6x6xf32>, tensor<4x4x6x6xi1>)
    %cst_51 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %169 = stablehlo.reduce(%168#0 init: %cst_51) applies stablehlo.maximum across dimensions = [3] : (tensor<4x4x6x6xf32>, tensor<f32>) -> tensor<4x4x6xf32>
    %cst_52 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<4x4x6xf32>
    %171 = stablehlo.maximum %170, %169 : tensor<4x4x6xf32>
    %172 = stablehlo.broadcast_in_dim %171, dims = [0, 1, 2] : (tensor<4x4x6xf32>) -> tensor<4x4x6x1xf32>
    %173 = stablehlo.broadcast_in_dim %172, dims = [0, 1, 2, 3] : (tensor<4x4x6x1xf32>) -> tensor<4x4x6x6xf32>
    %174 = stablehlo.subtract %168#0, %173 : tensor<4x4x6x6xf32>
    %175 = stablehlo.exponential %174 : tensor<4x4x6x6xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %176 = stablehlo.reduce(%175 init: %cst_53) applies stablehlo.add across dimensions = [3] : (tensor<4x4x6x6xf32>, tensor<f32>) -> tensor<4x4x6xf32>
    %177 = stablehlo.broadcast_in_dim %176, dims = [0, 1, 2] : (tensor<4x4x6xf32>) -> tensor<4x4x6x1xf32>
    %178 = stablehlo.broadcast_in_dim %177, dims = [0, 1, 2, 3] : (tensor<4x4x6x1xf32>) -> tensor<4x4x6x6xf32>
    %179 = stablehlo.divide %175, %178 : tensor<4x4x6x6xf32>
    %180 = stablehlo.multiply %177, %177 : tensor<4x4x6x1xf32>
    %cst_54 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<4x4x6x1xf32>
    %182 = stablehlo.divide %181, %180 : tensor<4x4x6x1xf32>
    %183 = stablehlo.dot_general %162, %179, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x6x4x4xf32>, tensor<4x4x6x6xf32>) -> tensor<4x4x4x6xf32>
    %184 = stablehlo.dot_general %183, %111#3, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x6xf32>, tensor<4x4x16xf32>) -> tensor<4x6x16xf32>
    %185 = stablehlo.add %111#6, %184 : tensor<4x6x16xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %186 = stablehlo.reduce(%185 init: %cst_55) applies stablehlo.add across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %187 = stablehlo.broadcast_in_dim %186, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_56 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %188 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %189 = stablehlo.divide %187, %188 : tensor<4x6x1xf32>
    %190 = stablehlo.broadcast_in_dim %189, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    %191 = stablehlo.subtract %185, %190 : tensor<4x6x16xf32>
    %192 = stablehlo.multiply %191, %191 : tensor<4x6x16xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %193 = stablehlo.reduce(%192 init: %cst_57) applies stablehlo.add across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %194 = stablehlo.broadcast_in_dim %193, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_58 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %196 = stablehlo.divide %194, %195 : tensor<4x6x1xf32>
    %cst_59 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %197 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %198 = stablehlo.add %196, %197 : tensor<4x6x1xf32>
    %199 = stablehlo.rsqrt %198 : tensor<4x6x1xf32>
    %200 = stablehlo.divide %199, %198 : tensor<4x6x1xf32>
    %cst_60 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %201 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %202 = stablehlo.multiply %201, %200 : tensor<4x6x1xf32>
    %203 = stablehlo.broadcast_in_dim %199, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    %204 = stablehlo.multiply %191, %203 : tensor<4x6x16xf32>
    %205 = stablehlo.dot_general %204, %111#4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<16x32xf32>) -> tensor<4x6x32xf32>
    %206 = stablehlo.multiply %205, %205 : tensor<4x6x32xf32>
    %207 = stablehlo.multiply %206, %205 : tensor<4x6x32xf32>
    %208 = stablehlo.multiply %205, %205 : tensor<4x6x32xf32>
    %cst_61 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %209 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<4x6x32xf32>
    %210 = stablehlo.multiply %209, %208 : tensor<4x6x32xf32>
    %cst_62 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %211 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<4x6x32xf32>
    %212 = stablehlo.multiply %211, %207 : tensor<4x6x32xf32>
    %213 = stablehlo.add %205, %212 : tensor<4x6x32xf32>
    %cst_63 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<4x6x32xf32>
    %215 = stablehlo.multiply %214, %213 : tensor<4x6x32xf32>
    %216 = stablehlo.tanh %215 : tensor<4x6x32xf32>
    %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %217 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<4x6x32xf32>
    %218 = stablehlo.subtract %217, %216 : tensor<4x6x32xf32>
    %cst_65 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<4x6x32xf32>
    %220 = stablehlo.add %219, %216 : tensor<4x6x32xf32>
    %cst_66 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %221 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<4x6x32xf32>
    %222 = stablehlo.multiply %221, %220 : tensor<4x6x32xf32>
    %223 = stablehlo.multiply %205, %222 : tensor<4x6x32xf32>
    %224 = stablehlo.dot_general %111#7, %223, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<4x6x32xf32>) -> tensor<16x32xf32>
    %225 = stablehlo.transpose %224, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %226 = stablehlo.dot_general %111#7, %111#5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<32x16xf32>) -> tensor<4x6x32xf32>
    %227 = stablehlo.multiply %205, %226 : tensor<4x6x32xf32>
    %228 = stablehlo.multiply %226, %222 : tensor<4x6x32xf32>
    %cst_67 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %229 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<4x6x32xf32>
    %230 = stablehlo.multiply %229, %227 : tensor<4x6x32xf32>
    %231 = stablehlo.multiply %230, %218 : tensor<4x6x32xf32>
    %232 = stablehlo.multiply %231, %216 : tensor<4x6x32xf32>
    %233 = stablehlo.add %231, %232 : tensor<4x6x32xf32>
    %cst_68 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %234 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<4x6x32xf32>
    %235 = stablehlo.multiply %234, %233 : tensor<4x6x32xf32>
    %236 = stablehlo.add %228, %235 : tensor<4x6x32xf32>
    %cst_69 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<4x6x32xf32>
    %238 = stablehlo.multiply %237, %235 : tensor<4x6x32xf32>
    %239 = stablehlo.multiply %238, %210 : tensor<4x6x32xf32>
    %240 = stablehlo.add %236, %239 : tensor<4x6x32xf32>
    %241 = stablehlo.dot_general %240, %204, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x32xf32>, tensor<4x6x16xf32>) -> tensor<32x16xf32>
    %242 = stablehlo.transpose %241, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %243 = stablehlo.dot_general %240, %111#4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x32xf32>, tensor<16x32xf32>) -> tensor<4x6x16xf32>
    %244 = stablehlo.multiply %191, %243 : tensor<4x6x16xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %245 = stablehlo.reduce(%244 init: %cst_70) applies stablehlo.add across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %246 = stablehlo.reshape %245 : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %247 = stablehlo.broadcast_in_dim %199, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x16xf32>
    %248 = stablehlo.multiply %243, %247 : tensor<4x6x16xf32>
    %249 = stablehlo.multiply %246, %202 : tensor<4x6x1xf32>
    %cst_71 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %250 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %251 = stablehlo.divide %249, %250 : tensor<4x6x1xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %252 = stablehlo.reduce(%251 init: %cst_72) applies stablehlo.add across dimensions = [2] : (tensor<4x6x1xf32>, tensor<f32>) -> tensor<4x6xf32>
    %253 = stablehlo.broadcast_in_dim %252, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x16xf32>
    %254 = stablehlo.multiply %191, %253 : tensor<4x6x16xf32>
    %255 = stablehlo.add %248, %254 : tensor<4x6x16xf32>
    %256 = stablehlo.multiply %253, %191 : tensor<4x6x16xf32>
    %257 = stablehlo.add %255, %256 : tensor<4x6x16xf32>
    %258 = stablehlo.negate %257 : tensor<4x6x16xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %259 = stablehlo.reduce(%258 init: %cst_73) applies stablehlo.add across dimensions = [2] : (tensor<4x6x16xf32>, tensor<f32>) -> tensor<4x6xf32>
    %260 = stablehlo.reshape %259 : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %261 = stablehlo.add %111#7, %257 : tensor<4x6x16xf32>
    %cst_74 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %263 = stablehlo.divide %260, %262 : tensor<4x6x1xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %264 = stablehlo.reduce(%263 init: %cst_75) applies stablehlo.add across dimensions = [2] : (tensor<4x6x1xf32>, tensor<f32>) -> tensor<4x6xf32>
    %265 = stablehlo.broadcast_in_dim %264, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x16xf32>
    %266 = stablehlo.add %261, %265 : tensor<4x6x16xf32>
    %267 = stablehlo.dot_general %266, %183, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<4x4x4x6xf32>) -> tensor<16x4x4xf32>
    %268 = stablehlo.transpose %267, dims = [1, 2, 0] : (tensor<16x4x4xf32>) -> tensor<4x4x16xf32>
    %269 = stablehlo.dot_general %266, %111#3, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<4x4x16xf32>) -> tensor<4x6x4x4xf32>
    %270 = stablehlo.transpose %269, dims = [0, 2, 3, 1] : (tensor<4x6x4x4xf32>) -> tensor<4x4x4x6xf32>
    %271 = stablehlo.dot_general %270, %162, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x6xf32>, tensor<4x6x4x4xf32>) -> tensor<4x4x6x6xf32>
    %272 = stablehlo.dot_general %270, %179, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x6xf32>, tensor<4x4x6x6xf32>) -> tensor<4x4x4x6xf32>
    %273 = stablehlo.transpose %272, dims = [0, 3, 1, 2] : (tensor<4x4x4x6xf32>) -> tensor<4x6x4x4xf32>
    %274 = stablehlo.broadcast_in_dim %182, dims = [0, 1, 2, 3] : (tensor<4x4x6x1xf32>) -> tensor<4x4x6x6xf32>
    %275 = stablehlo.multiply %271, %274 : tensor<4x4x6x6xf32>
    %276 = stablehlo.multiply %275, %175 : tensor<4x4x6x6xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %277 = stablehlo.reduce(%276 init: %cst_76) applies stablehlo.add across dimensions = [3] : (tensor<4x4x6x6xf32>, tensor<f32>) -> tensor<4x4x6xf32>
    %278 = stablehlo.reshape %277 : (tensor<4x4x6xf32>) -> tensor<4x4x6x1xf32>
    %279 = stablehlo.negate %278 : tensor<4x4x6x1xf32>
    %280 = stablehlo.broadcast_in_dim %177, dims = [0, 1, 2, 3] : (tensor<4x4x6x1xf32>) -> tensor<4x4x6x6xf32>
    %281 = stablehlo.divide %271, %280 : tensor<4x4x6x6xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %282 = stablehlo.reduce(%279 init: %cst_77) applies stablehlo.add across dimensions = [3] : (tensor<4x4x6x1xf32>, tensor<f32>) -> tensor<4x4x6xf32>
    %283 = stablehlo.broadcast_in_dim %282, dims = [0, 1, 2] : (tensor<4x4x6xf32>) -> tensor<4x4x6x6xf32>
    %284 = stablehlo.add %281, %283 : tensor<4x4x6x6xf32>
    %285 = stablehlo.multiply %284, %175 : tensor<4x4x6x6xf32>
    %286 = call @_where_2(%168#1, %285) : (tensor<4x4x6x6xi1>, tensor<4x4x6x6xf32>) -> tensor<4x4x6x6xf32>
    %cst_78 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %287 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<4x4x6x6xf32>
    %288 = stablehlo.divide %286, %287 : tensor<4x4x6x6xf32>
    %289 = stablehlo.dot_general %288, %128, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x6x6xf32>, tensor<4x6x4x4xf32>) -> tensor<4x4x6x4xf32>
    %290 = stablehlo.transpose %289, dims = [0, 2, 1, 3] : (tensor<4x4x6x4xf32>) -> tensor<4x6x4x4xf32>
    %291 = stablehlo.dot_general %288, %145, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x6x6xf32>, tensor<4x6x4x4xf32>) -> tensor<4x4x6x4xf32>
    %292 = stablehlo.transpose %291, dims = [0, 2, 1, 3] : (tensor<4x4x6x4xf32>) -> tensor<4x6x4x4xf32>
    %293 = stablehlo.dot_general %273, %161, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x4x4xf32>, tensor<4x6x16xf32>) -> tensor<4x4x16xf32>
    %294 = stablehlo.transpose %293, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
    %295 = stablehlo.dot_general %290, %144, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x4x4xf32>, tensor<4x6x16xf32>) -> tensor<4x4x16xf32>
    %296 = stablehlo.transpose %295, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
    %297 = stablehlo.dot_general %292, %127, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x6x4x4xf32>, tensor<4x6x16xf32>) -> tensor<4x4x16xf32>
    %298 = stablehlo.transpose %297, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
    return %107, %298, %296, %294, %268, %242, %225 : tensor<f32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x32xf32>, tensor<32x16xf32>
  }
  func.func private @tril(%arg0: tensor<6x6xi1>) -> tensor<6x6xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<6x6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %2 = stablehlo.add %0, %1 : tensor<6x6xi32>
    %3 = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<6x6xi1>, tensor<6x6xi1>
    return %6 : tensor<6x6xi1>
  }
  func.func private @_where(%arg0: tensor<6x6xi1>, %arg1: tensor<4x4x6x6xf32>, %arg2: tensor<f32>) -> tensor<4x4x6x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<4x4x6x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x4x6x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<4x4x6x6xi1>, tensor<4x4x6x6xf32>
    return %3 : tensor<4x4x6x6xf32>
  }
  func.func private @tril_0(%arg0: tensor<6x6xi1>) -> tensor<6x6xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<6x6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %2 = stablehlo.add %0, %1 : tensor<6x6xi32>
    %3 = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<6x6xi1>, tensor<6x6xi1>
    return %6 : tensor<6x6xi1>
  }
  func.func private @_where_1(%arg0: tensor<6x6xi1>, %arg1: tensor<4x4x6x6xf32>, %arg2: tensor<f32>) -> (tensor<4x4x6x6xf32>, tensor<4x4x6x6xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<4x4x6x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x4x6x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<4x4x6x6xi1>, tensor<4x4x6x6xf32>
    return %3, %1 : tensor<4x4x6x6xf32>, tensor<4x4x6x6xi1>
  }
  func.func private @_where_2(%arg0: tensor<4x4x6x6xi1>, %arg1: tensor<4x4x6x6xf32>) -> tensor<4x4x6x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x6x6xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<4x4x6x6xi1>, tensor<4x4x6x6xf32>
    return %1 : tensor<4x4x6x6xf32>
  }
}
