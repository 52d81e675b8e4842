// Made by fit_programs.py with JAX 0.10.2.
module @jit_adam attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 0 : i32}, %arg1: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 1 : i32}, %arg2: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 2 : i32}, %arg3: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 3 : i32}, %arg4: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 4 : i32}, %arg5: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 5 : i32}, %arg6: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 6 : i32}, %arg7: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 7 : i32}, %arg8: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 8 : i32}, %arg9: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 9 : i32}, %arg10: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 10 : i32}, %arg11: tensor<256x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 11 : i32}, %arg12: tensor<512x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg13: tensor<512x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<256x256xf32> {jax.result_info = "result[0]['m'][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<256x256xf32> {jax.result_info = "result[0]['m'][1]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<256x256xf32> {jax.result_info = "result[0]['m'][2]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<256x256xf32> {jax.result_info = "result[0]['m'][3]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<256x256xf32> {jax.result_info = "result[0]['v'][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<256x256xf32> {jax.result_info = "result[0]['v'][1]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<256x256xf32> {jax.result_info = "result[0]['v'][2]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<256x256xf32> {jax.result_info = "result[0]['v'][3]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<256x256xf32> {jax.result_info = "result[0]['w'][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<256x256xf32> {jax.result_info = "result[0]['w'][1]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<256x256xf32> {jax.result_info = "result[0]['w'][2]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<256x256xf32> {jax.result_info = "result[0]['w'][3]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<f32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0 = stablehlo.dot_general %arg12, %arg8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %1 = stablehlo.tanh %0 : tensor<512x256xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x256xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<512x256xf32>
    %4 = stablehlo.dot_general %1, %arg9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %5 = stablehlo.tanh %4 : tensor<512x256xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<512x256xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<512x256xf32>
    %8 = stablehlo.dot_general %5, %arg10, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %9 = stablehlo.tanh %8 : tensor<512x256xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<512x256xf32>
    %11 = stablehlo.subtract %10, %9 : tensor<512x256xf32>
    %12 = stablehlo.dot_general %9, %arg11, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %13 = stablehlo.tanh %12 : tensor<512x256xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<512x256xf32>
    %15 = stablehlo.subtract %14, %13 : tensor<512x256xf32>
    %16 = stablehlo.subtract %13, %arg13 : tensor<512x256xf32>
    %17 = stablehlo.multiply %16, %16 : tensor<512x256xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<512x256xf32>
    %19 = stablehlo.multiply %18, %16 : tensor<512x256xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x256xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<1.310720e+05> : tensor<f32>
    %21 = stablehlo.divide %20, %cst_5 : tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_7 = stablehlo.constant dense<1.310720e+05> : tensor<f32>
    %22 = stablehlo.divide %cst_6, %cst_7 : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<f32>) -> tensor<512x256xf32>
    %24 = stablehlo.multiply %23, %19 : tensor<512x256xf32>
    %25 = stablehlo.multiply %24, %15 : tensor<512x256xf32>
    %26 = stablehlo.multiply %25, %13 : tensor<512x256xf32>
    %27 = stablehlo.add %25, %26 : tensor<512x256xf32>
    %28 = stablehlo.dot_general %27, %9, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<256x256xf32>
    %29 = stablehlo.transpose %28, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %30 = stablehlo.dot_general %27, %arg11, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %31 = stablehlo.multiply %30, %11 : tensor<512x256xf32>
    %32 = stablehlo.multiply %31, %9 : tensor<512x256xf32>
    %33 = stablehlo.add %31, %32 : tensor<512x256xf32>
    %34 = stablehlo.dot_general %33, %5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<256x256xf32>
    %35 = stablehlo.transpose %34, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %36 = stablehlo.dot_general %33, %arg10, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %37 = stablehlo.multiply %36, %7 : tensor<512x256xf32>
    %38 = stablehlo.multiply %37, %5 : tensor<512x256xf32>
    %39 = stablehlo.add %37, %38 : tensor<512x256xf32>
    %40 = stablehlo.dot_general %39, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<256x256xf32>
    %41 = stablehlo.transpose %40, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %42 = stablehlo.dot_general %39, %arg9, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<256x256xf32>) -> tensor<512x256xf32>
    %43 = stablehlo.multiply %42, %3 : tensor<512x256xf32>
    %44 = stablehlo.multiply %43, %1 : tensor<512x256xf32>
    %45 = stablehlo.add %43, %44 : tensor<512x256xf32>
    %46 = stablehlo.dot_general %45, %arg12, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<256x256xf32>
    %47 = stablehlo.transpose %46, dims = [1, 0] : (tensor<256x256xf32>) -> tensor<256x256xf32>
    %cst_8 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %49 = stablehlo.multiply %48, %arg0 : tensor<256x256xf32>
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %51 = stablehlo.multiply %50, %47 : tensor<256x256xf32>
    %52 = stablehlo.add %49, %51 : tensor<256x256xf32>
    %cst_10 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %54 = stablehlo.multiply %53, %arg1 : tensor<256x256xf32>
    %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %56 = stablehlo.multiply %55, %41 : tensor<256x256xf32>
    %57 = stablehlo.add %54, %56 : tensor<256x256xf32>
    %cst_12 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %59 = stablehlo.multiply %58, %arg2 : tensor<256x256xf32>
    %cst_13 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %61 = stablehlo.multiply %60, %35 : tensor<256x256xf32>
    %62 = stablehlo.add %59, %61 : tensor<256x256xf32>
    %cst_14 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %64 = stablehlo.multiply %63, %arg3 : tensor<256x256xf32>
    %cst_15 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %66 = stablehlo.multiply %65, %29 : tensor<256x256xf32>
    %67 = stablehlo.add %64, %66 : tensor<256x256xf32>
    %cst_16 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %69 = stablehlo.multiply %68, %arg4 : tensor<256x256xf32>
    %cst_17 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %71 = stablehlo.multiply %70, %47 : tensor<256x256xf32>
    %72 = stablehlo.multiply %71, %47 : tensor<256x256xf32>
    %73 = stablehlo.add %69, %72 : tensor<256x256xf32>
    %cst_18 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %75 = stablehlo.multiply %74, %arg5 : tensor<256x256xf32>
    %cst_19 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %77 = stablehlo.multiply %76, %41 : tensor<256x256xf32>
    %78 = stablehlo.multiply %77, %41 : tensor<256x256xf32>
    %79 = stablehlo.add %75, %78 : tensor<256x256xf32>
    %cst_20 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %81 = stablehlo.multiply %80, %arg6 : tensor<256x256xf32>
    %cst_21 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %83 = stablehlo.multiply %82, %35 : tensor<256x256xf32>
    %84 = stablehlo.multiply %83, %35 : tensor<256x256xf32>
    %85 = stablehlo.add %81, %84 : tensor<256x256xf32>
    %cst_22 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %87 = stablehlo.multiply %86, %arg7 : tensor<256x256xf32>
    %cst_23 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %89 = stablehlo.multiply %88, %29 : tensor<256x256xf32>
    %90 = stablehlo.multiply %89, %29 : tensor<256x256xf32>
    %91 = stablehlo.add %87, %90 : tensor<256x256xf32>
    %cst_24 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %93 = stablehlo.multiply %92, %52 : tensor<256x256xf32>
    %94 = stablehlo.abs %73 : tensor<256x256xf32>
    %95 = stablehlo.sqrt %94 : tensor<256x256xf32>
    %cst_25 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %97 = stablehlo.add %95, %96 : tensor<256x256xf32>
    %98 = stablehlo.divide %93, %97 : tensor<256x256xf32>
    %99 = stablehlo.subtract %arg8, %98 : tensor<256x256xf32>
    %cst_26 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %101 = stablehlo.multiply %100, %57 : tensor<256x256xf32>
    %102 = stablehlo.abs %79 : tensor<256x256xf32>
    %103 = stablehlo.sqrt %102 : tensor<256x256xf32>
    %cst_27 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %105 = stablehlo.add %103, %104 : tensor<256x256xf32>
    %106 = stablehlo.divide %101, %105 : tensor<256x256xf32>
    %107 = stablehlo.subtract %arg9, %106 : tensor<256x256xf32>
    %cst_28 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %109 = stablehlo.multiply %108, %62 : tensor<256x256xf32>
    %110 = stablehlo.abs %85 : tensor<256x256xf32>
    %111 = stablehlo.sqrt %110 : tensor<256x256xf32>
    %cst_29 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %113 = stablehlo.add %111, %112 : tensor<256x256xf32>
    %114 = stablehlo.divide %109, %113 : tensor<256x256xf32>
    %115 = stablehlo.subtract %arg10, %114 : tensor<256x256xf32>
    %cst_30 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %117 = stablehlo.multiply %116, %67 : tensor<256x256xf32>
    %118 = stablehlo.abs %91 : tensor<256x256xf32>
    %119 = stablehlo.sqrt %118 : tensor<256x256xf32>
    %cst_31 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<256x256xf32>
    %121 = stablehlo.add %119, %120 : tensor<256x256xf32>
    %122 = stablehlo.divide %117, %121 : tensor<256x256xf32>
    %123 = stablehlo.subtract %arg11, %122 : tensor<256x256xf32>
    return %52, %57, %62, %67, %73, %79, %85, %91, %99, %107, %115, %123, %21 : tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>, tensor<f32>
  }
}
