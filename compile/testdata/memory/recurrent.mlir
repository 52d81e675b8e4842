// Made by fit_programs.py with JAX 0.10.2.
module @jit_recurrent attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg3: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg4: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg5: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg6: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg7: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg8: tensor<32x32xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg9: tensor<16x64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}, %arg10: tensor<16x64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}) -> (tensor<32x32xf32> {jax.result_info = "result[0]['after'][0]"}, tensor<32x32xf32> {jax.result_info = "result[0]['after'][1]"}, tensor<32x32xf32> {jax.result_info = "result[0]['after'][2]"}, tensor<32x32xf32> {jax.result_info = "result[0]['after'][3]"}, tensor<32x32xf32> {jax.result_info = "result[0]['before'][0]"}, tensor<32x32xf32> {jax.result_info = "result[0]['before'][1]"}, tensor<32x32xf32> {jax.result_info = "result[0]['before'][2]"}, tensor<32x32xf32> {jax.result_info = "result[0]['before'][3]"}, tensor<32x32xf32> {jax.result_info = "result[0]['w']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg9, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<32x32xf32>) -> tensor<16x64x32xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<16x64x32xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<16x64x32xf32>
    %3 = stablehlo.multiply %0, %0 : tensor<16x64x32xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %5 = stablehlo.multiply %4, %3 : tensor<16x64x32xf32>
    %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %7 = stablehlo.multiply %6, %2 : tensor<16x64x32xf32>
    %8 = stablehlo.add %0, %7 : tensor<16x64x32xf32>
    %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<16x64x32xf32>
    %11 = stablehlo.tanh %10 : tensor<16x64x32xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %13 = stablehlo.subtract %12, %11 : tensor<16x64x32xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %15 = stablehlo.add %14, %11 : tensor<16x64x32xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<16x64x32xf32>
    %18 = stablehlo.multiply %0, %17 : tensor<16x64x32xf32>
    %19 = stablehlo.dot_general %18, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<32x32xf32>) -> tensor<16x64x32xf32>
    %20 = stablehlo.multiply %19, %19 : tensor<16x64x32xf32>
    %21 = stablehlo.multiply %20, %19 : tensor<16x64x32xf32>
    %22 = stablehlo.multiply %19, %19 : tensor<16x64x32xf32>
    %cst_5 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %24 = stablehlo.multiply %23, %22 : tensor<16x64x32xf32>
    %cst_6 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %26 = stablehlo.multiply %25, %21 : tensor<16x64x32xf32>
    %27 = stablehlo.add %19, %26 : tensor<16x64x32xf32>
    %cst_7 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %29 = stablehlo.multiply %28, %27 : tensor<16x64x32xf32>
    %30 = stablehlo.tanh %29 : tensor<16x64x32xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %32 = stablehlo.subtract %31, %30 : tensor<16x64x32xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %34 = stablehlo.add %33, %30 : tensor<16x64x32xf32>
    %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %36 = stablehlo.multiply %35, %34 : tensor<16x64x32xf32>
    %37 = stablehlo.multiply %19, %36 : tensor<16x64x32xf32>
    %38 = stablehlo.dot_general %37, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<32x32xf32>) -> tensor<16x64x32xf32>
    %39 = stablehlo.multiply %38, %38 : tensor<16x64x32xf32>
    %40 = stablehlo.multiply %39, %38 : tensor<16x64x32xf32>
    %41 = stablehlo.multiply %38, %38 : tensor<16x64x32xf32>
    %cst_11 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %43 = stablehlo.multiply %42, %41 : tensor<16x64x32xf32>
    %cst_12 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %45 = stablehlo.multiply %44, %40 : tensor<16x64x32xf32>
    %46 = stablehlo.add %38, %45 : tensor<16x64x32xf32>
    %cst_13 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %48 = stablehlo.multiply %47, %46 : tensor<16x64x32xf32>
    %49 = stablehlo.tanh %48 : tensor<16x64x32xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %51 = stablehlo.subtract %50, %49 : tensor<16x64x32xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %53 = stablehlo.add %52, %49 : tensor<16x64x32xf32>
    %cst_16 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %55 = stablehlo.multiply %54, %53 : tensor<16x64x32xf32>
    %56 = stablehlo.multiply %38, %55 : tensor<16x64x32xf32>
    %57 = stablehlo.dot_general %56, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<32x32xf32>) -> tensor<16x64x32xf32>
    %58 = stablehlo.multiply %57, %57 : tensor<16x64x32xf32>
    %59 = stablehlo.multiply %58, %57 : tensor<16x64x32xf32>
    %60 = stablehlo.multiply %57, %57 : tensor<16x64x32xf32>
    %cst_17 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %62 = stablehlo.multiply %61, %60 : tensor<16x64x32xf32>
    %cst_18 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %64 = stablehlo.multiply %63, %59 : tensor<16x64x32xf32>
    %65 = stablehlo.add %57, %64 : tensor<16x64x32xf32>
    %cst_19 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %67 = stablehlo.multiply %66, %65 : tensor<16x64x32xf32>
    %68 = stablehlo.tanh %67 : tensor<16x64x32xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %70 = stablehlo.subtract %69, %68 : tensor<16x64x32xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %72 = stablehlo.add %71, %68 : tensor<16x64x32xf32>
    %cst_22 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %74 = stablehlo.multiply %73, %72 : tensor<16x64x32xf32>
    %75 = stablehlo.multiply %57, %74 : tensor<16x64x32xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %81:8 = stablehlo.while(%iterArg = %75, %iterArg_94 = %arg8, %iterArg_95 = %c, %iterArg_96 = %76, %iterArg_97 = %77, %iterArg_98 = %78, %iterArg_99 = %79, %iterArg_100 = %80) : tensor<16x64x32xf32>, tensor<32x32xf32>, tensor<i32>, tensor<64x32xf32>, tensor<16x64x32xf32>, tensor<16x64x32xf32>, tensor<16x64x32xf32>, tensor<16x64x32xf32>
    cond {
      %c_101 = stablehlo.constant dense<16> : tensor<i32>
      %333 = stablehlo.compare LT, %iterArg_95, %c_101, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %333 : tensor<i1>
    } do {
      %333 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_95) : (tensor<16x64x32xf32>, tensor<i32>) -> tensor<64x32xf32>
      %334:5 = func.call @closed_call(%iterArg_94, %iterArg_96, %333) : (tensor<32x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>)
      %335 = func.call @dynamic_update_index_in_dim(%iterArg_97, %334#1, %iterArg_95) : (tensor<16x64x32xf32>, tensor<64x32xf32>, tensor<i32>) -> tensor<16x64x32xf32>
      %336 = func.call @dynamic_update_index_in_dim(%iterArg_98, %334#2, %iterArg_95) : (tensor<16x64x32xf32>, tensor<64x32xf32>, tensor<i32>) -> tensor<16x64x32xf32>
      %337 = func.call @dynamic_update_index_in_dim(%iterArg_99, %334#3, %iterArg_95) : (tensor<16x64x32xf32>, tensor<64x32xf32>, tensor<i32>) -> tensor<16x64x32xf32>
      %338 = func.call @dynamic_update_index_in_dim(%iterArg_100, %334#4, %iterArg_95) : (tensor<16x64x32xf32>, tensor<64x32xf32>, tensor<i32>) -> tensor<16x64x32xf32>
      %c_101 = stablehlo.constant dense<1> : tensor<i32>
      %339 = stablehlo.add %iterArg_95, %c_101 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_94, %339, %334#0, %335, %336, %337, %338 : tensor<16x64x32xf32>, tensor<32x32xf32>, tensor<i32>, tensor<64x32xf32>, tensor<16x64x32xf32>, tensor<16x64x32xf32>, tensor<16x64x32xf32>, tensor<16x64x32xf32>
    }
    %82 = stablehlo.dot_general %81#4, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<32x32xf32>) -> tensor<16x64x32xf32>
    %83 = stablehlo.multiply %82, %82 : tensor<16x64x32xf32>
    %84 = stablehlo.multiply %83, %82 : tensor<16x64x32xf32>
    %85 = stablehlo.multiply %82, %82 : tensor<16x64x32xf32>
    %cst_28 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %87 = stablehlo.multiply %86, %85 : tensor<16x64x32xf32>
    %cst_29 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %89 = stablehlo.multiply %88, %84 : tensor<16x64x32xf32>
    %90 = stablehlo.add %82, %89 : tensor<16x64x32xf32>
    %cst_30 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %92 = stablehlo.multiply %91, %90 : tensor<16x64x32xf32>
    %93 = stablehlo.tanh %92 : tensor<16x64x32xf32>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %95 = stablehlo.subtract %94, %93 : tensor<16x64x32xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %97 = stablehlo.add %96, %93 : tensor<16x64x32xf32>
    %cst_33 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %99 = stablehlo.multiply %98, %97 : tensor<16x64x32xf32>
    %100 = stablehlo.multiply %82, %99 : tensor<16x64x32xf32>
    %101 = stablehlo.dot_general %100, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<32x32xf32>) -> tensor<16x64x32xf32>
    %102 = stablehlo.multiply %101, %101 : tensor<16x64x32xf32>
    %103 = stablehlo.multiply %102, %101 : tensor<16x64x32xf32>
    %104 = stablehlo.multiply %101, %101 : tensor<16x64x32xf32>
    %cst_34 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %106 = stablehlo.multiply %105, %104 : tensor<16x64x32xf32>
    %cst_35 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %108 = stablehlo.multiply %107, %103 : tensor<16x64x32xf32>
    %109 = stablehlo.add %101, %108 : tensor<16x64x32xf32>
    %cst_36 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %111 = stablehlo.multiply %110, %109 : tensor<16x64x32xf32>
    %112 = stablehlo.tanh %111 : tensor<16x64x32xf32>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %114 = stablehlo.subtract %113, %112 : tensor<16x64x32xf32>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %116 = stablehlo.add %115, %112 : tensor<16x64x32xf32>
    %cst_39 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %118 = stablehlo.multiply %117, %116 : tensor<16x64x32xf32>
    %119 = stablehlo.multiply %101, %118 : tensor<16x64x32xf32>
    %120 = stablehlo.dot_general %119, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<32x32xf32>) -> tensor<16x64x32xf32>
    %121 = stablehlo.multiply %120, %120 : tensor<16x64x32xf32>
    %122 = stablehlo.multiply %121, %120 : tensor<16x64x32xf32>
    %123 = stablehlo.multiply %120, %120 : tensor<16x64x32xf32>
    %cst_40 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %125 = stablehlo.multiply %124, %123 : tensor<16x64x32xf32>
    %cst_41 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %127 = stablehlo.multiply %126, %122 : tensor<16x64x32xf32>
    %128 = stablehlo.add %120, %127 : tensor<16x64x32xf32>
    %cst_42 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %130 = stablehlo.multiply %129, %128 : tensor<16x64x32xf32>
    %131 = stablehlo.tanh %130 : tensor<16x64x32xf32>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %133 = stablehlo.subtract %132, %131 : tensor<16x64x32xf32>
    %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %135 = stablehlo.add %134, %131 : tensor<16x64x32xf32>
    %cst_45 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %137 = stablehlo.multiply %136, %135 : tensor<16x64x32xf32>
    %138 = stablehlo.multiply %120, %137 : tensor<16x64x32xf32>
    %139 = stablehlo.dot_general %138, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<32x32xf32>) -> tensor<16x64x32xf32>
    %140 = stablehlo.multiply %139, %139 : tensor<16x64x32xf32>
    %141 = stablehlo.multiply %140, %139 : tensor<16x64x32xf32>
    %142 = stablehlo.multiply %139, %139 : tensor<16x64x32xf32>
    %cst_46 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %144 = stablehlo.multiply %143, %142 : tensor<16x64x32xf32>
    %cst_47 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %146 = stablehlo.multiply %145, %141 : tensor<16x64x32xf32>
    %147 = stablehlo.add %139, %146 : tensor<16x64x32xf32>
    %cst_48 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %149 = stablehlo.multiply %148, %147 : tensor<16x64x32xf32>
    %150 = stablehlo.tanh %149 : tensor<16x64x32xf32>
    %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %152 = stablehlo.subtract %151, %150 : tensor<16x64x32xf32>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %154 = stablehlo.add %153, %150 : tensor<16x64x32xf32>
    %cst_51 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %156 = stablehlo.multiply %155, %154 : tensor<16x64x32xf32>
    %157 = stablehlo.multiply %139, %156 : tensor<16x64x32xf32>
    %158 = stablehlo.subtract %157, %arg10 : tensor<16x64x32xf32>
    %159 = stablehlo.multiply %158, %158 : tensor<16x64x32xf32>
    %cst_52 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %161 = stablehlo.multiply %160, %158 : tensor<16x64x32xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %162 = stablehlo.reduce(%159 init: %cst_53) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<16x64x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_54 = stablehlo.constant dense<3.276800e+04> : tensor<f32>
    %163 = stablehlo.divide %162, %cst_54 : tensor<f32>
    %cst_55 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_56 = stablehlo.constant dense<3.276800e+04> : tensor<f32>
    %164 = stablehlo.divide %cst_55, %cst_56 : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %164, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %166 = stablehlo.multiply %165, %161 : tensor<16x64x32xf32>
    %167 = stablehlo.multiply %139, %166 : tensor<16x64x32xf32>
    %168 = stablehlo.multiply %166, %156 : tensor<16x64x32xf32>
    %cst_57 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %170 = stablehlo.multiply %169, %167 : tensor<16x64x32xf32>
    %171 = stablehlo.multiply %170, %152 : tensor<16x64x32xf32>
    %172 = stablehlo.multiply %171, %150 : tensor<16x64x32xf32>
    %173 = stablehlo.add %171, %172 : tensor<16x64x32xf32>
    %cst_58 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %174 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %175 = stablehlo.multiply %174, %173 : tensor<16x64x32xf32>
    %176 = stablehlo.add %168, %175 : tensor<16x64x32xf32>
    %cst_59 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %178 = stablehlo.multiply %177, %175 : tensor<16x64x32xf32>
    %179 = stablehlo.multiply %178, %144 : tensor<16x64x32xf32>
    %180 = stablehlo.add %176, %179 : tensor<16x64x32xf32>
    %181 = stablehlo.dot_general %180, %138, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<16x64x32xf32>) -> tensor<32x32xf32>
    %182 = stablehlo.transpose %181, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %183 = stablehlo.dot_general %180, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<32x32xf32>) -> tensor<16x64x32xf32>
    %184 = stablehlo.multiply %120, %183 : tensor<16x64x32xf32>
    %185 = stablehlo.multiply %183, %137 : tensor<16x64x32xf32>
    %cst_60 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %187 = stablehlo.multiply %186, %184 : tensor<16x64x32xf32>
    %188 = stablehlo.multiply %187, %133 : tensor<16x64x32xf32>
    %189 = stablehlo.multiply %188, %131 : tensor<16x64x32xf32>
    %190 = stablehlo.add %188, %189 : tensor<16x64x32xf32>
    %cst_61 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %191 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %192 = stablehlo.multiply %191, %190 : tensor<16x64x32xf32>
    %193 = stablehlo.add %185, %192 : tensor<16x64x32xf32>
    %cst_62 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %195 = stablehlo.multiply %194, %192 : tensor<16x64x32xf32>
    %196 = stablehlo.multiply %195, %125 : tensor<16x64x32xf32>
    %197 = stablehlo.add %193, %196 : tensor<16x64x32xf32>
    %198 = stablehlo.dot_general %197, %119, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<16x64x32xf32>) -> tensor<32x32xf32>
    %199 = stablehlo.transpose %198, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %200 = stablehlo.dot_general %197, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<32x32xf32>) -> tensor<16x64x32xf32>
    %201 = stablehlo.multiply %101, %200 : tensor<16x64x32xf32>
    %202 = stablehlo.multiply %200, %118 : tensor<16x64x32xf32>
    %cst_63 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %204 = stablehlo.multiply %203, %201 : tensor<16x64x32xf32>
    %205 = stablehlo.multiply %204, %114 : tensor<16x64x32xf32>
    %206 = stablehlo.multiply %205, %112 : tensor<16x64x32xf32>
    %207 = stablehlo.add %205, %206 : tensor<16x64x32xf32>
    %cst_64 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %209 = stablehlo.multiply %208, %207 : tensor<16x64x32xf32>
    %210 = stablehlo.add %202, %209 : tensor<16x64x32xf32>
    %cst_65 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %211 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %212 = stablehlo.multiply %211, %209 : tensor<16x64x32xf32>
    %213 = stablehlo.multiply %212, %106 : tensor<16x64x32xf32>
    %214 = stablehlo.add %210, %213 : tensor<16x64x32xf32>
    %215 = stablehlo.dot_general %214, %100, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<16x64x32xf32>) -> tensor<32x32xf32>
    %216 = stablehlo.transpose %215, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %217 = stablehlo.dot_general %214, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<32x32xf32>) -> tensor<16x64x32xf32>
    %218 = stablehlo.multiply %82, %217 : tensor<16x64x32xf32>
    %219 = stablehlo.multiply %217, %99 : tensor<16x64x32xf32>
    %cst_66 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %221 = stablehlo.multiply %220, %218 : tensor<16x64x32xf32>
    %222 = stablehlo.multiply %221, %95 : tensor<16x64x32xf32>
    %223 = stablehlo.multiply %222, %93 : tensor<16x64x32xf32>
    %224 = stablehlo.add %222, %223 : tensor<16x64x32xf32>
    %cst_67 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %225 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %226 = stablehlo.multiply %225, %224 : tensor<16x64x32xf32>
    %227 = stablehlo.add %219, %226 : tensor<16x64x32xf32>
    %cst_68 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %228 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %229 = stablehlo.multiply %228, %226 : tensor<16x64x32xf32>
    %230 = stablehlo.multiply %229, %87 : tensor<16x64x32xf32>
    %231 = stablehlo.add %227, %230 : tensor<16x64x32xf32>
    %232 = stablehlo.dot_general %231, %81#4, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<16x64x32xf32>) -> tensor<32x32xf32>
    %233 = stablehlo.transpose %232, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %234 = stablehlo.dot_general %231, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<32x32xf32>) -> tensor<16x64x32xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %235 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %236 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %c_72 = stablehlo.constant dense<0> : tensor<i32>
    %238:9 = stablehlo.while(%iterArg = %234, %iterArg_94 = %81#5, %iterArg_95 = %81#6, %iterArg_96 = %81#7, %iterArg_97 = %arg8, %iterArg_98 = %c_72, %iterArg_99 = %236, %iterArg_100 = %235, %iterArg_101 = %237) : tensor<16x64x32xf32>, tensor<16x64x32xf32>, tensor<16x64x32xf32>, tensor<16x64x32xf32>, tensor<32x32xf32>, tensor<i32>, tensor<32x32xf32>, tensor<64x32xf32>, tensor<16x64x32xf32>
    cond {
      %c_102 = stablehlo.constant dense<16> : tensor<i32>
      %333 = stablehlo.compare LT, %iterArg_98, %c_102, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %333 : tensor<i1>
    } do {
      %c_102 = stablehlo.constant dense<16> : tensor<i32>
      %333 = stablehlo.subtract %c_102, %iterArg_98 : tensor<i32>
      %c_103 = stablehlo.constant dense<1> : tensor<i32>
      %334 = stablehlo.subtract %333, %c_103 : tensor<i32>
      %335 = func.call @dynamic_index_in_dim(%iterArg, %334) : (tensor<16x64x32xf32>, tensor<i32>) -> tensor<64x32xf32>
      %336 = func.call @dynamic_index_in_dim(%iterArg_94, %334) : (tensor<16x64x32xf32>, tensor<i32>) -> tensor<64x32xf32>
      %337 = func.call @dynamic_index_in_dim(%iterArg_95, %334) : (tensor<16x64x32xf32>, tensor<i32>) -> tensor<64x32xf32>
      %338 = func.call @dynamic_index_in_dim(%iterArg_96, %334) : (tensor<16x64x32xf32>, tensor<i32>) -> tensor<64x32xf32>
      %339:3 = func.call @closed_call_0(%iterArg_97, %iterArg_99, %iterArg_100, %335, %336, %337, %338) : (tensor<32x32xf32>, tensor<32x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) -> (tensor<32x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>)
      %340 = func.call @dynamic_update_index_in_dim(%iterArg_101, %339#2, %334) : (tensor<16x64x32xf32>, tensor<64x32xf32>, tensor<i32>) -> tensor<16x64x32xf32>
      %c_104 = stablehlo.constant dense<1> : tensor<i32>
      %341 = stablehlo.add %iterArg_98, %c_104 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_94, %iterArg_95, %iterArg_96, %iterArg_97, %341, %339#0, %339#1, %340 : tensor<16x64x32xf32>, tensor<16x64x32xf32>, tensor<16x64x32xf32>, tensor<16x64x32xf32>, tensor<32x32xf32>, tensor<i32>, tensor<32x32xf32>, tensor<64x32xf32>, tensor<16x64x32xf32>
    }
    %239 = stablehlo.multiply %57, %238#8 : tensor<16x64x32xf32>
    %240 = stablehlo.multiply %238#8, %74 : tensor<16x64x32xf32>
    %cst_73 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %241 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %242 = stablehlo.multiply %241, %239 : tensor<16x64x32xf32>
    %243 = stablehlo.multiply %242, %70 : tensor<16x64x32xf32>
    %244 = stablehlo.multiply %243, %68 : tensor<16x64x32xf32>
    %245 = stablehlo.add %243, %244 : tensor<16x64x32xf32>
    %cst_74 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %246 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %247 = stablehlo.multiply %246, %245 : tensor<16x64x32xf32>
    %248 = stablehlo.add %240, %247 : tensor<16x64x32xf32>
    %cst_75 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %249 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %250 = stablehlo.multiply %249, %247 : tensor<16x64x32xf32>
    %251 = stablehlo.multiply %250, %62 : tensor<16x64x32xf32>
    %252 = stablehlo.add %248, %251 : tensor<16x64x32xf32>
    %253 = stablehlo.dot_general %252, %56, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<16x64x32xf32>) -> tensor<32x32xf32>
    %254 = stablehlo.transpose %253, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %255 = stablehlo.dot_general %252, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<32x32xf32>) -> tensor<16x64x32xf32>
    %256 = stablehlo.multiply %38, %255 : tensor<16x64x32xf32>
    %257 = stablehlo.multiply %255, %55 : tensor<16x64x32xf32>
    %cst_76 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %258 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %259 = stablehlo.multiply %258, %256 : tensor<16x64x32xf32>
    %260 = stablehlo.multiply %259, %51 : tensor<16x64x32xf32>
    %261 = stablehlo.multiply %260, %49 : tensor<16x64x32xf32>
    %262 = stablehlo.add %260, %261 : tensor<16x64x32xf32>
    %cst_77 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %263 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %264 = stablehlo.multiply %263, %262 : tensor<16x64x32xf32>
    %265 = stablehlo.add %257, %264 : tensor<16x64x32xf32>
    %cst_78 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %266 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %267 = stablehlo.multiply %266, %264 : tensor<16x64x32xf32>
    %268 = stablehlo.multiply %267, %43 : tensor<16x64x32xf32>
    %269 = stablehlo.add %265, %268 : tensor<16x64x32xf32>
    %270 = stablehlo.dot_general %269, %37, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<16x64x32xf32>) -> tensor<32x32xf32>
    %271 = stablehlo.transpose %270, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %272 = stablehlo.dot_general %269, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<32x32xf32>) -> tensor<16x64x32xf32>
    %273 = stablehlo.multiply %19, %272 : tensor<16x64x32xf32>
    %274 = stablehlo.multiply %272, %36 : tensor<16x64x32xf32>
    %cst_79 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %275 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %276 = stablehlo.multiply %275, %273 : tensor<16x64x32xf32>
    %277 = stablehlo.multiply %276, %32 : tensor<16x64x32xf32>
    %278 = stablehlo.multiply %277, %30 : tensor<16x64x32xf32>
    %279 = stablehlo.add %277, %278 : tensor<16x64x32xf32>
    %cst_80 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %280 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %281 = stablehlo.multiply %280, %279 : tensor<16x64x32xf32>
    %282 = stablehlo.add %274, %281 : tensor<16x64x32xf32>
    %cst_81 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %283 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %284 = stablehlo.multiply %283, %281 : tensor<16x64x32xf32>
    %285 = stablehlo.multiply %284, %24 : tensor<16x64x32xf32>
    %286 = stablehlo.add %282, %285 : tensor<16x64x32xf32>
    %287 = stablehlo.dot_general %286, %18, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<16x64x32xf32>) -> tensor<32x32xf32>
    %288 = stablehlo.transpose %287, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %289 = stablehlo.dot_general %286, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<32x32xf32>) -> tensor<16x64x32xf32>
    %290 = stablehlo.multiply %0, %289 : tensor<16x64x32xf32>
    %291 = stablehlo.multiply %289, %17 : tensor<16x64x32xf32>
    %cst_82 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %292 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %293 = stablehlo.multiply %292, %290 : tensor<16x64x32xf32>
    %294 = stablehlo.multiply %293, %13 : tensor<16x64x32xf32>
    %295 = stablehlo.multiply %294, %11 : tensor<16x64x32xf32>
    %296 = stablehlo.add %294, %295 : tensor<16x64x32xf32>
    %cst_83 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %297 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %298 = stablehlo.multiply %297, %296 : tensor<16x64x32xf32>
    %299 = stablehlo.add %291, %298 : tensor<16x64x32xf32>
    %cst_84 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %300 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<16x64x32xf32>
    %301 = stablehlo.multiply %300, %298 : tensor<16x64x32xf32>
    %302 = stablehlo.multiply %301, %5 : tensor<16x64x32xf32>
    %303 = stablehlo.add %299, %302 : tensor<16x64x32xf32>
    %304 = stablehlo.dot_general %303, %arg9, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x64x32xf32>, tensor<16x64x32xf32>) -> tensor<32x32xf32>
    %305 = stablehlo.transpose %304, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %cst_85 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %306 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %307 = stablehlo.multiply %306, %233 : tensor<32x32xf32>
    %308 = stablehlo.subtract %arg0, %307 : tensor<32x32xf32>
    %cst_86 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %309 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %310 = stablehlo.multiply %309, %216 : tensor<32x32xf32>
    %311 = stablehlo.subtract %arg1, %310 : tensor<32x32xf32>
    %cst_87 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %312 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %313 = stablehlo.multiply %312, %199 : tensor<32x32xf32>
    %314 = stablehlo.subtract %arg2, %313 : tensor<32x32xf32>
    %cst_88 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %315 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %316 = stablehlo.multiply %315, %182 : tensor<32x32xf32>
    %317 = stablehlo.subtract %arg3, %316 : tensor<32x32xf32>
    %cst_89 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %318 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %319 = stablehlo.multiply %318, %305 : tensor<32x32xf32>
    %320 = stablehlo.subtract %arg4, %319 : tensor<32x32xf32>
    %cst_90 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %321 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %322 = stablehlo.multiply %321, %288 : tensor<32x32xf32>
    %323 = stablehlo.subtract %arg5, %322 : tensor<32x32xf32>
    %cst_91 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %324 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %325 = stablehlo.multiply %324, %271 : tensor<32x32xf32>
    %326 = stablehlo.subtract %arg6, %325 : tensor<32x32xf32>
    %cst_92 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %327 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %328 = stablehlo.multiply %327, %254 : tensor<32x32xf32>
    %329 = stablehlo.subtract %arg7, %328 : tensor<32x32xf32>
    %cst_93 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %330 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %331 = stablehlo.multiply %330, %238#6 : tensor<32x32xf32>
    %332 = stablehlo.subtract %arg8, %331 : tensor<32x32xf32>
    return %308, %311, %314, %317, %320, %323, %326, %329, %332, %163 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<16x64x32xf32>, %arg1: tensor<i32>) -> tensor<64x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 32] : (tensor<16x64x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x32xf32>) -> tensor<64x32xf32>
    return %1 : tensor<64x32xf32>
  }
  func.func private @closed_call(%arg0: tensor<32x32xf32>, %arg1: tensor<64x32xf32>, %arg2: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<64x32xf32>
    %2 = stablehlo.tanh %1 : tensor<64x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %4 = stablehlo.subtract %3, %2 : tensor<64x32xf32>
    return %2, %2, %arg1, %2, %4 : tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<16x64x32xf32>, %arg1: tensor<64x32xf32>, %arg2: tensor<i32>) -> tensor<16x64x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x32xf32>) -> tensor<1x64x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<16x64x32xf32>, tensor<1x64x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x64x32xf32>
    return %1 : tensor<16x64x32xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<32x32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<64x32xf32>, %arg3: tensor<64x32xf32>, %arg4: tensor<64x32xf32>, %arg5: tensor<64x32xf32>, %arg6: tensor<64x32xf32>) -> (tensor<32x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) {
    %0 = stablehlo.add %arg2, %arg3 : tensor<64x32xf32>
    %1 = stablehlo.multiply %0, %arg6 : tensor<64x32xf32>
    %2 = stablehlo.multiply %1, %arg5 : tensor<64x32xf32>
    %3 = stablehlo.add %1, %2 : tensor<64x32xf32>
    %4 = stablehlo.dot_general %3, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<32x32xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %6 = stablehlo.add %arg1, %5 : tensor<32x32xf32>
    %7 = stablehlo.dot_general %3, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
    return %6, %7, %3 : tensor<32x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>
  }
}
