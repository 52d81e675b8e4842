package aot

// This file describes GPUs to XLA's plugin for CUDA, by specifications that the plugin itself
// contains. It also finds the tools that the plugin calls.

import (
	"bytes"
	"debug/elf"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gospmd/gospmd/hardware"
	"github.com/gospmd/gospmd/runtime/plugin"
)

// gpuTopology returns a name for the topology of t, and the options that describe it to the plugin
// in file: the specification of the chip, and the numbers of slices, of hosts in a slice and of
// GPUs in a host. It returns the error of gpuConfig.
func gpuTopology(t hardware.Target, file string) (string, []option, error) {
	config, err := gpuConfig(t.Chip.Name, file)
	if err != nil {
		return "", nil, err
	}
	shape := append(slices.Repeat([]int{1}, max(0, 3-len(t.Shape))), t.Shape...)
	return "gospmd", []option{
		{Name: "platform", Text: hardware.CUDA},
		{Name: "target_config", Text: config},
		{Name: "topology", Text: sizesText(shape)},
	}, nil
}

// gpuNames has, for our names of chips, the names in the specifications.
var gpuNames = map[string]string{
	"a100":     "NVIDIA A100-SXM4-80GB",
	"a100-40g": "NVIDIA A100-SXM4-40GB",
	"h100":     "NVIDIA H100 80GB HBM3",
	"h200":     "NVIDIA H200 141GB HBM3e",
	"b200":     "NVIDIA B200",
	"b300":     "NVIDIA B300",
	"gb200":    "NVIDIA GB200",
	"gb300":    "NVIDIA GB300",
	"l4":       "NVIDIA L4",
}

// ownSpecs are the specifications of chips that XLA does not have.
//
//go:embed specs/*.txtpb
var ownSpecs embed.FS

// gpuConfig returns the specification of a chip, a GpuTargetConfigProto as text: the plugin's,
// which is among its constants, or ours. A plugin without specifications, and a chip that neither
// has, are errors.
func gpuConfig(chip, file string) (string, error) {
	constants, err := rodata(file)
	if err != nil {
		return "", fmt.Errorf("the plugin %s cannot be read: %w", file, err)
	}
	specs := specifications(constants)
	if len(specs) == 0 {
		return "", fmt.Errorf("the plugin %s has no specifications of GPUs: want XLA's for CUDA, of the package jax-cuda13-pjrt", file)
	}
	var known []string
	for _, s := range specs {
		if s.name == gpuNames[chip] {
			return s.text, nil
		}
		known = append(known, s.name)
	}
	if own, err := ownSpecs.ReadFile("specs/" + chip + ".txtpb"); err == nil {
		return string(own), nil
	}
	return "", fmt.Errorf("the plugin %s has no specification of %s: it knows %s", file, chip, strings.Join(known, ", "))
}

// specification is the specification of a GPU, as text.
type specification struct{ name, text string }

// specName is the beginning of the line with the name of the GPU in a specification.
const specName = "device_description_str: \""

// specifications finds the specifications of NVIDIA's GPUs among constants, which are separated by
// zeros.
func specifications(constants []byte) (found []specification) {
	for {
		i := bytes.Index(constants, []byte(specName))
		if i < 0 {
			return found
		}
		end := len(constants)
		if n := bytes.IndexByte(constants[i:], 0); n >= 0 {
			end = i + n
		}
		text := string(constants[bytes.LastIndexByte(constants[:i], 0)+1 : end])
		_, name, _ := strings.Cut(text, specName)
		name, _, closed := strings.Cut(name, "\"")
		if closed && strings.Contains(text, "platform_name: \"CUDA\"") {
			found = append(found, specification{name, text})
		}
		constants = constants[end:]
	}
}

// rodata returns the section of read-only constants of a shared library. A file that is no ELF
// library, or has no such section, is an error.
func rodata(file string) ([]byte, error) {
	f, err := elf.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := f.Section(".rodata")
	if s == nil {
		return nil, errors.New("it has no section .rodata")
	}
	return s.Data()
}

// gpuEnvironment returns environment variables that tell XLA where ptxas and libdevice are: beside
// the plugin in file, where pip installs them, or where plugin.CUDAData finds them, whose error it
// returns. A variable also turns most logs off.
func gpuEnvironment(file string) ([]string, error) {
	dir := filepath.Join(filepath.Dir(file), "..", "..", "nvidia", "cu13")
	if _, err := os.Stat(filepath.Join(dir, "bin", "ptxas")); err != nil {
		if dir, err = plugin.CUDAData(); err != nil {
			return nil, err
		}
	}
	return []string{"XLA_FLAGS=--xla_gpu_cuda_data_dir=" + dir, "TF_CPP_MIN_LOG_LEVEL=2"}, nil
}
