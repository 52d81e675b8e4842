package runtime

// This file implements the options of plugins' clients: those that JAX gives them, from the same
// environment variables.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/hardware"
)

// gpuOptions are the options of XLA's plugin for GPUs that the environment sets.
var gpuOptions = []struct {
	variable, option string
	parse            func(text string) (any, error)
}{
	{"XLA_PYTHON_CLIENT_ALLOCATOR", "allocator", oneOf("default", "platform", "bfc", "cuda_async", "vmm")},
	{"XLA_PYTHON_CLIENT_MEM_FRACTION", "memory_fraction", fraction},
	{"XLA_CLIENT_MEM_FRACTION", "memory_fraction", fraction},
	{"XLA_PYTHON_CLIENT_PREALLOCATE", "preallocate", truth},
	{"XLA_PYTHON_CLIENT_COLLECTIVE_MEM_SIZE_MB", "collective_memory_size", megabytes},
	{"XLA_PYTHON_CLIENT_ABORT_COLLECTIVES_ON_FAILURE", "abort_collectives_on_failure", truth},
	{"XLA_PYTHON_CLIENT_USE_TFRT_GPU_CLIENT", "use_tfrt_gpu_client", truth},
	{"JAX_CUDA_VISIBLE_DEVICES", "visible_devices", numbers},
}

// clientOptions returns the options for a PJRT client of o's platform, by their names in the
// plugin, some from the environment, which getenv reads. A variable whose value cannot be read is
// an error.
func clientOptions(o Options, getenv func(string) string) (map[string]any, error) {
	options := map[string]any{}
	switch o.Platform {
	case hardware.CPU:
		options["cpu_device_count"] = int64(o.Devices)
	case hardware.CUDA:
		for _, v := range gpuOptions {
			text := getenv(v.variable)
			if text == "" || v.variable == "JAX_CUDA_VISIBLE_DEVICES" && text == "all" {
				continue
			}
			value, err := v.parse(text)
			if err != nil {
				return nil, fmt.Errorf("$%s is %q: want %w", v.variable, text, err)
			}
			options[v.option] = value
		}
		if o.Devices > 0 {
			options["visible_devices"] = firstVisible(options["visible_devices"], o.Devices)
		}
	}
	return options, nil
}

// firstVisible returns the numbers of the first n visible GPUs, or of all if fewer are visible.
// visible is a list of GPUs, or nil if all are visible: then it returns 0 to n-1.
func firstVisible(visible any, n int) []int64 {
	if list, ok := visible.([]int64); ok {
		return list[:min(len(list), n)]
	}
	list := make([]int64, n)
	for i := range list {
		list[i] = int64(i)
	}
	return list
}

// The following parsers return an error that says what is wanted if the text is wrong.

func oneOf(names ...string) func(string) (any, error) {
	return func(text string) (any, error) {
		if !slices.Contains(names, strings.ToLower(text)) {
			return nil, fmt.Errorf("one of %s", strings.Join(names, ", "))
		}
		return strings.ToLower(text), nil
	}
}

func fraction(text string) (any, error) {
	f, err := strconv.ParseFloat(text, 32)
	if err != nil || f <= 0 {
		return nil, fmt.Errorf("a part of a GPU's memory, such as .75")
	}
	return float32(f), nil
}

func truth(text string) (any, error) {
	b, err := strconv.ParseBool(text)
	if err != nil {
		return nil, fmt.Errorf("true or false")
	}
	return b, nil
}

func megabytes(text string) (any, error) {
	n, err := strconv.ParseInt(text, 10, 40)
	if err != nil || n < 0 {
		return nil, fmt.Errorf("a number of megabytes, such as 512")
	}
	return n << 20, nil
}

func numbers(text string) (any, error) {
	var list []int64
	for _, word := range strings.Split(text, ",") {
		n, err := strconv.ParseInt(strings.TrimSpace(word), 10, 32)
		if err != nil || n < 0 {
			return nil, fmt.Errorf(`numbers of GPUs such as 0,1, or "all"`)
		}
		list = append(list, n)
	}
	return list, nil
}
