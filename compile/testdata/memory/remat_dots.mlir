// Made by fit_programs.py with JAX 0.10.2.
module @jit_remat_dots attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4x64x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg1: tensor<4x16x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg2: tensor<512x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg3: tensor<512x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<4x64x16xf32> {jax.result_info = "result[0]['down']"}, tensor<4x16x64xf32> {jax.result_info = "result[0]['up']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.slice %arg0 [0:1, 0:64, 0:16] : (tensor<4x64x16xf32>) -> tensor<1x64x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    %2 = stablehlo.slice %arg1 [0:1, 0:16, 0:64] : (tensor<4x16x64xf32>) -> tensor<1x16x64xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    %4 = stablehlo.dot_general %arg2, %3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %5 = stablehlo.reduce_precision %4, format = e8m23 : tensor<512x64xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<512x64xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<512x64xf32>
    %cst = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<512x64xf32>
    %10 = stablehlo.add %5, %9 : tensor<512x64xf32>
    %cst_0 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %12 = stablehlo.multiply %11, %10 : tensor<512x64xf32>
    %13 = stablehlo.tanh %12 : tensor<512x64xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %15 = stablehlo.add %14, %13 : tensor<512x64xf32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<512x64xf32>
    %18 = stablehlo.multiply %5, %17 : tensor<512x64xf32>
    %19 = stablehlo.dot_general %18, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<64x16xf32>) -> tensor<512x16xf32>
    %20 = stablehlo.add %arg2, %19 : tensor<512x16xf32>
    %21 = stablehlo.slice %arg0 [1:2, 0:64, 0:16] : (tensor<4x64x16xf32>) -> tensor<1x64x16xf32>
    %22 = stablehlo.reshape %21 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    %23 = stablehlo.slice %arg1 [1:2, 0:16, 0:64] : (tensor<4x16x64xf32>) -> tensor<1x16x64xf32>
    %24 = stablehlo.reshape %23 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    %25 = stablehlo.dot_general %20, %24, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %26 = stablehlo.reduce_precision %25, format = e8m23 : tensor<512x64xf32>
    %27 = stablehlo.multiply %26, %26 : tensor<512x64xf32>
    %28 = stablehlo.multiply %27, %26 : tensor<512x64xf32>
    %cst_3 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %30 = stablehlo.multiply %29, %28 : tensor<512x64xf32>
    %31 = stablehlo.add %26, %30 : tensor<512x64xf32>
    %cst_4 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %33 = stablehlo.multiply %32, %31 : tensor<512x64xf32>
    %34 = stablehlo.tanh %33 : tensor<512x64xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %36 = stablehlo.add %35, %34 : tensor<512x64xf32>
    %cst_6 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %38 = stablehlo.multiply %37, %36 : tensor<512x64xf32>
    %39 = stablehlo.multiply %26, %38 : tensor<512x64xf32>
    %40 = stablehlo.dot_general %39, %22, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<64x16xf32>) -> tensor<512x16xf32>
    %41 = stablehlo.add %20, %40 : tensor<512x16xf32>
    %42 = stablehlo.slice %arg0 [2:3, 0:64, 0:16] : (tensor<4x64x16xf32>) -> tensor<1x64x16xf32>
    %43 = stablehlo.reshape %42 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    %44 = stablehlo.slice %arg1 [2:3, 0:16, 0:64] : (tensor<4x16x64xf32>) -> tensor<1x16x64xf32>
    %45 = stablehlo.reshape %44 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    %46 = stablehlo.dot_general %41, %45, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %47 = stablehlo.reduce_precision %46, format = e8m23 : tensor<512x64xf32>
    %48 = stablehlo.multiply %47, %47 : tensor<512x64xf32>
    %49 = stablehlo.multiply %48, %47 : tensor<512x64xf32>
    %cst_7 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %51 = stablehlo.multiply %50, %49 : tensor<512x64xf32>
    %52 = stablehlo.add %47, %51 : tensor<512x64xf32>
    %cst_8 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %54 = stablehlo.multiply %53, %52 : tensor<512x64xf32>
    %55 = stablehlo.tanh %54 : tensor<512x64xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %57 = stablehlo.add %56, %55 : tensor<512x64xf32>
    %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %59 = stablehlo.multiply %58, %57 : tensor<512x64xf32>
    %60 = stablehlo.multiply %47, %59 : tensor<512x64xf32>
    %61 = stablehlo.dot_general %60, %43, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<64x16xf32>) -> tensor<512x16xf32>
    %62 = stablehlo.add %41, %61 : tensor<512x16xf32>
    %63 = stablehlo.slice %arg0 [3:4, 0:64, 0:16] : (tensor<4x64x16xf32>) -> tensor<1x64x16xf32>
    %64 = stablehlo.reshape %63 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    %65 = stablehlo.slice %arg1 [3:4, 0:16, 0:64] : (tensor<4x16x64xf32>) -> tensor<1x16x64xf32>
    %66 = stablehlo.reshape %65 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    %67 = stablehlo.dot_general %62, %66, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %68 = stablehlo.reduce_precision %67, format = e8m23 : tensor<512x64xf32>
    %69 = stablehlo.multiply %68, %68 : tensor<512x64xf32>
    %70 = stablehlo.multiply %69, %68 : tensor<512x64xf32>
    %cst_11 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %72 = stablehlo.multiply %71, %70 : tensor<512x64xf32>
    %73 = stablehlo.add %68, %72 : tensor<512x64xf32>
    %cst_12 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %75 = stablehlo.multiply %74, %73 : tensor<512x64xf32>
    %76 = stablehlo.tanh %75 : tensor<512x64xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %78 = stablehlo.add %77, %76 : tensor<512x64xf32>
    %cst_14 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %80 = stablehlo.multiply %79, %78 : tensor<512x64xf32>
    %81 = stablehlo.multiply %68, %80 : tensor<512x64xf32>
    %82 = stablehlo.dot_general %81, %64, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<64x16xf32>) -> tensor<512x16xf32>
    %83 = stablehlo.add %62, %82 : tensor<512x16xf32>
    %84 = stablehlo.subtract %83, %arg3 : tensor<512x16xf32>
    %85 = stablehlo.multiply %84, %84 : tensor<512x16xf32>
    %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<512x16xf32>
    %87 = stablehlo.multiply %86, %84 : tensor<512x16xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %88 = stablehlo.reduce(%85 init: %cst_16) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_17 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %89 = stablehlo.divide %88, %cst_17 : tensor<f32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_19 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %90 = stablehlo.divide %cst_18, %cst_19 : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [] : (tensor<f32>) -> tensor<512x16xf32>
    %92 = stablehlo.multiply %91, %87 : tensor<512x16xf32>
    %93:5 = stablehlo.optimization_barrier %68, %62, %64, %66, %92 : tensor<512x64xf32>, tensor<512x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>, tensor<512x16xf32>
    %94 = stablehlo.multiply %93#0, %93#0 : tensor<512x64xf32>
    %95 = stablehlo.multiply %94, %93#0 : tensor<512x64xf32>
    %96 = stablehlo.multiply %93#0, %93#0 : tensor<512x64xf32>
    %cst_20 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %98 = stablehlo.multiply %97, %96 : tensor<512x64xf32>
    %cst_21 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %100 = stablehlo.multiply %99, %95 : tensor<512x64xf32>
    %101 = stablehlo.add %93#0, %100 : tensor<512x64xf32>
    %cst_22 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %103 = stablehlo.multiply %102, %101 : tensor<512x64xf32>
    %104 = stablehlo.tanh %103 : tensor<512x64xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %106 = stablehlo.subtract %105, %104 : tensor<512x64xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %108 = stablehlo.add %107, %104 : tensor<512x64xf32>
    %cst_25 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %110 = stablehlo.multiply %109, %108 : tensor<512x64xf32>
    %111 = stablehlo.multiply %93#0, %110 : tensor<512x64xf32>
    %112 = stablehlo.dot_general %93#4, %111, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x64xf32>) -> tensor<16x64xf32>
    %113 = stablehlo.transpose %112, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %114 = stablehlo.dot_general %93#4, %93#2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<64x16xf32>) -> tensor<512x64xf32>
    %115 = stablehlo.multiply %93#0, %114 : tensor<512x64xf32>
    %116 = stablehlo.multiply %114, %110 : tensor<512x64xf32>
    %cst_26 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %118 = stablehlo.multiply %117, %115 : tensor<512x64xf32>
    %119 = stablehlo.multiply %118, %106 : tensor<512x64xf32>
    %120 = stablehlo.multiply %119, %104 : tensor<512x64xf32>
    %121 = stablehlo.add %119, %120 : tensor<512x64xf32>
    %cst_27 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %123 = stablehlo.multiply %122, %121 : tensor<512x64xf32>
    %124 = stablehlo.add %116, %123 : tensor<512x64xf32>
    %cst_28 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %126 = stablehlo.multiply %125, %123 : tensor<512x64xf32>
    %127 = stablehlo.multiply %126, %98 : tensor<512x64xf32>
    %128 = stablehlo.add %124, %127 : tensor<512x64xf32>
    %129 = stablehlo.dot_general %128, %93#1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<512x16xf32>) -> tensor<64x16xf32>
    %130 = stablehlo.transpose %129, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %131 = stablehlo.dot_general %128, %93#3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<16x64xf32>) -> tensor<512x16xf32>
    %132 = stablehlo.add %93#4, %131 : tensor<512x16xf32>
    %133 = stablehlo.broadcast_in_dim %130, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %134 = stablehlo.pad %133, %cst_29, low = [3, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<4x16x64xf32>
    %135 = stablehlo.broadcast_in_dim %113, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %136 = stablehlo.pad %135, %cst_30, low = [3, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<1x64x16xf32>, tensor<f32>) -> tensor<4x64x16xf32>
    %137:5 = stablehlo.optimization_barrier %47, %41, %43, %45, %132 : tensor<512x64xf32>, tensor<512x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>, tensor<512x16xf32>
    %138 = stablehlo.multiply %137#0, %137#0 : tensor<512x64xf32>
    %139 = stablehlo.multiply %138, %137#0 : tensor<512x64xf32>
    %140 = stablehlo.multiply %137#0, %137#0 : tensor<512x64xf32>
    %cst_31 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %142 = stablehlo.multiply %141, %140 : tensor<512x64xf32>
    %cst_32 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %144 = stablehlo.multiply %143, %139 : tensor<512x64xf32>
    %145 = stablehlo.add %137#0, %144 : tensor<512x64xf32>
    %cst_33 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %147 = stablehlo.multiply %146, %145 : tensor<512x64xf32>
    %148 = stablehlo.tanh %147 : tensor<512x64xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %150 = stablehlo.subtract %149, %148 : tensor<512x64xf32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %152 = stablehlo.add %151, %148 : tensor<512x64xf32>
    %cst_36 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %154 = stablehlo.multiply %153, %152 : tensor<512x64xf32>
    %155 = stablehlo.multiply %137#0, %154 : tensor<512x64xf32>
    %156 = stablehlo.dot_general %137#4, %155, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x64xf32>) -> tensor<16x64xf32>
    %157 = stablehlo.transpose %156, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %158 = stablehlo.dot_general %137#4, %137#2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<64x16xf32>) -> tensor<512x64xf32>
    %159 = stablehlo.multiply %137#0, %158 : tensor<512x64xf32>
    %160 = stablehlo.multiply %158, %154 : tensor<512x64xf32>
    %cst_37 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %162 = stablehlo.multiply %161, %159 : tensor<512x64xf32>
    %163 = stablehlo.multiply %162, %150 : tensor<512x64xf32>
    %164 = stablehlo.multiply %163, %148 : tensor<512x64xf32>
    %165 = stablehlo.add %163, %164 : tensor<512x64xf32>
    %cst_38 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %167 = stablehlo.multiply %166, %165 : tensor<512x64xf32>
    %168 = stablehlo.add %160, %167 : tensor<512x64xf32>
    %cst_39 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %170 = stablehlo.multiply %169, %167 : tensor<512x64xf32>
    %171 = stablehlo.multiply %170, %142 : tensor<512x64xf32>
    %172 = stablehlo.add %168, %171 : tensor<512x64xf32>
    %173 = stablehlo.dot_general %172, %137#1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<512x16xf32>) -> tensor<64x16xf32>
    %174 = stablehlo.transpose %173, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %175 = stablehlo.dot_general %172, %137#3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<16x64xf32>) -> tensor<512x16xf32>
    %176 = stablehlo.add %137#4, %175 : tensor<512x16xf32>
    %177 = stablehlo.broadcast_in_dim %174, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %178 = stablehlo.pad %177, %cst_40, low = [2, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<4x16x64xf32>
    %179 = stablehlo.add %134, %178 : tensor<4x16x64xf32>
    %180 = stablehlo.broadcast_in_dim %157, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %181 = stablehlo.pad %180, %cst_41, low = [2, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<1x64x16xf32>, tensor<f32>) -> tensor<4x64x16xf32>
    %182 = stablehlo.add %136, %181 : tensor<4x64x16xf32>
    %183:5 = stablehlo.optimization_barrier %26, %20, %22, %24, %176 : tensor<512x64xf32>, tensor<512x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>, tensor<512x16xf32>
    %184 = stablehlo.multiply %183#0, %183#0 : tensor<512x64xf32>
    %185 = stablehlo.multiply %184, %183#0 : tensor<512x64xf32>
    %186 = stablehlo.multiply %183#0, %183#0 : tensor<512x64xf32>
    %cst_42 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %188 = stablehlo.multiply %187, %186 : tensor<512x64xf32>
    %cst_43 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %189 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %190 = stablehlo.multiply %189, %185 : tensor<512x64xf32>
    %191 = stablehlo.add %183#0, %190 : tensor<512x64xf32>
    %cst_44 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %193 = stablehlo.multiply %192, %191 : tensor<512x64xf32>
    %194 = stablehlo.tanh %193 : tensor<512x64xf32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %196 = stablehlo.subtract %195, %194 : tensor<512x64xf32>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %197 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %198 = stablehlo.add %197, %194 : tensor<512x64xf32>
    %cst_47 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %199 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %200 = stablehlo.multiply %199, %198 : tensor<512x64xf32>
    %201 = stablehlo.multiply %183#0, %200 : tensor<512x64xf32>
    %202 = stablehlo.dot_general %183#4, %201, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x64xf32>) -> tensor<16x64xf32>
    %203 = stablehlo.transpose %202, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %204 = stablehlo.dot_general %183#4, %183#2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<64x16xf32>) -> tensor<512x64xf32>
    %205 = stablehlo.multiply %183#0, %204 : tensor<512x64xf32>
    %206 = stablehlo.multiply %204, %200 : tensor<512x64xf32>
    %cst_48 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %207 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %208 = stablehlo.multiply %207, %205 : tensor<512x64xf32>
    %209 = stablehlo.multiply %208, %196 : tensor<512x64xf32>
    %210 = stablehlo.multiply %209, %194 : tensor<512x64xf32>
    %211 = stablehlo.add %209, %210 : tensor<512x64xf32>
    %cst_49 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %213 = stablehlo.multiply %212, %211 : tensor<512x64xf32>
    %214 = stablehlo.add %206, %213 : tensor<512x64xf32>
    %cst_50 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %216 = stablehlo.multiply %215, %213 : tensor<512x64xf32>
    %217 = stablehlo.multiply %216, %188 : tensor<512x64xf32>
    %218 = stablehlo.add %214, %217 : tensor<512x64xf32>
    %219 = stablehlo.dot_general %218, %183#1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<512x16xf32>) -> tensor<64x16xf32>
    %220 = stablehlo.transpose %219, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %221 = stablehlo.dot_general %218, %183#3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<16x64xf32>) -> tensor<512x16xf32>
    %222 = stablehlo.add %183#4, %221 : tensor<512x16xf32>
    %223 = stablehlo.broadcast_in_dim %220, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %224 = stablehlo.pad %223, %cst_51, low = [1, 0, 0], high = [2, 0, 0], interior = [0, 0, 0] : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<4x16x64xf32>
    %225 = stablehlo.add %179, %224 : tensor<4x16x64xf32>
    %226 = stablehlo.broadcast_in_dim %203, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %227 = stablehlo.pad %226, %cst_52, low = [1, 0, 0], high = [2, 0, 0], interior = [0, 0, 0] : (tensor<1x64x16xf32>, tensor<f32>) -> tensor<4x64x16xf32>
    %228 = stablehlo.add %182, %227 : tensor<4x64x16xf32>
    %229:4 = stablehlo.optimization_barrier %5, %arg2, %1, %222 : tensor<512x64xf32>, tensor<512x16xf32>, tensor<64x16xf32>, tensor<512x16xf32>
    %230 = stablehlo.multiply %229#0, %229#0 : tensor<512x64xf32>
    %231 = stablehlo.multiply %230, %229#0 : tensor<512x64xf32>
    %232 = stablehlo.multiply %229#0, %229#0 : tensor<512x64xf32>
    %cst_53 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %234 = stablehlo.multiply %233, %232 : tensor<512x64xf32>
    %cst_54 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %235 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %236 = stablehlo.multiply %235, %231 : tensor<512x64xf32>
    %237 = stablehlo.add %229#0, %236 : tensor<512x64xf32>
    %cst_55 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %239 = stablehlo.multiply %238, %237 : tensor<512x64xf32>
    %240 = stablehlo.tanh %239 : tensor<512x64xf32>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %241 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %242 = stablehlo.subtract %241, %240 : tensor<512x64xf32>
    %cst_57 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %244 = stablehlo.add %243, %240 : tensor<512x64xf32>
    %cst_58 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %245 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %246 = stablehlo.multiply %245, %244 : tensor<512x64xf32>
    %247 = stablehlo.multiply %229#0, %246 : tensor<512x64xf32>
    %248 = stablehlo.dot_general %229#3, %247, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x64xf32>) -> tensor<16x64xf32>
    %249 = stablehlo.transpose %248, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %250 = stablehlo.dot_general %229#3, %229#2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<64x16xf32>) -> tensor<512x64xf32>
    %251 = stablehlo.multiply %229#0, %250 : tensor<512x64xf32>
    %252 = stablehlo.multiply %250, %246 : tensor<512x64xf32>
    %cst_59 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %253 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %254 = stablehlo.multiply %253, %251 : tensor<512x64xf32>
    %255 = stablehlo.multiply %254, %242 : tensor<512x64xf32>
    %256 = stablehlo.multiply %255, %240 : tensor<512x64xf32>
    %257 = stablehlo.add %255, %256 : tensor<512x64xf32>
    %cst_60 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %258 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %259 = stablehlo.multiply %258, %257 : tensor<512x64xf32>
    %260 = stablehlo.add %252, %259 : tensor<512x64xf32>
    %cst_61 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %261 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %262 = stablehlo.multiply %261, %259 : tensor<512x64xf32>
    %263 = stablehlo.multiply %262, %234 : tensor<512x64xf32>
    %264 = stablehlo.add %260, %263 : tensor<512x64xf32>
    %265 = stablehlo.dot_general %264, %229#1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<512x16xf32>) -> tensor<64x16xf32>
    %266 = stablehlo.transpose %265, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %267 = stablehlo.broadcast_in_dim %266, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %268 = stablehlo.pad %267, %cst_62, low = [0, 0, 0], high = [3, 0, 0], interior = [0, 0, 0] : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<4x16x64xf32>
    %269 = stablehlo.add %225, %268 : tensor<4x16x64xf32>
    %270 = stablehlo.broadcast_in_dim %249, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %271 = stablehlo.pad %270, %cst_63, low = [0, 0, 0], high = [3, 0, 0], interior = [0, 0, 0] : (tensor<1x64x16xf32>, tensor<f32>) -> tensor<4x64x16xf32>
    %272 = stablehlo.add %228, %271 : tensor<4x64x16xf32>
    %cst_64 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %273 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %274 = stablehlo.multiply %273, %272 : tensor<4x64x16xf32>
    %275 = stablehlo.subtract %arg0, %274 : tensor<4x64x16xf32>
    %cst_65 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %276 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %277 = stablehlo.multiply %276, %269 : tensor<4x16x64xf32>
    %278 = stablehlo.subtract %arg1, %277 : tensor<4x16x64xf32>
    return %275, %278, %89 : tensor<4x64x16xf32>, tensor<4x16x64xf32>, tensor<f32>
  }
}
