// Made by fit_programs.py with JAX 0.10.2.
module @jit_remat_nothing attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4x64x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg1: tensor<4x16x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg2: tensor<512x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg3: tensor<512x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<4x64x16xf32> {jax.result_info = "result[0]['down']"}, tensor<4x16x64xf32> {jax.result_info = "result[0]['up']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.slice %arg0 [0:1, 0:64, 0:16] : (tensor<4x64x16xf32>) -> tensor<1x64x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    %2 = stablehlo.slice %arg1 [0:1, 0:16, 0:64] : (tensor<4x16x64xf32>) -> tensor<1x16x64xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    %4 = stablehlo.dot_general %arg2, %3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %5 = stablehlo.multiply %4, %4 : tensor<512x64xf32>
    %6 = stablehlo.multiply %5, %4 : tensor<512x64xf32>
    %cst = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %8 = stablehlo.multiply %7, %6 : tensor<512x64xf32>
    %9 = stablehlo.add %4, %8 : tensor<512x64xf32>
    %cst_0 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %11 = stablehlo.multiply %10, %9 : tensor<512x64xf32>
    %12 = stablehlo.tanh %11 : tensor<512x64xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %14 = stablehlo.add %13, %12 : tensor<512x64xf32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %16 = stablehlo.multiply %15, %14 : tensor<512x64xf32>
    %17 = stablehlo.multiply %4, %16 : tensor<512x64xf32>
    %18 = stablehlo.dot_general %17, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<64x16xf32>) -> tensor<512x16xf32>
    %19 = stablehlo.add %arg2, %18 : tensor<512x16xf32>
    %20 = stablehlo.slice %arg0 [1:2, 0:64, 0:16] : (tensor<4x64x16xf32>) -> tensor<1x64x16xf32>
    %21 = stablehlo.reshape %20 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    %22 = stablehlo.slice %arg1 [1:2, 0:16, 0:64] : (tensor<4x16x64xf32>) -> tensor<1x16x64xf32>
    %23 = stablehlo.reshape %22 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    %24 = stablehlo.dot_general %19, %23, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %25 = stablehlo.multiply %24, %24 : tensor<512x64xf32>
    %26 = stablehlo.multiply %25, %24 : tensor<512x64xf32>
    %cst_3 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %28 = stablehlo.multiply %27, %26 : tensor<512x64xf32>
    %29 = stablehlo.add %24, %28 : tensor<512x64xf32>
    %cst_4 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %31 = stablehlo.multiply %30, %29 : tensor<512x64xf32>
    %32 = stablehlo.tanh %31 : tensor<512x64xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %34 = stablehlo.add %33, %32 : tensor<512x64xf32>
    %cst_6 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %36 = stablehlo.multiply %35, %34 : tensor<512x64xf32>
    %37 = stablehlo.multiply %24, %36 : tensor<512x64xf32>
    %38 = stablehlo.dot_general %37, %21, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<64x16xf32>) -> tensor<512x16xf32>
    %39 = stablehlo.add %19, %38 : tensor<512x16xf32>
    %40 = stablehlo.slice %arg0 [2:3, 0:64, 0:16] : (tensor<4x64x16xf32>) -> tensor<1x64x16xf32>
    %41 = stablehlo.reshape %40 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    %42 = stablehlo.slice %arg1 [2:3, 0:16, 0:64] : (tensor<4x16x64xf32>) -> tensor<1x16x64xf32>
    %43 = stablehlo.reshape %42 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    %44 = stablehlo.dot_general %39, %43, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %45 = stablehlo.multiply %44, %44 : tensor<512x64xf32>
    %46 = stablehlo.multiply %45, %44 : tensor<512x64xf32>
    %cst_7 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %48 = stablehlo.multiply %47, %46 : tensor<512x64xf32>
    %49 = stablehlo.add %44, %48 : tensor<512x64xf32>
    %cst_8 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %51 = stablehlo.multiply %50, %49 : tensor<512x64xf32>
    %52 = stablehlo.tanh %51 : tensor<512x64xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %54 = stablehlo.add %53, %52 : tensor<512x64xf32>
    %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %56 = stablehlo.multiply %55, %54 : tensor<512x64xf32>
    %57 = stablehlo.multiply %44, %56 : tensor<512x64xf32>
    %58 = stablehlo.dot_general %57, %41, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<64x16xf32>) -> tensor<512x16xf32>
    %59 = stablehlo.add %39, %58 : tensor<512x16xf32>
    %60 = stablehlo.slice %arg0 [3:4, 0:64, 0:16] : (tensor<4x64x16xf32>) -> tensor<1x64x16xf32>
    %61 = stablehlo.reshape %60 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    %62 = stablehlo.slice %arg1 [3:4, 0:16, 0:64] : (tensor<4x16x64xf32>) -> tensor<1x16x64xf32>
    %63 = stablehlo.reshape %62 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    %64 = stablehlo.dot_general %59, %63, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %65 = stablehlo.multiply %64, %64 : tensor<512x64xf32>
    %66 = stablehlo.multiply %65, %64 : tensor<512x64xf32>
    %cst_11 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %68 = stablehlo.multiply %67, %66 : tensor<512x64xf32>
    %69 = stablehlo.add %64, %68 : tensor<512x64xf32>
    %cst_12 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %71 = stablehlo.multiply %70, %69 : tensor<512x64xf32>
    %72 = stablehlo.tanh %71 : tensor<512x64xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %74 = stablehlo.add %73, %72 : tensor<512x64xf32>
    %cst_14 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %76 = stablehlo.multiply %75, %74 : tensor<512x64xf32>
    %77 = stablehlo.multiply %64, %76 : tensor<512x64xf32>
    %78 = stablehlo.dot_general %77, %61, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<64x16xf32>) -> tensor<512x16xf32>
    %79 = stablehlo.add %59, %78 : tensor<512x16xf32>
    %80 = stablehlo.subtract %79, %arg3 : tensor<512x16xf32>
    %81 = stablehlo.multiply %80, %80 : tensor<512x16xf32>
    %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<512x16xf32>
    %83 = stablehlo.multiply %82, %80 : tensor<512x16xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.reduce(%81 init: %cst_16) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_17 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %85 = stablehlo.divide %84, %cst_17 : tensor<f32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_19 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %86 = stablehlo.divide %cst_18, %cst_19 : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [] : (tensor<f32>) -> tensor<512x16xf32>
    %88 = stablehlo.multiply %87, %83 : tensor<512x16xf32>
    %89:4 = stablehlo.optimization_barrier %59, %61, %63, %88 : tensor<512x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>, tensor<512x16xf32>
    %90 = stablehlo.dot_general %89#0, %89#2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %91 = stablehlo.multiply %90, %90 : tensor<512x64xf32>
    %92 = stablehlo.multiply %91, %90 : tensor<512x64xf32>
    %93 = stablehlo.multiply %90, %90 : tensor<512x64xf32>
    %cst_20 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %95 = stablehlo.multiply %94, %93 : tensor<512x64xf32>
    %cst_21 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %97 = stablehlo.multiply %96, %92 : tensor<512x64xf32>
    %98 = stablehlo.add %90, %97 : tensor<512x64xf32>
    %cst_22 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %100 = stablehlo.multiply %99, %98 : tensor<512x64xf32>
    %101 = stablehlo.tanh %100 : tensor<512x64xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %103 = stablehlo.subtract %102, %101 : tensor<512x64xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %105 = stablehlo.add %104, %101 : tensor<512x64xf32>
    %cst_25 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %107 = stablehlo.multiply %106, %105 : tensor<512x64xf32>
    %108 = stablehlo.multiply %90, %107 : tensor<512x64xf32>
    %109 = stablehlo.dot_general %89#3, %108, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x64xf32>) -> tensor<16x64xf32>
    %110 = stablehlo.transpose %109, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %111 = stablehlo.dot_general %89#3, %89#1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<64x16xf32>) -> tensor<512x64xf32>
    %112 = stablehlo.multiply %90, %111 : tensor<512x64xf32>
    %113 = stablehlo.multiply %111, %107 : tensor<512x64xf32>
    %cst_26 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %115 = stablehlo.multiply %114, %112 : tensor<512x64xf32>
    %116 = stablehlo.multiply %115, %103 : tensor<512x64xf32>
    %117 = stablehlo.multiply %116, %101 : tensor<512x64xf32>
    %118 = stablehlo.add %116, %117 : tensor<512x64xf32>
    %cst_27 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %120 = stablehlo.multiply %119, %118 : tensor<512x64xf32>
    %121 = stablehlo.add %113, %120 : tensor<512x64xf32>
    %cst_28 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %123 = stablehlo.multiply %122, %120 : tensor<512x64xf32>
    %124 = stablehlo.multiply %123, %95 : tensor<512x64xf32>
    %125 = stablehlo.add %121, %124 : tensor<512x64xf32>
    %126 = stablehlo.dot_general %125, %89#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<512x16xf32>) -> tensor<64x16xf32>
    %127 = stablehlo.transpose %126, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %128 = stablehlo.dot_general %125, %89#2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<16x64xf32>) -> tensor<512x16xf32>
    %129 = stablehlo.add %89#3, %128 : tensor<512x16xf32>
    %130 = stablehlo.broadcast_in_dim %127, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %131 = stablehlo.pad %130, %cst_29, low = [3, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<4x16x64xf32>
    %132 = stablehlo.broadcast_in_dim %110, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %133 = stablehlo.pad %132, %cst_30, low = [3, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<1x64x16xf32>, tensor<f32>) -> tensor<4x64x16xf32>
    %134:4 = stablehlo.optimization_barrier %39, %41, %43, %129 : tensor<512x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>, tensor<512x16xf32>
    %135 = stablehlo.dot_general %134#0, %134#2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %136 = stablehlo.multiply %135, %135 : tensor<512x64xf32>
    %137 = stablehlo.multiply %136, %135 : tensor<512x64xf32>
    %138 = stablehlo.multiply %135, %135 : tensor<512x64xf32>
    %cst_31 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %140 = stablehlo.multiply %139, %138 : tensor<512x64xf32>
    %cst_32 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %142 = stablehlo.multiply %141, %137 : tensor<512x64xf32>
    %143 = stablehlo.add %135, %142 : tensor<512x64xf32>
    %cst_33 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %145 = stablehlo.multiply %144, %143 : tensor<512x64xf32>
    %146 = stablehlo.tanh %145 : tensor<512x64xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %148 = stablehlo.subtract %147, %146 : tensor<512x64xf32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %150 = stablehlo.add %149, %146 : tensor<512x64xf32>
    %cst_36 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %152 = stablehlo.multiply %151, %150 : tensor<512x64xf32>
    %153 = stablehlo.multiply %135, %152 : tensor<512x64xf32>
    %154 = stablehlo.dot_general %134#3, %153, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x64xf32>) -> tensor<16x64xf32>
    %155 = stablehlo.transpose %154, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %156 = stablehlo.dot_general %134#3, %134#1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<64x16xf32>) -> tensor<512x64xf32>
    %157 = stablehlo.multiply %135, %156 : tensor<512x64xf32>
    %158 = stablehlo.multiply %156, %152 : tensor<512x64xf32>
    %cst_37 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %160 = stablehlo.multiply %159, %157 : tensor<512x64xf32>
    %161 = stablehlo.multiply %160, %148 : tensor<512x64xf32>
    %162 = stablehlo.multiply %161, %146 : tensor<512x64xf32>
    %163 = stablehlo.add %161, %162 : tensor<512x64xf32>
    %cst_38 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %165 = stablehlo.multiply %164, %163 : tensor<512x64xf32>
    %166 = stablehlo.add %158, %165 : tensor<512x64xf32>
    %cst_39 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %168 = stablehlo.multiply %167, %165 : tensor<512x64xf32>
    %169 = stablehlo.multiply %168, %140 : tensor<512x64xf32>
    %170 = stablehlo.add %166, %169 : tensor<512x64xf32>
    %171 = stablehlo.dot_general %170, %134#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<512x16xf32>) -> tensor<64x16xf32>
    %172 = stablehlo.transpose %171, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %173 = stablehlo.dot_general %170, %134#2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<16x64xf32>) -> tensor<512x16xf32>
    %174 = stablehlo.add %134#3, %173 : tensor<512x16xf32>
    %175 = stablehlo.broadcast_in_dim %172, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %176 = stablehlo.pad %175, %cst_40, low = [2, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<4x16x64xf32>
    %177 = stablehlo.add %131, %176 : tensor<4x16x64xf32>
    %178 = stablehlo.broadcast_in_dim %155, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %179 = stablehlo.pad %178, %cst_41, low = [2, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<1x64x16xf32>, tensor<f32>) -> tensor<4x64x16xf32>
    %180 = stablehlo.add %133, %179 : tensor<4x64x16xf32>
    %181:4 = stablehlo.optimization_barrier %19, %21, %23, %174 : tensor<512x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>, tensor<512x16xf32>
    %182 = stablehlo.dot_general %181#0, %181#2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %183 = stablehlo.multiply %182, %182 : tensor<512x64xf32>
    %184 = stablehlo.multiply %183, %182 : tensor<512x64xf32>
    %185 = stablehlo.multiply %182, %182 : tensor<512x64xf32>
    %cst_42 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %187 = stablehlo.multiply %186, %185 : tensor<512x64xf32>
    %cst_43 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %188 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %189 = stablehlo.multiply %188, %184 : tensor<512x64xf32>
    %190 = stablehlo.add %182, %189 : tensor<512x64xf32>
    %cst_44 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %191 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %192 = stablehlo.multiply %191, %190 : tensor<512x64xf32>
    %193 = stablehlo.tanh %192 : tensor<512x64xf32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %195 = stablehlo.subtract %194, %193 : tensor<512x64xf32>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %196 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %197 = stablehlo.add %196, %193 : tensor<512x64xf32>
    %cst_47 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %198 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %199 = stablehlo.multiply %198, %197 : tensor<512x64xf32>
    %200 = stablehlo.multiply %182, %199 : tensor<512x64xf32>
    %201 = stablehlo.dot_general %181#3, %200, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x64xf32>) -> tensor<16x64xf32>
    %202 = stablehlo.transpose %201, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %203 = stablehlo.dot_general %181#3, %181#1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<64x16xf32>) -> tensor<512x64xf32>
    %204 = stablehlo.multiply %182, %203 : tensor<512x64xf32>
    %205 = stablehlo.multiply %203, %199 : tensor<512x64xf32>
    %cst_48 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %207 = stablehlo.multiply %206, %204 : tensor<512x64xf32>
    %208 = stablehlo.multiply %207, %195 : tensor<512x64xf32>
    %209 = stablehlo.multiply %208, %193 : tensor<512x64xf32>
    %210 = stablehlo.add %208, %209 : tensor<512x64xf32>
    %cst_49 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %211 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %212 = stablehlo.multiply %211, %210 : tensor<512x64xf32>
    %213 = stablehlo.add %205, %212 : tensor<512x64xf32>
    %cst_50 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %215 = stablehlo.multiply %214, %212 : tensor<512x64xf32>
    %216 = stablehlo.multiply %215, %187 : tensor<512x64xf32>
    %217 = stablehlo.add %213, %216 : tensor<512x64xf32>
    %218 = stablehlo.dot_general %217, %181#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<512x16xf32>) -> tensor<64x16xf32>
    %219 = stablehlo.transpose %218, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %220 = stablehlo.dot_general %217, %181#2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<16x64xf32>) -> tensor<512x16xf32>
    %221 = stablehlo.add %181#3, %220 : tensor<512x16xf32>
    %222 = stablehlo.broadcast_in_dim %219, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %223 = stablehlo.pad %222, %cst_51, low = [1, 0, 0], high = [2, 0, 0], interior = [0, 0, 0] : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<4x16x64xf32>
    %224 = stablehlo.add %177, %223 : tensor<4x16x64xf32>
    %225 = stablehlo.broadcast_in_dim %202, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %226 = stablehlo.pad %225, %cst_52, low = [1, 0, 0], high = [2, 0, 0], interior = [0, 0, 0] : (tensor<1x64x16xf32>, tensor<f32>) -> tensor<4x64x16xf32>
    %227 = stablehlo.add %180, %226 : tensor<4x64x16xf32>
    %228:4 = stablehlo.optimization_barrier %arg2, %1, %3, %221 : tensor<512x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>, tensor<512x16xf32>
    %229 = stablehlo.dot_general %228#0, %228#2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %230 = stablehlo.multiply %229, %229 : tensor<512x64xf32>
    %231 = stablehlo.multiply %230, %229 : tensor<512x64xf32>
    %232 = stablehlo.multiply %229, %229 : tensor<512x64xf32>
    %cst_53 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %234 = stablehlo.multiply %233, %232 : tensor<512x64xf32>
    %cst_54 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %235 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %236 = stablehlo.multiply %235, %231 : tensor<512x64xf32>
    %237 = stablehlo.add %229, %236 : tensor<512x64xf32>
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
    %247 = stablehlo.multiply %229, %246 : tensor<512x64xf32>
    %248 = stablehlo.dot_general %228#3, %247, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x64xf32>) -> tensor<16x64xf32>
    %249 = stablehlo.transpose %248, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %250 = stablehlo.dot_general %228#3, %228#1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<64x16xf32>) -> tensor<512x64xf32>
    %251 = stablehlo.multiply %229, %250 : tensor<512x64xf32>
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
    %265 = stablehlo.dot_general %264, %228#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<512x16xf32>) -> tensor<64x16xf32>
    %266 = stablehlo.transpose %265, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %267 = stablehlo.broadcast_in_dim %266, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %268 = stablehlo.pad %267, %cst_62, low = [0, 0, 0], high = [3, 0, 0], interior = [0, 0, 0] : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<4x16x64xf32>
    %269 = stablehlo.add %224, %268 : tensor<4x16x64xf32>
    %270 = stablehlo.broadcast_in_dim %249, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %271 = stablehlo.pad %270, %cst_63, low = [0, 0, 0], high = [3, 0, 0], interior = [0, 0, 0] : (tensor<1x64x16xf32>, tensor<f32>) -> tensor<4x64x16xf32>
    %272 = stablehlo.add %227, %271 : tensor<4x64x16xf32>
    %cst_64 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %273 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %274 = stablehlo.multiply %273, %272 : tensor<4x64x16xf32>
    %275 = stablehlo.subtract %arg0, %274 : tensor<4x64x16xf32>
    %cst_65 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %276 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %277 = stablehlo.multiply %276, %269 : tensor<4x16x64xf32>
    %278 = stablehlo.subtract %arg1, %277 : tensor<4x16x64xf32>
    return %275, %278, %85 : tensor<4x64x16xf32>, tensor<4x16x64xf32>, tensor<f32>
  }
}
