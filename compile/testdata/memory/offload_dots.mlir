// Made by fit_programs.py with JAX 0.10.2.
module @jit_offload_dots attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4x64x16xf32> {jax.buffer_donor = true, mhlo.memory_kind = "device", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg1: tensor<4x16x64xf32> {jax.buffer_donor = true, mhlo.memory_kind = "device", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg2: tensor<512x16xf32> {mhlo.memory_kind = "device", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg3: tensor<512x16xf32> {mhlo.memory_kind = "device", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<4x64x16xf32> {jax.result_info = "result[0]['down']", mhlo.memory_kind = "device"}, tensor<4x16x64xf32> {jax.result_info = "result[0]['up']", mhlo.memory_kind = "device"}, tensor<f32> {jax.result_info = "result[1]", mhlo.memory_kind = "device"}) {
    %0 = stablehlo.slice %arg0 [0:1, 0:64, 0:16] : (tensor<4x64x16xf32>) -> tensor<1x64x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    %2 = stablehlo.slice %arg1 [0:1, 0:16, 0:64] : (tensor<4x16x64xf32>) -> tensor<1x16x64xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    %4 = stablehlo.dot_general %arg2, %3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %5 = stablehlo.custom_call @annotate_device_placement(%4) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<512x64xf32>) -> tensor<512x64xf32>
    %6 = stablehlo.multiply %4, %4 : tensor<512x64xf32>
    %7 = stablehlo.multiply %6, %4 : tensor<512x64xf32>
    %cst = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<512x64xf32>
    %10 = stablehlo.add %4, %9 : tensor<512x64xf32>
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
    %18 = stablehlo.multiply %4, %17 : tensor<512x64xf32>
    %19 = stablehlo.dot_general %18, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<64x16xf32>) -> tensor<512x16xf32>
    %20 = stablehlo.add %arg2, %19 : tensor<512x16xf32>
    %21 = stablehlo.slice %arg0 [1:2, 0:64, 0:16] : (tensor<4x64x16xf32>) -> tensor<1x64x16xf32>
    %22 = stablehlo.reshape %21 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    %23 = stablehlo.slice %arg1 [1:2, 0:16, 0:64] : (tensor<4x16x64xf32>) -> tensor<1x16x64xf32>
    %24 = stablehlo.reshape %23 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    %25 = stablehlo.dot_general %20, %24, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %26 = stablehlo.custom_call @annotate_device_placement(%25) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<512x64xf32>) -> tensor<512x64xf32>
    %27 = stablehlo.multiply %25, %25 : tensor<512x64xf32>
    %28 = stablehlo.multiply %27, %25 : tensor<512x64xf32>
    %cst_3 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %30 = stablehlo.multiply %29, %28 : tensor<512x64xf32>
    %31 = stablehlo.add %25, %30 : tensor<512x64xf32>
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
    %39 = stablehlo.multiply %25, %38 : tensor<512x64xf32>
    %40 = stablehlo.dot_general %39, %22, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<64x16xf32>) -> tensor<512x16xf32>
    %41 = stablehlo.add %20, %40 : tensor<512x16xf32>
    %42 = stablehlo.slice %arg0 [2:3, 0:64, 0:16] : (tensor<4x64x16xf32>) -> tensor<1x64x16xf32>
    %43 = stablehlo.reshape %42 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    %44 = stablehlo.slice %arg1 [2:3, 0:16, 0:64] : (tensor<4x16x64xf32>) -> tensor<1x16x64xf32>
    %45 = stablehlo.reshape %44 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    %46 = stablehlo.dot_general %41, %45, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %47 = stablehlo.custom_call @annotate_device_placement(%46) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<512x64xf32>) -> tensor<512x64xf32>
    %48 = stablehlo.multiply %46, %46 : tensor<512x64xf32>
    %49 = stablehlo.multiply %48, %46 : tensor<512x64xf32>
    %cst_7 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %51 = stablehlo.multiply %50, %49 : tensor<512x64xf32>
    %52 = stablehlo.add %46, %51 : tensor<512x64xf32>
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
    %60 = stablehlo.multiply %46, %59 : tensor<512x64xf32>
    %61 = stablehlo.dot_general %60, %43, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<64x16xf32>) -> tensor<512x16xf32>
    %62 = stablehlo.add %41, %61 : tensor<512x16xf32>
    %63 = stablehlo.slice %arg0 [3:4, 0:64, 0:16] : (tensor<4x64x16xf32>) -> tensor<1x64x16xf32>
    %64 = stablehlo.reshape %63 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    %65 = stablehlo.slice %arg1 [3:4, 0:16, 0:64] : (tensor<4x16x64xf32>) -> tensor<1x16x64xf32>
    %66 = stablehlo.reshape %65 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    %67 = stablehlo.dot_general %62, %66, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x64xf32>) -> tensor<512x64xf32>
    %68 = stablehlo.custom_call @annotate_device_placement(%67) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<512x64xf32>) -> tensor<512x64xf32>
    %69 = stablehlo.multiply %67, %67 : tensor<512x64xf32>
    %70 = stablehlo.multiply %69, %67 : tensor<512x64xf32>
    %cst_11 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %72 = stablehlo.multiply %71, %70 : tensor<512x64xf32>
    %73 = stablehlo.add %67, %72 : tensor<512x64xf32>
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
    %81 = stablehlo.multiply %67, %80 : tensor<512x64xf32>
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
    %94 = stablehlo.custom_call @annotate_device_placement(%93#0) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<512x64xf32>) -> tensor<512x64xf32>
    %95 = stablehlo.multiply %94, %94 : tensor<512x64xf32>
    %96 = stablehlo.multiply %95, %94 : tensor<512x64xf32>
    %97 = stablehlo.multiply %94, %94 : tensor<512x64xf32>
    %cst_20 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %99 = stablehlo.multiply %98, %97 : tensor<512x64xf32>
    %cst_21 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %101 = stablehlo.multiply %100, %96 : tensor<512x64xf32>
    %102 = stablehlo.add %94, %101 : tensor<512x64xf32>
    %cst_22 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %104 = stablehlo.multiply %103, %102 : tensor<512x64xf32>
    %105 = stablehlo.tanh %104 : tensor<512x64xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %107 = stablehlo.subtract %106, %105 : tensor<512x64xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %109 = stablehlo.add %108, %105 : tensor<512x64xf32>
    %cst_25 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %111 = stablehlo.multiply %110, %109 : tensor<512x64xf32>
    %112 = stablehlo.multiply %94, %111 : tensor<512x64xf32>
    %113 = stablehlo.dot_general %93#4, %112, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x64xf32>) -> tensor<16x64xf32>
    %114 = stablehlo.transpose %113, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %115 = stablehlo.dot_general %93#4, %93#2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<64x16xf32>) -> tensor<512x64xf32>
    %116 = stablehlo.multiply %94, %115 : tensor<512x64xf32>
    %117 = stablehlo.multiply %115, %111 : tensor<512x64xf32>
    %cst_26 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %119 = stablehlo.multiply %118, %116 : tensor<512x64xf32>
    %120 = stablehlo.multiply %119, %107 : tensor<512x64xf32>
    %121 = stablehlo.multiply %120, %105 : tensor<512x64xf32>
    %122 = stablehlo.add %120, %121 : tensor<512x64xf32>
    %cst_27 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %124 = stablehlo.multiply %123, %122 : tensor<512x64xf32>
    %125 = stablehlo.add %117, %124 : tensor<512x64xf32>
    %cst_28 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %127 = stablehlo.multiply %126, %124 : tensor<512x64xf32>
    %128 = stablehlo.multiply %127, %99 : tensor<512x64xf32>
    %129 = stablehlo.add %125, %128 : tensor<512x64xf32>
    %130 = stablehlo.dot_general %129, %93#1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<512x16xf32>) -> tensor<64x16xf32>
    %131 = stablehlo.transpose %130, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %132 = stablehlo.dot_general %129, %93#3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<16x64xf32>) -> tensor<512x16xf32>
    %133 = stablehlo.add %93#4, %132 : tensor<512x16xf32>
    %134 = stablehlo.broadcast_in_dim %131, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %135 = stablehlo.pad %134, %cst_29, low = [3, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<4x16x64xf32>
    %136 = stablehlo.broadcast_in_dim %114, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %137 = stablehlo.pad %136, %cst_30, low = [3, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<1x64x16xf32>, tensor<f32>) -> tensor<4x64x16xf32>
    %138:5 = stablehlo.optimization_barrier %47, %41, %43, %45, %133 : tensor<512x64xf32>, tensor<512x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>, tensor<512x16xf32>
    %139 = stablehlo.custom_call @annotate_device_placement(%138#0) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<512x64xf32>) -> tensor<512x64xf32>
    %140 = stablehlo.multiply %139, %139 : tensor<512x64xf32>
    %141 = stablehlo.multiply %140, %139 : tensor<512x64xf32>
    %142 = stablehlo.multiply %139, %139 : tensor<512x64xf32>
    %cst_31 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %144 = stablehlo.multiply %143, %142 : tensor<512x64xf32>
    %cst_32 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %146 = stablehlo.multiply %145, %141 : tensor<512x64xf32>
    %147 = stablehlo.add %139, %146 : tensor<512x64xf32>
    %cst_33 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %149 = stablehlo.multiply %148, %147 : tensor<512x64xf32>
    %150 = stablehlo.tanh %149 : tensor<512x64xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %152 = stablehlo.subtract %151, %150 : tensor<512x64xf32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %154 = stablehlo.add %153, %150 : tensor<512x64xf32>
    %cst_36 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %156 = stablehlo.multiply %155, %154 : tensor<512x64xf32>
    %157 = stablehlo.multiply %139, %156 : tensor<512x64xf32>
    %158 = stablehlo.dot_general %138#4, %157, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x64xf32>) -> tensor<16x64xf32>
    %159 = stablehlo.transpose %158, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %160 = stablehlo.dot_general %138#4, %138#2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<64x16xf32>) -> tensor<512x64xf32>
    %161 = stablehlo.multiply %139, %160 : tensor<512x64xf32>
    %162 = stablehlo.multiply %160, %156 : tensor<512x64xf32>
    %cst_37 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %164 = stablehlo.multiply %163, %161 : tensor<512x64xf32>
    %165 = stablehlo.multiply %164, %152 : tensor<512x64xf32>
    %166 = stablehlo.multiply %165, %150 : tensor<512x64xf32>
    %167 = stablehlo.add %165, %166 : tensor<512x64xf32>
    %cst_38 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %168 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %169 = stablehlo.multiply %168, %167 : tensor<512x64xf32>
    %170 = stablehlo.add %162, %169 : tensor<512x64xf32>
    %cst_39 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %171 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %172 = stablehlo.multiply %171, %169 : tensor<512x64xf32>
    %173 = stablehlo.multiply %172, %144 : tensor<512x64xf32>
    %174 = stablehlo.add %170, %173 : tensor<512x64xf32>
    %175 = stablehlo.dot_general %174, %138#1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<512x16xf32>) -> tensor<64x16xf32>
    %176 = stablehlo.transpose %175, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %177 = stablehlo.dot_general %174, %138#3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<16x64xf32>) -> tensor<512x16xf32>
    %178 = stablehlo.add %138#4, %177 : tensor<512x16xf32>
    %179 = stablehlo.broadcast_in_dim %176, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %180 = stablehlo.pad %179, %cst_40, low = [2, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<4x16x64xf32>
    %181 = stablehlo.add %135, %180 : tensor<4x16x64xf32>
    %182 = stablehlo.broadcast_in_dim %159, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %183 = stablehlo.pad %182, %cst_41, low = [2, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<1x64x16xf32>, tensor<f32>) -> tensor<4x64x16xf32>
    %184 = stablehlo.add %137, %183 : tensor<4x64x16xf32>
    %185:5 = stablehlo.optimization_barrier %26, %20, %22, %24, %178 : tensor<512x64xf32>, tensor<512x16xf32>, tensor<64x16xf32>, tensor<16x64xf32>, tensor<512x16xf32>
    %186 = stablehlo.custom_call @annotate_device_placement(%185#0) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<512x64xf32>) -> tensor<512x64xf32>
    %187 = stablehlo.multiply %186, %186 : tensor<512x64xf32>
    %188 = stablehlo.multiply %187, %186 : tensor<512x64xf32>
    %189 = stablehlo.multiply %186, %186 : tensor<512x64xf32>
    %cst_42 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %190 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %191 = stablehlo.multiply %190, %189 : tensor<512x64xf32>
    %cst_43 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %193 = stablehlo.multiply %192, %188 : tensor<512x64xf32>
    %194 = stablehlo.add %186, %193 : tensor<512x64xf32>
    %cst_44 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %196 = stablehlo.multiply %195, %194 : tensor<512x64xf32>
    %197 = stablehlo.tanh %196 : tensor<512x64xf32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %198 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %199 = stablehlo.subtract %198, %197 : tensor<512x64xf32>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %200 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %201 = stablehlo.add %200, %197 : tensor<512x64xf32>
    %cst_47 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %202 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %203 = stablehlo.multiply %202, %201 : tensor<512x64xf32>
    %204 = stablehlo.multiply %186, %203 : tensor<512x64xf32>
    %205 = stablehlo.dot_general %185#4, %204, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x64xf32>) -> tensor<16x64xf32>
    %206 = stablehlo.transpose %205, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %207 = stablehlo.dot_general %185#4, %185#2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<64x16xf32>) -> tensor<512x64xf32>
    %208 = stablehlo.multiply %186, %207 : tensor<512x64xf32>
    %209 = stablehlo.multiply %207, %203 : tensor<512x64xf32>
    %cst_48 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %210 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %211 = stablehlo.multiply %210, %208 : tensor<512x64xf32>
    %212 = stablehlo.multiply %211, %199 : tensor<512x64xf32>
    %213 = stablehlo.multiply %212, %197 : tensor<512x64xf32>
    %214 = stablehlo.add %212, %213 : tensor<512x64xf32>
    %cst_49 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %216 = stablehlo.multiply %215, %214 : tensor<512x64xf32>
    %217 = stablehlo.add %209, %216 : tensor<512x64xf32>
    %cst_50 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %219 = stablehlo.multiply %218, %216 : tensor<512x64xf32>
    %220 = stablehlo.multiply %219, %191 : tensor<512x64xf32>
    %221 = stablehlo.add %217, %220 : tensor<512x64xf32>
    %222 = stablehlo.dot_general %221, %185#1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<512x16xf32>) -> tensor<64x16xf32>
    %223 = stablehlo.transpose %222, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %224 = stablehlo.dot_general %221, %185#3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<16x64xf32>) -> tensor<512x16xf32>
    %225 = stablehlo.add %185#4, %224 : tensor<512x16xf32>
    %226 = stablehlo.broadcast_in_dim %223, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %227 = stablehlo.pad %226, %cst_51, low = [1, 0, 0], high = [2, 0, 0], interior = [0, 0, 0] : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<4x16x64xf32>
    %228 = stablehlo.add %181, %227 : tensor<4x16x64xf32>
    %229 = stablehlo.broadcast_in_dim %206, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %230 = stablehlo.pad %229, %cst_52, low = [1, 0, 0], high = [2, 0, 0], interior = [0, 0, 0] : (tensor<1x64x16xf32>, tensor<f32>) -> tensor<4x64x16xf32>
    %231 = stablehlo.add %184, %230 : tensor<4x64x16xf32>
    %232:4 = stablehlo.optimization_barrier %5, %arg2, %1, %225 : tensor<512x64xf32>, tensor<512x16xf32>, tensor<64x16xf32>, tensor<512x16xf32>
    %233 = stablehlo.custom_call @annotate_device_placement(%232#0) {backend_config = "", has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<512x64xf32>) -> tensor<512x64xf32>
    %234 = stablehlo.multiply %233, %233 : tensor<512x64xf32>
    %235 = stablehlo.multiply %234, %233 : tensor<512x64xf32>
    %236 = stablehlo.multiply %233, %233 : tensor<512x64xf32>
    %cst_53 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %238 = stablehlo.multiply %237, %236 : tensor<512x64xf32>
    %cst_54 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %239 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %240 = stablehlo.multiply %239, %235 : tensor<512x64xf32>
    %241 = stablehlo.add %233, %240 : tensor<512x64xf32>
    %cst_55 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %242 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %243 = stablehlo.multiply %242, %241 : tensor<512x64xf32>
    %244 = stablehlo.tanh %243 : tensor<512x64xf32>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %245 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %246 = stablehlo.subtract %245, %244 : tensor<512x64xf32>
    %cst_57 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %247 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %248 = stablehlo.add %247, %244 : tensor<512x64xf32>
    %cst_58 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %249 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %250 = stablehlo.multiply %249, %248 : tensor<512x64xf32>
    %251 = stablehlo.multiply %233, %250 : tensor<512x64xf32>
    %252 = stablehlo.dot_general %232#3, %251, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x64xf32>) -> tensor<16x64xf32>
    %253 = stablehlo.transpose %252, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %254 = stablehlo.dot_general %232#3, %232#2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<64x16xf32>) -> tensor<512x64xf32>
    %255 = stablehlo.multiply %233, %254 : tensor<512x64xf32>
    %256 = stablehlo.multiply %254, %250 : tensor<512x64xf32>
    %cst_59 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %258 = stablehlo.multiply %257, %255 : tensor<512x64xf32>
    %259 = stablehlo.multiply %258, %246 : tensor<512x64xf32>
    %260 = stablehlo.multiply %259, %244 : tensor<512x64xf32>
    %261 = stablehlo.add %259, %260 : tensor<512x64xf32>
    %cst_60 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %263 = stablehlo.multiply %262, %261 : tensor<512x64xf32>
    %264 = stablehlo.add %256, %263 : tensor<512x64xf32>
    %cst_61 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %265 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %266 = stablehlo.multiply %265, %263 : tensor<512x64xf32>
    %267 = stablehlo.multiply %266, %238 : tensor<512x64xf32>
    %268 = stablehlo.add %264, %267 : tensor<512x64xf32>
    %269 = stablehlo.dot_general %268, %232#1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x64xf32>, tensor<512x16xf32>) -> tensor<64x16xf32>
    %270 = stablehlo.transpose %269, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %271 = stablehlo.broadcast_in_dim %270, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %272 = stablehlo.pad %271, %cst_62, low = [0, 0, 0], high = [3, 0, 0], interior = [0, 0, 0] : (tensor<1x16x64xf32>, tensor<f32>) -> tensor<4x16x64xf32>
    %273 = stablehlo.add %228, %272 : tensor<4x16x64xf32>
    %274 = stablehlo.broadcast_in_dim %253, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %275 = stablehlo.pad %274, %cst_63, low = [0, 0, 0], high = [3, 0, 0], interior = [0, 0, 0] : (tensor<1x64x16xf32>, tensor<f32>) -> tensor<4x64x16xf32>
    %276 = stablehlo.add %231, %275 : tensor<4x64x16xf32>
    %cst_64 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %277 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %278 = stablehlo.multiply %277, %276 : tensor<4x64x16xf32>
    %279 = stablehlo.subtract %arg0, %278 : tensor<4x64x16xf32>
    %cst_65 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %280 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %281 = stablehlo.multiply %280, %273 : tensor<4x16x64xf32>
    %282 = stablehlo.subtract %arg1, %281 : tensor<4x16x64xf32>
    return %279, %282, %89 : tensor<4x64x16xf32>, tensor<4x16x64xf32>, tensor<f32>
  }
}
