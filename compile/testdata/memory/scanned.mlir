// Made by fit_programs.py with JAX 0.10.2.
module @jit_scanned attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x256x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg1: tensor<8x64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>}, %arg2: tensor<8x4x16x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>}, %arg3: tensor<8x64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>}, %arg4: tensor<8x64x256xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg5: tensor<8x64x4x16xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>}, %arg6: tensor<64x64xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg7: tensor<16x32xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg8: tensor<16x32xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<8x256x64xf32> {jax.result_info = "result[0]['blocks']['down']"}, tensor<8x64x4x16xf32> {jax.result_info = "result[0]['blocks']['k']"}, tensor<8x4x16x64xf32> {jax.result_info = "result[0]['blocks']['o']"}, tensor<8x64x4x16xf32> {jax.result_info = "result[0]['blocks']['q']"}, tensor<8x64x256xf32> {jax.result_info = "result[0]['blocks']['up']"}, tensor<8x64x4x16xf32> {jax.result_info = "result[0]['blocks']['v']"}, tensor<64x64xf32> {jax.result_info = "result[0]['embedding']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x32xi32>
    %1 = stablehlo.compare LT, %arg7, %0, SIGNED : (tensor<16x32xi32>, tensor<16x32xi32>) -> tensor<16x32xi1>
    %c_0 = stablehlo.constant dense<64> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16x32xi32>
    %3 = stablehlo.add %arg7, %2 : tensor<16x32xi32>
    %4 = stablehlo.select %1, %3, %arg7 : tensor<16x32xi1>, tensor<16x32xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<16x32xi32>) -> tensor<16x32x1xi32>
    %6 = "stablehlo.gather"(%arg6, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<64x64xf32>, tensor<16x32x1xi32>) -> tensor<16x32x64xf32>
    %cst = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %7 = stablehlo.sqrt %cst : tensor<f32>
    %8 = stablehlo.convert %7 : tensor<f32>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %9 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<32x32xi1>
    %10 = call @tril(%9) : (tensor<32x32xi1>) -> tensor<32x32xi1>
    %cst_2 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %11:2 = call @_where(%10, %cst_2) : (tensor<32x32xi1>, tensor<f32>) -> (tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>)
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x16x32x64xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x16x32x1xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x16x32x1xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x16x32x64xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x16x32x64xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x16x32x1xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x16x32x1xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x16x32x64xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x16x32x64xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x16x32x1xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x16x32x1xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x16x32x64xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x16x32x4x16xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x16x32x4x16xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x16x4x32x32xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x16x4x32x1xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x16x4x32x1xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x16x4x32x32xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x16x32x4x16xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x16x4x16x32xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x16x32x64xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x16x32x1xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x16x32x1xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x16x32x64xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x16x32x256xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x16x32x256xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<8x16x32x256xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x16x32x256xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8x16x32x256xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<8x16x32x256xf32>
    %c_33 = stablehlo.constant dense<0> : tensor<i32>
    %42:41 = stablehlo.while(%iterArg = %arg0, %iterArg_53 = %arg1, %iterArg_54 = %arg2, %iterArg_55 = %arg3, %iterArg_56 = %arg4, %iterArg_57 = %arg5, %iterArg_58 = %8, %iterArg_59 = %11#0, %iterArg_60 = %11#1, %iterArg_61 = %c_33, %iterArg_62 = %6, %iterArg_63 = %12, %iterArg_64 = %13, %iterArg_65 = %14, %iterArg_66 = %15, %iterArg_67 = %16, %iterArg_68 = %17, %iterArg_69 = %18, %iterArg_70 = %19, %iterArg_71 = %20, %iterArg_72 = %21, %iterArg_73 = %22, %iterArg_74 = %23, %iterArg_75 = %24, %iterArg_76 = %25, %iterArg_77 = %26, %iterArg_78 = %27, %iterArg_79 = %28, %iterArg_80 = %29, %iterArg_81 = %30, %iterArg_82 = %31, %iterArg_83 = %32, %iterArg_84 = %33, %iterArg_85 = %34, %iterArg_86 = %35, %iterArg_87 = %36, %iterArg_88 = %37, %iterArg_89 = %38, %iterArg_90 = %39, %iterArg_91 = %40, %iterArg_92 = %41) : tensor<8x256x64xf32>, tensor<8x64x4x16xf32>, tensor<8x4x16x64xf32>, tensor<8x64x4x16xf32>, tensor<8x64x256xf32>, tensor<8x64x4x16xf32>, tensor<f32>, tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>, tensor<i32>, tensor<16x32x64xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x4x16xf32>, tensor<8x16x32x4x16xf32>, tensor<8x16x4x32x32xf32>, tensor<8x16x4x32x1xf32>, tensor<8x16x4x32x1xf32>, tensor<8x16x4x32x32xf32>, tensor<8x16x32x4x16xf32>, tensor<8x16x4x16x32xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x256xf32>, tensor<8x16x32x256xf32>, tensor<8x16x32x256xf32>, tensor<8x16x32x256xf32>, tensor<8x16x32x256xf32>, tensor<8x16x32x256xf32>
    cond {
      %c_93 = stablehlo.constant dense<8> : tensor<i32>
      %91 = stablehlo.compare LT, %iterArg_61, %c_93, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %91 : tensor<i1>
    } do {
      %91 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_61) : (tensor<8x256x64xf32>, tensor<i32>) -> tensor<256x64xf32>
      %92 = func.call @dynamic_index_in_dim_0(%iterArg_53, %iterArg_61) : (tensor<8x64x4x16xf32>, tensor<i32>) -> tensor<64x4x16xf32>
      %93 = func.call @dynamic_index_in_dim_1(%iterArg_54, %iterArg_61) : (tensor<8x4x16x64xf32>, tensor<i32>) -> tensor<4x16x64xf32>
      %94 = func.call @dynamic_index_in_dim_0(%iterArg_55, %iterArg_61) : (tensor<8x64x4x16xf32>, tensor<i32>) -> tensor<64x4x16xf32>
      %95 = func.call @dynamic_index_in_dim_2(%iterArg_56, %iterArg_61) : (tensor<8x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %96 = func.call @dynamic_index_in_dim_0(%iterArg_57, %iterArg_61) : (tensor<8x64x4x16xf32>, tensor<i32>) -> tensor<64x4x16xf32>
      %97:31 = func.call @closed_call(%iterArg_58, %iterArg_59, %iterArg_60, %iterArg_62, %91, %92, %93, %94, %95, %96) : (tensor<f32>, tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>, tensor<16x32x64xf32>, tensor<256x64xf32>, tensor<64x4x16xf32>, tensor<4x16x64xf32>, tensor<64x4x16xf32>, tensor<64x256xf32>, tensor<64x4x16xf32>) -> (tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>, tensor<16x32x1xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>, tensor<16x32x1xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>, tensor<16x32x1xf32>, tensor<16x32x64xf32>, tensor<16x32x4x16xf32>, tensor<16x32x4x16xf32>, tensor<16x4x32x32xf32>, tensor<16x4x32x1xf32>, tensor<16x4x32x1xf32>, tensor<16x4x32x32xf32>, tensor<16x32x4x16xf32>, tensor<16x4x16x32xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>, tensor<16x32x1xf32>, tensor<16x32x64xf32>, tensor<16x32x256xf32>, tensor<16x32x256xf32>, tensor<16x32x256xf32>, tensor<16x32x256xf32>, tensor<16x32x256xf32>, tensor<16x32x256xf32>)
      %98 = func.call @dynamic_update_index_in_dim(%iterArg_63, %97#1, %iterArg_61) : (tensor<8x16x32x64xf32>, tensor<16x32x64xf32>, tensor<i32>) -> tensor<8x16x32x64xf32>
      %99 = func.call @dynamic_update_index_in_dim_4(%iterArg_64, %97#2, %iterArg_61) : (tensor<8x16x32x1xf32>, tensor<16x32x1xf32>, tensor<i32>) -> tensor<8x16x32x1xf32>
      %100 = func.call @dynamic_update_index_in_dim_4(%iterArg_65, %97#3, %iterArg_61) : (tensor<8x16x32x1xf32>, tensor<16x32x1xf32>, tensor<i32>) -> tensor<8x16x32x1xf32>
      %101 = func.call @dynamic_update_index_in_dim(%iterArg_66, %97#4, %iterArg_61) : (tensor<8x16x32x64xf32>, tensor<16x32x64xf32>, tensor<i32>) -> tensor<8x16x32x64xf32>
      %102 = func.call @dynamic_update_index_in_dim(%iterArg_67, %97#5, %iterArg_61) : (tensor<8x16x32x64xf32>, tensor<16x32x64xf32>, tensor<i32>) -> tensor<8x16x32x64xf32>
      %103 = func.call @dynamic_update_index_in_dim_4(%iterArg_68, %97#6, %iterArg_61) : (tensor<8x16x32x1xf32>, tensor<16x32x1xf32>, tensor<i32>) -> tensor<8x16x32x1xf32>
      %104 = func.call @dynamic_update_index_in_dim_4(%iterArg_69, %97#7, %iterArg_61) : (tensor<8x16x32x1xf32>, tensor<16x32x1xf32>, tensor<i32>) -> tensor<8x16x32x1xf32>
      %105 = func.call @dynamic_update_index_in_dim(%iterArg_70, %97#8, %iterArg_61) : (tensor<8x16x32x64xf32>, tensor<16x32x64xf32>, tensor<i32>) -> tensor<8x16x32x64xf32>
      %106 = func.call @dynamic_update_index_in_dim(%iterArg_71, %97#9, %iterArg_61) : (tensor<8x16x32x64xf32>, tensor<16x32x64xf32>, tensor<i32>) -> tensor<8x16x32x64xf32>
      %107 = func.call @dynamic_update_index_in_dim_4(%iterArg_72, %97#10, %iterArg_61) : (tensor<8x16x32x1xf32>, tensor<16x32x1xf32>, tensor<i32>) -> tensor<8x16x32x1xf32>
      %108 = func.call @dynamic_update_index_in_dim_4(%iterArg_73, %97#11, %iterArg_61) : (tensor<8x16x32x1xf32>, tensor<16x32x1xf32>, tensor<i32>) -> tensor<8x16x32x1xf32>
      %109 = func.call @dynamic_update_index_in_dim(%iterArg_74, %97#12, %iterArg_61) : (tensor<8x16x32x64xf32>, tensor<16x32x64xf32>, tensor<i32>) -> tensor<8x16x32x64xf32>
      %110 = func.call @dynamic_update_index_in_dim_5(%iterArg_75, %97#13, %iterArg_61) : (tensor<8x16x32x4x16xf32>, tensor<16x32x4x16xf32>, tensor<i32>) -> tensor<8x16x32x4x16xf32>
      %111 = func.call @dynamic_update_index_in_dim_5(%iterArg_76, %97#14, %iterArg_61) : (tensor<8x16x32x4x16xf32>, tensor<16x32x4x16xf32>, tensor<i32>) -> tensor<8x16x32x4x16xf32>
      %112 = func.call @dynamic_update_index_in_dim_6(%iterArg_77, %97#15, %iterArg_61) : (tensor<8x16x4x32x32xf32>, tensor<16x4x32x32xf32>, tensor<i32>) -> tensor<8x16x4x32x32xf32>
      %113 = func.call @dynamic_update_index_in_dim_7(%iterArg_78, %97#16, %iterArg_61) : (tensor<8x16x4x32x1xf32>, tensor<16x4x32x1xf32>, tensor<i32>) -> tensor<8x16x4x32x1xf32>
      %114 = func.call @dynamic_update_index_in_dim_7(%iterArg_79, %97#17, %iterArg_61) : (tensor<8x16x4x32x1xf32>, tensor<16x4x32x1xf32>, tensor<i32>) -> tensor<8x16x4x32x1xf32>
      %115 = func.call @dynamic_update_index_in_dim_6(%iterArg_80, %97#18, %iterArg_61) : (tensor<8x16x4x32x32xf32>, tensor<16x4x32x32xf32>, tensor<i32>) -> tensor<8x16x4x32x32xf32>
      %116 = func.call @dynamic_update_index_in_dim_5(%iterArg_81, %97#19, %iterArg_61) : (tensor<8x16x32x4x16xf32>, tensor<16x32x4x16xf32>, tensor<i32>) -> tensor<8x16x32x4x16xf32>
      %117 = func.call @dynamic_update_index_in_dim_8(%iterArg_82, %97#20, %iterArg_61) : (tensor<8x16x4x16x32xf32>, tensor<16x4x16x32xf32>, tensor<i32>) -> tensor<8x16x4x16x32xf32>
      %118 = func.call @dynamic_update_index_in_dim(%iterArg_83, %97#21, %iterArg_61) : (tensor<8x16x32x64xf32>, tensor<16x32x64xf32>, tensor<i32>) -> tensor<8x16x32x64xf32>
      %119 = func.call @dynamic_update_index_in_dim_4(%iterArg_84, %97#22, %iterArg_61) : (tensor<8x16x32x1xf32>, tensor<16x32x1xf32>, tensor<i32>) -> tensor<8x16x32x1xf32>
      %120 = func.call @dynamic_update_index_in_dim_4(%iterArg_85, %97#23, %iterArg_61) : (tensor<8x16x32x1xf32>, tensor<16x32x1xf32>, tensor<i32>) -> tensor<8x16x32x1xf32>
      %121 = func.call @dynamic_update_index_in_dim(%iterArg_86, %97#24, %iterArg_61) : (tensor<8x16x32x64xf32>, tensor<16x32x64xf32>, tensor<i32>) -> tensor<8x16x32x64xf32>
      %122 = func.call @dynamic_update_index_in_dim_9(%iterArg_87, %97#25, %iterArg_61) : (tensor<8x16x32x256xf32>, tensor<16x32x256xf32>, tensor<i32>) -> tensor<8x16x32x256xf32>
      %123 = func.call @dynamic_update_index_in_dim_9(%iterArg_88, %97#26, %iterArg_61) : (tensor<8x16x32x256xf32>, tensor<16x32x256xf32>, tensor<i32>) -> tensor<8x16x32x256xf32>
      %124 = func.call @dynamic_update_index_in_dim_9(%iterArg_89, %97#27, %iterArg_61) : (tensor<8x16x32x256xf32>, tensor<16x32x256xf32>, tensor<i32>) -> tensor<8x16x32x256xf32>
      %125 = func.call @dynamic_update_index_in_dim_9(%iterArg_90, %97#28, %iterArg_61) : (tensor<8x16x32x256xf32>, tensor<16x32x256xf32>, tensor<i32>) -> tensor<8x16x32x256xf32>
      %126 = func.call @dynamic_update_index_in_dim_9(%iterArg_91, %97#29, %iterArg_61) : (tensor<8x16x32x256xf32>, tensor<16x32x256xf32>, tensor<i32>) -> tensor<8x16x32x256xf32>
      %127 = func.call @dynamic_update_index_in_dim_9(%iterArg_92, %97#30, %iterArg_61) : (tensor<8x16x32x256xf32>, tensor<16x32x256xf32>, tensor<i32>) -> tensor<8x16x32x256xf32>
      %c_93 = stablehlo.constant dense<1> : tensor<i32>
      %128 = stablehlo.add %iterArg_61, %c_93 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_53, %iterArg_54, %iterArg_55, %iterArg_56, %iterArg_57, %iterArg_58, %iterArg_59, %iterArg_60, %128, %97#0, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127 : tensor<8x256x64xf32>, tensor<8x64x4x16xf32>, tensor<8x4x16x64xf32>, tensor<8x64x4x16xf32>, tensor<8x64x256xf32>, tensor<8x64x4x16xf32>, tensor<f32>, tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>, tensor<i32>, tensor<16x32x64xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x4x16xf32>, tensor<8x16x32x4x16xf32>, tensor<8x16x4x32x32xf32>, tensor<8x16x4x32x1xf32>, tensor<8x16x4x32x1xf32>, tensor<8x16x4x32x32xf32>, tensor<8x16x32x4x16xf32>, tensor<8x16x4x16x32xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x256xf32>, tensor<8x16x32x256xf32>, tensor<8x16x32x256xf32>, tensor<8x16x32x256xf32>, tensor<8x16x32x256xf32>, tensor<8x16x32x256xf32>
    }
    %43 = stablehlo.transpose %arg6, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %44 = stablehlo.dot_general %42#10, %43, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x64xf32>) -> tensor<16x32x64xf32>
    %45:3 = call @log_softmax(%44) : (tensor<16x32x64xf32>) -> (tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>)
    %46 = stablehlo.broadcast_in_dim %arg8, dims = [0, 1] : (tensor<16x32xi32>) -> tensor<16x32x1xi32>
    %47:2 = call @take_along_axis(%45#0, %46) : (tensor<16x32x64xf32>, tensor<16x32x1xi32>) -> (tensor<16x32x1xf32>, tensor<16x32x1x1xi32>)
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47#0 init: %cst_34) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_35 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %49 = stablehlo.divide %48, %cst_35 : tensor<f32>
    %50 = stablehlo.negate %49 : tensor<f32>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %51 = stablehlo.negate %cst_36 : tensor<f32>
    %cst_37 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %52 = stablehlo.divide %51, %cst_37 : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %54 = call @take_along_axis_10(%47#1, %53) : (tensor<16x32x1x1xi32>, tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %55 = call @log_softmax_11(%45#1, %45#2, %54) : (tensor<16x32x64xf32>, tensor<16x32x1xf32>, tensor<16x32x64xf32>) -> tensor<16x32x64xf32>
    %56 = stablehlo.dot_general %55, %42#10, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<16x32x64xf32>) -> tensor<64x64xf32>
    %57 = stablehlo.transpose %56, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %58 = stablehlo.dot_general %55, %43, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x64xf32>) -> tensor<16x32x64xf32>
    %59 = stablehlo.transpose %57, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<8x256x64xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8x64x4x16xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8x4x16x64xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8x64x4x16xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8x64x256xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8x64x4x16xf32>
    %c_44 = stablehlo.constant dense<0> : tensor<i32>
    %66:46 = stablehlo.while(%iterArg = %42#11, %iterArg_53 = %42#12, %iterArg_54 = %42#13, %iterArg_55 = %arg3, %iterArg_56 = %42#14, %iterArg_57 = %42#15, %iterArg_58 = %42#16, %iterArg_59 = %42#17, %iterArg_60 = %arg1, %iterArg_61 = %42#18, %iterArg_62 = %42#19, %iterArg_63 = %42#20, %iterArg_64 = %42#21, %iterArg_65 = %arg5, %iterArg_66 = %42#22, %iterArg_67 = %42#23, %iterArg_68 = %42#24, %iterArg_69 = %42#25, %iterArg_70 = %42#26, %iterArg_71 = %42#27, %iterArg_72 = %42#28, %iterArg_73 = %42#29, %iterArg_74 = %arg2, %iterArg_75 = %42#30, %iterArg_76 = %42#31, %iterArg_77 = %42#32, %iterArg_78 = %42#33, %iterArg_79 = %arg4, %iterArg_80 = %42#34, %iterArg_81 = %42#35, %iterArg_82 = %42#36, %iterArg_83 = %42#37, %iterArg_84 = %42#38, %iterArg_85 = %42#39, %iterArg_86 = %arg0, %iterArg_87 = %42#40, %iterArg_88 = %8, %iterArg_89 = %11#0, %iterArg_90 = %c_44, %iterArg_91 = %58, %iterArg_92 = %60, %iterArg_93 = %61, %iterArg_94 = %62, %iterArg_95 = %63, %iterArg_96 = %64, %iterArg_97 = %65) : tensor<8x16x32x64xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x1xf32>, tensor<8x64x4x16xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x1xf32>, tensor<8x64x4x16xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x1xf32>, tensor<8x64x4x16xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x4x16xf32>, tensor<8x16x32x4x16xf32>, tensor<8x16x4x32x32xf32>, tensor<8x16x4x32x1xf32>, tensor<8x16x4x32x1xf32>, tensor<8x16x4x32x32xf32>, tensor<8x16x32x4x16xf32>, tensor<8x4x16x64xf32>, tensor<8x16x4x16x32xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x1xf32>, tensor<8x64x256xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x256xf32>, tensor<8x16x32x256xf32>, tensor<8x16x32x256xf32>, tensor<8x16x32x256xf32>, tensor<8x16x32x256xf32>, tensor<8x256x64xf32>, tensor<8x16x32x256xf32>, tensor<f32>, tensor<16x4x32x32xi1>, tensor<i32>, tensor<16x32x64xf32>, tensor<8x256x64xf32>, tensor<8x64x4x16xf32>, tensor<8x4x16x64xf32>, tensor<8x64x4x16xf32>, tensor<8x64x256xf32>, tensor<8x64x4x16xf32>
    cond {
      %c_98 = stablehlo.constant dense<8> : tensor<i32>
      %91 = stablehlo.compare LT, %iterArg_90, %c_98, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %91 : tensor<i1>
    } do {
      %c_98 = stablehlo.constant dense<8> : tensor<i32>
      %91 = stablehlo.subtract %c_98, %iterArg_90 : tensor<i32>
      %c_99 = stablehlo.constant dense<1> : tensor<i32>
      %92 = stablehlo.subtract %91, %c_99 : tensor<i32>
      %93 = func.call @dynamic_index_in_dim_12(%iterArg, %92) : (tensor<8x16x32x64xf32>, tensor<i32>) -> tensor<16x32x64xf32>
      %94 = func.call @dynamic_index_in_dim_13(%iterArg_53, %92) : (tensor<8x16x32x1xf32>, tensor<i32>) -> tensor<16x32x1xf32>
      %95 = func.call @dynamic_index_in_dim_13(%iterArg_54, %92) : (tensor<8x16x32x1xf32>, tensor<i32>) -> tensor<16x32x1xf32>
      %96 = func.call @dynamic_index_in_dim_0(%iterArg_55, %92) : (tensor<8x64x4x16xf32>, tensor<i32>) -> tensor<64x4x16xf32>
      %97 = func.call @dynamic_index_in_dim_12(%iterArg_56, %92) : (tensor<8x16x32x64xf32>, tensor<i32>) -> tensor<16x32x64xf32>
      %98 = func.call @dynamic_index_in_dim_12(%iterArg_57, %92) : (tensor<8x16x32x64xf32>, tensor<i32>) -> tensor<16x32x64xf32>
      %99 = func.call @dynamic_index_in_dim_13(%iterArg_58, %92) : (tensor<8x16x32x1xf32>, tensor<i32>) -> tensor<16x32x1xf32>
      %100 = func.call @dynamic_index_in_dim_13(%iterArg_59, %92) : (tensor<8x16x32x1xf32>, tensor<i32>) -> tensor<16x32x1xf32>
      %101 = func.call @dynamic_index_in_dim_0(%iterArg_60, %92) : (tensor<8x64x4x16xf32>, tensor<i32>) -> tensor<64x4x16xf32>
      %102 = func.call @dynamic_index_in_dim_12(%iterArg_61, %92) : (tensor<8x16x32x64xf32>, tensor<i32>) -> tensor<16x32x64xf32>
      %103 = func.call @dynamic_index_in_dim_12(%iterArg_62, %92) : (tensor<8x16x32x64xf32>, tensor<i32>) -> tensor<16x32x64xf32>
      %104 = func.call @dynamic_index_in_dim_13(%iterArg_63, %92) : (tensor<8x16x32x1xf32>, tensor<i32>) -> tensor<16x32x1xf32>
      %105 = func.call @dynamic_index_in_dim_13(%iterArg_64, %92) : (tensor<8x16x32x1xf32>, tensor<i32>) -> tensor<16x32x1xf32>
      %106 = func.call @dynamic_index_in_dim_0(%iterArg_65, %92) : (tensor<8x64x4x16xf32>, tensor<i32>) -> tensor<64x4x16xf32>
      %107 = func.call @dynamic_index_in_dim_12(%iterArg_66, %92) : (tensor<8x16x32x64xf32>, tensor<i32>) -> tensor<16x32x64xf32>
      %108 = func.call @dynamic_index_in_dim_14(%iterArg_67, %92) : (tensor<8x16x32x4x16xf32>, tensor<i32>) -> tensor<16x32x4x16xf32>
      %109 = func.call @dynamic_index_in_dim_14(%iterArg_68, %92) : (tensor<8x16x32x4x16xf32>, tensor<i32>) -> tensor<16x32x4x16xf32>
      %110 = func.call @dynamic_index_in_dim_15(%iterArg_69, %92) : (tensor<8x16x4x32x32xf32>, tensor<i32>) -> tensor<16x4x32x32xf32>
      %111 = func.call @dynamic_index_in_dim_16(%iterArg_70, %92) : (tensor<8x16x4x32x1xf32>, tensor<i32>) -> tensor<16x4x32x1xf32>
      %112 = func.call @dynamic_index_in_dim_16(%iterArg_71, %92) : (tensor<8x16x4x32x1xf32>, tensor<i32>) -> tensor<16x4x32x1xf32>
      %113 = func.call @dynamic_index_in_dim_15(%iterArg_72, %92) : (tensor<8x16x4x32x32xf32>, tensor<i32>) -> tensor<16x4x32x32xf32>
      %114 = func.call @dynamic_index_in_dim_14(%iterArg_73, %92) : (tensor<8x16x32x4x16xf32>, tensor<i32>) -> tensor<16x32x4x16xf32>
      %115 = func.call @dynamic_index_in_dim_1(%iterArg_74, %92) : (tensor<8x4x16x64xf32>, tensor<i32>) -> tensor<4x16x64xf32>
      %116 = func.call @dynamic_index_in_dim_17(%iterArg_75, %92) : (tensor<8x16x4x16x32xf32>, tensor<i32>) -> tensor<16x4x16x32xf32>
      %117 = func.call @dynamic_index_in_dim_12(%iterArg_76, %92) : (tensor<8x16x32x64xf32>, tensor<i32>) -> tensor<16x32x64xf32>
      %118 = func.call @dynamic_index_in_dim_13(%iterArg_77, %92) : (tensor<8x16x32x1xf32>, tensor<i32>) -> tensor<16x32x1xf32>
      %119 = func.call @dynamic_index_in_dim_13(%iterArg_78, %92) : (tensor<8x16x32x1xf32>, tensor<i32>) -> tensor<16x32x1xf32>
      %120 = func.call @dynamic_index_in_dim_2(%iterArg_79, %92) : (tensor<8x64x256xf32>, tensor<i32>) -> tensor<64x256xf32>
      %121 = func.call @dynamic_index_in_dim_12(%iterArg_80, %92) : (tensor<8x16x32x64xf32>, tensor<i32>) -> tensor<16x32x64xf32>
      %122 = func.call @dynamic_index_in_dim_18(%iterArg_81, %92) : (tensor<8x16x32x256xf32>, tensor<i32>) -> tensor<16x32x256xf32>
      %123 = func.call @dynamic_index_in_dim_18(%iterArg_82, %92) : (tensor<8x16x32x256xf32>, tensor<i32>) -> tensor<16x32x256xf32>
      %124 = func.call @dynamic_index_in_dim_18(%iterArg_83, %92) : (tensor<8x16x32x256xf32>, tensor<i32>) -> tensor<16x32x256xf32>
      %125 = func.call @dynamic_index_in_dim_18(%iterArg_84, %92) : (tensor<8x16x32x256xf32>, tensor<i32>) -> tensor<16x32x256xf32>
      %126 = func.call @dynamic_index_in_dim_18(%iterArg_85, %92) : (tensor<8x16x32x256xf32>, tensor<i32>) -> tensor<16x32x256xf32>
      %127 = func.call @dynamic_index_in_dim(%iterArg_86, %92) : (tensor<8x256x64xf32>, tensor<i32>) -> tensor<256x64xf32>
      %128 = func.call @dynamic_index_in_dim_18(%iterArg_87, %92) : (tensor<8x16x32x256xf32>, tensor<i32>) -> tensor<16x32x256xf32>
      %129:7 = func.call @closed_call_19(%iterArg_88, %iterArg_89, %iterArg_91, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127, %128) : (tensor<f32>, tensor<16x4x32x32xi1>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>, tensor<16x32x1xf32>, tensor<64x4x16xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>, tensor<16x32x1xf32>, tensor<64x4x16xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>, tensor<16x32x1xf32>, tensor<64x4x16xf32>, tensor<16x32x64xf32>, tensor<16x32x4x16xf32>, tensor<16x32x4x16xf32>, tensor<16x4x32x32xf32>, tensor<16x4x32x1xf32>, tensor<16x4x32x1xf32>, tensor<16x4x32x32xf32>, tensor<16x32x4x16xf32>, tensor<4x16x64xf32>, tensor<16x4x16x32xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>, tensor<16x32x1xf32>, tensor<64x256xf32>, tensor<16x32x64xf32>, tensor<16x32x256xf32>, tensor<16x32x256xf32>, tensor<16x32x256xf32>, tensor<16x32x256xf32>, tensor<16x32x256xf32>, tensor<256x64xf32>, tensor<16x32x256xf32>) -> (tensor<16x32x64xf32>, tensor<256x64xf32>, tensor<64x4x16xf32>, tensor<4x16x64xf32>, tensor<64x4x16xf32>, tensor<64x256xf32>, tensor<64x4x16xf32>)
      %130 = func.call @dynamic_update_index_in_dim_21(%iterArg_92, %129#1, %92) : (tensor<8x256x64xf32>, tensor<256x64xf32>, tensor<i32>) -> tensor<8x256x64xf32>
      %131 = func.call @dynamic_update_index_in_dim_22(%iterArg_93, %129#2, %92) : (tensor<8x64x4x16xf32>, tensor<64x4x16xf32>, tensor<i32>) -> tensor<8x64x4x16xf32>
      %132 = func.call @dynamic_update_index_in_dim_23(%iterArg_94, %129#3, %92) : (tensor<8x4x16x64xf32>, tensor<4x16x64xf32>, tensor<i32>) -> tensor<8x4x16x64xf32>
      %133 = func.call @dynamic_update_index_in_dim_22(%iterArg_95, %129#4, %92) : (tensor<8x64x4x16xf32>, tensor<64x4x16xf32>, tensor<i32>) -> tensor<8x64x4x16xf32>
      %134 = func.call @dynamic_update_index_in_dim_24(%iterArg_96, %129#5, %92) : (tensor<8x64x256xf32>, tensor<64x256xf32>, tensor<i32>) -> tensor<8x64x256xf32>
      %135 = func.call @dynamic_update_index_in_dim_22(%iterArg_97, %129#6, %92) : (tensor<8x64x4x16xf32>, tensor<64x4x16xf32>, tensor<i32>) -> tensor<8x64x4x16xf32>
      %c_100 = stablehlo.constant dense<1> : tensor<i32>
      %136 = stablehlo.add %iterArg_90, %c_100 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_53, %iterArg_54, %iterArg_55, %iterArg_56, %iterArg_57, %iterArg_58, %iterArg_59, %iterArg_60, %iterArg_61, %iterArg_62, %iterArg_63, %iterArg_64, %iterArg_65, %iterArg_66, %iterArg_67, %iterArg_68, %iterArg_69, %iterArg_70, %iterArg_71, %iterArg_72, %iterArg_73, %iterArg_74, %iterArg_75, %iterArg_76, %iterArg_77, %iterArg_78, %iterArg_79, %iterArg_80, %iterArg_81, %iterArg_82, %iterArg_83, %iterArg_84, %iterArg_85, %iterArg_86, %iterArg_87, %iterArg_88, %iterArg_89, %136, %129#0, %130, %131, %132, %133, %134, %135 : tensor<8x16x32x64xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x1xf32>, tensor<8x64x4x16xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x1xf32>, tensor<8x64x4x16xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x1xf32>, tensor<8x64x4x16xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x4x16xf32>, tensor<8x16x32x4x16xf32>, tensor<8x16x4x32x32xf32>, tensor<8x16x4x32x1xf32>, tensor<8x16x4x32x1xf32>, tensor<8x16x4x32x32xf32>, tensor<8x16x32x4x16xf32>, tensor<8x4x16x64xf32>, tensor<8x16x4x16x32xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x1xf32>, tensor<8x16x32x1xf32>, tensor<8x64x256xf32>, tensor<8x16x32x64xf32>, tensor<8x16x32x256xf32>, tensor<8x16x32x256xf32>, tensor<8x16x32x256xf32>, tensor<8x16x32x256xf32>, tensor<8x16x32x256xf32>, tensor<8x256x64xf32>, tensor<8x16x32x256xf32>, tensor<f32>, tensor<16x4x32x32xi1>, tensor<i32>, tensor<16x32x64xf32>, tensor<8x256x64xf32>, tensor<8x64x4x16xf32>, tensor<8x4x16x64xf32>, tensor<8x64x4x16xf32>, tensor<8x64x256xf32>, tensor<8x64x4x16xf32>
    }
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %68 = "stablehlo.scatter"(%67, %5, %66#39) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %91 = stablehlo.add %arg9, %arg10 : tensor<f32>
      stablehlo.return %91 : tensor<f32>
    }) : (tensor<64x64xf32>, tensor<16x32x1xi32>, tensor<16x32x64xf32>) -> tensor<64x64xf32>
    %69 = stablehlo.add %59, %68 : tensor<64x64xf32>
    %cst_46 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<8x256x64xf32>
    %71 = stablehlo.multiply %70, %66#40 : tensor<8x256x64xf32>
    %72 = stablehlo.subtract %arg0, %71 : tensor<8x256x64xf32>
    %cst_47 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8x64x4x16xf32>
    %74 = stablehlo.multiply %73, %66#41 : tensor<8x64x4x16xf32>
    %75 = stablehlo.subtract %arg1, %74 : tensor<8x64x4x16xf32>
    %cst_48 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8x4x16x64xf32>
    %77 = stablehlo.multiply %76, %66#42 : tensor<8x4x16x64xf32>
    %78 = stablehlo.subtract %arg2, %77 : tensor<8x4x16x64xf32>
    %cst_49 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8x64x4x16xf32>
    %80 = stablehlo.multiply %79, %66#43 : tensor<8x64x4x16xf32>
    %81 = stablehlo.subtract %arg3, %80 : tensor<8x64x4x16xf32>
    %cst_50 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<8x64x256xf32>
    %83 = stablehlo.multiply %82, %66#44 : tensor<8x64x256xf32>
    %84 = stablehlo.subtract %arg4, %83 : tensor<8x64x256xf32>
    %cst_51 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8x64x4x16xf32>
    %86 = stablehlo.multiply %85, %66#45 : tensor<8x64x4x16xf32>
    %87 = stablehlo.subtract %arg5, %86 : tensor<8x64x4x16xf32>
    %cst_52 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %89 = stablehlo.multiply %88, %69 : tensor<64x64xf32>
    %90 = stablehlo.subtract %arg6, %89 : tensor<64x64xf32>
    return %72, %75, %78, %81, %84, %87, %90, %50 : tensor<8x256x64xf32>, tensor<8x64x4x16xf32>, tensor<8x4x16x64xf32>, tensor<8x64x4x16xf32>, tensor<8x64x256xf32>, tensor<8x64x4x16xf32>, tensor<64x64xf32>, tensor<f32>
  }
  func.func private @tril(%arg0: tensor<32x32xi1>) -> tensor<32x32xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<32x32xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<32x32xi32>
    %2 = stablehlo.add %0, %1 : tensor<32x32xi32>
    %3 = stablehlo.iota dim = 1 : tensor<32x32xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<32x32xi32>, tensor<32x32xi32>) -> tensor<32x32xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<32x32xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<32x32xi1>, tensor<32x32xi1>
    return %6 : tensor<32x32xi1>
  }
  func.func private @_where(%arg0: tensor<32x32xi1>, %arg1: tensor<f32>) -> (tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>) {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<32x32xi1>) -> tensor<16x4x32x32xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    return %1, %2 : tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<8x256x64xf32>, %arg1: tensor<i32>) -> tensor<256x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 256, 64] : (tensor<8x256x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x256x64xf32>) -> tensor<256x64xf32>
    return %1 : tensor<256x64xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<8x64x4x16xf32>, %arg1: tensor<i32>) -> tensor<64x4x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 64, 4, 16] : (tensor<8x64x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x4x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x4x16xf32>) -> tensor<64x4x16xf32>
    return %1 : tensor<64x4x16xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<8x4x16x64xf32>, %arg1: tensor<i32>) -> tensor<4x16x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 4, 16, 64] : (tensor<8x4x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x16x64xf32>) -> tensor<4x16x64xf32>
    return %1 : tensor<4x16x64xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<8x64x256xf32>, %arg1: tensor<i32>) -> tensor<64x256xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 256] : (tensor<8x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x256xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x256xf32>) -> tensor<64x256xf32>
    return %1 : tensor<64x256xf32>
  }
  func.func private @closed_call(%arg0: tensor<f32>, %arg1: tensor<16x4x32x32xi1>, %arg2: tensor<16x4x32x32xf32>, %arg3: tensor<16x32x64xf32>, %arg4: tensor<256x64xf32>, %arg5: tensor<64x4x16xf32>, %arg6: tensor<4x16x64xf32>, %arg7: tensor<64x4x16xf32>, %arg8: tensor<64x256xf32>, %arg9: tensor<64x4x16xf32>) -> (tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>, tensor<16x32x1xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>, tensor<16x32x1xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>, tensor<16x32x1xf32>, tensor<16x32x64xf32>, tensor<16x32x4x16xf32>, tensor<16x32x4x16xf32>, tensor<16x4x32x32xf32>, tensor<16x4x32x1xf32>, tensor<16x4x32x1xf32>, tensor<16x4x32x32xf32>, tensor<16x32x4x16xf32>, tensor<16x4x16x32xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>, tensor<16x32x1xf32>, tensor<16x32x64xf32>, tensor<16x32x256xf32>, tensor<16x32x256xf32>, tensor<16x32x256xf32>, tensor<16x32x256xf32>, tensor<16x32x256xf32>, tensor<16x32x256xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg3 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<16x32x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %5 = stablehlo.subtract %arg3, %4 : tensor<16x32x64xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<16x32x64xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_2 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<16x32x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %12 = stablehlo.add %10, %11 : tensor<16x32x1xf32>
    %13 = stablehlo.rsqrt %12 : tensor<16x32x1xf32>
    %14 = stablehlo.divide %13, %12 : tensor<16x32x1xf32>
    %cst_4 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %16 = stablehlo.multiply %15, %14 : tensor<16x32x1xf32>
    %17 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %18 = stablehlo.multiply %5, %17 : tensor<16x32x64xf32>
    %19 = stablehlo.dot_general %18, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%arg3 init: %cst_5) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_6 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %23 = stablehlo.divide %21, %22 : tensor<16x32x1xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %25 = stablehlo.subtract %arg3, %24 : tensor<16x32x64xf32>
    %26 = stablehlo.multiply %25, %25 : tensor<16x32x64xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%26 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_8 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %30 = stablehlo.divide %28, %29 : tensor<16x32x1xf32>
    %cst_9 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %32 = stablehlo.add %30, %31 : tensor<16x32x1xf32>
    %33 = stablehlo.rsqrt %32 : tensor<16x32x1xf32>
    %34 = stablehlo.divide %33, %32 : tensor<16x32x1xf32>
    %cst_10 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %36 = stablehlo.multiply %35, %34 : tensor<16x32x1xf32>
    %37 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %38 = stablehlo.multiply %25, %37 : tensor<16x32x64xf32>
    %39 = stablehlo.dot_general %38, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%arg3 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_12 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %43 = stablehlo.divide %41, %42 : tensor<16x32x1xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %45 = stablehlo.subtract %arg3, %44 : tensor<16x32x64xf32>
    %46 = stablehlo.multiply %45, %45 : tensor<16x32x64xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_13) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_14 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %50 = stablehlo.divide %48, %49 : tensor<16x32x1xf32>
    %cst_15 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %52 = stablehlo.add %50, %51 : tensor<16x32x1xf32>
    %53 = stablehlo.rsqrt %52 : tensor<16x32x1xf32>
    %54 = stablehlo.divide %53, %52 : tensor<16x32x1xf32>
    %cst_16 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %56 = stablehlo.multiply %55, %54 : tensor<16x32x1xf32>
    %57 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %58 = stablehlo.multiply %45, %57 : tensor<16x32x64xf32>
    %59 = stablehlo.dot_general %58, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x4x16xf32>) -> tensor<16x32x4x16xf32>
    %60 = stablehlo.dot_general %19, %39, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x32xf32>
    %61 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %62 = stablehlo.divide %60, %61 : tensor<16x4x32x32xf32>
    %63 = call @_where_3(%62, %arg1, %arg2) : (tensor<16x4x32x32xf32>, tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>) -> tensor<16x4x32x32xf32>
    %cst_17 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %64 = stablehlo.reduce(%63 init: %cst_17) applies stablehlo.maximum across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %cst_18 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<16x4x32xf32>
    %66 = stablehlo.maximum %65, %64 : tensor<16x4x32xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %69 = stablehlo.subtract %63, %68 : tensor<16x4x32x32xf32>
    %70 = stablehlo.exponential %69 : tensor<16x4x32x32xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.reduce(%70 init: %cst_19) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %73 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %74 = stablehlo.divide %70, %73 : tensor<16x4x32x32xf32>
    %75 = stablehlo.multiply %72, %72 : tensor<16x4x32x1xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<16x4x32x1xf32>
    %77 = stablehlo.divide %76, %75 : tensor<16x4x32x1xf32>
    %78 = stablehlo.dot_general %59, %74, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x4x32x32xf32>) -> tensor<16x4x16x32xf32>
    %79 = stablehlo.dot_general %78, %arg6, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<4x16x64xf32>) -> tensor<16x32x64xf32>
    %80 = stablehlo.add %arg3, %79 : tensor<16x32x64xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %81 = stablehlo.reduce(%80 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_22 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %84 = stablehlo.divide %82, %83 : tensor<16x32x1xf32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %86 = stablehlo.subtract %80, %85 : tensor<16x32x64xf32>
    %87 = stablehlo.multiply %86, %86 : tensor<16x32x64xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %88 = stablehlo.reduce(%87 init: %cst_23) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %cst_24 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %91 = stablehlo.divide %89, %90 : tensor<16x32x1xf32>
    %cst_25 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %93 = stablehlo.add %91, %92 : tensor<16x32x1xf32>
    %94 = stablehlo.rsqrt %93 : tensor<16x32x1xf32>
    %95 = stablehlo.divide %94, %93 : tensor<16x32x1xf32>
    %cst_26 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %97 = stablehlo.multiply %96, %95 : tensor<16x32x1xf32>
    %98 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %99 = stablehlo.multiply %86, %98 : tensor<16x32x64xf32>
    %100 = stablehlo.dot_general %99, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<64x256xf32>) -> tensor<16x32x256xf32>
    %101 = stablehlo.multiply %100, %100 : tensor<16x32x256xf32>
    %102 = stablehlo.multiply %101, %100 : tensor<16x32x256xf32>
    %103 = stablehlo.multiply %100, %100 : tensor<16x32x256xf32>
    %cst_27 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %105 = stablehlo.multiply %104, %103 : tensor<16x32x256xf32>
    %cst_28 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %107 = stablehlo.multiply %106, %102 : tensor<16x32x256xf32>
    %108 = stablehlo.add %100, %107 : tensor<16x32x256xf32>
    %cst_29 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %110 = stablehlo.multiply %109, %108 : tensor<16x32x256xf32>
    %111 = stablehlo.tanh %110 : tensor<16x32x256xf32>
    %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %113 = stablehlo.subtract %112, %111 : tensor<16x32x256xf32>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %115 = stablehlo.add %114, %111 : tensor<16x32x256xf32>
    %cst_32 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %117 = stablehlo.multiply %116, %115 : tensor<16x32x256xf32>
    %118 = stablehlo.multiply %100, %117 : tensor<16x32x256xf32>
    %119 = stablehlo.dot_general %118, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<256x64xf32>) -> tensor<16x32x64xf32>
    %120 = stablehlo.add %80, %119 : tensor<16x32x64xf32>
    return %120, %5, %16, %13, %18, %25, %36, %33, %38, %45, %56, %53, %58, %39, %19, %70, %72, %77, %74, %59, %78, %86, %97, %94, %99, %105, %111, %113, %117, %100, %118 : tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>, tensor<16x32x1xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>, tensor<16x32x1xf32>, tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>, tensor<16x32x1xf32>, tensor<16x32x64xf32>, tensor<16x32x4x16xf32>, tensor<16x32x4x16xf32>, tensor<16x4x32x32xf32>, tensor<16x4x32x1xf32>, tensor<16x4x32x1xf32>, tensor<16x4x32x32xf32>, tensor<16x32x4x16xf32>, tensor<16x4x16x32xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>, tensor<16x32x1xf32>, tensor<16x32x64xf32>, tensor<16x32x256xf32>, tensor<16x32x256xf32>, tensor<16x32x256xf32>, tensor<16x32x256xf32>, tensor<16x32x256xf32>, tensor<16x32x256xf32>
  }
  func.func private @_where_3(%arg0: tensor<16x4x32x32xf32>, %arg1: tensor<16x4x32x32xi1>, %arg2: tensor<16x4x32x32xf32>) -> tensor<16x4x32x32xf32> {
    %0 = stablehlo.select %arg1, %arg0, %arg2 : tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>
    return %0 : tensor<16x4x32x32xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<8x16x32x64xf32>, %arg1: tensor<16x32x64xf32>, %arg2: tensor<i32>) -> tensor<8x16x32x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<16x32x64xf32>) -> tensor<1x16x32x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<8x16x32x64xf32>, tensor<1x16x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x16x32x64xf32>
    return %1 : tensor<8x16x32x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<8x16x32x1xf32>, %arg1: tensor<16x32x1xf32>, %arg2: tensor<i32>) -> tensor<8x16x32x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<16x32x1xf32>) -> tensor<1x16x32x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<8x16x32x1xf32>, tensor<1x16x32x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x16x32x1xf32>
    return %1 : tensor<8x16x32x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<8x16x32x4x16xf32>, %arg1: tensor<16x32x4x16xf32>, %arg2: tensor<i32>) -> tensor<8x16x32x4x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<16x32x4x16xf32>) -> tensor<1x16x32x4x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<8x16x32x4x16xf32>, tensor<1x16x32x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x16x32x4x16xf32>
    return %1 : tensor<8x16x32x4x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<8x16x4x32x32xf32>, %arg1: tensor<16x4x32x32xf32>, %arg2: tensor<i32>) -> tensor<8x16x4x32x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<16x4x32x32xf32>) -> tensor<1x16x4x32x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<8x16x4x32x32xf32>, tensor<1x16x4x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x16x4x32x32xf32>
    return %1 : tensor<8x16x4x32x32xf32>
  }
  func.func private @dynamic_update_index_in_dim_7(%arg0: tensor<8x16x4x32x1xf32>, %arg1: tensor<16x4x32x1xf32>, %arg2: tensor<i32>) -> tensor<8x16x4x32x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<16x4x32x1xf32>) -> tensor<1x16x4x32x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<8x16x4x32x1xf32>, tensor<1x16x4x32x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x16x4x32x1xf32>
    return %1 : tensor<8x16x4x32x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_8(%arg0: tensor<8x16x4x16x32xf32>, %arg1: tensor<16x4x16x32xf32>, %arg2: tensor<i32>) -> tensor<8x16x4x16x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<16x4x16x32xf32>) -> tensor<1x16x4x16x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<8x16x4x16x32xf32>, tensor<1x16x4x16x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x16x4x16x32xf32>
    return %1 : tensor<8x16x4x16x32xf32>
  }
  func.func private @dynamic_update_index_in_dim_9(%arg0: tensor<8x16x32x256xf32>, %arg1: tensor<16x32x256xf32>, %arg2: tensor<i32>) -> tensor<8x16x32x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<16x32x256xf32>) -> tensor<1x16x32x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<8x16x32x256xf32>, tensor<1x16x32x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x16x32x256xf32>
    return %1 : tensor<8x16x32x256xf32>
  }
  func.func private @log_softmax(%arg0: tensor<16x32x64xf32>) -> (tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<16x32xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<16x32x64xf32>
    %6 = stablehlo.exponential %5 : tensor<16x32x64xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %9 = stablehlo.log %8 : tensor<16x32x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<16x32x64xf32>
    return %11, %6, %8 : tensor<16x32x64xf32>, tensor<16x32x64xf32>, tensor<16x32x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<16x32x64xf32>, %arg1: tensor<16x32x1xi32>) -> (tensor<16x32x1xf32>, tensor<16x32x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x32x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<16x32x1xi32>, tensor<16x32x1xi32>) -> tensor<16x32x1xi1>
    %c_0 = stablehlo.constant dense<64> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16x32x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<16x32x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<16x32x1xi1>, tensor<16x32x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<16x32x1xi32>) -> tensor<16x32x1x1xi32>
    %c_1 = stablehlo.constant dense<63> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<16x32x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<16x32x1x1xi32>, tensor<16x32x1x1xi32>) -> tensor<16x32x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<16x32x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<16x32x1x1xi32>, tensor<16x32x1x1xi32>) -> tensor<16x32x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<16x32x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<16x32x1x1xi1>, tensor<i1>) -> tensor<16x32x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<16x32x64xf32>, tensor<16x32x1x1xi32>) -> tensor<16x32x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<16x32x1xi1>, tensor<16x32x1xf32>
    return %15, %5 : tensor<16x32x1xf32>, tensor<16x32x1x1xi32>
  }
  func.func private @take_along_axis_10(%arg0: tensor<16x32x1x1xi32>, %arg1: tensor<16x32x1xf32>) -> tensor<16x32x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x32x64xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<16x32x64xf32>, tensor<16x32x1x1xi32>, tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    return %1 : tensor<16x32x64xf32>
  }
  func.func private @log_softmax_11(%arg0: tensor<16x32x64xf32>, %arg1: tensor<16x32x1xf32>, %arg2: tensor<16x32x64xf32>) -> tensor<16x32x64xf32> {
    %0 = stablehlo.negate %arg2 : tensor<16x32x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %2 = stablehlo.reshape %1 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<16x32x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<16x32x64xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<16x32x64xf32>
    return %7 : tensor<16x32x64xf32>
  }
  func.func private @dynamic_index_in_dim_12(%arg0: tensor<8x16x32x64xf32>, %arg1: tensor<i32>) -> tensor<16x32x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 16, 32, 64] : (tensor<8x16x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x32x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x32x64xf32>) -> tensor<16x32x64xf32>
    return %1 : tensor<16x32x64xf32>
  }
  func.func private @dynamic_index_in_dim_13(%arg0: tensor<8x16x32x1xf32>, %arg1: tensor<i32>) -> tensor<16x32x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 16, 32, 1] : (tensor<8x16x32x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x32x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x32x1xf32>) -> tensor<16x32x1xf32>
    return %1 : tensor<16x32x1xf32>
  }
  func.func private @dynamic_index_in_dim_14(%arg0: tensor<8x16x32x4x16xf32>, %arg1: tensor<i32>) -> tensor<16x32x4x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 16, 32, 4, 16] : (tensor<8x16x32x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x32x4x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x32x4x16xf32>) -> tensor<16x32x4x16xf32>
    return %1 : tensor<16x32x4x16xf32>
  }
  func.func private @dynamic_index_in_dim_15(%arg0: tensor<8x16x4x32x32xf32>, %arg1: tensor<i32>) -> tensor<16x4x32x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 16, 4, 32, 32] : (tensor<8x16x4x32x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x4x32x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x4x32x32xf32>) -> tensor<16x4x32x32xf32>
    return %1 : tensor<16x4x32x32xf32>
  }
  func.func private @dynamic_index_in_dim_16(%arg0: tensor<8x16x4x32x1xf32>, %arg1: tensor<i32>) -> tensor<16x4x32x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 16, 4, 32, 1] : (tensor<8x16x4x32x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x4x32x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x4x32x1xf32>) -> tensor<16x4x32x1xf32>
    return %1 : tensor<16x4x32x1xf32>
  }
  func.func private @dynamic_index_in_dim_17(%arg0: tensor<8x16x4x16x32xf32>, %arg1: tensor<i32>) -> tensor<16x4x16x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 16, 4, 16, 32] : (tensor<8x16x4x16x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x4x16x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x4x16x32xf32>) -> tensor<16x4x16x32xf32>
    return %1 : tensor<16x4x16x32xf32>
  }
  func.func private @dynamic_index_in_dim_18(%arg0: tensor<8x16x32x256xf32>, %arg1: tensor<i32>) -> tensor<16x32x256xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 16, 32, 256] : (tensor<8x16x32x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x32x256xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x32x256xf32>) -> tensor<16x32x256xf32>
    return %1 : tensor<16x32x256xf32>
  }
  func.func private @closed_call_19(%arg0: tensor<f32>, %arg1: tensor<16x4x32x32xi1>, %arg2: tensor<16x32x64xf32>, %arg3: tensor<16x32x64xf32>, %arg4: tensor<16x32x1xf32>, %arg5: tensor<16x32x1xf32>, %arg6: tensor<64x4x16xf32>, %arg7: tensor<16x32x64xf32>, %arg8: tensor<16x32x64xf32>, %arg9: tensor<16x32x1xf32>, %arg10: tensor<16x32x1xf32>, %arg11: tensor<64x4x16xf32>, %arg12: tensor<16x32x64xf32>, %arg13: tensor<16x32x64xf32>, %arg14: tensor<16x32x1xf32>, %arg15: tensor<16x32x1xf32>, %arg16: tensor<64x4x16xf32>, %arg17: tensor<16x32x64xf32>, %arg18: tensor<16x32x4x16xf32>, %arg19: tensor<16x32x4x16xf32>, %arg20: tensor<16x4x32x32xf32>, %arg21: tensor<16x4x32x1xf32>, %arg22: tensor<16x4x32x1xf32>, %arg23: tensor<16x4x32x32xf32>, %arg24: tensor<16x32x4x16xf32>, %arg25: tensor<4x16x64xf32>, %arg26: tensor<16x4x16x32xf32>, %arg27: tensor<16x32x64xf32>, %arg28: tensor<16x32x1xf32>, %arg29: tensor<16x32x1xf32>, %arg30: tensor<64x256xf32>, %arg31: tensor<16x32x64xf32>, %arg32: tensor<16x32x256xf32>, %arg33: tensor<16x32x256xf32>, %arg34: tensor<16x32x256xf32>, %arg35: tensor<16x32x256xf32>, %arg36: tensor<16x32x256xf32>, %arg37: tensor<256x64xf32>, %arg38: tensor<16x32x256xf32>) -> (tensor<16x32x64xf32>, tensor<256x64xf32>, tensor<64x4x16xf32>, tensor<4x16x64xf32>, tensor<64x4x16xf32>, tensor<64x256xf32>, tensor<64x4x16xf32>) {
    %0 = stablehlo.dot_general %arg2, %arg38, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<16x32x256xf32>) -> tensor<64x256xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<64x256xf32>) -> tensor<256x64xf32>
    %2 = stablehlo.dot_general %arg2, %arg37, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<256x64xf32>) -> tensor<16x32x256xf32>
    %3 = stablehlo.multiply %arg36, %2 : tensor<16x32x256xf32>
    %4 = stablehlo.multiply %2, %arg35 : tensor<16x32x256xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %6 = stablehlo.multiply %5, %3 : tensor<16x32x256xf32>
    %7 = stablehlo.multiply %6, %arg34 : tensor<16x32x256xf32>
    %8 = stablehlo.multiply %7, %arg33 : tensor<16x32x256xf32>
    %9 = stablehlo.add %7, %8 : tensor<16x32x256xf32>
    %cst_0 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %11 = stablehlo.multiply %10, %9 : tensor<16x32x256xf32>
    %12 = stablehlo.add %4, %11 : tensor<16x32x256xf32>
    %cst_1 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x32x256xf32>
    %14 = stablehlo.multiply %13, %11 : tensor<16x32x256xf32>
    %15 = stablehlo.multiply %14, %arg32 : tensor<16x32x256xf32>
    %16 = stablehlo.add %12, %15 : tensor<16x32x256xf32>
    %17 = stablehlo.dot_general %16, %arg31, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<16x32x64xf32>) -> tensor<256x64xf32>
    %18 = stablehlo.transpose %17, dims = [1, 0] : (tensor<256x64xf32>) -> tensor<64x256xf32>
    %19 = stablehlo.dot_general %16, %arg30, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x256xf32>, tensor<64x256xf32>) -> tensor<16x32x64xf32>
    %20 = stablehlo.multiply %arg27, %19 : tensor<16x32x64xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %22 = stablehlo.reshape %21 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %23 = stablehlo.broadcast_in_dim %arg29, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %24 = stablehlo.multiply %19, %23 : tensor<16x32x64xf32>
    %25 = stablehlo.multiply %22, %arg28 : tensor<16x32x1xf32>
    %cst_3 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %27 = stablehlo.divide %25, %26 : tensor<16x32x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %30 = stablehlo.multiply %arg27, %29 : tensor<16x32x64xf32>
    %31 = stablehlo.add %24, %30 : tensor<16x32x64xf32>
    %32 = stablehlo.multiply %29, %arg27 : tensor<16x32x64xf32>
    %33 = stablehlo.add %31, %32 : tensor<16x32x64xf32>
    %34 = stablehlo.negate %33 : tensor<16x32x64xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_5) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %36 = stablehlo.reshape %35 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %37 = stablehlo.add %arg2, %33 : tensor<16x32x64xf32>
    %cst_6 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %39 = stablehlo.divide %36, %38 : tensor<16x32x1xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%39 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %42 = stablehlo.add %37, %41 : tensor<16x32x64xf32>
    %43 = stablehlo.dot_general %42, %arg26, contracting_dims = [0, 1] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<16x4x16x32xf32>) -> tensor<64x4x16xf32>
    %44 = stablehlo.transpose %43, dims = [1, 2, 0] : (tensor<64x4x16xf32>) -> tensor<4x16x64xf32>
    %45 = stablehlo.dot_general %42, %arg25, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x64xf32>, tensor<4x16x64xf32>) -> tensor<16x32x4x16xf32>
    %46 = stablehlo.transpose %45, dims = [0, 2, 3, 1] : (tensor<16x32x4x16xf32>) -> tensor<16x4x16x32xf32>
    %47 = stablehlo.dot_general %46, %arg24, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x32xf32>
    %48 = stablehlo.dot_general %46, %arg23, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x4x16x32xf32>, tensor<16x4x32x32xf32>) -> tensor<16x4x16x32xf32>
    %49 = stablehlo.transpose %48, dims = [0, 3, 1, 2] : (tensor<16x4x16x32xf32>) -> tensor<16x32x4x16xf32>
    %50 = stablehlo.broadcast_in_dim %arg22, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %51 = stablehlo.multiply %47, %50 : tensor<16x4x32x32xf32>
    %52 = stablehlo.multiply %51, %arg20 : tensor<16x4x32x32xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.reduce(%52 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x32xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %54 = stablehlo.reshape %53 : (tensor<16x4x32xf32>) -> tensor<16x4x32x1xf32>
    %55 = stablehlo.negate %54 : tensor<16x4x32x1xf32>
    %56 = stablehlo.broadcast_in_dim %arg21, dims = [0, 1, 2, 3] : (tensor<16x4x32x1xf32>) -> tensor<16x4x32x32xf32>
    %57 = stablehlo.divide %47, %56 : tensor<16x4x32x32xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.reduce(%55 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<16x4x32x1xf32>, tensor<f32>) -> tensor<16x4x32xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2] : (tensor<16x4x32xf32>) -> tensor<16x4x32x32xf32>
    %60 = stablehlo.add %57, %59 : tensor<16x4x32x32xf32>
    %61 = stablehlo.multiply %60, %arg20 : tensor<16x4x32x32xf32>
    %62 = call @_where_20(%arg1, %61) : (tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>) -> tensor<16x4x32x32xf32>
    %63 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %64 = stablehlo.divide %62, %63 : tensor<16x4x32x32xf32>
    %65 = stablehlo.dot_general %64, %arg19, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x4x32x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x16xf32>
    %66 = stablehlo.transpose %65, dims = [0, 2, 1, 3] : (tensor<16x4x32x16xf32>) -> tensor<16x32x4x16xf32>
    %67 = stablehlo.dot_general %64, %arg18, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x4x32x32xf32>, tensor<16x32x4x16xf32>) -> tensor<16x4x32x16xf32>
    %68 = stablehlo.transpose %67, dims = [0, 2, 1, 3] : (tensor<16x4x32x16xf32>) -> tensor<16x32x4x16xf32>
    %69 = stablehlo.dot_general %49, %arg17, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %70 = stablehlo.transpose %69, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %71 = stablehlo.dot_general %49, %arg16, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %72 = stablehlo.multiply %arg13, %71 : tensor<16x32x64xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.reduce(%72 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %74 = stablehlo.reshape %73 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %75 = stablehlo.broadcast_in_dim %arg15, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %76 = stablehlo.multiply %71, %75 : tensor<16x32x64xf32>
    %77 = stablehlo.multiply %74, %arg14 : tensor<16x32x1xf32>
    %cst_11 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %79 = stablehlo.divide %77, %78 : tensor<16x32x1xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.reduce(%79 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %82 = stablehlo.multiply %arg13, %81 : tensor<16x32x64xf32>
    %83 = stablehlo.add %76, %82 : tensor<16x32x64xf32>
    %84 = stablehlo.multiply %81, %arg13 : tensor<16x32x64xf32>
    %85 = stablehlo.add %83, %84 : tensor<16x32x64xf32>
    %86 = stablehlo.negate %85 : tensor<16x32x64xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.reduce(%86 init: %cst_13) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %88 = stablehlo.reshape %87 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %89 = stablehlo.add %42, %85 : tensor<16x32x64xf32>
    %cst_14 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %91 = stablehlo.divide %88, %90 : tensor<16x32x1xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %92 = stablehlo.reduce(%91 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %94 = stablehlo.add %89, %93 : tensor<16x32x64xf32>
    %95 = stablehlo.dot_general %66, %arg12, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %96 = stablehlo.transpose %95, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %97 = stablehlo.dot_general %66, %arg11, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %98 = stablehlo.multiply %arg8, %97 : tensor<16x32x64xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %99 = stablehlo.reduce(%98 init: %cst_16) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %100 = stablehlo.reshape %99 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %101 = stablehlo.broadcast_in_dim %arg10, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %102 = stablehlo.multiply %97, %101 : tensor<16x32x64xf32>
    %103 = stablehlo.multiply %100, %arg9 : tensor<16x32x1xf32>
    %cst_17 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %105 = stablehlo.divide %103, %104 : tensor<16x32x1xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %106 = stablehlo.reduce(%105 init: %cst_18) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %107 = stablehlo.broadcast_in_dim %106, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %108 = stablehlo.multiply %arg8, %107 : tensor<16x32x64xf32>
    %109 = stablehlo.add %102, %108 : tensor<16x32x64xf32>
    %110 = stablehlo.multiply %107, %arg8 : tensor<16x32x64xf32>
    %111 = stablehlo.add %109, %110 : tensor<16x32x64xf32>
    %112 = stablehlo.negate %111 : tensor<16x32x64xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = stablehlo.reduce(%112 init: %cst_19) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %114 = stablehlo.reshape %113 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %115 = stablehlo.add %94, %111 : tensor<16x32x64xf32>
    %cst_20 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %117 = stablehlo.divide %114, %116 : tensor<16x32x1xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %118 = stablehlo.reduce(%117 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %119 = stablehlo.broadcast_in_dim %118, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %120 = stablehlo.add %115, %119 : tensor<16x32x64xf32>
    %121 = stablehlo.dot_general %68, %arg7, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<16x32x64xf32>) -> tensor<4x16x64xf32>
    %122 = stablehlo.transpose %121, dims = [2, 0, 1] : (tensor<4x16x64xf32>) -> tensor<64x4x16xf32>
    %123 = stablehlo.dot_general %68, %arg6, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<16x32x4x16xf32>, tensor<64x4x16xf32>) -> tensor<16x32x64xf32>
    %124 = stablehlo.multiply %arg3, %123 : tensor<16x32x64xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %125 = stablehlo.reduce(%124 init: %cst_22) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %126 = stablehlo.reshape %125 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %127 = stablehlo.broadcast_in_dim %arg5, dims = [0, 1, 2] : (tensor<16x32x1xf32>) -> tensor<16x32x64xf32>
    %128 = stablehlo.multiply %123, %127 : tensor<16x32x64xf32>
    %129 = stablehlo.multiply %126, %arg4 : tensor<16x32x1xf32>
    %cst_23 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %131 = stablehlo.divide %129, %130 : tensor<16x32x1xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %132 = stablehlo.reduce(%131 init: %cst_24) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %134 = stablehlo.multiply %arg3, %133 : tensor<16x32x64xf32>
    %135 = stablehlo.add %128, %134 : tensor<16x32x64xf32>
    %136 = stablehlo.multiply %133, %arg3 : tensor<16x32x64xf32>
    %137 = stablehlo.add %135, %136 : tensor<16x32x64xf32>
    %138 = stablehlo.negate %137 : tensor<16x32x64xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %139 = stablehlo.reduce(%138 init: %cst_25) applies stablehlo.add across dimensions = [2] : (tensor<16x32x64xf32>, tensor<f32>) -> tensor<16x32xf32>
    %140 = stablehlo.reshape %139 : (tensor<16x32xf32>) -> tensor<16x32x1xf32>
    %141 = stablehlo.add %120, %137 : tensor<16x32x64xf32>
    %cst_26 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x32x1xf32>
    %143 = stablehlo.divide %140, %142 : tensor<16x32x1xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %144 = stablehlo.reduce(%143 init: %cst_27) applies stablehlo.add across dimensions = [2] : (tensor<16x32x1xf32>, tensor<f32>) -> tensor<16x32xf32>
    %145 = stablehlo.broadcast_in_dim %144, dims = [0, 1] : (tensor<16x32xf32>) -> tensor<16x32x64xf32>
    %146 = stablehlo.add %141, %145 : tensor<16x32x64xf32>
    return %146, %1, %96, %44, %122, %18, %70 : tensor<16x32x64xf32>, tensor<256x64xf32>, tensor<64x4x16xf32>, tensor<4x16x64xf32>, tensor<64x4x16xf32>, tensor<64x256xf32>, tensor<64x4x16xf32>
  }
  func.func private @_where_20(%arg0: tensor<16x4x32x32xi1>, %arg1: tensor<16x4x32x32xf32>) -> tensor<16x4x32x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x4x32x32xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<16x4x32x32xi1>, tensor<16x4x32x32xf32>
    return %1 : tensor<16x4x32x32xf32>
  }
  func.func private @dynamic_update_index_in_dim_21(%arg0: tensor<8x256x64xf32>, %arg1: tensor<256x64xf32>, %arg2: tensor<i32>) -> tensor<8x256x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<256x64xf32>) -> tensor<1x256x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<8x256x64xf32>, tensor<1x256x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x256x64xf32>
    return %1 : tensor<8x256x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_22(%arg0: tensor<8x64x4x16xf32>, %arg1: tensor<64x4x16xf32>, %arg2: tensor<i32>) -> tensor<8x64x4x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<64x4x16xf32>) -> tensor<1x64x4x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<8x64x4x16xf32>, tensor<1x64x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x64x4x16xf32>
    return %1 : tensor<8x64x4x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_23(%arg0: tensor<8x4x16x64xf32>, %arg1: tensor<4x16x64xf32>, %arg2: tensor<i32>) -> tensor<8x4x16x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x16x64xf32>) -> tensor<1x4x16x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<8x4x16x64xf32>, tensor<1x4x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x4x16x64xf32>
    return %1 : tensor<8x4x16x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_24(%arg0: tensor<8x64x256xf32>, %arg1: tensor<64x256xf32>, %arg2: tensor<i32>) -> tensor<8x64x256xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x256xf32>) -> tensor<1x64x256xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<8x64x256xf32>, tensor<1x64x256xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x64x256xf32>
    return %1 : tensor<8x64x256xf32>
  }
}
