// Made by fit_programs.py with JAX 0.10.2.
module @jit_mlp attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg3: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg4: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg5: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg6: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg7: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg8: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg9: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg10: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg11: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg12: tensor<512x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg13: tensor<512x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<32x32xf32> {jax.result_info = "result[0][0]"}, tensor<32x32xf32> {jax.result_info = "result[0][1]"}, tensor<32x32xf32> {jax.result_info = "result[0][2]"}, tensor<32x32xf32> {jax.result_info = "result[0][3]"}, tensor<32x32xf32> {jax.result_info = "result[0][4]"}, tensor<32x32xf32> {jax.result_info = "result[0][5]"}, tensor<32x32xf32> {jax.result_info = "result[0][6]"}, tensor<32x32xf32> {jax.result_info = "result[0][7]"}, tensor<32x32xf32> {jax.result_info = "result[0][8]"}, tensor<32x32xf32> {jax.result_info = "result[0][9]"}, tensor<32x32xf32> {jax.result_info = "result[0][10]"}, tensor<32x32xf32> {jax.result_info = "result[0][11]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg12, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<512x32xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<512x32xf32>
    %3 = stablehlo.multiply %0, %0 : tensor<512x32xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %5 = stablehlo.multiply %4, %3 : tensor<512x32xf32>
    %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %7 = stablehlo.multiply %6, %2 : tensor<512x32xf32>
    %8 = stablehlo.add %0, %7 : tensor<512x32xf32>
    %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<512x32xf32>
    %11 = stablehlo.tanh %10 : tensor<512x32xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %13 = stablehlo.subtract %12, %11 : tensor<512x32xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %15 = stablehlo.add %14, %11 : tensor<512x32xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<512x32xf32>
    %18 = stablehlo.multiply %0, %17 : tensor<512x32xf32>
    %19 = stablehlo.dot_general %18, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %20 = stablehlo.multiply %19, %19 : tensor<512x32xf32>
    %21 = stablehlo.multiply %20, %19 : tensor<512x32xf32>
    %22 = stablehlo.multiply %19, %19 : tensor<512x32xf32>
    %cst_5 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %24 = stablehlo.multiply %23, %22 : tensor<512x32xf32>
    %cst_6 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %26 = stablehlo.multiply %25, %21 : tensor<512x32xf32>
    %27 = stablehlo.add %19, %26 : tensor<512x32xf32>
    %cst_7 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %29 = stablehlo.multiply %28, %27 : tensor<512x32xf32>
    %30 = stablehlo.tanh %29 : tensor<512x32xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %32 = stablehlo.subtract %31, %30 : tensor<512x32xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %34 = stablehlo.add %33, %30 : tensor<512x32xf32>
    %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %36 = stablehlo.multiply %35, %34 : tensor<512x32xf32>
    %37 = stablehlo.multiply %19, %36 : tensor<512x32xf32>
    %38 = stablehlo.dot_general %37, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %39 = stablehlo.multiply %38, %38 : tensor<512x32xf32>
    %40 = stablehlo.multiply %39, %38 : tensor<512x32xf32>
    %41 = stablehlo.multiply %38, %38 : tensor<512x32xf32>
    %cst_11 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %43 = stablehlo.multiply %42, %41 : tensor<512x32xf32>
    %cst_12 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %45 = stablehlo.multiply %44, %40 : tensor<512x32xf32>
    %46 = stablehlo.add %38, %45 : tensor<512x32xf32>
    %cst_13 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %48 = stablehlo.multiply %47, %46 : tensor<512x32xf32>
    %49 = stablehlo.tanh %48 : tensor<512x32xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %51 = stablehlo.subtract %50, %49 : tensor<512x32xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %53 = stablehlo.add %52, %49 : tensor<512x32xf32>
    %cst_16 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %55 = stablehlo.multiply %54, %53 : tensor<512x32xf32>
    %56 = stablehlo.multiply %38, %55 : tensor<512x32xf32>
    %57 = stablehlo.dot_general %56, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %58 = stablehlo.multiply %57, %57 : tensor<512x32xf32>
    %59 = stablehlo.multiply %58, %57 : tensor<512x32xf32>
    %60 = stablehlo.multiply %57, %57 : tensor<512x32xf32>
    %cst_17 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %62 = stablehlo.multiply %61, %60 : tensor<512x32xf32>
    %cst_18 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %64 = stablehlo.multiply %63, %59 : tensor<512x32xf32>
    %65 = stablehlo.add %57, %64 : tensor<512x32xf32>
    %cst_19 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %67 = stablehlo.multiply %66, %65 : tensor<512x32xf32>
    %68 = stablehlo.tanh %67 : tensor<512x32xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %70 = stablehlo.subtract %69, %68 : tensor<512x32xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %72 = stablehlo.add %71, %68 : tensor<512x32xf32>
    %cst_22 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %74 = stablehlo.multiply %73, %72 : tensor<512x32xf32>
    %75 = stablehlo.multiply %57, %74 : tensor<512x32xf32>
    %76 = stablehlo.dot_general %75, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %77 = stablehlo.multiply %76, %76 : tensor<512x32xf32>
    %78 = stablehlo.multiply %77, %76 : tensor<512x32xf32>
    %79 = stablehlo.multiply %76, %76 : tensor<512x32xf32>
    %cst_23 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %81 = stablehlo.multiply %80, %79 : tensor<512x32xf32>
    %cst_24 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %83 = stablehlo.multiply %82, %78 : tensor<512x32xf32>
    %84 = stablehlo.add %76, %83 : tensor<512x32xf32>
    %cst_25 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %86 = stablehlo.multiply %85, %84 : tensor<512x32xf32>
    %87 = stablehlo.tanh %86 : tensor<512x32xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %89 = stablehlo.subtract %88, %87 : tensor<512x32xf32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %91 = stablehlo.add %90, %87 : tensor<512x32xf32>
    %cst_28 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %93 = stablehlo.multiply %92, %91 : tensor<512x32xf32>
    %94 = stablehlo.multiply %76, %93 : tensor<512x32xf32>
    %95 = stablehlo.dot_general %94, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %96 = stablehlo.multiply %95, %95 : tensor<512x32xf32>
    %97 = stablehlo.multiply %96, %95 : tensor<512x32xf32>
    %98 = stablehlo.multiply %95, %95 : tensor<512x32xf32>
    %cst_29 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %100 = stablehlo.multiply %99, %98 : tensor<512x32xf32>
    %cst_30 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %102 = stablehlo.multiply %101, %97 : tensor<512x32xf32>
    %103 = stablehlo.add %95, %102 : tensor<512x32xf32>
    %cst_31 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %105 = stablehlo.multiply %104, %103 : tensor<512x32xf32>
    %106 = stablehlo.tanh %105 : tensor<512x32xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %108 = stablehlo.subtract %107, %106 : tensor<512x32xf32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %110 = stablehlo.add %109, %106 : tensor<512x32xf32>
    %cst_34 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %112 = stablehlo.multiply %111, %110 : tensor<512x32xf32>
    %113 = stablehlo.multiply %95, %112 : tensor<512x32xf32>
    %114 = stablehlo.dot_general %113, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %115 = stablehlo.multiply %114, %114 : tensor<512x32xf32>
    %116 = stablehlo.multiply %115, %114 : tensor<512x32xf32>
    %117 = stablehlo.multiply %114, %114 : tensor<512x32xf32>
    %cst_35 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %119 = stablehlo.multiply %118, %117 : tensor<512x32xf32>
    %cst_36 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %121 = stablehlo.multiply %120, %116 : tensor<512x32xf32>
    %122 = stablehlo.add %114, %121 : tensor<512x32xf32>
    %cst_37 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %124 = stablehlo.multiply %123, %122 : tensor<512x32xf32>
    %125 = stablehlo.tanh %124 : tensor<512x32xf32>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %127 = stablehlo.subtract %126, %125 : tensor<512x32xf32>
    %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %129 = stablehlo.add %128, %125 : tensor<512x32xf32>
    %cst_40 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %131 = stablehlo.multiply %130, %129 : tensor<512x32xf32>
    %132 = stablehlo.multiply %114, %131 : tensor<512x32xf32>
    %133 = stablehlo.dot_general %132, %arg7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %134 = stablehlo.multiply %133, %133 : tensor<512x32xf32>
    %135 = stablehlo.multiply %134, %133 : tensor<512x32xf32>
    %136 = stablehlo.multiply %133, %133 : tensor<512x32xf32>
    %cst_41 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %138 = stablehlo.multiply %137, %136 : tensor<512x32xf32>
    %cst_42 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %140 = stablehlo.multiply %139, %135 : tensor<512x32xf32>
    %141 = stablehlo.add %133, %140 : tensor<512x32xf32>
    %cst_43 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %143 = stablehlo.multiply %142, %141 : tensor<512x32xf32>
    %144 = stablehlo.tanh %143 : tensor<512x32xf32>
    %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %146 = stablehlo.subtract %145, %144 : tensor<512x32xf32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %148 = stablehlo.add %147, %144 : tensor<512x32xf32>
    %cst_46 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %150 = stablehlo.multiply %149, %148 : tensor<512x32xf32>
    %151 = stablehlo.multiply %133, %150 : tensor<512x32xf32>
    %152 = stablehlo.dot_general %151, %arg8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %153 = stablehlo.multiply %152, %152 : tensor<512x32xf32>
    %154 = stablehlo.multiply %153, %152 : tensor<512x32xf32>
    %155 = stablehlo.multiply %152, %152 : tensor<512x32xf32>
    %cst_47 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %157 = stablehlo.multiply %156, %155 : tensor<512x32xf32>
    %cst_48 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %159 = stablehlo.multiply %158, %154 : tensor<512x32xf32>
    %160 = stablehlo.add %152, %159 : tensor<512x32xf32>
    %cst_49 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %162 = stablehlo.multiply %161, %160 : tensor<512x32xf32>
    %163 = stablehlo.tanh %162 : tensor<512x32xf32>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %165 = stablehlo.subtract %164, %163 : tensor<512x32xf32>
    %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %167 = stablehlo.add %166, %163 : tensor<512x32xf32>
    %cst_52 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %168 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %169 = stablehlo.multiply %168, %167 : tensor<512x32xf32>
    %170 = stablehlo.multiply %152, %169 : tensor<512x32xf32>
    %171 = stablehlo.dot_general %170, %arg9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %172 = stablehlo.multiply %171, %171 : tensor<512x32xf32>
    %173 = stablehlo.multiply %172, %171 : tensor<512x32xf32>
    %174 = stablehlo.multiply %171, %171 : tensor<512x32xf32>
    %cst_53 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %176 = stablehlo.multiply %175, %174 : tensor<512x32xf32>
    %cst_54 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %178 = stablehlo.multiply %177, %173 : tensor<512x32xf32>
    %179 = stablehlo.add %171, %178 : tensor<512x32xf32>
    %cst_55 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %181 = stablehlo.multiply %180, %179 : tensor<512x32xf32>
    %182 = stablehlo.tanh %181 : tensor<512x32xf32>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %184 = stablehlo.subtract %183, %182 : tensor<512x32xf32>
    %cst_57 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %185 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %186 = stablehlo.add %185, %182 : tensor<512x32xf32>
    %cst_58 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %188 = stablehlo.multiply %187, %186 : tensor<512x32xf32>
    %189 = stablehlo.multiply %171, %188 : tensor<512x32xf32>
    %190 = stablehlo.dot_general %189, %arg10, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %191 = stablehlo.multiply %190, %190 : tensor<512x32xf32>
    %192 = stablehlo.multiply %191, %190 : tensor<512x32xf32>
    %193 = stablehlo.multiply %190, %190 : tensor<512x32xf32>
    %cst_59 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %195 = stablehlo.multiply %194, %193 : tensor<512x32xf32>
    %cst_60 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %196 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %197 = stablehlo.multiply %196, %192 : tensor<512x32xf32>
    %198 = stablehlo.add %190, %197 : tensor<512x32xf32>
    %cst_61 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %199 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %200 = stablehlo.multiply %199, %198 : tensor<512x32xf32>
    %201 = stablehlo.tanh %200 : tensor<512x32xf32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %202 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %203 = stablehlo.subtract %202, %201 : tensor<512x32xf32>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %204 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %205 = stablehlo.add %204, %201 : tensor<512x32xf32>
    %cst_64 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %207 = stablehlo.multiply %206, %205 : tensor<512x32xf32>
    %208 = stablehlo.multiply %190, %207 : tensor<512x32xf32>
    %209 = stablehlo.dot_general %208, %arg11, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %210 = stablehlo.multiply %209, %209 : tensor<512x32xf32>
    %211 = stablehlo.multiply %210, %209 : tensor<512x32xf32>
    %212 = stablehlo.multiply %209, %209 : tensor<512x32xf32>
    %cst_65 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %213 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %214 = stablehlo.multiply %213, %212 : tensor<512x32xf32>
    %cst_66 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %216 = stablehlo.multiply %215, %211 : tensor<512x32xf32>
    %217 = stablehlo.add %209, %216 : tensor<512x32xf32>
    %cst_67 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %219 = stablehlo.multiply %218, %217 : tensor<512x32xf32>
    %220 = stablehlo.tanh %219 : tensor<512x32xf32>
    %cst_68 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %221 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %222 = stablehlo.subtract %221, %220 : tensor<512x32xf32>
    %cst_69 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %223 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %224 = stablehlo.add %223, %220 : tensor<512x32xf32>
    %cst_70 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %225 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %226 = stablehlo.multiply %225, %224 : tensor<512x32xf32>
    %227 = stablehlo.multiply %209, %226 : tensor<512x32xf32>
    %228 = stablehlo.subtract %227, %arg13 : tensor<512x32xf32>
    %229 = stablehlo.multiply %228, %228 : tensor<512x32xf32>
    %cst_71 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %231 = stablehlo.multiply %230, %228 : tensor<512x32xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %232 = stablehlo.reduce(%229 init: %cst_72) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_73 = stablehlo.constant dense<1.638400e+04> : tensor<f32>
    %233 = stablehlo.divide %232, %cst_73 : tensor<f32>
    %cst_74 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_75 = stablehlo.constant dense<1.638400e+04> : tensor<f32>
    %234 = stablehlo.divide %cst_74, %cst_75 : tensor<f32>
    %235 = stablehlo.broadcast_in_dim %234, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %236 = stablehlo.multiply %235, %231 : tensor<512x32xf32>
    %237 = stablehlo.multiply %209, %236 : tensor<512x32xf32>
    %238 = stablehlo.multiply %236, %226 : tensor<512x32xf32>
    %cst_76 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %239 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %240 = stablehlo.multiply %239, %237 : tensor<512x32xf32>
    %241 = stablehlo.multiply %240, %222 : tensor<512x32xf32>
    %242 = stablehlo.multiply %241, %220 : tensor<512x32xf32>
    %243 = stablehlo.add %241, %242 : tensor<512x32xf32>
    %cst_77 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %244 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %245 = stablehlo.multiply %244, %243 : tensor<512x32xf32>
    %246 = stablehlo.add %238, %245 : tensor<512x32xf32>
    %cst_78 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %247 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %248 = stablehlo.multiply %247, %245 : tensor<512x32xf32>
    %249 = stablehlo.multiply %248, %214 : tensor<512x32xf32>
    %250 = stablehlo.add %246, %249 : tensor<512x32xf32>
    %251 = stablehlo.dot_general %250, %208, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<512x32xf32>) -> tensor<32x32xf32>
    %252 = stablehlo.transpose %251, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %253 = stablehlo.dot_general %250, %arg11, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %254 = stablehlo.multiply %190, %253 : tensor<512x32xf32>
    %255 = stablehlo.multiply %253, %207 : tensor<512x32xf32>
    %cst_79 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %256 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %257 = stablehlo.multiply %256, %254 : tensor<512x32xf32>
    %258 = stablehlo.multiply %257, %203 : tensor<512x32xf32>
    %259 = stablehlo.multiply %258, %201 : tensor<512x32xf32>
    %260 = stablehlo.add %258, %259 : tensor<512x32xf32>
    %cst_80 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %261 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %262 = stablehlo.multiply %261, %260 : tensor<512x32xf32>
    %263 = stablehlo.add %255, %262 : tensor<512x32xf32>
    %cst_81 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %264 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %265 = stablehlo.multiply %264, %262 : tensor<512x32xf32>
    %266 = stablehlo.multiply %265, %195 : tensor<512x32xf32>
    %267 = stablehlo.add %263, %266 : tensor<512x32xf32>
    %268 = stablehlo.dot_general %267, %189, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<512x32xf32>) -> tensor<32x32xf32>
    %269 = stablehlo.transpose %268, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %270 = stablehlo.dot_general %267, %arg10, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %271 = stablehlo.multiply %171, %270 : tensor<512x32xf32>
    %272 = stablehlo.multiply %270, %188 : tensor<512x32xf32>
    %cst_82 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %273 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %274 = stablehlo.multiply %273, %271 : tensor<512x32xf32>
    %275 = stablehlo.multiply %274, %184 : tensor<512x32xf32>
    %276 = stablehlo.multiply %275, %182 : tensor<512x32xf32>
    %277 = stablehlo.add %275, %276 : tensor<512x32xf32>
    %cst_83 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %278 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %279 = stablehlo.multiply %278, %277 : tensor<512x32xf32>
    %280 = stablehlo.add %272, %279 : tensor<512x32xf32>
    %cst_84 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %281 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %282 = stablehlo.multiply %281, %279 : tensor<512x32xf32>
    %283 = stablehlo.multiply %282, %176 : tensor<512x32xf32>
    %284 = stablehlo.add %280, %283 : tensor<512x32xf32>
    %285 = stablehlo.dot_general %284, %170, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<512x32xf32>) -> tensor<32x32xf32>
    %286 = stablehlo.transpose %285, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %287 = stablehlo.dot_general %284, %arg9, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %288 = stablehlo.multiply %152, %287 : tensor<512x32xf32>
    %289 = stablehlo.multiply %287, %169 : tensor<512x32xf32>
    %cst_85 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %290 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %291 = stablehlo.multiply %290, %288 : tensor<512x32xf32>
    %292 = stablehlo.multiply %291, %165 : tensor<512x32xf32>
    %293 = stablehlo.multiply %292, %163 : tensor<512x32xf32>
    %294 = stablehlo.add %292, %293 : tensor<512x32xf32>
    %cst_86 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %295 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %296 = stablehlo.multiply %295, %294 : tensor<512x32xf32>
    %297 = stablehlo.add %289, %296 : tensor<512x32xf32>
    %cst_87 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %298 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %299 = stablehlo.multiply %298, %296 : tensor<512x32xf32>
    %300 = stablehlo.multiply %299, %157 : tensor<512x32xf32>
    %301 = stablehlo.add %297, %300 : tensor<512x32xf32>
    %302 = stablehlo.dot_general %301, %151, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<512x32xf32>) -> tensor<32x32xf32>
    %303 = stablehlo.transpose %302, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %304 = stablehlo.dot_general %301, %arg8, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %305 = stablehlo.multiply %133, %304 : tensor<512x32xf32>
    %306 = stablehlo.multiply %304, %150 : tensor<512x32xf32>
    %cst_88 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %307 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %308 = stablehlo.multiply %307, %305 : tensor<512x32xf32>
    %309 = stablehlo.multiply %308, %146 : tensor<512x32xf32>
    %310 = stablehlo.multiply %309, %144 : tensor<512x32xf32>
    %311 = stablehlo.add %309, %310 : tensor<512x32xf32>
    %cst_89 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %312 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %313 = stablehlo.multiply %312, %311 : tensor<512x32xf32>
    %314 = stablehlo.add %306, %313 : tensor<512x32xf32>
    %cst_90 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %315 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %316 = stablehlo.multiply %315, %313 : tensor<512x32xf32>
    %317 = stablehlo.multiply %316, %138 : tensor<512x32xf32>
    %318 = stablehlo.add %314, %317 : tensor<512x32xf32>
    %319 = stablehlo.dot_general %318, %132, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<512x32xf32>) -> tensor<32x32xf32>
    %320 = stablehlo.transpose %319, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %321 = stablehlo.dot_general %318, %arg7, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %322 = stablehlo.multiply %114, %321 : tensor<512x32xf32>
    %323 = stablehlo.multiply %321, %131 : tensor<512x32xf32>
    %cst_91 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %324 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %325 = stablehlo.multiply %324, %322 : tensor<512x32xf32>
    %326 = stablehlo.multiply %325, %127 : tensor<512x32xf32>
    %327 = stablehlo.multiply %326, %125 : tensor<512x32xf32>
    %328 = stablehlo.add %326, %327 : tensor<512x32xf32>
    %cst_92 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %329 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %330 = stablehlo.multiply %329, %328 : tensor<512x32xf32>
    %331 = stablehlo.add %323, %330 : tensor<512x32xf32>
    %cst_93 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %332 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %333 = stablehlo.multiply %332, %330 : tensor<512x32xf32>
    %334 = stablehlo.multiply %333, %119 : tensor<512x32xf32>
    %335 = stablehlo.add %331, %334 : tensor<512x32xf32>
    %336 = stablehlo.dot_general %335, %113, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<512x32xf32>) -> tensor<32x32xf32>
    %337 = stablehlo.transpose %336, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %338 = stablehlo.dot_general %335, %arg6, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %339 = stablehlo.multiply %95, %338 : tensor<512x32xf32>
    %340 = stablehlo.multiply %338, %112 : tensor<512x32xf32>
    %cst_94 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %341 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %342 = stablehlo.multiply %341, %339 : tensor<512x32xf32>
    %343 = stablehlo.multiply %342, %108 : tensor<512x32xf32>
    %344 = stablehlo.multiply %343, %106 : tensor<512x32xf32>
    %345 = stablehlo.add %343, %344 : tensor<512x32xf32>
    %cst_95 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %346 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %347 = stablehlo.multiply %346, %345 : tensor<512x32xf32>
    %348 = stablehlo.add %340, %347 : tensor<512x32xf32>
    %cst_96 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %349 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %350 = stablehlo.multiply %349, %347 : tensor<512x32xf32>
    %351 = stablehlo.multiply %350, %100 : tensor<512x32xf32>
    %352 = stablehlo.add %348, %351 : tensor<512x32xf32>
    %353 = stablehlo.dot_general %352, %94, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<512x32xf32>) -> tensor<32x32xf32>
    %354 = stablehlo.transpose %353, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %355 = stablehlo.dot_general %352, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %356 = stablehlo.multiply %76, %355 : tensor<512x32xf32>
    %357 = stablehlo.multiply %355, %93 : tensor<512x32xf32>
    %cst_97 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %358 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %359 = stablehlo.multiply %358, %356 : tensor<512x32xf32>
    %360 = stablehlo.multiply %359, %89 : tensor<512x32xf32>
    %361 = stablehlo.multiply %360, %87 : tensor<512x32xf32>
    %362 = stablehlo.add %360, %361 : tensor<512x32xf32>
    %cst_98 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %363 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %364 = stablehlo.multiply %363, %362 : tensor<512x32xf32>
    %365 = stablehlo.add %357, %364 : tensor<512x32xf32>
    %cst_99 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %366 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %367 = stablehlo.multiply %366, %364 : tensor<512x32xf32>
    %368 = stablehlo.multiply %367, %81 : tensor<512x32xf32>
    %369 = stablehlo.add %365, %368 : tensor<512x32xf32>
    %370 = stablehlo.dot_general %369, %75, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<512x32xf32>) -> tensor<32x32xf32>
    %371 = stablehlo.transpose %370, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %372 = stablehlo.dot_general %369, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %373 = stablehlo.multiply %57, %372 : tensor<512x32xf32>
    %374 = stablehlo.multiply %372, %74 : tensor<512x32xf32>
    %cst_100 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %375 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %376 = stablehlo.multiply %375, %373 : tensor<512x32xf32>
    %377 = stablehlo.multiply %376, %70 : tensor<512x32xf32>
    %378 = stablehlo.multiply %377, %68 : tensor<512x32xf32>
    %379 = stablehlo.add %377, %378 : tensor<512x32xf32>
    %cst_101 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %380 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %381 = stablehlo.multiply %380, %379 : tensor<512x32xf32>
    %382 = stablehlo.add %374, %381 : tensor<512x32xf32>
    %cst_102 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %383 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %384 = stablehlo.multiply %383, %381 : tensor<512x32xf32>
    %385 = stablehlo.multiply %384, %62 : tensor<512x32xf32>
    %386 = stablehlo.add %382, %385 : tensor<512x32xf32>
    %387 = stablehlo.dot_general %386, %56, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<512x32xf32>) -> tensor<32x32xf32>
    %388 = stablehlo.transpose %387, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %389 = stablehlo.dot_general %386, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %390 = stablehlo.multiply %38, %389 : tensor<512x32xf32>
    %391 = stablehlo.multiply %389, %55 : tensor<512x32xf32>
    %cst_103 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %392 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %393 = stablehlo.multiply %392, %390 : tensor<512x32xf32>
    %394 = stablehlo.multiply %393, %51 : tensor<512x32xf32>
    %395 = stablehlo.multiply %394, %49 : tensor<512x32xf32>
    %396 = stablehlo.add %394, %395 : tensor<512x32xf32>
    %cst_104 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %397 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %398 = stablehlo.multiply %397, %396 : tensor<512x32xf32>
    %399 = stablehlo.add %391, %398 : tensor<512x32xf32>
    %cst_105 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %400 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %401 = stablehlo.multiply %400, %398 : tensor<512x32xf32>
    %402 = stablehlo.multiply %401, %43 : tensor<512x32xf32>
    %403 = stablehlo.add %399, %402 : tensor<512x32xf32>
    %404 = stablehlo.dot_general %403, %37, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<512x32xf32>) -> tensor<32x32xf32>
    %405 = stablehlo.transpose %404, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %406 = stablehlo.dot_general %403, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %407 = stablehlo.multiply %19, %406 : tensor<512x32xf32>
    %408 = stablehlo.multiply %406, %36 : tensor<512x32xf32>
    %cst_106 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %409 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %410 = stablehlo.multiply %409, %407 : tensor<512x32xf32>
    %411 = stablehlo.multiply %410, %32 : tensor<512x32xf32>
    %412 = stablehlo.multiply %411, %30 : tensor<512x32xf32>
    %413 = stablehlo.add %411, %412 : tensor<512x32xf32>
    %cst_107 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %414 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %415 = stablehlo.multiply %414, %413 : tensor<512x32xf32>
    %416 = stablehlo.add %408, %415 : tensor<512x32xf32>
    %cst_108 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %417 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %418 = stablehlo.multiply %417, %415 : tensor<512x32xf32>
    %419 = stablehlo.multiply %418, %24 : tensor<512x32xf32>
    %420 = stablehlo.add %416, %419 : tensor<512x32xf32>
    %421 = stablehlo.dot_general %420, %18, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<512x32xf32>) -> tensor<32x32xf32>
    %422 = stablehlo.transpose %421, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %423 = stablehlo.dot_general %420, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<32x32xf32>) -> tensor<512x32xf32>
    %424 = stablehlo.multiply %0, %423 : tensor<512x32xf32>
    %425 = stablehlo.multiply %423, %17 : tensor<512x32xf32>
    %cst_109 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %426 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %427 = stablehlo.multiply %426, %424 : tensor<512x32xf32>
    %428 = stablehlo.multiply %427, %13 : tensor<512x32xf32>
    %429 = stablehlo.multiply %428, %11 : tensor<512x32xf32>
    %430 = stablehlo.add %428, %429 : tensor<512x32xf32>
    %cst_110 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %431 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %432 = stablehlo.multiply %431, %430 : tensor<512x32xf32>
    %433 = stablehlo.add %425, %432 : tensor<512x32xf32>
    %cst_111 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %434 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<512x32xf32>
    %435 = stablehlo.multiply %434, %432 : tensor<512x32xf32>
    %436 = stablehlo.multiply %435, %5 : tensor<512x32xf32>
    %437 = stablehlo.add %433, %436 : tensor<512x32xf32>
    %438 = stablehlo.dot_general %437, %arg12, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x32xf32>, tensor<512x32xf32>) -> tensor<32x32xf32>
    %439 = stablehlo.transpose %438, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %cst_112 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %440 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %441 = stablehlo.multiply %440, %439 : tensor<32x32xf32>
    %442 = stablehlo.subtract %arg0, %441 : tensor<32x32xf32>
    %cst_113 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %443 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %444 = stablehlo.multiply %443, %422 : tensor<32x32xf32>
    %445 = stablehlo.subtract %arg1, %444 : tensor<32x32xf32>
    %cst_114 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %446 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %447 = stablehlo.multiply %446, %405 : tensor<32x32xf32>
    %448 = stablehlo.subtract %arg2, %447 : tensor<32x32xf32>
    %cst_115 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %449 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %450 = stablehlo.multiply %449, %388 : tensor<32x32xf32>
    %451 = stablehlo.subtract %arg3, %450 : tensor<32x32xf32>
    %cst_116 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %452 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %453 = stablehlo.multiply %452, %371 : tensor<32x32xf32>
    %454 = stablehlo.subtract %arg4, %453 : tensor<32x32xf32>
    %cst_117 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %455 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %456 = stablehlo.multiply %455, %354 : tensor<32x32xf32>
    %457 = stablehlo.subtract %arg5, %456 : tensor<32x32xf32>
    %cst_118 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %458 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %459 = stablehlo.multiply %458, %337 : tensor<32x32xf32>
    %460 = stablehlo.subtract %arg6, %459 : tensor<32x32xf32>
    %cst_119 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %461 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %462 = stablehlo.multiply %461, %320 : tensor<32x32xf32>
    %463 = stablehlo.subtract %arg7, %462 : tensor<32x32xf32>
    %cst_120 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %464 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %465 = stablehlo.multiply %464, %303 : tensor<32x32xf32>
    %466 = stablehlo.subtract %arg8, %465 : tensor<32x32xf32>
    %cst_121 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %467 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %468 = stablehlo.multiply %467, %286 : tensor<32x32xf32>
    %469 = stablehlo.subtract %arg9, %468 : tensor<32x32xf32>
    %cst_122 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %470 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %471 = stablehlo.multiply %470, %269 : tensor<32x32xf32>
    %472 = stablehlo.subtract %arg10, %471 : tensor<32x32xf32>
    %cst_123 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %473 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %474 = stablehlo.multiply %473, %252 : tensor<32x32xf32>
    %475 = stablehlo.subtract %arg11, %474 : tensor<32x32xf32>
    return %442, %445, %448, %451, %454, %457, %460, %463, %466, %469, %472, %475, %233 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<f32>
  }
}
