package aot

// This file says how the plugins name the devices of a target.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gospmd/gospmd/hardware"
)

// platform is how the devices of one vendor are described to their plugin.
type platform struct {
	// topology returns the name and the options that describe t to the plugin in the
	// file.
	topology func(t hardware.Target, file string) (name string, options []option, err error)
	// environment is what the plugin needs in the environment of its process.
	environment func(file string) ([]string, error)
}

var platforms = map[string]platform{
	"tpu":  {tpuTopology, tpuEnvironment},
	"cuda": {gpuTopology, gpuEnvironment},
}

// sizes joins sizes as the plugins do: "2x4".
func sizes(shape []int) string {
	var out []string
	for _, n := range shape {
		out = append(out, strconv.Itoa(n))
	}
	return strings.Join(out, "x")
}

// tpuOptions are those of the chips that need some.
var tpuOptions = map[string][]option{
	"v4": {{Name: "chip_config_name", Text: "megacore"}}, // one device per chip, as v4 are used
}

// tpuTopology describes TPUs to libtpu, which knows them by the names that targets
// have.
func tpuTopology(t hardware.Target, _ string) (string, []option, error) {
	options := slices.Clone(tpuOptions[t.Chip.Name])
	if wrap := wraps(t); slices.Contains(wrap, 1) {
		options = append(options, option{Name: "wrap", List: wrap})
	}
	return t.String(), options, nil
}

// wraps returns, for each of three axes, 1 if its ends are joined. libtpu takes none
// to be, unless it is told. On v5e and v6e they are joined along axes of 16, the size
// of a pod; the others are cubes of 4x4x4, whose faces are joined.
func wraps(t hardware.Target) []int64 {
	out := make([]int64, 3)
	flat := t.Chip.Name == "v5e" || t.Chip.Name == "v6e"
	cubes := len(t.Shape) == 3 && !slices.ContainsFunc(t.Shape, func(n int) bool { return n%4 != 0 })
	for i, n := range t.Shape {
		if i < len(out) && (flat && n == 16 || !flat && cubes) {
			out[i] = 1
		}
	}
	return out
}

// tpuEnvironment keeps libtpu from looking for TPUs, which takes minutes, from
// refusing to be loaded by two processes, and from writing logs.
func tpuEnvironment(string) ([]string, error) {
	return []string{"TPU_SKIP_MDS_QUERY=1", "ALLOW_MULTIPLE_LIBTPU_LOAD=1", "TPU_LOG_DIR=disabled", "TF_CPP_MIN_LOG_LEVEL=2"}, nil
}

// gpuTopology describes GPUs to XLA's plugin, which numbers slices, hosts and the GPUs
// of a host.
func gpuTopology(t hardware.Target, file string) (string, []option, error) {
	config, err := gpuConfig(t.Chip.Name, file)
	if err != nil {
		return "", nil, err
	}
	if len(t.Shape) > 3 {
		return "", nil, fmt.Errorf("the shape of %s has %d sizes, want those of a host's GPUs, of hosts and GPUs, or of slices, hosts and GPUs, such as %s:4x8", t, len(t.Shape), t.Chip.Name)
	}
	shape := append(slices.Repeat([]int{1}, 3-len(t.Shape)), t.Shape...)
	return "gospmd", []option{
		{Name: "platform", Text: "cuda"},
		{Name: "target_config", Text: config},
		{Name: "topology", Text: sizes(shape)},
	}, nil
}
