package aot

// This file finds what the compiler for GPUs needs beside its plugin: the
// specification of the GPU, ptxas and libdevice.

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// gpuNames is how the specifications in XLA's plugin name the GPUs.
var gpuNames = map[string]string{
	"v100":  "Tesla V100-SXM2-16GB",
	"a100":  "NVIDIA A100-SXM4-80GB",
	"h100":  "NVIDIA H100 80GB HBM3",
	"h200":  "NVIDIA H200 141GB HBM3e",
	"b200":  "NVIDIA B200",
	"b300":  "NVIDIA B300",
	"gb200": "NVIDIA GB200",
	"gb300": "NVIDIA GB300",
}

// specName starts the line of a specification with the name of the GPU.
const specName = "device_description_str: \""

// gpuConfig returns the specification of a GPU, a GpuTargetConfigProto as text, which
// the plugin has among its constants.
func gpuConfig(chip, plugin string) (string, error) {
	constants, err := rodata(plugin)
	if err != nil {
		return "", fmt.Errorf("the plugin %s cannot be read: %w", plugin, err)
	}
	var known []string
	for rest := constants; ; {
		i := bytes.Index(rest, []byte(specName))
		if i < 0 {
			break
		}
		start := bytes.LastIndexByte(rest[:i], 0) + 1
		end := i + max(0, bytes.IndexByte(rest[i:], 0))
		spec := string(rest[start:end])
		rest = rest[end:]
		_, name, _ := strings.Cut(spec, specName)
		name, _, named := strings.Cut(name, "\"")
		if !named || !strings.Contains(spec, "platform_name: \"CUDA\"") {
			continue
		}
		if name == gpuNames[chip] {
			return spec, nil
		}
		known = append(known, name)
	}
	if len(known) == 0 {
		return "", fmt.Errorf("the plugin %s has no specifications of GPUs: want XLA's for CUDA, of the package jax-cuda13-pjrt", plugin)
	}
	slices.Sort(known)
	return "", fmt.Errorf("the plugin %s has no specification of %s: it knows %s", plugin, chip, strings.Join(known, ", "))
}

// rodata returns the constants of a shared library.
func rodata(file string) ([]byte, error) {
	f, err := elf.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := f.Section(".rodata")
	if s == nil {
		return nil, fmt.Errorf("it has no section .rodata")
	}
	return s.Data()
}

// gpuEnvironment points XLA to ptxas and libdevice.
func gpuEnvironment(plugin string) ([]string, error) {
	dir, err := cudaData(plugin)
	if err != nil {
		return nil, err
	}
	return []string{"XLA_FLAGS=--xla_gpu_cuda_data_dir=" + dir, "TF_CPP_MIN_LOG_LEVEL=2"}, nil
}

// cudaFiles are what XLA runs and reads of CUDA.
var cudaFiles = []string{"bin/ptxas", "nvvm/libdevice/libdevice.10.bc"}

// cudaData returns the directory with ptxas and libdevice: beside the plugin, as pip
// installs both, or that of CUDA.
func cudaData(plugin string) (string, error) {
	packages := filepath.Dir(filepath.Dir(filepath.Dir(plugin)))
	dirs := []string{filepath.Join(packages, "nvidia", "cu13"), filepath.Join(packages, "nvidia", "cuda_nvcc")}
	if home := os.Getenv("CUDA_HOME"); home != "" {
		dirs = append(dirs, home)
	}
	dirs = append(dirs, "/usr/local/cuda")
	for _, dir := range dirs {
		if !slices.ContainsFunc(cudaFiles, func(name string) bool {
			_, err := os.Stat(filepath.Join(dir, name))
			return err != nil
		}) {
			return dir, nil
		}
	}
	return "", fmt.Errorf("%w: %s are in none of %s: `pip install nvidia-cuda-nvcc nvidia-nvvm` puts them beside the plugin, or set $CUDA_HOME",
		ErrNoPlugin, strings.Join(cudaFiles, " and "), strings.Join(dirs, ", "))
}
