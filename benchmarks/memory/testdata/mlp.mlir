// Made by memory_programs.py with JAX 0.10.2.
module @jit_mlp attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<512xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<512xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg2: tensor<512xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg3: tensor<512x512xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg4: tensor<512x512xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg5: tensor<512x512xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg6: tensor<128x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg7: tensor<128x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<512xf32> {jax.result_info = "result[0]['b0']"}, tensor<512xf32> {jax.result_info = "result[0]['b1']"}, tensor<512xf32> {jax.result_info = "result[0]['b2']"}, tensor<512x512xf32> {jax.result_info = "result[0]['w0']"}, tensor<512x512xf32> {jax.result_info = "result[0]['w1']"}, tensor<512x512xf32> {jax.result_info = "result[0]['w2']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg6, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<128x512xf32>, tensor<512x512xf32>) -> tensor<128x512xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<512xf32>) -> tensor<1x512xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x512xf32>) -> tensor<128x512xf32>
    %3 = stablehlo.add %0, %2 : tensor<128x512xf32>
    %4 = stablehlo.multiply %3, %3 : tensor<128x512xf32>
    %5 = stablehlo.multiply %4, %3 : tensor<128x512xf32>
    %6 = stablehlo.multiply %3, %3 : tensor<128x512xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %8 = stablehlo.multiply %7, %6 : tensor<128x512xf32>
    %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %10 = stablehlo.multiply %9, %5 : tensor<128x512xf32>
    %11 = stablehlo.add %3, %10 : tensor<128x512xf32>
    %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %13 = stablehlo.multiply %12, %11 : tensor<128x512xf32>
    %14 = stablehlo.tanh %13 : tensor<128x512xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %16 = stablehlo.subtract %15, %14 : tensor<128x512xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %18 = stablehlo.add %17, %14 : tensor<128x512xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %20 = stablehlo.multiply %19, %18 : tensor<128x512xf32>
    %21 = stablehlo.multiply %3, %20 : tensor<128x512xf32>
    %22 = stablehlo.dot_general %21, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<128x512xf32>, tensor<512x512xf32>) -> tensor<128x512xf32>
    %23 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<512xf32>) -> tensor<1x512xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<1x512xf32>) -> tensor<128x512xf32>
    %25 = stablehlo.add %22, %24 : tensor<128x512xf32>
    %26 = stablehlo.multiply %25, %25 : tensor<128x512xf32>
    %27 = stablehlo.multiply %26, %25 : tensor<128x512xf32>
    %28 = stablehlo.multiply %25, %25 : tensor<128x512xf32>
    %cst_5 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %30 = stablehlo.multiply %29, %28 : tensor<128x512xf32>
    %cst_6 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %32 = stablehlo.multiply %31, %27 : tensor<128x512xf32>
    %33 = stablehlo.add %25, %32 : tensor<128x512xf32>
    %cst_7 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %35 = stablehlo.multiply %34, %33 : tensor<128x512xf32>
    %36 = stablehlo.tanh %35 : tensor<128x512xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %38 = stablehlo.subtract %37, %36 : tensor<128x512xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %40 = stablehlo.add %39, %36 : tensor<128x512xf32>
    %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %42 = stablehlo.multiply %41, %40 : tensor<128x512xf32>
    %43 = stablehlo.multiply %25, %42 : tensor<128x512xf32>
    %44 = stablehlo.dot_general %43, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<128x512xf32>, tensor<512x512xf32>) -> tensor<128x512xf32>
    %45 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<512xf32>) -> tensor<1x512xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1] : (tensor<1x512xf32>) -> tensor<128x512xf32>
    %47 = stablehlo.add %44, %46 : tensor<128x512xf32>
    %48 = stablehlo.multiply %47, %47 : tensor<128x512xf32>
    %49 = stablehlo.multiply %48, %47 : tensor<128x512xf32>
    %50 = stablehlo.multiply %47, %47 : tensor<128x512xf32>
    %cst_11 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %52 = stablehlo.multiply %51, %50 : tensor<128x512xf32>
    %cst_12 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %54 = stablehlo.multiply %53, %49 : tensor<128x512xf32>
    %55 = stablehlo.add %47, %54 : tensor<128x512xf32>
    %cst_13 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %57 = stablehlo.multiply %56, %55 : tensor<128x512xf32>
    %58 = stablehlo.tanh %57 : tensor<128x512xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %60 = stablehlo.subtract %59, %58 : tensor<128x512xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %62 = stablehlo.add %61, %58 : tensor<128x512xf32>
    %cst_16 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %64 = stablehlo.multiply %63, %62 : tensor<128x512xf32>
    %65 = stablehlo.multiply %47, %64 : tensor<128x512xf32>
    %66 = stablehlo.subtract %65, %arg7 : tensor<128x512xf32>
    %67 = stablehlo.multiply %66, %66 : tensor<128x512xf32>
    %cst_17 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %69 = stablehlo.multiply %68, %66 : tensor<128x512xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %70 = stablehlo.reduce(%67 init: %cst_18) applies stablehlo.add across dimensions = [0, 1] : (tensor<128x512xf32>, tensor<f32>) -> tensor<f32>
    %cst_19 = stablehlo.constant dense<6.553600e+04> : tensor<f32>
    %71 = stablehlo.divide %70, %cst_19 : tensor<f32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_21 = stablehlo.constant dense<6.553600e+04> : tensor<f32>
    %72 = stablehlo.divide %cst_20, %cst_21 : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %72, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %74 = stablehlo.multiply %73, %69 : tensor<128x512xf32>
    %75 = stablehlo.multiply %47, %74 : tensor<128x512xf32>
    %76 = stablehlo.multiply %74, %64 : tensor<128x512xf32>
    %cst_22 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %78 = stablehlo.multiply %77, %75 : tensor<128x512xf32>
    %79 = stablehlo.multiply %78, %60 : tensor<128x512xf32>
    %80 = stablehlo.multiply %79, %58 : tensor<128x512xf32>
    %81 = stablehlo.add %79, %80 : tensor<128x512xf32>
    %cst_23 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %83 = stablehlo.multiply %82, %81 : tensor<128x512xf32>
    %84 = stablehlo.add %76, %83 : tensor<128x512xf32>
    %cst_24 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %86 = stablehlo.multiply %85, %83 : tensor<128x512xf32>
    %87 = stablehlo.multiply %86, %52 : tensor<128x512xf32>
    %88 = stablehlo.add %84, %87 : tensor<128x512xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %89 = stablehlo.reduce(%88 init: %cst_25) applies stablehlo.add across dimensions = [0] : (tensor<128x512xf32>, tensor<f32>) -> tensor<512xf32>
    %90 = stablehlo.reshape %89 : (tensor<512xf32>) -> tensor<1x512xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %91 = stablehlo.reduce(%90 init: %cst_26) applies stablehlo.add across dimensions = [0] : (tensor<1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %92 = stablehlo.dot_general %88, %43, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<128x512xf32>, tensor<128x512xf32>) -> tensor<512x512xf32>
    %93 = stablehlo.transpose %92, dims = [1, 0] : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %94 = stablehlo.dot_general %88, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<128x512xf32>, tensor<512x512xf32>) -> tensor<128x512xf32>
    %95 = stablehlo.multiply %25, %94 : tensor<128x512xf32>
    %96 = stablehlo.multiply %94, %42 : tensor<128x512xf32>
    %cst_27 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %98 = stablehlo.multiply %97, %95 : tensor<128x512xf32>
    %99 = stablehlo.multiply %98, %38 : tensor<128x512xf32>
    %100 = stablehlo.multiply %99, %36 : tensor<128x512xf32>
    %101 = stablehlo.add %99, %100 : tensor<128x512xf32>
    %cst_28 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %103 = stablehlo.multiply %102, %101 : tensor<128x512xf32>
    %104 = stablehlo.add %96, %103 : tensor<128x512xf32>
    %cst_29 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %106 = stablehlo.multiply %105, %103 : tensor<128x512xf32>
    %107 = stablehlo.multiply %106, %30 : tensor<128x512xf32>
    %108 = stablehlo.add %104, %107 : tensor<128x512xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %109 = stablehlo.reduce(%108 init: %cst_30) applies stablehlo.add across dimensions = [0] : (tensor<128x512xf32>, tensor<f32>) -> tensor<512xf32>
    %110 = stablehlo.reshape %109 : (tensor<512xf32>) -> tensor<1x512xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %111 = stablehlo.reduce(%110 init: %cst_31) applies stablehlo.add across dimensions = [0] : (tensor<1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %112 = stablehlo.dot_general %108, %21, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<128x512xf32>, tensor<128x512xf32>) -> tensor<512x512xf32>
    %113 = stablehlo.transpose %112, dims = [1, 0] : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %114 = stablehlo.dot_general %108, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<128x512xf32>, tensor<512x512xf32>) -> tensor<128x512xf32>
    %115 = stablehlo.multiply %3, %114 : tensor<128x512xf32>
    %116 = stablehlo.multiply %114, %20 : tensor<128x512xf32>
    %cst_32 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %118 = stablehlo.multiply %117, %115 : tensor<128x512xf32>
    %119 = stablehlo.multiply %118, %16 : tensor<128x512xf32>
    %120 = stablehlo.multiply %119, %14 : tensor<128x512xf32>
    %121 = stablehlo.add %119, %120 : tensor<128x512xf32>
    %cst_33 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %123 = stablehlo.multiply %122, %121 : tensor<128x512xf32>
    %124 = stablehlo.add %116, %123 : tensor<128x512xf32>
    %cst_34 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<128x512xf32>
    %126 = stablehlo.multiply %125, %123 : tensor<128x512xf32>
    %127 = stablehlo.multiply %126, %8 : tensor<128x512xf32>
    %128 = stablehlo.add %124, %127 : tensor<128x512xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %129 = stablehlo.reduce(%128 init: %cst_35) applies stablehlo.add across dimensions = [0] : (tensor<128x512xf32>, tensor<f32>) -> tensor<512xf32>
    %130 = stablehlo.reshape %129 : (tensor<512xf32>) -> tensor<1x512xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %131 = stablehlo.reduce(%130 init: %cst_36) applies stablehlo.add across dimensions = [0] : (tensor<1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %132 = stablehlo.dot_general %128, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<128x512xf32>, tensor<128x512xf32>) -> tensor<512x512xf32>
    %133 = stablehlo.transpose %132, dims = [1, 0] : (tensor<512x512xf32>) -> tensor<512x512xf32>
    %cst_37 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %135 = stablehlo.multiply %134, %131 : tensor<512xf32>
    %136 = stablehlo.subtract %arg0, %135 : tensor<512xf32>
    %cst_38 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %138 = stablehlo.multiply %137, %111 : tensor<512xf32>
    %139 = stablehlo.subtract %arg1, %138 : tensor<512xf32>
    %cst_39 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %141 = stablehlo.multiply %140, %91 : tensor<512xf32>
    %142 = stablehlo.subtract %arg2, %141 : tensor<512xf32>
    %cst_40 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<512x512xf32>
    %144 = stablehlo.multiply %143, %133 : tensor<512x512xf32>
    %145 = stablehlo.subtract %arg3, %144 : tensor<512x512xf32>
    %cst_41 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<512x512xf32>
    %147 = stablehlo.multiply %146, %113 : tensor<512x512xf32>
    %148 = stablehlo.subtract %arg4, %147 : tensor<512x512xf32>
    %cst_42 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<512x512xf32>
    %150 = stablehlo.multiply %149, %93 : tensor<512x512xf32>
    %151 = stablehlo.subtract %arg5, %150 : tensor<512x512xf32>
    return %136, %139, %142, %145, %148, %151, %71 : tensor<512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<512x512xf32>, tensor<512x512xf32>, tensor<512x512xf32>, tensor<f32>
  }
}
