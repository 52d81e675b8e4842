package plugin

// This file lists the packages for compiling for NVIDIA GPUs and for running on them. They are the
// packages of jax-cuda13-plugin's extra "with-cuda", which JAX installs. All are in one directory,
// as in Python's site-packages, because the plugin looks for them relative to its own directory
// ($ORIGIN/../../nvidia/cu13/lib, …).
//
// The checksums of wheels are from the package index. The checksums of members are from the RECORD
// of the wheel.

const cudaDir = "jax-cuda13-pjrt-0.12.0.1"

// cudaCompiler lists the packages for compiling: the plugin, and the programs and files that it
// uses.
var cudaCompiler = []Release{
	{
		What: "XLA's plugin for NVIDIA GPUs", Package: "jax-cuda13-pjrt", Version: "0.12.0.1", Dir: cudaDir,
		Wheel:  "jax_cuda13_pjrt-0.12.0.1-py3-none-manylinux_2_27_x86_64.whl",
		SHA256: "5899bb6177eda86ea532afb9a26794f2bdd04966f6a01f9028266b16c2b6cf90", Bytes: 134922808,
		Members: []Member{
			{Path: "jax_plugins/xla_cuda13/xla_cuda_plugin.so", SHA256: "b6de513893c09af2c77e71afcef46d9706f8c259337cdef4cd5cae2353886f75"},
		},
	},
	{
		What: "NVIDIA's ptxas", Package: "nvidia-cuda-nvcc", Version: "13.5.37", Dir: cudaDir,
		Wheel:  "nvidia_cuda_nvcc-13.5.37-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
		SHA256: "f5c4f7ead5d964fb4af42bbf1e6d3ec3c1e6e9d83b53749f691d387e7fcaa3a7", Bytes: 47028279,
		Members: []Member{
			{Path: "nvidia/cu13/bin/ptxas", SHA256: "b3e295413e9628ee261a63ea3f70ec5af20988c9809214c064661662206574a3"},
			{Path: "nvidia/cu13/bin/nvlink", SHA256: "69eb06f88f05440ce11324e771d5598f4e50cc79fc9a19779a0a78c57b5da69a"},
		},
	},
	{
		What: "NVIDIA's libdevice", Package: "nvidia-nvvm", Version: "13.5.37", Dir: cudaDir,
		Wheel:  "nvidia_nvvm-13.5.37-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl",
		SHA256: "c41bfa362e407405163f103c2229f0765f8cc2ed7d148b754dc77f228bf7e070", Bytes: 75141406,
		Members: []Member{
			{Path: "nvidia/cu13/nvvm/libdevice/libdevice.10.bc", SHA256: "7e46db290976f7d8988b85c8820a135595ede636faa1ca7de63e67f8c775456f"},
		},
	},
}

// cudaLibraries lists the libraries that the plugin opens when it runs on a GPU. They are in JAX's
// order: a library comes after the libraries that it needs. The first member of each package is
// opened in advance (see Libraries).
var cudaLibraries = []Release{
	{
		What: "NVIDIA's CUDA runtime", Package: "nvidia-cuda-runtime", Version: "13.5.37", Dir: cudaDir,
		Wheel:  "nvidia_cuda_runtime-13.5.37-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
		SHA256: "df2b79a8852f10d1fef8c848489c49eebb5754051bf870202a862831412b179d", Bytes: 2504024,
		Members: []Member{
			{Path: "nvidia/cu13/lib/libcudart.so.13", SHA256: "be114eaabb3f3251cf30b6e334be5e8c3cf1b12c0a11c17295a810dd83cc141a"},
		},
	},
	{
		What: "NVIDIA's NVRTC", Package: "nvidia-cuda-nvrtc", Version: "13.5.37", Dir: cudaDir,
		Wheel:  "nvidia_cuda_nvrtc-13.5.37-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl",
		SHA256: "86b4d68058807988b7d9af5b44917a0601e9c337f35ccd657bfb3c759ff8d8bc", Bytes: 58185930,
		Members: []Member{
			{Path: "nvidia/cu13/lib/libnvrtc.so.13", SHA256: "98a317ff5d2176dee5a04235c6663f8d553d5ed95b3104cbf7fb198cbf76a10d"},
			{Path: "nvidia/cu13/lib/libnvrtc-builtins.so.13.5", SHA256: "6cecb2fd3e562bab1cb1c6e192f8f828157683c8febb22a00e178f9faf4e7f6a"},
		},
	},
	{
		What: "NVIDIA's nvJitLink", Package: "nvidia-nvjitlink", Version: "13.5.37", Dir: cudaDir,
		Wheel:  "nvidia_nvjitlink-13.5.37-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl",
		SHA256: "280d7cb9649704145f074b8dbde500de04ce02d0872e066e20a83c17bcaa93eb", Bytes: 46642491,
		Members: []Member{
			{Path: "nvidia/cu13/lib/libnvJitLink.so.13", SHA256: "0ba4a7e2c0819291ce928513755f4931dd69c77c63fb77677d14dc1360f28601"},
		},
	},
	{
		What: "NVIDIA's cuBLAS", Package: "nvidia-cublas", Version: "13.10.0.20", Dir: cudaDir,
		Wheel:  "nvidia_cublas-13.10.0.20-py3-none-manylinux1_x86_64.manylinux_2_5_x86_64.whl",
		SHA256: "dcc6d63884c53d07e267ce7e6feac17b2538cebaafec5db865736c3e28e4dc84", Bytes: 444289903,
		Members: []Member{
			{Path: "nvidia/cu13/lib/libcublas.so.13", SHA256: "863f349b5352363c66079090d43d9d56ad3d676373ecac18418fd4fb2d0579d1"},
			{Path: "nvidia/cu13/lib/libcublasLt.so.13", SHA256: "b58e18ab4a6adc9bf4833d5cfe28db688e675fd6021db7eaf5da78d23f95d2de"},
		},
	},
	{
		What: "NVIDIA's NCCL", Package: "nvidia-nccl-cu13", Version: "2.32.3", Dir: cudaDir,
		Wheel:  "nvidia_nccl_cu13-2.32.3-py3-none-manylinux_2_27_x86_64.whl",
		SHA256: "1459723080ac889d73a26edfa3e04383a7928ab31ac8f0ec43b3ea9548b04ff3", Bytes: 305100071,
		Members: []Member{
			{Path: "nvidia/nccl/lib/libnccl.so.2", SHA256: "651cf05af28976ca8d996f4e2750e69db1fa427667ee3405b9e576e9d2960eaf"},
		},
	},
	{
		What: "NVIDIA's CUPTI", Package: "nvidia-cuda-cupti", Version: "13.5.25", Dir: cudaDir,
		Wheel:  "nvidia_cuda_cupti-13.5.25-py3-none-manylinux_2_25_x86_64.whl",
		SHA256: "9dcca41c12a734192b14e7128ae116bc9ce1b9da686e2ebf48ae7a4415f76650", Bytes: 12592974,
		Members: []Member{
			{Path: "nvidia/cu13/lib/libcupti.so.13", SHA256: "b99221bbde32869f721bc6c2807bda6afa634f8af7c27d28c52bb178a1652283"},
		},
	},
	{
		What: "NVIDIA's cuSPARSE", Package: "nvidia-cusparse", Version: "12.9.4.2", Dir: cudaDir,
		Wheel:  "nvidia_cusparse-12.9.4.2-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
		SHA256: "072667e58c851a318738f5527a12eb225cbf058803f2ea451c722d8cf8edddec", Bytes: 230422857,
		Members: []Member{
			{Path: "nvidia/cu13/lib/libcusparse.so.12", SHA256: "32737e918650cd726a86929e1737f3537fb8d1e3dd24712c07c308b4d95152aa"},
		},
	},
	{
		What: "NVIDIA's cuSOLVER", Package: "nvidia-cusolver", Version: "12.4.1.2", Dir: cudaDir,
		Wheel:  "nvidia_cusolver-12.4.1.2-py3-none-manylinux_2_27_x86_64.whl",
		SHA256: "b3b8e02fd2f2df869369af075dc3a179d43f6f7b85e94632a7dce556697be044", Bytes: 260003940,
		Members: []Member{
			{Path: "nvidia/cu13/lib/libcusolver.so.12", SHA256: "f452690d7bb684739001b10d8b946ca2f710a2187110cf8d4c11bbde983a4959"},
		},
	},
	{
		What: "NVIDIA's cuFFT", Package: "nvidia-cufft", Version: "12.5.0.14", Dir: cudaDir,
		Wheel:  "nvidia_cufft-12.5.0.14-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
		SHA256: "b8be26837a5abad2b5b74f3e92dd29f622a42934b355be0961a48712cbba23ad", Bytes: 165072555,
		Members: []Member{
			{Path: "nvidia/cu13/lib/libcufft.so.12", SHA256: "fbc2100d3725d93ebd5c407c4c33717097f34ec0fd01ee899be4c9712b671774"},
		},
	},
	{
		What: "NVIDIA's NVSHMEM", Package: "nvidia-nvshmem-cu13", Version: "3.8.0", Dir: cudaDir,
		Wheel:  "nvidia_nvshmem_cu13-3.8.0-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
		SHA256: "81a4d1f666543e6d34df6d2ff940c7da1435e34e186aab6f3c2b48861b64ef38", Bytes: 182092449,
		Members: []Member{
			{Path: "nvidia/nvshmem/lib/libnvshmem_host.so.3", SHA256: "d698dd286ea488b7124b5cca70cf938e6a0d7ddc3bc95bdfc374355c6787a38d"},
			{Path: "nvidia/nvshmem/lib/nvshmem_bootstrap_uid.so.3", SHA256: "af77cc235bc7deffcab4096a9fc2ae7e96793153f8e7d899658f1842fbd65e15"},
			{Path: "nvidia/nvshmem/lib/nvshmem_transport_gpunetio.so.7", SHA256: "d8cb0cd8f2db48293e8bb0a976dcd632a26feb92b8bc600f8db26f554b66c489"},
			{Path: "nvidia/nvshmem/lib/nvshmem_transport_ibdevx.so.7", SHA256: "8ca65648573cec99af4105087951a401cf55bea66492459b10ded136e5cf3c3f"},
			{Path: "nvidia/nvshmem/lib/nvshmem_transport_ibgda.so.7", SHA256: "ffda97b9b1dab614d7b214f06e1ed4cc908843c8749488867775fbba2d4be6cc"},
			{Path: "nvidia/nvshmem/lib/nvshmem_transport_ibrc.so.7", SHA256: "3f050de30cc259557c44f12849804a57c844e0c3fcca02d23de974e54e9ec08b"},
			{Path: "nvidia/nvshmem/lib/nvshmem_transport_libfabric.so.7", SHA256: "10394b269b690043e58afe402e60cdd160d3a5eca9f7afb7659f511440132a2c"},
			{Path: "nvidia/nvshmem/lib/nvshmem_transport_ucx.so.7", SHA256: "23d9708928accb5caf9e1d4f054e34d21ddf1825f3bc83f6bf68f36f7821732f"},
		},
	},
	{
		What: "NVIDIA's cuDNN", Package: "nvidia-cudnn-cu13", Version: "9.28.1.4", Dir: cudaDir,
		Wheel:  "nvidia_cudnn_cu13-9.28.1.4-py3-none-manylinux_2_27_x86_64.whl",
		SHA256: "a54f205b1db1f2895d99f398754db1369816f0569dd459731f925635cf7b65ec", Bytes: 516817937,
		Members: []Member{
			{Path: "nvidia/cudnn/lib/libcudnn.so.9", SHA256: "f756cabeed9b481134769fdbc0c2ae022cf52ac39aab08be26ea990a56da2efc"},
			{Path: "nvidia/cudnn/lib/libcudnn_adv.so.9", SHA256: "d69ed7d8adc4524ddb6cbf5e10211e35f580d14e40924692f0cdf1b78cf23ab2"},
			{Path: "nvidia/cudnn/lib/libcudnn_cnn.so.9", SHA256: "2512f47e6e33000e12be5b2e59ac71eb8f5805a548561e7637e4413d1b7cdeb7"},
			{Path: "nvidia/cudnn/lib/libcudnn_engines_precompiled.so.9", SHA256: "51bd1d25591ae2994120aac5c5be172e31b973e0fdeba43a50647949096ee40a"},
			{Path: "nvidia/cudnn/lib/libcudnn_engines_runtime_compiled.so.9", SHA256: "738655d1b9441a752fde9b9911780635e60fe96113f2b06c1af6d70458ef5174"},
			{Path: "nvidia/cudnn/lib/libcudnn_engines_tensor_ir.so.9", SHA256: "ff088c803f896fd9a92c0ab861026ff3b7ee5a4222713c3dd8221e1c843e74ec"},
			{Path: "nvidia/cudnn/lib/libcudnn_ext.so.9", SHA256: "46c273e178b7733ffa5d56bd9719f378a20b94e07d2ccf23c4078e22bced0652"},
			{Path: "nvidia/cudnn/lib/libcudnn_graph.so.9", SHA256: "06c28f04f028466cf33461a7d645210146015d425a0dae6c7dc7e60c07c4d973"},
			{Path: "nvidia/cudnn/lib/libcudnn_heuristic.so.9", SHA256: "7738da4dd6fee9597680ff595863743b2bc4bd5b0ec3edb4e8e9d28a2b5e629d"},
			{Path: "nvidia/cudnn/lib/libcudnn_ops.so.9", SHA256: "e849b0a7353eec5bb5c9f75d841d075d786e205d84f8fd07b092770554674e48"},
		},
	},
}
