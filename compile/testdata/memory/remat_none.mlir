// Made by fit_programs.py with JAX 0.10.2.
module @jit_remat_none attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4x64x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg1: tensor<4x16x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg2: tensor<512x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg3: tensor<512x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<4x64x16xf32> {jax.result_info = "result[0]['down']"}, tensor<4x16x64xf32> {jax.result_info = "result[0]['up']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.slice %arg0 [0:1, 0:64, 0:16] : (tensor<4x64x16xf32>) -> tensor<1x64x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    %2 = stablehlo.slice %arg1 [0:1, 0:16, 0:64] : (tensor<4x16x64xf32>) -> tensor<1x16x64xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    %4 = stablehlo.dot_general %arg2, %3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %5 = stablehlo.multiply %4, %4 : tensor<512x64xf32>
    %6 = stablehlo.multiply %5, %4 : tensor<512x64xf32>
    %7 = stablehlo.multiply %4, %4 : tensor<512x64xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<512x64xf32>
    %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %11 = stablehlo.multiply %10, %6 : tensor<512x64xf32>
    %12 = stablehlo.add %4, %11 : tensor<512x64xf32>
    %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %14 = stablehlo.multiply %13, %12 : tensor<512x64xf32>
    %15 = stablehlo.tanh %14 : tensor<512x64xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %17 = stablehlo.subtract %16, %15 : tensor<512x64xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %19 = stablehlo.add %18, %15 : tensor<512x64xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %21 = stablehlo.multiply %20, %19 : tensor<512x64xf32>
    %22 = stablehlo.multiply %4, %21 : tensor<512x64xf32>
    %23 = stablehlo.dot_general %22, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<64x16xf32>) -> tensor<512x16xf32>
    %24 = stablehlo.add %arg2, %23 : tensor<512x16xf32>
    %25 = stablehlo.slice %arg0 [1:2, 0:64, 0:16] : (tensor<4x64x16xf32>) -> tensor<1x64x16xf32>
    %26 = stablehlo.reshape %25 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    %27 = stablehlo.slice %arg1 [1:2, 0:16, 0:64] : (tensor<4x16x64xf32>) -> tensor<1x16x64xf32>
    %28 = stablehlo.reshape %27 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    %29 = stablehlo.dot_general %24, %28, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %30 = stablehlo.multiply %29, %29 : tensor<512x64xf32>
    %31 = stablehlo.multiply %30, %29 : tensor<512x64xf32>
    %32 = stablehlo.multiply %29, %29 : tensor<512x64xf32>
    %cst_5 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %34 = stablehlo.multiply %33, %32 : tensor<512x64xf32>
    %cst_6 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %36 = stablehlo.multiply %35, %31 : tensor<512x64xf32>
    %37 = stablehlo.add %29, %36 : tensor<512x64xf32>
    %cst_7 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %39 = stablehlo.multiply %38, %37 : tensor<512x64xf32>
    %40 = stablehlo.tanh %39 : tensor<512x64xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %42 = stablehlo.subtract %41, %40 : tensor<512x64xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %44 = stablehlo.add %43, %40 : tensor<512x64xf32>
    %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %46 = stablehlo.multiply %45, %44 : tensor<512x64xf32>
    %47 = stablehlo.multiply %29, %46 : tensor<512x64xf32>
    %48 = stablehlo.dot_general %47, %26, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<64x16xf32>) -> tensor<512x16xf32>
    %49 = stablehlo.add %24, %48 : tensor<512x16xf32>
    %50 = stablehlo.slice %arg0 [2:3, 0:64, 0:16] : (tensor<4x64x16xf32>) -> tensor<1x64x16xf32>
    %51 = stablehlo.reshape %50 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    %52 = stablehlo.slice %arg1 [2:3, 0:16, 0:64] : (tensor<4x16x64xf32>) -> tensor<1x16x64xf32>
    %53 = stablehlo.reshape %52 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    %54 = stablehlo.dot_general %49, %53, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %55 = stablehlo.multiply %54, %54 : tensor<512x64xf32>
    %56 = stablehlo.multiply %55, %54 : tensor<512x64xf32>
    %57 = stablehlo.multiply %54, %54 : tensor<512x64xf32>
    %cst_11 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %59 = stablehlo.multiply %58, %57 : tensor<512x64xf32>
    %cst_12 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %61 = stablehlo.multiply %60, %56 : tensor<512x64xf32>
    %62 = stablehlo.add %54, %61 : tensor<512x64xf32>
    %cst_13 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %64 = stablehlo.multiply %63, %62 : tensor<512x64xf32>
    %65 = stablehlo.tanh %64 : tensor<512x64xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %67 = stablehlo.subtract %66, %65 : tensor<512x64xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %69 = stablehlo.add %68, %65 : tensor<512x64xf32>
    %cst_16 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %71 = stablehlo.multiply %70, %69 : tensor<512x64xf32>
    %72 = stablehlo.multiply %54, %71 : tensor<512x64xf32>
    %73 = stablehlo.dot_general %72, %51, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<64x16xf32>) -> tensor<512x16xf32>
    %74 = stablehlo.add %49, %73 : tensor<512x16xf32>
    %75 = stablehlo.slice %arg0 [3:4, 0:64, 0:16] : (tensor<4x64x16xf32>) -> tensor<1x64x16xf32>
    %76 = stablehlo.reshape %75 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    %77 = stablehlo.slice %arg1 [3:4, 0:16, 0:64] : (tensor<4x16x64xf32>) -> tensor<1x16x64xf32>
    %78 = stablehlo.reshape %77 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    %79 = stablehlo.dot_general %74, %78, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %80 = stablehlo.multiply %79, %79 : tensor<512x64xf32>
    %81 = stablehlo.multiply %80, %79 : tensor<512x64xf32>
    %82 = stablehlo.multiply %79, %79 : tensor<512x64xf32>
    %cst_17 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %84 = stablehlo.multiply %83, %82 : tensor<512x64xf32>
    %cst_18 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %86 = stablehlo.multiply %85, %81 : tensor<512x64xf32>
    %87 = stablehlo.add %79, %86 : tensor<512x64xf32>
    %cst_19 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %89 = stablehlo.multiply %88, %87 : tensor<512x64xf32>
    %90 = stablehlo.tanh %89 : tensor<512x64xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %92 = stablehlo.subtract %91, %90 : tensor<512x64xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %94 = stablehlo.add %93, %90 : tensor<512x64xf32>
    %cst_22 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %96 = stablehlo.multiply %95, %94 : tensor<512x64xf32>
    %97 = stablehlo.multiply %79, %96 : tensor<512x64xf32>
    %98 = stablehlo.dot_general %97, %76, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<64x16xf32>) -> tensor<512x16xf32>
    %99 = stablehlo.add %74, %98 : tensor<512x16xf32>
    %100 = stablehlo.subtract %99, %arg3 : tensor<512x16xf32>
    %101 = stablehlo.multiply %100, %100 : tensor<512x16xf32>
    %cst_23 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<512x16xf32>
    %103 = stablehlo.multiply %102, %100 : tensor<512x16xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %104 = stablehlo.reduce(%101 init: %cst_24) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_25 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %105 = stablehlo.divide %104, %cst_25 : tensor<f32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_27 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %106 = stablehlo.divide %cst_26, %cst_27 : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %106, dims = [] : (tensor<f32>) -> tensor<512x16xf32>
    %108 = stablehlo.multiply %107, %103 : tensor<512x16xf32>
    %109 = stablehlo.dot_general %108, %97, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x64xf32>) -> tensor<16x64xf32>
    %110 = stablehlo.transpose %109, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %111 = stablehlo.dot_general %108, %76, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<64x16xf32>) -> tensor<512x64xf32>
    %112 = stablehlo.multiply %79, %111 : tensor<512x64xf32>
    %113 = stablehlo.multiply %111, %96 : tensor<512x64xf32>
    %cst_28 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %115 = stablehlo.multiply %114, %112 : tensor<512x64xf32>
    %116 = stablehlo.multiply %115, %92 : tensor<512x64xf32>
    %117 = stablehlo.multiply %116, %90 : tensor<512x64xf32>
    %118 = stablehlo.add %116, %117 : tensor<512x64xf32>
    %cst_29 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %120 = stablehlo.multiply %119, %118 : tensor<512x64xf32>
    %121 = stablehlo.add %113, %120 : tensor<512x64xf32>
    %cst_30 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %123 = stablehlo.multiply %122, %120 : tensor<512x64xf32>
    %124 = stablehlo.multiply %123, %84 : tensor<512x64xf32>
    %125 = stablehlo.add %121, %124 : tensor<512x64xf32>
    %126 = stablehlo.dot_general %125, %74, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<512x16xf32>) -> tensor<64x16xf32>
    %127 = stablehlo.transpose %126, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %128 = stablehlo.dot_general %125, %78, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<16x64xf32>) -> tensor<512x16xf32>
    %129 = stablehlo.add %108, %128 : tensor<512x16xf32>
    %130 = stablehlo.broadcast_in_dim %127, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %131 = stablehlo.pad %130, %cst_31, low = [3, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<4x16x64xf32>
    %132 = stablehlo.broadcast_in_dim %110, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %133 = stablehlo.pad %132, %cst_32, low = [3, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<1x64x16xf32>, tensor<f32>) -> tensor<4x64x16xf32>
    %134 = stablehlo.dot_general %129, %72, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x64xf32>) -> tensor<16x64xf32>
    %135 = stablehlo.transpose %134, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %136 = stablehlo.dot_general %129, %51, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<64x16xf32>) -> tensor<512x64xf32>
    %137 = stablehlo.multiply %54, %136 : tensor<512x64xf32>
    %138 = stablehlo.multiply %136, %71 : tensor<512x64xf32>
    %cst_33 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %140 = stablehlo.multiply %139, %137 : tensor<512x64xf32>
    %141 = stablehlo.multiply %140, %67 : tensor<512x64xf32>
    %142 = stablehlo.multiply %141, %65 : tensor<512x64xf32>
    %143 = stablehlo.add %141, %142 : tensor<512x64xf32>
    %cst_34 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %145 = stablehlo.multiply %144, %143 : tensor<512x64xf32>
    %146 = stablehlo.add %138, %145 : tensor<512x64xf32>
    %cst_35 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %148 = stablehlo.multiply %147, %145 : tensor<512x64xf32>
    %149 = stablehlo.multiply %148, %59 : tensor<512x64xf32>
    %150 = stablehlo.add %146, %149 : tensor<512x64xf32>
    %151 = stablehlo.dot_general %150, %49, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<512x16xf32>) -> tensor<64x16xf32>
    %152 = stablehlo.transpose %151, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %153 = stablehlo.dot_general %150, %53, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<16x64xf32>) -> tensor<512x16xf32>
    %154 = stablehlo.add %129, %153 : tensor<512x16xf32>
    %155 = stablehlo.broadcast_in_dim %152, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %156 = stablehlo.pad %155, %cst_36, low = [2, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<4x16x64xf32>
    %157 = stablehlo.add %131, %156 : tensor<4x16x64xf32>
    %158 = stablehlo.broadcast_in_dim %135, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %159 = stablehlo.pad %158, %cst_37, low = [2, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<1x64x16xf32>, tensor<f32>) -> tensor<4x64x16xf32>
    %160 = stablehlo.add %133, %159 : tensor<4x64x16xf32>
    %161 = stablehlo.dot_general %154, %47, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x64xf32>) -> tensor<16x64xf32>
    %162 = stablehlo.transpose %161, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %163 = stablehlo.dot_general %154, %26, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<64x16xf32>) -> tensor<512x64xf32>
    %164 = stablehlo.multiply %29, %163 : tensor<512x64xf32>
    %165 = stablehlo.multiply %163, %46 : tensor<512x64xf32>
    %cst_38 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %167 = stablehlo.multiply %166, %164 : tensor<512x64xf32>
    %168 = stablehlo.multiply %167, %42 : tensor<512x64xf32>
    %169 = stablehlo.multiply %168, %40 : tensor<512x64xf32>
    %170 = stablehlo.add %168, %169 : tensor<512x64xf32>
    %cst_39 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %171 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %172 = stablehlo.multiply %171, %170 : tensor<512x64xf32>
    %173 = stablehlo.add %165, %172 : tensor<512x64xf32>
    %cst_40 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %174 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %175 = stablehlo.multiply %174, %172 : tensor<512x64xf32>
    %176 = stablehlo.multiply %175, %34 : tensor<512x64xf32>
    %177 = stablehlo.add %173, %176 : tensor<512x64xf32>
    %178 = stablehlo.dot_general %177, %24, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<512x16xf32>) -> tensor<64x16xf32>
    %179 = stablehlo.transpose %178, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %180 = stablehlo.dot_general %177, %28, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<16x64xf32>) -> tensor<512x16xf32>
    %181 = stablehlo.add %154, %180 : tensor<512x16xf32>
    %182 = stablehlo.broadcast_in_dim %179, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %183 = stablehlo.pad %182, %cst_41, low = [1, 0, 0], high = [2, 0, 0], interior = [0, 0, 0] : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<4x16x64xf32>
    %184 = stablehlo.add %157, %183 : tensor<4x16x64xf32>
    %185 = stablehlo.broadcast_in_dim %162, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %186 = stablehlo.pad %185, %cst_42, low = [1, 0, 0], high = [2, 0, 0], interior = [0, 0, 0] : (tensor<1x64x16xf32>, tensor<f32>) -> tensor<4x64x16xf32>
    %187 = stablehlo.add %160, %186 : tensor<4x64x16xf32>
    %188 = stablehlo.dot_general %181, %22, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x64xf32>) -> tensor<16x64xf32>
    %189 = stablehlo.transpose %188, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %190 = stablehlo.dot_general %181, %1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<64x16xf32>) -> tensor<512x64xf32>
    %191 = stablehlo.multiply %4, %190 : tensor<512x64xf32>
    %192 = stablehlo.multiply %190, %21 : tensor<512x64xf32>
    %cst_43 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %193 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %194 = stablehlo.multiply %193, %191 : tensor<512x64xf32>
    %195 = stablehlo.multiply %194, %17 : tensor<512x64xf32>
    %196 = stablehlo.multiply %195, %15 : tensor<512x64xf32>
    %197 = stablehlo.add %195, %196 : tensor<512x64xf32>
    %cst_44 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %198 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %199 = stablehlo.multiply %198, %197 : tensor<512x64xf32>
    %200 = stablehlo.add %192, %199 : tensor<512x64xf32>
    %cst_45 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %201 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %202 = stablehlo.multiply %201, %199 : tensor<512x64xf32>
    %203 = stablehlo.multiply %202, %9 : tensor<512x64xf32>
    %204 = stablehlo.add %200, %203 : tensor<512x64xf32>
    %205 = stablehlo.dot_general %204, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<512x16xf32>) -> tensor<64x16xf32>
    %206 = stablehlo.transpose %205, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %207 = stablehlo.broadcast_in_dim %206, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %208 = stablehlo.pad %207, %cst_46, low = [0, 0, 0], high = [3, 0, 0], interior = [0, 0, 0] : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<4x16x64xf32>
    %209 = stablehlo.add %184, %208 : tensor<4x16x64xf32>
    %210 = stablehlo.broadcast_in_dim %189, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %211 = stablehlo.pad %210, %cst_47, low = [0, 0, 0], high = [3, 0, 0], interior = [0, 0, 0] : (tensor<1x64x16xf32>, tensor<f32>) -> tensor<4x64x16xf32>
    %212 = stablehlo.add %187, %211 : tensor<4x64x16xf32>
    %cst_48 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %213 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %214 = stablehlo.multiply %213, %212 : tensor<4x64x16xf32>
    %215 = stablehlo.subtract %arg0, %214 : tensor<4x64x16xf32>
    %cst_49 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %216 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %217 = stablehlo.multiply %216, %209 : tensor<4x16x64xf32>
    %218 = stablehlo.subtract %arg1, %217 : tensor<4x16x64xf32>
    return %215, %218, %105 : tensor<4x64x16xf32>, tensor<4x16x64xf32>, tensor<f32>
  }
}
