module @jit_embedding attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 4 : i64}, {name = "model", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg1: tensor<32x48xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg2: tensor<16x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<64x32xf32> {jax.result_info = "result[0][0]"}, tensor<32x48xf32> {jax.result_info = "result[0][1]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x8xi32>
    %1 = stablehlo.compare LT, %arg2, %0, SIGNED : (tensor<16x8xi32>, tensor<16x8xi32>) -> tensor<16x8xi1>
    %c_0 = stablehlo.constant dense<64> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16x8xi32>
    %3 = stablehlo.add %arg2, %2 : tensor<16x8xi32>
    %4 = stablehlo.select %1, %3, %arg2 : tensor<16x8xi1>, tensor<16x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<16x8xi32>) -> tensor<16x8x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<64x32xf32>, tensor<16x8x1xi32>) -> tensor<16x8x32xf32>
    %7 = sdy.sharding_constraint %6 <@mesh, [{"data"}, {}, {"model"}]> : tensor<16x8x32xf32>
    %8 = stablehlo.dot_general %7, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8x32xf32>, tensor<32x48xf32>) -> tensor<16x8x48xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<16x8x48xf32>, tensor<f32>) -> tensor<16x8xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %11 = stablehlo.maximum %10, %9 : tensor<16x8xf32>
    %12 = stablehlo.is_finite %11 : (tensor<16x8xf32>) -> tensor<16x8xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %14 = stablehlo.select %12, %11, %13 : tensor<16x8xi1>, tensor<16x8xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<16x8xf32>) -> tensor<16x8x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<16x8x1xf32>) -> tensor<16x8x48xf32>
    %17 = stablehlo.subtract %8, %16 : tensor<16x8x48xf32>
    %18 = stablehlo.exponential %17 : tensor<16x8x48xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<16x8x48xf32>, tensor<f32>) -> tensor<16x8xf32>
    %20 = stablehlo.abs %19 : tensor<16x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %22 = stablehlo.compare GE, %19, %21, FLOAT : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xi1>
    %23 = stablehlo.log %20 : tensor<16x8xf32>
    %24 = stablehlo.add %23, %14 : tensor<16x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_5) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %26 = stablehlo.divide %25, %cst_6 : tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %27 = stablehlo.divide %cst_7, %cst_8 : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %29 = stablehlo.divide %28, %20 : tensor<16x8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %31 = stablehlo.select %22, %30, %29 : tensor<16x8xi1>, tensor<16x8xf32>
    %32 = stablehlo.select %22, %29, %30 : tensor<16x8xi1>, tensor<16x8xf32>
    %33 = stablehlo.negate %31 : tensor<16x8xf32>
    %34 = stablehlo.add %32, %33 : tensor<16x8xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1] : (tensor<16x8xf32>) -> tensor<16x8x48xf32>
    %36 = stablehlo.multiply %35, %18 : tensor<16x8x48xf32>
    %37 = stablehlo.dot_general %36, %7, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x8x48xf32>, tensor<16x8x32xf32>) -> tensor<48x32xf32>
    %38 = stablehlo.transpose %37, dims = [1, 0] : (tensor<48x32xf32>) -> tensor<32x48xf32>
    %39 = stablehlo.dot_general %36, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x8x48xf32>, tensor<32x48xf32>) -> tensor<16x8x32xf32>
    %40 = sdy.sharding_constraint %39 <@mesh, [{"data"}, {}, {"model"}]> : tensor<16x8x32xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %42 = "stablehlo.scatter"(%41, %5, %40) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %49 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %49 : tensor<f32>
    }) : (tensor<64x32xf32>, tensor<16x8x1xi32>, tensor<16x8x32xf32>) -> tensor<64x32xf32>
    %cst_11 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %44 = stablehlo.multiply %43, %42 : tensor<64x32xf32>
    %45 = stablehlo.subtract %arg0, %44 : tensor<64x32xf32>
    %cst_12 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<32x48xf32>
    %47 = stablehlo.multiply %46, %38 : tensor<32x48xf32>
    %48 = stablehlo.subtract %arg1, %47 : tensor<32x48xf32>
    return %45, %48, %26 : tensor<64x32xf32>, tensor<32x48xf32>, tensor<f32>
  }
}
