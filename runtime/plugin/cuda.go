package plugin

// This file finds the files that XLA needs for NVIDIA GPUs besides its plugin: ptxas and libdevice
// for compiling, and NVIDIA's libraries for running.

import (
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
)

// libdevice and ptxas are the files that compiling needs, in the directory that CUDAData returns.
const (
	libdevice = "nvvm/libdevice/libdevice.10.bc"
	ptxas     = "bin/ptxas"
)

// CUDAData returns the directory with bin/ptxas and nvvm/libdevice, for XLA's flag
// --xla_gpu_cuda_data_dir. It looks in gospmd's cache, among Python's packages, and in CUDA's
// toolkit ($CUDA_HOME, $CUDA_PATH, /usr/local/cuda), in this order. It skips a directory whose
// ptxas other users can change, or which is damaged, with a warning to slog.Default. The error
// wraps ErrMissing.
func CUDAData() (string, error) {
	for _, in := range cudaDataDirs() {
		found, err := fs.Glob(os.DirFS(in.root), path.Join(in.pattern, libdevice))
		if err != nil {
			continue
		}
		for _, name := range found {
			dir, err := filepath.Abs(filepath.Join(in.root, name, "../../.."))
			if err != nil || !exists(filepath.Join(dir, ptxas)) {
				continue
			}
			if err := checkUsable(filepath.Join(dir, ptxas)); err != nil {
				slog.Warn(fmt.Sprintf("gospmd: CUDA's ptxas is passed over: %v", err))
				continue
			}
			return dir, nil
		}
	}
	return "", fmt.Errorf("ptxas and libdevice, which compiling for NVIDIA GPUs needs: %w: install them with `gospmd doctor -install cuda`, "+
		"with `pip install nvidia-cuda-nvcc nvidia-nvvm`, or set $CUDA_HOME to CUDA's toolkit", ErrMissing)
}

func cudaDataDirs() (dirs []places) {
	if cache, err := CacheDir(); err == nil {
		dirs = append(dirs, places{cache, path.Join(cudaDir, "nvidia/cu13")})
	}
	dirs = append(dirs, packageDirs("nvidia/cu*")...)
	for _, v := range []string{"CUDA_HOME", "CUDA_PATH"} {
		if root := os.Getenv(v); root != "" {
			dirs = append(dirs, places{root, "."})
		}
	}
	return append(dirs, places{"/usr/local/cuda", "."})
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// Libraries returns the paths of NVIDIA's libraries in the Python packages beside the plugin. Open
// them in this order, so that the plugin then finds them by name. There is one library for each
// package: it finds the others of its package. It leaves out those that are missing, or that other
// users can change. For them the system searches $LD_LIBRARY_PATH.
func Libraries(plugin string) (files []string) {
	root := filepath.Join(filepath.Dir(plugin), "..", "..")
	for _, r := range cudaLibraries {
		file := filepath.Join(root, filepath.FromSlash(r.Members[0].Path))
		if exists(file) && checkUsable(file) == nil {
			files = append(files, file)
		}
	}
	return files
}
